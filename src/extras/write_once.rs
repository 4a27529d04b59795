//! The decisions of `writeOnce`, as `pkg-template/write_once.js` asks for them.

use crate::sharepoint::write_once::{self, Ended, Event, Rules, Step};
use wasm_bindgen::prelude::*;

/// One call of `writeOnce`.
#[wasm_bindgen(skip_typescript)]
pub struct WriteOnce(write_once::WriteOnce);

#[wasm_bindgen]
impl WriteOnce {
    /// The first step is to send.
    #[wasm_bindgen(constructor)]
    pub fn new(max_sends: u32, settle_ms: f64, resend_lost: bool, patience_ms: f64) -> WriteOnce {
        WriteOnce(write_once::WriteOnce::new(Rules { max_sends, settle_ms, resend_lost, patience_ms }))
    }

    /// Tells what came of the last step; `event` counts as in `write_once.js`. The three after it are of an answer: a
    /// status below 0 cannot be read, NaN is no stated wait. Gives milliseconds to wait, or a step below 0.
    pub fn tell(&mut self, event: u32, status: i32, hint_ms: f64, page: bool) -> f64 {
        let event = match event {
            0 => {
                let (status, hint_ms) = (u16::try_from(status).ok(), Some(hint_ms).filter(|ms| !ms.is_nan()));
                Event::Sent(Ended::Answered { status, hint_ms, page })
            }
            1 => Event::Sent(Ended::Unanswered),
            2 => Event::Sent(Ended::NotSent),
            3 => Event::Found,
            4 => Event::Absent,
            5 => Event::FindFailed,
            _ => Event::Waited,
        };
        match self.0.tell(event) {
            Step::Wait(ms) => ms,
            Step::Send => -1.0,
            Step::Find => -2.0,
            Step::Done(verdict) => -3.0 - f64::from(verdict as u8),
        }
    }
}
