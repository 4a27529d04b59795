//! The bindings. Everything that touches what a caller passed is guarded on the JavaScript side or `catch` here: an
//! import that throws otherwise leaves the caller's promise pending for ever.
//!
//! Answers, errors and listeners stay in the [`Call`] on the JavaScript side. Where only the call and numbers cross, an
//! import needs no glue, and nothing of the caller's must be let go of on every way out of the flow.

use crate::policy::fields::Fields;
use js_sys::{Function, Promise};
use wasm_bindgen::prelude::*;

/// `Call.body`: can be sent once only.
pub const BODY_ONCE: u32 = 1;
/// `Call.body`: must be copied to be sent again unchanged.
pub const BODY_COPY: u32 = 2;

/// `keyWish`: the caller did not say.
pub const KEY_UNSAID: u32 = 0;
/// `keyWish`: the caller wants one of ours.
pub const KEY_MINT: u32 = 2;
/// `keyWish`: the caller gave one.
pub const KEY_GIVEN: u32 = 3;

#[wasm_bindgen(module = "/src/browser/request.js")]
extern "C" {
    /// One call, taken apart by `takeCall`.
    #[derive(Clone)]
    pub type Call;

    #[wasm_bindgen(js_name = takeCall, catch)]
    pub fn take_call(kind: &str, input: &JsValue, init: &JsValue, defaults: &JsValue) -> Result<Call, JsValue>;
    #[wasm_bindgen(method, getter)]
    pub fn options(this: &Call) -> Options;
    #[wasm_bindgen(method, getter)]
    pub fn url(this: &Call) -> String;
    #[wasm_bindgen(method, getter)]
    pub fn method(this: &Call) -> String;
    #[wasm_bindgen(method, getter)]
    pub fn signal(this: &Call) -> Option<web_sys::AbortSignal>;
    #[wasm_bindgen(method, getter)]
    pub fn body(this: &Call) -> u32;
    #[wasm_bindgen(method, getter)]
    pub fn deciding(this: &Call) -> JsValue;
    #[wasm_bindgen(method, getter)]
    pub fn answer(this: &Call) -> JsValue;
    #[wasm_bindgen(method, getter)]
    pub fn error(this: &Call) -> JsValue;
    /// There is a function that gives a form digest.
    #[wasm_bindgen(method, getter, js_name = hasDigest)]
    pub fn has_digest(this: &Call) -> bool;
    /// Somebody wants to be told at the end; known once the account is kept.
    #[wasm_bindgen(method, getter, js_name = wantsInfo)]
    pub fn wants_info(this: &Call) -> bool;
    #[wasm_bindgen(method, getter)]
    pub fn origin(this: &Call) -> String;

    #[wasm_bindgen(js_name = sameOrigin)]
    pub fn same_origin(call: &Call) -> bool;
    pub fn identify(call: &Call, endpoint: &str, keyed: bool, key: Option<&str>);
    pub fn prepare(call: &Call, sent: u32, reads: bool, copies_body: bool, left_ms: f64) -> Option<Promise>;
    #[wasm_bindgen(js_name = monotonicNow)]
    pub fn monotonic_now() -> f64;
}

#[wasm_bindgen(module = "/src/browser/options.js")]
extern "C" {
    #[wasm_bindgen(js_name = keyWish)]
    pub fn key_wish(options: &Options) -> u32;

    /// The caller's options, checked and sorted by `options.js`: reading them runs no code of the caller's.
    pub type Options;

    /// A number by its place in the list of options.js; NaN where it was not said.
    pub fn wish(options: &Options, index: u32) -> f64;
    #[wasm_bindgen(method, getter, js_name = retryStatuses)]
    pub fn retry_statuses(this: &Options) -> Option<Vec<u16>>;
}

#[wasm_bindgen(module = "/src/browser/attempt.js")]
extern "C" {
    pub fn listen(call: &Call, ring: &JsValue);
    pub fn unlisten(call: &Call, ring: &JsValue);
    pub fn aborted(call: &Call) -> bool;
    #[wasm_bindgen(js_name = reasonOf)]
    pub fn reason_of(call: &Call) -> JsValue;
    pub fn answered(call: &Call, answer: &JsValue) -> bool;
    pub fn failed(call: &Call, error: &JsValue);
    pub fn stop(call: &Call, limit_ms: Option<f64>);
    #[wasm_bindgen(js_name = wasStopped)]
    pub fn was_stopped(call: &Call) -> bool;
    #[wasm_bindgen(js_name = timedOut)]
    pub fn timed_out(call: &Call, limit_ms: f64, status: Option<u16>, retry_after_ms: Option<f64>) -> JsValue;
    pub fn refused(call: &Call, cooling_down: bool, ms: f64, status: Option<u16>) -> JsValue;
    pub fn later(resume: &JsValue, number: u32);
    #[wasm_bindgen(js_name = handOver)]
    pub fn hand_over(call: &Call, total_ms: f64, left_ms: Option<f64>) -> JsValue;
}

