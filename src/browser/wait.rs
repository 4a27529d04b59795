//! Waiting for whichever comes first: a promise, the caller's abort, or a limit. Everything put into the page for
//! that (one listener a call, one timer a wait) is taken out again when its owner is dropped.

use super::js::{self, Call};
use gloo_timers::callback::Timeout;
use js_sys::Promise;
use std::cell::{Cell, RefCell};
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// Timers count in 32 bits; a longer time would fire at once.
const LONGEST_TIMER_MS: f64 = 2_147_483_647.0;

/// Rings once; whoever waits is woken.
#[derive(Default)]
struct Bell {
    rung: Cell<bool>,
    waker: RefCell<Option<Waker>>,
}

impl Bell {
    fn ring(&self) {
        self.rung.set(true);
        // Taken out first: waking may run code that comes back here.
        let waker = self.waker.borrow_mut().take();
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    fn heard(&self, context: &Context<'_>) -> bool {
        if !self.rung.get() {
            let waker = context.waker().clone();
            *self.waker.borrow_mut() = Some(waker);
        }
        self.rung.get()
    }
}

/// A timer that is cleared when it is dropped.
struct Timer {
    bell: Rc<Bell>,
    _timeout: Timeout,
}

impl Timer {
    /// `None` where the time is longer than any timer.
    fn new(ms: f64) -> Option<Timer> {
        if ms > LONGEST_TIMER_MS {
            return None;
        }
        let bell = Rc::new(Bell::default());
        let ringer = bell.clone();
        Some(Timer { bell, _timeout: Timeout::new(ms.max(0.0).ceil() as u32, move || ringer.ring()) })
    }
}

/// The one listener that a call puts on the caller's signal.
struct Listener {
    bell: Rc<Bell>,
    closure: Closure<dyn FnMut()>,
}

/// A call that listens to its caller.
pub struct Patient {
    /// The call.
    pub call: Call,
    listener: Option<Listener>,
}

impl Drop for Patient {
    fn drop(&mut self) {
        if let Some(listener) = &self.listener {
            js::unlisten(&self.call, listener.closure.as_ref());
        }
    }
}

/// What came first.
pub enum First {
    /// The promise.
    Done(Result<JsValue, JsValue>),
    /// The limit.
    TimedOut,
    /// The caller's abort.
    Aborted,
}

impl Patient {
    /// Listens, if the caller has a signal.
    pub fn new(call: Call) -> Patient {
        let listener = call.signal().map(|_| {
            let bell = Rc::new(Bell::default());
            let ringer = bell.clone();
            let closure = Closure::new(move || ringer.ring());
            js::listen(&call, closure.as_ref());
            Listener { bell, closure }
        });
        Patient { call, listener }
    }

    /// Whether the caller has aborted.
    pub fn aborted(&self) -> bool {
        self.listener.is_some() && js::aborted(&self.call)
    }

    /// Waits for `work` (for ever, if there is none), at most `limit_ms` and until the caller aborts. The abort wins
    /// a draw.
    pub async fn first(&self, work: Option<Promise>, limit_ms: f64) -> First {
        // Somebody must hear it even after an abort: a rejection that nobody hears is reported by the page.
        let mut work = work.map(JsFuture::from);
        if self.aborted() {
            return First::Aborted;
        }
        let timer = Timer::new(limit_ms);
        poll_fn(|context| {
            if self.listener.as_ref().is_some_and(|listener| listener.bell.heard(context)) {
                return Poll::Ready(First::Aborted);
            }
            if let Some(work) = &mut work
                && let Poll::Ready(done) = Pin::new(work).poll(context)
            {
                return Poll::Ready(if self.aborted() { First::Aborted } else { First::Done(done) });
            }
            if timer.as_ref().is_some_and(|timer| timer.bell.heard(context)) {
                return Poll::Ready(First::TimedOut);
            }
            Poll::Pending
        })
        .await
    }
}
