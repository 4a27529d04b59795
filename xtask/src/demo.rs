//! The lab page, served by the lab server and opened in the user's browser. It ends with Ctrl+C.

use crate::lab;
use crate::process::{find, step};
use crate::workspace::root;
use crate::{build, setup};
use anyhow::{Context, Result, bail};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

/// `cargo xtask demo [--no-open] [--port N]`
pub fn cli(arguments: &[String]) -> Result<()> {
    let mut open = true;
    let mut port = "0".to_string(); // any free one
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--no-open" => open = false,
            "--port" => port = rest.next().context("--port needs a number")?.clone(),
            other => bail!("demo takes no argument `{other}`"),
        }
    }
    step("setup", setup::for_build)?;
    build::ensure_fresh()?;
    serve(&port, open)
}

fn serve(port: &str, open: bool) -> Result<()> {
    let mut server = Command::new(lab::build()?)
        .arg("--root")
        .arg(root())
        .args(["--port", port])
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start the lab server")?;
    let printed = BufReader::new(server.stdout.take().context("the lab server has no output")?);
    for line in printed.lines() {
        let line = line?;
        println!("{line}");
        if let Some(address) = announced(&line) {
            let page = format!("{address}/www/index.html");
            println!("\nThe lab is at {page} (Ctrl+C ends it)");
            if open && !open_in_browser(&page) {
                println!("No browser could be opened; please open the address yourself.");
            }
        }
    }
    let status = server.wait()?;
    if !status.success() {
        bail!("the lab server ended with {status}");
    }
    Ok(())
}

/// `listening on http://127.0.0.1:8080 …` → `http://127.0.0.1:8080`
fn announced(line: &str) -> Option<&str> {
    line.strip_prefix("listening on ")?.split_whitespace().next().map(|address| address.trim_end_matches('/'))
}

fn open_in_browser(address: &str) -> bool {
    let (program, first): (&str, &[&str]) = if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else if cfg!(target_os = "macos") {
        ("open", &[])
    } else {
        ("xdg-open", &[])
    };
    let Some(program) = find(program) else {
        return false;
    };
    let silent = Stdio::null;
    Command::new(program)
        .args(first)
        .arg(address)
        .stdout(silent())
        .stderr(silent())
        .status()
        .is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::announced;

    #[test]
    fn the_address_is_read_from_the_servers_first_line() {
        assert_eq!(
            announced("listening on http://127.0.0.1:8080 (other origin http://127.0.0.1:8081)"),
            Some("http://127.0.0.1:8080")
        );
        assert_eq!(announced("GET /"), None);
    }
}
