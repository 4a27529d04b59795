//! The package as a package: packed by npm, installed into a new project outside the repository, and used from there in
//! every way a user would.

use crate::process::{self, command, output};
use crate::workspace::{at, empty_folder, files_in, write};
use anyhow::{Context, Result};
use std::env;
use std::fs;
use std::path::Path;

pub fn run() -> Result<()> {
    let tarballs = at("target/package/tarball");
    empty_folder(&tarballs)?;
    let packed =
        output(command("npm")?.args(["pack", "--silent", "--pack-destination"]).arg(&tarballs).arg(at("pkg")))?;
    let tarball = tarballs.join(packed.trim());

    // Elsewhere, so that the repository's node_modules cannot help out.
    let consumer = env::temp_dir().join(format!("steadfetch-consumer-{}", std::process::id()));
    let result = in_consumer(&consumer, &tarball);
    let _ = fs::remove_dir_all(&consumer); // what is left in the temporary folder harms nobody
    result
}

fn in_consumer(consumer: &Path, tarball: &Path) -> Result<()> {
    empty_folder(consumer)?;
    write(&consumer.join("package.json"), "{ \"name\": \"consumer\", \"private\": true }\n")?;
    process::run(
        command("npm")?.current_dir(consumer).args(["install", "--silent", "--offline", "--no-save"]).arg(tarball),
    )?;
    for folder in ["tests/package", "tests/types"] {
        for file in files_in(&at(folder))? {
            fs::copy(&file, consumer.join(file.file_name().unwrap_or_default()))?;
        }
    }

    for script in ["import.mjs", "require.cjs"] {
        process::run(command("node")?.current_dir(consumer).arg(script)).context(script)?;
    }
    process::run(command("esbuild")?.current_dir(consumer).args([
        "import.mjs",
        "--bundle",
        "--minify",
        "--platform=neutral",
        "--outfile=bundled.mjs",
        "--format=esm",
        "--log-level=warning",
    ]))?;
    process::run(command("node")?.current_dir(consumer).arg("bundled.mjs")).context("bundled by esbuild")?;
    process::run(command("tsc")?.current_dir(consumer).args(["-p", "tsconfig.installed.json"]))
        .context("types of the installed package")
}
