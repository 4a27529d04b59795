//! What the tarball holds, by npm's own word, and whether that is what it should: every file that an application, a type
//! checker or a lawyer asks for, and none else.

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::Path;

/// What nothing imports.
const DOCUMENTS: [&str; 6] =
    ["CHANGELOG.md", "LICENSE", "README.md", "THIRD-PARTY-LICENSES.txt", "package.json", "sbom.cdx.json"];

pub struct Contents {
    /// The tarball's name.
    pub file: String,
    pub version: String,
    packed: u64,
    files: Vec<(String, u64)>,
}

impl Contents {
    /// Reads what `npm pack --json` prints.
    pub fn of_npm(printed: &str) -> Result<Self> {
        let printed: Value = serde_json::from_str(printed).context("npm pack printed no JSON")?;
        // A list, or from other versions of npm an object by name: one package either way.
        let one = printed.get(0).or_else(|| printed.as_object()?.values().next()).context("npm pack packed nothing")?;
        let text = |key: &str| one[key].as_str().map(String::from).with_context(|| format!("npm pack told no {key}"));
        let files = one["files"].as_array().context("npm pack told no files")?;
        let files = files.iter().map(|file| Some((file["path"].as_str()?.to_owned(), file["size"].as_u64()?)));
        Ok(Self {
            file: text("filename")?,
            version: text("version")?,
            packed: one["size"].as_u64().context("npm pack told no size")?,
            files: files.collect::<Option<_>>().context("npm pack told a file without path or size")?,
        })
    }

    /// Nothing missing, nothing extra, nothing empty. `pkg` is the folder that was packed.
    pub fn check(&self, pkg: &Path) -> Result<()> {
        let manifest = serde_json::from_str(&fs::read_to_string(pkg.join("package.json"))?)?;
        let wanted = wanted(&manifest, |name| fs::read_to_string(pkg.join(name)).unwrap_or_default());
        let packed: BTreeSet<String> = self.files.iter().map(|(name, _)| name.clone()).collect();
        let (missing, extra) = (names(wanted.difference(&packed)), names(packed.difference(&wanted)));
        ensure!(missing.is_empty(), "the tarball lacks {missing}");
        ensure!(extra.is_empty(), "the tarball holds {extra}, which nothing in it refers to");
        let empty = names(self.files.iter().filter(|(_, size)| *size == 0).map(|(name, _)| name));
        ensure!(empty.is_empty(), "empty in the tarball: {empty}");
        Ok(())
    }
}

fn names<'a>(names: impl Iterator<Item = &'a String>) -> String {
    names.map(String::as_str).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for Contents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, size) in &self.files {
            writeln!(f, "{size:>10}  {name}")?;
        }
        write!(f, "{:>10}  packed, {} files", self.packed, self.files.len())
    }
}

/// The documents, what the manifest points to, and what those files import from beside them. `text` reads one.
fn wanted(manifest: &Value, text: impl Fn(&str) -> String) -> BTreeSet<String> {
    let mut wanted: BTreeSet<String> = DOCUMENTS.map(String::from).into();
    let mut left: Vec<String> =
        ["main", "module", "types", "exports"].iter().flat_map(|key| targets(&manifest[key])).collect();
    while let Some(name) = left.pop() {
        if !wanted.contains(&name) {
            left.extend(neighbours(&text(&name)));
            wanted.insert(name);
        }
    }
    wanted
}

/// Every `./file` in the value, however deep its conditions go.
fn targets(value: &Value) -> Vec<String> {
    match value {
        Value::String(path) => vec![path.trim_start_matches("./").to_owned()],
        Value::Object(conditions) => conditions.values().flat_map(targets).collect(),
        _ => Vec::new(),
    }
}

/// `import("./asm-engine.mjs")`, `from './index.mjs'` → the files beside this one that it names.
fn neighbours(text: &str) -> Vec<String> {
    let quoted = |quote: char| text.split(quote).filter_map(|part| part.strip_prefix("./"));
    let is_module = |name: &&str| name.ends_with(".mjs") || name.ends_with(".cjs");
    quoted('"')
        .chain(quoted('\''))
        .filter(is_module)
        .filter(|name| !name.contains(char::is_whitespace))
        .map(String::from)
        .collect()
}

