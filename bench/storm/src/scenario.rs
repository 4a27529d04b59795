//! The kinds of trouble, and who comes meanwhile.

use crate::measure::Measure;
use crate::random::Random;
use crate::server::{Phase, Refusal, Server, State};
use crate::sim::{self, Client, Traffic};
use std::ops::Range;

/// Who comes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crowd {
    /// A word for it.
    pub name: &'static str,
    /// So many pages.
    pub pages: usize,
    /// Each of which calls so often.
    pub per_minute: f64,
    /// Calls that come together; 1 where they come independently of each other.
    pub burst: u32,
}

/// 2,000 pages, one request a second each.
pub const STEADY: Crowd = Crowd { name: "steady", pages: 2_000, per_minute: 60.0, burst: 1 };
/// 10,000 pages, three requests a minute each.
pub const QUIET: Crowd = Crowd { name: "quiet", pages: 10_000, per_minute: 3.0, burst: 1 };
/// 2,000 pages, 20 requests at once every 30 seconds.
pub const BURSTS: Crowd = Crowd { name: "bursts", pages: 2_000, per_minute: 40.0, burst: 20 };

impl Crowd {
    /// Requests a second, by all of them.
    pub fn per_second(&self) -> f64 {
        self.pages as f64 * self.per_minute / 60.0
    }
}

/// One kind of trouble.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Its name, without that of the crowd.
    pub name: &'static str,
    /// Who comes.
    pub crowd: Crowd,
    phases: Vec<Phase>,
    refusal: Refusal,
    /// Nobody calls afterwards, milliseconds.
    pub ends_ms: f64,
    /// When the trouble is.
    pub trouble: Range<f64>,
}

/// A share of the capacity that is a good day.
const USUAL_LOAD: f64 = 0.8;
const OVERLOAD: f64 = 1.33;
/// Longer than the longest memory of the past, the circuit's window.
const WARM_MS: f64 = 320_000.0;
const OUTAGE_MS: f64 = 30_000.0;
const RECOVERY_MS: f64 = 45_000.0;
const SHORT_WARM_MS: f64 = 40_000.0;
const OVERLOAD_MS: f64 = 90_000.0;
/// What an overloaded server asks for, if it does.
pub const HINT_MS: f64 = 10_000.0;

const FREE: Refusal = Refusal { status: 503, hint_ms: None, cost: 0.0 };
/// A refusal that costs a tenth of a request.
const COSTLY: f64 = 0.1;

impl Scenario {
    fn new(
        name: &'static str,
        crowd: Crowd,
        warm_ms: f64,
        trouble_ms: f64,
        state: State,
        refusal: Refusal,
    ) -> Scenario {
        let usual = State::Works(crowd.per_second() / USUAL_LOAD);
        let ends = warm_ms + trouble_ms;
        Scenario {
            name,
            crowd,
            phases: vec![(0.0, usual), (warm_ms, state), (ends, usual)],
            refusal,
            ends_ms: ends + RECOVERY_MS,
            trouble: warm_ms..ends,
        }
    }

    /// For half a minute every request is refused with 503, which costs nothing.
    pub fn outage(crowd: Crowd) -> Scenario {
        Scenario::new("outage", crowd, WARM_MS, OUTAGE_MS, State::Down, FREE)
    }

    /// For half a minute every request is lost.
    pub fn unreachable(crowd: Crowd) -> Scenario {
        Scenario::new("unreachable", crowd, WARM_MS, OUTAGE_MS, State::Gone, FREE)
    }

    /// For a minute and a half a third more comes than the server can do.
    pub fn overload(name: &'static str, crowd: Crowd, costly: bool, hint: Option<u16>) -> Scenario {
        let refusal = Refusal {
            status: hint.unwrap_or(FREE.status),
            hint_ms: hint.map(|_| HINT_MS),
            cost: if costly { COSTLY } else { 0.0 },
        };
        let state = State::Works(crowd.per_second() / OVERLOAD);
        Scenario::new(name, crowd, SHORT_WARM_MS, OVERLOAD_MS, state, refusal)
    }

    /// For ten seconds everybody is throttled until the same moment.
    pub fn window(crowd: Crowd) -> Scenario {
        let refusal = Refusal { status: 429, ..FREE };
        Scenario::new("throttled window", crowd, SHORT_WARM_MS, 10_000.0, State::Throttles, refusal)
    }

    /// One request in a hundred fails by chance.
    pub fn hiccups(crowd: Crowd) -> Scenario {
        let state = State::Flaky(crowd.per_second() / USUAL_LOAD, 0.01);
        Scenario::new("hiccups", crowd, SHORT_WARM_MS, OVERLOAD_MS, state, FREE)
    }

