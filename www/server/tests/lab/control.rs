//! The routes by which tests script their scopes and read them back.

use crate::client::{ITEMS, Scope, lab, send};

#[test]
fn a_wrong_script_is_refused_and_changes_nothing() {
    let scope = Scope::new("wrong", r#"{"steps":[{"status":503}]}"#);
    for method in ["PUT", "PATCH"] {
        let reply = send(&scope.host, &format!("{method} /control/wrong"), &[], r#"{"steps":[{"stauts":429}]}"#);
        assert_eq!(reply.status(), 400);
        assert!(reply.json()["error"].as_str().unwrap().contains("stauts"), "{}", reply.raw);
    }
    assert_eq!(scope.get("/api/chat").status(), 503);
}

#[test]
fn a_scripted_scope_says_where_it_is() {
    let reply = send(&lab()[1], "PUT /control/where", &[], "{}").json();
    assert_eq!(reply["prefix"], "/t/where");
    let origins: Vec<_> = lab().iter().map(|host| format!("http://{host}")).collect();
    assert_eq!(reply["origins"], serde_json::json!(origins), "whichever of the two was asked");
}

#[test]
fn the_log_tells_what_arrived() {
    let scope = Scope::new("log", r#"{"log":{"bodyBytes":5}}"#);
    scope.send("POST /api/chat?a=b", &[("X-One", "1"), ("x-one", "2")], "0123456789");
    let account = scope.account();
    let entry = &account["requests"][0];
    for (field, expected) in
        [("method", "POST"), ("path", "/api/chat"), ("query", "a=b"), ("body", "01234"), ("outcome", "answered")]
    {
        assert_eq!(entry[field], expected, "{field}");
    }
    assert_eq!(entry["headers"]["x-one"], "1, 2");
    assert_eq!((&entry["bodyBytes"], &entry["status"], &entry["n"]), (&10.into(), &200.into(), &0.into()));
    assert!(entry["endedMs"].as_f64() >= entry["atMs"].as_f64());
}

#[test]
fn the_log_is_bounded_and_says_what_it_forgot() {
    let scope = Scope::new("bounded", r#"{"log":{"limit":3}}"#);
    (0..5).for_each(|_| drop(scope.get("/api/chat")));
    let account = scope.account();
    assert_eq!((&account["seen"], &account["forgotten"]), (&5.into(), &2.into()));
    let numbers = |account: &serde_json::Value| {
        account["requests"].as_array().unwrap().iter().map(|entry| entry["n"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(numbers(&account), [2, 3, 4]);
    let later = send(&scope.host, "GET /control/bounded?from=4&items=false", &[], "").json();
    assert_eq!(numbers(&later), [4]);
}

#[test]
fn scopes_know_nothing_of_each_other() {
    let (one, other) = (Scope::new("one", r#"{"steps":[{"status":503}]}"#), Scope::new("other", ""));
    other.send(&format!("POST {ITEMS}"), &[], "{}");
    assert_eq!(other.get("/api/chat").status(), 200);
    assert_eq!(one.get("/api/chat").status(), 503);
    assert_eq!((one.count("Orders"), other.count("Orders")), (0, 1));
}

#[test]
fn a_new_script_begins_anew_and_a_patched_one_keeps_the_lists() {
    let scope = Scope::new("rewritten", "");
    scope.send(&format!("POST {ITEMS}"), &[], "{}");
    scope.control("PATCH", r#"{"steps":[{"status":503}],"then":"repeat","lists":{"Orders":9,"Others":2}}"#);
    assert_eq!(scope.get(ITEMS).status(), 503);
    assert_eq!((scope.count("Orders"), scope.count("Others")), (1, 2));
    assert_eq!(scope.account()["seen"], 2);
    scope.control("PUT", "");
    assert_eq!((scope.count("Orders"), &scope.account()["seen"]), (0, &0.into()));
}

#[test]
fn a_deleted_scope_is_forgotten() {
    let scope = Scope::new("deleted", r#"{"lists":{"Orders":3}}"#);
    assert_eq!(send(&scope.host, "DELETE /control/deleted", &[], "").status(), 204);
    assert_eq!(send(&scope.host, "GET /control/deleted", &[], "").status(), 404);
}

#[test]
fn pages_of_any_origin_may_script() {
    let [host, _] = lab();
    let origin = ("Origin", "http://127.0.0.1:1");
    let preflight = send(host, "OPTIONS /control/any", &[origin, ("Access-Control-Request-Method", "PUT")], "");
    assert_eq!(preflight.status(), 204);
    assert!(preflight.header("access-control-allow-methods").unwrap().contains("PUT"));
    let put = send(host, "PUT /control/any", &[origin], "{}");
    assert_eq!(put.header("access-control-allow-origin"), Some("*"));
}

#[test]
fn odd_scope_names_are_refused() {
    let [host, _] = lab();
    for name in ["", "a%20b", "a:b", &"x".repeat(101)] {
        assert_eq!(send(host, &format!("PUT /control/{name}"), &[], "{}").status(), 400, "{name}");
    }
}
