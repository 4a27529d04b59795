//! JSON without a tree: a [`Value`] is the piece of text that holds it, and a member is found by passing over the
//! others. A document is checked once, as strictly as `JSON.parse` does it, when [`first`] takes it; later looks go a
//! fixed number of levels down, so reading stays linear. `null` counts as absent, and the last of two members of one
//! name counts, as in JavaScript.

mod document;
mod scan;

use super::text::Text;
pub(super) use document::Document;
pub(super) use scan::is_blank;
use scan::{Name, Scan};

/// A JSON value as it was written; empty if there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Value<'a>(&'a [u8]);

/// The first value of a text, and what stands behind it. `None` if it is not well-formed, or not all there.
pub(super) fn first(text: &[u8]) -> Option<(Value<'_>, &[u8])> {
    let mut scan = Scan::over(text);
    let value = scan.value_noting(&mut |_, _| {})?;
    Some((value, scan.rest()))
}

/// Nothing but well-formed values, one behind the other; possibly none.
pub(super) fn all_well_formed(mut text: &[u8]) -> bool {
    while !Scan::over(text).rest().is_empty() {
        let Some((_, rest)) = first(text) else { return false };
        text = rest;
    }
    true
}

impl<'a> Value<'a> {
    /// Its text, white space inside and all.
    pub fn as_written(self) -> &'a [u8] {
        self.0
    }

    fn or_absent(self) -> Self {
        if self.0 == b"null" { Value::default() } else { self }
    }

    /// Neither absent nor `null`.
    pub fn exists(self) -> bool {
        !self.0.is_empty()
    }

    /// An object, whatever is in it.
    pub fn is_object(self) -> bool {
        self.0.first() == Some(&b'{')
    }

    /// A string, whatever is in it.
    pub fn is_string(self) -> bool {
        self.0.first() == Some(&b'"')
    }

    /// `true` or `false`.
    pub fn as_bool(self) -> Option<bool> {
        match self.0 {
            b"true" => Some(true),
            b"false" => Some(false),
            _ => None,
        }
    }

    /// A whole number that JavaScript can hold, neither negative nor written as a fraction or power.
    pub fn integer(self) -> Option<u64> {
        let digits = (1..=15).contains(&self.0.len()) && self.0.iter().all(u8::is_ascii_digit);
        digits.then(|| self.0.iter().fold(0, |sum, digit| sum * 10 + u64::from(digit & 0x0f)))
    }

    /// `"429"`
    pub fn number_in_string(self) -> Option<u64> {
        self.inside().and_then(|inside| Value(inside).integer())
    }

    /// What stands between the quotes of a string, escapes and all.
    fn inside(self) -> Option<&'a [u8]> {
        match self.0 {
            [b'"', inside @ .., b'"'] => Some(inside),
            _ => None,
        }
    }

    /// Writes a string to the end of `text`; false if this is none.
    pub fn append_to(self, text: &mut Text) -> bool {
        self.inside().map(|inside| text.push_json(inside)).is_some()
    }

    /// A string, decoded.
    pub fn string(self) -> Option<String> {
        let mut text = Text::default();
        self.append_to(&mut text).then(|| text.into_string())
    }

    /// Whether this is exactly this string.
    pub fn is(self, word: &str) -> bool {
        // An escape is longer than what it stands for.
        self.inside().is_some_and(|inside| match inside.len() > word.len() {
            true => inside.contains(&b'\\') && self.string().is_some_and(|text| text == word),
            false => inside == word.as_bytes(),
        })
    }

    /// Says something: not `""`, `0`, `false`, `{}`, `[]`, nor an object or array that has only such in it.
    pub fn says_something(self) -> bool {
        self.says_something_within(3)
    }

    fn says_something_within(self, levels: u32) -> bool {
        match self.0 {
            [b'{' | b'[', ..] => levels == 0 || self.children().any(|child| child.says_something_within(levels - 1)),
            [] | b"\"\"" | b"false" | b"0" => false,
            _ => true,
        }
    }

    /// The members of these names, in their order. All are absent if this is no object.
    pub fn members<const N: usize>(self, names: [&str; N]) -> [Value<'a>; N] {
        let mut found = [Value::default(); N];
        if self.is_object() {
            Scan::over(self.0).value_noting(&mut |name, value| keep(name, value, &names, &mut found));
        }
        found
    }

    /// The members of these names of every item of an array, or of every value of an object.
    pub fn each_with<const N: usize>(self, names: [&str; N]) -> impl Iterator<Item = [Value<'a>; N]> {
        let mut scan = Scan::into(self);
        std::iter::from_fn(move || {
            let mut found = [Value::default(); N];
            scan.next_child(&mut |name, value| keep(name, value, &names, &mut found)).map(|_| found)
        })
    }

    /// The items of an array, or the values of an object.
    pub fn children(self) -> impl Iterator<Item = Value<'a>> {
        let mut scan = Scan::into(self);
        std::iter::from_fn(move || scan.next_child(&mut |_, _| {}))
    }
}

