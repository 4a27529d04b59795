//! Fetches what the other steps need, each part only when it is missing, so that a fresh clone and a machine in daily
//! use run the same commands. Nothing is installed outside Cargo's home, node_modules and, on Debian as root, apt.

pub mod browsers;
pub mod cargo_tools;
pub mod npm_packages;
mod rust_source;
pub mod wasm_target;

use crate::process::step;
use anyhow::{Result, bail};

/// `cargo xtask setup`
pub fn cli(arguments: &[String]) -> Result<()> {
    if let [unknown, ..] = arguments {
        bail!("setup takes no argument `{unknown}`");
    }
    step("setup", || {
        for_build()?;
        let browsers = browsers::ensure()?;
        println!("{browsers}");
        Ok(())
    })
}

/// What `cargo xtask build` needs.
pub fn for_build() -> Result<()> {
    wasm_target::ensure()?;
    rust_source::ensure()?;
    cargo_tools::ensure_build_tools()?;
    npm_packages::ensure()
}
