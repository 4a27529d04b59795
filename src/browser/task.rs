//! Runs the futures of the calls. A future here is the flow of one call, and what it waits for is known to JavaScript
//! alone, which resumes it by its number, once for each wait. So there is nothing to wake.
//!
//! A place is used again: JavaScript resumes no call that has ended.

use super::clock;
use crate::policy::clock::Instant;
use std::cell::{Cell, RefCell};
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use wasm_bindgen::prelude::*;

type Call = Pin<Box<dyn Future<Output = ()>>>;

struct Calls {
    /// A call stands in its place while it waits; while it runs, its place is empty.
    places: Vec<Option<Call>>,
    /// Places of calls that have ended.
    free: Vec<u32>,
}

impl Calls {
    fn take_place(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.places.push(None);
            self.places.len() as u32 - 1
        })
    }

    fn place(&mut self, number: u32) -> Option<&mut Option<Call>> {
        self.places.get_mut(number as usize)
    }
}

thread_local! {
    static CALLS: RefCell<Calls> = const { RefCell::new(Calls { places: Vec::new(), free: Vec::new() }) };
    /// How what the call that runs now has waited for ended.
    static HOW: Cell<u32> = const { Cell::new(WAITS) };
}

/// `waits.js`: it has not ended yet.
const WAITS: u32 = 0;

/// Waits, if JavaScript says so, until the call is resumed. How it ended, as `waits.js` counts it.
pub async fn ended(mut how: u32) -> u32 {
    if how == WAITS {
        poll_fn(|_| {
            how = HOW.replace(WAITS);
            if how == WAITS { Poll::Pending } else { Poll::Ready(()) }
        })
        .await;
    }
    how
}

/// Runs a call up to the first thing that takes time at once, as `fetch` does, so that the first send is not a turn
/// late. Gives back its number.
pub fn begin(call: impl Future<Output = ()> + 'static) -> u32 {
    let number = CALLS.with_borrow_mut(Calls::take_place);
    go_on(number, WAITS, Box::pin(call));
    number
}

/// What this call has waited for has ended.
#[wasm_bindgen(skip_typescript)]
pub fn resume(number: u32, how: u32, mono: f64, wall: f64, asleep: f64) {
    clock::tick(Instant { mono, wall, asleep });
    // Taken out while it runs: it may begin other calls.
    let call = CALLS.with_borrow_mut(|calls| calls.place(number)?.take());
    if let Some(call) = call {
        go_on(number, how, call);
    }
}

fn go_on(number: u32, how: u32, mut call: Call) {
    HOW.set(how);
    let pending = call.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending();
    // A call that has ended goes here, before its place is another's: what it drops may run code of the page.
    let call = pending.then_some(call);
    CALLS.with_borrow_mut(|calls| match calls.place(number) {
        Some(place) if pending => *place = call,
        _ => calls.free.push(number),
    });
}
