//! The crate's own tests compiled to wasm and run in a browser by wasm-bindgen's test runner. webdriver.json holds the
//! flags for the browsers.

use crate::process::{command, run};
use crate::setup::browsers;
use anyhow::{Result, bail};
use std::path::Path;
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The runner's own limit of 20 s is for a whole file of tests, and property tests of unoptimised wasm take longer.
const SECONDS_PER_FILE: &str = "180";
/// A browser that does not start leaves the runner waiting for ever. The tests themselves take seconds.
const PATIENCE: Duration = Duration::from_secs(75);
const STARTS: u32 = 6;

pub fn in_chromium() -> Result<()> {
    test("--chrome", "--chromedriver", &browsers::ensure()?.chromedriver)
}

pub fn in_firefox() -> Result<()> {
    test("--firefox", "--geckodriver", &browsers::ensure()?.geckodriver)
}

fn test(browser: &str, driver_flag: &str, driver: &Path) -> Result<()> {
    // Compiled first, so that the patience is for the browser alone.
    run(&mut command("cargo test --no-run --target wasm32-unknown-unknown")?)?;
    for start in 1..=STARTS {
        let mut tests = command("wasm-pack test --headless --mode no-install")?;
        tests.args([browser, driver_flag]).arg(driver).env("WASM_BINDGEN_TEST_TIMEOUT", SECONDS_PER_FILE);
        match outcome(&mut tests)? {
            Some(true) => return Ok(()),
            Some(false) => bail!("tests failed"),
            None => println!("the browser did not start within {} s (start {start} of {STARTS})", PATIENCE.as_secs()),
        }
    }
    bail!("the browser did not start")
}

/// Whether the command succeeded; `None` if it had to be ended.
fn outcome(tests: &mut Command) -> Result<Option<bool>> {
    let began = Instant::now();
    // A group of its own, so that driver and browser end with it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(tests, 0);
    let mut child = tests.spawn()?;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status.success()));
        }
        if began.elapsed() > PATIENCE {
            end(&mut child);
            return Ok(None);
        }
        sleep(Duration::from_millis(200));
    }
}

fn end(child: &mut Child) {
    let id = child.id();
    let (program, arguments) = match cfg!(windows) {
        true => ("taskkill", vec!["/T".to_owned(), "/F".to_owned(), "/PID".to_owned(), id.to_string()]),
        false => ("kill", vec!["-KILL".to_owned(), "--".to_owned(), format!("-{id}")]),
    };
    // Whatever is left of it is not worth failing for.
    let _ = Command::new(program).args(arguments).status();
    let _ = child.wait();
}
