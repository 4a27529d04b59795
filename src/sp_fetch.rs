//! `spFetch`: SharePoint REST. Repeats GET and HEAD only.
//!
//! A throttled write may already have been applied: SharePoint has no idempotency key, and 429, 503, 504, a dropped
//! response and a timeout look alike from here. Repeating a POST makes a second list item.

use crate::browser::{Call, start};
use crate::policy::clock::Instant;
use crate::policy::plan::Kind;
use wasm_bindgen::prelude::*;

/// Begins one call, taken apart by `takeCall`, and gives back its number. `calls.js` makes a promise of it.
#[wasm_bindgen(js_name = spFetch, skip_typescript)]
pub fn sp_fetch(call: Call, mono: f64, wall: f64, asleep: f64) -> u32 {
    start(Kind::Sp, call, Instant { mono, wall, asleep })
}
