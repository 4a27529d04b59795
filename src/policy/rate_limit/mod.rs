//! What a server says about its quota. Rules L1 to L12 of `tests/vectors/ratelimit.json`.
//!
//! It is a report, not advice: a quota that is used up does not make anybody wait, and `None` means
//! "not reported", never "not throttled". What cannot be read is `None` too, one field at a time.
//!
//! # Decisions
//! - `RateLimit` (dictionary or list), else the three fields of the older drafts; what is reported
//!   comes from one of them.
//! - Where nothing names a policy and there is only one, that is the limit.
//! - Numbers are reported as they were sent, even a rest that is larger than the limit.
//! - Other vendors' `X-RateLimit-*` are out of scope: there, equal names mean different things.

mod counters;
mod list_form;
mod policies;
mod reset_time;
mod structured_field;
mod structured_value;
mod units;
mod written;

use serde::{Serialize, Serializer};

use super::fields::Fields;

pub use self::counters::Counters;
pub use self::policies::Policy;
pub use self::units::Units;
use self::written::Written;

/// The quota as the server reported it. Mirrors `RateLimit` in the TypeScript types.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RateLimit {
    /// How much is allowed in a window.
    pub limit: Option<u64>,
    /// How much of it is left.
    pub remaining: Option<u64>,
    /// When it is full again, from now.
    pub reset_ms: Option<u64>,
    /// The windows there are.
    pub policy: Option<Vec<Policy>>,
    /// What an AI back end counts on its own, such as tokens.
    pub units: Option<Units>,
}

impl Serialize for RateLimit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let policies = self.policy.as_ref().map(|policies| policies.iter().map(Policy::written).collect());
        let mut members = vec![
            ("limit", Written::Number(self.limit)),
            ("remaining", Written::Number(self.remaining)),
            ("resetMs", Written::Number(self.reset_ms)),
            ("policy", Written::List(policies)),
        ];
        if let Some(units) = &self.units {
            members.push(("units", units::written(units)));
        }
        Written::Object(members).serialize(serializer)
    }
}

/// Reads all the families of RateLimit fields. `None`: nothing (readable) was reported.
pub fn rate_limit(fields: &dyn Fields, now_ms: i64) -> Option<RateLimit> {
    let mut policies = Vec::new();
    policies::read(fields, "ratelimit-policy", |_| true, &mut policies);
    let current = fields.field("ratelimit").unwrap_or_default();
    let found = list_form::read(&current, &policies, now_ms).unwrap_or_else(|| {
        let mut unnamed = from_dictionary(&current, now_ms);
        if !unnamed.is_reported() {
            let reset = |text: &str| reset_time::from_text(text, now_ms);
            unnamed = Counters::read(fields, "ratelimit-#", "", &reset);
            if policies.is_empty() {
                let has_window = |policy: &Policy| policy.window_ms.is_some();
                policies::read(fields, "ratelimit-limit", has_window, &mut policies);
            }
        }
        if let ([only], None) = (&*policies, unnamed.limit) {
            unnamed.limit = only.limit;
        }
        unnamed
    });
    let units = units::read(fields, now_ms);
    (found.is_reported() || !policies.is_empty() || units.is_some()).then(|| RateLimit {
        limit: found.limit,
        remaining: found.remaining,
        reset_ms: found.reset_ms,
        policy: (!policies.is_empty()).then_some(policies),
        units,
    })
}

