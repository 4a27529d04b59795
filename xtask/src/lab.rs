//! The lab server, as a program to start: by the tests from JavaScript, by the demo from here.

use crate::process::{command, run};
use anyhow::Result;
use std::env::{self, consts::EXE_SUFFIX};
use std::path::PathBuf;

/// Builds the server and says where it lies.
pub fn build() -> Result<PathBuf> {
    run(&mut command("cargo build --quiet --locked --package steadfetch-lab")?)?;
    // Cargo puts all of the workspace's programs into one folder, wherever the user has moved it.
    Ok(env::current_exe()?.with_file_name(format!("steadfetch-lab{EXE_SUFFIX}")))
}
