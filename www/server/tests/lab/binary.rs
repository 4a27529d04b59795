//! The command: what a runner reads from it, and that it leaves no orphan.

use crate::client::send;
use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
};

fn lab(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_steadfetch-lab"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

#[test]
fn it_prints_its_origins_and_stops_when_stdin_closes() {
    let mut child = lab(&["--root", env!("CARGO_MANIFEST_DIR"), "--until-stdin-closes"]);
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let origins: Vec<_> = line.strip_prefix("listening on ").unwrap().split_whitespace().collect();
    assert_eq!(origins.len(), 2, "{line}");
    for origin in origins {
        let host = origin.strip_prefix("http://").unwrap();
        assert!(host.starts_with("127.0.0.1:"), "{line}");
        assert_eq!(send(host, "GET /src/main.rs", &[], "").status(), 200);
    }
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_wrong_flag_ends_it_with_its_usage() {
    let output = lab(&["--prot", "1"]).wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("--prot") && said.contains("--time-scale"), "{said}");
}
