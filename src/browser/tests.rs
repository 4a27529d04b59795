//! The crate's own exports in a real browser, before any packaging: one call of each kind through the shell, with a
//! stub for a transport. `cargo xtask test chrome firefox` runs them; the built package is tested in `tests/browser/`.

// clippy.toml allows it in tests, and does not see that these are.
#![allow(clippy::unwrap_used)]

use super::js::Call;
use super::{key, task};
use crate::ai_fetch::ai_fetch;
use crate::sp_fetch::sp_fetch;
use gloo_timers::future::TimeoutFuture;
use js_sys::{Array, Function, Object, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, future_to_promise};
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::AbortController;

#[wasm_bindgen(module = "/src/browser/request.js")]
extern "C" {
    #[wasm_bindgen(js_name = takeCall, catch)]
    fn take_call(kind: &str, input: &str, init: &JsValue) -> Result<Call, JsValue>;
}

#[wasm_bindgen(module = "/src/browser/calls.js")]
extern "C" {
    fn begin(exports: &JsValue, call: Call, settled: JsValue);
}

#[wasm_bindgen(module = "/src/browser/ask.js")]
extern "C" {
    #[wasm_bindgen(js_name = useEngine)]
    fn use_engine(ask: JsValue);
}

#[wasm_bindgen(module = "/src/browser/stead_error.js")]
extern "C" {
    #[wasm_bindgen(js_name = isSteadError)]
    fn is_stead_error(value: &JsValue, code: &str) -> bool;
}

// The test runner brings along only what Rust names, and endpoints.js imports this one.
#[wasm_bindgen(module = "/src/browser/histogram.js")]
extern "C" {
    #[wasm_bindgen(js_name = stepOf)]
    fn step_of(ms: f64) -> u32;
}

/// A transport that answers with these statuses in turn, and writes down what it was sent.
fn transport(statuses: &[u16], seen: &Array) -> Function {
    let statuses: Array = statuses.iter().map(|status| JsValue::from(*status)).collect();
    let stub = Function::new_with_args(
        "statuses, seen, url, init",
        "seen.push([url, init]); return Promise.resolve(new Response(null, { status: statuses.shift() }));",
    );
    stub.bind2(&JsValue::UNDEFINED, &statuses, seen).unchecked_into()
}

async fn call(kind: &str, method: &str, statuses: &[u16]) -> (Result<JsValue, JsValue>, Array) {
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
    (run(kind, init.into()).await, seen)
}

/// What `engine.js` does in the package.
async fn run(kind: &str, init: JsValue) -> Result<JsValue, JsValue> {
    let exports = Object::new();
    set(&exports, "spFetch", &Closure::<dyn FnMut(Call, f64, f64, f64) -> u32>::new(sp_fetch).into_js_value());
    set(&exports, "aiFetch", &Closure::<dyn FnMut(Call, f64, f64, f64) -> u32>::new(ai_fetch).into_js_value());
    set(&exports, "resume", &Closure::<dyn FnMut(u32, u32, f64, f64, f64)>::new(task::resume).into_js_value());
    use_engine(
        Closure::<dyn FnMut(String, JsValue) -> JsValue>::new(|name, otherwise| match name {
            name if name == "mintKey" => key::mint().into(),
            _ => otherwise,
        })
        .into_js_value(),
    );
    let call = take_call(kind, "/_api/web", &init)?;
    let promise = Promise::new(&mut |resolve, reject| {
        let settled = Closure::once_into_js(move |ok: bool, value: JsValue| {
            let _ = if ok { resolve } else { reject }.call1(&JsValue::UNDEFINED, &value);
        });
        begin(&exports, call.clone().unchecked_into(), settled);
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
    let (answer, seen) = call("sp", "get", &[502, 200]).await;
    assert_eq!((get(&answer.unwrap(), "status"), seen.length()), (200.into(), 2));
    let (answer, seen) = call("sp", "POST", &[502, 200]).await;
    assert_eq!((get(&answer.unwrap(), "status"), seen.length()), (502.into(), 1));
}

#[wasm_bindgen_test]
async fn an_ai_call_repeats_what_failed_fast_under_one_key() {
    let (answer, seen) = call("ai", "POST", &[502, 200]).await;
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
    let error = run("sp", init.into()).await.unwrap_err();
    assert!(is_stead_error(&error, "EOPTION"));
    assert_eq!(seen.length(), 0);
}

#[wasm_bindgen_test]
fn a_time_is_counted_in_the_step_that_holds_it() {
    assert!(step_of(1.0) < step_of(1.1));
    assert_eq!(step_of(1.0), step_of(1.01));
}

#[wasm_bindgen_test]
async fn a_wait_lasts_at_least_as_long_as_the_server_said() {
    let stub = Function::new_with_args(
        "sends, url, init",
        "sends.push(init); return Promise.resolve(sends.length > 1 ? new Response() : \
         new Response(null, { status: 503, headers: { 'retry-after-ms': '80' } }));",
    );
    let (sends, init) = (Array::new(), Object::new());
    set(&init, "fetch", &stub.bind1(&JsValue::UNDEFINED, &sends));
    let early = TimeoutFuture::new(70);
    let call = future_to_promise(async move { run("sp", init.into()).await });
    early.await;
    assert_eq!(sends.length(), 1);
    assert_eq!(get(&JsFuture::from(call).await.unwrap(), "status"), JsValue::from(200));
    assert_eq!(sends.length(), 2);
}

#[wasm_bindgen_test]
async fn an_abort_during_a_wait_ends_the_call_with_the_callers_reason() {
    let (seen, init) = (Array::new(), Object::new());
    let controller = AbortController::new().unwrap();
    set(&init, "fetch", &transport(&[503, 200], &seen));
    set(&init, "signal", &controller.signal());
    let abort = Closure::once_into_js(move || controller.abort_with_reason(&"enough".into()));
    set(&init, "onRetry", &abort);
    assert_eq!(run("sp", init.into()).await.unwrap_err(), JsValue::from("enough"));
    assert_eq!(seen.length(), 1);
}
