//! Text put together from pieces: JSON strings with their escapes, and plain bytes cut anywhere. What is no text
//! becomes U+FFFD, as in a browser's own decoder. A character may be spread over two deltas, half of a surrogate pair
//! in each: JavaScript's `+` would heal that, so it is healed here.

/// Text that grows.
#[derive(Clone, Debug, Default)]
pub(super) struct Text {
    written: String,
    /// The first half of a surrogate pair whose second half may follow.
    high: Option<u16>,
}

impl Text {
    /// What stands there by now.
    pub fn as_str(&self) -> &str {
        &self.written
    }

    /// Nothing was written, not even half a character.
    pub fn is_empty(&self) -> bool {
        self.written.is_empty() && self.high.is_none()
    }

    /// No second half comes any more.
    pub fn close(&mut self) {
        if self.high.take().is_some() {
            self.written.push(char::REPLACEMENT_CHARACTER);
        }
    }

    /// The whole text.
    pub fn into_string(mut self) -> String {
        self.close();
        self.written
    }

    /// Bytes that end where a character ends.
    pub fn push_bytes(&mut self, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.close();
            self.written.push_str(&String::from_utf8_lossy(bytes));
        }
    }

    /// What stands between the quotes of a well-formed JSON string.
    pub fn push_json(&mut self, mut inside: &[u8]) {
        while let Some(at) = inside.iter().position(|byte| *byte == b'\\') {
            let (run, escape) = inside.split_at_checked(at).unwrap_or_default();
            self.push_bytes(run);
            inside = match escape {
                [_, b'u', a, b, c, d, rest @ ..] => {
                    self.push_unit([a, b, c, d].into_iter().fold(0, |sum, digit| sum << 4 | hex(*digit)));
                    rest
                }
                [_, letter, rest @ ..] => {
                    self.push_unit(u16::from(unescape(*letter)));
                    rest
                }
                _ => return,
            };
        }
        self.push_bytes(inside);
    }

    /// One UTF-16 unit.
    fn push_unit(&mut self, unit: u16) {
        let unit = u32::from(unit);
        let pair = match (self.high, unit) {
            (Some(high), 0xdc00..=0xdfff) => 0x1_0000 + ((u32::from(high) & 0x3ff) << 10) + (unit & 0x3ff),
            _ => {
                self.close();
                unit
            }
        };
        self.high = if (0xd800..0xdc00).contains(&pair) { Some(pair as u16) } else { None };
        if self.high.is_none() {
            self.written.push(char::from_u32(pair).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
    }
}

/// `\n` is a line feed, `\/` a slash.
fn unescape(letter: u8) -> u8 {
    match letter {
        b'b' => 8,
        b'f' => 12,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        other => other,
    }
}

/// The value of a digit that is known to be one.
fn hex(digit: u8) -> u16 {
    u16::from(if digit.is_ascii_digit() { digit & 0x0f } else { (digit & 0x0f) + 9 })
}

/// How many bytes at the end begin a character that is not all there. Between 0 and 3.
pub(super) fn unfinished(bytes: &[u8]) -> usize {
    let lead = bytes.iter().rev().take(3).position(|byte| *byte >= 0xc0);
    let Some(follow) = lead else { return 0 };
    let needs = match bytes.iter().rev().nth(follow) {
        Some(0xf0..) => 3,
        Some(0xe0..) => 2,
        _ => 1,
    };
    // Anything else between means that the character was broken off, not cut.
    let all_follow = bytes.iter().rev().take(follow).all(|byte| (0x80..0xc0).contains(byte));
    if all_follow && follow < needs { follow + 1 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn joined(parts: &[&str]) -> String {
        let mut text = Text::default();
        parts.iter().for_each(|part| text.push_json(part.as_bytes()));
        text.into_string()
    }

    #[test]
    fn every_escape_is_undone() {
        assert_eq!(joined(&[r#"a\"\\\/\b\f\n\r\t\u0041\u00e9\u20AC"#]), "a\"\\/\u{8}\u{c}\n\r\tAé€");
    }

    #[test]
    fn a_surrogate_pair_is_one_character_even_across_two_pieces() {
        assert_eq!(joined(&[r"\ud83d\ude00"]), "😀");
        assert_eq!(joined(&[r"a\ud83d", "", r"\ude00b"]), "a😀b");
    }

    #[test]
    fn half_a_pair_alone_is_marked_and_what_follows_is_kept() {
        assert_eq!(joined(&[r"\ude00a"]), "\u{fffd}a");
        assert_eq!(joined(&[r"\ud83d", "a"]), "\u{fffd}a");
        assert_eq!(joined(&[r"\ud83d\ud83d\ude00"]), "\u{fffd}😀");
        assert_eq!(joined(&[r"\ud83d\n"]), "\u{fffd}\n");
        assert_eq!(joined(&[r"\ud83d"]), "\u{fffd}");
    }

    #[test]
    fn half_a_pair_is_not_shown_before_the_other_half_or_the_end() {
        let mut text = Text::default();
        text.push_json(br"a\ud83d");
        assert_eq!(text.as_str(), "a");
        text.close();
        assert_eq!(text.as_str(), "a\u{fffd}");
    }

    #[test]
    fn a_character_cut_by_a_chunk_is_held_back_and_a_broken_one_is_not() {
        for (bytes, held) in [
            (&b""[..], 0),
            (b"a", 0),
            (b"a\xc3", 1),
            (b"a\xc3\xab", 0),
            (b"\xe2\x82", 2),
            (b"\xe2\x82\xac", 0),
            (b"\xf0\x9f\x98", 3),
            (b"\xf0\x9f\x98\x80", 0),
            (b"\xf0a", 0),
            (b"\x80\x80\x80\x80", 0),
        ] {
            assert_eq!(unfinished(bytes), held, "{bytes:x?}");
        }
    }
}
