//! The circuit breaker: a back end that keeps failing is left alone for a moment, and then asked by one call, the
//! probe, before all others may ask again.
//!
//! ```text
//! closed --too many failures--> open --time is over--> half-open: one probe
//!    ^                           ^                          |
//!    |                           +------- it fails ---------+
//!    +--------------------------------- it is answered -----+
//! ```
//!
//! The open time does not grow after fast failures: in simulation (`bench/storm`) a constant 2.2 s amplified an outage by
//! 0.47 and recovered in 3 s, longer ones by less and later, and growth only delayed the recovery. It doubles after slow
//! probes, since each of those is paid for.

use super::clock::{Instant, Until};
use super::entry::{Entry, Shelf, comes_within};
use super::window::Window;

/// The open time grows up to this.
const LONGEST_OPEN_MS: f64 = 30_000.0;
/// No open time and no window may be longer than the options allow; the random part on top.
const SANE_OPEN_MS: f64 = 300_000.0 * 1.2;
/// The open time varies by so much in both directions.
const SPREAD: f64 = 0.2;
/// A call waits for the first interval for at most this long: it hides a short blip.
const PATIENCE_MS: f64 = 2_500.0;
/// A probe that has not ended by then may have been lost: one more may go.
const LEASE_MS: f64 = 10_000.0;
/// What fading attempts lose by rounding.
const ROUNDED: f64 = 1e-9;

/// What a call brings along.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// 0: there is no circuit.
    pub on: f64,
    /// Opens at this share of failures.
    pub failure_rate: f64,
    /// But not before so many attempts.
    pub minimum_calls: f64,
    /// Attempts of the last so many milliseconds count.
    pub window_ms: f64,
    /// About so many of the latest, or twice `minimum_calls`, whichever is more: the share of failures is that of now.
    pub latest: f64,
    /// Open for so long, milliseconds.
    pub open_ms: f64,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules { on: 1.0, failure_rate: 0.5, minimum_calls: 4.0, window_ms: 300_000.0, latest: 8.0, open_ms: 2_200.0 }
    }
}

/// The state, as the public contract names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// All is well.
    Closed,
    /// Nobody may send.
    Open,
    /// One probe may.
    HalfOpen,
}

/// One back end's circuit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Circuit {
    /// 0 closed, 1 open, 2 half-open.
    state: f64,
    /// Raised whenever it opens or closes: who was admitted under an earlier one changes nothing.
    generation: f64,
    /// Open until then.
    open: Until,
    /// For so long, without the random part.
    open_ms: f64,
    /// How often it has opened since it was last closed.
    intervals: f64,
    /// The number of the last probe.
    probes: f64,
    /// Until when (monotonic) the probe's place is taken; 0 when it is free.
    probe_until: f64,
}

/// What a call finds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Admission {
    /// It may send now.
    Free,
    /// It may wait so long, then look again.
    Wait(f64),
    /// It may not send; so long from now it may be worth another try.
    Refused(f64),
}

/// What a call holds while an attempt is under way.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ticket {
    generation: f64,
    /// The number of the probe, or 0.
    probe: f64,
}

impl Ticket {
    /// Whether it is the probe's.
    pub fn is_probe(self) -> bool {
        self.probe > 0.0
    }
}

/// How an attempt ended, as far as a circuit is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The back end works.
    Success,
    /// It did not take this request (4xx): it is there, but how well it works is not known.
    Declined,
    /// A network error, a 5xx, or a slow failure.
    Failure {
        /// It took as long as a timeout.
        slow: bool,
    },
    /// Nothing is known: an abort, a throttled request, a machine that slept.
    Neutral,
}

impl Entry for Circuit {
    fn shelf(&self) -> Shelf {
        Shelf::Circuits
    }

    fn each(&mut self, visit: &mut dyn FnMut(&mut f64)) {
        visit(&mut self.state);
        visit(&mut self.generation);
        visit(&mut self.open.mono);
        visit(&mut self.open.wall);
        visit(&mut self.open_ms);
        visit(&mut self.intervals);
        visit(&mut self.probes);
        visit(&mut self.probe_until);
    }

    fn reset(&mut self) {
        *self = Circuit::default();
    }

    fn is_possible(&self, now: Instant) -> bool {
        comes_within(self.open.left(now), SANE_OPEN_MS)
            && comes_within(self.open_ms, SANE_OPEN_MS)
            && comes_within(self.probe_until - now.mono, LEASE_MS)
    }
}

