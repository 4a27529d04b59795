//! The crate as optimised wasm with wasm-bindgen's glue: once for each of the package's modules, and each once more as
//! JavaScript, for pages that refuse WebAssembly.

use super::local_paths;
use super::names::Names;
use crate::process::{command, find, output, run};
use crate::workspace::{at, read};
use anyhow::{Context, Result, ensure};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The modules, by the feature of the crate that makes them.
pub const MODULES: [&str; 3] = ["fetches", "answers", "writes"];

/// The readers of answers run at every piece of a stream: 250 bytes more make them a quarter faster (bench/SPEED.md).
/// Everything else is made small, as Cargo.toml says.
fn opt_level(module: &str) -> Option<&'static str> {
    (module == "answers").then_some("s")
}

/// What came of one module.
pub struct Compiled {
    /// One of [`MODULES`].
    pub module: &'static str,
    pub code: Code,
    pub names: Names,
    /// wasm-bindgen's JavaScript side, not yet loadable by itself.
    pub glue: String,
    /// The JavaScript modules that Rust code imports, below a folder per crate.
    pub snippets: PathBuf,
}

pub enum Code {
    Wasm(Vec<u8>),
    /// Text that defines a function `instantiate(imports)`, which gives the exports.
    JavaScript(String),
}

/// The standard library is compiled along, without its machinery for panic messages: in a page nobody reads them, and
/// they were a fifth of the wasm (bench/SIZE.md). Tests run on the ready-made library.
const STANDARD_LIBRARY: &str = "-Zbuild-std=std,panic_abort -Zbuild-std-features=optimize_for_size";
/// A panic is `unreachable`, without a message, a place or formatted values; engine.js then settles what is open.
const SILENT_PANICS: [&str; 4] =
    ["-Zunstable-options", "-Cpanic=immediate-abort", "-Zlocation-detail=none", "-Zfmt-debug=none"];

/// What an engine of today has and one of 2017 had not, taken out again where JavaScript is to come of it.
const LOWERING: &str = "--signext-lowering --llvm-memory-copy-fill-lowering --llvm-nontrapping-fptoint-lowering";

pub fn compile() -> Result<Vec<Compiled>> {
    ensure!(find("wasm-opt").is_some(), "wasm-opt is missing; `cargo xtask setup` brings it");
    let wasm = MODULES.into_iter().map(as_wasm);
    wasm.chain(MODULES.into_iter().map(as_javascript)).collect()
}

fn as_wasm(module: &'static str) -> Result<Compiled> {
    let folder = at("target/package").join(module);
    // no-install: everything needed is on PATH, and nothing may be downloaded in its place.
    let mut wasm_pack = command("wasm-pack build . --target bundler --release --mode no-install --no-pack --out-dir")?;
    wasm_pack.arg(&folder).arg("--");
    run(small(&mut wasm_pack, module, &[])?)?;
    let short = folder.with_extension("wasm");
    let names = shorten_names(&folder.join("steadfetch_bg.wasm"), &short)?;
    ensure_loadable(&short)?;
    let wasm = fs::read(&short).with_context(|| format!("cannot read {}", short.display()))?;
    local_paths::ensure_none(&wasm)?;
    compiled(module, Code::Wasm(wasm), names, &folder)
}

/// wasm-pack makes wasm only, so its steps are taken here one by one.
fn as_javascript(module: &'static str) -> Result<Compiled> {
    let folder = at("target/package").join(format!("{module}_js"));
    let mut cargo =
        command("cargo build --lib --release --target wasm32-unknown-unknown --target-dir target/package/js")?;
    // Without reference types and multiple values, which JavaScript cannot take out again.
    run(small(&mut cargo, module, &["-Ctarget-cpu=mvp"])?)?;
    let built = at("target/package/js/wasm32-unknown-unknown/release/steadfetch.wasm");
    run(command("wasm-bindgen --target bundler --no-typescript --out-dir")?.arg(&folder).arg(built))?;

    let (lowered, short) = (folder.join("lowered.wasm"), folder.join("short.wasm"));
    let mut wasm_opt = command("wasm-opt -Oz --low-memory-unused --strip-debug --strip-producers")?;
    wasm_opt.args(enabled_features()?).args(LOWERING.split(' '));
    run(wasm_opt.arg("--strip-target-features").arg(folder.join("steadfetch_bg.wasm")).arg("-o").arg(&lowered))?;
    let names = shorten_names(&lowered, &short)?;
    let text = output(command("wasm2js -Oz --emscripten")?.arg(&short))?;
    local_paths::ensure_none(text.as_bytes())?;
    compiled(module, Code::JavaScript(text), names, &folder)
}

/// Of the crate only what the module exports, together with the standard library, without the texts of panics.
fn small<'a>(build: &'a mut Command, module: &str, flags: &[&str]) -> Result<&'a mut Command> {
    build.args(["--no-default-features", "--features", module]).args(STANDARD_LIBRARY.split(' '));
    let flags = flags.iter().chain(&SILENT_PANICS).map(OsString::from).chain(local_paths::compiler_flags()?);
    build.env("CARGO_ENCODED_RUSTFLAGS", flags.collect::<Vec<_>>().join(&OsString::from("\x1f")));
    build.envs(opt_level(module).map(|level| ("CARGO_PROFILE_RELEASE_OPT_LEVEL", level)));
    // The pinned compiler is a stable one; this lets it take the options above.
    Ok(build.env("RUSTC_BOOTSTRAP", "1"))
}

fn compiled(module: &'static str, code: Code, names: Names, folder: &Path) -> Result<Compiled> {
    let glue = read(&folder.join("steadfetch_bg.js"))?;
    Ok(Compiled { module, code, names, glue, snippets: folder.join("snippets") })
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
