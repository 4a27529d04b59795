//! The crate's own tests compiled to wasm and run in a browser by wasm-bindgen's test runner. webdriver.json holds the
//! flags for the browsers.

use crate::process::{command, run};
use crate::setup::browsers;
use anyhow::Result;

pub fn in_chromium() -> Result<()> {
    let browsers = browsers::ensure()?;
    wasm_pack_test("--chrome", "--chromedriver", &browsers.chromedriver)
}

pub fn in_firefox() -> Result<()> {
    let browsers = browsers::ensure()?;
    wasm_pack_test("--firefox", "--geckodriver", &browsers.geckodriver)
}

fn wasm_pack_test(browser: &str, driver_option: &str, driver: &std::path::Path) -> Result<()> {
    run(command("wasm-pack")?.args(["test", "--headless", browser, "--mode", "no-install", driver_option]).arg(driver))
}
