//! What a reviewer should not have to look for.

mod reproducible;
mod types;

use crate::process::{command, run, step};
use crate::workspace::{at, read};
use crate::{bench, crates, matrix, release, setup};
use anyhow::{Context, Result, ensure};

type Check = (&'static str, fn() -> Result<()>);

const CHECKS: [Check; 11] = [
    ("fmt", fmt),
    ("clippy", clippy),
    ("clippy-wasm", clippy_wasm),
    ("doc", doc),
    ("lockfile", lockfile),
    ("licences", licences),
    ("release", version),
    ("storm", storm),
    ("types", types::check),
    ("reproducible", reproducible::check),
    ("matrix", matrix::check),
];

/// `cargo xtask check [STEP…]`
pub fn cli(names: &[String]) -> Result<()> {
    for name in names {
        ensure!(CHECKS.iter().any(|(check, _)| check == name), "there is no check `{name}`");
    }
    for (name, check) in CHECKS.iter().filter(|(name, _)| names.is_empty() || names.iter().any(|wanted| wanted == name))
    {
        step(name, check)?;
    }
    Ok(())
}

fn fmt() -> Result<()> {
    run(&mut command("cargo fmt --all --check")?)
}

fn clippy() -> Result<()> {
    run(&mut command("cargo clippy --workspace --all-targets --locked --quiet -- -D warnings")?)
}

fn clippy_wasm() -> Result<()> {
    setup::wasm_target::ensure()?;
    let line = "cargo clippy --package steadfetch --target wasm32-unknown-unknown --all-targets --locked --quiet -- -D warnings";
    run(&mut command(line)?)
}

fn doc() -> Result<()> {
    let mut doc = command("cargo doc --workspace --no-deps --document-private-items --locked --quiet")?;
    run(doc.env("RUSTDOCFLAGS", "-D warnings"))
}

/// npm's lock files hold versions and hashes, not the addresses that one machine fetched from (see .npmrc).
fn lockfile() -> Result<()> {
    for lock in [
        "package-lock.json",
        "tests/clients/package-lock.json",
        "tests/types/compilers/package-lock.json",
        "tests/package/consumers/package-lock.json",
        "tests/package/spfx/package-lock.json",
        "bench/peers/package-lock.json",
    ] {
        let names_a_registry = read(&at(lock))?.contains("\"resolved\": \"http");
        ensure!(!names_a_registry, "{lock} names a registry: run npm install in its folder, where there is an .npmrc");
    }
    Ok(())
}

/// Every crate in the wasm may be passed on.
fn licences() -> Result<()> {
    crates::licences::ensure_allowed(&crates::compiled()?)
}

/// What the rules promise a server in trouble.
fn storm() -> Result<()> {
    bench::storm(&["--check"]).context("bench/results/storm.md says what the bars mean")
}

/// The changelog speaks of the version that would be published.
fn version() -> Result<()> {
    release::stage().map(|_| ())
}
