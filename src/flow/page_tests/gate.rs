//! The cool-down gate, as calls meet it.

use super::*;
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

#[test]
fn a_stated_wait_holds_later_calls_back_reads_and_writes_alike() {
    let first = FakeHost::new([status(429, 100.0).hint(5_000.0)]);
    first.run(&once(read()));
    assert_eq!(cool_downs(&first), [5_100.0]);
    for plan in [read(), write()] {
        let later = FakeHost { page: copy_of(&first), ..first.next([status(200, 10.0)]) };
        let (_, account) = later.run(&plan);
        assert_eq!(*later.sent_at.borrow(), [5_100.0]);
        assert_eq!((account.stop, account.waited_ms), (Stop::Success, 5_000.0));
        let waits: Vec<_> = later.waits.borrow().iter().map(|wait| (wait.reason, wait.delay_ms)).collect();
        assert_eq!(waits, [(Reason::CoolingDown, 5_000.0)]);
        assert_eq!(later.situations.borrow()[0].attempt, 0);
    }
}

#[test]
fn a_gate_that_is_closed_again_opens_later_than_stated_by_chance_and_one_that_was_not_or_was_calm_for_long_does_not() {
    let hinted = || [status(429, 100.0).hint(5_000.0)];
    let first = FakeHost::new(hinted());
    first.unit.set(0.5);
    first.run(&once(read()));
    assert_eq!(cool_downs(&first), [5_100.0]);
    for (calm_ms, opens_in) in [(0.0, 5_750.0), (29_800.0, 5_750.0), (29_901.0, 5_000.0)] {
        let scout = FakeHost { page: copy_of(&first), ..first.next([status(200, 0.0)]) };
        scout.run(&read());
        let again = scout.next([status(429, 100.0 + calm_ms).hint(5_000.0)]);
        again.unit.set(0.5);
        again.run(&once(Plan { total_ms: f64::INFINITY, ..read() }));
        assert_eq!(cool_downs(&again), [5_200.0 + calm_ms + opens_in], "after {calm_ms} ms");
    }
}

#[test]
fn a_write_that_was_throttled_closes_the_gate_too() {
    let first = FakeHost::new([status(503, 0.0).hint(2_000.0)]);
    first.read.set(false);
    let (_, account) = first.run(&write());
    assert_eq!((account.stop, first.sends()), (Stop::UnsafeMethod, 1));
    let later = first.next([status(200, 0.0)]);
    later.run(&read());
    assert_eq!(*later.sent_at.borrow(), [2_000.0]);
}

#[test]
fn who_does_not_fit_is_refused_at_once_and_nothing_is_sent() {
    for (plan, hint, fits) in [
        (Plan { total_ms: 6_000.0, ..read() }, 5_000.0, true),
        (Plan { total_ms: 6_000.0, ..read() }, 5_001.0, false),
        (write(), 30_000.0, true),
        (write(), 30_001.0, false),
        (Plan { total_ms: 100_000.0, ..write() }, 60_000.0, true),
    ] {
        let first = FakeHost::new([status(429, 0.0).hint(hint)]);
        first.run(&once(read()));
        let later = first.next([status(200, 0.0)]);
        let (end, account) = later.run(&plan);
        if fits {
            assert_eq!((account.stop, later.sends()), (Stop::Success, 1));
        } else {
            assert!(matches!(end, End::Refused(ms) if ms == hint));
            assert_eq!((account.stop, later.sends(), account.total_ms), (Stop::CoolingDown, 0, 0.0));
            assert_eq!(account.retry_after_ms, Some(hint));
            assert!(later.waits.borrow().is_empty());
        }
    }
}

#[test]
fn a_gate_closes_for_two_minutes_at_most_and_the_rest_binds_only_the_call_that_was_told() {
    let first = FakeHost::new([status(429, 0.0).hint(500_000.0), status(200, 0.0)]);
    first.run(&Plan { total_ms: f64::INFINITY, ..read() });
    assert_eq!(*first.sent_at.borrow(), [0.0, 500_000.0]);
    assert_eq!(cool_downs(&first), [120_000.0]);
}