/// `limit=100, remaining=25, reset=5` (draft 07)
fn from_dictionary(text: &str, now_ms: i64) -> Counters {
    let number = |key: &[u8]| structured_field::entry(text, key)?.integer();
    Counters {
        limit: number(b"limit"),
        remaining: number(b"remaining"),
        reset_ms: number(b"reset").and_then(|seconds| reset_time::from_number(seconds, now_ms)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::fields::sample::Sample;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn read(fields: &[(&str, &str)]) -> Option<RateLimit> {
        rate_limit(&Sample(fields), 0)
    }

    /// Limit, rest and reset time, which are all there is in most answers.
    fn counters(fields: &[(&str, &str)]) -> (Option<u64>, Option<u64>, Option<u64>) {
        let read = read(fields).unwrap();
        (read.limit, read.remaining, read.reset_ms)
    }

    fn windows(fields: &[(&str, &str)]) -> Vec<(Option<u64>, Option<u64>)> {
        let policies = read(fields).unwrap().policy.unwrap();
        policies.iter().map(|policy| (policy.limit, policy.window_ms)).collect()
    }

    const THREE: [(&str, &str); 3] =
        [("ratelimit-limit", "1200"), ("ratelimit-remaining", "0"), ("ratelimit-reset", "5")];

    #[test]
    fn nothing_reported_is_none() {
        assert_eq!(read(&[]), None);
        assert_eq!(read(&[("ratelimit", ""), ("ratelimit-limit", "abc"), ("ratelimit-policy", "none")]), None);
    }

    #[test]
    fn zero_is_reported() {
        assert_eq!(counters(&[("ratelimit", "limit=0, remaining=0, reset=0")]), (Some(0), Some(0), Some(0)));
    }

    #[test]
    fn the_three_fields_are_read_one_by_one() {
        assert_eq!(counters(&THREE), (Some(1200), Some(0), Some(5000)));
        assert_eq!(counters(&[THREE[0], ("ratelimit-remaining", "-5"), THREE[2]]), (Some(1200), None, Some(5000)));
    }

    #[test]
    fn one_family_is_reported_and_never_two_mixed() {
        assert_eq!(counters(&[THREE[0], THREE[2], ("ratelimit", "a;r=50")]), (None, Some(50), None));
        assert_eq!(counters(&[THREE[0], THREE[2], ("ratelimit", "remaining=50")]), (None, Some(50), None));
        assert_eq!(counters(&[THREE[0], ("ratelimit", "a;r=-1")]), (Some(1200), None, None));
    }

    #[test]
    fn in_old_drafts_policies_follow_the_limit() {
        let fields = [("ratelimit-limit", r#"10, 100;w=60;comment="a, b", 50, 5000;w=3600"#)];
        assert_eq!(counters(&fields), (Some(10), None, None));
        assert_eq!(windows(&fields), [(Some(100), Some(60_000)), (Some(5000), Some(3_600_000))]);
        assert_eq!(counters(&[("ratelimit-limit", "100,100;w=60")]).0, Some(100));
        assert_eq!(read(&[("ratelimit-limit", "1,200")]), None);
    }

    #[test]
    fn the_field_for_policies_comes_before_those_behind_the_limit() {
        let fields = [("ratelimit-limit", "10, 20;w=1"), ("ratelimit-policy", "30;w=2")];
        assert_eq!(windows(&fields), [(Some(30), Some(2000))]);
    }

    #[test]
    fn policies_alone_are_reported() {
        let fields = [("ratelimit-policy", "10;w=1, 100;w=60")];
        assert_eq!(counters(&fields), (None, None, None));
        assert_eq!(windows(&fields).len(), 2);
    }

    #[test]
    fn a_list_item_takes_the_limit_of_the_policy_it_names() {
        let policy = ("ratelimit-policy", r#""hour";q=1000;w=3600, day;q=5000;w=86400"#);
        assert_eq!(counters(&[policy, ("ratelimit", r#""day";r=100;t=9"#)]), (Some(5000), Some(100), Some(9000)));
        assert_eq!(counters(&[policy, ("ratelimit", r#""Day";r=100;t=9"#)]), (None, Some(100), Some(9000)));
    }

    #[test]
    fn where_nothing_names_a_policy_the_only_one_is_the_limit() {
        let policy = ("ratelimit-policy", "100;w=60");
        assert_eq!(counters(&[policy, ("ratelimit-remaining", "50")]), (Some(100), Some(50), None));
        assert_eq!(counters(&[policy, ("ratelimit", "limit=10")]), (Some(10), None, None));
        assert_eq!(counters(&[("ratelimit-policy", "10;w=1, 100;w=60"), THREE[1]]), (None, Some(0), None));
        assert_eq!(counters(&[policy, ("ratelimit", "a;r=5")]), (None, Some(5), None));
    }

    #[test]
    fn a_malformed_field_does_not_lose_the_other() {
        let (good, policy) = (("ratelimit", "a;r=5"), ("ratelimit-policy", "a;q=10;w=1"));
        assert_eq!(counters(&[good, ("ratelimit-policy", r#""w";"a";q=10"#)]), (None, Some(5), None));
        assert_eq!(windows(&[policy, ("ratelimit", "a ;r=5")]), [(Some(10), Some(1000))]);
    }

    #[test]
    fn it_is_written_as_the_types_say() {
        let fields = [("ratelimit", "limit=10, reset=1"), ("ratelimit-policy", "10;w=60")];
        assert_eq!(
            serde_json::to_string(&read(&fields)).unwrap(),
            r#"{"limit":10,"remaining":null,"resetMs":1000,"policy":[{"name":null,"limit":10,"windowMs":60000}]}"#
        );
    }
}
