//! What the page shares, as the policies see it: entries of numbers, looked up in `page_state.js` at each use.

use super::js::{self, Call};
use super::watch;
use crate::policy::budget::Budget;
use crate::policy::circuit::Circuit;
use crate::policy::clock::Instant;
use crate::policy::cool_down::Gate;
use crate::policy::entry::{Entry, Shelf};
use wasm_bindgen::prelude::*;

/// The entry of a call, if there is one that makes sense.
pub fn load<T: Entry>(call: &Call, now: Instant) -> Option<T> {
    if !js::open_entry(call, T::SHELF as u32) {
        return None;
    }
    let mut entry = T::default();
    let mut index = 0;
    entry.each(&mut |number| {
        *number = js::number_at(index);
        index += 1;
    });
    if entry.is_sane(now) {
        return Some(entry);
    }
    forget::<T>(call);
    None
}

/// Keeps it.
pub fn save<T: Entry>(call: &Call, mut entry: T) {
    js::make_entry(call, T::SHELF as u32);
    let mut index = 0;
    entry.each(&mut |number| {
        js::set_number(index, *number);
        index += 1;
    });
}

/// Forgets it.
pub fn forget<T: Entry>(call: &Call) {
    js::drop_entry(call, T::SHELF as u32);
}

/// What `telemetry` shows of an entry, in numbers; nothing where there is nothing to show.
#[wasm_bindgen(js_name = entryState, skip_typescript)]
pub fn entry_state(of: &Call, shelf: u32) -> Vec<f64> {
    let now = watch::now();
    if shelf == Shelf::Gates as u32 {
        let gate = load::<Gate>(of, now).filter(|gate| gate.closed.left(now) > 0.0);
        return gate.map_or(Vec::new(), |gate| vec![gate.closed.wall]);
    }
    if shelf == Shelf::Budgets as u32 {
        return load::<Budget>(of, now).map_or(Vec::new(), |mut budget| budget.levels(now).to_vec());
    }
    let Some(mut circuit) = load::<Circuit>(of, now) else { return Vec::new() };
    let (calls, failures) = circuit.counts(now);
    let rate = if calls > 0.0 { failures / calls } else { 0.0 };
    vec![f64::from(circuit.state(now) as u8), rate, calls, circuit.reopens_in(now)]
}
