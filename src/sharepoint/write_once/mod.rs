//! `writeOnce`: a write is sent, and before anybody thinks of sending it again, somebody looks whether it is there.
//!
//! SharePoint has no idempotency key, and a throttled answer, a gateway's, a dropped one and none at all look alike
//! whether the write was carried out or not. So after each of them the caller's `find` is asked, twice and a settle
//! apart, since a read may be stale and a write may still be under way:
//!
//! ```text
//!        +--- written, or refused at the first send --------------------------> written, rejected
//!        |
//! send --+--- throttled, failed, lost --> wait --> find --> settle --> find
//!   ^                                               |                   |
//!   |                                               +---- found --------+-----> already-applied
//!   |                                               +---- find failed --+-----> unknown
//!   +--- throttled, or `lostAnswer: 'resend'`, and sends are left ---- absent -> not-applied, rejected, unknown
//! ```
//!
//! Here is only what to do next. Who does it is `pkg-template/write_once.js`: it sends, asks, waits, and tells.

mod outcome;

pub use outcome::Ended;
use outcome::Outcome;

/// Absent once may be a stale read.
const LOOKS: u32 = 2;

/// What the caller allows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// Sends, the first included.
    pub max_sends: u32,
    /// After so many milliseconds an answered write has landed, and reads see it.
    pub settle_ms: f64,
    /// A write whose answer was lost may be sent again, too.
    pub resend_lost: bool,
    /// A longer wait than this, milliseconds, is not waited out, whoever states it.
    pub patience_ms: f64,
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// A send ended.
    Sent(Ended),
    /// `find` found the write.
    Found,
    /// `find` did not.
    Absent,
    /// `find` could not tell.
    FindFailed,
    /// The wait is over.
    Waited,
}

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// Send the write.
    Send,
    /// Ask whether it is there.
    Find,
    /// Wait for so many milliseconds.
    Wait(f64),
    /// Nothing any more.
    Done(Verdict),
}

/// What became of the write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The server said so.
    Written,
    /// `find` found it.
    AlreadyApplied,
    /// The server refused it, or failed and it is not there.
    Rejected,
    /// Throttled, and not there.
    NotApplied,
    /// Nobody knows.
    Unknown,
    /// Nothing was ever sent.
    NotSent,
}

/// One call of `writeOnce`.
#[derive(Clone, Debug)]
pub struct WriteOnce {
    rules: Rules,
    sends: u32,
    /// The answer to some send was lost: that one may still be under way.
    lost: bool,
    /// How the last send ended.
    last: Outcome,
    next: Step,
    looks_left: u32,
}

impl WriteOnce {
    /// Nothing has happened yet.
    pub fn new(rules: Rules) -> WriteOnce {
        WriteOnce { rules, sends: 1, lost: false, last: Outcome::NotSent, next: Step::Send, looks_left: 0 }
    }

    /// The step to take now.
    pub fn next(&self) -> Step {
        self.next
    }

    /// Tells what came of the step, and gives the one after it.
    pub fn tell(&mut self, event: Event) -> Step {
        self.next = match (self.next, event) {
            (Step::Done(verdict), _) => Step::Done(verdict),
            (Step::Send, Event::Sent(ended)) => self.sent(Outcome::of(ended)),
            (Step::Wait(_), Event::Waited) => Step::Find,
            (Step::Find, Event::Found) => Step::Done(Verdict::AlreadyApplied),
            (Step::Find, Event::Absent) => self.absent(),
            // A find that failed says nothing, and so does a shell that tells of what it was not asked to do.
            _ => Step::Done(Verdict::Unknown),
        };
        self.next
    }

    fn sent(&mut self, outcome: Outcome) -> Step {
        let first = self.sends == 1;
        match outcome {
            Outcome::Written => return Step::Done(Verdict::Written),
            Outcome::Refused if first => return Step::Done(Verdict::Rejected),
            Outcome::NotSent if first => return Step::Done(Verdict::NotSent),
            // What was sent before has been looked for.
            Outcome::NotSent => return Step::Done(self.verdict()),
            // A later send may be refused because of an earlier one: its item holds the unique value, or is gone.
            Outcome::Refused | Outcome::Failed(_) | Outcome::Throttled(_) => {}
            Outcome::Lost(_) => self.lost = true,
        }
        self.last = outcome;
        self.looks_left = LOOKS;
        let stated = outcome.hint_ms().filter(|ms| *ms <= self.rules.patience_ms).unwrap_or(0.0);
        // Where another send may follow, nothing is gained by looking before the write can have landed.
        soon(if self.is_repeatable() { stated.max(self.rules.settle_ms) } else { stated })
    }

    fn absent(&mut self) -> Step {
        self.looks_left = self.looks_left.saturating_sub(1);
        if self.looks_left > 0 {
            return soon(self.rules.settle_ms);
        }
        let patient = self.last.hint_ms().is_none_or(|ms| ms <= self.rules.patience_ms);
        if self.is_repeatable() && patient && self.sends < self.rules.max_sends {
            self.sends += 1;
            return Step::Send;
        }
        Step::Done(self.verdict())
    }

    /// Whether the last send is of the kind that may be followed by another.
    fn is_repeatable(&self) -> bool {
        match self.last {
            Outcome::Throttled(_) => true,
            Outcome::Lost(_) => self.rules.resend_lost,
            _ => false,
        }
    }

    /// Of a write that is not there.
    fn verdict(&self) -> Verdict {
        match self.last {
            _ if self.lost => Verdict::Unknown,
            Outcome::Throttled(_) => Verdict::NotApplied,
            _ => Verdict::Rejected,
        }
    }
}

fn soon(ms: f64) -> Step {
    if ms > 0.0 { Step::Wait(ms) } else { Step::Find }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod laws;
#[cfg(test)]
mod tests;
