//! What must hold for every call, whatever the server does and however the options are set.

use super::*;
use crate::fake_host::{FakeHost, Step};
use crate::host::{Reason, Said};
use crate::policy::backoff::Backoff;
use crate::policy::judge::Cause;
use proptest::option::weighted;
use proptest::prelude::*;

const BOTH: [Kind; 2] = [Kind::Sp, Kind::Ai];

/// A call with everything that decides its fate.
#[derive(Clone, Debug)]
struct Scene {
    plan: Plan,
    script: Vec<Step>,
    unit: f64,
    read: bool,
    stacked: bool,
    says: Option<bool>,
    abort_at: f64,
    oversleeps_ms: f64,
}

fn ms(most: u32) -> impl Strategy<Value = f64> {
    (0..=most).prop_map(f64::from)
}

prop_compose! {
    /// Failures for the most part, of every speed; `sleeps` says whether the machine may sleep meanwhile.
    fn step(sleeps: bool)(
        status in prop_oneof![
            1 => Just(None),
            1 => Just(Some(200)),
            8 => prop::sample::select(vec![403, 404, 408, 409, 429, 500, 502, 503, 504, 529]).prop_map(Some),
        ],
        takes_ms in prop_oneof![4 => ms(200), 1 => ms(60_000), 1 => prop::sample::select(vec![4_999.0, 5_000.0, 29_999.0, 30_000.0])],
        sleeps_ms in prop_oneof![4 => Just(0.0), 1 => ms(40_000)],
        hint_ms in weighted(0.4, prop_oneof![1 => Just(0.0), 4 => ms(20_000), 1 => ms(400_000)]),
        should_retry in weighted(0.1, any::<bool>()),
        quota in prop::bool::weighted(0.1),
        wait_ms in weighted(0.2, ms(20_000)),
        digest_expired in any::<bool>(),
    ) -> Step {
        let failed = status.is_some_and(|status| status >= 400);
        let facts = Facts { status, hint_ms: hint_ms.filter(|_| failed), should_retry, ..Facts::default() };
        Step {
            takes_ms,
            sleeps_ms: if sleeps { sleeps_ms } else { 0.0 },
            answer: status.is_some().then_some(facts),
            said: Said { quota, wait_ms },
            digest_expired,
            error: "network",
        }
    }
}

prop_compose! {
    fn plan(kinds: &'static [Kind])(
        (kind, read) in (prop::sample::select(kinds), any::<bool>()),
        max_retries in weighted(0.7, 0u32..6),
        total_ms in weighted(0.8, prop_oneof![1u32..10_000, 1u32..300_000]),
        attempt_ms in weighted(0.2, 1u32..60_000),
        statuses in weighted(0.2, prop::collection::vec(400u16..600, 0..8)),
        base_ms in weighted(0.3, 0u32..5_000),
        cap_ms in weighted(0.3, 0u32..20_000),
        min_attempt_ms in weighted(0.3, 0u32..10_000),
        slow_after_ms in weighted(0.3, 1u32..60_000),
        replayable in prop::bool::weighted(0.9),
        (keyed, key_is_callers) in (any::<bool>(), any::<bool>()),
    ) -> Plan {
        let usual = Plan::new(kind, read);
        let or = |said: Option<u32>, default| said.map_or(default, f64::from);
        let keyed = keyed && kind == Kind::Ai && !read;
        Plan {
            max_retries: or(max_retries, usual.max_retries),
            total_ms: or(total_ms, usual.total_ms),
            attempt_ms: or(attempt_ms, usual.attempt_ms),
            statuses: statuses.unwrap_or(usual.statuses),
            backoff: Backoff {
                base_ms: or(base_ms, usual.backoff.base_ms),
                cap_ms: or(cap_ms, usual.backoff.cap_ms),
            },
            min_attempt_ms: or(min_attempt_ms, usual.min_attempt_ms),
            slow_after_ms: or(slow_after_ms.filter(|_| kind == Kind::Ai), usual.slow_after_ms),
            replayable,
            keyed,
            key_is_callers: keyed && key_is_callers,
            ..usual
        }
    }
}

