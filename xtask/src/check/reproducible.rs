//! The same sources give the same bytes: whoever doubts that a published package was made of this repository can make it
//! again. So it is made once more, in another folder, with compilations, npm packages and file times of its own, and compared.

use crate::process::{command, output, run};
use crate::workspace::{at, empty_folder, files_in};
use crate::{build, setup};
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::Path;

pub fn check() -> Result<()> {
    setup::for_build()?;
    build::ensure_fresh()?;
    // Another name and another depth than the repository's folder.
    let temporary = env::temp_dir().join(format!("steadfetch-again-{}", std::process::id()));
    let result = compare_with_another(&temporary.join("elsewhere/by another name"));
    let _ = fs::remove_dir_all(&temporary); // what is left in the temporary folder harms nobody
    result
}

fn compare_with_another(copy: &Path) -> Result<()> {
    copy_sources(copy)?;
    // Cargo tells its children where it compiles, which is not what this one is to use.
    run(command("cargo xtask build")?.current_dir(copy).env_remove("CARGO_TARGET_DIR")).context("the second build")?;

    let (here, there) = (contents(&at("pkg"))?, contents(&copy.join("pkg"))?);
    let differing = differences(&here, &there);
    if differing.is_empty() {
        println!("{} files are the same, byte by byte", here.len());
        return Ok(());
    }
    let kept = at("target/package/again");
    empty_folder(&kept)?;
    for (name, content) in &there {
        fs::write(kept.join(name), content)?;
    }
    bail!("another folder gives another package, now in target/package/again:\n{}", differing.join("\n"))
}

/// What Git has, and what it would take if asked, as it is now: a check before a commit is worth more than one after it.
fn copy_sources(to: &Path) -> Result<()> {
    let listed = output(&mut command("git ls-files -z --cached --others --exclude-standard")?)?;
    for name in listed.split('\0').filter(|name| !name.is_empty() && at(name).is_file()) {
        let copy = to.join(name);
        fs::create_dir_all(copy.parent().unwrap_or(to))?;
        fs::copy(at(name), &copy).with_context(|| format!("cannot copy {name}"))?;
    }
    Ok(())
}

type Contents = BTreeMap<String, Vec<u8>>;

fn contents(folder: &Path) -> Result<Contents> {
    let name = |file: &Path| file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    files_in(folder)?.iter().map(|file| Ok((name(file), fs::read(file)?))).collect()
}

/// A line for each file that is not the same on both sides.
fn differences(here: &Contents, there: &Contents) -> Vec<String> {
    let mut names: Vec<&String> = here.keys().chain(there.keys()).collect();
    names.sort();
    names.dedup();
    names
        .into_iter()
        .filter_map(|name| Some(format!("{name}: {}", difference(here.get(name), there.get(name))?)))
        .collect()
}

fn difference(here: Option<&Vec<u8>>, there: Option<&Vec<u8>>) -> Option<String> {
    match (here, there) {
        (Some(here), Some(there)) if here == there => None,
        (Some(here), Some(there)) => {
            let same = here.iter().zip(there).take_while(|(a, b)| a == b).count();
            Some(format!("differs from byte {same} on ({} and {} bytes)", here.len(), there.len()))
        }
        (Some(_), None) => Some("only here".into()),
        (None, _) => Some("only there".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_names_the_file_and_where_it_begins() {
        let folder = |files: &[(&str, &str)]| -> Contents {
            files.iter().map(|(name, text)| ((*name).into(), text.as_bytes().into())).collect()
        };
        let here = folder(&[("index.cjs", "let a = 1;"), ("index.mjs", "let a = 1;"), ("LICENSE", "MIT")]);
        let there = folder(&[("index.cjs", "let a = 1;"), ("index.mjs", "let a = 10;"), ("asm.mjs", "")]);
        assert_eq!(differences(&here, &here), [""; 0]);
        assert_eq!(
            differences(&here, &there),
            ["LICENSE: only here", "asm.mjs: only there", "index.mjs: differs from byte 9 on (10 and 11 bytes)"]
        );
    }
}
