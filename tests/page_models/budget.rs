//! The retry budget. Amounts are multiples of 1/4096 of a repeat and times of 1/64 of a minute, so that the machine's
//! arithmetic loses nothing.

use super::{Kept, Time, sequences};
use proptest::prelude::*;
use steadfetch::policy::budget::{Budget, Payment, Rules};
use steadfetch::policy::clock::Instant;

/// Units of a repeat, or of a token.
const ONE: i64 = 4_096;
const BUCKET: i64 = 10 * ONE;
const RESERVE: i64 = 100 * ONE;
/// Ticks of a minute.
const MINUTE: i64 = 64;
const TICK_MS: f64 = 60_000.0 / MINUTE as f64;

/// Without a capacity it is the usual form.
const BUCKETS: [Rules; 4] = [bucket(0.125, 2.0), bucket(0.5, 0.0), bucket(0.0, 0.5), bucket(1.0, 8.0)];
const TOKENS: [Rules; 2] = [tokens(500.0, 14.0, 5.0), tokens(20.5, 3.25, 0.5)];

const fn bucket(ratio: f64, per_minute: f64) -> Rules {
    Rules { ratio, per_minute, ..tokens(f64::NAN, 14.0, 5.0) }
}

const fn tokens(capacity: f64, transient: f64, throttled: f64) -> Rules {
    Rules { on: 1.0, ratio: 0.0, per_minute: 0.0, capacity, transient, throttled }
}

#[derive(Clone, Copy, Debug)]
enum Step {
    /// So many calls send for the first time.
    Requests(usize),
    /// So many of them, or of earlier ones, want to repeat.
    Repeats {
        count: usize,
        throttled: bool,
        scheduled: bool,
    },
    /// A wait is cancelled: one of those who have paid does not send.
    Cancel(usize),
    /// One of those who have paid has sent, and succeeds.
    Success(usize),
    /// A call succeeds that has repeated nothing.
    CleanSuccess,
    /// In ticks.
    Pass(i64),
    SetWall(i64),
    /// Other calls bring other rules.
    Others,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => prop_oneof![3 => 1usize..4, 1 => 1usize..30].prop_map(Step::Requests),
        8 => (prop_oneof![3 => 1usize..4, 1 => 1usize..40], any::<bool>(), any::<bool>())
            .prop_map(|(count, throttled, scheduled)| Step::Repeats { count, throttled, scheduled }),
        3 => any::<usize>().prop_map(Step::Cancel),
        2 => any::<usize>().prop_map(Step::Success),
        1 => Just(Step::CleanSuccess),
        3 => prop_oneof![0..MINUTE, 0..20 * MINUTE].prop_map(Step::Pass),
        1 => (-90 * MINUTE..90 * MINUTE).prop_map(Step::SetWall),
        1 => Just(Step::Others),
    ];
    prop::collection::vec(step, 1..40)
}

// ---- the model

/// What goes into one of the three pots, or, below zero, what is taken out.
#[derive(Clone, Copy, PartialEq)]
enum Pot {
    Bucket,
    Reserve,
    /// Tokens, counted from a full bucket down: whatever its capacity, it is never more than full.
    Tokens,
}

#[derive(Default)]
struct Log {
    moves: Vec<(Pot, i64)>,
    /// When the minutes were counted.
    counted: Vec<Time>,
    deposits: i64,
}

impl Log {
    /// A pot that holds `most` and was full at first holds as much as it lacked when it was last full: that is the
    /// least of what all its last moves, for every number of them, would leave of a full one.
    fn holds(&self, pot: Pot, most: i64) -> i64 {
        let mut moved = 0;
        let moves = self.moves.iter().rev().filter(|(of, _)| *of == pot);
        moves.fold(most, |least, (_, by)| {
            moved += by;
            least.min(most + moved)
        })
    }

    fn deposit(&mut self, amount: i64) {
        self.deposits += amount;
        self.moves.extend([(Pot::Bucket, amount), (Pot::Reserve, amount)]);
    }

