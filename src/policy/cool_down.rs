//! The cool-down gate: once a server has asked one call to wait, later calls wait, too, since SharePoint counts every
//! throttled call against its caller. When the time is over, one call goes first, the scout. If the server takes it,
//! the others follow at a doubling rate; if it is throttled again, the gate is closed again.
//!
//! ```text
//! closed --time is over--> one scout --it is answered--> 2, 4, 8 … calls per 100 ms --> gone
//!    ^                         |                               |
//!    +------- throttled -------+---------- throttled ----------+
//! ```

use super::clock::{Instant, Until};
use super::entry::{Entry, Shelf, comes_within};

/// A gate closes for at most this long; a longer wait binds the rest of it only the call that was told.
pub const LONGEST_MS: f64 = 120_000.0;
/// A throttled answer that states no wait closes a gate that is opening for this long.
const AGAIN_MS: f64 = 1_000.0;
/// A scout that has not ended by then may have been lost: one more may go.
const LEASE_MS: f64 = 10_000.0;
/// How often those who wait look whether it is their turn, and the length of a step of the ramp.
const STEP_MS: f64 = 100.0;
/// After so many steps more than a thousand calls may pass in one: the gate is gone.
const STEPS: f64 = 10.0;

/// A gate that was closed and is not gone yet; the default is none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gate {
    /// Closed until then.
    pub closed: Until,
    /// The number of the last scout. They begin with the time, so that those of a gate that is gone are not given again.
    scouts: f64,
    /// Scouts up to this one went before the gate was closed last: they say nothing any more.
    stale: f64,
    /// Until when (monotonic) the scout's place is taken; 0 when it is free.
    scout_until: f64,
    /// When (monotonic) a scout was answered; 0 before that.
    ramp_from: f64,
    /// The step of the ramp that was last used, and by how many calls.
    step: f64,
    used: f64,
}

/// What a call finds at the gate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Passage {
    /// Nobody has to wait any more: the gate can be forgotten.
    Gone,
    /// It may send now.
    Free,
    /// It waits so long, then looks again.
    Wait(f64),
}

/// How the attempt of a call ended, as far as a gate is concerned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Passed {
    /// 429 or 503, with the wait that the server stated, if it did.
    Throttled(Option<f64>),
    /// Any other answer.
    Answered,
    /// No answer: nobody knows what the server would have said.
    Unanswered,
}

impl Entry for Gate {
    fn shelf(&self) -> Shelf {
        Shelf::Gates
    }

    fn each(&mut self, visit: &mut dyn FnMut(&mut f64)) {
        visit(&mut self.closed.mono);
        visit(&mut self.closed.wall);
        visit(&mut self.scouts);
        visit(&mut self.stale);
        visit(&mut self.scout_until);
        visit(&mut self.ramp_from);
        visit(&mut self.step);
        visit(&mut self.used);
    }

    fn reset(&mut self) {
        *self = Gate::default();
    }

    fn is_possible(&self, now: Instant) -> bool {
        comes_within(self.closed.left(now), LONGEST_MS)
            && self.stale <= self.scouts
            && comes_within(self.scout_until - now.mono, LEASE_MS)
            && comes_within(self.ramp_from, now.mono)
    }
}

impl Gate {
    /// Whether a call may pass.
    pub fn look(&self, now: Instant) -> Passage {
        if self.closed == Until::default() {
            return Passage::Gone;
        }
        let left = self.closed.left(now);
        if left > 0.0 {
            return Passage::Wait(left);
        }
        if self.ramp_from == 0.0 {
            let leased = self.scout_until - now.mono;
            return if leased > 0.0 { Passage::Wait(leased.min(STEP_MS)) } else { Passage::Free };
        }
        let step = self.step_at(now);
        if step >= STEPS {
            Passage::Gone
        } else if self.used_in(step) < 2.0 * doubled(step) {
            Passage::Free
        } else {
            Passage::Wait(self.ramp_from + (step + 1.0) * STEP_MS - now.mono)
        }
    }

    /// Takes a place, which must be [`Passage::Free`]. The number of the scout, or 0 for one of the calls that follow.
    pub fn enter(&mut self, now: Instant) -> f64 {
        if self.ramp_from == 0.0 {
            self.scout_until = now.mono + LEASE_MS;
            self.scouts += 1.0;
            return self.scouts;
        }
        let step = self.step_at(now);
        self.used = self.used_in(step) + 1.0;
        self.step = step;
        0.0
    }

    /// A call has ended; `scout` is the number it was given. Whether the gate is closed for longer than before.
    pub fn ended(&mut self, now: Instant, scout: f64, how: Passed) -> bool {
        let opening = self.closed.left(now) <= 0.0;
        match how {
            Passed::Throttled(Some(ms)) if ms > 0.0 => return self.close(now, ms),
            Passed::Throttled(_) if opening && self.closed != Until::default() => return self.close(now, AGAIN_MS),
            Passed::Answered if opening && scout > self.stale && self.ramp_from == 0.0 => self.ramp_from = now.mono,
            Passed::Unanswered if scout == self.scouts && scout > self.stale => self.scout_until = 0.0,
            _ => {}
        }
        false
    }

    /// Closes the gate for `ms` from now, unless it is closed for longer already.
    pub fn close(&mut self, now: Instant, ms: f64) -> bool {
        let ms = ms.min(LONGEST_MS);
        let longer = ms > self.closed.left(now).max(0.0);
        if longer {
            let scouts = self.scouts.max(now.mono.floor());
            *self = Gate { closed: Until::after(now, ms), scouts, stale: scouts, ..Gate::default() };
        }
        longer
    }

    fn step_at(&self, now: Instant) -> f64 {
        ((now.mono - self.ramp_from) / STEP_MS).floor()
    }

    fn used_in(&self, step: f64) -> f64 {
        if step == self.step { self.used } else { 0.0 }
    }
}

fn doubled(step: f64) -> f64 {
    f64::from(1u32 << (step as u32).min(31))
}
