//! The suites in tests/browser, run by mocha in a page that the lab server serves, in both browsers.

use crate::lab;
use crate::process::{self, command};
use crate::setup::browsers;
use crate::workspace::at;
use anyhow::Result;

pub fn run() -> Result<()> {
    let browsers = browsers::ensure()?;
    let lab = lab::build()?;
    bundles_for_pages()?;
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

/// Packages that the suites use and no page could import as they are: CommonJS, or names without an address. A suite
/// imports the second name from `/target/browser-tests/`.
const BUNDLES: [(&str, &str); 5] = [
    ("@sinonjs/fake-timers", "fake-timers.mjs"),
    ("@opentelemetry/sdk-trace-web", "opentelemetry.mjs"),
    ("@microsoft/applicationinsights-web", "application-insights.mjs"),
    ("openai", "openai.mjs"),
    ("@anthropic-ai/sdk", "anthropic.mjs"),
];

fn bundles_for_pages() -> Result<()> {
    for (package, bundle) in BUNDLES {
        let mut esbuild = command("esbuild --bundle --format=esm --log-level=warning")?;
        esbuild.arg("--external:util"); // the clock asks for it in Node only
        process::run(esbuild.arg(package).arg(format!("--outfile=target/browser-tests/{bundle}")))?;
    }
    Ok(())
}
