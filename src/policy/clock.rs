//! Two clocks, because each of them lies in its own way: `performance.now()` stands still while a laptop
//! sleeps (except on Windows), `Date.now()` jumps when the time is set. An attempt that slept must count as
//! slow, so the larger difference is the elapsed time.

/// Clocks that disagree by more than this were not running side by side: the machine slept, or the time was set.
const DRIFT_MS: f64 = 2_000.0;
/// Timers count in 32 bits; a longer time would fire at once.
pub const LONGEST_TIMER_MS: f64 = 2_147_483_647.0;

/// One reading of both clocks, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Instant {
    /// `performance.now()`: monotonic, may stop during sleep.
    pub mono: f64,
    /// `Date.now()`: follows the wall, may jump.
    pub wall: f64,
}

/// The time between two readings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elapsed {
    /// The larger of the two differences, never negative.
    pub ms: f64,
    /// How far the two clocks moved apart, when that was more than two seconds; else 0.
    pub suspended_ms: f64,
}

impl Elapsed {
    /// Whether the machine (or the page) slept in between.
    pub fn suspended(self) -> bool {
        self.suspended_ms > 0.0
    }
}

impl Instant {
    /// The time from `earlier` to this reading.
    pub fn since(self, earlier: Instant) -> Elapsed {
        let mono = self.mono - earlier.mono;
        let wall = self.wall - earlier.wall;
        let drift = (mono - wall).abs();
        Elapsed { ms: mono.max(wall).max(0.0), suspended_ms: if drift > DRIFT_MS { drift } else { 0.0 } }
    }
}

/// The end of the whole operation.
///
/// AI calls and writes end by the wall: the larger clock. A read may sleep once without losing its time.
#[derive(Clone, Copy, Debug)]
pub struct Deadline {
    began: Instant,
    seen: Instant,
    total_ms: f64,
    forgiven_ms: f64,
    forgives: bool,
}

impl Deadline {
    /// `total_ms` may be infinite. `forgives` is true for SharePoint reads.
    pub fn begin(now: Instant, total_ms: f64, forgives: bool) -> Deadline {
        Deadline { began: now, seen: now, total_ms, forgiven_ms: 0.0, forgives }
    }

    /// Milliseconds left; zero or below once time is up.
    pub fn left(&mut self, now: Instant) -> f64 {
        let slept = now.since(self.seen).suspended_ms;
        self.seen = now;
        if self.forgives && slept > 0.0 {
            self.forgiven_ms = slept;
            self.forgives = false;
        }
        self.total_ms - (self.elapsed(now) - self.forgiven_ms)
    }

    /// Milliseconds since the operation began, sleep included.
    pub fn elapsed(&self, now: Instant) -> f64 {
        now.since(self.began).ms
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn at(mono: f64, wall: f64) -> Instant {
        Instant { mono, wall }
    }

    #[test]
    fn elapsed_is_the_larger_clock_and_never_negative() {
        assert_eq!(at(500.0, 1_300.0).since(at(0.0, 1_000.0)).ms, 500.0);
        assert_eq!(at(100.0, 41_000.0).since(at(0.0, 1_000.0)).ms, 40_000.0);
        assert_eq!(at(0.0, 900.0).since(at(0.0, 1_000.0)).ms, 0.0);
    }

    #[test]
    fn suspended_starts_above_two_seconds_of_drift_in_either_direction() {
        assert!(!at(0.0, 2_000.0).since(at(0.0, 0.0)).suspended());
        assert!(at(0.0, 2_001.0).since(at(0.0, 0.0)).suspended());
        assert!(at(2_001.0, 0.0).since(at(0.0, 0.0)).suspended());
    }

    #[test]
    fn a_read_is_forgiven_its_sleep_once_and_a_write_never() {
        let mut read = Deadline::begin(at(0.0, 0.0), 10_000.0, true);
        assert_eq!(read.left(at(1_000.0, 1_000.0)), 9_000.0);
        assert_eq!(read.left(at(1_000.0, 61_000.0)), 9_000.0);
        assert_eq!(read.left(at(2_000.0, 62_000.0)), 8_000.0);
        assert_eq!(read.left(at(2_000.0, 72_000.0)), -2_000.0);
        let mut write = Deadline::begin(at(0.0, 0.0), 10_000.0, false);
        assert_eq!(write.left(at(1_000.0, 61_000.0)), -51_000.0);
    }

    #[test]
    fn no_limit_stays_no_limit() {
        let mut open = Deadline::begin(at(0.0, 0.0), f64::INFINITY, true);
        assert_eq!(open.left(at(1e12, 1e12)), f64::INFINITY);
    }
}
