//! The project's commands. One file per step; `main` only finds the file. Start with [`build`] to see how the npm
//! package comes about, with [`mod@test`] to see what is proven and in which order.

#![forbid(unsafe_code)]

mod bench;
mod build;
mod check;
mod crates;
mod demo;
mod lab;
mod matrix;
mod pack;
mod process;
mod release;
mod setup;
mod test;
mod workspace;

use anyhow::{Result, bail};
use std::process::ExitCode;

const HELP: &str = "\
cargo xtask setup             fetch what the other commands need: wasm target, pinned tools, npm packages, browsers
cargo xtask build             put the npm package together in pkg/ and print its size
    --record                  also write the size to bench/size.txt
cargo xtask pack              build, and make the tarball for npm in target/package/
    --release                 only at the tag of a version that the changelog calls released
cargo xtask matrix [NAME…]    the tarball in every bundler, browser, Node and test runner: a table
    --write                   also write it to README.md
cargo xtask test              every step below, in this order; the first that fails ends it
cargo xtask test STEP…        only these steps:
                              host chrome firefox node types package browser,
                              and spfx, which runs only by its name
cargo xtask bench [NAME…]     compare in both browsers and write bench/RESULTS.md:
                              peers start memory growth normalize-url ai-streams storm
cargo xtask check [STEP…]     what a reviewer should not have to look for:
                              fmt clippy clippy-wasm doc lockfile licences release storm types reproducible matrix
cargo xtask demo              serve the lab page and open it
    --no-open                 only print its address
    --port N                  instead of a free one";

fn main() -> ExitCode {
    match run(std::env::args().skip(1).collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nfailed: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(mut arguments: Vec<String>) -> Result<()> {
    let command = if arguments.is_empty() { "help".into() } else { arguments.remove(0) };
    match command.as_str() {
        "setup" => setup::cli(&arguments),
        "build" => build::cli(&arguments),
        "matrix" => matrix::cli(&arguments),
        "pack" => pack::cli(&arguments),
        "test" => test::cli(&arguments),
        "bench" => bench::cli(&arguments),
        "check" => check::cli(&arguments),
        "demo" => demo::cli(&arguments),
        "help" | "--help" | "-h" => {
            println!("{HELP}");
            Ok(())
        }
        other => bail!("there is no command `{other}`\n\n{HELP}"),
    }
}
