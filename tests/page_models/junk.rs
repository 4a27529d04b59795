//! Anything may stand where the page keeps an entry. What makes no sense is found out; what is not found out does no
//! harm: nothing panics, and nobody waits for longer than a machine of ours would have let them.

use super::{Time, a_jump, read, sequences};
use proptest::prelude::*;
use steadfetch::policy::budget::{Budget, Payment, Rules};
use steadfetch::policy::circuit::{self, Admission, Circuit, Outcome, State, Ticket};
use steadfetch::policy::cool_down::{Gate, Passage, Passed};
use steadfetch::policy::entry::Entry;
use steadfetch::policy::window::Window;

/// What a page may put in the place of an entry: numbers of which a few are no good, since one that is found out hides
/// the others.
fn junk(count: usize) -> impl Strategy<Value = Vec<f64>> {
    let usual = prop_oneof![6 => Just(0.0), 3 => Just(1.0), 1 => Just(2.0)];
    let number = prop_oneof![
        4 => 0.0..20_000.0,
        4 => Time::BEGIN.wall as f64 - 400_000.0..Time::BEGIN.wall as f64 + 400_000.0,
        5 => prop::sample::select(&[
            f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN, f64::MIN_POSITIVE,
            1e300, -1e300, 9e15, 1e9, 1e-300, 0.5, -0.0, -1.0,
        ][..]),
    ];
    let some = prop::collection::vec((0..count, number), 1..5);
    (prop::collection::vec(usual, count), some).prop_map(|(mut numbers, some)| {
        for (at, number) in some {
            numbers[at] = number;
        }
        numbers
    })
}

/// It is taken for none where it makes no sense.
fn sane<T: Entry>(mut entry: T, now: Time) -> Option<T> {
    entry.is_sane(now.instant()).then_some(entry)
}

proptest! {
    #![proptest_config(sequences())]

    #[test]
    fn whatever_stands_in_place_of_a_gate_holds_nobody_for_longer_than_two_minutes(
        numbers in junk(9),
        wait in prop_oneof![Just(f64::NAN), Just(f64::INFINITY), Just(1e300), Just(-1.0), 0.0..300_000.0],
        jump in a_jump(),
    ) {
        let mut now = Time::BEGIN;
        let mut gate = sane(read::<Gate>(&numbers), now);
        // Whoever only looks, and waits as long as he is told, has his turn after the longest closing and a lease.
        let found = |at| sane(gate.clone()?, at).map(|gate| gate.look(at.instant()));
        let mut looks = now;
        while let Some(Passage::Wait(ms)) = found(looks) {
            prop_assert!(ms > 0.0, "{}", ms);
            looks.pass(ms.ceil() as i64);
            prop_assert!(looks.mono - now.mono <= 133_100, "{:?}", looks);
        }
        for how in [Passed::Answered, Passed::Unanswered, Passed::Throttled(None), Passed::Throttled(Some(wait))] {
            let Some(found) = &mut gate else { break };
            let mut number = 0.0;
            match found.look(now.instant()) {
                // What adding rounds is forgiven.
                Passage::Wait(ms) => {
                    prop_assert!(ms > 0.0 && ms <= 120_001.0, "{}", ms);
                    now.pass(ms.ceil() as i64);
                }
                Passage::Free => {
                    number = found.enter(now.instant());
                    prop_assert!(number >= 0.0, "{}", number);
                }
                Passage::Gone => {}
            }
            found.ended(now.instant(), number, how, 0.999);
            if number > 0.0 && how == Passed::Answered {
                let later = Time { mono: now.mono + 30_000, ..now };
                prop_assert_eq!(found.look(later.instant()), Passage::Gone, "the scout lets others follow");
            }
            now.wall += jump;
            gate = gate.and_then(|gate| sane(gate, now));
        }
    }

    #[test]
    fn whatever_stands_in_place_of_a_budget_allows_no_more_than_a_full_one(
        numbers in junk(5),
        scheduled: bool,
    ) {
        let bucket = Rules::default();
        let tokens = Rules { capacity: 20.5, ..bucket };
        let now = Time::BEGIN.instant();
        let found = Some(read::<Budget>(&numbers)).and_then(|budget| sane(budget, Time::BEGIN));
        let mut budget = found.unwrap_or_default();
        let granted = (0..200).filter(|_| budget.repeat(now, &bucket, true, scheduled).is_some()).count();
        let most = if scheduled { 110 } else { 10 };
        prop_assert!(granted <= most, "{}", granted);
        let granted = (0..200).filter(|_| budget.repeat(now, &tokens, true, scheduled).is_some()).count();
        prop_assert!(granted <= 4, "{}", granted);
        budget.refund(Payment::default());
        budget.success(&tokens, None);
        for level in budget.levels(now) {
            prop_assert!((0.0..=100.0).contains(&level), "{}", level);
        }
    }

    #[test]
    fn whatever_stands_in_place_of_a_circuit_holds_nobody_for_longer_than_the_options_allow(
        numbers in junk(8),
        counts in junk(22),
        outcome in prop_oneof![
            Just(Outcome::Neutral), Just(Outcome::Success), Just(Outcome::Failure { slow: true }),
        ],
        jump in a_jump(),
    ) {
        let rules = circuit::Rules { open_ms: 300_000.0, ..circuit::Rules::default() };
        let mut now = Time::BEGIN;
        let mut circuit = sane(read::<Circuit>(&numbers), now);
        // Whoever comes back as late as he is told has his turn after the longest open time and a lease.
        let found = |at| sane(circuit.clone()?, at).map(|circuit| circuit.look(at.instant()));
        let mut looks = now;
        while let Some(Admission::Wait(ms) | Admission::Refused(ms)) = found(looks) {
            looks.pass(ms.max(100.0).ceil() as i64);
            prop_assert!(looks.mono - now.mono <= 360_001 + 10_001 + 360_001, "{:?}", looks);
        }
        for _ in 0..4 {
            let Some(found) = &mut circuit else { break };
            let mut ticket = Ticket::default();
            match found.look(now.instant()) {
                Admission::Wait(ms) => {
                    prop_assert!((0.0..=2_500.0).contains(&ms), "{}", ms);
                    now.pass(ms.ceil() as i64);
                }
                // What adding rounds is forgiven.
                Admission::Refused(ms) => {
                    prop_assert!((0.0..=360_001.0).contains(&ms), "{}", ms);
                    now.pass(ms.ceil() as i64);
                }
                Admission::Free => ticket = found.enter(now.instant()),
            }
            let mut window = sane(read::<Window>(&counts), now).unwrap_or_default();
            let (calls, failures) = window.counts(now.instant());
            prop_assert!(calls >= 0.0 && failures >= 0.0);
            found.ended(now.instant(), ticket, outcome, &rules, &mut window, &|| 0.999);
            if ticket.is_probe() && outcome == Outcome::Success {
                prop_assert_eq!(found.state(now.instant()), State::Closed);
            }
            now.wall += jump;
            circuit = circuit.and_then(|circuit| sane(circuit, now));
        }
    }
}
