//! The package before the compilers of its users, and before those who check packages. `cargo xtask test types` has the
//! newest compiler only; here are the others.

use crate::pack::tarball;
use crate::process::{command, output, run};
use crate::workspace::at;
use crate::{build, setup};
use anyhow::{Context, Result, ensure};

pub fn check() -> Result<()> {
    setup::for_build()?;
    setup::npm_packages::ensure_compilers()?;
    build::ensure_fresh()?;
    let tarball = tarball()?;

    run(command("node tests/types/compilers.mjs")?.arg(&tarball)).context("a compiler does not take the types")?;
    run(command("node tests/types/documented.mjs")?.arg(at("pkg")))?;
    let checkers = at("tests/types/compilers");
    run(command("npm exec --no -- attw --quiet")?.arg(&tarball).current_dir(&checkers))?;
    let findings = output(command("npm exec --no -- publint")?.arg(&tarball).current_dir(&checkers))?;
    // What it only suggests does not make it fail.
    ensure!(findings.contains("All good!"), "{findings}");
    Ok(())
}
