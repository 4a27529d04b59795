//! When a quota is full again. Every draft says "in so many seconds"; servers also send times of
//! day, in four ways, and OpenAI sends durations. All become milliseconds from now.
//!
//! # Decisions
//! - A number above 1e9 is an epoch (GitLab, DigitalOcean), above 1e11 one in milliseconds. A time
//!   more than a year ahead is not understood: nobody is told to wait 56 years. A time that is past
//!   is 0.
//! - Times are compared with the local clock, `Date` or not: what is reported is relative to the
//!   `now` that was given, and nothing waits for it.

use super::counters;
use crate::policy::http_date;
use crate::policy::scanner::Scanner;

const YEAR_MS: u64 = 366 * 86_400_000;
const LONGEST_SECONDS: u64 = 1_000_000_000;
const FIRST_EPOCH_MS: u64 = 100_000_000_000;

/// A number, as it stands in a RateLimit field.
pub(super) fn from_number(number: u64, now_ms: i64) -> Option<u64> {
    let number_ms = if number < FIRST_EPOCH_MS { number * 1000 } else { number };
    match number <= LONGEST_SECONDS {
        true => Some(number_ms),
        false => until(i64::try_from(number_ms).ok()?, now_ms),
    }
}

/// The value of a field of its own: `30`, `2026-05-04T12:34:56Z` or an HTTP-date.
pub(super) fn from_text(text: &str, now_ms: i64) -> Option<u64> {
    match counters::number(text, |reset, other| Some(reset.max(other?))) {
        Some(number) => from_number(number, now_ms),
        None => until(rfc_3339(text, now_ms).or_else(|| http_date::parse(text, now_ms))?, now_ms),
    }
}

/// `1h30m`, `6m0s`, `7.66s` or `20ms`
pub(super) fn from_duration(text: &str) -> Option<u64> {
    let mut scanner = Scanner::new(text);
    let (mut sum_ms, mut previous_ms) = (0_u64, u64::MAX);
    while !scanner.is_empty() || previous_ms == u64::MAX {
        let number = scanner.decimal()?;
        let (unit_ms, may_be_broken) = match scanner.next()? {
            b'h' => (3_600_000, false),
            b'm' if scanner.eat(b's') => (1, true),
            b'm' => (60_000, false),
            b's' => (1000, true),
            _ => return None,
        };
        if unit_ms >= previous_ms || number.thousandths.is_some() && !may_be_broken {
            return None;
        }
        sum_ms = sum_ms.saturating_add(number.ms(unit_ms));
        previous_ms = unit_ms;
    }
    (sum_ms <= LONGEST_SECONDS * 1000).then_some(sum_ms)
}

fn until(at_ms: i64, now_ms: i64) -> Option<u64> {
    let wait_ms = http_date::wait_ms(at_ms, now_ms);
    (wait_ms <= YEAR_MS).then_some(wait_ms)
}

/// `2026-05-04T12:34:56Z`, `2026-05-04T14:34:56.789+02:00`
fn rfc_3339(text: &str, now_ms: i64) -> Option<i64> {
    let mut scanner = Scanner::new(text);
    let mut at_ms = http_date::read(&mut scanner, b"y-n-dTh:m:s", now_ms)?;
    if scanner.eat(b'.') {
        at_ms += scanner.thousandths()? as i64;
    }
    let east = match scanner.next()? {
        b'Z' => 0,
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    if east != 0 {
        let (hours, colon, minutes) = (scanner.fixed(2)?, scanner.eat(b':'), scanner.fixed(2)?);
        (hours < 24 && colon && minutes < 60).then_some(())?;
        at_ms -= east * (hours * 60 + minutes) as i64 * 60_000;
    }
    scanner.is_empty().then_some(at_ms)
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    const NOW_MS: i64 = 1_767_225_600_000; // 2026-01-01 00:00:00

    #[test]
    fn small_numbers_are_seconds_and_large_ones_epochs() {
        assert_eq!(from_number(0, NOW_MS), Some(0));
        assert_eq!(from_number(1_000_000_000, NOW_MS), Some(1_000_000_000_000));
        assert_eq!(from_number(1_000_000_001, NOW_MS), Some(0));
        assert_eq!(from_number(1_767_225_660, NOW_MS), Some(60_000));
        assert_eq!(from_number(1_767_225_660_000, NOW_MS), Some(60_000));
    }

    #[test]
    fn a_time_more_than_a_year_ahead_is_not_understood() {
        assert_eq!(from_number(9_999_999_999, NOW_MS), None);
        assert_eq!(from_number(u64::MAX, NOW_MS), None);
        assert_eq!(from_text("2027-01-02T00:00:00Z", NOW_MS), Some(YEAR_MS));
        assert_eq!(from_text("2027-01-02T00:00:01Z", NOW_MS), None);
        assert_eq!(from_text("Fri, 31 Dec 9999 23:59:59 GMT", NOW_MS), None);
    }

    #[test]
    fn times_of_day_become_waits() {
        for text in [
            "2026-01-01T00:00:30Z",
            "2026-01-01T02:00:30+02:00",
            "2025-12-31T18:30:30-05:30",
            "Thu, 01 Jan 2026 00:00:30 GMT",
            "30",
        ] {
            assert_eq!(from_text(text, NOW_MS), Some(30_000), "{text}");
        }
        assert_eq!(from_text("2026-01-01T00:00:30.0001Z", NOW_MS), Some(30_001));
        assert_eq!(from_text("2025-12-31T23:59:59Z", NOW_MS), Some(0));
    }

    #[test]
    fn of_joined_numbers_the_later_reset_counts() {
        assert_eq!(from_text("5, 30, 7", NOW_MS), Some(30_000));
        assert_eq!(from_text("5, soon", NOW_MS), None);
    }

    #[test]
    fn half_a_time_of_day_is_none() {
        for text in [
            "2026-01-01",
            "2026-01-01T00:00:30",
            "2026-01-01 00:00:30Z",
            "2026-01-01T00:00:30.Z",
            "2026-01-01T00:00:30+0200",
            "2026-01-01T00:00:30+24:00",
            "2026-01-01T00:00:30Zulu",
            "2026-13-01T00:00:30Z",
            "2026-00-01T00:00:30Z",
            "2026-02-29T00:00:30Z",
            "5s",
        ] {
            assert_eq!(from_text(text, NOW_MS), None, "{text}");
        }
    }

    #[test]
    fn durations_add_up() {
        assert_eq!(from_duration("1h30m2s3ms"), Some(5_402_003));
        assert_eq!(from_duration("6m0s"), Some(360_000));
        assert_eq!(from_duration("7.66s"), Some(7660));
        assert_eq!(from_duration("1m0.25s"), Some(60_250));
        assert_eq!(from_duration("0s"), Some(0));
    }

    #[test]
    fn ms_is_not_m() {
        assert_eq!(from_duration("20ms"), Some(20));
        assert_eq!(from_duration("20m"), Some(1_200_000));
        assert_eq!(from_duration("12.5ms"), Some(13));
    }

    #[test]
    fn other_durations_are_none() {
        for text in [
            "",
            "m",
            "s",
            "forever",
            "1.5",
            "5",
            "-5s",
            "+5s",
            "1m-5s",
            "1s1m",
            "1s1s",
            "1.5h",
            "1..5s",
            ".5s",
            "5.s",
            "1m 30s",
            "5S",
            "1d",
            "5sec",
            "99999999999999999999h",
        ] {
            assert_eq!(from_duration(text), None, "{text}");
        }
    }
}
