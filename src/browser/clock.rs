//! Both clocks of the page, and the random unit.

use super::js;
use crate::policy::clock::Instant;
use std::cell::Cell;

thread_local! {
    static NOW: Cell<Instant> = const { Cell::new(Instant { mono: 0.0, wall: 0.0, asleep: 0.0 }) };
}

/// Both clocks, and how long the page is known to have stood still: for what is asked apart from a call.
pub fn read() -> Instant {
    let mono = js::monotonic_now();
    Instant { mono, wall: wall(), asleep: js::asleep_ms(mono) }
}

/// A call goes on: whatever it does until it waits again happens at this moment, which JavaScript has read.
pub fn tick(now: Instant) {
    NOW.set(now);
}

/// The moment at which the call that runs now went on.
pub fn now() -> Instant {
    NOW.get()
}

/// Milliseconds since 1970.
pub fn wall() -> f64 {
    js_sys::Date::now()
}

/// Random in [0, 1), from the platform's generator where there is one: jitter must not repeat across tabs.
pub fn unit() -> f64 {
    match getrandom::u32() {
        Ok(bits) => f64::from(bits) / (f64::from(u32::MAX) + 1.0),
        Err(_) => js_sys::Math::random(),
    }
}
