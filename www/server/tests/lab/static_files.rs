//! The repository as files.

use crate::client::{connect, lab, read_to_end, send, write_request};

#[test]
fn files_come_with_their_type_and_are_not_kept() {
    let [host, _] = lab();
    let reply = send(host, "GET /src/lib.rs", &[], "");
    assert_eq!((reply.status(), reply.header("content-type")), (200, Some("text/plain; charset=utf-8")));
    assert_eq!(reply.header("cache-control"), Some("no-store"));
    assert!(reply.raw_body().starts_with("//! The local peer"));
    let head = send(host, "HEAD /src/lib.rs", &[], "");
    assert_eq!(head.header("content-length"), reply.header("content-length"));
    assert_eq!(head.raw_body(), "");
}

#[test]
fn pages_named_so_are_isolated_and_others_are_not() {
    let [host, _] = lab();
    let isolation = |path| {
        let reply = send(host, path, &[], "");
        ["cross-origin-opener-policy", "cross-origin-embedder-policy"].map(|name| reply.header(name).map(String::from))
    };
    assert_eq!(
        isolation("GET /tests/lab/page.isolated.html"),
        ["same-origin", "require-corp"].map(|value| Some(value.into()))
    );
    assert_eq!(isolation("GET /src/lib.rs"), [None, None]);
}

#[test]
fn nothing_outside_the_root_is_served() {
    let [host, _] = lab();
    for path in [
        "/../../Cargo.toml",
        "/%2e%2e/%2e%2e/Cargo.toml",
        "/src/..%2f..%2f..%2fCargo.toml",
        "/.git/HEAD",
        "/src",
        "/nothing",
    ] {
        assert_eq!(send(host, &format!("GET {path}"), &[], "").status(), 404, "{path}");
    }
    assert_eq!(send(host, "POST /src/lib.rs", &[], "").status(), 405);
}

#[test]
fn another_host_name_is_refused() {
    let [host, _] = lab();
    let mut stream = connect(host);
    write_request(&mut stream, "evil.example", "GET /src/lib.rs", &[], "");
    assert_eq!(read_to_end(&mut stream).status(), 421);
}
