//! The exports that JavaScript asks for an answer: about headers and addresses, and for a key.

use super::js::HeadersOf;
use super::{clock, info, key};
use crate::policy::retry_after::retry_after_ms;
use crate::telemetry::endpoint;
use crate::telemetry::normalize_url::{self, Query, Sites};
use wasm_bindgen::prelude::*;

fn now_or(now_ms: Option<f64>) -> f64 {
    now_ms.filter(|now| now.is_finite()).unwrap_or_else(clock::wall)
}

/// `readRetryAfter`.
#[wasm_bindgen(js_name = readRetryAfter, skip_typescript)]
pub fn read_retry_after(from: &JsValue, now_ms: Option<f64>) -> Option<f64> {
    retry_after_ms(&HeadersOf(from), now_or(now_ms) as i64).map(|ms| ms as f64)
}

/// `readRateLimit`.
#[wasm_bindgen(js_name = readRateLimit, skip_typescript)]
pub fn read_rate_limit(from: &JsValue, now_ms: Option<f64>) -> JsValue {
    info::rate_limit(&HeadersOf(from), now_or(now_ms))
}

/// `normalizeUrl`. What the caller passed is looked at in `normalize_url.js`: these are ours.
#[wasm_bindgen(js_name = normalizeUrl, skip_typescript)]
pub fn normalize_url(url: &str, query: u32, keep_sites: bool) -> String {
    let query = match query {
        0 => Query::Drop,
        1 => Query::Names,
        _ => Query::Shape,
    };
    normalize_url::normalize_url(url, query, if keep_sites { Sites::Keep } else { Sites::Hide })
}

/// The template of an address's host, for `telemetry`.
#[wasm_bindgen(js_name = hostOf, skip_typescript)]
pub fn host_of(url: &str) -> String {
    normalize_url::host(url)
}

/// What an address is called as an endpoint.
#[wasm_bindgen(js_name = endpointOf, skip_typescript)]
pub fn endpoint_of(url: &str) -> String {
    endpoint::name(url)
}

/// A new idempotency key; undefined where the page has nothing to make one of.
#[wasm_bindgen(js_name = mintKey, skip_typescript)]
pub fn mint_key() -> Option<String> {
    key::mint()
}
