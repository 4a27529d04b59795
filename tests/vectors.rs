//! Every case of the shared header vectors, through the public readers. What the fields of a case
//! mean stands in the `about` of each file.
#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use steadfetch::policy::fields::Fields;
use steadfetch::policy::rate_limit::rate_limit;
use steadfetch::policy::retry_after::retry_after_ms;
use steadfetch::telemetry::normalize_url::{Query, Sites, host, normalize_url};

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

/// Runs all cases of the addresses.
fn check_urls(check: impl Fn(&Value, &str) -> Result<(), String>) {
    let file: Value = serde_json::from_str(include_str!("vectors/urls.json")).unwrap();
    let cases = file["cases"].as_array().unwrap();
    assert!(cases.len() > 200);
    let wrong: String = cases
        .iter()
        .filter_map(|case| {
            let url = case["url"].as_str().unwrap();
            let wrong = check(case, url).err()?;
            let start: String = url.chars().take(300).collect();
            Some(format!("\n{} {start}\n  {wrong}", case["id"].as_str().unwrap()))
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong}");
}

fn same(read: &str, want: &Value) -> Result<(), String> {
    let want = want.as_str().unwrap_or_default();
    let same = canonical(read) == canonical(want);
    if same { Ok(()) } else { Err(format!("wanted {want}\n  read   {read}")) }
}

/// What the vectors leave open, as their `comparison` says.
fn canonical(template: &str) -> String {
    let mut text = template.to_lowercase();
    for (from, to) in [("%20", " "), ("%2c", ","), ("%24", "$"), (", ", ","), ("'{s}'", "{s}"), ("'{id}'", "{id}")] {
        text = text.replace(from, to);
    }
    for prefix in ["guid", "datetime"] {
        text = text.replace(&format!("{prefix}{{"), "{");
    }
    text
}

/// Another template is just as good, or the case says itself that it is not sure.
fn is_open(case: &Value) -> bool {
    !case["disputable"].is_null() || case["sure"] == "low"
}

#[test]
fn no_address_tells_what_must_not_be_told() {
    check_urls(|case, url| {
        let all = [Query::Drop, Query::Names, Query::Shape].map(|query| normalize_url(url, query, Sites::Hide));
        let told = format!("{}\n{}", all.join("\n"), host(url)).to_lowercase();
        let secrets = case["mustNotContain"].as_array().into_iter().flatten();
        let mut seen = secrets.filter(|secret| told.contains(&secret.as_str().unwrap().to_lowercase()));
        seen.next().map_or(Ok(()), |secret| Err(format!("{secret} is in\n{told}")))
    });
}

#[test]
fn addresses_of_one_group_have_one_template() {
    let file: Value = serde_json::from_str(include_str!("vectors/urls.json")).unwrap();
    let mut groups: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for case in file["cases"].as_array().unwrap() {
        if let Some(group) = case["group"].as_str() {
            let template = normalize_url(case["url"].as_str().unwrap(), Query::Drop, Sites::Hide);
            groups.entry(group).or_default().insert(template.to_lowercase());
        }
    }
    assert!(groups.len() > 10);
    groups.retain(|_, templates| templates.len() > 1);
    assert!(groups.is_empty(), "{groups:#?}");
}

#[test]
fn every_path_is_told_as_it_is_stated() {
    check_urls(
        |case, url| {
            if is_open(case) { Ok(()) } else { same(&normalize_url(url, Query::Drop, Sites::Hide), &case["path"]) }
        },
    );
}

#[test]
fn every_query_is_told_as_it_is_stated() {
    check_urls(|case, url| {
        let told = normalize_url(url, Query::Shape, Sites::Hide);
        let query = told.split_once('?').map_or("", |(_, query)| query);
        if is_open(case) { Ok(()) } else { same(query, &case["query"]) }
    });
}

#[test]
fn every_host_is_told_as_it_is_stated() {
    check_urls(|case, url| same(&host(url), &case["host"]));
}
