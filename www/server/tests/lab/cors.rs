//! What pages of another origin may do and read.

use crate::client::{ITEMS, Scope, lab, send};

const PAGE: (&str, &str) = ("Origin", "http://127.0.0.1:1");
const ASKING: [(&str, &str); 3] = [
    PAGE,
    ("Access-Control-Request-Method", "POST"),
    ("Access-Control-Request-Headers", "content-type,idempotency-key"),
];

#[test]
fn a_preflight_is_answered_counted_and_uses_up_no_step() {
    let scope = Scope::new("preflight", r#"{"steps":[{"status":429}]}"#);
    let reply = scope.send("OPTIONS /api/chat", &ASKING, "");
    assert_eq!(reply.status(), 204);
    assert_eq!(reply.header("access-control-allow-origin"), Some(PAGE.1));
    assert_eq!(reply.header("access-control-allow-methods"), Some("POST"));
    assert_eq!(reply.header("access-control-allow-headers"), Some("content-type,idempotency-key"));
    assert_eq!(scope.send("POST /api/chat", &[PAGE], "{}").status(), 429);
    let account = scope.account();
    assert_eq!((&account["preflights"], &account["seen"]), (&1.into(), &2.into()));
    assert_eq!(account["modelCalls"], 0);
}

#[test]
fn a_server_without_preflights_refuses_them() {
    for (name, script) in [("no-cors", r#"{"cors":false}"#), ("no-preflight", r#"{"cors":{"preflight":false}}"#)] {
        let scope = Scope::new(name, script);
        assert_eq!(scope.send("OPTIONS /api/chat", &ASKING, "").status(), 405, "{name}");
        let allowed = scope.send("POST /api/chat", &[PAGE], "{}");
        assert_eq!(allowed.header("access-control-allow-origin").is_some(), name == "no-preflight", "{name}");
    }
}

#[test]
fn a_script_may_answer_preflights_itself() {
    let scope = Scope::new("own-preflight", r#"{"rules":[{"match":{"method":"OPTIONS"},"steps":[{"status":503}]}]}"#);
    assert_eq!(scope.send("OPTIONS /api/chat", &ASKING, "").status(), 503);
    assert_eq!(scope.send("POST /api/chat", &[PAGE], "{}").status(), 200);
}

#[test]
fn headers_are_exposed_only_by_name() {
    let scope = Scope::new(
        "hidden",
        r#"{"steps":[{"status":429},{"status":429,"cors":{"expose":["Retry-After","RateLimit"]}}]}"#,
    );
    let hidden = scope.send("GET /api/chat", &[PAGE], "");
    assert_eq!(hidden.header("access-control-allow-origin"), Some(PAGE.1));
    assert_eq!(hidden.header("access-control-expose-headers"), None);
    let exposed = scope.send("GET /api/chat", &[PAGE], "");
    assert_eq!(exposed.header("access-control-expose-headers"), Some("Retry-After, RateLimit"));
}

#[test]
fn a_refused_write_of_another_origin_was_still_applied() {
    let scope = Scope::new("cors-applied", r#"{"cors":false}"#);
    let reply = scope.send(&format!("POST {ITEMS}"), &[PAGE], r#"{"Title":"a"}"#);
    assert_eq!(reply.header("access-control-allow-origin"), None);
    assert_eq!(scope.count("Orders"), 1);
}

#[test]
fn both_origins_serve_the_same_scope() {
    let scope = Scope::new("two-origins", "");
    let [first, second] = lab();
    for host in [first, second] {
        send(host, &format!("POST /t/two-origins{ITEMS}"), &[], r#"{"Title":"a"}"#);
    }
    let account = scope.account();
    assert_eq!(account["lists"]["Orders"]["count"], 2);
    assert_eq!(account["requests"][1]["origin"], format!("http://{second}"));
}
