//! Quotas that AI back ends count on their own: requests, tokens, and tokens by direction.
//!
//! # Decisions
//! - Azure's -1 is "not reported". So is a reset time of 0 where no count is: it stands beside the
//!   -1s.
//! - A unit comes whole from one family of names; OpenAI's is asked first.
//! - `x-ratelimit-*-tokens_usage_based` and `anthropic-ratelimit-unified-*` are no units: they
//!   repeat or sum up the others.

use super::counters::Counters;
use super::reset_time;
use super::written::Written;
use crate::policy::fields::Fields;

/// Each unit that was reported, with its name.
pub type Units = Vec<(&'static str, Counters)>;

const NAMES: [&str; 4] = ["requests", "tokens", "input-tokens", "output-tokens"];

/// How their fields are called; see [`Counters::read`].
const PATTERNS: [&str; 3] = [
    "x-ratelimit-#-*",  // OpenAI, Azure OpenAI, Groq
    "x-rate-limit-#-*", // Azure OpenAI, at times
    "anthropic-ratelimit-*-#",
];

/// The units that were reported, if any was.
pub(super) fn read(fields: &dyn Fields, now_ms: i64) -> Option<Units> {
    let reset = |text: &str| reset_time::from_text(text, now_ms).or_else(|| reset_time::from_duration(text));
    let mut units = Units::new();
    for name in &NAMES {
        for pattern in &PATTERNS {
            let unit = Counters::read(fields, pattern, name, &reset);
            if unit.limit.or(unit.remaining).is_some() || unit.reset_ms > Some(0) {
                units.push((*name, unit));
                break;
            }
        }
    }
    (!units.is_empty()).then_some(units)
}

/// `{ "requests": {…}, "tokens": {…} }`
pub(super) fn written(units: &Units) -> Written<'_> {
    Written::Object(units.iter().map(|(name, unit)| (*name, unit.written())).collect())
}

#[cfg(test)]
mod tests {
    use super::super::rate_limit;
    use super::*;
    use crate::policy::fields::sample::Sample;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    const NOW_MS: i64 = 1_767_225_600_000; // 2026-01-01 00:00:00

    fn written(fields: &[(&str, &str)]) -> String {
        serde_json::to_string(&rate_limit(&Sample(fields), NOW_MS)).unwrap()
    }

    fn reset_ms(value: &str) -> Option<u64> {
        let fields = [("x-ratelimit-limit-tokens", "9"), ("x-ratelimit-reset-tokens", value)];
        let units = read(&Sample(&fields), NOW_MS).unwrap();
        units[0].1.reset_ms
    }

    #[test]
    fn units_are_an_object_beside_empty_counters() {
        assert_eq!(
            written(&[
                ("anthropic-ratelimit-input-tokens-limit", "100"),
                ("anthropic-ratelimit-requests-remaining", "5"),
            ]),
            concat!(
                r#"{"limit":null,"remaining":null,"resetMs":null,"policy":null,"units":{"#,
                r#""requests":{"limit":null,"remaining":5,"resetMs":null},"#,
                r#""input-tokens":{"limit":100,"remaining":null,"resetMs":null}}}"#
            )
        );
    }

    #[test]
    fn counters_and_units_stand_side_by_side() {
        assert_eq!(
            written(&[("ratelimit-limit", "7"), ("x-ratelimit-limit-tokens", "9")]),
            concat!(
                r#"{"limit":7,"remaining":null,"resetMs":null,"policy":null,"#,
                r#""units":{"tokens":{"limit":9,"remaining":null,"resetMs":null}}}"#
            )
        );
    }

    #[test]
    fn a_reset_time_is_a_number_a_time_or_a_duration() {
        assert_eq!(reset_ms("23"), Some(23_000));
        assert_eq!(reset_ms("1767225660"), Some(60_000));
        assert_eq!(reset_ms("2026-01-01T00:00:01Z"), Some(1000));
        assert_eq!(reset_ms("1m30s"), Some(90_000));
        assert_eq!(reset_ms("1.5"), None);
    }

    #[test]
    fn minus_one_is_not_reported() {
        let minus_one = [("x-ratelimit-limit-tokens", "-1"), ("x-ratelimit-remaining-tokens", "-1")];
        let [limit, remaining] = minus_one;
        assert_eq!(written(&[limit, remaining, ("x-ratelimit-reset-tokens", "0")]), "null");
        assert_eq!(written(&[limit, remaining, ("x-ratelimit-reset-tokens", "-1")]), "null");
    }

    #[test]
    fn a_unit_is_of_one_family() {
        let fields = [("x-ratelimit-limit-tokens", "9"), ("anthropic-ratelimit-tokens-remaining", "3")];
        let units = read(&Sample(&fields), NOW_MS).unwrap();
        assert_eq!(units, [("tokens", Counters { limit: Some(9), remaining: None, reset_ms: None })]);
    }

    #[test]
    fn a_lone_reset_time_is_reported() {
        let units = read(&Sample(&[("x-rate-limit-reset-tokens", "55")]), NOW_MS).unwrap();
        assert_eq!(units[0].1.reset_ms, Some(55_000));
    }
}
