//! `pkg/`: what `npm pack` packs.

use crate::process::{command, run};
use crate::workspace::{at, empty_folder, locked_version, read, write};
use anyhow::{Result, ensure};
use std::path::PathBuf;

/// Written last, so its age is the age of the package.
pub fn last_written() -> PathBuf {
    at("pkg/package.json")
}

pub fn assemble() -> Result<()> {
    let pkg = at("pkg");
    empty_folder(&pkg)?;
    for (format, file) in [("--format=esm", "index.mjs"), ("--format=cjs", "index.cjs")] {
        bundle(format, file)?;
    }
    // The same text twice: TypeScript tells the two kinds of module apart by the name of the file.
    let types = read(&at("src/types.d.ts"))?;
    write(&pkg.join("index.d.ts"), &types)?;
    write(&pkg.join("index.d.mts"), &types)?;
    write(&pkg.join("README.md"), read(&at("pkg-template/README.md"))?)?;
    write(&pkg.join("LICENSE"), read(&at("LICENSE"))?)?;
    write(&last_written(), manifest()?)
}

/// One readable file: no application can do less than parse it, and every bundler makes its own small one of it.
fn bundle(format: &str, file: &str) -> Result<()> {
    // SPFx and other bundlers leave packages as they are, so the syntax is what the oldest browser in question knows.
    let mut esbuild =
        command("esbuild target/package/stage/index.js --bundle --target=es2018 --charset=utf8 --log-level=warning")?;
    run(esbuild.args(["--platform=neutral", format, &format!("--outfile=pkg/{file}")]))
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
