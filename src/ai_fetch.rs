//! `aiFetch`: AI back ends. Repeats a call only when the failed attempt was fast.
//!
//! A 502, 503 or 504 after 230 seconds is the platform's own limit, not a hiccup: the model call went on and is
//! billed. Repeating it multiplies the wait and the bill.

use crate::browser::{Call, start};
use crate::policy::clock::Instant;
use crate::policy::plan::Kind;
use wasm_bindgen::prelude::*;

/// Begins one call, taken apart by `takeCall`, and gives back its number. `calls.js` makes a promise of it.
#[wasm_bindgen(js_name = aiFetch, skip_typescript)]
pub fn ai_fetch(call: Call, mono: f64, wall: f64, asleep: f64) -> u32 {
    start(Kind::Ai, call, Instant { mono, wall, asleep })
}
