//! Other gates than the shipped one, by what a server in trouble makes of them, and by what they cost a page.

use crate::contender::Contender;
use crate::scenario::{BURSTS, QUIET, STEADY, Scenario};
use crate::what_if::{Gate, Pace, WhatIf};
use steadfetch::policy::plan::Kind;

/// One of them.
pub struct Design {
    /// What it does.
    pub name: &'static str,
    /// The same for the machine; none is what is shipped.
    pub gate: Option<Gate>,
    /// What became of it, and why.
    pub verdict: &'static str,
}

/// As the rules say: at the stated time, 2, 4, 8 … per 100 ms.
const STATED: Pace = Pace { step: 0.0, spread: 0.0, most_ms: 3_000.0, doubles: false };
const JITTER: Pace = Pace { spread: 0.1, most_ms: 1_000.0, ..STATED };
const SLOW: Pace = Pace { step: 0.3, spread: 0.3, ..STATED };
const DOUBLING: Pace = Pace { step: 0.1, doubles: true, ..SLOW };
const CALM_MS: f64 = 30_000.0;

const fn always(pace: Pace) -> Option<Gate> {
    gate(pace, pace, CALM_MS)
}

const fn after_evidence(again: Pace) -> Option<Gate> {
    gate(STATED, again, CALM_MS)
}

const fn gate(first: Pace, again: Pace, calm_ms: f64) -> Option<Gate> {
    Some(Gate { first, again, calm_ms })
}

/// The shipped one first.
pub const DESIGNS: [Design; 18] = [
    Design {
        name: "as shipped: at first as the rules say; closed again, steps of 1 s, 2 s, 3 s, evenly, and up to 3 s longer than stated",
        gate: None,
        verdict: "kept",
    },
    Design {
        name: "always as the rules say",
        gate: always(STATED),
        verdict: "dropped: shipped before; pages come back together, find the server overloaded, and it idles while all wait again",
    },
    Design {
        name: "the same, up to 10 % (1 s) longer than stated",
        gate: always(JITTER),
        verdict: "dropped: a little jitter does not part them",
    },
    Design {
        name: "always steps of 3 s, evenly, up to 3 s longer than stated",
        gate: always(SLOW),
        verdict: "dropped: keeps every bar, but a page that is throttled once is through 8 s later",
    },
    Design {
        name: "closed again: steps of 3 s at once",
        gate: after_evidence(SLOW),
        verdict: "dropped: no better, and a page waits longer",
    },
    Design {
        name: "closed again: steps of 2 s",
        gate: after_evidence(Pace { step: 0.2, ..SLOW }),
        verdict: "possible: serves a little more, a page waits longer",
    },
    Design {
        name: "closed again: steps of 1 s, not growing",
        gate: after_evidence(Pace { step: 0.1, ..SLOW }),
        verdict: "dropped: the peak stays above its bar",
    },
    Design {
        name: "closed again: steps of 0.5 s, doubling",
        gate: after_evidence(Pace { step: 0.05, ..DOUBLING }),
        verdict: "dropped: the peak stays above its bar",
    },
    Design {
        name: "closed again: steps of 0.2 s, doubling",
        gate: after_evidence(Pace { step: 0.02, ..DOUBLING }),
        verdict: "dropped: misses the bar for goodput",
    },
    Design {
        name: "as shipped, up to 2 s longer",
        gate: after_evidence(Pace { spread: 0.2, ..DOUBLING }),
        verdict: "possible: half a second less for a page, a little less served",
    },
    Design {
        name: "as shipped, up to 1 s longer",
        gate: after_evidence(Pace { spread: 0.1, ..DOUBLING }),
        verdict: "possible: a second less for a page, a little less served",
    },
    Design {
        name: "as shipped, to the millisecond",
        gate: after_evidence(Pace { spread: 0.0, ..DOUBLING }),
        verdict: "dropped: slower steps alone do not part them, the peak stays",
    },
    Design {
        name: "as shipped, forgotten 10 s after the scout",
        gate: gate(STATED, DOUBLING, 10_000.0),
        verdict: "dropped: a throttle that comes later is taken for a first one, and the peak stays",
    },
    Design {
        name: "as shipped, forgotten after 5 s",
        gate: gate(STATED, DOUBLING, 5_000.0),
        verdict: "dropped: as above",
    },
    Design {
        name: "as shipped, the first time up to 10 % (1 s) longer",
        gate: gate(JITTER, DOUBLING, CALM_MS),
        verdict: "possible: a lower peak, for half a second of every page that is throttled once; but the rules open at the stated time",
    },
    Design {
        name: "as shipped, the first time up to 3 s longer",
        gate: gate(Pace { spread: 0.3, ..STATED }, DOUBLING, CALM_MS),
        verdict: "dropped: the peak is still above its bar",
    },
    Design {
        name: "as shipped, the first time up to 1 s longer and in steps of 1 s",
        gate: gate(Pace { step: 0.1, ..JITTER }, DOUBLING, CALM_MS),
        verdict: "dropped: as above",
    },
    Design {
        name: "as shipped, the first time up to 2 s longer and in steps of 2 s",
        gate: gate(Pace { step: 0.2, spread: 0.2, ..STATED }, DOUBLING, CALM_MS),
        verdict: "possible: keeps every bar, but a page that is throttled once is through 5 s later",
    },
];

/// The pages of a design that call one of the functions.
pub fn contender(design: &Design, kind: Kind) -> Contender {
    Contender::Ours(kind, WhatIf { gate: design.gate, ..WhatIf::NOTHING })
}

/// Where gates matter: the first costs a server work, and is what the bars are put on.
pub fn scenarios() -> [Scenario; 3] {
    let free = |crowd| Scenario::overload("overload, 429 with Retry-After", crowd, false, Some(429));
    let costly = Scenario::overload("overload, 429 with Retry-After at a tenth", STEADY, true, Some(429));
    [costly, free(QUIET), free(BURSTS)]
}

/// The functions that are looked at.
pub const KINDS: [Kind; 2] = [Kind::Sp, Kind::Ai];

/// The runs of a design.
pub fn runs(design: &'static Design) -> impl Iterator<Item = (Scenario, Contender)> {
    KINDS.into_iter().flat_map(move |kind| scenarios().map(|scenario| (scenario, contender(design, kind))))
}

/// What stands above the table.
pub const HEAD: &str = "
### Every design that was tried: the gate

The overloads with 429 and Retry-After, at a tenth for the steady crowd. In each cell: goodput, ended well, peak (from the fifth
return on), amplification. And what a gate costs where nobody else is: of a page's eleven calls the first is told to wait for 10 s,
once or twice, ten more come a second later, and all are answered well after that: seconds from the end of the last stated wait to
the answers to half of the eleven, and to all.

| | spFetch, steady | quiet | bursts | aiFetch, steady | quiet | bursts | page, told once | told twice | |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
";
