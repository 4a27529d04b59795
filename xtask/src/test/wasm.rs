//! The crate's own tests compiled to wasm and run in a browser by wasm-bindgen's test runner. webdriver.json holds the
//! flags for the browsers.

use crate::process::{command, run};
use crate::setup::browsers;
use anyhow::Result;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// The runner's own limit of 20 s is for a whole file of tests, and property tests of unoptimised wasm take longer.
const SECONDS_PER_FILE: &str = "180";
const KNOCK_EVERY: Duration = Duration::from_millis(500);

pub fn in_chromium() -> Result<()> {
    test("--chrome", "--chromedriver", &browsers::ensure()?.chromedriver)
}

pub fn in_firefox() -> Result<()> {
    test("--firefox", "--geckodriver", &browsers::ensure()?.geckodriver)
}

fn test(browser: &str, driver_flag: &str, driver: &Path) -> Result<()> {
    // Whoever binds the port next is the runner's server.
    let server = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
    let mut tests = command("wasm-pack test --headless --mode no-install")?;
    tests.args([browser, driver_flag]).arg(driver);
    tests.env("WASM_BINDGEN_TEST_TIMEOUT", SECONDS_PER_FILE).env("WASM_BINDGEN_TEST_ADDRESS", server.to_string());
    knocking(server, || run(&mut tests))
}

/// Knocks at the server while `work` goes on. Its threads (tiny_http's pool) are fewer than the connections that a
/// browser opens at once and keeps, and a connection that arrives while the last idle thread is being woken waits for
/// ever: the page never loads. One that arrives later gets a new thread, which then serves those that wait.
fn knocking<T>(server: SocketAddr, work: impl FnOnce() -> T) -> T {
    let (done, is_done) = channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            while is_done.recv_timeout(KNOCK_EVERY) == Err(RecvTimeoutError::Timeout) {
                // Nobody is there before the tests are compiled.
                let _ = TcpStream::connect(server);
            }
        });
        let result = work();
        drop(done);
        result
    })
}
