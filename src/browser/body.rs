//! What is found out after the call: the body of an answer that counted as a success broke off, or an error came in it.

use super::js::{self, Call};
use super::options::{self, Traits};
use super::{clock, shared};
use crate::policy::circuit::Circuit;
use crate::policy::plan::Kind;
use crate::policy::window::Window;
use wasm_bindgen::prelude::*;

/// `call` is what `accounts.js` keeps of a call of `aiFetch` for its circuit.
#[wasm_bindgen(js_name = bodyFailed, skip_typescript)]
pub fn body_failed(call: &Call) {
    let rules = options::plan(Kind::Ai, call, &Traits::of(call)).circuit;
    if rules.on == 0.0 {
        return;
    }
    let now = clock::read();
    let (mut circuit, mut window) = (Circuit::default(), Window::default());
    shared::load(call, now, &mut circuit);
    shared::load(call, now, &mut window);
    let before = circuit.entered();
    circuit.turned(now, &rules, &mut window, &clock::unit);
    shared::save(call, &mut window);
    let after = circuit.entered();
    if after != before {
        shared::save(call, &mut circuit);
        js::announce_circuit(call, before as u32, after as u32);
    }
}
