//! The exports that only read: headers, accounts, and the sentence for a person.

use super::fields::Of;
use super::{clock, info, js};
use crate::account::Account;
use crate::explain;
use crate::policy::rate_limit::rate_limit;
use crate::policy::retry_after::retry_after_ms;
use wasm_bindgen::prelude::*;

fn now_or(now_ms: Option<f64>) -> i64 {
    now_ms.filter(|now| now.is_finite()).unwrap_or_else(|| clock::now().wall) as i64
}

/// `readRetryAfter`.
#[wasm_bindgen(js_name = readRetryAfter, skip_typescript)]
pub fn read_retry_after(from: &JsValue, now_ms: Option<f64>) -> Option<f64> {
    retry_after_ms(&Of(from), now_or(now_ms)).map(|ms| ms as f64)
}

/// `readRateLimit`.
#[wasm_bindgen(js_name = readRateLimit, skip_typescript)]
pub fn read_rate_limit(from: &JsValue, now_ms: Option<f64>) -> JsValue {
    rate_limit(&Of(from), now_or(now_ms)).map_or(JsValue::NULL, |reading| info::plain(&reading))
}

/// `getCallInfo`.
#[wasm_bindgen(js_name = getCallInfo, skip_typescript)]
pub fn get_call_info(of: &JsValue) -> JsValue {
    js::recall(of).map_or(JsValue::UNDEFINED, |note| info::call_info(&note))
}

/// `explain`.
#[wasm_bindgen(js_name = explain, skip_typescript)]
pub fn explain(of: &JsValue) -> String {
    let account = js::recall(of).and_then(|note| Account::unpack(&note.numbers(), &note.errors()));
    match account {
        Some(account) => explain::account(&account),
        None => explain::stranger(&js::error_name(of), js::member(of, "code").as_string().as_deref()).to_owned(),
    }
}
