//! The staging folder: every JavaScript module of the package, side by side and before bundling. Worth a look when the
//! package does something unexpected.

use super::compile::{Code, Compiled};
use super::encode;
use super::glue::Glue;
use crate::workspace::{at, empty_folder, files_in, read, write};
use anyhow::{Result, ensure};
use std::fs;
use std::path::{Path, PathBuf};

pub fn run(compiled: &[Compiled]) -> Result<()> {
    let stage = at("target/package/stage");
    empty_folder(&stage)?;
    for Compiled { module, code, names, glue, .. } in compiled {
        let part = |kind: &str| stage.join(format!("{module}_{kind}.js"));
        match code {
            Code::Wasm(wasm) => {
                write(&part("wasm"), format!("export const wasmText = \"{}\";\n", encode::encode(wasm)))?;
                write(&part("wasm_glue"), Glue::of(glue, names)?.module())?;
            }
            Code::JavaScript(text) => {
                let glue = Glue::of_javascript(glue, names)?;
                write(&part("asm"), format!("{text}\nexport {{ instantiate }};\n"))?;
                write(&part("asm_glue"), glue.module_apart())?;
                write(&part("asm_taken"), glue.taken())?;
            }
        }
    }
    for file in files_in(&at("pkg-template"))? {
        if file.extension().is_some_and(|extension| extension == "js") {
            add(&file, &stage)?;
        }
    }

    // All of src/browser, since the entry files use some that Rust code does not import; then what other crates brought.
    let snippets = stage.join("snippets");
    empty_folder(&snippets)?;
    let own = files_in(&at("src/browser"))?
        .into_iter()
        .filter(|file| file.extension().is_some_and(|extension| extension == "js"));
    for file in own {
        add(&file, &snippets)?;
    }
    for module in compiled {
        for file in files_below(&module.snippets)? {
            add(&file, &snippets)?;
        }
    }
    Ok(())
}

/// Copies `file` into `folder`. Two modules of one name would be one in the package, so they must be equal.
fn add(file: &Path, folder: &Path) -> Result<()> {
    let to = folder.join(file.file_name().unwrap_or_default());
    let content = read(file)?;
    ensure!(!to.exists() || read(&to)? == content, "two different JavaScript modules are named {}", to.display());
    write(&to, content)
}

fn files_below(folder: &Path) -> Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut files = files_in(folder)?;
    let mut folders: Vec<PathBuf> =
        fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_dir()).collect();
    folders.sort();
    for below in folders {
        files.extend(files_below(&below)?);
    }
    Ok(files)
}
