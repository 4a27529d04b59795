//! Where things lie in the repository, and the versions that are written down there and must not be repeated here.

use anyhow::{Context, Result};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The repository's root: the folder above this crate.
pub fn root() -> &'static Path {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own)
}

/// A path below the root, written with `/`.
pub fn at(relative: &str) -> PathBuf {
    relative.split('/').fold(root().to_path_buf(), |path, part| path.join(part))
}

/// Where Cargo keeps what it fetched and installed.
pub fn cargo_home() -> Option<PathBuf> {
    env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(env::home_dir()?.join(".cargo")))
}

/// The version of a package in Cargo.lock.
pub fn locked_version(package: &str) -> Result<String> {
    let lock = read(&at("Cargo.lock"))?;
    version_in_lock(&lock, package).with_context(|| format!("Cargo.lock names no version of {package}"))
}

/// ```text
/// name = "wasm-bindgen"
/// version = "0.2.130"
/// ```
fn version_in_lock(lock: &str, package: &str) -> Option<String> {
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != name);
    let version = lines.nth(1)?.strip_prefix("version = \"")?.strip_suffix('"')?;
    Some(version.into())
}

pub fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

pub fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<()> {
    fs::write(path, content).with_context(|| format!("cannot write {}", path.display()))
}

/// An empty folder at `path`, whatever was there before.
pub fn empty_folder(path: &Path) -> Result<()> {
    if path.exists() {
        fs::remove_dir_all(path).with_context(|| format!("cannot remove {}", path.display()))?;
    }
    fs::create_dir_all(path).with_context(|| format!("cannot create {}", path.display()))
}

/// The files directly in `folder`, sorted by name so that every machine works through them in the same order.
pub fn files_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?;
    let mut files: Vec<PathBuf> =
        entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_file()).collect();
    files.sort();
    Ok(files)
}

/// When `path`, or the newest file below it, was last written. None if there is nothing.
pub fn newest(path: &Path) -> Option<SystemTime> {
    if path.is_dir() {
        fs::read_dir(path).ok()?.filter_map(|entry| newest(&entry.ok()?.path())).max()
    } else {
        fs::metadata(path).ok()?.modified().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_read_from_the_package_of_exactly_that_name() {
        let lock = "[[package]]\nname = \"wasm-bindgen-futures\"\nversion = \"0.4.80\"\n\n[[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n";
        assert_eq!(version_in_lock(lock, "wasm-bindgen").as_deref(), Some("0.2.130"));
        assert_eq!(version_in_lock(lock, "wasm"), None);
    }
}
