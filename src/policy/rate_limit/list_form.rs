//! The `RateLimit` field of draft 08 and later: a list, one item per quota that is in use.
//!
//! # Decisions
//! - An item that has neither `r` nor `t`, or has one that is no number, is passed over.
//! - The limit of an item is that of the policy it names, and of no other.
//! - Of several items the one with the smallest share left is reported; without all the limits, the
//!   one with the smallest rest. If two have nothing left, the later one to reset.

use super::structured_field::{self, Item};
use super::{Counters, Policy, reset_time};

/// `"hour";r=900;t=1800, "day";r=3;t=36000`
pub(super) fn read(text: &str, policies: &[Policy], now_ms: i64) -> Option<Counters> {
    let list = structured_field::list(text)?;
    let units = || list.filter_map(|item| from_item(&item, policies, now_ms));
    let by_share = units().all(|unit| unit.limit.is_some());
    let mut tightest = None;
    let mut least_room = f64::INFINITY;
    for unit in units() {
        let room = room(&unit, by_share);
        if room < least_room || tightest.is_none() {
            (tightest, least_room) = (Some(unit), room);
        }
    }
    tightest
}

fn from_item(item: &Item, policies: &[Policy], now_ms: i64) -> Option<Counters> {
    let remaining = item.integer(b"r").ok()?;
    let reset = item.integer(b"t").ok()?;
    remaining.or(reset)?;
    let name = item.value.text()?;
    let policy = policies.iter().find(|policy| policy.name.as_ref() == Some(&name));
    Some(Counters {
        limit: policy.and_then(|policy| policy.limit),
        remaining,
        reset_ms: reset.and_then(|seconds| reset_time::from_number(seconds, now_ms)),
    })
}

/// The less, the tighter. Of those with nothing left, the last to be full again is the tightest.
fn room(unit: &Counters, by_share: bool) -> f64 {
    match (unit.remaining, unit.limit) {
        (None, _) => f64::INFINITY,
        (Some(0), _) => -(unit.reset_ms.unwrap_or(0) as f64),
        (Some(rest), Some(limit)) if by_share => rest as f64 / limit as f64,
        (Some(rest), _) => rest as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    /// Limit, rest and reset time, with three quotas.
    fn tightest(text: &str) -> Option<(Option<u64>, Option<u64>, Option<u64>)> {
        let policies = [("a", 10), ("b", 1000), ("c", 0)].map(|(name, limit)| Policy {
            name: Some(name.to_owned()),
            limit: Some(limit),
            window_ms: None,
        });
        let read = read(text, &policies, 0)?;
        Some((read.limit, read.remaining, read.reset_ms))
    }

    #[test]
    fn the_item_with_the_smallest_share_left_is_reported() {
        assert_eq!(tightest("a;r=5, b;r=100"), Some((Some(1000), Some(100), None)));
        assert_eq!(tightest("b;r=100, a;r=5"), Some((Some(1000), Some(100), None)));
        assert_eq!(tightest("b;r=100, c;r=0"), Some((Some(0), Some(0), None)));
        assert_eq!(tightest("a;t=1, b;r=999;t=2"), Some((Some(1000), Some(999), Some(2000))));
    }

    #[test]
    fn without_all_limits_the_smallest_rest_is_reported() {
        assert_eq!(tightest("a;r=5, b;r=100, d;r=6"), Some((Some(10), Some(5), None)));
        assert_eq!(tightest("d;r=7, e;r=6"), Some((None, Some(6), None)));
    }

    #[test]
    fn with_nothing_left_the_later_reset_is_reported() {
        assert_eq!(tightest("a;r=0;t=1, b;r=0;t=60"), Some((Some(1000), Some(0), Some(60_000))));
        assert_eq!(tightest("b;r=0;t=60, a;r=0;t=1"), Some((Some(1000), Some(0), Some(60_000))));
    }

    #[test]
    fn names_are_matched_by_case() {
        assert_eq!(tightest("\"a\";r=1"), Some((Some(10), Some(1), None)));
        assert_eq!(tightest("A;r=1"), Some((None, Some(1), None)));
    }

    #[test]
    fn an_item_with_a_number_that_is_none_is_passed_over() {
        for bad in "r=1.5|r=-1|r=abc|r|r=?1|r=\"1\"|t=:aGk=:;r=1|x=1".split('|') {
            assert_eq!(tightest(&["a;", bad].concat()), None, "{bad}");
            let with_another = tightest(&["a;", bad, ", b;r=7"].concat());
            assert_eq!(with_another, Some((Some(1000), Some(7), None)), "{bad}");
        }
    }

    #[test]
    fn unknown_parameters_and_partition_keys_are_ignored() {
        assert_eq!(tightest("a;r=5;pk=:QQ==:;x;y=?0"), Some((Some(10), Some(5), None)));
        assert_eq!(tightest("a;r=5;pk=text"), Some((Some(10), Some(5), None)));
    }
}
