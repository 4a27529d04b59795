//! The package as a package: packed by npm, installed into a new project outside the repository, and used from there in
//! every way a user would.

use crate::pack;
use crate::process::{self, command};
use crate::workspace::{at, empty_folder, files_in, write};
use anyhow::{Context, Result};
use std::env;
use std::fs;
use std::path::Path;

pub fn run() -> Result<()> {
    let tarball = pack::tarball()?;
    // Elsewhere, so that the repository's node_modules cannot help out.
    let consumer = env::temp_dir().join(format!("steadfetch-consumer-{}", std::process::id()));
    let result = in_consumer(&consumer, &tarball);
    let _ = fs::remove_dir_all(&consumer); // what is left in the temporary folder harms nobody
    result
}

fn in_consumer(consumer: &Path, tarball: &Path) -> Result<()> {
    let run = |line: &str| process::run(command(line)?.current_dir(consumer)).context(line.to_owned());

    empty_folder(consumer)?;
    write(&consumer.join("package.json"), "{ \"name\": \"consumer\", \"private\": true }\n")?;
    process::run(command("npm install --silent --offline --no-save")?.current_dir(consumer).arg(tarball))?;
    for file in files_in(&at("tests/package/in_node"))?.into_iter().chain(files_in(&at("tests/types"))?) {
        fs::copy(&file, consumer.join(file.file_name().unwrap_or_default()))?;
    }

    run("node import.mjs")?;
    run("node require.cjs")?;
    run("esbuild import.mjs --bundle --minify --format=esm --outfile=bundled.mjs --log-level=warning")?;
    run("node bundled.mjs")?;
    run("tsc -p tsconfig.installed.json")
}
