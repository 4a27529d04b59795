//! The npm packages of package-lock.json: the optimiser, the bundler, the type checker and what the tests drive
//! browsers with.

use crate::process::{command, find, run};
use crate::workspace::{at, newest};
use anyhow::{Result, ensure};

pub fn ensure() -> Result<()> {
    // npm writes this file at the end of an installation, so a broken one counts as missing.
    let installed = newest(&at("node_modules/.package-lock.json"));
    if installed.is_none() || installed < newest(&at("package-lock.json")) {
        // No package's install script is needed.
        run(&mut command("npm ci --ignore-scripts")?)?;
    }
    // wasm-pack goes on without a word when it finds no optimiser.
    ensure!(find("wasm-opt").is_some(), "wasm-opt is missing: the npm package binaryen should have brought it");
    Ok(())
}
