//! Puts the npm package together: Rust → wasm → JavaScript → `pkg/`.
//!
//! 1. [`compile`]: wasm-pack compiles, makes the glue and optimises; then the names of imports and exports are shortened.
//!    This is done for each of the two modules.
//! 2. [`stage`]: the wasm as text ([`encode`]), the glue as a function ([`glue`]), the JavaScript that the crate imports
//!    and the entry files of pkg-template/ lie side by side in `target/package/stage`.
//! 3. [`package`]: esbuild makes one ES module and one CommonJS file of them; types, manifest, README and licence
//!    are added.
//! 4. [`size`]: what an application gains in bytes.

mod compile;
mod encode;
mod glue;
mod local_paths;
mod names;
mod package;
mod size;
mod stage;

use crate::process::step;
use crate::workspace::{at, newest};
use crate::{release, setup};
use anyhow::{Result, bail};

/// `cargo xtask build`
pub fn cli(arguments: &[String]) -> Result<()> {
    let record = match arguments {
        [] => false,
        [flag] if flag == "--record" => true,
        _ => bail!("build takes only --record"),
    };
    step("setup", setup::for_build)?;
    build()?;
    if record { size::record() } else { Ok(()) }
}

/// Builds unless `pkg/` is newer than everything it is made from.
pub fn ensure_fresh() -> Result<()> {
    let sources = [
        "src",
        "pkg-template",
        "xtask/src/build",
        "xtask/node",
        "Cargo.toml",
        "Cargo.lock",
        "package-lock.json",
        "xtask/src/crates",
        "LICENSE",
    ];
    let changed = sources.iter().filter_map(|source| newest(&at(source))).max();
    if newest(&package::last_written()) > changed {
        println!("\npkg/ is up to date");
        return Ok(());
    }
    build()
}

pub fn build() -> Result<()> {
    release::stage()?;
    let compiled = step("compile to wasm", compile::compile)?;
    step("assemble the package", || {
        stage::run(&compiled)?;
        package::assemble()
    })?;
    step("size", size::print)
}
