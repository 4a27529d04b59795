//! Other numbers and designs than the shipped ones, each against the bars, on smaller crowds.

use crate::contender::Contender;
use crate::figures::Figures;
use crate::scenario::{BURSTS, Crowd, QUIET, STEADY, Scenario};
use crate::what_if::WhatIf;
use steadfetch::policy::plan::Kind;

/// One of them.
pub struct Design {
    /// What is other than shipped.
    pub name: &'static str,
    /// The same for the machine.
    pub what_if: WhatIf,
    /// What became of it, and why.
    pub verdict: &'static str,
}

const NONE: WhatIf = WhatIf::NOTHING;
const NEVER: Option<f64> = Some(f64::INFINITY);

/// Circuit and budget, by what aiFetch makes of them.
pub const DESIGNS: [Design; 24] = [
    Design { name: "as shipped: the latest 8 of 300 s, open 2.2 s, bucket 10", what_if: NONE, verdict: "kept" },
    Design {
        name: "all attempts of 300 s",
        what_if: WhatIf { latest: NEVER, ..NONE },
        verdict: "dropped: shipped before; five good minutes outweigh the outage, and the circuit never opens",
    },
    Design {
        name: "all of 60 s",
        what_if: WhatIf { latest: NEVER, window_ms: Some(60_000.0), ..NONE },
        verdict: "dropped: opens when the outage is nearly over",
    },
    Design {
        name: "all of 20 s",
        what_if: WhatIf { latest: NEVER, window_ms: Some(20_000.0), ..NONE },
        verdict: "dropped: too late, and fewer than four slow answers of a model fit into it",
    },
    Design {
        name: "all of 10 s",
        what_if: WhatIf { latest: NEVER, window_ms: Some(10_000.0), ..NONE },
        verdict: "dropped: as good, but a page that calls rarely, or a model that fails after half a minute, never opens it",
    },
    Design {
        name: "the latest 12",
        what_if: WhatIf { latest: Some(12.0), ..NONE },
        verdict: "dropped: misses the outage's bar",
    },
    Design { name: "the latest 16", what_if: WhatIf { latest: Some(16.0), ..NONE }, verdict: "dropped: as above" },
    Design { name: "the latest 24", what_if: WhatIf { latest: Some(24.0), ..NONE }, verdict: "dropped: as above" },
    Design {
        name: "`minimumCalls` 2, the latest 4",
        what_if: WhatIf { minimum_calls: Some(2.0), latest: Some(4.0), ..NONE },
        verdict: "dropped: two failures in a row refuse calls to a server that serves three in four",
    },
    Design {
        name: "`minimumCalls` 3, the latest 6",
        what_if: WhatIf { minimum_calls: Some(3.0), latest: Some(6.0), ..NONE },
        verdict: "possible: a little better in an outage, refuses a little more in an overload",
    },
    Design {
        name: "`minimumCalls` 6, the latest 12",
        what_if: WhatIf { minimum_calls: Some(6.0), latest: Some(12.0), ..NONE },
        verdict: "dropped: misses the outage's bar",
    },
    Design {
        name: "`openMs` 1,000",
        what_if: WhatIf { open_ms: Some(1_000.0), ..NONE },
        verdict: "dropped: amplifies more",
    },
    Design {
        name: "`openMs` 1,500",
        what_if: WhatIf { open_ms: Some(1_500.0), ..NONE },
        verdict: "dropped: amplifies more",
    },
    Design {
        name: "`openMs` 3,000",
        what_if: WhatIf { open_ms: Some(3_000.0), ..NONE },
        verdict: "dropped: recovers later than in 3 s",
    },
    Design { name: "`openMs` 5,000", what_if: WhatIf { open_ms: Some(5_000.0), ..NONE }, verdict: "dropped: as above" },
    Design {
        name: "`openMs` 10,000",
        what_if: WhatIf { open_ms: Some(10_000.0), ..NONE },
        verdict: "dropped: as above",
    },
    Design {
        name: "nobody waits for the first interval",
        what_if: WhatIf { impatient: true, ..NONE },
        verdict: "dropped: the same in an outage, and a short blip is not hidden",
    },
    Design {
        name: "calls wait up to 2.5 s for a probe under way",
        what_if: WhatIf { probe_patience_ms: 2_500.0, ..NONE },
        verdict: "open: what comes in bursts is served with the first burst after an outage, where now all but the probe are refused; but section 6 says that they fail fast",
    },
    Design { name: "bucket 5", what_if: WhatIf { bucket: Some(5.0), ..NONE }, verdict: "see bucket 3" },
    Design {
        name: "bucket 3",
        what_if: WhatIf { bucket: Some(3.0), ..NONE },
        verdict: "open: less in an outage of rarely calling pages, nothing lost by chance failures; but a page that is throttled while it loads repeats three calls in place of ten",
    },
    Design { name: "bucket 2", what_if: WhatIf { bucket: Some(2.0), ..NONE }, verdict: "see bucket 3" },
    Design {
        name: "bucket 1",
        what_if: WhatIf { bucket: Some(1.0), ..NONE },
        verdict: "dropped: loses calls that fail by chance",
    },
    Design {
        name: "bucket 1, nothing by the minute",
        what_if: WhatIf { bucket: Some(1.0), per_minute: Some(0.0), ..NONE },
        verdict: "dropped: as above",
    },
    Design {
        name: "bucket 3, and calls wait for a probe",
        what_if: WhatIf { bucket: Some(3.0), probe_patience_ms: 2_500.0, ..NONE },
        verdict: "open: both of the above",
    },
];

/// Pages that call every four seconds.
const SLOW: Crowd = Crowd { name: "every 4 s", pages: 2_000, per_minute: 15.0, burst: 1 };

/// The scenarios of a design, in the order of the table's columns.
pub fn scenarios() -> Vec<Scenario> {
    let steady = Crowd { pages: 500, ..STEADY };
    vec![
        Scenario::outage(steady),
        Scenario::outage(SLOW),
        Scenario::outage(Crowd { pages: 2_500, ..QUIET }),
        Scenario::outage(BURSTS),
        Scenario::overload("overload", steady, true, None),
        Scenario::hiccups(Crowd { pages: 2_500, ..QUIET }),
    ]
}

/// The runs of a design.
pub fn runs(design: &Design) -> impl Iterator<Item = (Scenario, Contender)> {
    let contender = Contender::Ours(Kind::Ai, design.what_if);
    scenarios().into_iter().map(move |scenario| (scenario, contender))
}

/// Whether the figures of a design's runs meet the bars of the outage and of the overload.
pub fn meets(figures: &[Figures], goodput: f64) -> bool {
    let [steady, ..] = figures else { return false };
    steady.amplification <= 0.5 && steady.back_s.is_some_and(|s| s <= 3.0) && goodput >= 0.98
}
