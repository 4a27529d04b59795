//! The npm packages of package-lock.json: the optimiser, the bundler, the type checker and what the tests drive
//! browsers with. And those that one step alone needs: tests/clients and tests/types/compilers, and bench/peers.

use crate::process::{command, find, run};
use crate::workspace::{self, at, newest};
use anyhow::{Result, ensure};
use std::path::Path;

pub fn ensure() -> Result<()> {
    install(workspace::root())?;
    // wasm-pack goes on without a word when it finds no optimiser.
    ensure!(find("wasm-opt").is_some(), "wasm-opt is missing: the npm package binaryen should have brought it");
    Ok(())
}

pub fn ensure_clients() -> Result<()> {
    install(&at("tests/clients"))
}

pub fn ensure_compilers() -> Result<()> {
    install(&at("tests/types/compilers"))
}

pub fn ensure_peers() -> Result<()> {
    install(&at("bench/peers"))
}

fn install(folder: &Path) -> Result<()> {
    // npm writes this file at the end of an installation, so a broken one counts as missing.
    let installed = newest(&folder.join("node_modules/.package-lock.json"));
    if installed.is_none() || installed < newest(&folder.join("package-lock.json")) {
        // No package's install script is needed.
        run(command("npm ci --ignore-scripts")?.current_dir(folder))?;
    }
    Ok(())
}