impl Circuit {
    /// The state at this moment.
    pub fn state(&self, now: Instant) -> State {
        match self.state {
            0.0 => State::Closed,
            _ if self.open.left(now) > 0.0 => State::Open,
            _ => State::HalfOpen,
        }
    }

    /// The state that was last entered: an open circuit is half-open only once a probe has been let through.
    pub fn entered(&self) -> State {
        match self.state {
            0.0 => State::Closed,
            1.0 => State::Open,
            _ => State::HalfOpen,
        }
    }

    /// Milliseconds until it is half-open.
    pub fn reopens_in(&self, now: Instant) -> f64 {
        self.open.left(now).max(0.0)
    }

    /// Whether a call may send.
    pub fn look(&self, now: Instant) -> Admission {
        let left = self.open.left(now);
        match self.state(now) {
            State::Closed => Admission::Free,
            State::Open if self.intervals <= 1.0 && left <= PATIENCE_MS => Admission::Wait(left),
            State::Open => Admission::Refused(left),
            State::HalfOpen if self.probe_until <= now.mono => Admission::Free,
            State::HalfOpen => Admission::Refused(self.open_ms),
        }
    }

    /// Takes a place, which must be [`Admission::Free`].
    pub fn enter(&mut self, now: Instant) -> Ticket {
        let mut ticket = Ticket { generation: self.generation, probe: 0.0 };
        if self.state(now) == State::HalfOpen {
            self.state = 2.0;
            self.probes += 1.0;
            self.probe_until = now.mono + LEASE_MS;
            ticket.probe = self.probes;
        }
        ticket
    }

    /// An attempt has ended. While the circuit is closed, `window` says how others went; `unit` is asked for the random
    /// part of an open time.
    pub fn ended(
        &mut self,
        now: Instant,
        ticket: Ticket,
        outcome: Outcome,
        rules: &Rules,
        window: &mut Window,
        unit: &dyn Fn() -> f64,
    ) {
        if ticket.generation != self.generation {
            return;
        }
        if self.state == 0.0 {
            let failed = match outcome {
                Outcome::Success => false,
                Outcome::Failure { .. } => true,
                Outcome::Declined | Outcome::Neutral => return,
            };
            window.count(now, rules.window_ms, rules.latest.max(2.0 * rules.minimum_calls), failed);
            if failed {
                self.judge(now, rules, window, unit);
            }
            return;
        }
        match outcome {
            Outcome::Success | Outcome::Declined => {
                let generation = self.generation + 1.0;
                *self = Circuit { generation, probes: self.probes, ..Circuit::default() };
            }
            Outcome::Failure { slow: true } => {
                let longest = LONGEST_OPEN_MS.max(rules.open_ms);
                self.open(now, (self.open_ms * 2.0).min(longest), unit());
            }
            Outcome::Failure { slow: false } => self.open(now, rules.open_ms, unit()),
            // Only who still holds the place can give it back.
            Outcome::Neutral if ticket.probe == self.probes => self.probe_until = 0.0,
            Outcome::Neutral => {}
        }
    }

    /// An answer that counted as a success turned out a failure: its body broke off, or an error came in it.
    pub fn turned(&mut self, now: Instant, rules: &Rules, window: &mut Window, unit: &dyn Fn() -> f64) {
        // One that has opened since has heard of the trouble from others.
        if self.state == 0.0 {
            window.turn(now, rules.window_ms);
            self.judge(now, rules, window, unit);
        }
    }

    fn judge(&mut self, now: Instant, rules: &Rules, window: &mut Window, unit: &dyn Fn() -> f64) {
        let (calls, failures) = window.counts(now);
        if calls >= rules.minimum_calls && failures + ROUNDED >= rules.failure_rate * calls {
            window.empty();
            self.open(now, rules.open_ms, unit());
        }
    }

    fn open(&mut self, now: Instant, open_ms: f64, unit: f64) {
        *self = Circuit {
            state: 1.0,
            // They begin with the time, so that one that was forgotten is not given again.
            generation: self.generation.max(now.mono.floor()) + 1.0,
            open: Until::after(now, open_ms * (1.0 - SPREAD + 2.0 * SPREAD * unit)),
            open_ms,
            intervals: self.intervals + 1.0,
            probes: self.probes,
            ..Circuit::default()
        };
    }
}
