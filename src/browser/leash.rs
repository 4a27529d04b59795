//! The signal that the transport gets for one attempt: the caller's, ours, or both.

use super::body_deadline;
use super::js::{any_signal, follow};
use super::wait::CallerSignal;
use js_sys::Array;
use wasm_bindgen::prelude::*;
use web_sys::AbortController;

/// How the transport of one attempt can be stopped, now and while its body streams.
#[derive(Default)]
pub struct Leash {
    signal: JsValue,
    controller: Option<AbortController>,
    /// The transport does not hear the caller, so we must pass an abort on.
    deaf: bool,
}

impl Leash {
    /// `ours` is whether we may have to stop the attempt ourselves.
    pub fn new(caller: &CallerSignal, ours: bool) -> Leash {
        let theirs = caller.get();
        let controller = if ours { AbortController::new().ok() } else { None };
        match (theirs, controller) {
            (None, None) => Leash::default(),
            (Some(signal), None) => Leash { signal: signal.into(), ..Leash::default() },
            (None, Some(controller)) => {
                Leash { signal: controller.signal().into(), controller: Some(controller), deaf: false }
            }
            (Some(signal), Some(controller)) => {
                let own: JsValue = controller.signal().into();
                // Missing before 2023, and refuses a signal that only behaves like one.
                let both = any_signal(&Array::of2(signal, &own));
                let deaf = both.is_err();
                Leash { signal: both.unwrap_or(own), controller: Some(controller), deaf }
            }
        }
    }

    /// What the transport gets; undefined when there is nothing to stop it.
    pub fn signal(&self) -> &JsValue {
        &self.signal
    }

    /// Stops the transport.
    pub fn pull(&self, reason: &JsValue) {
        if let Some(controller) = &self.controller {
            controller.abort_with_reason(reason);
        }
    }

    /// Lets go after the headers. The body stays bound to the caller's signal, and to a time that the caller set.
    pub fn hand_over(self, caller: &CallerSignal, answer: &JsValue, time: Option<(f64, f64)>) {
        let Some(controller) = self.controller else { return };
        if let (true, Some(signal)) = (self.deaf, caller.get()) {
            follow(signal, &controller, answer);
        }
        if let Some((total_ms, left_ms)) = time {
            body_deadline::arm(controller, total_ms, left_ms);
        }
    }
}
