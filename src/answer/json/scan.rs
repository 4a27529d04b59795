//! Passing over JSON. Everything is in here that looks at every byte, so it is written for speed: the loops are plain.

use super::Value;
use crate::answer::steps;

/// Deeper nesting is not read: no answer needs it, and hostile text may have any number of brackets.
const MAX_DEPTH: u32 = 127;
/// Besides these there are numbers. Python writes the last three.
const LITERALS: [&[u8]; 6] = [b"true", b"false", b"null", b"NaN", b"Infinity", b"-Infinity"];

/// JSON's white space.
#[inline]
pub(in crate::answer) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// A place in a text.
pub(super) struct Scan<'a> {
    text: &'a [u8],
    at: usize,
    /// The values entered are an object's, each behind its name.
    named: bool,
    /// The last string has a backslash in it.
    escaped: bool,
}

/// The name of a member.
#[derive(Clone, Copy)]
pub(super) struct Name<'a> {
    /// With its quotes.
    pub written: Value<'a>,
    /// Some of it is written by escapes.
    pub escaped: bool,
}

/// Hears of each member, name and value.
pub(super) type Note<'n, 'a> = &'n mut dyn FnMut(Name<'a>, Value<'a>);

impl<'a> Scan<'a> {
    /// At the beginning.
    pub fn over(text: &'a [u8]) -> Self {
        Scan { text, at: 0, named: false, escaped: false }
    }

    /// Behind the bracket of an object or array; nowhere in anything else.
    pub fn into(value: Value<'a>) -> Self {
        let named = value.is_object();
        let mut scan = Scan { text: value.0, at: 0, named, escaped: false };
        if !scan.eat(if named { b'{' } else { b'[' }) {
            scan.text = b"";
        }
        scan
    }

