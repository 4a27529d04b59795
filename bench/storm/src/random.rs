//! Random numbers that are the same on every machine: SplitMix64, whose constants are public domain.

use std::cell::Cell;

/// A stream of random numbers.
#[derive(Debug)]
pub struct Random(Cell<u64>);

impl Random {
    /// Streams of one seed with different numbers have nothing to do with each other.
    pub fn new(seed: u64, stream: u64) -> Random {
        let random = Random(Cell::new(seed ^ stream.wrapping_mul(0xD1B5_4A32_D192_ED03)));
        random.next();
        random
    }

    fn next(&self) -> u64 {
        self.0.set(self.0.get().wrapping_add(0x9E37_79B9_7F4A_7C15));
        let mut z = self.0.get();
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// In [0, 1).
    pub fn unit(&self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// The time to the next of events that come independently of each other.
    pub fn until_next(&self, mean_ms: f64) -> f64 {
        -(1.0 - self.unit()).ln() * mean_ms
    }
}
