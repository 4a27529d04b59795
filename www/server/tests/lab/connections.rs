//! Connections that end badly, at every moment and in both manners.

use crate::client::{ITEMS, Scope, connect, read_to_end, write_request};
use std::io::Read;

const MOMENTS: [&str; 4] = ["before-headers", "mid-headers", "after-headers", "mid-body"];

#[test]
fn a_dropped_answer_ends_where_the_script_says() {
    for moment in MOMENTS {
        for (prefix, reset, outcome) in [("", false, "closed"), ("rst-", true, "reset")] {
            let name = format!("drop-{prefix}{moment}");
            let scope = Scope::new(&name, &format!(r#"{{"steps":[{{"drop":"{prefix}{moment}"}}]}}"#));
            let reply = scope.get("/api/chat");
            assert_eq!(reply.reset, reset, "{name}: {:?}", reply.raw);
            let (whole_head, body) = match moment {
                "before-headers" => {
                    assert_eq!(reply.raw, "", "{name}");
                    continue;
                }
                "mid-headers" => (false, ""),
                "after-headers" => (true, ""),
                _ => (true, "C\r\n{\"answer\":\"I\r\n"),
            };
            assert!(reply.raw.starts_with("HTTP/1.1 200 OK\r\n"), "{name}: {:?}", reply.raw);
            assert_eq!(reply.raw.contains("\r\n\r\n"), whole_head, "{name}: {:?}", reply.raw);
            assert_eq!(reply.raw_body(), body, "{name}");
            scope.wait_for_outcome(outcome);
        }
    }
}

#[test]
fn a_write_applied_before_the_drop_really_grows_the_list() {
    for moment in MOMENTS {
        for prefix in ["", "rst-"] {
            let name = format!("applied-{prefix}{moment}");
            let script = format!(
                r#"{{"steps":[{{"drop":"{prefix}{moment}","apply":true}},{{"drop":"{prefix}{moment}","apply":false}}]}}"#
            );
            let scope = Scope::new(&name, &script);
            scope.send(&format!("POST {ITEMS}"), &[], r#"{"Title":"a"}"#);
            assert_eq!(scope.count("Orders"), 1, "{name}");
            scope.send(&format!("POST {ITEMS}"), &[], r#"{"Title":"b"}"#);
            assert_eq!(scope.count("Orders"), 1, "{name}");
        }
    }
}

#[test]
fn a_stalled_answer_stays_open_until_the_client_leaves() {
    for (moment, expected) in
        [("before-headers", ""), ("after-headers", "\r\n\r\n"), ("mid-body", "{\"answer\":\"I\r\n")]
    {
        let scope = Scope::new(&format!("stall-{moment}"), &format!(r#"{{"steps":[{{"stall":"{moment}"}}]}}"#));
        let mut stream = scope.begin("GET /api/chat");
        let mut received = Vec::new();
        while !String::from_utf8_lossy(&received).ends_with(expected) {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            received.extend(byte);
        }
        scope.wait_for_outcome("running");
        drop(stream);
        scope.wait_for_outcome("client-left");
    }
}

#[test]
fn a_held_answer_waits_for_its_release() {
    let scope = Scope::new("hold", r#"{"steps":[{"hold":true}]}"#);
    let mut held = scope.begin("GET /api/chat");
    scope.wait_for_outcome("held");
    assert_eq!(scope.get("/api/chat").status(), 200, "only the step's own request is held");
    assert_eq!(scope.release()["released"], 1);
    assert_eq!(read_to_end(&mut held).status(), 200);
}

#[test]
fn each_held_piece_waits_for_a_release_of_its_own() {
    let scope = Scope::new("hold-chunks", r#"{"steps":[{"chunks":["one","two","three"],"holdChunks":true}]}"#);
    let mut stream = scope.begin("GET /api/chat");
    let mut received = Vec::new();
    for expected in ["3\r\none\r\n", "3\r\ntwo\r\n"] {
        while !String::from_utf8_lossy(&received).ends_with(expected) {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            received.extend(byte);
        }
        scope.wait_for_outcome("held");
        assert_eq!(scope.release()["released"], 1);
    }
    assert_eq!(read_to_end(&mut stream).raw, "5\r\nthree\r\n0\r\n\r\n");
    scope.wait_for_outcome("answered");
}

#[test]
fn a_client_that_leaves_during_the_wait_is_seen() {
    let scope = Scope::new("abort", r#"{"steps":[{"delayMs":60000}]}"#);
    let stream = scope.begin("GET /api/chat");
    scope.wait_for("its arrival", |account| account["inFlight"] == 1);
    drop(stream);
    scope.wait_for_outcome("client-left");
}

#[test]
fn a_connection_is_used_once_unless_the_script_keeps_it() {
    let closing = Scope::new("closing", "");
    assert_eq!(closing.get("/api/chat").header("connection"), Some("close"));

    let keeping = Scope::new("keeping", r#"{"keepAlive":true}"#);
    let mut stream = connect(&keeping.host);
    for last in [false, true] {
        let headers: &[_] = if last { &[("Connection", "close")] } else { &[] };
        write_request(&mut stream, &keeping.host, "GET /t/keeping/api/chat", headers, "");
    }
    let both = read_to_end(&mut stream).raw;
    assert_eq!(both.matches("HTTP/1.1 200 OK").count(), 2, "{both}");
}