/// Puts a member in its place, if it is one of those wanted.
fn keep<'a>(name: Name<'a>, value: Value<'a>, names: &[&str], found: &mut [Value<'a>]) {
    match name.escaped {
        true => put(name.written.string().unwrap_or_default().as_bytes(), value, names, found),
        false => put(name.written.inside().unwrap_or_default(), value, names, found),
    }
}

fn put<'a>(name: &[u8], value: Value<'a>, names: &[&str], found: &mut [Value<'a>]) {
    for (wanted, place) in names.iter().zip(found.iter_mut()) {
        // The length first: comparing is a call.
        if name.len() == wanted.len() && name == wanted.as_bytes() {
            *place = value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn value(text: &str) -> Value<'_> {
        first(text.as_bytes()).unwrap().0
    }

    #[test]
    fn members_are_found_in_any_order_by_names_with_escapes_and_the_last_one_counts() {
        let [a, b, missing] = value(r#" { "b" : [1, {"a":5}] , "\u0061" :"x","a":"y" }"#).members(["a", "b", "c"]);
        assert!(a.is("y"));
        assert_eq!(b.children().map(|item| item.integer()).collect::<Vec<_>>(), [Some(1), None]);
        assert!(!missing.exists());
    }

    #[test]
    fn null_is_as_good_as_absent_even_where_it_comes_last() {
        let [a] = value(r#"{"a":1,"a":null}"#).members(["a"]);
        assert!(!a.exists());
    }

    #[test]
    fn asking_the_wrong_kind_of_value_finds_nothing() {
        for text in ["1", "\"a\"", "true", "null"] {
            assert_eq!(value(text).children().count(), 0, "{text}");
            assert_eq!(value(text).members(["a"]), [Value::default()], "{text}");
        }
        assert_eq!(value("[1]").members(["a"]), [Value::default()]);
        assert_eq!(value("{\"a\":1}").string(), None);
    }

    #[test]
    fn numbers_beyond_what_javascript_holds_are_not_guessed() {
        for (text, number) in [("0", Some(0)), ("17", Some(17)), ("999999999999999", Some(999_999_999_999_999))] {
            assert_eq!(value(text).integer(), number);
        }
        for text in ["1e3", "1.0", "-1", "9999999999999999", "\"17\"", "NaN"] {
            assert_eq!(value(text).integer(), None, "{text}");
        }
    }

    #[test]
    fn an_empty_shell_says_nothing() {
        for text in ["\"\"", "0", "false", "[null]", "{}", "[]", "{\"code\":null,\"message\":\"\"}", "[{}]"] {
            assert!(!value(text).says_something(), "{text}");
        }
        for text in ["\"a\"", "true", "500", "{\"code\":1}", "[[[[[[]]]]]]"] {
            assert!(value(text).says_something(), "{text}");
        }
    }
}
