//! Calls on the virtual clock, at exact times.

use super::*;
use crate::fake_host::{FakeHost, Step, network, status};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn sp_read() -> Plan {
    Plan::new(Kind::Sp, true)
}

fn ai() -> Plan {
    Plan::new(Kind::Ai, false)
}

fn ending(end: &End<Step, &'static str>) -> (Option<u16>, Option<&'static str>) {
    match end {
        End::Answer(step) => (step.answer.as_ref().and_then(|facts| facts.status), None),
        End::Error(error) => (None, Some(error)),
        End::Timeout(_) => (None, Some("timeout")),
        End::Aborted => (None, Some("aborted")),
        End::Refused(_) => (None, Some("refused")),
    }
}

#[test]
fn a_success_is_sent_once_and_waits_for_nothing() {
    let host = FakeHost::new([status(200, 80.0)]);
    let (end, account) = host.run(&sp_read());
    assert_eq!(ending(&end), (Some(200), None));
    assert_eq!((account.stop, account.total_ms, account.waited_ms), (Stop::Success, 80.0, 0.0));
    assert_eq!(host.attempts.borrow().len(), 1);
    assert_eq!(host.attempts.borrow()[0].allowed_ms, Some(120_000.0));
    assert_eq!(host.attempts.borrow()[0].decision, Some(Stop::Success));
}

#[test]
fn repeats_are_sent_at_exact_times_with_the_random_unit_at_both_ends() {
    for (unit, want) in [(0.0, [0.0, 1_010.0, 2_020.0, 3_030.0]), (1.0, [0.0, 2_010.0, 5_020.0, 10_030.0])] {
        let host = FakeHost::new([status(503, 10.0), status(503, 10.0), status(429, 10.0), status(200, 10.0)]);
        host.unit.set(unit);
        let (end, account) = host.run(&sp_read());
        assert_eq!(ending(&end), (Some(200), None));
        assert_eq!(*host.sent_at.borrow(), want);
        assert_eq!(account.waited_ms, want[3] - 30.0);
        assert_eq!(*host.discarded.borrow(), [503, 503, 429]);
    }
}

#[test]
fn a_hint_is_waited_out_in_full_and_zero_means_own_back_off() {
    let host = FakeHost::new([status(429, 0.0).hint(7_000.0), status(429, 0.0).hint(0.0), status(200, 0.0)]);
    let (_, account) = host.run(&sp_read());
    assert_eq!(*host.sent_at.borrow(), [0.0, 7_000.0, 8_000.0]);
    assert_eq!(account.retry_after_ms, Some(0.0));
}

#[test]
fn a_wait_that_leaves_no_time_for_an_attempt_surfaces_the_answer_at_once() {
    let left_for_one = 120_000.0 - 1_000.0;
    for (hint, stop, sends) in [(left_for_one, Stop::Success, 2), (left_for_one + 1.0, Stop::WaitExceedsTimeLeft, 1)] {
        let host = FakeHost::new([status(429, 0.0).hint(hint), status(200, 0.0)]);
        let (end, account) = host.run(&sp_read());
        assert_eq!((account.stop, host.sends()), (stop, sends));
        assert_eq!(account.retry_after_ms, Some(hint));
        if sends == 1 {
            assert_eq!(ending(&end), (Some(429), None), "the answer in hand");
            assert!(host.discarded.borrow().is_empty(), "its body is still there");
            assert_eq!(account.total_ms, 0.0);
        }
    }
}

#[test]
fn a_wait_that_no_timer_can_count_is_not_begun_even_without_a_deadline() {
    let plan = Plan { total_ms: f64::INFINITY, ..sp_read() };
    for (hint, stop) in [(LONGEST_TIMER_MS, Stop::Success), (LONGEST_TIMER_MS + 1.0, Stop::WaitExceedsTimeLeft)] {
        let host = FakeHost::new([status(503, 0.0).hint(hint), status(200, 0.0)]);
        assert_eq!(host.run(&plan).1.stop, stop);
    }
}

#[test]
fn a_repeat_of_an_ai_call_needs_the_endpoints_median_once_it_is_known() {
    for (median, needed) in [(None, 5_000.0), (Some(800.0), 800.0), (Some(60_000.0), 60_000.0)] {
        let fits = 250_000.0 - needed;
        for (hint, stop) in [(fits, Stop::Success), (fits + 1.0, Stop::WaitExceedsTimeLeft)] {
            let host = FakeHost::new([status(503, 0.0).hint(hint), status(200, 0.0)]);
            host.median_ms.set(median);
            assert_eq!(host.run(&ai()).1.stop, stop, "{median:?} after {hint} ms");
        }
    }
}

