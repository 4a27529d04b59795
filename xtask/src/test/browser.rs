//! The suites in tests/browser, run by mocha in a page that the lab server serves, in both browsers.

use crate::lab;
use crate::process::{self, command};
use crate::setup::browsers;
use crate::workspace::at;
use anyhow::Result;

pub fn run() -> Result<()> {
    let browsers = browsers::ensure()?;
    let lab = lab::build()?;
    packages_for_pages()?;
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

/// Pages import modules by their files, and these packages consist of many, or of CommonJS. Suites import them from
/// `/target/browser-tests/`.
const FOR_PAGES: [(&str, &str); 5] = [
    ("@sinonjs/fake-timers", "fake-timers"),
    ("@opentelemetry/sdk-trace-web", "opentelemetry"),
    ("@microsoft/applicationinsights-web", "application-insights"),
    ("openai", "openai"),
    ("@anthropic-ai/sdk", "anthropic"),
];

fn packages_for_pages() -> Result<()> {
    for (package, file) in FOR_PAGES {
        let mut esbuild = command("esbuild --bundle --format=esm --log-level=warning")?;
        esbuild.arg(package).arg("--external:util"); // asked for in Node only
        process::run(esbuild.arg(format!("--outfile=target/browser-tests/{file}.mjs")))?;
    }
    Ok(())
}
