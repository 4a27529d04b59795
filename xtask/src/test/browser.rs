//! The suites in tests/browser, run by mocha in a page that the lab server serves, in both browsers.

use crate::process::{self, command};
use crate::setup::browsers;
use crate::workspace::{at, root};
use anyhow::Result;
use std::env::{self, consts::EXE_SUFFIX};

pub fn run() -> Result<()> {
    let browsers = browsers::ensure()?;
    process::run(command("cargo")?.args(["build", "--quiet", "--locked", "--package", "steadfetch-lab"]))?;
    // Cargo puts all of the workspace's programs into one folder.
    let lab = env::current_exe()?.with_file_name(format!("steadfetch-lab{EXE_SUFFIX}"));
    // A page imports modules only, and this one is published as CommonJS.
    process::run(
        command("esbuild")?
            .args(["node_modules/@sinonjs/fake-timers", "--bundle", "--format=esm", "--log-level=warning"])
            .arg("--outfile=target/browser-tests/fake-timers.mjs"),
    )?;
    process::run(
        command("node")?
            .arg(at("tests/browser/run.mjs"))
            .env("STEADFETCH_ROOT", root())
            .env("STEADFETCH_LAB", lab)
            .env("STEADFETCH_CHROMIUM", &browsers.chromium)
            .env("STEADFETCH_CHROMEDRIVER", &browsers.chromedriver)
            .env("STEADFETCH_FIREFOX", &browsers.firefox)
            .env("STEADFETCH_GECKODRIVER", &browsers.geckodriver),
    )
}
