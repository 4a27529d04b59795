//! The retry budget, as calls meet it.

use super::*;
use crate::policy::budget::Rules;
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

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
        host.news.borrow().iter().filter(|news| matches!(news, News::Budget { change: Drawn::Refunded, .. })).count();
    assert_eq!(refunds, 1);
    let host = FakeHost::new([status(503, 0.0), status(200, 0.0)]);
    host.run(&read());
    assert_eq!(token(&host), 9.0);
}

#[test]
fn tokens_are_taken_by_cost_and_paid_back_by_success() {
    let plan = Plan { budget: Rules { capacity: 20.0, ..Rules::default() }, ..read() };
    let host = FakeHost::new([network(100.0), status(503, 0.0), status(503, 0.0), status(200, 0.0)]);
    let (_, account) = host.run(&plan);
    assert_eq!(account.stop, Stop::RetryBudget, "14 and 5 leave 1");
    let paid = host.next([status(200, 0.0)]);
    paid.run(&plan);
    let rest = paid.next([status(503, 0.0)]);
    assert_eq!(rest.run(&plan).1.stop, Stop::RetryBudget, "a clean success pays 1: 2 are left");
}

#[test]
fn what_failed_or_succeeded_while_the_machine_slept_neither_costs_nor_pays() {
    let host = FakeHost::new([network(100.0).sleeping(60_000.0), status(200, 0.0)]);
    let (_, account) = host.run(&read());
    assert_eq!((account.stop, host.sends()), (Stop::Success, 2));
    assert!(host.news.borrow().is_empty(), "nothing was drawn");
    let rules = Rules { capacity: 20.0, ..Rules::default() };
    let plan = Plan { budget: rules, ..read() };
    let spent = FakeHost::new([network(100.0), status(503, 0.0), status(503, 0.0)]);
    spent.run(&plan);
    let slept = spent.next([status(200, 0.0).sleeping(60_000.0)]);
    slept.run(&plan);
    let left = |host: &FakeHost| 20.0 - host.page.borrow()[&crate::policy::entry::Shelf::Budgets][4];
    assert_eq!(left(&slept), 1.0);
    let awake = slept.next([status(200, 0.0)]);
    awake.run(&plan);
    assert_eq!(left(&awake), 2.0);
}
