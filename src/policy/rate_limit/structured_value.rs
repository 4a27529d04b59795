//! The values in structured fields (RFC 9651). All types are checked; a value stays as it was
//! written until somebody asks for a number or a text.

use super::structured_field;
use crate::policy::scanner::Scanner;

/// The value of an item, a parameter or a dictionary entry, as it was written. Of a key without one
/// it is empty.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Value<'a>(&'a [u8]);

impl Value<'_> {
    /// The number, if it is an integer >= 0.
    pub fn integer(&self) -> Option<u64> {
        let mut scanner = Scanner::over(self.0);
        let number = scanner.digits()?;
        scanner.is_empty().then_some(number)
    }

    /// The text, if it is a string or a token.
    pub fn text(&self) -> Option<String> {
        let mut raw = match self.0 {
            [b'"', inner @ .., b'"'] => inner,
            [b'A'..=b'Z' | b'a'..=b'z' | b'*', ..] => self.0,
            _ => return None,
        };
        let mut text = String::new();
        while let [b'\\', byte, rest @ ..] | [byte, rest @ ..] = raw {
            text.push(char::from(*byte));
            raw = rest;
        }
        Some(text)
    }
}

/// Reads one value from the front of the scanner.
pub(super) fn read<'a>(scanner: &mut Scanner<'a>) -> Option<Value<'a>> {
    let start = *scanner;
    match scanner.next()? {
        b'0'..=b'9' => {
            *scanner = start;
            number(scanner)?;
        }
        b'-' => number(scanner)?,
        b'@' => {
            scanner.eat(b'-');
            number(scanner)?;
        }
        b'"' => string(scanner)?,
        b'%' => scanner.eat(b'"').then(|| string(scanner))??,
        b'A'..=b'Z' | b'a'..=b'z' | b'*' => {
            scanner.run(is_token_byte);
        }
        b'?' => matches!(scanner.next()?, b'0' | b'1').then_some(())?,
        b':' => {
            scanner.run(is_base64_byte);
            scanner.eat(b':').then_some(())?;
        }
        b'(' => inner_list(scanner)?,
        _ => return None,
    }
    Some(Value(scanner.since(start)))
}

fn is_token_byte(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'!' | b'#'..=b'\'' | b'*' | b'+' | b'-'..=b':' | b'^'..=b'`' | b'|' | b'~')
}

fn is_base64_byte(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

/// `12` or `12.5`
fn number(scanner: &mut Scanner) -> Option<()> {
    let whole = scanner.run(u8::is_ascii_digit).len();
    let mut most = 15;
    if scanner.eat(b'.') {
        most = 12;
        let places = scanner.run(u8::is_ascii_digit).len();
        (1..=3).contains(&places).then_some(())?;
    }
    (1..=most).contains(&whole).then_some(())
}

/// Behind the opening quote: `fixed \"window\""`
fn string(scanner: &mut Scanner) -> Option<()> {
    loop {
        match scanner.next()? {
            b'"' => return Some(()),
            b'\\' => matches!(scanner.next()?, b'"' | b'\\').then_some(())?,
            b' '..=b'~' => {}
            _ => return None,
        }
    }
}

/// Behind the opening bracket: `10;w=1 50;w=60)`
fn inner_list(scanner: &mut Scanner) -> Option<()> {
    loop {
        structured_field::skip_spaces(scanner);
        if scanner.eat(b')') {
            return Some(());
        }
        // Inner lists do not nest. If they did, a hostile header could use up the stack.
        (scanner.peek()? != b'(').then_some(())?;
        structured_field::item(scanner)?;
        matches!(scanner.peek()?, b' ' | b')').then_some(())?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    /// The value, if it is one and nothing else.
    fn whole(text: &str) -> Option<Value<'_>> {
        let mut scanner = Scanner::new(text);
        read(&mut scanner).filter(|_| scanner.is_empty())
    }

    #[test]
    fn an_integer_has_at_most_fifteen_digits_and_no_sign() {
        let integer = |text| whole(text).map(|value| value.integer());
        assert_eq!(integer("999999999999999"), Some(Some(999_999_999_999_999)));
        assert_eq!(integer("007"), Some(Some(7)));
        assert_eq!(integer("-5"), Some(None));
        for text in ["1000000000000000", "+5", "--5", "1e3"] {
            assert_eq!(integer(text), None, "{text}");
        }
    }

    #[test]
    fn a_text_is_a_string_or_a_token() {
        let text = |raw| whole(raw).and_then(|value| value.text());
        assert_eq!(text(r#""5-in-\"1\"-\\""#).as_deref(), Some(r#"5-in-"1"-\"#));
        assert_eq!(text("*a/b:c").as_deref(), Some("*a/b:c"));
        assert_eq!(text("\"\"").as_deref(), Some(""));
        assert_eq!(text("5"), None);
        assert_eq!(Value::default().text(), None);
    }

    #[test]
    fn strings_are_printable_ascii_with_two_escapes() {
        for text in ["\"\u{e9}\"", "\"\t\"", r#""\n""#, "\"open", "'single'"] {
            assert_eq!(whole(text), None, "{text}");
        }
    }

    #[test]
    fn values_of_other_types_are_neither() {
        let values = "1.5|-0.125|?1|?0|:aGk=:|::|@1659578233|@-1|%\"f%c3%bc\"|()|(1;a \"b\")";
        for text in values.split('|') {
            let value = whole(text).unwrap();
            assert_eq!((value.integer(), value.text()), (None, None), "{text}");
        }
    }

    #[test]
    fn what_is_no_value_is_refused() {
        for text in "1. .5 1.0000 1234567890123.0 ?2 ? :a-b: :aGk= @ - %a (1 (1a) {} \u{b2}".split(' ') {
            assert_eq!(whole(text), None, "{text}");
        }
        assert_eq!(whole(""), None);
    }

    #[test]
    fn nested_brackets_do_not_use_up_the_stack() {
        assert_eq!(whole(&"(".repeat(1_000_000)), None);
        assert_eq!(whole("((1))"), None);
    }
}
