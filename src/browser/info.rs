//! The account on its way to JavaScript: kept with what the call ended with, made into `CallInfo` when somebody asks.

use super::clock;
use super::js::{self, Call, HeadersOf, Kept};
use crate::account::Account;
use crate::policy::fields::Fields;
use crate::policy::page::Page;
use crate::policy::rate_limit;
use serde::Serialize;
use wasm_bindgen::JsValue;

/// Correlation ids, in the order they are looked for.
const CORRELATION_IDS: [&str; 4] = ["sprequestguid", "request-id", "x-ms-request-id", "apim-request-id"];

/// The account in JavaScript's own objects, to be found by the value that the call ended with.
pub fn keep(account: &Account, call: &Call, value: &JsValue) -> Kept {
    for attempt in &account.attempts {
        js::add_attempt(
            call,
            attempt.started_ms,
            attempt.elapsed_ms,
            attempt.allowed_ms,
            attempt.status,
            attempt.error.as_deref(),
            attempt.suspended,
            attempt.wait_ms,
            attempt.decision,
        );
    }
    js::keep(
        call,
        value,
        account.total_ms,
        account.waited_ms,
        account.stop.name(),
        account.retry_after_ms,
        account.retry_after_hidden,
        account.page.map(Page::name),
        account.write,
    )
}

/// `CallInfo` of the public contract.
pub fn call_info(kept: &Kept) -> JsValue {
    let answer = kept.answer();
    let headers = HeadersOf(&answer);
    let correlation_id = CORRELATION_IDS.iter().find_map(|name| headers.field(name).filter(|id| is_id(id)));
    js::finish(kept, &rate_limit(&headers, clock::wall()), correlation_id.as_deref())
}

/// A correlation id is one word; whatever else a server puts there is not handed on.
fn is_id(text: &str) -> bool {
    text.len() <= 128 && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:|{}".contains(&byte))
}

/// `RateLimit` of the public contract, or null.
pub fn rate_limit(headers: &HeadersOf<'_>, now_ms: f64) -> JsValue {
    let serializer = serde_wasm_bindgen::Serializer::json_compatible();
    rate_limit::rate_limit(headers, now_ms as i64).serialize(&serializer).unwrap_or(JsValue::NULL)
}
