//! A time that the caller set covers the body, too. The deadlines of all bodies that are still under way on this
//! page share one timer.

use super::clock;
use super::js::timeout_error;
use super::wait::LONGEST_TIMER_MS;
use gloo_timers::callback::Timeout;
use std::cell::RefCell;
use wasm_bindgen::JsValue;
use web_sys::AbortController;

thread_local! {
    static BODIES: RefCell<Bodies> = const { RefCell::new(Bodies { waiting: Vec::new(), timer: None }) };
}

struct Bodies {
    waiting: Vec<Body>,
    timer: Option<(f64, Timeout)>,
}

struct Body {
    ends_at: f64,
    total_ms: f64,
    controller: AbortController,
}

/// Ends the body behind `controller` in `left_ms`, unless it was read by then.
pub fn arm(controller: AbortController, total_ms: f64, left_ms: f64) {
    let ends_at = clock::now().mono + left_ms;
    if left_ms > LONGEST_TIMER_MS {
        return;
    }
    BODIES.with_borrow_mut(|bodies| {
        bodies.waiting.push(Body { ends_at, total_ms, controller });
        bodies.wind();
    });
}

impl Bodies {
    /// Sets the timer for the earliest end, if it is not set for that already.
    fn wind(&mut self) {
        let next = self.waiting.iter().map(|body| body.ends_at).fold(f64::INFINITY, f64::min);
        if self.timer.as_ref().is_some_and(|(at, _)| *at <= next) {
            return;
        }
        let left = (next - clock::now().mono).max(0.0).ceil();
        self.timer = (left <= LONGEST_TIMER_MS).then(|| (next, Timeout::new(left as u32, ring)));
    }
}

fn ring() {
    let now = clock::now().mono;
    let over = BODIES.with_borrow_mut(|bodies| {
        bodies.timer = None;
        let (over, waiting) = std::mem::take(&mut bodies.waiting).into_iter().partition(|body| body.ends_at <= now);
        bodies.waiting = waiting;
        bodies.wind();
        over
    });
    // Nothing is borrowed any more: an abort runs the page's own listeners.
    for body in over as Vec<Body> {
        body.controller.abort_with_reason(&timeout_error(body.total_ms, None, None, &JsValue::UNDEFINED));
    }
}
