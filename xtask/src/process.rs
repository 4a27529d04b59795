//! Running other programs: no shell in between, the pinned tools first on PATH, and a failure that names the program.

use crate::workspace;
use anyhow::{Context, Result, bail};
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// Runs one named step and says how long it took. The name is part of the error when it fails.
pub fn step<T>(name: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    println!("\n=== {name}");
    let begun = Instant::now();
    let result = work().with_context(|| format!("step `{name}`"))?;
    println!("--- {name}: {:.1} s", begun.elapsed().as_secs_f64());
    Ok(result)
}

/// A program found on the PATH that [`search_path`] describes, run in the repository's root. `line` is the program and
/// its arguments, split at spaces; what may itself hold a space, such as a path, is added with `arg`.
pub fn command(line: &str) -> Result<Command> {
    let mut words = line.split_whitespace();
    let program = words.next().unwrap_or_default();
    let path = find(program).with_context(|| format!("`{program}` was not found on PATH"))?;
    let mut command = Command::new(path);
    command.args(words).current_dir(workspace::root()).env("PATH", search_path());
    Ok(command)
}

/// Runs to the end with the output passed on.
pub fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start {}", name_of(command)))?;
    if !status.success() {
        bail!("{} ended with {status}", name_of(command));
    }
    Ok(())
}

/// Runs to the end and gives what it printed; errors are passed on.
pub fn output(command: &mut Command) -> Result<String> {
    let output =
        command.stderr(Stdio::inherit()).output().with_context(|| format!("cannot start {}", name_of(command)))?;
    if !output.status.success() {
        bail!("{} ended with {}\n{}", name_of(command), output.status, String::from_utf8_lossy(&output.stdout));
    }
    String::from_utf8(output.stdout).with_context(|| format!("{} printed no UTF-8", name_of(command)))
}

fn name_of(command: &Command) -> String {
    Path::new(command.get_program()).file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The folders searched: the pinned tools of this project, the npm packages' programs, then the user's own PATH.
pub fn search_path() -> OsString {
    let pinned = crate::setup::cargo_tools::folders();
    let own = [workspace::at("node_modules/.bin")];
    let users = env::var_os("PATH").unwrap_or_default();
    env::join_paths(pinned.into_iter().chain(own).chain(env::split_paths(&users))).unwrap_or(users)
}

pub fn find(program: &str) -> Option<PathBuf> {
    env::split_paths(&search_path())
        .flat_map(|folder| file_names(program).map(move |name| folder.join(name)))
        .find(|path| path.is_file())
}

/// On Windows a program is `name.exe`, or `name.cmd` for what npm installs.
fn file_names(program: &str) -> impl Iterator<Item = String> {
    let endings: &[&str] = if cfg!(windows) { &[".exe", ".cmd"] } else { &[""] };
    endings.iter().map(move |ending| format!("{program}{ending}"))
}
