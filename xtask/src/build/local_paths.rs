//! Panic messages name source files by their full path. Published, such a path would tell whose machine it was, cost
//! bytes, and make the same commit give other bytes elsewhere.

use crate::process::{command, output};
use crate::workspace::{cargo_home, root};
use anyhow::{Context, Result, ensure};
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

/// Flags that have the compiler write another name for each folder.
pub fn compiler_flags() -> Result<Vec<OsString>> {
    let flags = replacements()?.into_iter().map(|(folder, name)| {
        let mut flag = OsString::from("--remap-path-prefix=");
        flag.push(folder);
        flag.push("=");
        flag.push(name);
        flag
    });
    Ok(flags.collect())
}

pub fn ensure_none(wasm: &[u8]) -> Result<()> {
    let folders = replacements()?.into_iter().map(|(folder, _)| folder);
    for folder in folders.chain(env::home_dir()) {
        let mut needle = folder.into_os_string().into_encoded_bytes();
        needle.push(MAIN_SEPARATOR as u8);
        let named = wasm.windows(needle.len()).any(|window| window == needle);
        let folder = String::from_utf8_lossy(&needle);
        ensure!(!named, "the wasm names the folder {folder} of this machine");
    }
    Ok(())
}

/// Folders of this machine and the names that stand for them; of two that match, the compiler takes the later.
fn replacements() -> Result<Vec<(PathBuf, String)>> {
    let mut named = vec![standard_library()?, (root().to_path_buf(), "steadfetch".into())];
    if let Some(cargo) = cargo_home() {
        named.push((cargo.clone(), "cargo".into()));
        // `registry/src/NAME-HASH/serde-1.0.0`: the name is that of the registry this machine is set up with.
        named.extend(folders_in(&cargo.join("registry/src")).map(|registry| (registry, "cargo".into())));
    }
    // Cargo follows links, so a folder can also appear under its real name.
    let with_real = |(folder, name): (PathBuf, String)| {
        [folder.canonicalize().unwrap_or_default(), folder].map(|folder| (folder, name.clone()))
    };
    Ok(named.into_iter().flat_map(with_real).filter(|(folder, _)| folder.is_absolute()).collect())
}

/// Where the component rust-src is installed the compiler names its files, otherwise `/rustc/COMMIT/library/…`.
fn standard_library() -> Result<(PathBuf, String)> {
    let sysroot = output(&mut command("rustc --print sysroot")?)?;
    let version = output(&mut command("rustc --version --verbose")?)?;
    let commit =
        version.lines().find_map(|line| line.strip_prefix("commit-hash: ")).context("rustc names no commit")?;
    Ok((Path::new(sysroot.trim()).join("lib/rustlib/src/rust"), format!("/rustc/{commit}")))
}

fn folders_in(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()))
}
