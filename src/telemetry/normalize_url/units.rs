//! What the scanner reads: one unit after the other, an escape being the character it stands for. Nothing is decoded
//! ahead, since `%2F` and `%26` in a title are no slash and no ampersand: as units they are [`ODD`].

/// No printable ASCII character, or one that has a meaning only if it is not escaped. No name has it.
pub const ODD: u8 = 0;
/// No unit, but the end. A number, since an `Option` would go through memory at each of a hundred places.
pub const END: u8 = 1;

/// What is left to read of the path, or of the query.
pub struct Units<'a> {
    rest: &'a [u8],
    /// Ends the part that is being read, like `#`.
    stop: u8,
    /// Bytes looked at, for the law that the scanner is linear.
    #[cfg(test)]
    pub steps: usize,
}

impl<'a> Units<'a> {
    /// Blanks before an address are no part of it.
    pub fn of_path(url: &'a [u8]) -> Self {
        let mut rest = url;
        while let [0..=b' ', tail @ ..] = rest {
            rest = tail;
        }
        Self {
            rest,
            stop: b'?',
            #[cfg(test)]
            steps: 0,
        }
    }

    /// Goes on behind the `?`, if there is one. What is left of the path is skipped.
    pub fn enter_query(&mut self) -> bool {
        while self.next() != END {}
        let found = matches!(self.rest, [b'?', ..]);
        self.stop = b'#';
        if found {
            self.next();
        }
        found
    }

    pub fn here(&self) -> &'a [u8] {
        self.rest
    }

    pub fn go_back(&mut self, here: &'a [u8]) {
        self.rest = here;
    }

    pub fn next(&mut self) -> u8 {
        while let [first, tail @ ..] = self.rest
            && *first != b'#'
            && *first != self.stop
        {
            #[cfg(test)]
            {
                self.steps += 1;
            }
            self.rest = tail;
            return match *first {
                // As every browser does it.
                b'\t' | b'\n' | b'\r' => continue,
                b'%' => self.escaped(),
                b' '..=b'~' => *first,
                _ => ODD,
            };
        }
        END
    }

    pub fn peek(&mut self) -> u8 {
        let here = self.rest;
        let next = self.next();
        self.rest = here;
        next
    }

    /// Takes the unit if it comes next.
    pub fn eat(&mut self, unit: u8) -> bool {
        let found = self.peek() == unit;
        if found {
            self.next();
        }
        found
    }

    /// `%27` behind its `%`. A `%` by itself is no escape.
    fn escaped(&mut self) -> u8 {
        if let [high, low, tail @ ..] = self.rest
            && high.is_ascii_hexdigit()
            && low.is_ascii_hexdigit()
        {
            self.rest = tail;
            let byte = digit(*high) << 4 | digit(*low);
            if matches!(byte, b' '..=b'~') && !matches!(byte, b'/' | b'\\' | b'?' | b'#' | b'&' | b'+' | b'%') {
                return byte;
            }
        }
        ODD
    }
}

/// `7` → 7, `b` and `B` → 11
fn digit(hexadecimal: u8) -> u8 {
    (hexadecimal & 0xf) + 9 * (hexadecimal >> 6)
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn all(units: &mut Units) -> Vec<u8> {
        std::iter::from_fn(|| Some(units.next()).filter(|unit| *unit != END)).collect()
    }

    #[test]
    fn an_escape_is_its_character_unless_that_would_change_what_is_around_it() {
        assert_eq!(all(&mut Units::of_path(b"%27%28%2c%7B%2D%5f%20%24")), b"'(,{-_ $");
        assert_eq!(all(&mut Units::of_path(b"%2F%5C%3F%23%26%25%2B")), [ODD; 7]);
        assert_eq!(all(&mut Units::of_path(b"%00%0d%C3%A4\xc3\xa4\x7f")), [ODD; 7]);
    }

    #[test]
    fn a_broken_escape_is_odd_and_nothing_behind_it_is_lost() {
        assert_eq!(all(&mut Units::of_path(b"%")), [ODD]);
        assert_eq!(all(&mut Units::of_path(b"%4")), [ODD, b'4']);
        assert_eq!(all(&mut Units::of_path(b"100%'%zz")), [b'1', b'0', b'0', ODD, b'\'', ODD, b'z', b'z']);
    }

    #[test]
    fn line_breaks_and_tabs_are_left_out_as_in_browsers() {
        assert_eq!(all(&mut Units::of_path(b" \r\n/per\nson\tal")), b"/personal");
    }

    #[test]
    fn the_path_ends_at_the_first_question_mark_and_everything_at_the_first_hash() {
        let mut units = Units::of_path(b"/a'?b=c?d#e?f");
        assert_eq!(all(&mut units), b"/a'");
        assert!(units.enter_query());
        assert_eq!(all(&mut units), b"b=c?d");
        assert!(!Units::of_path(b"/a#?b").enter_query());
        assert!(!Units::of_path(b"/a").enter_query());
    }
}
