//! The crates that are compiled into the package's wasm. Whoever audits or redistributes the package asks for three things
//! about them: which they are ([`sbom`]), whether their licences suit ([`licences`]), and what those licences want to be
//! shown ([`notices`]).

pub mod licences;
pub mod notices;
pub mod sbom;

use crate::process::{command, output};
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub struct Crate {
    pub name: String,
    pub version: String,
    /// As an SPDX expression: `MIT OR Apache-2.0`.
    pub licence: String,
    pub repository: Option<String>,
    /// Other members of the list that this one uses, by their [`Crate::purl`].
    pub uses: Vec<String>,
    /// Where its source lies on this machine; None for the standard library, which brings no licence texts along.
    pub folder: Option<PathBuf>,
}

impl Crate {
    /// The name by which tools know a package: <https://github.com/package-url/purl-spec>.
    pub fn purl(&self) -> String {
        let kind = if self.name == STANDARD_LIBRARY { "generic" } else { "cargo" };
        format!("pkg:{kind}/{}@{}", self.name, self.version)
    }
}

/// The standard library with the crates inside it: they change with the compiler alone, so it is listed as one.
const STANDARD_LIBRARY: &str = "rust-std";

/// Sorted by name. Tests, build scripts and macros leave nothing in the wasm and are left out.
pub fn compiled() -> Result<Vec<Crate>> {
    // Cargo's own answer for this very target; `cargo metadata` would also turn on what other members of the workspace ask for.
    let tree = output(&mut command(
        "cargo tree --locked --package steadfetch --target wasm32-unknown-unknown --edges normal,no-proc-macro --prefix none --format {p}",
    )?)?;
    let metadata = output(&mut command("cargo metadata --locked --format-version 1")?)?;
    let mut crates = described(&in_tree(&tree), &serde_json::from_str(&metadata)?)?;
    crates.push(standard_library(&output(&mut command("rustc --version")?)?)?);
    Ok(crates)
}

/// `slab v0.4.12`, `serde v1.0.229 (*)` → name and version, without steadfetch itself.
fn in_tree(tree: &str) -> BTreeSet<(String, String)> {
    tree.lines()
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            Some((words.next()?.to_owned(), words.next()?.strip_prefix('v')?.to_owned()))
        })
        .filter(|(name, _)| name != "steadfetch")
        .collect()
}

fn described(wanted: &BTreeSet<(String, String)>, metadata: &Value) -> Result<Vec<Crate>> {
    let named = |package: &Value| (text(package, "name"), text(package, "version"));
    let packages = list(&metadata["packages"]);
    let by_id = |id: &Value| packages.iter().find(|package| package["id"] == *id);
    let nodes = list(&metadata["resolve"]["nodes"]);
    let describe = |wanted_one: &(String, String)| {
        let (name, version) = wanted_one;
        let package = packages.iter().find(|package| named(package) == *wanted_one);
        let package = package.with_context(|| format!("cargo metadata does not know {name} {version}"))?;
        let licence = text(package, "license");
        ensure!(!licence.is_empty(), "{name} {version} states no licence");
        let node = nodes.iter().find(|node| node["id"] == package["id"]);
        let used = node.map(|node| list(&node["dependencies"])).unwrap_or_default().iter().filter_map(by_id).map(named);
        let mut uses: Vec<String> = used
            .filter(|used| wanted.contains(used))
            .map(|(name, version)| format!("pkg:cargo/{name}@{version}"))
            .collect();
        uses.sort();
        Ok(Crate {
            name: name.clone(),
            version: version.clone(),
            // An older way to write it.
            licence: licence.replace('/', " OR "),
            repository: package["repository"].as_str().map(String::from),
            uses,
            folder: Path::new(&text(package, "manifest_path")).parent().map(Path::to_path_buf),
        })
    };
    wanted.iter().map(describe).collect()
}

/// `rustc 1.95.0 (59807616e 2026-04-14)`
fn standard_library(rustc: &str) -> Result<Crate> {
    Ok(Crate {
        name: STANDARD_LIBRARY.into(),
        version: rustc.split_whitespace().nth(1).context("rustc names no version")?.into(),
        licence: "MIT OR Apache-2.0".into(),
        repository: Some("https://github.com/rust-lang/rust".into()),
        uses: Vec::new(),
        folder: None,
    })
}

fn text(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or_default().to_owned()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_crate_is_listed_once_and_the_library_itself_is_not() {
        let tree = "steadfetch v0.1.0 (/here)\nserde v1.0.229\nslab v0.4.12\nserde v1.0.229 (*)\n";
        let named: Vec<_> = in_tree(tree).into_iter().map(|(name, version)| format!("{name} {version}")).collect();
        assert_eq!(named, ["serde 1.0.229", "slab 0.4.12"]);
    }

    #[test]
    fn of_what_a_crate_uses_only_compiled_crates_are_told() {
        let metadata = json!({
            "packages": [
                { "id": "a", "name": "serde", "version": "1.0.0", "license": "MIT/Apache-2.0", "manifest_path": "/there/Cargo.toml" },
                { "id": "b", "name": "serde_core", "version": "1.0.1", "license": "MIT", "manifest_path": "/core/Cargo.toml" },
                { "id": "c", "name": "serde_derive", "version": "1.0.2", "license": "MIT", "manifest_path": "/derive/Cargo.toml" },
            ],
            "resolve": { "nodes": [{ "id": "a", "dependencies": ["c", "b"] }] },
        });
        let crates = described(&in_tree("serde v1.0.0\nserde_core v1.0.1"), &metadata).unwrap();
        assert_eq!(crates[0].uses, ["pkg:cargo/serde_core@1.0.1"]);
        assert_eq!(crates[0].licence, "MIT OR Apache-2.0");
        assert!(described(&in_tree("slab v0.4.12"), &metadata).is_err());
    }
}
