//! Waiting for whichever comes first: a promise, the caller's abort, or a limit. Everything put into the page for
//! that (one listener a call, one timer a wait) is taken out again when its owner is dropped.

use super::js::{Signal, wrong_option};
use gloo_timers::callback::Timeout;
use std::cell::{Cell, RefCell};
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};
use wasm_bindgen::prelude::*;

/// Timers count in 32 bits; a longer time would fire at once.
pub const LONGEST_TIMER_MS: f64 = 2_147_483_647.0;

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

/// The caller's signal during one call, with the one listener we put on it.
pub struct CallerSignal {
    listening: Option<Listening>,
}

struct Listening {
    signal: Signal,
    bell: Rc<Bell>,
    listener: Closure<dyn FnMut()>,
}

impl Drop for Listening {
    fn drop(&mut self) {
        // A signal that does not let go of its listener is not ours to mend.
        let _ = self.signal.remove_event_listener("abort", self.listener.as_ref().unchecked_ref());
    }
}

impl CallerSignal {
    /// Listens, or says what is wrong with the signal.
    pub fn listen(signal: JsValue) -> Result<CallerSignal, JsValue> {
        if signal.is_undefined() {
            return Ok(CallerSignal { listening: None });
        }
        let wrong = || wrong_option("signal", "an AbortSignal", &signal);
        let signal: Signal = signal.clone().unchecked_into();
        if signal.aborted().ok().and_then(|aborted| aborted.as_bool()).is_none() {
            return Err(wrong());
        }
        let bell = Rc::new(Bell::default());
        let ringer = bell.clone();
        let listener = Closure::new(move || ringer.ring());
        signal.add_event_listener("abort", listener.as_ref().unchecked_ref()).map_err(|_| wrong())?;
        Ok(CallerSignal { listening: Some(Listening { signal, bell, listener }) })
    }

    /// The signal itself.
    pub fn get(&self) -> Option<&Signal> {
        self.listening.as_ref().map(|listening| &listening.signal)
    }

    /// Asks the signal itself: another listener may have kept the event from us.
    pub fn aborted(&self) -> bool {
        let aborted = |signal: &Signal| signal.aborted().ok().and_then(|aborted| aborted.as_bool());
        self.get().and_then(aborted).unwrap_or(false)
    }

    /// The caller's own reason.
    pub fn reason(&self) -> JsValue {
        self.get().and_then(|signal| signal.reason().ok()).unwrap_or(JsValue::UNDEFINED)
    }

    fn heard(&self, context: &Context<'_>) -> bool {
        self.listening.as_ref().is_some_and(|listening| listening.bell.heard(context))
    }
}

/// What came first.
pub enum First<T> {
    /// The work.
    Done(T),
    /// The limit.
    TimedOut,
    /// The caller's abort.
    Aborted,
}

/// Waits for `work`, at most `limit_ms` and until the caller aborts. The abort wins a draw.
pub async fn first<F: Future>(work: F, limit_ms: f64, signal: &CallerSignal) -> First<F::Output> {
    if signal.aborted() {
        return First::Aborted;
    }
    let mut work = pin!(work);
    // Most work is under way already; the timer is only needed where it is not done at the first look.
    let mut timer = None;
    let mut looked = false;
    poll_fn(|context| {
        if signal.heard(context) {
            return Poll::Ready(First::Aborted);
        }
        if let Poll::Ready(output) = work.as_mut().poll(context) {
            return Poll::Ready(if signal.aborted() { First::Aborted } else { First::Done(output) });
        }
        if !looked {
            looked = true;
            timer = Timer::new(limit_ms);
        }
        if timer.as_ref().is_some_and(|timer: &Timer| timer.bell.heard(context)) {
            return Poll::Ready(First::TimedOut);
        }
        Poll::Pending
    })
    .await
}
