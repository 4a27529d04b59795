//! Runs the futures of the calls. The executor of wasm-bindgen-futures does more (a queue that runs many tasks in one
//! turn, suspended stacks) and weighs three times as much; its `JsFuture` is what is used of it.
//!
//! A waker holds nothing but the number of a place, so that no reference to a call outlives it. A place is used again:
//! who is woken too late finds it empty, or polls the call that stands there now once more than needed.

use super::js;
use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Wake, Waker};
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
    /// The one function that JavaScript calls to go on with a call.
    static RESUME: Closure<dyn FnMut(u32)> = Closure::new(resume);
}

struct Number(u32);

impl Wake for Number {
    /// The call goes on in a turn of its own: whoever woke it may be in the middle of something.
    fn wake(self: Arc<Self>) {
        RESUME.with(|resume| js::later(resume.as_ref(), self.0));
    }
}

/// Runs a call up to the first thing that takes time at once, as `fetch` does, so that the first send is not a turn
/// late.
pub fn begin(call: impl Future<Output = ()> + 'static) {
    go_on(CALLS.with_borrow_mut(Calls::take_place), Box::pin(call));
}

fn resume(number: u32) {
    // Taken out while it runs: it may begin other calls.
    let call = CALLS.with_borrow_mut(|calls| calls.place(number)?.take());
    if let Some(call) = call {
        go_on(number, call);
    }
}

fn go_on(number: u32, mut call: Call) {
    let waker = Waker::from(Arc::new(Number(number)));
    let pending = call.as_mut().poll(&mut Context::from_waker(&waker)).is_pending();
    // A call that has ended goes here, before its place is another's: what it drops may run code of the page.
    let call = pending.then_some(call);
    CALLS.with_borrow_mut(|calls| match calls.place(number) {
        Some(place) if pending => *place = call,
        _ => calls.free.push(number),
    });
}
