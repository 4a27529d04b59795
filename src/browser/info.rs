//! The account on its way to JavaScript.

use super::js::{self, Call, HeadersOf};
use super::start::status;
use crate::account::Attempt;
use crate::policy::judge::Stop;
use crate::policy::rate_limit;
use serde::Serialize;
use wasm_bindgen::JsValue;

/// The decision of an attempt that was repeated, behind all the reasons to stop.
const RETRY: u32 = Stop::NotSent as u32 + 1;

/// One attempt.
pub fn attempted(call: &Call, attempt: &Attempt) {
    js::add_attempt(
        call,
        attempt.started_ms,
        attempt.elapsed_ms,
        attempt.allowed_ms.unwrap_or(f64::NAN),
        status(attempt.status),
        attempt.fault.map_or(0, |fault| fault as u32 + 1),
        attempt.suspended.into(),
        attempt.wait_ms.unwrap_or(f64::NAN),
        attempt.decision.map_or(RETRY, |stop| stop as u32),
    );
}

/// `RateLimit` of the public contract, or null.
pub fn rate_limit(headers: &HeadersOf<'_>, now_ms: f64) -> JsValue {
    let serializer = serde_wasm_bindgen::Serializer::json_compatible();
    rate_limit::rate_limit(headers, now_ms as i64).serialize(&serializer).unwrap_or(JsValue::NULL)
}
