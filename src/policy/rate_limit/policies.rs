//! The windows of a quota: how much in how long.
//!
//! # Decisions
//! - One without a quota, or with a number that is none, is passed over.

use super::structured_field::{self, Item};
use super::written::Written;
use crate::policy::fields::Fields;

/// One window of a quota.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// Its name, in drafts that have one.
    pub name: Option<String>,
    /// How much is allowed in the window.
    pub limit: Option<u64>,
    /// How long the window is.
    pub window_ms: Option<u64>,
}

impl Policy {
    pub(super) fn written(&self) -> Written<'_> {
        Written::Object(vec![
            ("name", Written::Text(self.name.as_deref())),
            ("limit", Written::Number(self.limit)),
            ("windowMs", Written::Number(self.window_ms)),
        ])
    }
}

/// `100;w=60` (drafts 04 to 07) or `"hour";q=1000;w=3600` (draft 08 and later)
pub(super) fn read(
    fields: &dyn Fields,
    name: &str,
    accept: fn(&Policy) -> bool,
    policies: &mut Vec<Policy>,
) -> Option<()> {
    for item in structured_field::list(&fields.field(name)?)? {
        if let Some(policy) = policy(&item).filter(accept) {
            policies.push(policy);
        }
    }
    Some(())
}

fn policy(item: &Item) -> Option<Policy> {
    let name = item.value.text();
    let limit = match name {
        Some(_) => item.param(b"q")?,
        None => item.value,
    };
    let window = item.integer(b"w").ok()?;
    Some(Policy {
        name,
        limit: Some(limit.integer()?),
        window_ms: window.map(|seconds| (seconds * 1000).min(MAX_SAFE_INTEGER)),
    })
}

/// The largest number that JavaScript can hold for sure.
const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::fields::sample::Sample;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn policies(text: &str) -> Vec<Policy> {
        let mut policies = Vec::new();
        read(&Sample(&[("p", text)]), "p", |_| true, &mut policies);
        policies
    }

    fn policy(name: Option<&str>, limit: u64, window_ms: Option<u64>) -> Policy {
        Policy { name: name.map(str::to_owned), limit: Some(limit), window_ms }
    }

    #[test]
    fn a_policy_is_a_number_or_a_name_with_a_quota() {
        assert_eq!(policies("100;w=60"), [policy(None, 100, Some(60_000))]);
        assert_eq!(
            policies("\"a b\";q=5;w=1, c;q=0"),
            [policy(Some("a b"), 5, Some(1000)), policy(Some("c"), 0, None)]
        );
    }

    #[test]
    fn one_that_is_neither_is_passed_over() {
        assert_eq!(policies("a;q=1;w=x, b;w=5, c;q=1.5, -3;w=5, (1);w=5, ?1;q=1, d;q=2"), [policy(Some("d"), 2, None)]);
    }

    #[test]
    fn unknown_parameters_and_partition_keys_are_ignored() {
        assert_eq!(
            policies("a;q=1;qu=\"bytes\";pk=:sdfjLJUOUH==:, b;q=2;pk=5;x"),
            [policy(Some("a"), 1, None), policy(Some("b"), 2, None)]
        );
    }

    #[test]
    fn a_malformed_field_has_no_policies() {
        assert_eq!(policies("a;q=1, b;q=2;serviceLevel=1"), []);
    }

    #[test]
    fn a_window_stays_a_number_in_javascript() {
        assert_eq!(policies("1;w=999999999999999"), [policy(None, 1, Some(MAX_SAFE_INTEGER))]);
    }
}