prop_compose! {
    fn scene(kinds: &'static [Kind], sleeps: bool)(
        plan in plan(kinds),
        script in prop::collection::vec(step(sleeps), 0..12),
        unit in prop_oneof![Just(0.0), Just(1.0 - f64::EPSILON), 0.0..1.0],
        overridden in prop::bool::weighted(0.1),
        stacked in prop::bool::weighted(0.1),
        says in weighted(0.2, any::<bool>()),
        abort_at in prop_oneof![2 => Just(f64::INFINITY), 1 => ms(60_000)],
        oversleeps_ms in prop_oneof![2 => Just(0.0), 1 => ms(10_000)],
    ) -> Scene {
        let read = plan.read && !overridden;
        Scene { plan, script, unit, read, stacked, says, abort_at, oversleeps_ms }
    }
}

impl Scene {
    /// Plays the call. A script that is used up ends in answers that are never repeated.
    fn play(&self) -> (FakeHost, End<Step, &'static str>, Account) {
        let last = Step { answer: Some(Facts { status: Some(200), ..Facts::default() }), ..Step::default() };
        let host = FakeHost::new(self.script.iter().cloned().chain([last]));
        host.unit.set(self.unit);
        host.read.set(self.read);
        host.stacked.set(self.stacked);
        host.says.set(self.says);
        host.abort_at.set(self.abort_at);
        host.oversleeps_ms.set(self.oversleeps_ms);
        let (end, account) = host.run(&self.plan);
        (host, end, account)
    }

