//! Structured fields (RFC 9651), as far as the RateLimit fields need them: lists and dictionaries
//! of items with parameters. The grammar is kept strictly, since the RFC says to ignore a field as
//! a whole that breaks it: `None`.

use super::structured_value::{self, Value};
use crate::policy::scanner::Scanner;

/// A value of another type stands where a number was looked for.
pub(super) struct NotAnInteger;

/// One member of a list.
#[derive(Clone, Copy)]
pub(super) struct Item<'a> {
    pub value: Value<'a>,
    /// Where its parameters begin. They are read again for each key: that is cheaper than to keep
    /// them.
    params: Scanner<'a>,
}

impl<'a> Item<'a> {
    /// The value of this parameter; the last one if it was given more than once.
    pub fn param(&self, key: &[u8]) -> Option<Value<'a>> {
        params(&mut { self.params }, key)?
    }

    /// The number of this parameter, if it was given. An error if it is no number.
    pub fn integer(&self, key: &[u8]) -> Result<Option<u64>, NotAnInteger> {
        match self.param(key) {
            Some(value) => value.integer().map(Some).ok_or(NotAnInteger),
            None => Ok(None),
        }
    }
}

/// The members of a well-formed list.
#[derive(Clone, Copy)]
pub(super) struct List<'a>(Scanner<'a>);

/// `"hour";q=1000;w=3600, "day";q=5000;w=86400`
pub(super) fn list(text: &str) -> Option<List<'_>> {
    let list = List(Scanner::new(text));
    let mut scanner = list.0;
    item(&mut scanner)?;
    while another(&mut scanner)? {
        item(&mut scanner)?;
    }
    Some(list)
}

impl<'a> Iterator for List<'a> {
    type Item = Item<'a>;

    fn next(&mut self) -> Option<Item<'a>> {
        let item = item(&mut self.0)?;
        another(&mut self.0)?;
        Some(item)
    }
}

/// The value of this key in a dictionary: `limit=100, remaining=25, reset=5`. The last one if it
/// was given more than once.
pub(super) fn entry<'a>(text: &'a str, key: &[u8]) -> Option<Value<'a>> {
    let mut scanner = Scanner::new(text);
    let mut found = None;
    loop {
        let (given, value) = pair(&mut scanner)?;
        if given == key {
            found = Some(value);
        }
        params(&mut scanner, b"")?;
        if !another(&mut scanner)? {
            return found;
        }
    }
}

/// Whether a comma and another member follow; anything else but the end is an error.
fn another(scanner: &mut Scanner) -> Option<bool> {
    if scanner.is_empty() {
        return Some(false);
    }
    scanner.skip_blanks();
    scanner.eat(b',').then_some(())?;
    scanner.skip_blanks();
    Some(true)
}

pub(super) fn item<'a>(scanner: &mut Scanner<'a>) -> Option<Item<'a>> {
    let value = structured_value::read(scanner)?;
    let item = Item { value, params: *scanner };
    params(scanner, b"")?;
    Some(item)
}

/// Reads over `;r=50;t=30`, and picks the value of one key from it, if it is there. `None` if they
/// are malformed.
fn params<'a>(scanner: &mut Scanner<'a>, key: &[u8]) -> Option<Option<Value<'a>>> {
    let mut found = None;
    while scanner.eat(b';') {
        skip_spaces(scanner);
        let (given, value) = pair(scanner)?;
        if given == key {
            found = Some(value);
        }
    }
    Some(found)
}

/// `r=50`, or `r` alone, which says that it is true
fn pair<'a>(scanner: &mut Scanner<'a>) -> Option<(&'a [u8], Value<'a>)> {
    let key = scanner.run(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-' | b'.' | b'*'));
    matches!(key, [b'a'..=b'z' | b'*', ..]).then_some(())?;
    let value = match scanner.eat(b'=') {
        true => structured_value::read(scanner)?,
        false => Value::default(),
    };
    Some((key, value))
}

pub(super) fn skip_spaces(scanner: &mut Scanner) {
    scanner.run(|byte| *byte == b' ');
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    /// The parameter `r` of the first item.
    fn r(text: &str) -> Option<Value<'_>> {
        list(text)?.next()?.param(b"r")
    }

    fn integer(value: Option<Value>) -> Option<u64> {
        value.unwrap().integer()
    }

    #[test]
    fn commas_and_semicolons_in_strings_separate_nothing() {
        let items: Vec<Item> = list(r#""a, \"b\";c\\";r=1, "d""#).unwrap().collect();
        assert_eq!(items.len(), 2);
        assert_eq!(items[0].value.text().unwrap(), r#"a, "b";c\"#);
        assert_eq!(integer(items[0].param(b"r")), Some(1));
    }

    #[test]
    fn blanks_may_stand_around_commas_and_behind_semicolons_only() {
        assert_eq!(list("a;  r=1 \t,\t b").map(Iterator::count), Some(2));
        for text in ["a ;r=1", "a;r =1", "a;r= 1", "a;\tr=1", "a b"] {
            assert!(list(text).is_none(), "{text}");
        }
    }

    #[test]
    fn a_list_with_a_hole_is_malformed() {
        for text in ["", "a,", ",a", "a,,b", "a;", "a;;r=1"] {
            assert!(list(text).is_none(), "{text}");
        }
    }

    #[test]
    fn keys_are_lower_case() {
        assert!(list("a;rateLimit=1").is_none());
        assert!(list("a;1r=1").is_none());
        assert!(entry("Limit=1, limit=1", b"limit").is_none());
    }

    #[test]
    fn the_last_of_two_equal_keys_counts() {
        assert_eq!(integer(r("a;r=1;r=2")), Some(2));
        assert_eq!(integer(entry("r=1, r=2", b"r")), Some(2));
    }

    #[test]
    fn a_key_without_a_value_is_there_and_no_number() {
        assert_eq!(integer(r("a;r")), None);
        assert_eq!(integer(entry("r, s=1", b"r")), None);
    }

    #[test]
    fn entries_of_a_dictionary_may_hold_lists_and_parameters() {
        let text = "policy=(10;w=1 50;w=60);x, limit=10;y=1";
        assert_eq!(integer(entry(text, b"policy")), None);
        assert_eq!(integer(entry(text, b"limit")), Some(10));
        assert_eq!(entry(text, b"x"), None);
    }
}
