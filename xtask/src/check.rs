//! What a reviewer should not have to look for.

use crate::process::{command, run, step};
use crate::setup;
use crate::workspace::{at, locked_version, read};
use anyhow::{Result, bail, ensure};

type Check = (&'static str, fn() -> Result<()>);

const CHECKS: [Check; 6] = [
    ("fmt", fmt),
    ("clippy", clippy),
    ("clippy-wasm", clippy_wasm),
    ("doc", doc),
    ("lockfile", lockfile),
    ("release", release),
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
    for lock in ["package-lock.json", "tests/clients/package-lock.json", "bench/peers/package-lock.json"] {
        let names_a_registry = read(&at(lock))?.contains("\"resolved\":");
        ensure!(!names_a_registry, "{lock} names a registry: run npm install in its folder, where there is an .npmrc");
    }
    Ok(())
}

/// The changelog speaks of the version that would be published.
fn release() -> Result<()> {
    let version = locked_version("steadfetch")?;
    let changelog = read(&at("CHANGELOG.md"))?;
    let newest = newest_heading(&changelog);
    match newest {
        Some("Unreleased") => Ok(()),
        Some(released) if released == version => Ok(()),
        Some(other) => bail!(
            "CHANGELOG.md begins with {other}, but Cargo.toml says {version}: add `## [Unreleased]` or `## [{version}]`"
        ),
        None => bail!("CHANGELOG.md has no heading such as `## [Unreleased]`"),
    }
}

/// `## [1.2.0] - 2026-03-04` → `1.2.0`
fn newest_heading(changelog: &str) -> Option<&str> {
    let heading = changelog.lines().find_map(|line| line.strip_prefix("## ["))?;
    heading.split(']').next()
}

#[cfg(test)]
mod tests {
    use super::newest_heading;

    #[test]
    fn the_newest_heading_is_the_first() {
        assert_eq!(newest_heading("# Changelog\n\n## [Unreleased]\n\n## [0.1.0] - 2026-01-02\n"), Some("Unreleased"));
        assert_eq!(newest_heading("## [0.1.0] - 2026-01-02\n"), Some("0.1.0"));
        assert_eq!(newest_heading("# Changelog\n"), None);
    }
}
