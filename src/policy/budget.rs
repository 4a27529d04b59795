//! The retry budget: how much repeating is polite. When a server is down, every repeat is one more request to a server
//! that is down; a budget keeps the repeats of a page to a share of its requests.
//!
//! Two forms. The usual one is a bucket that each request fills by a share of one repeat, and each minute by a few. The
//! other is the token bucket of the AWS SDKs, for those who come from there.

use super::clock::Instant;
use super::entry::{Entry, Shelf};

/// The bucket starts full with so many repeats, and holds no more.
const BUCKET: f64 = 10.0;
/// The reserve for repeats after a wait that the server itself has stated.
const RESERVE: f64 = 100.0;
const MINUTE_MS: f64 = 60_000.0;

/// What a call brings along.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// 0: there is no budget.
    pub on: f64,
    /// Repeats that each request adds.
    pub ratio: f64,
    /// Repeats that each minute adds.
    pub per_minute: f64,
    /// Of the token bucket; NaN: it is the usual one.
    pub capacity: f64,
    /// Tokens for a repeat after any failure but a 429 or 503.
    pub transient: f64,
    /// Tokens for a repeat after a 429 or 503.
    pub throttled: f64,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules { on: 1.0, ratio: 0.1, per_minute: 2.0, capacity: f64::NAN, transient: 14.0, throttled: 5.0 }
    }
}

impl Rules {
    fn counts_tokens(&self) -> bool {
        !self.capacity.is_nan()
    }
}

/// One origin's budget. One that nobody has drawn on is full, and need not be kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Budget {
    bucket: f64,
    reserve: f64,
    /// When the minutes were last counted.
    counted: Instant,
    /// Tokens that are missing from a full token bucket.
    spent: f64,
}

/// What was taken for a repeat.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Payment {
    bucket: f64,
    reserve: f64,
    tokens: f64,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { bucket: BUCKET, reserve: RESERVE, counted: Instant::default(), spent: 0.0 }
    }
}

impl Entry for Budget {
    fn shelf(&self) -> Shelf {
        Shelf::Budgets
    }

    fn each(&mut self, visit: &mut dyn FnMut(&mut f64)) {
        visit(&mut self.bucket);
        visit(&mut self.reserve);
        visit(&mut self.counted.mono);
        visit(&mut self.counted.wall);
        visit(&mut self.spent);
    }

    fn reset(&mut self) {
        *self = Budget::default();
    }

    fn is_possible(&self, _: Instant) -> bool {
        self.bucket <= BUCKET && self.reserve <= RESERVE
    }
}

impl Budget {
    /// What is left: repeats, or tokens.
    pub fn left(&self, rules: &Rules) -> f64 {
        if rules.counts_tokens() { (rules.capacity - self.spent).max(0.0) } else { self.bucket }
    }

    /// What is left at this moment by the usual rules: repeats, and repeats after a wait that the server stated.
    pub fn levels(&mut self, now: Instant) -> [f64; 2] {
        self.minutes(now, &Rules::default());
        [self.bucket, self.reserve]
    }

    /// A request is sent for the first time.
    pub fn request(&mut self, now: Instant, rules: &Rules) {
        if !rules.counts_tokens() {
            self.minutes(now, rules);
            self.add(rules.ratio);
        }
    }

    /// Takes a repeat out. `scheduled` says that the server stated the wait before it. `None` when there is none left.
    pub fn repeat(&mut self, now: Instant, rules: &Rules, throttled: bool, scheduled: bool) -> Option<Payment> {
        let mut payment = Payment::default();
        if rules.counts_tokens() {
            payment.tokens = if throttled { rules.throttled } else { rules.transient };
            if self.spent + payment.tokens > rules.capacity {
                return None;
            }
        } else {
            self.minutes(now, rules);
            if self.bucket >= 1.0 {
                payment.bucket = 1.0;
            } else if scheduled && self.reserve >= 1.0 {
                payment.reserve = 1.0;
            } else {
                return None;
            }
        }
        self.bucket -= payment.bucket;
        self.reserve -= payment.reserve;
        self.spent += payment.tokens;
        Some(payment)
    }

    /// The repeat was not sent after all.
    pub fn refund(&mut self, payment: Payment) {
        self.bucket = (self.bucket + payment.bucket).min(BUCKET);
        self.reserve = (self.reserve + payment.reserve).min(RESERVE);
        self.spent = (self.spent - payment.tokens).max(0.0);
    }

    /// A call succeeded, after a repeat that had cost this much, or without one. Only tokens are paid back.
    pub fn success(&mut self, rules: &Rules, payment: Option<Payment>) {
        if rules.counts_tokens() {
            self.spent = (self.spent - payment.map_or(1.0, |payment| payment.tokens)).max(0.0);
        }
    }

    fn minutes(&mut self, now: Instant, rules: &Rules) {
        // What is counted for the first time begins full.
        self.add(now.since(self.counted).ms / MINUTE_MS * rules.per_minute);
        self.counted = now;
    }

    fn add(&mut self, repeats: f64) {
        self.bucket = (self.bucket + repeats).min(BUCKET);
        self.reserve = (self.reserve + repeats).min(RESERVE);
    }
}
