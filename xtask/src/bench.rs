//! Comparisons that are kept in bench/RESULTS.md and judged by nobody: the built package in both browsers, beside what one
//! would use instead.

use crate::process::{command, run, step};
use crate::test::browser;
use crate::workspace::at;
use crate::{build, setup};
use anyhow::{Context, Result};

/// The names that `cargo xtask bench` takes, and the folders of their pages in bench/.
const BENCHES: [(&str, &str); 6] = [
    ("peers", "peers"),
    ("start", "start"),
    ("memory", "memory"),
    ("growth", "growth"),
    ("normalize-url", "normalize_url"),
    ("ai-streams", "ai_streams"),
];

/// `cargo xtask bench [NAME…]`
pub fn cli(names: &[String]) -> Result<()> {
    let chosen = match names {
        [] => BENCHES.to_vec(),
        _ => names.iter().map(|name| find(name)).collect::<Result<_>>()?,
    };
    step("setup", || {
        setup::for_build()?;
        setup::npm_packages::ensure_peers()
    })?;
    build::ensure_fresh()?;
    for (name, folder) in chosen {
        step(name, || browser::node("bench/run.mjs", &[folder]))?;
    }
    // All that is there, from this run or an earlier one.
    run(command("node")?.arg(at("bench/results.mjs")))
}

fn find(name: &str) -> Result<(&'static str, &'static str)> {
    let all = BENCHES.map(|(name, _)| name).join(", ");
    BENCHES
        .into_iter()
        .find(|(known, _)| *known == name)
        .with_context(|| format!("there is no bench `{name}`; there are {all}"))
}
