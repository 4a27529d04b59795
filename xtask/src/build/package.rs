//! `pkg/`: what `npm pack` packs.

use crate::crates;
use crate::process::{command, output};
use crate::release::VERSION;
use crate::workspace::{at, empty_folder, read, write};
use anyhow::{Result, ensure};
use std::path::PathBuf;

/// Written last, so its age is the age of the package.
pub fn last_written() -> PathBuf {
    at("pkg/package.json")
}

/// A file of the package, as ES module and as CommonJS.
struct File {
    name: &'static str,
    /// The module in the staging folder that it is bundled from.
    module: &'static str,
    /// Without any it is no entry.
    types: Option<&'static str>,
    /// What stands for `engine-source`.
    engine: &'static str,
}

const WASM: &str = "wasm_engine";
const ADAPTERS: [&str; 5] = ["pnpjs", "spfx", "opentelemetry", "application-insights", "user-timing"];

/// Modules that stay files of their own beside the one that imports them: an application has the library once, whichever
/// way it resolves names, and the js engine is downloaded where it is needed.
const APART: [(&str, &str); 2] = [("index", "index"), ("asm_engine", "asm-engine")];

fn files() -> impl Iterator<Item = File> {
    let types = Some("src/types.d.ts");
    let library = [
        File { name: "index", module: "index", types, engine: WASM },
        File { name: "asm", module: "index", types, engine: "asm_only" },
        File { name: "asm-engine", module: "asm_engine", types: None, engine: WASM },
    ];
    library.into_iter().chain(ADAPTERS.into_iter().map(|name| File { name, module: name, types: None, engine: WASM }))
}

pub fn assemble() -> Result<()> {
    let pkg = at("pkg");
    empty_folder(&pkg)?;
    for file in files() {
        for (format, ending) in [("esm", "mjs"), ("cjs", "cjs")] {
            write(&pkg.join(format!("{}.{ending}", file.name)), bundle(&file, format, ending)?)?;
        }
        let own = at(&format!("pkg-template/{}.d.ts", file.name));
        let Some(types) = file.types.map(at).or_else(|| own.is_file().then_some(own)) else { continue };
        // The same text twice: TypeScript tells the two kinds of module apart by the names of files.
        let types = read(&types)?;
        write(&pkg.join(format!("{}.d.ts", file.name)), &types)?;
        write(&pkg.join(format!("{}.d.mts", file.name)), types.replace("'./index.js'", "'./index.mjs'"))?;
    }
    write(&pkg.join("README.md"), read(&at("pkg-template/README.md"))?)?;
    let licence = read(&at("LICENSE"))?;
    write(&pkg.join("CHANGELOG.md"), read(&at("CHANGELOG.md"))?)?;
    let compiled = crates::compiled()?;
    write(&pkg.join("sbom.cdx.json"), crates::sbom::sbom(VERSION, &compiled))?;
    write(&pkg.join("THIRD-PARTY-LICENSES.txt"), crates::notices::notices(&compiled, &licence)?)?;
    write(&pkg.join("LICENSE"), licence)?;
    write(&last_written(), manifest()?)
}

/// Readable: no application can do less than parse it, and every bundler makes its own small one of it. Code that was
/// compiled to JavaScript nobody reads.
fn bundle(file: &File, format: &str, ending: &str) -> Result<String> {
    // SPFx and other bundlers leave packages as they are, so the syntax is what the oldest browser in question knows.
    let mut esbuild =
        command("esbuild --bundle --target=es2018 --charset=utf8 --log-level=warning --platform=neutral")?;
    esbuild.arg(format!("target/package/stage/{}.js", file.module)).arg(format!("--format={format}"));
    esbuild.arg(format!("--alias:engine-source=./target/package/stage/{}.js", file.engine));
    if format == "cjs" {
        // Jest has no `import()`.
        esbuild.arg("--supported:dynamic-import=false");
    }
    if file.module == "asm_engine" {
        esbuild.arg("--minify");
    }
    let apart = APART.into_iter().filter(|(module, _)| *module != file.module);
    esbuild.args(apart.clone().map(|(module, _)| format!("--external:./{module}.js")));
    let bundled = output(&mut esbuild)?;
    Ok(apart.fold(bundled, |text, (module, name)| {
        text.replace(&format!("\"./{module}.js\""), &format!("\"./{name}.{ending}\""))
    }))
}

fn manifest() -> Result<String> {
    let template = read(&at("pkg-template/package.json"))?;
    let placeholder = "\"version\": \"0.0.0\"";
    ensure!(
        template.contains(placeholder),
        "pkg-template/package.json must say {placeholder}: the version comes from Cargo.toml"
    );
    Ok(template.replace(placeholder, &format!("\"version\": \"{VERSION}\"")))
}
