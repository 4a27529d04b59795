//! The size of what a bundle gains: printed by every build, kept in bench/size.txt when asked for, so that a change that
//! costs bytes shows in its diff.

use crate::process::{command, run};
use crate::workspace::{at, read, write};
use anyhow::Result;
use std::fs;

pub fn print() -> Result<()> {
    // esbuild and the compressors are called where they are at home.
    run(command("node")?.arg(at("xtask/node/size.mjs")))
}

pub fn record() -> Result<()> {
    let record = at("bench/size.txt");
    fs::create_dir_all(at("bench"))?;
    write(&record, read(&at("target/size.txt"))?)?;
    println!("recorded in {}", record.display());
    Ok(())
}
