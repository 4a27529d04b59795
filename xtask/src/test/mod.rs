//! Everything that is proven, cheapest first. Each step runs alone by its name: `cargo xtask test node`.

pub mod browser;
mod package;
mod wasm;

use crate::process::{command, run, step};
use crate::workspace::{at, files_in};
use crate::{build, lab, setup};
use anyhow::{Context, Result, ensure};

struct Step {
    name: &'static str,
    what: &'static str,
    needs: &'static [Need],
    run: fn() -> Result<()>,
}

#[derive(PartialEq)]
enum Need {
    Browsers,
    Package,
}

const STEPS: [Step; 8] = [
    Step { name: "host", what: "Rust unit and law tests, on this machine", needs: &[], run: host },
    Step {
        name: "chrome",
        what: "Rust tests as wasm, in headless Chromium",
        needs: &[Need::Browsers],
        run: wasm::in_chromium,
    },
    Step {
        name: "firefox",
        what: "Rust tests as wasm, in headless Firefox",
        needs: &[Need::Browsers],
        run: wasm::in_firefox,
    },
    Step { name: "node", what: "the built package in Node", needs: &[Need::Package], run: node },
    Step { name: "types", what: "the package's types in strict consumers", needs: &[Need::Package], run: types },
    Step {
        name: "package",
        what: "npm pack, install, import, require, bundle",
        needs: &[Need::Package],
        run: package::run,
    },
    Step {
        name: "browser",
        what: "the built package in both browsers, against the lab server",
        needs: &[Need::Browsers, Need::Package],
        run: browser::run,
    },
    Step {
        name: "spfx",
        what: "a web part built by SPFx's own tools, loaded in both browsers; fetches 1.3 GB once",
        needs: &[Need::Browsers, Need::Package],
        run: spfx,
    },
];

/// Runs only when it is named: it takes minutes.
const ONLY_BY_NAME: &str = "spfx";

/// `cargo xtask test [STEP…]`
pub fn cli(names: &[String]) -> Result<()> {
    for name in names {
        ensure!(
            STEPS.iter().any(|step| step.name == name),
            "there is no test step `{name}`; there are {}",
            all_names()
        );
    }
    let is_chosen = |step: &&Step| match names {
        [] => step.name != ONLY_BY_NAME,
        _ => names.iter().any(|name| name == step.name),
    };
    let chosen: Vec<&Step> = STEPS.iter().filter(is_chosen).collect();
    let needed = |need| chosen.iter().any(|step| step.needs.contains(&need));
    step("setup", || {
        setup::for_build()?;
        if needed(Need::Browsers) {
            println!("{}", setup::browsers::ensure()?);
        }
        Ok(())
    })?;
    if needed(Need::Package) {
        build::ensure_fresh()?;
    }
    for chosen in &chosen {
        step(&format!("{}: {}", chosen.name, chosen.what), chosen.run)?;
    }
    Ok(())
}

fn all_names() -> String {
    STEPS.map(|step| step.name).join(", ")
}

fn host() -> Result<()> {
    run(&mut command("cargo test --workspace --locked")?)
}

fn node() -> Result<()> {
    let tests: Vec<_> =
        files_in(&at("tests/node"))?.into_iter().filter(|path| path.to_string_lossy().ends_with(".test.mjs")).collect();
    ensure!(!tests.is_empty(), "tests/node holds no *.test.mjs");
    setup::npm_packages::ensure_clients()?;
    // --expose-gc lets a test prove that nothing is kept alive.
    run(command("node --expose-gc --test --test-reporter=spec")?.args(tests).env("STEADFETCH_LAB", lab::build()?))
}

fn types() -> Result<()> {
    run(&mut command("node tests/types/golden.mjs")?)?;
    run(command("tsc -p")?.arg(at("tests/types"))).context("the types of pkg/ do not suit a strict consumer")?;
    setup::npm_packages::ensure_clients()?;
    run(command("tsc -p")?.arg(at("tests/types/tsconfig.clients.json")))
        .context("the README's lines do not suit the types of the libraries")
}

fn spfx() -> Result<()> {
    browser::node("tests/package/spfx.mjs", &[])
}
