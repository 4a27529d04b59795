//! How long to wait. A server's own word is a floor and is never shortened; without one, full jitter spreads
//! the callers, and throttling gets a second on top because it does not pass in milliseconds.
//!
//! Full jitter: <https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/>

/// Added after a 429 or 503 that stated no wait.
const THROTTLE_FLOOR_MS: f64 = 1_000.0;
/// Jitter on top of a server's wait: a tenth of it, at most this.
const HINT_JITTER_MS: f64 = 1_000.0;
/// Polling a call that is still running elsewhere: first wait, growth, longest wait.
const POLL_MS: (f64, f64, f64) = (2_000.0, 1.5, 15_000.0);

/// `random(0, min(cap, base * 2^n))`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Backoff {
    /// Upper bound of the first wait, milliseconds.
    pub base_ms: f64,
    /// Upper bound of every wait, milliseconds.
    pub cap_ms: f64,
}

impl Backoff {
    /// The wait before repeat `n` (0 = the first), when the server named none. `unit` is random in [0, 1).
    pub fn own_wait(&self, n: u32, throttled: bool, unit: f64) -> f64 {
        let doubled = self.base_ms * f64::from(1u32 << n.min(30));
        let floor = if throttled { THROTTLE_FLOOR_MS } else { 0.0 };
        floor + unit * doubled.min(self.cap_ms)
    }
}

/// The wait after a server's hint: never less than it said, and not all callers at the same instant.
pub fn hinted_wait(hint_ms: f64, unit: f64) -> f64 {
    hint_ms + unit * (hint_ms / 10.0).min(HINT_JITTER_MS)
}

/// The wait before poll `n` (0 = the first) of a call that is still running under the same idempotency key.
pub fn poll_wait(n: u32) -> f64 {
    let (first, growth, longest) = POLL_MS;
    (0..n.min(16)).fold(first, |wait, _| (wait * growth).min(longest))
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    const JUST_BELOW_ONE: f64 = 1.0 - f64::EPSILON;

    #[test]
    fn full_jitter_doubles_up_to_the_cap() {
        let sp = Backoff { base_ms: 1_000.0, cap_ms: 20_000.0 };
        let upper: Vec<f64> = (0..7).map(|n| sp.own_wait(n, false, 1.0)).collect();
        assert_eq!(upper, [1_000.0, 2_000.0, 4_000.0, 8_000.0, 16_000.0, 20_000.0, 20_000.0]);
        assert_eq!(sp.own_wait(3, false, 0.0), 0.0);
        assert!(sp.own_wait(3, false, JUST_BELOW_ONE) < 8_000.0);
        assert_eq!(sp.own_wait(u32::MAX, false, 1.0), 20_000.0);
    }

    #[test]
    fn throttling_without_a_hint_waits_a_second_more() {
        let ai = Backoff { base_ms: 500.0, cap_ms: 8_000.0 };
        assert_eq!(ai.own_wait(0, true, 0.0), 1_000.0);
        assert_eq!(ai.own_wait(0, true, 1.0), 1_500.0);
    }

    #[test]
    fn a_hint_is_a_floor_with_jitter_only_on_top() {
        assert_eq!(hinted_wait(4_000.0, 0.0), 4_000.0);
        assert_eq!(hinted_wait(4_000.0, 1.0), 4_400.0);
        assert_eq!(hinted_wait(120_000.0, 1.0), 121_000.0);
    }

    #[test]
    fn polling_grows_by_half_up_to_fifteen_seconds() {
        let waits: Vec<f64> = (0..7).map(poll_wait).collect();
        assert_eq!(waits, [2_000.0, 3_000.0, 4_500.0, 6_750.0, 10_125.0, 15_000.0, 15_000.0]);
    }
}
