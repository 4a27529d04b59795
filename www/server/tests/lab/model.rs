//! The Function App in front of a model.

use crate::client::{Reply, Scope, read_to_end};

fn ask(scope: &Scope, key: &str, body: &str) -> Reply {
    scope.send("POST /api/chat", &[("Idempotency-Key", key)], body)
}

#[test]
fn every_request_is_a_paid_call() {
    let scope = Scope::new("asked", r#"{"model":{"answer":{"answer":"42"}},"steps":[{},{"status":429}]}"#);
    assert_eq!(scope.send("POST /api/chat", &[], "{}").json()["answer"], "42");
    assert_eq!(scope.send("POST /api/chat", &[], "{}").status(), 429);
    assert_eq!(scope.send("POST /api/chat", &[], "{}").status(), 200);
    assert_eq!(scope.account()["modelCalls"], 2, "the refused one was not put to the model");
}

#[test]
fn a_key_gets_the_same_answer_without_another_call() {
    let scope = Scope::new("key", r#"{"model":{"idempotency":true}}"#);
    let (first, again) = (ask(&scope, "k", "{}"), ask(&scope, "k", "{}"));
    assert_eq!((first.status(), first.header("idempotency-replayed")), (200, None));
    assert_eq!((again.status(), again.header("idempotency-replayed")), (200, Some("true")));
    assert_eq!(first.header("x-ms-request-id"), again.header("x-ms-request-id"));
    assert_eq!(ask(&scope, "k", "other").status(), 422);
    assert_eq!(ask(&scope, "l", "{}").status(), 200);
    assert_eq!(scope.account()["modelCalls"], 2);
}

#[test]
fn a_back_end_that_knows_no_keys_asks_again() {
    let scope = Scope::new("no-keys", "");
    assert_eq!((ask(&scope, "k", "{}").status(), ask(&scope, "k", "{}").status()), (200, 200));
    assert_eq!(scope.account()["modelCalls"], 2);
}

#[test]
fn a_key_at_work_is_a_conflict_even_if_the_first_client_was_cut_off() {
    let scope = Scope::new(
        "conflict",
        r#"{"model":{"idempotency":true,"workMs":60000},"steps":[{"drop":"before-headers","apply":true}]}"#,
    );
    assert_eq!(ask(&scope, "k", "{}").raw, "");
    let second = ask(&scope, "k", "{}");
    assert_eq!((second.status(), &second.json()["error"]["code"]), (409, &"idempotency_key_in_use".into()));
    assert_eq!(scope.account()["modelCalls"], 1);
}

#[test]
fn the_models_work_delays_only_its_own_answer() {
    let scope = Scope::new("work", r#"{"model":{"workMs":60000},"steps":[{"status":503,"apply":true},{}]}"#);
    assert_eq!(scope.get("/api/chat").status(), 503);
    let thinking = scope.begin("GET /api/chat");
    scope.wait_for("the second call", |account| account["modelCalls"] == 2);
    scope.wait_for_outcome("running");
    drop(thinking);
}

#[test]
fn a_stream_ends_when_its_events_are_sent() {
    let scope = Scope::new(
        "stream",
        r#"{"steps":[{"headers":{"content-type":"text/event-stream"},"chunks":["data: a\n\n","data: [DONE]\n\n"],"chunkEveryMs":1}]}"#,
    );
    let reply = read_to_end(&mut scope.begin("POST /api/chat"));
    assert_eq!(reply.header("content-type"), Some("text/event-stream"));
    assert_eq!(reply.chunks(), ["data: a\n\n", "data: [DONE]\n\n", ""]);
    scope.wait_for_outcome("answered");
}