#[test]
fn what_the_caller_says_an_attempt_needs_comes_before_the_median_and_a_read_has_none() {
    let callers = Plan { min_attempt_ms: 2_000.0, min_attempt_is_callers: true, ..ai() };
    for (plan, needed) in [(callers, 2_000.0), (sp_read(), 1_000.0)] {
        let fits = plan.total_ms - needed;
        for (hint, stop) in [(fits, Stop::Success), (fits + 1.0, Stop::WaitExceedsTimeLeft)] {
            let host = FakeHost::new([status(503, 0.0).hint(hint), status(200, 0.0)]);
            host.median_ms.set(Some(60_000.0));
            assert_eq!(host.run(&plan).1.stop, stop);
        }
    }
}

#[test]
fn a_slow_gateway_error_is_never_bought_again() {
    let cases = [
        (502, 40_000.0, 1),
        (502, 30_000.0, 1),
        (502, 29_999.0, 2),
        (504, 20_000.0, 1),
        (504, 5_000.0, 1),
        (504, 4_999.0, 2),
        (408, 5_000.0, 1),
        (503, 29_999.0, 2),
    ];
    for (code, takes, sends) in cases {
        let host = FakeHost::new([status(code, takes), status(200, 0.0)]);
        let (_, account) = host.run(&ai());
        assert_eq!(host.sends(), sends, "{code} after {takes} ms");
        assert_eq!(account.stop, if sends == 1 { Stop::SlowFailure } else { Stop::Success });
    }
}

#[test]
fn a_laptop_that_slept_counts_as_slow_for_ai_and_not_for_a_read() {
    let script = || [network(100.0).sleeping(3_000.0), status(200, 0.0)];
    let host = FakeHost::new(script());
    let (_, account) = host.run(&ai());
    assert_eq!((host.sends(), account.stop), (1, Stop::SlowFailure));
    assert!(host.attempts.borrow()[0].suspended);
    let host = FakeHost::new(script());
    assert_eq!(host.run(&sp_read()).1.stop, Stop::Success);
    assert_eq!(host.sends(), 2);
}

#[test]
fn a_write_is_sent_once_whatever_happens() {
    let plan = Plan { statuses: (400..600).collect(), ..Plan::new(Kind::Sp, false) };
    for code in 400..600 {
        let host = FakeHost::new([status(code, 0.0).hint(1.0)]);
        host.read.set(false);
        host.says.set(Some(true));
        let (end, account) = host.run(&plan);
        assert_eq!(ending(&end), (Some(code), None));
        assert_eq!((host.sends(), account.stop), (1, Stop::UnsafeMethod));
    }
    let host = FakeHost::new([network(0.0)]);
    host.read.set(false);
    let (end, account) = host.run(&plan);
    assert_eq!(ending(&end), (None, Some("network")));
    assert_eq!((host.sends(), account.stop), (1, Stop::UnsafeMethod));
}

#[test]
fn a_header_that_overrides_the_method_makes_a_get_a_write() {
    let host = FakeHost::new([status(429, 0.0)]);
    host.read.set(false);
    assert_eq!(host.run(&sp_read()).1.stop, Stop::UnsafeMethod);
}

#[test]
fn a_network_failure_of_a_read_is_repeated_once() {
    let host = FakeHost::new([network(0.0), network(0.0)]);
    let (end, account) = host.run(&sp_read());
    assert_eq!(ending(&end), (None, Some("network")));
    assert_eq!((host.sends(), account.stop), (2, Stop::Network));
}

#[test]
fn an_attempt_timeout_is_a_network_failure_for_reads_and_final_for_everything_else() {
    let plan = |kind, read| Plan { attempt_ms: 500.0, ..Plan::new(kind, read) };
    let host = FakeHost::new([status(200, 501.0), status(200, 500.0)]);
    let (_, account) = host.run(&plan(Kind::Sp, true));
    assert_eq!(account.stop, Stop::Success);
    assert_eq!(host.attempts.borrow()[0].elapsed_ms, 500.0);
    for (kind, read) in [(Kind::Sp, false), (Kind::Ai, false), (Kind::Ai, true)] {
        let host = FakeHost::new([status(200, 501.0)]);
        host.read.set(read);
        let (end, account) = host.run(&plan(kind, read));
        assert_eq!(ending(&end), (None, Some("timeout")));
        assert_eq!((account.stop, account.total_ms), (Stop::Timeout, 500.0));
    }
}

#[test]
fn the_deadline_ends_the_call_at_its_exact_time() {
    let plan = Plan { total_ms: 60_000.0, ..Plan::new(Kind::Ai, false) };
    let host = FakeHost::new([status(503, 1_000.0).hint(2_000.0), status(200, 1e9)]);
    let (end, account) = host.run(&plan);
    assert_eq!(ending(&end), (None, Some("timeout")));
    assert_eq!((account.stop, account.total_ms, account.last_status), (Stop::Timeout, 60_000.0, Some(503)));
    assert_eq!(host.attempts.borrow()[1].allowed_ms, Some(57_000.0));
}