    /// Everything in the report, in its order.
    pub fn all() -> Vec<Scenario> {
        let crowds = [STEADY, QUIET, BURSTS];
        let mut all: Vec<Scenario> = crowds.map(Scenario::outage).into();
        all.push(Scenario::unreachable(STEADY));
        all.extend(crowds.map(|crowd| Scenario::overload("overload, 503", crowd, false, None)));
        all.push(Scenario::overload("overload, 503 at a tenth", STEADY, true, None));
        all.push(Scenario::overload("overload, 429 with Retry-After at a tenth", STEADY, true, Some(429)));
        all.extend(
            [QUIET, BURSTS].map(|crowd| Scenario::overload("overload, 429 with Retry-After", crowd, false, Some(429))),
        );
        all.push(Scenario::window(STEADY));
        all.extend([STEADY, QUIET].map(Scenario::hiccups));
        all
    }

    /// Whether the trouble is that nothing is served.
    pub fn is_outage(&self) -> bool {
        self.trouble_is(|state| matches!(state, State::Down | State::Gone))
    }

    /// Whether it is that less is served than comes.
    pub fn is_overload(&self) -> bool {
        self.trouble_is(|state| matches!(state, State::Works(_)))
    }

    /// Whether it is that requests fail by chance.
    pub fn is_flaky(&self) -> bool {
        self.trouble_is(|state| matches!(state, State::Flaky(..)))
    }

    /// Whether refusals cost work.
    pub fn is_costly(&self) -> bool {
        self.refusal.cost > 0.0
    }

    /// Whether refusals name a wait.
    pub fn states_waits(&self) -> bool {
        self.refusal.hint_ms.is_some() || self.trouble_is(|state| state == State::Throttles)
    }

    fn trouble_is(&self, is: impl Fn(State) -> bool) -> bool {
        self.phases.get(1).is_some_and(|(_, state)| is(*state))
    }

    /// What RULES section 6 allows a call in the trouble, on average: itself, and the repeats that its page may make.
    pub fn allowed_amplification(&self) -> f64 {
        let minutes = (self.trouble.end - self.trouble.start) / 60_000.0;
        1.0 + 0.1 + (2.0 * minutes + 10.0) / (self.crowd.per_minute * minutes)
    }

    /// Good answers of an overloaded server against never repeating, if all those repeats are made: each takes the work
    /// that its refusal costs.
    pub fn allowed_goodput(&self) -> f64 {
        let served = |amplification: f64| 1.0 - self.refusal.cost * OVERLOAD * amplification;
        served(self.allowed_amplification()) / served(1.0)
    }

    /// The time in which those come back who were asked to wait; in an overload, for the n-th time and later.
    pub fn returns(&self, nth: u32) -> Range<f64> {
        if self.is_overload() {
            self.trouble.start + f64::from(nth) * HINT_MS..self.trouble.end
        } else {
            self.trouble.end..self.trouble.end + 2.0 * HINT_MS
        }
    }

    /// The time after the trouble.
    pub fn after(&self) -> Range<f64> {
        self.trouble.end..self.ends_ms
    }

    /// Runs it. The same seed makes the same calls come at the same times, whoever answers for them.
    pub fn run(&self, seed: u64, client: &dyn Client) -> Measure {
        let Crowd { pages, per_minute, burst, .. } = self.crowd;
        let random = |page: usize| Random::new(seed, 1_000 + page as u64);
        let calls = Calls {
            every_ms: 60_000.0 * f64::from(burst) / per_minute,
            burst,
            ends_ms: self.ends_ms,
            pages: (0..pages).map(|page| (random(page), std::cell::Cell::new(0))).collect(),
        };
        let server = Server::new(&self.phases, self.refusal, Random::new(seed, 2));
        sim::run(server, Measure::new(pages, &self.trouble), seed, &calls, client)
    }
}

/// The calls of all pages.
struct Calls {
    every_ms: f64,
    burst: u32,
    ends_ms: f64,
    /// A page's own chance, so that what others do moves none of its calls; and how many it has made.
    pages: Vec<(Random, std::cell::Cell<u32>)>,
}

impl Traffic for Calls {
    fn next(&self, page: usize, now_ms: f64) -> Option<f64> {
        let (random, made) = &self.pages[page];
        let nth = made.replace(made.get() + 1);
        let ms = match (self.burst, nth) {
            (1, _) => random.until_next(self.every_ms),
            (_, 0) => random.unit() * self.every_ms,
            (burst, nth) if nth % burst == 0 => self.every_ms,
            _ => 0.0,
        };
        (now_ms + ms < self.ends_ms).then_some(ms)
    }
}
