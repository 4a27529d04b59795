//! How long the server asks us to wait. Rules R1 to R12 of `tests/vectors/retry_after.json`.
//!
//! The answer is a floor: when in doubt it is longer, never shorter, than what was sent, and a
//! value that is not understood is `None`, so that the caller's own back-off applies. Whether a
//! wait is too long is the caller's decision.
//!
//! # Decisions
//! - A decimal number of seconds is accepted (Microsoft Graph, OpenAI, Shopify), rounded up to a
//!   millisecond, with digits on both sides of the point. RFC 9110 knows whole seconds only. The
//!   fields in milliseconds are read by the same rule.
//! - Quotes and parameters (`"120"`, `120;x`) belong to other fields and are not understood here.
//! - Lines joined by `fetch` (`2, 3`) take the largest, if all are numbers. The blank behind the
//!   comma is required, as `fetch` writes it: `1,5` is somebody's decimal comma and no list. Joined
//!   dates are not understood.
//! - Where a `Date` can be read, an HTTP-date counts from there and not from the local clock: the
//!   server wrote both by one clock, and ours may be wrong.

use super::fields::Fields;
use super::http_date;
use super::scanner::Scanner;

/// Milliseconds to wait, 0 if a repeat is allowed now, `u64::MAX` if the number does not fit.
/// `None`: nothing (readable) was said.
pub fn retry_after_ms(fields: &dyn Fields, now_ms: i64) -> Option<u64> {
    let in_ms = |name| numbers(&fields.field(name)?, 1);
    in_ms("retry-after-ms").or_else(|| in_ms("x-ms-retry-after-ms")).or_else(|| {
        let text = fields.field("retry-after")?;
        numbers(&text, 1000).or_else(|| {
            let at_ms = http_date::parse(&text, now_ms)?;
            let sent_ms = fields.field("date").and_then(|date| http_date::parse(&date, now_ms));
            Some(http_date::wait_ms(at_ms, sent_ms.unwrap_or(now_ms)))
        })
    })
}

/// `120` or `0.25`, or several of them, joined: `120, 120`
fn numbers(text: &str, unit_ms: u64) -> Option<u64> {
    let mut scanner = Scanner::new(text);
    let mut most = 0;
    loop {
        most = most.max(scanner.decimal()?.ms(unit_ms));
        if scanner.is_empty() {
            return Some(most);
        }
        scanner.skip_blanks();
        (scanner.eat(b',') && scanner.skip_blanks()).then_some(())?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::fields::sample::Sample;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    const NOW_MS: i64 = 1_696_004_797_000; // 2023-09-29 16:26:37
    const IN_20_S: &str = "Fri, 29 Sep 2023 16:26:57 GMT";

    fn read(fields: &[(&str, &str)]) -> Option<u64> {
        retry_after_ms(&Sample(fields), NOW_MS)
    }

    fn retry_after(value: &str) -> Option<u64> {
        read(&[("retry-after", value)])
    }

    #[test]
    fn milliseconds_come_before_seconds() {
        let (exact, azure, seconds) =
            (("retry-after-ms", "1500"), ("x-ms-retry-after-ms", "9000"), ("retry-after", "60"));
        assert_eq!(read(&[seconds, azure, exact]), Some(1500));
        assert_eq!(read(&[seconds, azure]), Some(9000));
        assert_eq!(read(&[seconds]), Some(60_000));
    }

    #[test]
    fn a_field_that_is_not_understood_is_skipped() {
        assert_eq!(read(&[("retry-after-ms", "soon"), ("retry-after", "7")]), Some(7000));
        assert_eq!(read(&[("retry-after-ms", ""), ("x-ms-retry-after-ms", "0")]), Some(0));
        assert_eq!(read(&[("retry-after-ms", IN_20_S)]), None);
    }

    #[test]
    fn nothing_said_is_not_zero() {
        assert_eq!(read(&[]), None);
        assert_eq!(retry_after(""), None);
        assert_eq!(retry_after("0"), Some(0));
    }

    #[test]
    fn a_number_is_never_a_date() {
        assert_eq!(retry_after("1696004817"), Some(1_696_004_817_000));
        assert_eq!(retry_after("999999999999999999999"), Some(u64::MAX));
    }

    #[test]
    fn numbers_are_plain_decimals() {
        assert_eq!(retry_after("2.542"), Some(2542));
        for text in
            ["+1", "-1", "1e3", "0x10", "30s", "1_000", "NaN", "inf", "\"120\"", "120;x", "\u{b2}", "\u{661}", "5."]
        {
            assert_eq!(retry_after(text), None, "{text}");
        }
    }

    #[test]
    fn joined_numbers_take_the_largest() {
        assert_eq!(retry_after("2, 3"), Some(3000));
        assert_eq!(retry_after("3 ,\t2, 1.5"), Some(3000));
        for text in ["1,5", "2, ", ", 2", "2, soon", "2 3", &["2, ", IN_20_S].concat()] {
            assert_eq!(retry_after(text), None, "{text}");
        }
    }

    #[test]
    fn a_date_is_a_wait_until_then() {
        assert_eq!(retry_after(IN_20_S), Some(20_000));
        assert_eq!(retry_after("Fri, 29 Sep 2023 16:26:36 GMT"), Some(0));
        assert_eq!(retry_after(&[IN_20_S, ", ", IN_20_S].concat()), None);
    }

    #[test]
    fn a_date_counts_from_the_servers_clock_where_that_is_known() {
        let until = ("retry-after", IN_20_S);
        assert_eq!(read(&[until, ("date", "Fri, 29 Sep 2023 16:26:07 GMT")]), Some(50_000));
        assert_eq!(read(&[until, ("date", "just now")]), Some(20_000));
        assert_eq!(read(&[("retry-after", "5"), ("date", "Fri, 29 Sep 2023 16:26:07 GMT")]), Some(5000));
    }
}
