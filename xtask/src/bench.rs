//! Comparisons that are kept in bench/RESULTS.md: the built package in both browsers, beside what one would use instead,
//! judged by nobody; and the storm, a simulation, whose bars `cargo xtask check storm` judges.

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

/// The one that needs neither package nor browser: bench/storm is a crate.
const STORM: &str = "storm";

/// `cargo xtask bench [NAME…]`
pub fn cli(names: &[String]) -> Result<()> {
    let in_browsers = match names {
        [] => BENCHES.to_vec(),
        _ => names.iter().filter(|name| *name != STORM).map(|name| find(name)).collect::<Result<_>>()?,
    };
    if !in_browsers.is_empty() {
        step("setup", || {
            setup::for_build()?;
            setup::npm_packages::ensure_peers()
        })?;
        build::ensure_fresh()?;
    }
    for (name, folder) in in_browsers {
        step(name, || browser::node("bench/run.mjs", &[folder]))?;
    }
    if names.is_empty() || names.iter().any(|name| name == STORM) {
        step(STORM, || storm(&[]))?;
    }
    // All that is there, from this run or an earlier one.
    run(command("node")?.arg(at("bench/results.mjs")))
}

/// Writes `bench/results/storm.md`, or with `--check` only says whether the bars are met.
pub fn storm(arguments: &[&str]) -> Result<()> {
    run(command("cargo run --package storm --profile storm --locked --quiet --")?.args(arguments))
}

fn find(name: &str) -> Result<(&'static str, &'static str)> {
    let all = BENCHES.map(|(name, _)| name).join(", ") + ", " + STORM;
    BENCHES
        .into_iter()
        .find(|(known, _)| *known == name)
        .with_context(|| format!("there is no bench `{name}`; there are {all}"))
}
