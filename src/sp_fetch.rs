//! `spFetch`: SharePoint REST. Repeats GET and HEAD only.
//!
//! A throttled write may already have been applied: SharePoint has no idempotency key, and 429, 503, 504, a dropped
//! response and a timeout look alike from here. Repeating a POST makes a second list item.

use crate::browser::start;
use crate::policy::plan::Kind;
use wasm_bindgen::prelude::*;

/// One call; `settle(ok, value)` is called exactly once. The entry file makes a promise of it.
#[wasm_bindgen(js_name = spFetch, skip_typescript)]
pub fn sp_fetch(input: JsValue, init: JsValue, defaults: JsValue, settle: js_sys::Function) {
    start(Kind::Sp, input, init, defaults, settle);
}
