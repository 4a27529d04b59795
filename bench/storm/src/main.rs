//! The storm: thousands of simulated pages against one server in trouble, on a virtual clock. `cargo xtask bench storm`
//! writes `bench/results/storm.md` and its plots; `--check` only says whether the [`bars`] are met.
//!
//! ```text
//! scenario ── calls and a server ──> sim ── each call ──> ours   steadfetch::flow, as shipped
//!                                     │                   peers  small models of other libraries
//!                                     └──> measure ──> figures ──> bars, report
//! ```
//!
//! The same seed gives the same bytes, whatever the number of processors.

#![forbid(unsafe_code)]

mod bars;
mod contender;
mod designs;
mod figures;
mod gates;
mod measure;
mod one_page;
mod ours;
mod peers;
mod plot;
mod random;
mod report;
mod scenario;
mod server;
mod sim;
mod what_if;

#[cfg(test)]
mod tests;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let as_good = match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] => report::write(),
        ["--check"] => Ok(bars::check("")),
        ["--check", part_of_name] => Ok(bars::check(part_of_name)),
        _ => Err("storm [--check [PART_OF_A_SCENARIO_S_NAME]]".into()),
    };
    match as_good {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => {
            eprintln!("a bar is not met that was met, or worse is reached than was");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
