//! The crate's own exports in a real browser, before any packaging: one call of each kind through the shell, with a
//! stub for a transport. `cargo xtask test chrome firefox` runs them; the built package is tested in `tests/browser/`.

// clippy.toml allows it in tests, and does not see that these are.
#![allow(clippy::unwrap_used)]

use crate::ai_fetch::ai_fetch;
use crate::sp_fetch::sp_fetch;
use js_sys::{Array, Function, Object, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::wasm_bindgen_test;

// The test runner brings along only what Rust names, and endpoints.js imports this one.
#[wasm_bindgen(module = "/src/browser/histogram.js")]
extern "C" {
    #[wasm_bindgen(js_name = stepOf)]
    fn step_of(ms: f64) -> u32;
}

type Export = fn(JsValue, JsValue, JsValue, Function);

/// A transport that answers with these statuses in turn, and writes down what it was sent.
fn transport(statuses: &[u16], seen: &Array) -> Function {
    let statuses: Array = statuses.iter().map(|status| JsValue::from(*status)).collect();
    let stub = Function::new_with_args(
        "statuses, seen, url, init",
        "seen.push([url, init]); return Promise.resolve(new Response(null, { status: statuses.shift() }));",
    );
    stub.bind2(&JsValue::UNDEFINED, &statuses, seen).unchecked_into()
}

async fn call(export: Export, method: &str, statuses: &[u16]) -> (Result<JsValue, JsValue>, Array) {
    let seen = Array::new();
    let init = Object::new();
    let backoff = Object::new();
    set(&backoff, "baseMs", &0.into());
    for (name, value) in [
        ("method", &JsValue::from(method)),
        ("fetch", &transport(statuses, &seen)),
        ("backoff", &backoff),
        ("retryStatuses", &[429u16, 502].iter().map(|status| JsValue::from(*status)).collect::<Array>()),
        ("minAttemptMs", &0.into()),
    ] {
        set(&init, name, value);
    }
    (run(export, init.into()).await, seen)
}

async fn run(export: Export, init: JsValue) -> Result<JsValue, JsValue> {
    let promise = Promise::new(&mut |resolve, reject| {
        let settle = Closure::once_into_js(move |ok: bool, value: JsValue| {
            let _ = if ok { resolve } else { reject }.call1(&JsValue::UNDEFINED, &value);
        });
        export("/_api/web".into(), init.clone(), JsValue::UNDEFINED, settle.unchecked_into());
    });
    JsFuture::from(promise).await
}

fn set(object: &Object, name: &str, value: &JsValue) {
    Reflect::set(object, &name.into(), value).unwrap();
}

fn get(value: &JsValue, name: &str) -> JsValue {
    Reflect::get(value, &name.into()).unwrap()
}

#[wasm_bindgen_test]
async fn a_read_is_repeated_and_a_write_is_not() {
    let (answer, seen) = call(sp_fetch, "get", &[502, 200]).await;
    assert_eq!((get(&answer.unwrap(), "status"), seen.length()), (200.into(), 2));
    let (answer, seen) = call(sp_fetch, "POST", &[502, 200]).await;
    assert_eq!((get(&answer.unwrap(), "status"), seen.length()), (502.into(), 1));
}

#[wasm_bindgen_test]
async fn an_ai_call_repeats_what_failed_fast_under_one_key() {
    let (answer, seen) = call(ai_fetch, "POST", &[502, 200]).await;
    assert_eq!((get(&answer.unwrap(), "status"), seen.length()), (200.into(), 2));
    let key = |at| get(&get(&get(&seen, at), "1"), "headers");
    let keys = [key("0"), key("1")].map(|headers| get(&headers, "Idempotency-Key").as_string());
    assert_eq!(keys[0], keys[1]);
    assert_eq!(keys[0].as_ref().map(String::len), Some(36));
}

#[wasm_bindgen_test]
async fn a_wrong_option_rejects_before_anything_is_sent() {
    let seen = Array::new();
    let init = Object::new();
    set(&init, "maxRetries", &f64::NAN.into());
    set(&init, "fetch", &transport(&[200], &seen));
    let error = run(sp_fetch, init.into()).await.unwrap_err();
    assert_eq!(get(&error, "code"), JsValue::from("EOPTION"));
    assert_eq!(seen.length(), 0);
}

#[wasm_bindgen_test]
fn a_time_is_counted_in_the_step_that_holds_it() {
    assert!(step_of(1.0) < step_of(1.1));
    assert_eq!(step_of(1.0), step_of(1.01));
}
