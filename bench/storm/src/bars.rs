//! What must hold. `cargo xtask check storm` fails where one of these does not, or is worse than what was reached.

use crate::contender::{AI, Contender, SP};
use crate::figures::{self, Figures};
use crate::scenario::{self, Scenario};
use steadfetch::policy::plan::Kind;

/// In an outage aiFetch sends at most so many requests per call of a page that calls once a second.
const OUTAGE: f64 = 0.5;
/// And so many seconds after it 99 % of its calls end well.
const BACK_S: f64 = 3.0;
/// Good answers of an overloaded server that pays for refusals, against never repeating.
const GOODPUT: f64 = 0.98;
/// Requests per 100 ms against their mean, when many were told to wait.
const PEAK: f64 = 1.5;
/// It is not kept, and `history.md` says why; this is what was reached, and must not get worse.
const PEAK_REACHED: f64 = 4.0;
/// Of calls that were told to wait, so many end well.
const WAITED: f64 = 0.95;
/// Of calls that one refusal in a hundred hits by chance, so many end well.
const HICCUPS: f64 = 0.999;

/// One of them, and what was found.
pub struct Bar {
    /// What must hold.
    pub what: String,
    /// What was found, and what is allowed.
    pub found: String,
    /// Whether it does.
    pub met: bool,
    /// Whether that is as good as what was reached, where the bar is given up.
    pub passes: bool,
}

/// The runs that the bars need, in threes: never repeating, spFetch, aiFetch.
fn runs(part_of_name: &str) -> Vec<(Scenario, Contender)> {
    let contenders = [Contender::never_repeating(), SP, AI];
    let scenarios = Scenario::all().into_iter().filter(|scenario| scenario.name.contains(part_of_name));
    scenarios.flat_map(|scenario| contenders.map(|contender| (scenario.clone(), contender))).collect()
}

/// Looks at the runs, which may be more than those that are needed.
pub fn judge(runs: &[(Scenario, Contender)], figures: &[Figures]) -> Vec<Bar> {
    let mut bars = Vec::new();
    for ((scenario, contender), figures_of_it) in runs.iter().zip(figures) {
        let Contender::Ours(kind, _) = contender else { continue };
        let never = runs
            .iter()
            .position(|(other, who)| other == scenario && matches!(who, Contender::Peer(peer) if peer.retries == 0));
        let Some(never) = never.and_then(|at| figures.get(at)) else { continue };
        one(&mut bars, scenario, *kind, contender.name(), figures_of_it, never);
    }
    bars
}

impl Bar {
    fn at_most(what: String, found: f64, most: f64) -> Bar {
        let met = found <= most;
        Bar { what, found: format!("{found:.3}, at most {most:.3}"), met, passes: met }
    }

    fn at_least(what: String, found: f64, least: f64) -> Bar {
        let met = found >= least;
        Bar { what, found: format!("{found:.3}, at least {least:.3}"), met, passes: met }
    }

    /// It is given up: what was reached must not get worse.
    fn gated_at(mut self, reached: f64, as_good: bool) -> Bar {
        if !self.met {
            self.passes = as_good;
            self.found.push_str(&format!("; gated at {reached:.3}"));
        }
        self
    }
}

fn one(bars: &mut Vec<Bar>, scenario: &Scenario, kind: Kind, name: &str, figures: &Figures, never: &Figures) {
    let what = |what: &str| format!("{name}, {} ({}): {what}", scenario.name, scenario.crowd.name);
    bars.push(Bar::at_most(what("repeats of any page beyond its budget"), figures.beyond_budget.max(0.0), 0.0));
    let steady = scenario.crowd == scenario::STEADY;
    let circuit = scenario.is_outage() && steady && kind == Kind::Ai;
    let most = if circuit { OUTAGE } else { scenario.allowed_amplification() };
    bars.push(Bar::at_most(what("amplification"), figures.amplification, most));
    if circuit {
        let back_s = figures.back_s.unwrap_or(f64::INFINITY);
        bars.push(Bar::at_most(what("seconds until 99 % succeed again"), back_s, BACK_S));
    }
    if scenario.states_waits() && scenario.is_overload() && steady {
        let peak = what("peak per 100 ms against the mean, after `Retry-After`");
        bars.push(Bar::at_most(peak, figures.peak, PEAK).gated_at(PEAK_REACHED, figures.peak <= PEAK_REACHED));
        bars.push(Bar::at_most(what("the same, from the fifth return on"), figures.late_peak, PEAK));
        bars.push(Bar::at_least(what("calls that end well"), figures.rescued, WAITED));
    }
    if scenario.is_costly() {
        let found = figures.answers / never.answers;
        let bar = Bar::at_least(what("goodput against never repeating"), found, GOODPUT);
        // Without a circuit and without a stated wait, repeats cost what section 6 lets them cost.
        let reached = scenario.allowed_goodput();
        let alone = kind == Kind::Sp && !scenario.states_waits();
        bars.push(if alone { bar.gated_at(reached, found >= reached) } else { bar });
    }
    if scenario.is_flaky() {
        bars.push(Bar::at_least(what("calls that end well"), figures.rescued, HICCUPS));
    }
}

/// Runs the scenarios with this in their name and prints what was found. Whether nothing is worse than it was.
pub fn check(part_of_name: &str) -> bool {
    let runs = runs(part_of_name);
    let bars = judge(&runs, &figures::all(&runs));
    for bar in &bars {
        let word = if bar.met {
            "ok    "
        } else if bar.passes {
            "missed"
        } else {
            "FAILED"
        };
        println!("{word} {}: {}", bar.what, bar.found);
    }
    bars.iter().all(|bar| bar.passes)
}
