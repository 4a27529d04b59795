//! A page without network.

use super::*;
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

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
