//! Header fields that hold one number each: how much there is, how much of it is left, and when it
//! is full again. SharePoint sends one such set, AI back ends send one per unit, and only their
//! names differ.
//!
//! # Decisions
//! - Several lines, joined by `fetch` (`120, 80`), are one number if all of them are. The smaller
//!   rest and the later reset count; of a limit the first, since in old drafts the policies follow
//!   it: `100, 100;w=60`.
//! - A comma right before a digit is no join: `1,200` is somebody's 1200, and 1 would be wrong.

use super::structured_field;
use super::written::Written;
use crate::policy::fields::Fields;
use crate::policy::scanner::Scanner;

/// What is counted against one limit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counters {
    /// How much is allowed in a window.
    pub limit: Option<u64>,
    /// How much of it is left.
    pub remaining: Option<u64>,
    /// When it is full again, from now.
    pub reset_ms: Option<u64>,
}

impl Counters {
    /// Reads three fields. In the pattern of their names, `#` stands for `limit`, `remaining` and
    /// `reset`, and `*` for the unit. `reset` turns the text of the third into milliseconds from
    /// now.
    pub(super) fn read(fields: &dyn Fields, pattern: &str, unit: &str, reset: &dyn Fn(&str) -> Option<u64>) -> Self {
        let field = |counter| fields.field(&name(pattern, counter, unit)).unwrap_or_default();
        Self {
            limit: number(&field("limit"), |first, _| Some(first)),
            remaining: number(&field("remaining"), |rest, other| Some(rest.min(other?))),
            reset_ms: reset(&field("reset")),
        }
    }

    /// Whether anything is known.
    pub(super) fn is_reported(&self) -> bool {
        self.limit.or(self.remaining).or(self.reset_ms).is_some()
    }

    /// `{ "limit": 100, "remaining": 25, "resetMs": 5000 }`
    pub(super) fn written(&self) -> Written<'_> {
        Written::Object(vec![
            ("limit", Written::Number(self.limit)),
            ("remaining", Written::Number(self.remaining)),
            ("resetMs", Written::Number(self.reset_ms)),
        ])
    }
}

fn name(pattern: &str, counter: &str, unit: &str) -> String {
    let mut name = String::new();
    for byte in pattern.bytes() {
        match byte {
            b'#' => name.push_str(counter),
            b'*' => name.push_str(unit),
            letter => name.push(char::from(letter)),
        }
    }
    name
}

/// The number in a field. `pick` chooses between two; it is given `None` for what is no number.
pub(super) fn number(text: &str, pick: fn(u64, Option<u64>) -> Option<u64>) -> Option<u64> {
    let mut items = structured_field::list(text)?;
    let first = items.next()?.value.integer()?;
    let picked = items.try_fold(first, |before, item| pick(before, item.value.integer()))?;
    (!has_separators(text)).then_some(picked)
}

/// Whether a number is written with separators between its digits. Who knows about parameters
/// writes lists, not those.
fn has_separators(text: &str) -> bool {
    let mut scanner = Scanner::new(text);
    scanner.run(|byte| *byte != b';');
    let mut pairs = text.as_bytes().windows(2);
    scanner.is_empty() && pairs.any(|pair| matches!(pair, [b',', b'0'..=b'9']))
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn least(text: &str) -> Option<u64> {
        number(text, |rest, other| Some(rest.min(other?)))
    }

    fn first(text: &str) -> Option<u64> {
        number(text, |first, _| Some(first))
    }

    #[test]
    fn joined_lines_are_one_number() {
        assert_eq!(least("120, 80"), Some(80));
        assert_eq!(least("120, 120"), Some(120));
        assert_eq!(first("120, 80"), Some(120));
    }

    #[test]
    fn zero_is_a_number() {
        assert_eq!(least("0"), Some(0));
    }

    #[test]
    fn what_is_not_a_number_throughout_is_none() {
        for text in ["", "abc", "1e3", "-5", "+5", "5.0", "0 foo", "\"5\"", "120, abc", "120,", "9999999999999999"] {
            assert_eq!(least(text), None, "{text}");
        }
    }

    #[test]
    fn what_follows_a_limit_may_be_anything_well_formed() {
        assert_eq!(first("100, abc, 1.5;w=60"), Some(100));
        assert_eq!(first("abc, 100"), None);
        assert_eq!(first("100, 1e3"), None);
    }

    #[test]
    fn separators_between_digits_make_no_list() {
        assert_eq!(first("1,200"), None);
        assert_eq!(least("1,200"), None);
        assert_eq!(first("100,100;w=60"), Some(100));
    }
}
