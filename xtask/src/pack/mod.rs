//! `pkg/` as the file that npm publishes, checked as that file: what `npm pack` left out or took along shows nowhere else.

mod contents;

use crate::process::{command, output, step};
use crate::release::{self, Stage, VERSION};
use crate::workspace::{at, read};
use crate::{build, setup};
use anyhow::{Result, bail, ensure};
use contents::Contents;
use std::path::PathBuf;

/// `cargo xtask pack`
pub fn cli(arguments: &[String]) -> Result<()> {
    let for_release = match arguments {
        [] => false,
        [flag] if flag == "--release" => true,
        _ => bail!("pack takes only --release"),
    };
    step("setup", setup::for_build)?;
    if for_release {
        step("ready to be released", ensure_releasable)?;
    }
    // From nothing, whatever pkg/ holds: what is published is what the sources make now.
    build::build()?;
    step("pack", || {
        let (tarball, contents) = packed()?;
        println!("{contents}\n{}", tarball.display());
        Ok(())
    })
}

/// Packs `pkg/` as it is, for those who install it.
pub fn tarball() -> Result<PathBuf> {
    packed().map(|(tarball, _)| tarball)
}

fn packed() -> Result<(PathBuf, Contents)> {
    let folder = at("target/package");
    // No script of the package may run, here as at its users.
    let mut pack = command("npm pack --json --ignore-scripts --pack-destination")?;
    let contents = Contents::of_npm(&output(pack.arg(&folder).arg(at("pkg")))?)?;
    contents.check(&at("pkg"))?;
    let manifest = read(&at("pkg/package.json"))?;
    ensure!(contents.version == VERSION, "the tarball says version {}, Cargo.toml {VERSION}", contents.version);
    contents::check_manifest(&manifest)?;
    Ok((folder.join(&contents.file), contents))
}

/// What is published can be found again: a version with its date, and a tag at the very commit that was packed.
fn ensure_releasable() -> Result<()> {
    ensure!(
        release::stage()? == Stage::Released,
        "CHANGELOG.md begins with `Unreleased`: give the changes their version and date first (RELEASING.md)"
    );
    let changed = output(&mut command("git status --porcelain")?)?;
    ensure!(changed.is_empty(), "not everything is committed:\n{changed}");
    let tags = output(&mut command("git tag --points-at HEAD")?)?;
    ensure!(tags.lines().any(|tag| tag == format!("v{VERSION}")), "this commit has no tag v{VERSION}");
    Ok(())
}
