//! Waiting for whichever comes first: a promise, the caller's abort, or a limit. The one listener that a call puts on
//! its caller's signal is taken out again when the call is dropped.

use super::js::{self, Call};
use super::watch::{self, Bell, Setting};
use js_sys::Promise;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::rc::Rc;
use std::task::Poll;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

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
    /// Its limits are on the wall: time asleep counts.
    by_wall: bool,
    /// It matters whether the page stood still meanwhile, even without a limit.
    watched: bool,
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
    /// Listens, if the caller has a signal. A `read` forgives the machine its sleep; a `write` is not repeated anyway.
    pub fn new(call: Call, read: bool, write: bool) -> Patient {
        let listener = call.signal().map(|_| {
            let bell = Rc::new(Bell::default());
            let ringer = bell.clone();
            let closure = Closure::new(move || ringer.ring());
            js::listen(&call, closure.as_ref());
            Listener { bell, closure }
        });
        Patient { call, listener, by_wall: !read, watched: !write }
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
        let beats = work.is_some() && (self.watched || limit_ms.is_finite());
        let alarm = (beats || limit_ms.is_finite())
            .then(|| watch::alarm(Setting { ms: limit_ms, by_wall: self.by_wall, beats }));
        poll_fn(|context| {
            if self.listener.as_ref().is_some_and(|listener| listener.bell.heard(context)) {
                return Poll::Ready(First::Aborted);
            }
            if let Some(work) = &mut work
                && let Poll::Ready(done) = Pin::new(work).poll(context)
            {
                return Poll::Ready(if self.aborted() { First::Aborted } else { First::Done(done) });
            }
            if alarm.as_ref().is_some_and(|alarm| alarm.bell.heard(context)) {
                return Poll::Ready(First::TimedOut);
            }
            Poll::Pending
        })
        .await
    }
}
