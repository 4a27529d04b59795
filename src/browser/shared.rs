//! What the page shares, as the policies see it: entries of numbers, looked up in `page_state.js` at each use.

use super::clock;
use super::js::{self, Call};
use crate::policy::budget::Budget;
use crate::policy::circuit::Circuit;
use crate::policy::clock::Instant;
use crate::policy::cool_down::Gate;
use crate::policy::entry::{Entry, Shelf};
use crate::policy::window::Window;
use wasm_bindgen::prelude::*;

/// The longest entry is a [`Window`].
const LONGEST: usize = 22;

/// Fills `entry` with what is kept for a call. False where that is nothing, or makes no sense; then it is the default.
pub fn load(call: &Call, now: Instant, entry: &mut dyn Entry) -> bool {
    let shelf = entry.shelf() as u32;
    let mut kept = [f64::NAN; LONGEST];
    if !js::load_entry(call, shelf, &mut kept) {
        return false;
    }
    let mut kept = kept.iter();
    entry.each(&mut |number| *number = kept.next().copied().unwrap_or(f64::NAN));
    if entry.is_sane(now) {
        return true;
    }
    js::drop_entry(call, shelf);
    entry.reset();
    false
}

/// Keeps it.
pub fn save(call: &Call, entry: &mut dyn Entry) {
    let mut kept = [0.0; LONGEST];
    let mut places = kept.iter_mut();
    entry.each(&mut |number| {
        if let Some(place) = places.next() {
            *place = *number;
        }
    });
    js::save_entry(call, entry.shelf() as u32, &kept);
}

/// What `telemetry` shows of an entry, in numbers; nothing where there is nothing to show.
#[wasm_bindgen(js_name = entryState, skip_typescript)]
pub fn entry_state(of: &Call, shelf: u32) -> Vec<f64> {
    let now = clock::read();
    let (mut gate, mut budget) = (Gate::default(), Budget::default());
    if shelf == Shelf::Gates as u32 && load(of, now, &mut gate) && gate.closed.left(now) > 0.0 {
        return vec![gate.closed.wall];
    }
    if shelf == Shelf::Budgets as u32 && load(of, now, &mut budget) {
        return budget.levels(now).to_vec();
    }
    if shelf != Shelf::Windows as u32 {
        return Vec::new();
    }
    // Both keep what a back end does: a circuit that has never been opened has only a window.
    let (mut circuit, mut window) = (Circuit::default(), Window::default());
    load(of, now, &mut circuit);
    load(of, now, &mut window);
    let (calls, failures) = window.counts(now);
    let rate = if calls > 0.0 { failures / calls } else { 0.0 };
    vec![f64::from(circuit.state(now) as u8), rate, calls, circuit.reopens_in(now)]
}
