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
    /// How long the page is known to have been frozen or asleep so far, whatever the clocks say.
    pub asleep: f64,
}

/// A moment to come on both clocks. It has come as soon as one of them says so.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Until {
    /// On the monotonic clock.
    pub mono: f64,
    /// On the wall clock.
    pub wall: f64,
}

impl Until {
    /// In `ms`.
    pub fn after(now: Instant, ms: f64) -> Until {
        Until { mono: now.mono + ms, wall: now.wall + ms }
    }

    /// Milliseconds left; zero or below once it has come.
    pub fn left(self, now: Instant) -> f64 {
        (self.mono - now.mono).min(self.wall - now.wall)
    }
}

/// The time between two readings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elapsed {
    /// The larger of the two differences, never negative.
    pub ms: f64,
    /// How long the machine or the page slept meanwhile: how far the clocks moved apart, if that was more than two
    /// seconds, or what was noticed otherwise.
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
        let drift = if drift > DRIFT_MS { drift } else { 0.0 };
        Elapsed { ms: mono.max(wall).max(0.0), suspended_ms: drift.max(self.asleep - earlier.asleep) }
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
        let since = now.since(self.seen);
        // A wall clock that was set back moves away from the other, and no time has passed by it.
        let slept = since.suspended_ms.min(since.ms);
        self.seen = now;
        if self.forgives && slept > 0.0 {
            self.forgiven_ms = slept;
            self.forgives = false;
        }
        self.total_ms - (self.elapsed(now) - self.forgiven_ms)
    }

    /// A wait is over. A beat that came late meanwhile is no sleep: the timers of a hidden tab are late all the time.
    pub fn rested(&mut self, now: Instant) {
        self.seen.asleep = now.asleep;
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
        Instant { mono, wall, asleep: 0.0 }
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
    fn a_clock_that_is_set_back_lengthens_nothing() {
        let mut deadline = Deadline::begin(at(0.0, 0.0), 60_000.0, true);
        assert_eq!(deadline.left(at(1_000.0, -3_600_000.0)), 60_000.0);
        assert_eq!(deadline.left(at(2_000.0, -3_599_000.0)), 59_000.0);
    }

    #[test]
    fn what_was_noticed_otherwise_counts_where_the_clocks_agree() {
        let woken = Instant { asleep: 55_000.0, ..at(60_000.0, 60_000.0) };
        assert_eq!(woken.since(at(0.0, 0.0)).suspended_ms, 55_000.0);
        assert!(!woken.since(Instant { asleep: 55_000.0, ..at(50_000.0, 50_000.0) }).suspended());
        let mut read = Deadline::begin(at(0.0, 0.0), 10_000.0, true);
        assert_eq!(read.left(woken), 5_000.0);
        let mut read = Deadline::begin(at(0.0, 0.0), 10_000.0, true);
        read.rested(woken);
        assert_eq!(read.left(woken), -50_000.0);
    }

    #[test]
    fn a_moment_has_come_as_soon_as_one_clock_says_so() {
        let moment = Until::after(at(1_000.0, 50_000.0), 500.0);
        assert_eq!(moment.left(at(1_200.0, 50_200.0)), 300.0);
        assert_eq!(moment.left(at(1_200.0, 50_500.0)), 0.0);
        assert_eq!(moment.left(at(1_500.0, 0.0)), 0.0);
    }

    #[test]
    fn no_limit_stays_no_limit() {
        let mut open = Deadline::begin(at(0.0, 0.0), f64::INFINITY, true);
        assert_eq!(open.left(at(1e12, 1e12)), f64::INFINITY);
    }
}
