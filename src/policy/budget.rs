//! The retry budget: how much repeating is polite. When a server is down, every repeat is one more request to a server
//! that is down; a budget keeps the repeats of a page to a share of its requests.
//!
//! Two forms. The usual one is a bucket that each request fills by a share of one repeat, and each minute by a few. The
//! other is the token bucket of the AWS SDKs, for those who come from there.

use super::clock::Instant;
use super::entry::{Entry, Shelf, within};

/// The bucket starts full with so many repeats, and holds no more.
const BUCKET: f64 = 10.0;
/// The reserve for repeats after a wait that the server itself has stated.
const RESERVE: f64 = 100.0;
const MINUTE_MS: f64 = 60_000.0;

/// Unless the caller says otherwise: what a request adds, and what a minute adds.
pub const RATIO: f64 = 0.1;
/// As above.
pub const PER_MINUTE: f64 = 2.0;

/// What a call brings along.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rules {
    /// No budget.
    Off,
    /// Each request adds `ratio`, each minute `per_minute`, each repeat takes 1.
    Bucket {
        /// Added by each request.
        ratio: f64,
        /// Added by each minute.
        per_minute: f64,
    },
    /// The AWS SDKs' form.
    Tokens {
        /// It starts full with so many tokens.
        capacity: f64,
        /// Cost of a repeat after any other failure.
        transient: f64,
        /// Cost of a repeat after a 429 or 503.
        throttled: f64,
    },
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
    const SHELF: Shelf = Shelf::Budgets;

    fn each(&mut self, visit: &mut dyn FnMut(&mut f64)) {
        visit(&mut self.bucket);
        visit(&mut self.reserve);
        visit(&mut self.counted.mono);
        visit(&mut self.counted.wall);
        visit(&mut self.spent);
    }

    fn is_sane(&self, _: Instant) -> bool {
        within(self.bucket, BUCKET)
            && within(self.reserve, RESERVE)
            && within(self.spent, 1e9)
            && within(self.counted.mono, f64::MAX)
            && within(self.counted.wall, f64::MAX)
    }
}

impl Budget {
    /// What is left: repeats, or tokens.
    pub fn left(&self, rules: Rules) -> f64 {
        match rules {
            Rules::Off => f64::INFINITY,
            Rules::Bucket { .. } => self.bucket,
            Rules::Tokens { capacity, .. } => (capacity - self.spent).max(0.0),
        }
    }

    /// What is left at this moment by the usual rules: repeats, and repeats after a wait that the server stated.
    pub fn levels(&mut self, now: Instant) -> [f64; 2] {
        self.minutes(now, Rules::Bucket { ratio: RATIO, per_minute: PER_MINUTE });
        [self.bucket, self.reserve]
    }

    /// A request is sent for the first time.
    pub fn request(&mut self, now: Instant, rules: Rules) {
        if let Rules::Bucket { ratio, .. } = rules {
            self.minutes(now, rules);
            self.add(ratio);
        }
    }

    /// Takes a repeat out. `scheduled` says that the server stated the wait before it. `None` when there is none left.
    pub fn repeat(&mut self, now: Instant, rules: Rules, throttled: bool, scheduled: bool) -> Option<Payment> {
        self.minutes(now, rules);
        let payment = match rules {
            Rules::Off => Payment::default(),
            Rules::Bucket { .. } if self.bucket >= 1.0 => Payment { bucket: 1.0, ..Payment::default() },
            Rules::Bucket { .. } if scheduled && self.reserve >= 1.0 => Payment { reserve: 1.0, ..Payment::default() },
            Rules::Bucket { .. } => return None,
            Rules::Tokens { capacity, transient, throttled: cost } => {
                let tokens = if throttled { cost } else { transient };
                if self.spent + tokens > capacity {
                    return None;
                }
                Payment { tokens, ..Payment::default() }
            }
        };
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
    pub fn success(&mut self, rules: Rules, payment: Option<Payment>) {
        if let Rules::Tokens { .. } = rules {
            self.spent = (self.spent - payment.map_or(1.0, |payment| payment.tokens)).max(0.0);
        }
    }

    fn minutes(&mut self, now: Instant, rules: Rules) {
        if let Rules::Bucket { per_minute, .. } = rules {
            // Whatever was counted first begins with a full bucket.
            self.add(now.since(self.counted).ms / MINUTE_MS * per_minute);
            self.counted = now;
        }
    }

    fn add(&mut self, repeats: f64) {
        self.bucket = (self.bucket + repeats).min(BUCKET);
        self.reserve = (self.reserve + repeats).min(RESERVE);
    }
}
