//! The compiler's wasm target. rust-toolchain.toml names it, but a toolchain that was there before is not completed.

use crate::process::{command, output, run};
use anyhow::Result;
use std::path::Path;

const TARGET: &str = "wasm32-unknown-unknown";

pub fn ensure() -> Result<()> {
    // Asked of rustc, not of rustup: compilers from a distribution have no rustup.
    let libraries = output(&mut command(&format!("rustc --print target-libdir --target {TARGET}"))?)?;
    if Path::new(libraries.trim()).is_dir() {
        return Ok(());
    }
    run(&mut command(&format!("rustup target add {TARGET}"))?)
}
