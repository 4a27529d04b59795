//! The circuit breaker, as calls meet it.

use super::*;
use crate::policy::backoff::Backoff;
use crate::policy::circuit::Rules;
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn open_circuit() -> FakeHost {
    let first = FakeHost::new([status(502, 0.0), status(502, 0.0), status(502, 0.0)]);
    first.unit.set(0.5);
    first.run(&Plan { backoff: Backoff { base_ms: 0.0, cap_ms: 0.0 }, ..ai() });
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
    assert_eq!(probe.waits.borrow()[0].reason, Reason::CircuitOpen);
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
    let off = Plan { circuit: Rules { on: 0.0, ..Rules::default() }, ..ai() };
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

#[test]
fn options_reach_the_machines() {
    let rules = Rules { minimum_calls: 1.0, open_ms: 1_000.0, ..Rules::default() };
    let plan = Plan { circuit: rules, ..ai() };
    let first = FakeHost::new([status(502, 0.0)]);
    assert_eq!(first.run(&plan).1.stop, Stop::CircuitOpen);
    let probe = first.next([status(200, 0.0)]);
    probe.run(&plan);
    assert_eq!(*probe.sent_at.borrow(), [800.0]);
}
