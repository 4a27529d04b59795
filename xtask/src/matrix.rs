//! The consumer matrix: the tarball installed, built, loaded and run by everyone who may use it. See tests/package/matrix.mjs.

use crate::process::step;
use crate::test::browser;
use crate::{build, pack, setup};
use anyhow::{Context, Result};

/// `cargo xtask matrix [--write] [NAME…]`
pub fn cli(arguments: &[String]) -> Result<()> {
    step("setup", setup::for_build)?;
    build::ensure_fresh()?;
    step("matrix", || run(arguments))
}

/// Also one of `cargo xtask check`.
pub fn check() -> Result<()> {
    setup::for_build()?;
    build::ensure_fresh()?;
    run(&[])
}

fn run(arguments: &[String]) -> Result<()> {
    let tarball = pack::tarball()?;
    let tarball = tarball.to_str().context("the path of the tarball is no text")?;
    let arguments = [tarball].into_iter().chain(arguments.iter().map(String::as_str)).collect::<Vec<_>>();
    browser::node("tests/package/matrix.mjs", &arguments)
}
