//! `pkg/`: what `npm pack` packs.

use crate::process::{command, output};
use crate::workspace::{at, empty_folder, locked_version, read, write};
use anyhow::{Result, ensure};
use std::path::PathBuf;

/// Written last, so its age is the age of the package.
pub fn last_written() -> PathBuf {
    at("pkg/package.json")
}

/// What can be imported, and where its types stand. `steadfetch` is the first; the others use it, and bring nothing else.
const ENTRIES: [(&str, &str); 4] = [
    ("index", "src/types.d.ts"),
    ("opentelemetry", "pkg-template/opentelemetry.d.ts"),
    ("application-insights", "pkg-template/application-insights.d.ts"),
    ("user-timing", "pkg-template/user-timing.d.ts"),
];

pub fn assemble() -> Result<()> {
    let pkg = at("pkg");
    empty_folder(&pkg)?;
    for (entry, types) in ENTRIES {
        for (format, ending) in [("--format=esm", "mjs"), ("--format=cjs", "cjs")] {
            bundle(entry, format, ending)?;
        }
        // The same text twice: TypeScript tells the two kinds of module apart by the name of the file.
        let types = read(&at(types))?;
        write(&pkg.join(format!("{entry}.d.ts")), &types)?;
        write(&pkg.join(format!("{entry}.d.mts")), &types)?;
    }
    write(&pkg.join("README.md"), read(&at("pkg-template/README.md"))?)?;
    write(&pkg.join("LICENSE"), read(&at("LICENSE"))?)?;
    write(&last_written(), manifest()?)
}

/// One readable file: no application can do less than parse it, and every bundler makes its own small one of it.
fn bundle(entry: &str, format: &str, ending: &str) -> Result<()> {
    // SPFx and other bundlers leave packages as they are, so the syntax is what the oldest browser in question knows.
    let mut esbuild =
        command("esbuild --bundle --target=es2018 --charset=utf8 --log-level=warning --platform=neutral")?;
    esbuild.arg(format!("target/package/stage/{entry}.js")).args([format, "--external:./index.js"]);
    let bundled = output(&mut esbuild)?;
    // The file beside it: an application then has the library once, whichever way it resolves names.
    let linked = bundled.replace("\"./index.js\"", &format!("\"./index.{ending}\""));
    ensure!(entry == "index" || linked != bundled, "the entry {entry} does not use the library");
    write(&at(&format!("pkg/{entry}.{ending}")), linked)
}

fn manifest() -> Result<String> {
    let template = read(&at("pkg-template/package.json"))?;
    let placeholder = "\"version\": \"0.0.0\"";
    ensure!(
        template.contains(placeholder),
        "pkg-template/package.json must say {placeholder}: the version comes from Cargo.toml"
    );
    Ok(template.replace(placeholder, &format!("\"version\": \"{}\"", locked_version("steadfetch")?)))
}
