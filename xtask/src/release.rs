//! One version in three places: Cargo.toml has it, `pkg/package.json` gets it from there, and CHANGELOG.md tells what it
//! brings. What the heading of the changelog says decides whether it may be published; RELEASING.md tells when to write which.

use crate::workspace::{at, locked_version, read};
use anyhow::{Context, Result, bail, ensure};

/// Cargo.toml's: the workspace's members share one version.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

#[derive(Debug, PartialEq)]
pub enum Stage {
    /// The changelog begins with `## [Unreleased]`: the version is the one that comes next.
    InTheMaking,
    /// It begins with the version and a date.
    Released,
}

/// Where the version stands, or the sentence that says what contradicts what.
pub fn stage() -> Result<Stage> {
    let locked = locked_version("steadfetch")?;
    ensure!(locked == VERSION, "Cargo.toml says {VERSION}, but Cargo.lock says {locked}: run cargo xtask once more");
    stage_of(VERSION, &read(&at("CHANGELOG.md"))?)
}

fn stage_of(version: &str, changelog: &str) -> Result<Stage> {
    let mut headings = changelog.lines().filter_map(|line| line.strip_prefix("## ["));
    let newest = headings.next().context("CHANGELOG.md has no heading such as `## [Unreleased]`")?;
    let (name, date) = newest.split_once(']').context("CHANGELOG.md: a heading `## [` is not closed")?;
    if name == "Unreleased" {
        let last = headings.next().and_then(|heading| heading.split(']').next());
        ensure!(
            last != Some(version),
            "Cargo.toml says {version}, which CHANGELOG.md calls released, and there are unreleased changes: raise the version in Cargo.toml"
        );
        return Ok(Stage::InTheMaking);
    }
    if name != version {
        bail!(
            "CHANGELOG.md begins with {name}, but Cargo.toml says {version}: add `## [Unreleased]` or `## [{version}] - DATE`"
        );
    }
    ensure!(
        is_date(date),
        "CHANGELOG.md: the heading of {version} needs its date, as in `## [{version}] - 2026-03-04`"
    );
    Ok(Stage::Released)
}

/// ` - 2026-03-04`
fn is_date(text: &str) -> bool {
    let Some(date) = text.strip_prefix(" - ") else { return false };
    let parts: Vec<&str> = date.split('-').collect();
    parts.iter().map(|part| part.len()).eq([4, 2, 2]) && parts.concat().bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(version: &str, changelog: &str) -> String {
        stage_of(version, changelog).unwrap_err().to_string()
    }

    #[test]
    fn the_first_heading_decides() {
        assert_eq!(stage_of("0.1.0", "# Changelog\n\n## [Unreleased]\n").unwrap(), Stage::InTheMaking);
        assert_eq!(stage_of("0.2.0", "## [Unreleased]\n\n## [0.1.0] - 2026-01-02\n").unwrap(), Stage::InTheMaking);
        assert_eq!(stage_of("0.1.0", "## [0.1.0] - 2026-01-02\n").unwrap(), Stage::Released);
    }

    #[test]
    fn another_version_than_cargos_is_named_with_both() {
        let told = refusal("0.1.0", "## [0.2.0] - 2026-01-02\n");
        assert!(told.contains("begins with 0.2.0") && told.contains("Cargo.toml says 0.1.0"), "{told}");
        assert!(refusal("0.1.0", "# Changelog\n").contains("no heading"));
    }

    #[test]
    fn a_released_version_takes_no_further_changes() {
        assert!(refusal("0.1.0", "## [Unreleased]\n## [0.1.0] - 2026-01-02\n").contains("raise the version"));
    }

    #[test]
    fn a_released_version_has_a_date() {
        for heading in ["## [0.1.0]", "## [0.1.0] - soon", "## [0.1.0] - 2026-1-2", "## [0.1.0] 2026-01-02"] {
            assert!(refusal("0.1.0", heading).contains("needs its date"), "{heading}");
        }
    }
}
