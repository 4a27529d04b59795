//! The suites in tests/browser, run by mocha in a page that the lab server serves, in both browsers.

use crate::lab;
use crate::process::{self, command};
use crate::setup::browsers;
use crate::workspace::at;
use anyhow::Result;

pub fn run() -> Result<()> {
    let browsers = browsers::ensure()?;
    let lab = lab::build()?;
    clock_for_pages()?;
    process::run(
        command("node")?
            .arg(at("tests/browser/run.mjs"))
            .env("STEADFETCH_LAB", lab)
            .env("STEADFETCH_CHROMIUM", &browsers.chromium)
            .env("STEADFETCH_CHROMEDRIVER", &browsers.chromedriver)
            .env("STEADFETCH_FIREFOX", &browsers.firefox)
            .env("STEADFETCH_GECKODRIVER", &browsers.geckodriver),
    )
}

/// Pages import modules only, and the package with the virtual clock is published as CommonJS. Suites import it from
/// `/target/browser-tests/fake-timers.mjs`.
fn clock_for_pages() -> Result<()> {
    let mut esbuild = command("esbuild @sinonjs/fake-timers --bundle --format=esm --log-level=warning")?;
    esbuild.arg("--external:util"); // asked for in Node only
    process::run(esbuild.arg("--outfile=target/browser-tests/fake-timers.mjs"))
}
