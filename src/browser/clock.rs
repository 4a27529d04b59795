//! Both clocks of the page, and the random unit.

use super::js;
use crate::policy::clock::Instant;

/// A page without `performance` (an old test environment) has one clock only.
pub fn now() -> Instant {
    let wall = js_sys::Date::now();
    Instant { mono: js::performance_now().unwrap_or(wall), wall }
}

/// Random in [0, 1), from the platform's generator where there is one: jitter must not repeat across tabs.
pub fn unit() -> f64 {
    match getrandom::u32() {
        Ok(bits) => f64::from(bits) / (f64::from(u32::MAX) + 1.0),
        Err(_) => js_sys::Math::random(),
    }
}