    /// Minutes count by the larger clock, from one look to the next.
    fn minutes(&mut self, now: Time, rules: Rules) {
        if counts_tokens(rules) {
            return;
        }
        if let Some(last) = self.counted.last() {
            let ticks = (now.mono - last.mono).max(now.wall - last.wall).max(0);
            self.deposit(ticks * units(rules.per_minute) / MINUTE);
        }
        self.counted.push(now);
    }

    /// From where a repeat is paid, and how much.
    fn repeat(&mut self, now: Time, rules: Rules, throttled: bool, scheduled: bool) -> Option<(Pot, i64)> {
        self.minutes(now, rules);
        let (pot, cost) = if counts_tokens(rules) {
            let cost = units(if throttled { rules.throttled } else { rules.transient });
            (self.holds(Pot::Tokens, units(rules.capacity)) >= cost).then_some((Pot::Tokens, cost))
        } else if self.holds(Pot::Bucket, BUCKET) >= ONE {
            Some((Pot::Bucket, ONE))
        } else {
            (scheduled && self.holds(Pot::Reserve, RESERVE) >= ONE).then_some((Pot::Reserve, ONE))
        }?;
        self.moves.push((pot, -cost));
        Some((pot, cost))
    }
}

fn counts_tokens(rules: Rules) -> bool {
    !rules.capacity.is_nan()
}

fn units(amount: f64) -> i64 {
    assert_eq!((amount * ONE as f64).fract(), 0.0);
    (amount * ONE as f64) as i64
}

fn instant(now: Time) -> Instant {
    Instant { mono: now.mono as f64 * TICK_MS, wall: now.wall as f64 * TICK_MS, asleep: 0.0 }
}

// ---- both side by side

struct Page {
    kept: Kept,
    log: Log,
    /// Repeats that were paid for and have not ended.
    paid: Vec<(Payment, Pot, i64)>,
    /// Repeats that were paid for and not cancelled, by the pot they were paid from.
    repeats: [i64; 2],
}

impl Page {
    fn budget(&self, now: Time) -> Budget {
        self.kept.load(instant(now)).unwrap_or_default()
    }

    fn agree(&self, now: Time, rules: Rules) {
        let budget = self.budget(now);
        let left = if counts_tokens(rules) {
            self.log.holds(Pot::Tokens, units(rules.capacity)).max(0)
        } else {
            self.log.holds(Pot::Bucket, BUCKET)
        };
        assert_eq!(budget.left(&rules) * ONE as f64, left as f64);
    }

    /// What `telemetry()` shows: the minutes that have passed are counted, and not kept.
    fn levels(&mut self, now: Time) {
        let shown = self.budget(now).levels(instant(now)).map(|level| level * ONE as f64);
        let before = (self.log.moves.len(), self.log.counted.len(), self.log.deposits);
        self.log.minutes(now, bucket(0.0, 2.0));
        let held = [self.log.holds(Pot::Bucket, BUCKET), self.log.holds(Pot::Reserve, RESERVE)];
        assert_eq!(shown, held.map(|level| level as f64));
        self.log.moves.truncate(before.0);
        self.log.counted.truncate(before.1);
        self.log.deposits = before.2;
    }

    fn request(&mut self, now: Time, rules: Rules) {
        let mut budget = self.budget(now);
        budget.request(instant(now), &rules);
        self.kept.save(&budget);
        self.log.minutes(now, rules);
        if !counts_tokens(rules) {
            self.log.deposit(units(rules.ratio));
        }
    }

    fn repeat(&mut self, now: Time, rules: Rules, throttled: bool, scheduled: bool) {
        let mut budget = self.budget(now);
        let payment = budget.repeat(instant(now), &rules, throttled, scheduled);
        self.kept.save(&budget);
        let expected = self.log.repeat(now, rules, throttled, scheduled);
        assert_eq!(payment.is_some(), expected.is_some(), "a repeat at {now:?} by {rules:?}");
        let (Some(payment), Some((pot, cost))) = (payment, expected) else { return };
        self.paid.push((payment, pot, cost));
        if pot != Pot::Tokens {
            self.repeats[pot as usize] += 1;
        }
    }

    fn take_paid(&mut self, which: usize) -> Option<(Payment, Pot, i64)> {
        (!self.paid.is_empty()).then(|| self.paid.swap_remove(which % self.paid.len()))
    }

