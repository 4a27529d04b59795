//! Which step a request gets, and what a step makes of an answer.

use crate::client::{ITEMS, Scope, start};
use std::time::{Duration, Instant};

fn statuses(scope: &Scope, path: &str, count: usize) -> Vec<u16> {
    (0..count).map(|_| scope.get(path).status()).collect()
}

#[test]
fn steps_follow_each_other_and_then_all_is_normal() {
    let scope = Scope::new("order", r#"{"steps":[{"status":503,"times":2},{"status":429},{}]}"#);
    assert_eq!(statuses(&scope, "/api/chat", 5), [503, 503, 429, 200, 200]);
}

#[test]
fn the_last_step_repeats_if_told_to() {
    let scope = Scope::new("repeat", r#"{"steps":[{},{"status":503}],"then":"repeat"}"#);
    assert_eq!(statuses(&scope, "/api/chat", 4), [200, 503, 503, 503]);
}

#[test]
fn a_rule_serves_only_what_it_matches() {
    let scope = Scope::new(
        "match",
        r#"{"rules":[{"match":{"method":"post","path":"Orders"},"steps":[{"status":503}]},
                     {"match":{"path":"skip=1"},"steps":[{"status":504}]}],
            "steps":[{"status":429}]}"#,
    );
    assert_eq!(statuses(&scope, &format!("{ITEMS}?skip%3D1"), 1), [504]);
    assert_eq!(statuses(&scope, ITEMS, 2), [429, 200]);
    assert_eq!(scope.send(&format!("POST {ITEMS}"), &[], "{}").status(), 503);
    let by: Vec<_> = scope.account()["requests"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["by"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(by, ["rules[1].steps[0]", "rules[2].steps[0]", "normal", "rules[0].steps[0]"]);
}

#[test]
fn a_rule_per_call_counts_each_address_apart() {
    let scope = Scope::new("per-call", r#"{"rules":[{"per":"call","steps":[{"status":429}]}]}"#);
    assert_eq!(statuses(&scope, "/api/chat?n=1", 2), [429, 200]);
    assert_eq!(statuses(&scope, "/api/chat?n=2", 2), [429, 200]);
}

#[test]
fn a_step_sets_headers_and_body() {
    let scope = Scope::new(
        "answer",
        r#"{"headers":{"RateLimit-Limit":100,"x-all":"1"},
            "steps":[{"status":429,"headers":{"Retry-After":7,"x-all":["2","3"]},"body":{"error":"slow down"}},
                     {"body":"plain words","headers":{"content-type":"text/event-stream"}}]}"#,
    );
    let json = scope.get("/api/chat");
    assert_eq!((json.status(), json.header("retry-after")), (429, Some("7")));
    assert_eq!(json.header("ratelimit-limit"), Some("100"));
    assert_eq!(json.head().matches("x-all").count(), 2, "{}", json.raw);
    assert_eq!(json.header("content-type"), Some("application/json; charset=utf-8"));
    assert_eq!(json.json()["error"], "slow down");
    let text = scope.get("/api/chat");
    assert_eq!((text.status(), text.raw_body()), (200, "plain words"));
    assert_eq!(text.header("content-type"), Some("text/event-stream"));
}

#[test]
fn a_bare_status_is_said_in_the_back_ends_own_words() {
    let scope = Scope::new("bare", r#"{"steps":[{"status":429}],"then":"repeat"}"#);
    let sharepoint = scope.get(ITEMS);
    assert_eq!(sharepoint.json()["odata.error"]["message"]["value"], "The request has been throttled.");
    assert!(sharepoint.header("sprequestguid").is_some());
    let model = scope.get("/api/chat");
    assert_eq!(model.json()["error"]["code"], "rate_limit_exceeded");
}

#[test]
fn chunks_arrive_as_given_even_inside_a_character() {
    let scope = Scope::new(
        "chunks",
        r#"{"steps":[{"chunks":["data: gr",[195],[188,195],[159,101],"\n\n"],"chunkEveryMs":2}]}"#,
    );
    let reply = scope.get("/api/chat");
    // A chunk size before every piece: the ü and the ß are cut in two by them.
    let body = b"8\r\ndata: gr\r\n1\r\n\xc3\r\n2\r\n\xbc\xc3\r\n2\r\n\x9fe\r\n2\r\n\n\n\r\n0\r\n\r\n";
    assert!(reply.bytes.ends_with(body), "{:?}", reply.raw);
}

#[test]
fn a_normal_body_is_cut_and_trickles_at_its_pace() {
    let scope = Scope::new("trickle", r#"{"steps":[{"chunks":4,"chunkEveryMs":20}]}"#);
    let begun = Instant::now();
    let reply = scope.get("/api/chat");
    assert!(begun.elapsed() >= Duration::from_millis(60), "{:?}", begun.elapsed());
    let chunks = reply.chunks();
    assert_eq!(chunks.len(), 5, "{chunks:?}");
    assert_eq!(chunks.concat(), r#"{"answer":"It depends."}"#);
}

#[test]
fn no_pause_follows_the_last_piece() {
    let scope = Scope::new("last-piece", r#"{"steps":[{"chunks":["all"],"chunkEveryMs":600000}]}"#);
    assert_eq!(scope.get("/api/chat").chunks(), ["all", ""]);
}

#[test]
fn scripted_times_are_divided_by_the_time_scale() {
    let [host, _] = start(1000.0);
    let scope = Scope::on(&host, "slow", r#"{"steps":[{"status":504,"delayMs":230000}]}"#);
    let begun = Instant::now();
    assert_eq!(scope.get("/api/chat").status(), 504);
    assert!(begun.elapsed() >= Duration::from_millis(230), "{:?}", begun.elapsed());
    assert!(begun.elapsed() < Duration::from_secs(23), "{:?}", begun.elapsed());
    let entry = &scope.account()["requests"][0];
    let took = entry["endedMs"].as_f64().unwrap() - entry["atMs"].as_f64().unwrap();
    assert!((230.0..23_000.0).contains(&took), "logged times are real: {took}");
}

#[test]
fn the_query_of_a_request_scripts_it() {
    let scope = Scope::new("query", r#"{"steps":[{"status":503}]}"#);
    let reply = scope.get("/api/chat?status=429&retry-after=2&header=x-a:%20b&times=1");
    assert_eq!((reply.status(), reply.header("retry-after"), reply.header("x-a")), (429, Some("2"), Some("b")));
    let again = scope.get("/api/chat?status=429&retry-after=2&header=x-a:%20b&times=1");
    assert_eq!(again.status(), 503, "used up: the script's own steps go on");
    assert!(scope.get("/api/chat?drop=rst-before-headers").reset);
    assert_eq!(statuses(&scope, "/api/chat?status=502", 3), [502, 502, 502]);
}

#[test]
fn a_mistake_in_the_query_is_named() {
    let scope = Scope::new("query-mistake", "");
    for (query, named) in [
        ("status=much", "status"),
        ("status=99", "status"),
        ("drop=now", "drop"),
        ("cors=no", "cors"),
        ("header=x", "header"),
    ] {
        let reply = scope.get(&format!("/api/chat?{query}"));
        assert_eq!(reply.status(), 400, "{query}");
        assert!(reply.json()["error"].as_str().unwrap().contains(&format!("`{named}`")), "{query}: {}", reply.raw);
    }
}
