//! How the latest attempts went: a window that slides on in steps of a tenth of its length, and in which earlier attempts
//! fade when there are many. Without that, five good minutes would outweigh half a minute in which everything fails.

use super::clock::Instant;
use super::entry::{Entry, Shelf};

const SLOTS: usize = 10;

/// Attempts, and how many of them failed, slot by slot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Window {
    /// How long it is, and the number of the latest slot, which comes first.
    length_ms: f64,
    slot: f64,
    calls: [f64; SLOTS],
    failures: [f64; SLOTS],
}

impl Entry for Window {
    fn shelf(&self) -> Shelf {
        Shelf::Windows
    }

    fn each(&mut self, visit: &mut dyn FnMut(&mut f64)) {
        visit(&mut self.length_ms);
        visit(&mut self.slot);
        self.calls.iter_mut().chain(&mut self.failures).for_each(visit);
    }

    fn reset(&mut self) {
        *self = Window::default();
    }

    fn is_possible(&self, _: Instant) -> bool {
        self.length_ms > 0.0
    }
}

impl Window {
    /// Counts an attempt that ended now. It weighs 1; all weigh `most` at most, and those before it fade to make room.
    pub fn count(&mut self, now: Instant, length_ms: f64, most: f64, failed: bool) {
        self.slide(now, length_ms);
        let (calls, _) = self.counts(now);
        let weight = ((most - 1.0) / calls).min(1.0);
        for counts in [&mut self.calls, &mut self.failures] {
            counts.iter_mut().for_each(|number| *number *= weight);
        }
        let ([calls, ..], [failures, ..]) = (&mut self.calls, &mut self.failures);
        *calls += 1.0;
        *failures += f64::from(u8::from(failed));
    }

    /// An attempt that was counted as a success has failed after all.
    pub fn turn(&mut self, now: Instant, length_ms: f64) {
        self.slide(now, length_ms);
        let (calls, failures) = self.counts(now);
        // It may have left the window since.
        let lacking = (failures + 1.0 - calls).max(0.0);
        let ([calls, ..], [failures, ..]) = (&mut self.calls, &mut self.failures);
        *calls += lacking;
        *failures += 1.0;
    }

    /// Begins anew.
    pub fn empty(&mut self) {
        *self = Window { length_ms: self.length_ms, slot: self.slot, ..Window::default() };
    }

    /// Attempts in the window, and how many of them failed.
    pub fn counts(&mut self, now: Instant) -> (f64, f64) {
        self.slide(now, self.length_ms);
        (self.calls.iter().sum(), self.failures.iter().sum())
    }

    /// Moves on to the slot of this moment, and leaves those behind that are too old.
    fn slide(&mut self, now: Instant, length_ms: f64) {
        let slot = (now.wall / (length_ms / SLOTS as f64)).floor();
        let mut passed = slot - self.slot;
        // Another window, or a clock that was set back far: what is there means nothing any more.
        if length_ms != self.length_ms || passed <= -(SLOTS as f64) {
            passed = SLOTS as f64;
        }
        if passed <= 0.0 {
            return;
        }
        for counts in [&mut self.calls, &mut self.failures] {
            for _ in 0..passed.min(SLOTS as f64) as u32 {
                counts.copy_within(..SLOTS - 1, 1);
                counts[0] = 0.0;
            }
        }
        (self.length_ms, self.slot) = (length_ms, slot);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    const MANY: f64 = 1_000.0;

    fn at(wall: f64) -> Instant {
        Instant { wall, ..Instant::default() }
    }

    #[test]
    fn it_forgets_in_steps_of_a_tenth() {
        let mut window = Window::default();
        window.count(at(1_700_000_000_000.0), 1_000.0, MANY, true);
        window.count(at(1_700_000_000_999.0), 1_000.0, MANY, false);
        assert_eq!(window.counts(at(1_700_000_000_999.0)), (2.0, 1.0));
        assert_eq!(window.counts(at(1_700_000_001_000.0)), (1.0, 0.0));
        assert_eq!(window.counts(at(1_700_000_001_899.0)), (1.0, 0.0));
        assert_eq!(window.counts(at(1_700_000_001_900.0)), (0.0, 0.0));
    }

    #[test]
    fn an_attempt_that_failed_after_all_is_not_counted_twice_and_not_lost() {
        let mut window = Window::default();
        window.count(at(5_000.0), 1_000.0, MANY, false);
        window.turn(at(5_100.0), 1_000.0);
        assert_eq!(window.counts(at(5_100.0)), (1.0, 1.0));
        window.turn(at(7_000.0), 1_000.0);
        assert_eq!(window.counts(at(7_000.0)), (1.0, 1.0));
    }

    #[test]
    fn a_clock_set_back_a_little_is_forgiven_and_one_set_back_far_empties_it() {
        let mut window = Window::default();
        window.count(at(5_000.0), 1_000.0, MANY, true);
        window.count(at(4_500.0), 1_000.0, MANY, true);
        assert_eq!(window.counts(at(5_000.0)), (2.0, 2.0));
        assert_eq!(window.counts(at(3_000.0)), (0.0, 0.0));
    }

    #[test]
    fn what_failed_last_outweighs_what_went_well_before() {
        let mut window = Window::default();
        let now = at(5_000.0);
        (0..500).for_each(|_| window.count(now, 1_000.0, 8.0, false));
        let mut failed = 0;
        while window.counts(now).1 < 4.0 {
            window.count(now, 1_000.0, 8.0, true);
            failed += 1;
        }
        let (calls, _) = window.counts(now);
        assert_eq!(failed, 6);
        assert!((calls - 8.0).abs() < 1e-9, "{calls}");
    }
}
