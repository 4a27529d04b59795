//! The standard library's source: the release build compiles it along (xtask/src/build/compile.rs).

use crate::process::{command, output, run};
use anyhow::Result;
use std::path::Path;

pub fn ensure() -> Result<()> {
    let sysroot = output(&mut command("rustc --print sysroot")?)?;
    if Path::new(sysroot.trim()).join("lib/rustlib/src/rust/library/Cargo.lock").is_file() {
        return Ok(());
    }
    run(&mut command("rustup component add rust-src")?)
}
