//! The three machines that a page shares, against models of them: random calls, outcomes, cancellations and clocks that
//! jump. A model is written from the rules, not from the machine: it keeps a list of everything that has happened and
//! searches it whenever it is asked, in whole numbers. That is slow, and easy to believe.
//!
//! Between two steps a machine is nothing but numbers, as on a page.
#![cfg(not(target_family = "wasm"))]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may panic"
)]

mod budget;
mod circuit;
mod gate;
mod junk;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm};
use std::fmt::Debug;
use steadfetch::policy::clock::Instant;
use steadfetch::policy::entry::Entry;

/// How many sequences each machine has to survive.
fn sequences() -> Config {
    // A simple generator: unoptimised, the usual one would take most of the time.
    Config { cases: 10_000, failure_persistence: None, rng_algorithm: RngAlgorithm::XorShift, ..Config::default() }
}

/// What the page keeps of a machine: its numbers.
#[derive(Default)]
struct Kept(Option<Vec<f64>>);

impl Kept {
    /// Whatever this library has written makes sense to it, however the clocks were set since.
    fn load<T: Entry + Default>(&self, now: Instant) -> Option<T> {
        let mut entry = read::<T>(self.0.as_ref()?);
        assert!(entry.is_sane(now), "{:?} at {now:?}", self.0);
        Some(entry)
    }

    /// Nothing is lost on the way to the page and back.
    fn save<T: Entry + Default + Clone + Debug + PartialEq>(&mut self, entry: &T) {
        let mut numbers = Vec::new();
        entry.clone().each(&mut |number| numbers.push(*number));
        assert_eq!(&read::<T>(&numbers), entry);
        self.0 = Some(numbers);
    }
}

fn read<T: Entry + Default>(numbers: &[f64]) -> T {
    let mut numbers = numbers.iter();
    let mut entry = T::default();
    entry.each(&mut |number| *number = *numbers.next().expect("as many as were written"));
    assert_eq!(numbers.next(), None);
    entry
}

/// Both clocks in whole units: milliseconds, unless a model says otherwise.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Time {
    mono: i64,
    wall: i64,
}

impl Time {
    /// A page that has been open for a while.
    const BEGIN: Time = Time { mono: 5_000, wall: 1_700_000_000_000 };

    fn instant(self) -> Instant {
        Instant { mono: self.mono as f64, wall: self.wall as f64, asleep: 0.0 }
    }

    fn pass(&mut self, ms: i64) {
        self.mono += ms;
        self.wall += ms;
    }

    /// What is left of `ms` that began then: over as soon as one clock says so.
    fn left(self, began: Time, ms: i64) -> i64 {
        (began.mono + ms - self.mono).min(began.wall + ms - self.wall)
    }
}

/// How far the wall clock is set forward or back; forward is also what a machine that slept finds.
fn a_jump() -> impl Strategy<Value = i64> {
    prop_oneof![-3_000i64..3_000, -3_700_000i64..3_700_000]
}