#[test]
fn a_hidden_tab_that_overslept_sends_nothing_after_the_deadline() {
    let host = FakeHost::new([network(0.0), status(200, 0.0)]);
    host.oversleeps_ms.set(119_500.0);
    let (end, account) = host.run(&sp_read());
    assert!(matches!(end, End::Timeout(Some("network"))));
    assert_eq!((host.sends(), account.stop), (1, Stop::Timeout));
}

#[test]
fn an_abort_ends_the_call_in_every_phase_and_nothing_is_sent_afterwards() {
    for (abort_at, sends, at) in [(0.0, 0, 0.0), (50.0, 1, 50.0), (150.0, 1, 150.0), (1_150.0, 2, 1_150.0)] {
        let host = FakeHost::new([status(503, 100.0), status(200, 100.0)]);
        host.abort_at.set(abort_at);
        let (end, account) = host.run(&sp_read());
        assert_eq!(ending(&end), (None, Some("aborted")), "aborted at {abort_at}");
        assert_eq!((host.sends(), account.stop, account.total_ms), (sends, Stop::Aborted, at));
    }
    let host = FakeHost::new([status(503, 100.0)]);
    host.abort_in_on_retry.set(true);
    let (end, account) = host.run(&sp_read());
    assert_eq!(ending(&end), (None, Some("aborted")));
    assert_eq!((host.sends(), account.total_ms), (1, 100.0));
}

#[test]
fn should_retry_vetoes_and_adds_but_never_past_the_promises() {
    let host = FakeHost::new([status(503, 0.0)]);
    host.says.set(Some(false));
    assert_eq!(host.run(&sp_read()).1.stop, Stop::Vetoed);

    let host = FakeHost::new([status(500, 0.0), status(200, 0.0)]);
    host.says.set(Some(true));
    assert_eq!(host.run(&ai()).1.stop, Stop::Success);

    let host = FakeHost::new([status(500, 30_000.0)]);
    host.says.set(Some(true));
    assert_eq!(host.run(&ai()).1.stop, Stop::FinalStatus);
}

#[test]
fn a_quota_in_the_body_is_final_unless_a_wait_is_stated() {
    let quota = |wait_ms| Step { said: Said { quota: true, wait_ms }, ..status(429, 0.0) };
    let host = FakeHost::new([quota(None)]);
    assert_eq!(host.run(&ai()).1.stop, Stop::FinalStatus);
    let host = FakeHost::new([quota(Some(3_000.0)), status(200, 0.0)]);
    assert_eq!(host.run(&ai()).1.stop, Stop::Success);
    assert_eq!(*host.sent_at.borrow(), [0.0, 3_000.0]);
}

#[test]
fn no_body_is_looked_into_when_a_header_said_it_or_no_repeat_is_possible() {
    for (step, plan) in [
        (status(429, 0.0).hint(1_000.0), ai()),
        (status(429, 40_000.0), ai()),
        (status(404, 0.0), ai()),
        (status(429, 0.0), sp_read()),
    ] {
        let host = FakeHost::new([step, status(200, 0.0)]);
        host.run(&plan);
        assert_eq!(host.peeks.get(), 0);
    }
}

#[test]
fn a_call_still_running_under_our_key_is_polled_outside_of_the_retries() {
    let plan = Plan { keyed: true, max_retries: 1.0, ..ai() };
    let host = FakeHost::new([network(0.0), status(409, 0.0), status(409, 0.0).hint(5_000.0), status(200, 0.0)]);
    let (_, account) = host.run(&plan);
    assert_eq!(account.stop, Stop::Success);
    assert_eq!(*host.sent_at.borrow(), [0.0, 0.0, 2_000.0, 7_000.0]);

    let host = FakeHost::new([status(409, 0.0)]);
    assert_eq!(host.run(&plan).1.stop, Stop::FinalStatus, "nothing of ours is running yet");
    let host = FakeHost::new([status(409, 0.0), status(200, 0.0)]);
    assert_eq!(host.run(&Plan { key_is_callers: true, ..plan }).1.stop, Stop::Success);
    let host = FakeHost::new([network(0.0), status(409, 0.0)]);
    assert_eq!(host.run(&ai()).1.stop, Stop::FinalStatus, "no key, no claim");
}

#[test]
fn an_expired_digest_is_renewed_once_since_the_write_was_refused() {
    let refused = || Step { digest_expired: true, ..status(403, 0.0) };
    let plan = Plan::new(Kind::Sp, false);
    for (script, sends, stop) in [
        (vec![refused(), status(201, 0.0)], 2, Stop::Success),
        (vec![refused(), refused()], 2, Stop::FinalStatus),
        (vec![status(403, 0.0)], 1, Stop::FinalStatus),
    ] {
        let host = FakeHost::new(script);
        host.read.set(false);
        let (_, account) = host.run(&plan);
        assert_eq!((host.sends(), account.stop, account.waited_ms), (sends, stop, 0.0));
    }
}
