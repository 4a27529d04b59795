//! Faults by chance over whole runs of calls.

use crate::client::{ITEMS, Scope};

const FAULTS: &str = r#"{"random":{"seed":SEED,"share":0.333,"match":{"method":"POST"},"faults":[
    {"step":{"status":429}},
    {"step":{"status":503,"apply":true}},
    {"step":{"drop":"rst-before-headers","apply":true}}]}}"#;

/// How each of 300 POSTs ended: its status, or 0 for a lost answer.
fn run(name: &str, seed: &str) -> (Vec<u16>, Scope) {
    let scope = Scope::new(name, &FAULTS.replace("SEED", seed));
    let post = |call| {
        let reply = scope.send(&format!("POST {ITEMS}?call={call}"), &[], r#"{"Title":"a"}"#);
        if reply.reset { 0 } else { reply.status() }
    };
    ((0..300).map(post).collect(), scope)
}

#[test]
fn a_run_repeats_itself_by_its_seed() {
    let (first, scope) = run("random-1", "11");
    assert_eq!(first, run("random-2", "11").0);
    assert_ne!(first, run("random-3", "12").0);
    let count = |status| first.iter().filter(|end| **end == status).count();
    for status in [0, 429, 503] {
        assert!((15..60).contains(&count(status)), "{status}: {}", count(status));
    }
    assert_eq!(scope.count("Orders") as usize, 300 - count(429), "all but the refused are in the list");
}

#[test]
fn a_call_gets_through_after_as_many_faults_as_allowed() {
    let scope = Scope::new(
        "random-row",
        r#"{"random":{"seed":1,"share":1,"maxInARow":2,"faults":[{"step":{"status":429}},{"maxPerCall":1,"step":{"drop":"before-headers"}}]}}"#,
    );
    for call in 0..20 {
        let get = || scope.get(&format!("/api/chat?call={call}"));
        let faults = [get(), get()];
        assert!(faults.iter().all(|reply| reply.raw.is_empty() || reply.status() == 429), "{call}");
        assert!(faults.iter().filter(|reply| reply.raw.is_empty()).count() <= 1, "{call}");
        assert_eq!(get().status(), 200, "{call}");
    }
}
