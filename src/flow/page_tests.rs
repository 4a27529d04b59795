//! Calls that share a page, one after the other on the virtual clock.

use super::*;
use crate::fake_host::{FakeHost, Step, network, status};
use crate::host::News;
use crate::policy::circuit::State;
use crate::policy::plan::{NOBODY, TABS};
use crate::policy::{budget, circuit};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn read() -> Plan {
    Plan::new(Kind::Sp, true)
}

fn write() -> Plan {
    Plan::new(Kind::Sp, false)
}

fn ai() -> Plan {
    Plan::new(Kind::Ai, false)
}

fn once(plan: Plan) -> Plan {
    Plan { max_retries: 0.0, ..plan }
}

fn cool_downs(host: &FakeHost) -> Vec<f64> {
    let until = |news: &News| if let News::CoolDown { until_ms } = news { Some(*until_ms) } else { None };
    host.news.borrow().iter().filter_map(until).collect()
}

// ---- the gate

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
        assert_eq!(waits, [("cooling-down", 5_000.0)]);
        assert_eq!(later.situations.borrow()[0].attempt, 0);
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

// ---- the circuit

fn open_circuit() -> FakeHost {
    let first = FakeHost::new([status(502, 0.0), status(502, 0.0), status(502, 0.0)]);
    first.unit.set(0.5);
    first.run(&Plan { backoff: backoff::Backoff { base_ms: 0.0, cap_ms: 0.0 }, ..ai() });
    let second = first.next([status(502, 0.0), status(200, 0.0)]);
    second.unit.set(0.5);
    let (end, account) = second.run(&ai());
    assert!(matches!(end, End::Answer(_)), "the answer in hand");
    assert_eq!((account.stop, second.sends()), (Stop::CircuitOpen, 1));
    assert_eq!(circuits(&second), [(State::Closed, State::Open)]);
    second
}

fn circuits(host: &FakeHost) -> Vec<(State, State)> {
    let change = |news: &News| if let News::Circuit { from, to } = news { Some((*from, *to)) } else { None };
    host.news.borrow().iter().filter_map(change).collect()
}

#[test]
fn the_fourth_failure_opens_the_circuit_and_the_answer_in_hand_is_surfaced() {
    open_circuit();
}

#[test]
fn a_call_that_finds_the_first_interval_waits_for_it_and_is_the_probe() {
    let before = open_circuit();
    let probe = before.next([status(200, 100.0)]);
    let (_, account) = probe.run(&ai());
    assert_eq!(*probe.sent_at.borrow(), [2_200.0]);
    assert_eq!((account.stop, account.waited_ms), (Stop::Success, 2_200.0));
    assert_eq!(probe.waits.borrow()[0].reason, "circuit-open");
    assert_eq!(circuits(&probe), [(State::Open, State::HalfOpen), (State::HalfOpen, State::Closed)]);
}

#[test]
fn a_second_interval_refuses_at_once_with_the_time_that_is_left() {
    let before = open_circuit();
    let probe = before.next([status(502, 100.0)]);
    probe.unit.set(0.5);
    let (_, account) = probe.run(&ai());
    assert_eq!((account.stop, probe.sends()), (Stop::CircuitOpen, 1), "a probe is not repeated");
    let later = probe.next([]);
    let (end, account) = later.run(&ai());
    assert!(matches!(end, End::Refused(ms) if ms == 2_200.0));
    assert_eq!((account.stop, later.sends(), account.total_ms), (Stop::CircuitOpen, 0, 0.0));
}

#[test]
fn a_slow_probe_doubles_the_open_time() {
    let before = open_circuit();
    let mut host = before.next([status(502, 31_000.0)]);
    for open_ms in [4_400.0, 8_800.0, 17_600.0, 30_000.0, 30_000.0] {
        host.unit.set(0.5);
        host.run(&ai());
        let refused = host.next([]);
        let (end, _) = refused.run(&ai());
        assert!(matches!(end, End::Refused(ms) if ms == open_ms), "{open_ms}: {end:?}");
        host = refused.next([status(502, 31_000.0)]);
        host.clock.set(Instant {
            mono: host.clock.get().mono + open_ms,
            wall: host.clock.get().wall + open_ms,
            asleep: 0.0,
        });
    }
}

#[test]
fn a_circuit_belongs_to_ai_calls_and_can_be_switched_off() {
    let off = Plan { circuit: circuit::Rules { on: 0.0, ..circuit::Rules::default() }, ..ai() };
    for plan in [read(), off] {
        let mut host = FakeHost::new([]);
        for _ in 0..6 {
            host = host.next([status(503, 0.0)]);
            host.run(&once(plan.clone()));
        }
        let last = host.next([status(200, 0.0)]);
        last.run(&plan);
        assert_eq!(last.sends(), 1);
    }
}

#[test]
fn what_says_nothing_of_the_back_end_does_not_count() {
    let stopped = Step { error: "stopped", ..network(0.0) };
    for step in [status(429, 0.0), status(404, 0.0), status(408, 0.0), status(502, 0.0).sleeping(60_000.0), stopped] {
        let mut host = FakeHost::new([]);
        for _ in 0..8 {
            host = host.next([step.clone()]);
            host.run(&once(ai()));
        }
        assert_eq!(host.next([status(200, 0.0)]).run(&ai()).1.stop, Stop::Success, "{step:?}");
        assert_eq!(circuits(&host), []);
    }
}

