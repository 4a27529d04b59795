//! What must hold whatever the server and `find` do, in virtual time: a list that writes land in late or never, read
//! through a `find` that is stale or fails.

// clippy.toml allows it in tests, and does not see that these are.
#![allow(clippy::indexing_slicing, clippy::panic)]

use super::*;
use proptest::option::weighted;
use proptest::prelude::*;

/// What the server does with one send.
#[derive(Clone, Debug)]
struct Fate {
    ended: Ended,
    /// The item appears so long after the answer.
    lands_after_ms: Option<f64>,
}

#[derive(Clone, Debug)]
struct World {
    rules: Rules,
    fates: Vec<Fate>,
    /// Reads see an item so long after it appeared.
    stale_ms: f64,
    /// Which of the finds fail.
    failing: Vec<bool>,
}

/// What there was to see.
struct Course {
    verdict: Verdict,
    sent: Vec<(f64, Fate)>,
    /// When a find ended, and what it said.
    finds: Vec<(f64, Event)>,
    now: f64,
}

impl World {
    fn play(&self) -> Course {
        let mut write = WriteOnce::new(self.rules);
        let mut course = Course { verdict: Verdict::Unknown, sent: Vec::new(), finds: Vec::new(), now: 0.0 };
        for _ in 0..1_000 {
            let event = match write.next() {
                Step::Send => {
                    let fate = self.fates[course.sent.len() % self.fates.len()].clone();
                    course.sent.push((course.now, fate.clone()));
                    Event::Sent(fate.ended)
                }
                Step::Find => {
                    let failing = self.failing[course.finds.len() % self.failing.len()];
                    let seen = course.landed().any(|at| at + self.stale_ms <= course.now);
                    let said = if failing {
                        Event::FindFailed
                    } else if seen {
                        Event::Found
                    } else {
                        Event::Absent
                    };
                    course.finds.push((course.now, said));
                    said
                }
                Step::Wait(ms) => {
                    assert!(ms > 0.0 && ms.is_finite(), "a wait of {ms}");
                    course.now += ms;
                    Event::Waited
                }
                Step::Done(verdict) => {
                    course.verdict = verdict;
                    return course;
                }
            };
            write.tell(event);
        }
        panic!("no end: {self:?}");
    }
}

impl Course {
    /// When items appeared, or will.
    fn landed(&self) -> impl Iterator<Item = f64> {
        self.sent.iter().filter_map(|(at, fate)| Some(at + fate.lands_after_ms?))
    }
}

fn is_throttled(fate: &Fate) -> bool {
    matches!(fate.ended, Ended::Answered { status: Some(429 | 503), .. })
}

fn ms(most: u32) -> impl Strategy<Value = f64> {
    (0..=most).prop_map(f64::from)
}

prop_compose! {
    fn fate()(
        ended in prop_oneof![
            2 => Just(None),
            1 => Just(Some(None)),
            6 => prop::sample::select(vec![200u16, 201, 400, 403, 408, 409, 412, 429, 429, 500, 502, 503, 503, 504]).prop_map(|status| Some(Some(status))),
        ],
        hint_ms in weighted(0.4, ms(200_000)),
        page in prop::bool::weighted(0.1),
        not_sent in prop::bool::weighted(0.05),
        late in weighted(0.6, ms(40_000)),
    ) -> Fate {
        let ended = match ended {
            _ if not_sent => Ended::NotSent,
            None => Ended::Unanswered,
            Some(status) => Ended::Answered { status, hint_ms, page },
        };
        let lands_after_ms = match Outcome::of(ended) {
            Outcome::Written => Some(0.0),
            Outcome::Refused | Outcome::NotSent => None,
            _ => late,
        };
        Fate { ended, lands_after_ms }
    }
}

prop_compose! {
    fn world()(
        (max_sends, resend_lost) in (1u32..6, any::<bool>()),
        settle_ms in 1u32..20_000,
        patience_ms in ms(150_000),
        fates in prop::collection::vec(fate(), 1..6),
        stale_ms in prop_oneof![Just(0.0), ms(30_000)],
        failing in prop::collection::vec(prop::bool::weighted(0.1), 1..12),
    ) -> World {
        let rules = Rules { max_sends, settle_ms: f64::from(settle_ms), resend_lost, patience_ms };
        World { rules, fates, stale_ms, failing }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn it_is_never_sent_more_often_than_allowed(world in world()) {
        prop_assert!(world.play().sent.len() <= world.rules.max_sends as usize);
    }

    #[test]
    fn after_a_lost_answer_it_is_not_sent_again_unless_the_caller_says_so(world in world()) {
        let course = world.play();
        for (_, fate) in course.sent.iter().rev().skip(1) {
            prop_assert!(is_throttled(fate) || world.rules.resend_lost, "sent again after {fate:?}");
        }
    }

    #[test]
    fn before_each_further_send_two_finds_a_settle_apart_said_absent(world in world()) {
        let course = world.play();
        for pair in course.sent.windows(2) {
            let [(before, fate), (again, _)] = pair else { panic!("{pair:?}") };
            let between: Vec<_> = course.finds.iter().filter(|(at, _)| before < at && at <= again).take(2).collect();
            prop_assert!(between.iter().all(|(_, said)| *said == Event::Absent), "{between:?}");
            let [(first, _), (second, _)] = between[..] else { panic!("{between:?}") };
            let hint = Outcome::of(fate.ended).hint_ms().unwrap_or(0.0);
            prop_assert!(first - before >= world.rules.settle_ms.max(hint));
            prop_assert!(second - first >= world.rules.settle_ms);
        }
    }

    #[test]
    fn a_find_that_fails_ends_it_as_unknown(world in world()) {
        let course = world.play();
        if let Some(at) = course.finds.iter().position(|(_, said)| *said == Event::FindFailed) {
            prop_assert_eq!((at + 1, course.verdict), (course.finds.len(), Verdict::Unknown));
        }
    }

    #[test]
    fn what_is_told_as_written_is_there(world in world()) {
        let course = world.play();
        if matches!(course.verdict, Verdict::Written | Verdict::AlreadyApplied) {
            prop_assert!(course.landed().any(|at| at <= course.now));
        }
    }

    #[test]
    fn nothing_doubles_that_lands_and_shows_in_time(world in world()) {
        // In time: within a settle of an answer, and seen within another; lost ones are not sent again.
        let settle = world.rules.settle_ms;
        let mut world = world;
        world.rules.resend_lost = false;
        world.stale_ms = world.stale_ms.min(settle);
        for fate in &mut world.fates {
            if is_throttled(fate) {
                fate.lands_after_ms = fate.lands_after_ms.map(|ms| ms.min(settle));
            }
        }
        prop_assert!(world.play().landed().count() <= 1);
    }

    #[test]
    fn what_is_told_as_never_sent_never_was(world in world()) {
        let course = world.play();
        let sent = course.sent.iter().any(|(_, fate)| fate.ended != Ended::NotSent);
        prop_assert_eq!(course.verdict == Verdict::NotSent, !sent);
    }

    #[test]
    fn a_lost_answer_is_never_told_as_not_applied_or_rejected(world in world()) {
        let course = world.play();
        let lost = course.sent.iter().any(|(_, fate)| matches!(Outcome::of(fate.ended), Outcome::Lost(_)));
        if lost {
            prop_assert!(!matches!(course.verdict, Verdict::NotApplied | Verdict::Rejected));
        }
    }
}
