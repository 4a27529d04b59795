//! What one run comes to.

use crate::contender::Contender;
use crate::measure::Measure;
use crate::scenario::Scenario;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The figures of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// Requests at the server per call, in the trouble.
    pub amplification: f64,
    /// Good answers in the trouble.
    pub answers: f64,
    /// The share of calls begun in the trouble that ended well.
    pub rescued: f64,
    /// The share of calls begun in half a minute after it that ended well.
    pub afterwards: f64,
    /// Seconds after its end until 99 % of calls end well again.
    pub back_s: Option<f64>,
    /// The most requests per 100 ms against their mean, once the first stated wait is over.
    pub peak: f64,
    /// The same from the fifth return on.
    pub late_peak: f64,
    /// Within so many seconds 95 % of the good answers to calls begun in the trouble were there.
    pub p95_s: Option<f64>,
    /// The most repeats of any page, beyond what its budget allows; below 0 if none is beyond it.
    pub beyond_budget: f64,
    /// The share of good ends, and requests per call, second by second around the trouble.
    pub seconds: Vec<(f64, f64)>,
}

/// Seconds before and after the trouble that are drawn.
pub const DRAWN_S: (f64, f64) = (5.0, 20.0);
const HALF_MINUTE_MS: f64 = 30_000.0;

/// The seed of every run that is reported.
pub const SEED: u64 = 1;

impl Figures {
    /// Runs it.
    pub fn of(scenario: &Scenario, contender: &Contender, seed: u64) -> Figures {
        let measure = scenario.run(seed, &*contender.on(scenario.crowd.pages));
        assert_eq!(measure.calls(), measure.ended, "every call ends exactly once");
        let (trouble, after) = (&scenario.trouble, scenario.after());
        Figures {
            amplification: measure.amplification(trouble),
            answers: measure.answers(trouble),
            rescued: measure.success(trouble),
            afterwards: measure.success(&(after.start..after.start + HALF_MINUTE_MS)),
            back_s: measure.back_after_s(&after),
            peak: measure.peak(&scenario.returns(1)),
            late_peak: measure.peak(&scenario.returns(5)),
            p95_s: measure.took_s(0.95),
            beyond_budget: beyond_budget(scenario, &measure),
            seconds: seconds(&measure, trouble),
        }
    }
}

/// By RULES section 6: full with 10, 0.1 for each request, 2 for each minute; and a reserve of 100 with the same deposits where
/// the server states waits.
fn beyond_budget(scenario: &Scenario, measure: &Measure) -> f64 {
    let minutes = scenario.ends_ms / 60_000.0 + 5.0;
    let allowed = |first: u32| {
        let deposits = 0.1 * f64::from(first) + 2.0 * minutes;
        10.0 + deposits + if scenario.states_waits() { 100.0 + deposits } else { 0.0 }
    };
    measure.pages.iter().map(|[first, repeats]| f64::from(*repeats) - allowed(*first)).fold(f64::MIN, f64::max)
}

fn seconds(measure: &Measure, trouble: &Range<f64>) -> Vec<(f64, f64)> {
    let (from_ms, to_ms) = (trouble.start - DRAWN_S.0 * 1_000.0, trouble.end + DRAWN_S.1 * 1_000.0);
    let starts = (0..).map(|second| from_ms + f64::from(second) * 1_000.0).take_while(|start| *start < to_ms);
    starts
        .map(|start| (measure.success(&(start..start + 1_000.0)), measure.amplification(&(start..start + 1_000.0))))
        .collect()
}

/// Runs them all, on every processor. The order is that of `runs`.
pub fn all(runs: &[(Scenario, Contender)]) -> Vec<Figures> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<Option<Figures>>> = Mutex::new(vec![None; runs.len()]);
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some((scenario, contender)) = runs.get(at) else { break };
            let figures = Figures::of(scenario, contender, SEED);
            done.lock().expect("no run panics")[at] = Some(figures);
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    done.into_inner().expect("no run panics").into_iter().flatten().collect()
}