/// What npm, its provenance and a cautious user ask of package.json.
pub fn check_manifest(manifest: &str) -> Result<()> {
    let manifest: Value = serde_json::from_str(manifest)?;
    for hook in ["scripts", "dependencies", "peerDependencies", "optionalDependencies", "bin"] {
        ensure!(manifest[hook].is_null(), "package.json has `{hook}`: the package installs nothing and runs nothing");
    }
    let repository = manifest["repository"]["url"].as_str().unwrap_or_default();
    ensure!(
        repository.starts_with("git+https://") && repository.ends_with(".git"),
        "package.json: npm compares repository.url with where a provenance comes from, so it is `git+https://….git`"
    );
    ensure!(
        manifest["publishConfig"]["provenance"] == true && manifest["publishConfig"]["access"] == "public",
        "package.json: publishConfig must be {{ \"access\": \"public\", \"provenance\": true }}"
    );
    for link in ["homepage", "license"] {
        ensure!(manifest[link].is_string(), "package.json lacks `{link}`");
    }
    ensure!(manifest["bugs"]["url"].is_string(), "package.json lacks `bugs.url`");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn manifest() -> Value {
        json!({
            "main": "./index.cjs",
            "exports": { ".": { "import": { "types": "./index.d.mts", "default": "./index.mjs" } }, "./package.json": "./package.json" },
            "license": "MIT", "homepage": "https://example.com", "bugs": { "url": "https://example.com" },
            "repository": { "type": "git", "url": "git+https://example.com/steadfetch.git" },
            "publishConfig": { "access": "public", "provenance": true },
        })
    }

    /// A folder with a file for each name, and what npm would say of these.
    fn packed(test: &str, names: &[&str], said: &[&str]) -> Result<()> {
        let folder = std::env::temp_dir().join(format!("steadfetch-contents-{test}-{}", std::process::id()));
        crate::workspace::empty_folder(&folder)?;
        for name in names {
            let text = if *name == "index.mjs" { "load = () => import(\"./engine.mjs\")" } else { "text" };
            fs::write(folder.join(name), text)?;
        }
        fs::write(folder.join("package.json"), manifest().to_string())?;
        let files: Vec<_> = said
            .iter()
            .map(|name| json!({ "path": name, "size": if test == "empty" && *name == "index.cjs" { 0 } else { 4 } }))
            .collect();
        let printed = json!([{ "filename": "s.tgz", "version": "0.1.0", "size": 9, "files": files }]).to_string();
        let checked = Contents::of_npm(&printed)?.check(&folder);
        fs::remove_dir_all(&folder)?;
        checked
    }

    const MODULES: [&str; 4] = ["engine.mjs", "index.cjs", "index.d.mts", "index.mjs"];

    fn all() -> Vec<&'static str> {
        DOCUMENTS.into_iter().chain(MODULES).collect()
    }

    #[test]
    fn the_manifests_targets_what_they_load_and_the_documents_are_a_whole_package() {
        packed("whole", &MODULES, &all()).unwrap();
    }

    #[test]
    fn each_missing_file_is_named() {
        for missing in all() {
            let rest: Vec<_> = all().into_iter().filter(|name| *name != missing).collect();
            let told = packed("missing", &MODULES, &rest).unwrap_err().to_string();
            assert_eq!(told, format!("the tarball lacks {missing}"));
        }
    }

    #[test]
    fn a_file_that_nothing_refers_to_is_named() {
        let told = packed("extra", &MODULES, &[all(), vec!["notes.mjs"]].concat()).unwrap_err().to_string();
        assert!(told.starts_with("the tarball holds notes.mjs"), "{told}");
    }

    #[test]
    fn a_file_without_content_is_named() {
        let told = packed("empty", &MODULES, &all()).unwrap_err().to_string();
        assert_eq!(told, "empty in the tarball: index.cjs");
    }

    #[test]
    fn both_forms_of_npms_report_are_read() {
        let one = json!({ "filename": "s.tgz", "version": "0.1.0", "size": 9, "files": [{ "path": "index.mjs", "size": 4 }] });
        for printed in [json!([one]), json!({ "steadfetch": one })] {
            assert_eq!(Contents::of_npm(&printed.to_string()).unwrap().file, "s.tgz");
        }
        assert!(Contents::of_npm("[]").is_err());
    }

    #[test]
    fn a_manifest_that_runs_something_or_cannot_be_traced_is_refused() {
        check_manifest(&manifest().to_string()).unwrap();
        for (key, value) in [
            ("scripts", json!({ "postinstall": "node x" })),
            ("dependencies", json!({ "left-pad": "1" })),
            ("repository", json!("github:steadfetch/steadfetch")),
            ("publishConfig", json!({ "access": "public" })),
            ("bugs", Value::Null),
            ("homepage", Value::Null),
        ] {
            let mut other = manifest();
            other[key] = value;
            assert!(check_manifest(&other.to_string()).is_err(), "{key}");
        }
    }
}
