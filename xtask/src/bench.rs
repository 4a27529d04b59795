//! Comparisons that are printed and judged by nobody: the built package in both browsers, beside what one would use instead.

use crate::process::step;
use crate::test::browser;
use crate::{build, setup};
use anyhow::{Context, Result};

/// The names that `cargo xtask bench` takes, and the folders of their pages in bench/.
const BENCHES: [(&str, &str); 2] = [("normalize-url", "normalize_url"), ("ai-streams", "ai_streams")];

/// `cargo xtask bench [NAME…]`
pub fn cli(names: &[String]) -> Result<()> {
    let chosen = match names {
        [] => BENCHES.to_vec(),
        _ => names.iter().map(|name| find(name)).collect::<Result<_>>()?,
    };
    step("setup", setup::for_build)?;
    build::ensure_fresh()?;
    for (name, folder) in chosen {
        step(name, || browser::node("bench/run.mjs", &[folder]))?;
    }
    Ok(())
}

fn find(name: &str) -> Result<(&'static str, &'static str)> {
    let all = BENCHES.map(|(name, _)| name).join(", ");
    BENCHES
        .into_iter()
        .find(|(known, _)| *known == name)
        .with_context(|| format!("there is no bench `{name}`; there are {all}"))
}