    /// Whether a second send may follow an answer that refused the write.
    fn renews_digest(&self) -> bool {
        self.plan.kind == Kind::Sp && !self.read
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

    #[test]
    fn sends_are_counted(scene in scene(&BOTH, true)) {
        let (host, _, _) = scene.play();
        let polls = host.waits.borrow().iter().filter(|wait| wait.reason == Reason::Repeat(Cause::StillRunning)).count();
        let renewed = usize::from(scene.renews_digest());
        prop_assert!(host.sends() <= 1 + scene.plan.max_retries as usize + polls + renewed);
        prop_assert_eq!(host.attempts.borrow().len(), host.sends());
        if !scene.plan.replayable || scene.stacked {
            prop_assert!(host.sends() <= 1);
        }
    }

    #[test]
    fn a_write_is_repeated_only_for_a_refused_digest(scene in scene(&[Kind::Sp], true)) {
        let scene = Scene { read: false, ..scene };
        let (host, _, _) = scene.play();
        prop_assert!(host.sends() <= 2);
        if host.sends() == 2 {
            prop_assert_eq!(host.attempts.borrow()[0].status, Some(403));
            prop_assert!(scene.script[0].digest_expired);
        }
    }

    #[test]
    fn a_slow_failure_is_never_bought_again(scene in scene(&[Kind::Ai], true)) {
        let (host, ..) = scene.play();
        let limit = scene.plan.slow_after_ms;
        for step in &scene.script[..host.sends().saturating_sub(1)] {
            let (mono, wall) = (step.takes_ms, step.takes_ms + step.sleeps_ms);
            let gateway = step.answer.as_ref().is_some_and(|facts| matches!(facts.status, Some(408 | 504)));
            let limit = if gateway { limit.min(5_000.0) } else { limit };
            // A time since is a difference of two times, and rounded.
            prop_assert!(wall < limit + 1e-6);
            prop_assert!(wall - mono <= 2_000.0);
        }
    }

    #[test]
    fn nothing_is_sent_after_an_abort(scene in scene(&BOTH, true)) {
        let (host, end, account) = scene.play();
        prop_assert!(host.sent_at.borrow().iter().all(|at| *at < scene.abort_at));
        let aborted = host.aborted();
        prop_assert!(!aborted || matches!(end, End::Aborted), "{:?}", account.stop);
        prop_assert_eq!(matches!(end, End::Aborted), account.stop == Stop::Aborted);
    }

    #[test]
    fn nothing_is_sent_after_the_deadline_nor_repeated_too_close_to_it(scene in scene(&BOTH, false)) {
        let (host, end, account) = scene.play();
        for (number, attempt) in host.attempts.borrow().iter().enumerate() {
            let left = scene.plan.total_ms - attempt.started_ms;
            prop_assert!(left > 0.0);
            prop_assert!(number == 0 || left >= scene.plan.min_attempt_ms);
        }
        if scene.oversleeps_ms == 0.0 {
            prop_assert!(account.total_ms <= scene.plan.total_ms);
        }
        prop_assert!(account.stop != Stop::Timeout || matches!(end, End::Timeout(_)));
    }

    #[test]
    fn waits_are_what_the_formulas_say(scene in scene(&BOTH, true)) {
        let (host, _, _) = scene.play();
        let backoff = scene.plan.backoff;
        let (mut repeats, mut polls, mut throttles) = (0, 0, 0);
        let attempts = host.attempts.borrow();
        let repeated = attempts.iter().zip(&scene.script).filter(|(attempt, _)| attempt.wait_ms.is_some());
        for (wait, (attempt, step)) in host.waits.borrow().iter().zip(repeated) {
            // An attempt that ran into its own limit never got the answer that the script had for it.
            let facts = step.answer.clone().filter(|_| attempt.fault.is_none()).unwrap_or_default();
            let peeked = scene.plan.kind == Kind::Ai && facts.hint_ms.is_none() && wait.retry_after_ms.is_some();
            let hint = if peeked { step.said.wait_ms } else { facts.hint_ms };
            let jitter = |most: f64| scene.unit * most;
            let own = jitter((backoff.base_ms * 2f64.powi(repeats)).min(backoff.cap_ms));
            let want = match (hint, attempt.status) {
                (Some(hint), _) if hint > 0.0 => hint + jitter((hint / 10.0).min(1_000.0)),
                (_, Some(409)) if wait.reason == Reason::Repeat(Cause::StillRunning) => (2_000.0 * 1.5f64.powi(polls)).min(15_000.0),
                (_, Some(429 | 503)) => 1_000.0 + own,
                _ => own,
            };
            // A gate that this attempt has closed again may be closed for longer.
            let throttled = matches!(attempt.status, Some(429 | 503));
            let stated = hint.filter(|ms| *ms > 0.0).unwrap_or(1_000.0);
            let gate = if throttled && throttles > 0 { stated + jitter((stated * 0.3).min(3_000.0)) } else { 0.0 };
            throttles += u32::from(throttled);
            // What the gate adds to a time, and takes off again, is rounded.
            prop_assert!(wait.delay_ms >= want - 1e-6, "{} {want}", wait.delay_ms);
            prop_assert!(wait.delay_ms <= want.max(gate) + 1e-6, "{} {want} {gate}", wait.delay_ms);
            prop_assert!(wait.delay_ms >= hint.unwrap_or(0.0), "a hint is a floor");
            if wait.reason == Reason::Repeat(Cause::StillRunning) { polls += 1 } else { repeats += 1 }
        }
    }

    #[test]
    fn the_next_send_comes_exactly_when_the_wait_is_over(scene in scene(&BOTH, false)) {
        let (host, _, _) = scene.play();
        for (pair, attempt) in host.sent_at.borrow().windows(2).zip(host.attempts.borrow().iter()) {
            let waited = attempt.wait_ms.map_or(0.0, |wait| wait + scene.oversleeps_ms);
            prop_assert_eq!(pair[1], pair[0] + attempt.elapsed_ms + waited);
        }
    }

    #[test]
    fn every_answer_is_either_given_up_or_handed_over(scene in scene(&BOTH, true)) {
        let (host, end, _) = scene.play();
        let answers = host.attempts.borrow().iter().filter(|attempt| attempt.status.is_some()).count();
        let handed_over = usize::from(matches!(end, End::Answer(_)));
        prop_assert_eq!(host.discarded.borrow().len() + handed_over, answers);
    }
}
