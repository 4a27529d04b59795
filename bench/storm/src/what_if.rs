//! Numbers and designs other than the shipped ones, tried on the shipped code: rules change the plan, and what no rule
//! reaches is changed in the entries that the page keeps.

use crate::scenario::HINT_MS;
use steadfetch::policy::clock::Instant;
use steadfetch::policy::entry::{Entry, Shelf};
use steadfetch::policy::plan::Plan;

/// What is other than shipped.
#[derive(Clone, Copy, Debug)]
pub struct WhatIf {
    /// The circuit counts this time.
    pub window_ms: Option<f64>,
    /// The circuit counts so many of the latest attempts.
    pub latest: Option<f64>,
    /// The circuit counts at least so many.
    pub minimum_calls: Option<f64>,
    /// The circuit is open for so long.
    pub open_ms: Option<f64>,
    /// No call waits for an open circuit.
    pub impatient: bool,
    /// Calls that find a probe under way wait for it for so long.
    pub probe_patience_ms: f64,
    /// The retry budget's bucket holds so much and starts with it.
    pub bucket: Option<f64>,
    /// Each minute adds so much to it.
    pub per_minute: Option<f64>,
    /// How gates close and open.
    pub gate: Option<Gate>,
}

/// A gate other than the shipped one.
#[derive(Clone, Copy, Debug)]
pub struct Gate {
    /// After a first throttle.
    pub first: Pace,
    /// After one that comes while the gate is opening.
    pub again: Pace,
    /// Or for so long after that.
    pub calm_ms: f64,
}

/// How those who waited come back.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// A step of the ramp takes this share of the wait, and its calls go evenly through it; 0: a tenth of a second, and they
    /// go at its beginning.
    pub step: f64,
    /// A closing takes up to this share of the wait longer than was stated.
    pub spread: f64,
    /// Neither is longer than this.
    pub most_ms: f64,
    /// A step takes twice what it took before, if that is more.
    pub doubles: bool,
}

// The places of numbers in the entries, as `page_state.js` names them.
const CLOSED: [usize; 2] = [0, 1];
const RAMP_FROM: usize = 5;
const STEP_MS: usize = 8;
const BUCKET: usize = 0;
const COUNTED: [usize; 2] = [2, 3];
const STATE: usize = 0;
const OPEN: [usize; 2] = [2, 3];
const INTERVALS: usize = 5;
const PROBE_UNTIL: usize = 7;
// As in the shipped code.
const RAMP_STEP_MS: f64 = 100.0;
const PROBE_LEASE_MS: f64 = 10_000.0;
/// How often a call that waits for a probe looks whether it is back.
const LOOK_MS: f64 = 100.0;

impl WhatIf {
    /// Everything as shipped.
    pub const NOTHING: WhatIf = WhatIf {
        window_ms: None,
        latest: None,
        minimum_calls: None,
        open_ms: None,
        impatient: false,
        probe_patience_ms: 0.0,
        bucket: None,
        per_minute: None,
        gate: None,
    };

    /// The rules of a call.
    pub fn plan(&self, mut plan: Plan) -> Plan {
        let rules = &mut plan.circuit;
        rules.window_ms = self.window_ms.unwrap_or(rules.window_ms);
        rules.latest = self.latest.unwrap_or(rules.latest);
        rules.minimum_calls = self.minimum_calls.unwrap_or(rules.minimum_calls);
        rules.open_ms = self.open_ms.unwrap_or(rules.open_ms);
        plan.budget.per_minute = self.per_minute.unwrap_or(plan.budget.per_minute);
        plan
    }

    /// An entry that is missing on the page: whether there is one all the same.
    pub fn missing(&self, now: Instant, entry: &mut dyn Entry) -> bool {
        let (Shelf::Budgets, Some(bucket)) = (entry.shelf(), self.bucket) else { return false };
        let mut numbers = numbers(entry);
        (numbers[BUCKET], numbers[COUNTED[0]], numbers[COUNTED[1]]) = (bucket, now.mono, now.wall);
        fill(entry, &numbers);
        true
    }

    /// The kept numbers are about to be read: whether they count. A probe under way is shown as a circuit that is open for a
    /// moment.
    pub fn read(&self, now: Instant, kept: &[f64], entry: &mut dyn Entry) -> bool {
        if let (Shelf::Gates, Some(gate)) = (entry.shelf(), self.gate)
            && kept[RAMP_FROM] > 0.0
            && now.mono - kept[RAMP_FROM] > gate.calm_ms
        {
            return false;
        }
        fill(entry, kept);
        if entry.shelf() == Shelf::Circuits && kept[STATE] == 2.0 {
            let under_way_ms = now.mono - (kept[PROBE_UNTIL] - PROBE_LEASE_MS);
            if under_way_ms < self.probe_patience_ms {
                let mut numbers = numbers(entry);
                (numbers[STATE], numbers[INTERVALS]) = (1.0, 1.0);
                (numbers[OPEN[0]], numbers[OPEN[1]]) = (now.mono + LOOK_MS, now.wall + LOOK_MS);
                fill(entry, &numbers);
            }
        }
        true
    }

    /// An entry is about to be kept in the place of `kept`.
    pub fn keep(&self, now: Instant, entry: &mut dyn Entry, kept: &mut Vec<f64>, unit: &dyn Fn() -> f64) {
        let mut numbers = numbers(entry);
        match (entry.shelf(), self.bucket, self.gate) {
            (Shelf::Budgets, Some(bucket), _) => numbers[BUCKET] = numbers[BUCKET].min(bucket),
            (Shelf::Circuits, ..) if self.impatient && numbers[INTERVALS] > 0.0 => {
                numbers[INTERVALS] = numbers[INTERVALS].max(2.0);
            }
            (Shelf::Gates, _, Some(gate)) => gate.keep(now, &mut numbers, kept, unit),
            _ => {}
        }
        *kept = numbers;
    }
}

impl Gate {
    fn keep(&self, now: Instant, numbers: &mut [f64], kept: &[f64], unit: &dyn Fn() -> f64) {
        let before_ms = kept.get(STEP_MS).copied().unwrap_or(0.0);
        if kept.get(CLOSED[0]) == Some(&numbers[CLOSED[0]]) {
            return;
        }
        let opening = kept.get(CLOSED[0]).is_some_and(|closed| *closed <= now.mono);
        let pace = if opening || before_ms > 0.0 { self.again } else { self.first };
        let share_ms = |share: f64| (share * HINT_MS).min(pace.most_ms);
        numbers[STEP_MS] = match (opening || kept.is_empty(), pace.doubles) {
            (false, _) => before_ms,
            (true, false) => share_ms(pace.step),
            (true, true) => share_ms(pace.step).max((2.0 * before_ms.max(RAMP_STEP_MS)).min(pace.most_ms)),
        };
        let ms = HINT_MS + unit() * share_ms(pace.spread);
        (numbers[CLOSED[0]], numbers[CLOSED[1]]) = (now.mono + ms, now.wall + ms);
    }
}

fn numbers(entry: &mut dyn Entry) -> Vec<f64> {
    let mut numbers = Vec::new();
    entry.each(&mut |number| numbers.push(*number));
    numbers
}

fn fill(entry: &mut dyn Entry, numbers: &[f64]) {
    let mut numbers = numbers.iter();
    entry.each(&mut |number| *number = *numbers.next().expect("as many numbers as were kept"));
}