    fn cancel(&mut self, now: Time, which: usize) {
        let Some((payment, pot, cost)) = self.take_paid(which) else { return };
        let mut budget = self.budget(now);
        budget.refund(payment);
        self.kept.save(&budget);
        self.log.moves.push((pot, cost));
        if pot != Pot::Tokens {
            self.repeats[pot as usize] -= 1;
        }
    }

    fn success(&mut self, now: Time, rules: Rules, paid: Option<(Payment, Pot, i64)>) {
        let mut budget = self.budget(now);
        budget.success(&rules, paid.map(|(payment, ..)| payment));
        self.kept.save(&budget);
        if counts_tokens(rules) {
            let back = match paid {
                Some((_, Pot::Tokens, cost)) => cost,
                Some(_) => 0,
                None => ONE,
            };
            self.log.moves.push((Pot::Tokens, back));
        }
    }

    /// What section 6 allows, whatever the model says. A repeat after a stated wait may be paid from either pot.
    fn hold(&self) {
        assert!(self.repeats[0] * ONE <= BUCKET + self.log.deposits);
        assert!(self.repeats[1] * ONE <= RESERVE + self.log.deposits);
    }
}

proptest! {
    #![proptest_config(sequences())]

    #[test]
    fn a_budget_does_what_its_model_says(steps in steps(), which in 0usize..6, other in 0usize..6) {
        let all = [BUCKETS[0], BUCKETS[1], BUCKETS[2], BUCKETS[3], TOKENS[0], TOKENS[1]];
        let (mut rules, mut others) = (all[which], all[other]);
        let mut now = Time { mono: 5, wall: 28_000_000 * MINUTE };
        let mut page = Page { kept: Kept::default(), log: Log::default(), paid: Vec::new(), repeats: [0; 2] };
        for step in steps {
            match step {
                Step::Requests(count) => (0..count).for_each(|_| page.request(now, rules)),
                Step::Repeats { count, throttled, scheduled } => {
                    (0..count).for_each(|_| page.repeat(now, rules, throttled, scheduled));
                }
                Step::Cancel(which) => page.cancel(now, which),
                Step::Success(which) => {
                    if let Some(paid) = page.take_paid(which) {
                        page.success(now, rules, Some(paid));
                    }
                }
                Step::CleanSuccess => page.success(now, rules, None),
                Step::Pass(ticks) => now.pass(ticks),
                Step::SetWall(ticks) => now.wall += ticks,
                Step::Others => std::mem::swap(&mut rules, &mut others),
            }
            page.agree(now, rules);
            page.levels(now);
            page.hold();
        }
    }

    #[test]
    fn a_refund_never_creates_budget(
        turns in prop::collection::vec((0usize..30, 0..3 * MINUTE), 1..20),
        per_minute in prop_oneof![Just(0.0), Just(0.5), Just(8.0)],
        drawn in 0usize..12,
        scheduled: bool,
    ) {
        // The same page twice. On one of them a repeat is paid for at every turn, and given back at the next.
        let rules = bucket(0.125, per_minute);
        let mut now = Time { mono: 5, wall: 28_000_000 * MINUTE };
        let mut plain = Budget::default();
        for _ in 0..drawn {
            plain.repeat(instant(now), &rules, true, scheduled);
        }
        let mut refunding = plain.clone();
        for (requests, ticks) in turns {
            let owed = refunding.repeat(instant(now), &rules, true, scheduled);
            plain.request(instant(now), &bucket(0.0, per_minute));
            if requests == 0 {
                refunding.refund(owed.unwrap_or_default());
                prop_assert_eq!(&refunding, &plain, "at once, all is as it was");
                continue;
            }
            now.pass(ticks);
            for budget in [&mut plain, &mut refunding] {
                (0..requests).for_each(|_| budget.request(instant(now), &rules));
            }
            refunding.refund(owed.unwrap_or_default());
            let [mut most, mut found] = [plain.clone(), refunding.clone()];
            let (most, found) = (most.levels(instant(now)), found.levels(instant(now)));
            prop_assert!(found[0] <= most[0] && found[1] <= most[1], "{:?}, not {:?}", found, most);
        }
    }
}