#[test]
fn without_a_stated_wait_or_with_the_option_off_no_gate_closes() {
    let off = Plan { cool_down: NOBODY, ..read() };
    for (step, plan) in [
        (status(503, 0.0), read()),
        (status(429, 0.0).hint(0.0), read()),
        (status(500, 0.0).hint(9_000.0), read()),
        (status(429, 0.0).hint(9_000.0), off.clone()),
    ] {
        let first = FakeHost::new([step]);
        first.run(&once(plan));
        assert!(first.page.borrow().get(&crate::policy::entry::Shelf::Gates).is_none());
    }
    let first = FakeHost::new([status(429, 0.0).hint(9_000.0)]);
    first.run(&once(read()));
    let later = first.next([status(200, 0.0)]);
    later.run(&off);
    assert_eq!(*later.sent_at.borrow(), [0.0], "who does not share does not wait");
}

#[test]
fn a_repeat_waits_as_long_as_the_gate_is_closed_and_that_is_decided_before() {
    let first = FakeHost::new([status(429, 0.0).hint(50_000.0)]);
    first.run(&once(read()));
    for (total_ms, stop) in [(52_000.0, Stop::Success), (50_500.0, Stop::WaitExceedsTimeLeft)] {
        let later = FakeHost { page: FakeHost::new([]).page, ..first.next([status(503, 0.0), status(200, 0.0)]) };
        // Another call closes the gate while this one is under way.
        later.closes_gate_in_send.replace(Some(copy_of(&first)));
        let (_, account) = later.run(&Plan { total_ms, ..read() });
        assert_eq!(account.stop, stop);
        if stop == Stop::Success {
            assert_eq!(*later.sent_at.borrow(), [0.0, 50_000.0]);
        }
    }
}

#[test]
fn a_wait_that_a_body_states_closes_the_gate_of_the_back_end() {
    let mut step = status(429, 0.0);
    step.said.wait_ms = Some(4_000.0);
    let first = FakeHost::new([step, status(200, 0.0)]);
    first.run(&ai());
    assert_eq!(cool_downs(&first), [4_000.0]);
}

#[test]
fn what_another_tab_says_is_heard_only_where_it_was_asked_for_and_never_passed_on() {
    let tabs = Plan { cool_down: TABS, ..read() };
    for (plan, sent_at, heard) in [(tabs.clone(), 3_000.0, true), (read(), 0.0, false)] {
        let host = FakeHost::new([status(200, 0.0)]);
        host.heard.set(3_000.0);
        host.run(&plan);
        assert_eq!(*host.sent_at.borrow(), [sent_at]);
        assert_eq!(cool_downs(&host).len(), usize::from(heard));
        assert!(host.told_tabs.borrow().is_empty());
    }
    let host = FakeHost::new([status(429, 0.0).hint(2_000.0)]);
    host.run(&once(tabs));
    assert_eq!(*host.told_tabs.borrow(), [2_000.0]);
}

#[test]
fn an_abort_at_the_gate_sends_nothing_and_gives_the_scouts_place_back() {
    let first = FakeHost::new([status(429, 0.0).hint(5_000.0)]);
    first.run(&once(read()));
    let cancelled = first.next([]);
    cancelled.abort_at.set(1_000.0);
    let (end, account) = cancelled.run(&read());
    assert!(matches!(end, End::Aborted));
    assert_eq!((cancelled.sends(), account.waited_ms), (0, 1_000.0));
    let scout = cancelled.next([status(200, 60_000.0)]);
    scout.abort_at.set(5_500.0);
    scout.run(&read());
    assert_eq!(*scout.sent_at.borrow(), [5_000.0]);
    let next = scout.next([status(200, 0.0)]);
    next.run(&read());
    assert_eq!(*next.sent_at.borrow(), [5_500.0], "at once, not when the lease is over");
}
