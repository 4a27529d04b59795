//! Both clocks of the page, and the random unit.

use super::js;
use crate::policy::clock::Instant;

/// Both clocks. What the heartbeat knows is added by [`watch::now`](super::watch::now).
pub fn both() -> Instant {
    Instant { mono: js::monotonic_now(), wall: wall(), asleep: 0.0 }
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
