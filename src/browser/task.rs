//! Runs the futures of the calls. The executor of wasm-bindgen-futures does more (a queue that runs many tasks in one
//! turn, suspended stacks) and weighs three times as much; its `JsFuture` is what is used of it.
//!
//! A waker holds nothing but a number, so that no reference to a call outlives it: who is woken too late finds nothing
//! under that number and does nothing.

use super::js;
use std::cell::{Cell, RefCell};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Wake, Waker};
use wasm_bindgen::prelude::*;

type Call = Pin<Box<dyn Future<Output = ()>>>;

thread_local! {
    /// The calls that wait.
    static WAITING: RefCell<Vec<(u32, Call)>> = const { RefCell::new(Vec::new()) };
    static NEXT: Cell<u32> = const { Cell::new(0) };
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
    let number = NEXT.get();
    NEXT.set(number.wrapping_add(1));
    go_on(number, Box::pin(call));
}

fn resume(number: u32) {
    // Taken out while it runs: it may begin other calls.
    let call = WAITING.with_borrow_mut(|waiting| {
        let place = waiting.iter().position(|(of, _)| *of == number)?;
        Some(waiting.swap_remove(place).1)
    });
    if let Some(call) = call {
        go_on(number, call);
    }
}

fn go_on(number: u32, mut call: Call) {
    let waker = Waker::from(Arc::new(Number(number)));
    if call.as_mut().poll(&mut Context::from_waker(&waker)).is_pending() {
        WAITING.with_borrow_mut(|waiting| waiting.push((number, call)));
    }
}
