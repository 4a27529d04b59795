//! The bindings. Everything that touches what a caller passed is guarded on the JavaScript side or `catch` here: an
//! import that throws otherwise leaves the caller's promise pending for ever.

use crate::policy::fields::Fields;
use js_sys::{Array, Function, Promise};
use wasm_bindgen::prelude::*;

/// What [`status_of`] says of something that is no answer at all.
pub const NO_ANSWER: i32 = -2;
/// `Call.body`: can be sent once only.
pub const BODY_ONCE: u32 = 1;
/// `Call.body`: must be read into a copy to be sent again.
pub const BODY_COPY: u32 = 2;

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
    pub fn deciding(this: &Call) -> JsValue;

    #[allow(clippy::too_many_arguments)] // one crossing instead of eight
    #[wasm_bindgen(catch)]
    pub fn prepare(
        call: &Call,
        sent: u32,
        wants_digest: bool,
        copies_body: bool,
        key_name: Option<&str>,
        key: Option<&str>,
        deadline_name: Option<&str>,
        left_ms: f64,
    ) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(js_name = sameOrigin)]
    pub fn same_origin(call: &Call) -> bool;
}

#[wasm_bindgen(module = "/src/browser/attempt.js")]
extern "C" {
    pub fn listen(call: &Call, ring: &JsValue);
    pub fn unlisten(call: &Call, ring: &JsValue);
    pub fn aborted(call: &Call) -> bool;
    #[wasm_bindgen(js_name = reasonOf)]
    pub fn reason_of(call: &Call) -> JsValue;
    pub fn send(call: &Call, we_may_stop: bool) -> Promise;
    pub fn stop(call: &Call, reason: &JsValue);
    #[wasm_bindgen(js_name = handOver)]
    pub fn hand_over(call: &Call, answer: &JsValue, total_ms: f64, left_ms: Option<f64>);
}

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

/// Headers of anything that has headers: a Response, Headers, a Headers-like or a record.
pub struct HeadersOf<'a>(pub &'a JsValue);

impl Fields for HeadersOf<'_> {
    fn field(&self, name: &str) -> Option<String> {
        field(self.0, name)
    }
}

#[wasm_bindgen(module = "/src/browser/accounts.js")]
extern "C" {
    /// An account as it is kept.
    pub type Kept;

    #[allow(clippy::too_many_arguments)] // one crossing instead of eight
    #[wasm_bindgen(js_name = addAttempt)]
    pub fn add_attempt(
        call: &Call,
        started_ms: f64,
        elapsed_ms: f64,
        allowed_ms: Option<f64>,
        status: Option<u16>,
        error: Option<&str>,
        suspended: bool,
        wait_ms: Option<f64>,
        decision: &str,
    );
    #[allow(clippy::too_many_arguments)] // one crossing instead of eleven
    pub fn account(
        call: &Call,
        kind: &str,
        endpoint: Option<&str>,
        total_ms: f64,
        waited_ms: f64,
        stop: &str,
        retry_after_ms: Option<f64>,
        retry_after_hidden: bool,
        page: Option<&str>,
        last_status: Option<u16>,
        answer: &JsValue,
    ) -> Kept;
    pub fn remember(of: &JsValue, kept: &Kept);
    pub fn recall(of: &JsValue) -> Option<Kept>;
    pub fn finish(kept: &Kept, endpoint: &str, rate_limit: &JsValue, correlation_id: Option<&str>) -> JsValue;
    #[wasm_bindgen(method, getter)]
    pub fn url(this: &Kept) -> String;
    #[wasm_bindgen(method, getter)]
    pub fn answer(this: &Kept) -> JsValue;
    #[wasm_bindgen(method, getter, js_name = lastStatus)]
    pub fn last_status(this: &Kept) -> Option<u16>;
    #[wasm_bindgen(method, getter)]
    pub fn info(this: &Kept) -> Info;

    /// `CallInfo` of the public contract.
    pub type Info;
    #[wasm_bindgen(method, getter)]
    pub fn kind(this: &Info) -> String;
    #[wasm_bindgen(method, getter)]
    pub fn endpoint(this: &Info) -> Option<String>;
    #[wasm_bindgen(method, getter)]
    pub fn attempts(this: &Info) -> Array;
    #[wasm_bindgen(method, getter)]
    pub fn stop(this: &Info) -> String;
    #[wasm_bindgen(method, getter)]
    pub fn page(this: &Info) -> Option<String>;
    #[wasm_bindgen(method, getter, js_name = retryAfterMs)]
    pub fn retry_after_ms(this: &Info) -> Option<f64>;

    #[allow(clippy::too_many_arguments)] // one crossing instead of eleven
    pub fn event(
        call: &Call,
        kind: &str,
        endpoint: &str,
        attempt: u32,
        elapsed_ms: f64,
        status: Option<u16>,
        answer: &JsValue,
        error: &JsValue,
        delay_ms: f64,
        retry_after_ms: Option<f64>,
        reason: Option<&str>,
    ) -> JsValue;
    /// Calls a listener of the caller's, whatever it does.
    pub fn tell(listener: &Function, argument: &JsValue) -> JsValue;
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
}
