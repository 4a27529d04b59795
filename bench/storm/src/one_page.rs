//! What a gate costs where nobody else is: a page of eleven calls, the first of which is throttled.

use crate::contender::Contender;
use crate::measure::Measure;
use crate::random::Random;
use crate::scenario::HINT_MS;
use crate::server::{Refusal, Server, State};
use crate::sim::{self, Traffic};
use std::cell::Cell;

const PAGES: u64 = 200;
const CALLS: u32 = 11;
/// Ten come so long after the first.
const LATER_MS: f64 = 1_000.0;

struct Page(Cell<u32>);

impl Traffic for Page {
    fn next(&self, _: usize, _: f64) -> Option<f64> {
        let nth = self.0.replace(self.0.get() + 1);
        (nth < CALLS).then_some(if nth == 1 { LATER_MS } else { 0.0 })
    }
}

/// Seconds from the end of the last stated wait to the answers to half of the calls, and to all: the medians of many pages,
/// each of which is told to wait so many times.
pub fn half_and_all_s(contender: &Contender, throttles: u32, seed: u64) -> [f64; 2] {
    let one = |page: u64| {
        let refusal = Refusal { status: 429, hint_ms: Some(HINT_MS), cost: 0.0 };
        let server = Server::new(&[(0.0, State::Balks(throttles))], refusal, Random::new(seed, 2));
        let measure = Measure::new(1, &(0.0..1.0));
        let found = sim::run(server, measure, seed + page, &Page(Cell::new(0)), &*contender.on(1));
        [CALLS / 2, CALLS].map(|count| found.until_s(count) - f64::from(throttles) * HINT_MS / 1_000.0)
    };
    let pages: Vec<_> = (0..PAGES).map(one).collect();
    [0, 1].map(|which| {
        let mut found: Vec<f64> = pages.iter().map(|page| page[which]).collect();
        found.sort_by(f64::total_cmp);
        found[found.len() / 2]
    })
}