#[test]
fn timeouts_and_slow_gateways_count_as_failures() {
    for (step, total_ms) in
        [(status(200, 20_000.0), 10_000.0), (status(408, 6_000.0), 250_000.0), (network(0.0), 250_000.0)]
    {
        let mut host = FakeHost::new([]);
        for _ in 0..4 {
            host = host.next([step.clone()]);
            host.run(&once(Plan { total_ms, ..ai() }));
        }
        assert_eq!(circuits(&host), [(State::Closed, State::Open)], "{step:?}");
    }
}

// ---- the budget

#[test]
fn an_empty_budget_surfaces_what_is_in_hand() {
    let mut host = FakeHost::new([]);
    let mut repeats = 0;
    for _ in 0..20 {
        host = host.next([status(503, 0.0), status(503, 0.0)]);
        host.run(&Plan { max_retries: 1.0, ..read() });
        repeats += host.sends() - 1;
        host.clock.set(Instant::default());
    }
    // 10 at first; the first call finds no budget, which is a full one, and 19 add a tenth each.
    assert_eq!(repeats, 11);
    let last = host.next([status(503, 0.0)]);
    let (end, account) = last.run(&read());
    assert!(matches!(end, End::Answer(_)));
    assert_eq!(account.stop, Stop::RetryBudget);
    assert!(last.discarded.borrow().is_empty());
}

#[test]
fn a_wait_that_the_server_stated_may_draw_on_the_reserve() {
    let mut host = FakeHost::new([]);
    for _ in 0..50 {
        host = host.next([status(503, 0.0).hint(10.0), status(200, 0.0)]);
        let (_, account) = host.run(&Plan { cool_down: NOBODY, ..read() });
        assert_eq!(account.stop, Stop::Success);
        host.clock.set(Instant::default());
    }
}

#[test]
fn a_cancelled_wait_is_refunded() {
    let token = |host: &FakeHost| host.page.borrow()[&crate::policy::entry::Shelf::Budgets][0];
    let host = FakeHost::new([status(503, 0.0)]);
    host.abort_at.set(500.0);
    host.run(&read());
    assert_eq!(token(&host), 10.0);
    let refunds =
        host.news.borrow().iter().filter(|news| matches!(news, News::Budget { change: "refunded", .. })).count();
    assert_eq!(refunds, 1);
    let host = FakeHost::new([status(503, 0.0), status(200, 0.0)]);
    host.run(&read());
    assert_eq!(token(&host), 9.0);
}

#[test]
fn tokens_are_taken_by_cost_and_paid_back_by_success() {
    let plan = Plan { budget: budget::Rules { capacity: 20.0, ..budget::Rules::default() }, ..read() };
    let host = FakeHost::new([network(100.0), status(503, 0.0), status(503, 0.0), status(200, 0.0)]);
    let (_, account) = host.run(&plan);
    assert_eq!(account.stop, Stop::RetryBudget, "14 and 5 leave 1");
    let paid = host.next([status(200, 0.0)]);
    paid.run(&plan);
    let rest = paid.next([status(503, 0.0)]);
    assert_eq!(rest.run(&plan).1.stop, Stop::RetryBudget, "a clean success pays 1: 2 are left");
}

#[test]
fn options_reach_the_machines() {
    let rules = circuit::Rules { minimum_calls: 1.0, open_ms: 1_000.0, ..circuit::Rules::default() };
    let plan = Plan { circuit: rules, ..ai() };
    let first = FakeHost::new([status(502, 0.0)]);
    assert_eq!(first.run(&plan).1.stop, Stop::CircuitOpen);
    let probe = first.next([status(200, 0.0)]);
    probe.run(&plan);
    assert_eq!(*probe.sent_at.borrow(), [800.0]);
}

// ---- offline

#[test]
fn a_page_without_network_holds_a_repeat_back_for_ten_seconds_and_never_a_first_send() {
    for (online_at, stop, sends) in [(7_000.0, Stop::Success, 2), (60_000.0, Stop::Network, 1)] {
        let host = FakeHost::new([network(100.0), status(200, 0.0)]);
        host.online_at.set(online_at);
        let (end, account) = host.run(&read());
        assert_eq!((account.stop, host.sends()), (stop, sends));
        assert_eq!(host.sent_at.borrow()[0], 0.0);
        if stop == Stop::Network {
            assert!(matches!(end, End::Error("network")), "the original error");
            assert_eq!(account.total_ms, 10_100.0);
        } else {
            assert_eq!(host.sent_at.borrow()[1], 7_100.0, "looked at every 250 ms");
        }
    }
}

#[test]
fn the_network_may_fail_a_read_once_more_after_the_page_came_online() {
    for (online_at, sends) in [(f64::NEG_INFINITY, 2), (50.0, 3)] {
        let host = FakeHost::new([network(100.0), network(100.0), network(100.0)]);
        host.online_at.set(online_at);
        let (_, account) = host.run(&read());
        assert_eq!((account.stop, host.sends()), (Stop::Network, sends));
    }
}

#[test]
fn two_quick_failures_end_it_even_then() {
    for (quick_ms, sends) in [(49.0, 2), (50.0, 3)] {
        let host = FakeHost::new([network(quick_ms), network(quick_ms), network(quick_ms)]);
        host.online_at.set(1.0);
        host.run(&read());
        assert_eq!(host.sends(), sends);
    }
}

/// What is shared there, to be shared by others.
fn copy_of(host: &FakeHost) -> crate::fake_host::Page {
    std::rc::Rc::new(std::cell::RefCell::new(host.page.borrow().clone()))
}