#[wasm_bindgen(module = "/src/browser/answer.js")]
extern "C" {
    pub fn text(of: &JsValue, name: &str) -> Option<String>;
    #[wasm_bindgen(js_name = statusOf)]
    pub fn status_of(answer: &JsValue) -> i32;
    pub fn field(from: &JsValue, name: &str) -> Option<String>;
    #[wasm_bindgen(js_name = errorName)]
    pub fn error_name(error: &JsValue) -> String;
    pub fn discard(call: &Call);
    pub fn peek(call: &Call) -> Promise;
    #[wasm_bindgen(method, js_name = stopPeek)]
    pub fn stop_peek(this: &Call);
    #[wasm_bindgen(js_name = errorPart)]
    pub fn error_part(json: &JsValue, name: &str) -> Option<String>;
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
    #[allow(clippy::too_many_arguments)] // one crossing instead of eight
    pub fn keep(
        call: &Call,
        value: &JsValue,
        total_ms: f64,
        waited_ms: f64,
        stop: &str,
        retry_after_ms: Option<f64>,
        retry_after_hidden: bool,
        page: Option<&str>,
        write: bool,
    ) -> Kept;
    pub fn send(call: &Call, we_may_stop: bool) -> Promise;
    pub fn recall(of: &JsValue) -> Option<Kept>;
    pub fn finish(kept: &Kept, rate_limit: &JsValue, correlation_id: Option<&str>) -> JsValue;
    #[wasm_bindgen(method, getter)]
    pub fn answer(this: &Kept) -> JsValue;

    #[wasm_bindgen(js_name = shouldRetry)]
    pub fn should_retry(call: &Call, attempt: u32, elapsed_ms: f64, status: Option<u16>) -> Option<bool>;
    #[wasm_bindgen(js_name = onRetry)]
    pub fn on_retry(
        call: &Call,
        attempt: u32,
        elapsed_ms: f64,
        status: Option<u16>,
        delay_ms: f64,
        retry_after_ms: Option<f64>,
        reason: &str,
    );
    #[wasm_bindgen(js_name = onDone)]
    pub fn on_done(call: &Call, info: &JsValue, host: &str);
}

#[wasm_bindgen(module = "/src/browser/endpoints.js")]
extern "C" {
    /// NaN while it is not known.
    #[wasm_bindgen(js_name = medianMs)]
    pub fn median_ms(call: &Call) -> f64;
}

#[wasm_bindgen(module = "/src/browser/page_state.js")]
extern "C" {
    #[wasm_bindgen(js_name = openEntry)]
    pub fn open_entry(call: &Call, shelf: u32) -> bool;
    #[wasm_bindgen(js_name = makeEntry)]
    pub fn make_entry(call: &Call, shelf: u32);
    #[wasm_bindgen(js_name = dropEntry)]
    pub fn drop_entry(call: &Call, shelf: u32);
    #[wasm_bindgen(js_name = numberAt)]
    pub fn number_at(index: u32) -> f64;
    #[wasm_bindgen(js_name = setNumber)]
    pub fn set_number(index: u32, value: f64);
}

#[wasm_bindgen(module = "/src/browser/lifecycle.js")]
extern "C" {
    #[wasm_bindgen(js_name = watchPage)]
    pub fn watch_page();
    #[wasm_bindgen(js_name = noteTimers)]
    pub fn note_timers();
    #[wasm_bindgen(js_name = timersReplaced)]
    pub fn timers_replaced() -> bool;
    #[wasm_bindgen(js_name = takeSuspension)]
    pub fn take_suspension() -> f64;
    pub fn offline() -> bool;
    #[wasm_bindgen(js_name = cameOnline)]
    pub fn came_online(call: &Call) -> u32;
    #[wasm_bindgen(js_name = stopListening)]
    pub fn stop_listening(call: &Call);
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
    pub fn announce_cool_down(host: &str, until_ms: f64);
    #[wasm_bindgen(js_name = announceCircuit)]
    pub fn announce_circuit(call: &Call, host: &str, from: &str, to: &str);
    #[wasm_bindgen(js_name = announceBudget)]
    pub fn announce_budget(host: &str, change: &str, left: f64);
}

#[wasm_bindgen(module = "/src/browser/warn.js")]
extern "C" {
    pub fn warn(text: &str);
}

#[wasm_bindgen(module = "/src/browser/stead_error.js")]
extern "C" {
    #[wasm_bindgen(js_name = wrongOption)]
    pub fn wrong_option(name: &str, allowed: &str, value: &JsValue) -> JsValue;
}

/// Tells the caller. The two functions of a promise do not throw.
pub fn settle(settle: &Function, ok: bool, value: &JsValue) {
    let _ = settle.call2(&JsValue::UNDEFINED, &ok.into(), value);
}
