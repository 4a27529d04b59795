//! The crate's own tests compiled to wasm and run in a browser by wasm-bindgen's test runner. webdriver.json holds the
//! flags for the browsers.

use crate::process::{command, run};
use crate::setup::browsers;
use anyhow::Result;

/// The runner's own limit of 20 s is for a whole file of tests, and property tests of unoptimised wasm take longer.
const SECONDS_PER_FILE: &str = "180";

pub fn in_chromium() -> Result<()> {
    let driver = browsers::ensure()?.chromedriver;
    let mut tests = command("wasm-pack test --headless --mode no-install --chrome --chromedriver")?;
    run(tests.arg(driver).env("WASM_BINDGEN_TEST_TIMEOUT", SECONDS_PER_FILE))
}

pub fn in_firefox() -> Result<()> {
    let driver = browsers::ensure()?.geckodriver;
    let mut tests = command("wasm-pack test --headless --mode no-install --firefox --geckodriver")?;
    run(tests.arg(driver).env("WASM_BINDGEN_TEST_TIMEOUT", SECONDS_PER_FILE))
}