    /// What is left, without white space before it.
    pub fn rest(mut self) -> &'a [u8] {
        self.peek();
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The next item or value of what was entered; an object's members are noted.
    pub fn next_child(&mut self, note: Note<'_, 'a>) -> Option<Value<'a>> {
        self.eat(b',');
        if self.named && !self.name() {
            return None;
        }
        self.value_noting(note).map(Value::or_absent)
    }

    /// The next value; an object's members are noted.
    pub fn value_noting(&mut self, note: Note<'_, 'a>) -> Option<Value<'a>> {
        let is_object = self.peek()? == b'{';
        let from = self.at;
        let passed = if is_object { self.object(note) } else { self.value() };
        steps::count(self.at - from);
        if passed { self.since(from) } else { None }
    }

    fn object(&mut self, note: Note<'_, 'a>) -> bool {
        self.at += 1;
        if self.eat(b'}') {
            return true;
        }
        loop {
            self.peek();
            let from = self.at;
            if !self.string() {
                return false;
            }
            let name = Name { written: self.since(from).unwrap_or_default(), escaped: self.escaped };
            if !self.eat(b':') {
                return false;
            }
            self.peek();
            let from = self.at;
            if !self.value() {
                return false;
            }
            note(name, self.since(from).unwrap_or_default().or_absent());
            let next = self.peek();
            self.at += 1;
            if next != Some(b',') {
                return next == Some(b'}');
            }
        }
    }

    fn since(&self, from: usize) -> Option<Value<'a>> {
        self.text.get(from..self.at).map(Value)
    }

    /// The next byte that is no white space. Between two tokens there is mostly none.
    #[inline(always)]
    fn peek(&mut self) -> Option<u8> {
        match self.byte() {
            Some(..=b' ') => self.skip_blanks(),
            other => other,
        }
    }

    fn skip_blanks(&mut self) -> Option<u8> {
        while self.byte().is_some_and(is_blank) {
            self.at += 1;
        }
        self.byte()
    }

    #[inline(always)]
    fn byte(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// Takes the byte if it comes next, behind white space.
    fn eat(&mut self, wanted: u8) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    /// Passes over one value, however deep.
    fn value(&mut self) -> bool {
        // Below a leading one, a bit for each level that is open: 1 for an object, 0 for an array.
        let mut open: u128 = 1;
        loop {
            match self.peek() {
                Some(b'"') if self.string() => {}
                Some(b'"') => return false,
                Some(bracket @ (b'{' | b'[')) => {
                    if open >> MAX_DEPTH != 0 {
                        return false;
                    }
                    self.at += 1;
                    open = open << 1 | u128::from(bracket == b'{');
                    if !self.eat(if bracket == b'{' { b'}' } else { b']' }) {
                        if bracket == b'{' && !self.name() {
                            return false;
                        }
                        continue;
                    }
                    open >>= 1;
                }
                _ if self.scalar() => {}
                _ => return false,
            }
            // The value is over, and with it perhaps those around it.
            loop {
                if open == 1 {
                    return true;
                }
                let in_object = open & 1 == 1;
                let next = self.peek();
                self.at += 1;
                if next == Some(b',') {
                    if in_object && !self.name() {
                        return false;
                    }
                    break;
                }
                if next != Some(if in_object { b'}' } else { b']' }) {
                    return false;
                }
                open >>= 1;
            }
        }
    }

    /// `"name" :`
    fn name(&mut self) -> bool {
        self.peek();
        self.string() && self.eat(b':')
    }

    /// `"…"`, with escapes that exist and without control characters.
    fn string(&mut self) -> bool {
        if self.byte() != Some(b'"') {
            return false;
        }
        self.escaped = false;
        loop {
            self.at += 1;
            let mut plain = 0;
            for byte in self.text.get(self.at..).unwrap_or_default() {
                if matches!(byte, b'"' | b'\\' | ..=0x1f) {
                    break;
                }
                plain += 1;
            }
            self.at += plain;
            match self.byte() {
                Some(b'\\') => {
                    self.escaped = true;
                    self.at += 1;
                    if !self.escape() {
                        return false;
                    }
                }
                end => {
                    self.at += 1;
                    return end == Some(b'"');
                }
            }
        }
    }

    /// What stands behind the backslash, up to its last byte.
    fn escape(&mut self) -> bool {
        match self.byte() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => true,
            Some(b'u') => {
                let digits = self.text.get(self.at + 1..self.at + 5);
                self.at += 4;
                digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
            }
            _ => false,
        }
    }

    /// `-1.5e+10`, `true`, `null` and the like.
    fn scalar(&mut self) -> bool {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let is_digit = matches!(rest, [b'0'..=b'9', ..]);
        if let Some(literal) = LITERALS.iter().find(|literal| !is_digit && rest.starts_with(literal)) {
            self.at += literal.len();
            return true;
        }
        self.take_if(b"-");
        let whole = self.take_if(b"0") || self.digits();
        let fraction = !self.take_if(b".") || self.digits();
        let power = !self.take_if(b"eE") || (self.take_if(b"+-") | true) && self.digits();
        whole && fraction && power
    }

    fn take_if(&mut self, accepted: &[u8]) -> bool {
        let found = self.byte().is_some_and(|byte| accepted.contains(&byte));
        self.at += usize::from(found);
        found
    }

    fn digits(&mut self) -> bool {
        let from = self.at;
        while self.byte().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        self.at > from
    }
}

#[cfg(test)]
mod tests {
    use super::super::first;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn the_first_value_ends_where_the_next_begins() {
        for (text, rest) in [("{} {}", "{}"), (" [1,2]", ""), ("\"a\"x", "x"), ("12 ", ""), ("true,", ",")] {
            assert_eq!(first(text.as_bytes()).unwrap().1, rest.as_bytes(), "{text}");
        }
    }

    #[test]
    fn what_is_not_well_formed_or_not_all_there_is_no_value() {
        let words = r#"{ } [ [1 [1, [1,] [,1] {,} {"a"} {"a":} {"a":1,} {a:1} {1:1} [1} {"a":1] "a "\x" "\u12g4" "\u12
            - 1. 1e .5 +1 tru [01] ['a'] [truefalse] {"a"1} {"a":1"b":2} {:1}"#;
        for text in words.split_whitespace().chain(["", " ", "[1 2]", "\"a\nb\""]) {
            assert_eq!(first(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn nesting_is_read_to_a_limit_and_not_beyond() {
        let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        assert!(first(nested(127).as_bytes()).is_some());
        assert!(first(nested(128).as_bytes()).is_none());
        assert!(first("[".repeat(1_000_000).as_bytes()).is_none());
    }
}
