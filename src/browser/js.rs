//! The bindings: everything that touches what a caller passed is `catch`, since an import that throws without it
//! would leave the caller's promise pending for ever.

use js_sys::{Array, Function, Promise};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/src/browser/request.js")]
extern "C" {
    /// One call, taken apart by `takeCall`.
    #[derive(Clone)]
    pub type Call;

    #[wasm_bindgen(js_name = takeCall, catch)]
    pub fn take_call(input: &JsValue, init: &JsValue, defaults: &JsValue) -> Result<Call, JsValue>;
    #[wasm_bindgen(method, getter)]
    pub fn options(this: &Call) -> JsValue;
    #[wasm_bindgen(method, getter)]
    pub fn url(this: &Call) -> String;
    #[wasm_bindgen(method, getter)]
    pub fn method(this: &Call) -> String;
    #[wasm_bindgen(method, getter)]
    pub fn signal(this: &Call) -> JsValue;
    #[wasm_bindgen(method, getter)]
    pub fn body(this: &Call) -> u32;
    #[wasm_bindgen(method, getter)]
    pub fn headers(this: &Call) -> JsValue;
    #[wasm_bindgen(method, getter)]
    pub fn deciding(this: &Call) -> JsValue;
    #[wasm_bindgen(method, getter)]
    pub fn key(this: &Call) -> Option<String>;

    #[wasm_bindgen(catch)]
    pub fn dress(
        call: &Call,
        made: &JsValue,
        digest: &JsValue,
        key_name: Option<&str>,
        key: Option<&str>,
        deadline_name: Option<&str>,
        left_ms: f64,
    ) -> Result<(), JsValue>;
    #[wasm_bindgen(js_name = copyBody)]
    pub fn copy_body(call: &Call) -> Promise;
    pub fn send(call: &Call, signal: &JsValue) -> Promise;
    #[wasm_bindgen(js_name = sameOrigin)]
    pub fn same_origin(url: &str) -> bool;
}

/// What [`status_of`] says of something that is no answer at all.
pub const NO_ANSWER: i32 = -2;

#[wasm_bindgen(module = "/src/browser/answer.js")]
extern "C" {
    /// A look into a copy of an error's body.
    pub type Peek;

    pub fn member(of: &JsValue, name: &str) -> JsValue;
    #[wasm_bindgen(js_name = statusOf)]
    pub fn status_of(answer: &JsValue) -> i32;
    pub fn field(from: &JsValue, name: &str) -> Option<String>;
    #[wasm_bindgen(js_name = errorName)]
    pub fn error_name(error: &JsValue) -> String;
    pub fn discard(answer: &JsValue);
    #[wasm_bindgen(js_name = peekText)]
    pub fn peek_text(answer: &JsValue) -> Peek;
    #[wasm_bindgen(method, getter)]
    pub fn text(this: &Peek) -> Promise;
    #[wasm_bindgen(method)]
    pub fn stop(this: &Peek);
    #[wasm_bindgen(js_name = jsonError)]
    pub fn json_error(text: &JsValue) -> Option<Array>;
    #[wasm_bindgen(js_name = refusesDigest)]
    pub fn refuses_digest(text: &JsValue) -> bool;
}

#[wasm_bindgen(module = "/src/browser/stead_error.js")]
extern "C" {
    #[wasm_bindgen(js_name = wrongOption)]
    pub fn wrong_option(name: &str, allowed: &str, value: &JsValue) -> JsValue;
    #[wasm_bindgen(js_name = timeoutError)]
    pub fn timeout_error(limit_ms: f64, status: Option<u16>, retry_after_ms: Option<f64>, cause: &JsValue) -> JsValue;
    #[wasm_bindgen(js_name = isSteadError)]
    pub fn is_stead_error(error: &JsValue) -> bool;
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance, js_name = now, catch)]
    pub fn performance_now() -> Result<f64, JsValue>;
    #[wasm_bindgen(js_namespace = AbortSignal, js_name = any, catch)]
    pub fn any_signal(signals: &Array) -> Result<JsValue, JsValue>;

    /// A caller's signal: an `AbortSignal` of any realm, or something that behaves like one.
    #[derive(Clone)]
    pub type Signal;
    #[wasm_bindgen(method, getter, catch)]
    pub fn aborted(this: &Signal) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, catch)]
    pub fn reason(this: &Signal) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, js_name = addEventListener, catch)]
    pub fn add_event_listener(this: &Signal, kind: &str, listener: &Function) -> Result<(), JsValue>;
    #[wasm_bindgen(method, js_name = removeEventListener, catch)]
    pub fn remove_event_listener(this: &Signal, kind: &str, listener: &Function) -> Result<(), JsValue>;
}

#[wasm_bindgen(module = "/src/browser/follow.js")]
extern "C" {
    /// Passes the caller's abort on to a body that is still streaming, where `AbortSignal.any` is missing.
    pub fn follow(signal: &Signal, controller: &web_sys::AbortController, answer: &JsValue);
}

#[wasm_bindgen(module = "/src/browser/accounts.js")]
extern "C" {
    /// An account as it is kept.
    pub type Note;

    pub fn note(numbers: &[f64], errors: &str, call: &Call, endpoint: Option<&str>, answer: &JsValue) -> Note;
    pub fn remember(of: &JsValue, note: &Note);
    pub fn recall(of: &JsValue) -> Option<Note>;
    #[wasm_bindgen(method, getter)]
    pub fn numbers(this: &Note) -> Vec<f64>;
    #[wasm_bindgen(method, getter)]
    pub fn errors(this: &Note) -> String;
    #[wasm_bindgen(method, getter)]
    pub fn url(this: &Note) -> String;
    #[wasm_bindgen(method, getter)]
    pub fn method(this: &Note) -> String;
    #[wasm_bindgen(method, getter)]
    pub fn key(this: &Note) -> Option<String>;
    #[wasm_bindgen(method, getter)]
    pub fn endpoint(this: &Note) -> Option<String>;
    #[wasm_bindgen(method, getter)]
    pub fn answer(this: &Note) -> JsValue;
}
