//! The cool-down gate: once a server has asked one call to wait, later calls wait, too, since SharePoint counts every
//! throttled call against its caller. When the time is over, one call goes first, the scout. If the server takes it,
//! the others follow at a doubling rate; if one of them is throttled, the gate is closed again.
//!
//! A page that was throttled once is through in a second. A server that is short of strength says the same to many pages,
//! and they come back together and find it overloaded again: in simulation it then idles for a third of the time
//! (`bench/storm`). So a gate that is closed again lets the others follow slower, each at a time of its own, and
//! stays closed for a little longer than the server asked, by chance.
//!
//! ```text
//! closed --time is over--> one scout --it is answered--> 2, 4, 8 … calls a step --> calm --> gone
//!    ^                         |                                 |                    |
//!    +------- throttled -------+----------- throttled -----------+---- throttled -----+
//! ```

use super::clock::{Instant, Until};
use super::entry::{Entry, Shelf, comes_within};

/// A gate closes for at most this long; a longer wait binds the rest of it only the call that was told.
pub const LONGEST_MS: f64 = 120_000.0;
/// A throttled answer that states no wait closes a gate that is opening for this long.
const AGAIN_MS: f64 = 1_000.0;
/// A scout that has not ended by then may have been lost: one more may go.
const LEASE_MS: f64 = 10_000.0;
/// How often those who wait look whether it is their turn, and the length of a step of the first ramp.
const STEP_MS: f64 = 100.0;
/// After so many steps more than a thousand calls may pass in one: nobody waits any more.
const STEPS: f64 = 10.0;
/// The gate is gone when nobody was throttled for so long after the scout. Whoever is before that shows that the others
/// followed too fast.
const CALM_MS: f64 = 30_000.0;
/// Then the gate closes for up to this share of the wait longer, and that is also the longest step.
const SLOW_SHARE: f64 = 0.3;
const SLOWEST_MS: f64 = 3_000.0;
/// The first such step is this part of the longest; after each further throttle it is twice what it was.
const FIRST_PART: f64 = 3.0;

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
    /// The length of a step, once the gate was closed again; 0 before that, and where an older version wrote the entry.
    step_ms: f64,
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
        visit(&mut self.step_ms);
    }

    fn reset(&mut self) {
        *self = Gate::default();
    }

    fn is_possible(&self, now: Instant) -> bool {
        comes_within(self.closed.left(now), LONGEST_MS)
            && self.stale <= self.scouts
            && comes_within(self.scout_until - now.mono, LEASE_MS)
            && comes_within(self.ramp_from, now.mono)
            && comes_within(self.step_ms, SLOWEST_MS)
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
        if now.mono - self.ramp_from >= CALM_MS {
            return Passage::Gone;
        }
        let step = self.step_at(now);
        if step >= STEPS {
            return Passage::Free;
        }
        // Where all places of this step are taken, the next one begins with the next step.
        let used = (self.used_in(step) / (2.0 * doubled(step))).min(1.0);
        // On a first ramp a step's calls go at its beginning, on a slower one each has its own part of it.
        let used = if self.step_ms > 0.0 { used } else { used.floor() };
        let turn = self.ramp_from + (step + used) * self.pace() - now.mono;
        if turn > 0.0 { Passage::Wait(turn) } else { Passage::Free }
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

    /// A call has ended; `scout` is the number it was given, `unit` is random in [0, 1). Whether the gate is closed for
    /// longer than before. A gate that is gone has nothing to say any more: this is for a new one.
    pub fn ended(&mut self, now: Instant, scout: f64, how: Passed, unit: f64) -> bool {
        let opened = self.closed != Until::default() && self.closed.left(now) <= 0.0;
        let ramp = self.ramp_from > 0.0;
        match how {
            Passed::Throttled(Some(ms)) if ms > 0.0 => return self.close(now, ms, unit),
            Passed::Throttled(_) if opened && (!ramp || self.step_at(now) < STEPS) => {
                return self.close(now, AGAIN_MS, unit);
            }
            Passed::Answered if opened && scout > self.stale && !ramp => self.ramp_from = now.mono,
            Passed::Unanswered if scout == self.scouts && scout > self.stale => self.scout_until = 0.0,
            _ => {}
        }
        false
    }

    /// Closes the gate for `ms` from now, unless it is closed for longer already.
    fn close(&mut self, now: Instant, ms: f64, unit: f64) -> bool {
        let mut ms = ms.min(LONGEST_MS);
        let left = self.closed.left(now);
        let longer = ms > left.max(0.0);
        if longer {
            let slow_ms = (ms * SLOW_SHARE).min(SLOWEST_MS);
            let mut step_ms = self.step_ms;
            // It has opened, and calls have gone.
            if left <= 0.0 && self.scouts > self.stale {
                step_ms = (slow_ms / FIRST_PART).max(2.0 * self.pace()).min(slow_ms);
            }
            if step_ms > 0.0 {
                // Pages that were told the same do not come back at the same moment.
                ms = (ms + (unit * slow_ms).floor()).min(LONGEST_MS);
            }
            let scouts = self.scouts.max(now.mono.floor());
            *self = Gate { closed: Until::after(now, ms), scouts, stale: scouts, step_ms, ..Gate::default() };
        }
        longer
    }

    /// The length of a step of the ramp.
    fn pace(&self) -> f64 {
        self.step_ms.max(STEP_MS)
    }

    fn step_at(&self, now: Instant) -> f64 {
        ((now.mono - self.ramp_from) / self.pace()).floor()
    }

    fn used_in(&self, step: f64) -> f64 {
        if step == self.step { self.used } else { 0.0 }
    }
}

fn doubled(step: f64) -> f64 {
    f64::from(1u32 << (step as u32).min(31))
}
