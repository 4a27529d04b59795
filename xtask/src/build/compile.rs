//! The crate as optimised wasm with wasm-bindgen's glue: once for each of the package's two modules.

use super::local_paths;
use super::names::Names;
use crate::process::{command, find, output, run};
use crate::workspace::{at, read};
use anyhow::{Context, Result, ensure};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// The modules, by the feature of the crate that makes them.
pub const MODULES: [&str; 2] = ["fetches", "extras"];

/// What wasm-pack and wasm-opt left behind.
pub struct Compiled {
    /// One of [`MODULES`].
    pub module: &'static str,
    pub wasm: Vec<u8>,
    pub names: Names,
    /// wasm-bindgen's JavaScript side, not yet loadable by itself.
    pub glue: String,
    /// The JavaScript modules that Rust code imports, below a folder per crate.
    pub snippets: PathBuf,
}

/// The standard library is compiled along, without its machinery for panic messages: in a page nobody reads them, and
/// they were a fifth of the wasm (bench/SIZE.md). Tests run on the ready-made library.
const STANDARD_LIBRARY: &str = "-Zbuild-std=std,panic_abort -Zbuild-std-features=optimize_for_size";
/// A panic is `unreachable`, without a message, a place or formatted values; engine.js then settles what is open.
const SILENT_PANICS: [&str; 4] =
    ["-Zunstable-options", "-Cpanic=immediate-abort", "-Zlocation-detail=none", "-Zfmt-debug=none"];

pub fn compile() -> Result<Vec<Compiled>> {
    ensure!(find("wasm-opt").is_some(), "wasm-opt is missing; `cargo xtask setup` brings it");
    MODULES.into_iter().map(compile_module).collect()
}

fn compile_module(module: &'static str) -> Result<Compiled> {
    let folder = at("target/package").join(module);
    // no-install: everything needed is on PATH, and nothing may be downloaded in its place.
    let mut wasm_pack = command("wasm-pack build . --target bundler --release --mode no-install --no-pack --out-dir")?;
    wasm_pack.arg(&folder).args(["--", "--no-default-features", "--features", module]);
    wasm_pack.args(STANDARD_LIBRARY.split(' '));
    let flags = SILENT_PANICS.into_iter().map(OsString::from).chain(local_paths::compiler_flags()?);
    wasm_pack.env("CARGO_ENCODED_RUSTFLAGS", flags.collect::<Vec<_>>().join(&OsString::from("\x1f")));
    // The pinned compiler is a stable one; this lets it take the options above.
    wasm_pack.env("RUSTC_BOOTSTRAP", "1");
    run(&mut wasm_pack)?;
    let optimised = folder.join("steadfetch_bg.wasm");
    let short = folder.with_extension("wasm");
    let names = shorten_names(&optimised, &short)?;
    ensure_loadable(&short)?;
    let wasm = fs::read(&short).with_context(|| format!("cannot read {}", short.display()))?;
    local_paths::ensure_none(&wasm)?;
    let glue = read(&folder.join("steadfetch_bg.js"))?;
    Ok(Compiled { module, wasm, names, glue, snippets: folder.join("snippets") })
}

/// Names such as `__wbg_getRandomValues_8b6f1f663e6f188d` stay in the file although nobody reads them there.
fn shorten_names(from: &Path, to: &Path) -> Result<Names> {
    let mut wasm_opt = command("wasm-opt --minify-imports-and-exports-and-modules")?;
    let printed = output(wasm_opt.args(enabled_features()?).arg(from).arg("-o").arg(to))?;
    Names::parse(&printed)
}

/// The same features that Cargo.toml lets wasm-pack's run of wasm-opt use: `"--enable-sign-ext"`, …
fn enabled_features() -> Result<Vec<String>> {
    let manifest = read(&at("Cargo.toml"))?;
    Ok(manifest.split('"').filter(|quoted| quoted.starts_with("--enable-")).map(String::from).collect())
}

/// wasm-opt can write a file that no engine loads (with `--all-features` it does), so one is asked here.
fn ensure_loadable(wasm: &Path) -> Result<()> {
    let script = "new WebAssembly.Module(require('node:fs').readFileSync(process.argv[1]))";
    run(command("node -e")?.arg(script).arg(wasm)).context("the optimised wasm does not load")
}
