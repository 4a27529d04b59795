//! The bindings. Everything that touches what a caller passed is guarded on the JavaScript side: an import that throws
//! leaves the caller's promise to the care of `engine.js`, which takes the instance for dead.
//!
//! Answers, errors, listeners and promises stay in the [`Call`] on the JavaScript side. Where only the call and numbers
//! cross, an import needs no glue, and nothing of the caller's must be let go of on every way out of the flow. So a number
//! that is not there is negative or NaN here, and a truth that goes out is 0 or 1.

use crate::policy::fields::Fields;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/src/browser/request.js")]
extern "C" {
    /// One call, taken apart by `takeCall`.
    pub type Call;

    /// The headers that decide something, or undefined where there are none.
    #[wasm_bindgen(method, getter)]
    pub fn deciding(this: &Call) -> JsValue;
    /// The last answer.
    #[wasm_bindgen(method, getter)]
    pub fn answer(this: &Call) -> JsValue;
    #[wasm_bindgen(js_name = monotonicNow)]
    pub fn monotonic_now() -> f64;
}

#[wasm_bindgen(module = "/src/browser/options.js")]
extern "C" {
    /// Writes the caller's numbers into `out`, in the order of [`Plan::numbers`](crate::policy::plan::Plan::numbers).
    pub fn wishes(call: &Call, out: &mut [f64]);
    #[wasm_bindgen(js_name = statusesOf)]
    pub fn statuses_of(call: &Call) -> Option<Vec<u16>>;
    pub fn traits(call: &Call) -> u32;
}

#[wasm_bindgen(module = "/src/browser/waits.js")]
extern "C" {
    pub fn prepare(call: &Call, sent: u32, left_ms: f64) -> u32;
    pub fn send(call: &Call, limit_ms: f64) -> u32;
    pub fn sleep(call: &Call, ms: f64) -> u32;
    pub fn peek(call: &Call, limit_ms: f64, json_only: u32) -> u32;
}

#[wasm_bindgen(module = "/src/browser/watch.js")]
extern "C" {
    #[wasm_bindgen(js_name = asleepMs)]
    pub fn asleep_ms(mono: f64) -> f64;
}

#[wasm_bindgen(module = "/src/browser/calls.js")]
extern "C" {
    #[allow(clippy::too_many_arguments)] // one crossing instead of ten
    pub fn end(
        call: &Call,
        how: u32,
        ms: f64,
        total_ms: f64,
        waited_ms: f64,
        stop: u32,
        retry_after_ms: f64,
        retry_after_hidden: u32,
        page: i32,
        last_status: i32,
    );
}

#[wasm_bindgen(module = "/src/browser/attempt.js")]
extern "C" {
    pub fn aborted(call: &Call) -> bool;
    #[wasm_bindgen(js_name = wasStopped)]
    pub fn was_stopped(call: &Call) -> bool;
}

#[wasm_bindgen(module = "/src/browser/answer.js")]
extern "C" {
    pub fn text(of: &JsValue, name: &str) -> Option<String>;
    #[wasm_bindgen(js_name = statusOf)]
    pub fn status_of(answer: &JsValue) -> i32;
    pub fn field(from: &JsValue, name: &str) -> Option<String>;
    pub fn discard(call: &Call);
    #[wasm_bindgen(js_name = errorPart)]
    pub fn error_part(call: &Call, name: &str) -> Option<String>;
    #[wasm_bindgen(js_name = refusesDigest)]
    pub fn refuses_digest(call: &Call) -> bool;
}

#[wasm_bindgen(module = "/src/browser/page.js")]
extern "C" {
    /// The page that answered a call for data, in the order of [`Page`](crate::policy::page::Page); -1 for none.
    #[wasm_bindgen(js_name = pageNumber)]
    pub fn page_number(call: &Call) -> i32;
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
    #[allow(clippy::too_many_arguments)] // one crossing instead of eight
    #[wasm_bindgen(js_name = addAttempt)]
    pub fn add_attempt(
        call: &Call,
        started_ms: f64,
        elapsed_ms: f64,
        allowed_ms: f64,
        status: i32,
        fault: u32,
        suspended: u32,
        wait_ms: f64,
        decision: u32,
    );
    #[wasm_bindgen(js_name = shouldRetry)]
    pub fn should_retry(call: &Call, attempt: u32, elapsed_ms: f64, status: i32) -> i32;
    #[wasm_bindgen(js_name = onRetry)]
    pub fn on_retry(
        call: &Call,
        attempt: u32,
        elapsed_ms: f64,
        status: i32,
        delay_ms: f64,
        retry_after_ms: f64,
        reason: u32,
    );
}

#[wasm_bindgen(module = "/src/browser/endpoints.js")]
extern "C" {
    /// NaN while it is not known.
    #[wasm_bindgen(js_name = medianMs)]
    pub fn median_ms(call: &Call) -> f64;
}

#[wasm_bindgen(module = "/src/browser/page_state.js")]
extern "C" {
    #[wasm_bindgen(js_name = loadEntry)]
    pub fn load_entry(call: &Call, shelf: u32, out: &mut [f64]) -> bool;
    #[wasm_bindgen(js_name = saveEntry)]
    pub fn save_entry(call: &Call, shelf: u32, numbers: &[f64]);
    #[wasm_bindgen(js_name = dropEntry)]
    pub fn drop_entry(call: &Call, shelf: u32);
}

#[wasm_bindgen(module = "/src/browser/lifecycle.js")]
extern "C" {
    pub fn offline() -> bool;
    #[wasm_bindgen(js_name = cameOnline)]
    pub fn came_online(call: &Call) -> u32;
}

#[wasm_bindgen(module = "/src/browser/tabs.js")]
extern "C" {
    #[wasm_bindgen(js_name = heardFromTabs)]
    pub fn heard_from_tabs(call: &Call) -> f64;
    #[wasm_bindgen(js_name = tellTabs)]
    pub fn tell_tabs(call: &Call, left_ms: f64);
}

#[wasm_bindgen(module = "/src/browser/events.js")]
extern "C" {
    #[wasm_bindgen(js_name = announceCoolDown)]
    pub fn announce_cool_down(call: &Call, until_ms: f64);
    #[wasm_bindgen(js_name = announceCircuit)]
    pub fn announce_circuit(call: &Call, from: u32, to: u32);
    #[wasm_bindgen(js_name = announceBudget)]
    pub fn announce_budget(call: &Call, change: u32, left: f64);
}

#[wasm_bindgen(module = "/src/browser/warn.js")]
extern "C" {
    pub fn warn(text: &str);
}
