//! Programs installed by `cargo install`, each version in a folder of its own under Cargo's home: they are shared by all
//! checkouts and never replace what the user has installed.

use crate::process::{command, find, output, run};
use crate::workspace::{cargo_home, locked_version};
use anyhow::{Context, Result, bail};
use std::path::PathBuf;

struct Tool {
    package: &'static str,
    program: &'static str,
    version: String,
}

fn wasm_pack() -> Tool {
    Tool { package: "wasm-pack", program: "wasm-pack", version: "0.15.1".into() }
}

/// The command line part must equal the library part, which Cargo.lock pins.
fn wasm_bindgen() -> Result<Tool> {
    Ok(Tool { package: "wasm-bindgen-cli", program: "wasm-bindgen", version: locked_version("wasm-bindgen")? })
}

fn geckodriver() -> Tool {
    Tool { package: "geckodriver", program: "geckodriver", version: "0.37.1".into() }
}

pub fn ensure_build_tools() -> Result<()> {
    wasm_pack().ensure()?;
    wasm_bindgen()?.ensure()
}

pub fn ensure_geckodriver() -> Result<()> {
    geckodriver().ensure()
}

/// The folders that hold the pinned programs, whether or not they exist yet.
pub fn folders() -> Vec<PathBuf> {
    [Some(wasm_pack()), wasm_bindgen().ok(), Some(geckodriver())]
        .into_iter()
        .flatten()
        .filter_map(|tool| Some(tool.home()?.join("bin")))
        .collect()
}

impl Tool {
    fn ensure(&self) -> Result<()> {
        if self.is_there() {
            return Ok(());
        }
        let Self { package, version, .. } = self;
        println!("installing {package} {version}");
        // With the tool's own lock file first, since that is what its authors tested. A registry may lack one of the
        // packages it names; without it cargo takes their newer versions.
        let installed = self.install("--locked").or_else(|_| self.install(""));
        installed.with_context(|| format!("cannot install {package} {version}"))?;
        if !self.is_there() {
            bail!("{package} {version} was installed but does not answer with that version");
        }
        Ok(())
    }

    fn install(&self, locked: &str) -> Result<()> {
        let home = self.home().context("neither CARGO_HOME nor a home folder is known")?;
        let Self { package, version, .. } = self;
        let mut install = command(&format!("cargo install {package} --version ={version} {locked} --root"))?;
        // A tool is not built with the settings of whoever builds this project.
        run(install.arg(home).env_remove("CARGO_BUILD_TARGET").env_remove("CARGO_TARGET_DIR"))
    }

    /// `wasm-pack 0.15.1`: the second word of what the program says about itself.
    fn is_there(&self) -> bool {
        let Some(_) = find(self.program) else {
            return false;
        };
        let says = command(self.program).and_then(|mut program| output(program.arg("--version")));
        says.is_ok_and(|text| text.split_whitespace().nth(1) == Some(&self.version))
    }

    fn home(&self) -> Option<PathBuf> {
        Some(cargo_home()?.join("steadfetch-tools").join(format!("{}-{}", self.package, self.version)))
    }
}
