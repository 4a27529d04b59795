//! Every case of the shared header vectors, through the public readers. What the fields of a case
//! mean stands in the `about` of each file.
#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

use serde_json::{Map, Value, json};
use steadfetch::policy::fields::Fields;
use steadfetch::policy::rate_limit::rate_limit;
use steadfetch::policy::retry_after::retry_after_ms;

/// The `headers` of a case: names in the case they were seen in.
struct Headers<'a>(&'a Map<String, Value>);

impl Fields for Headers<'_> {
    fn field(&self, name: &str) -> Option<String> {
        let (_, value) = self.0.iter().find(|(seen, _)| seen.eq_ignore_ascii_case(name))?;
        value.as_str().map(str::to_owned)
    }
}

/// Runs all cases of a file; `check` says what was read instead, if that is wrong.
fn check_all(file: &str, check: fn(&Value, &Headers, i64) -> Option<Value>) {
    let file: Value = serde_json::from_str(file).unwrap();
    let cases = file["cases"].as_array().unwrap();
    assert!(cases.len() > 100);
    let mut wrong = String::new();
    for case in cases {
        let headers = Headers(case["headers"].as_object().unwrap());
        if let Some(read) = check(case, &headers, case["nowMs"].as_i64().unwrap()) {
            wrong += &format!(
                "\n{} {}\n  wanted {} {}\n  read   {read}",
                case["id"], case["headers"], case["want"], case["wantByUnit"]
            );
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn every_retry_after_case_gives_its_answer() {
    check_all(include_str!("vectors/retry_after.json"), |case, headers, now_ms| {
        let read = retry_after_ms(headers, now_ms);
        let right = match case["wantKind"].as_str().unwrap() {
            "exact" => json!(read) == case["want"],
            "atLeast" => read.is_some_and(|ms| ms as f64 >= case["want"].as_f64().unwrap()),
            other => panic!("unknown wantKind {other}"),
        };
        (!right).then(|| json!(read))
    });
}

#[test]
fn every_rate_limit_case_gives_its_answer() {
    check_all(include_str!("vectors/ratelimit.json"), |case, headers, now_ms| {
        let read = json!(rate_limit(headers, now_ms));
        let right = match case["support"].as_str().unwrap() {
            "core" => read == wanted(&case["want"], &Value::Null),
            "ai" => read == wanted(&case["want"], &case["wantByUnit"]),
            "optional" => read.is_null() || read == wanted(&case["want"], &Value::Null),
            other => panic!("unknown support {other}"),
        };
        (!right).then_some(read)
    });
}

/// What `readRateLimit` answers where the vectors want this: the same in our names and in
/// milliseconds.
fn wanted(want: &Value, by_unit: &Value) -> Value {
    let units: Map<String, Value> =
        by_unit.as_object().into_iter().flatten().map(|(name, unit)| (name.clone(), counters(unit))).collect();
    if want.is_null() && units.is_empty() {
        return Value::Null;
    }
    let mut all = counters(want);
    all["policy"] = match want["policy"].as_array() {
        Some(policies) => policies.iter().map(policy).collect(),
        None => Value::Null,
    };
    if !units.is_empty() {
        all["units"] = units.into();
    }
    all
}

fn counters(want: &Value) -> Value {
    json!({
        "limit": want["limit"],
        "remaining": want["remaining"],
        "resetMs": milliseconds(&want["resetSeconds"]),
    })
}

fn policy(want: &Value) -> Value {
    json!({ "name": want["name"], "limit": want["q"], "windowMs": milliseconds(&want["w"]) })
}

fn milliseconds(seconds: &Value) -> Value {
    json!(seconds.as_f64().map(|seconds| (seconds * 1000.0).round() as u64))
}
