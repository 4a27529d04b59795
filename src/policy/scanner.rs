//! The one scanner under every header form. It works on bytes and reads numbers digit by digit,
//! because `&s[a..b]`, `parse::<f64>` and friends would more than double what a page downloads for
//! the readers.

/// What is left to read of one value. Copy it to be able to go back.
#[derive(Clone, Copy)]
pub(super) struct Scanner<'a>(&'a [u8]);

impl<'a> Scanner<'a> {
    /// Starts behind leading blanks and ends before trailing ones: `fetch` strips them, a
    /// hand-built map does not.
    pub fn new(text: &'a str) -> Self {
        let mut rest = text.as_bytes();
        while let [b' ' | b'\t', tail @ ..] = rest {
            rest = tail;
        }
        while let [head @ .., b' ' | b'\t'] = rest {
            rest = head;
        }
        Self(rest)
    }

    /// Over bytes that were read before.
    pub fn over(rest: &'a [u8]) -> Self {
        Self(rest)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn peek(&self) -> Option<u8> {
        self.0.first().copied()
    }

    pub fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    /// Takes the byte if it comes next.
    pub fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        if found {
            self.next();
        }
        found
    }

    /// The next `count` bytes.
    pub fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (head, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(head)
    }

    /// The longest run of accepted bytes, possibly none.
    pub fn run(&mut self, accept: fn(&u8) -> bool) -> &'a [u8] {
        let count = self.0.iter().take_while(|byte| accept(byte)).count();
        self.take(count).unwrap_or_default()
    }

    /// Skips spaces and tabs and tells whether there were any.
    pub fn skip_blanks(&mut self) -> bool {
        !self.run(|byte| matches!(byte, b' ' | b'\t')).is_empty()
    }

    /// What was read between an earlier copy of this scanner and now.
    pub fn since(&self, start: Self) -> &'a [u8] {
        start.0.get(..start.0.len() - self.0.len()).unwrap_or_default()
    }

    /// `1*DIGIT`. Too large becomes `u64::MAX`, never a small number.
    pub fn digits(&mut self) -> Option<u64> {
        number(self.run(u8::is_ascii_digit))
    }

    /// Exactly `count` digits, as in dates.
    pub fn fixed(&mut self, count: usize) -> Option<u64> {
        let digits = self.take(count)?;
        digits.iter().all(u8::is_ascii_digit).then(|| number(digits))?
    }

    /// `7` or `7.66`; neither `7.` nor `.66`.
    pub fn decimal(&mut self) -> Option<Decimal> {
        let whole = self.digits()?;
        let thousandths = match self.eat(b'.') {
            true => Some(self.thousandths()?),
            false => None,
        };
        Some(Decimal { whole, thousandths })
    }

    /// The digits behind a point. Anything finer than a thousandth counts as a whole one: a wait is
    /// never cut short.
    pub fn thousandths(&mut self) -> Option<u64> {
        let digits = self.run(u8::is_ascii_digit);
        let (mut sum, mut place, mut finer) = (0, 100, 0);
        for digit in digits.iter().map(|byte| u64::from(byte & 0x0f)) {
            sum += place * digit;
            if place == 0 && digit > 0 {
                finer = 1;
            }
            place /= 10;
        }
        (!digits.is_empty()).then_some(sum + finer)
    }
}

fn number(digits: &[u8]) -> Option<u64> {
    let append = |sum: u64, byte: &u8| match sum < u64::MAX / 10 {
        true => sum * 10 + u64::from(byte & 0x0f),
        false => u64::MAX,
    };
    (!digits.is_empty()).then(|| digits.iter().fold(0, append))
}

/// A number with at most three decimal places, rounded up.
#[derive(Debug, PartialEq)]
pub(super) struct Decimal {
    pub whole: u64,
    /// 0 to 1000; `None` if no point was written.
    pub thousandths: Option<u64>,
}

impl Decimal {
    /// As milliseconds, rounded up, if one of it is `unit_ms` long. Too large becomes `u64::MAX`.
    pub fn ms(&self, unit_ms: u64) -> u64 {
        if self.whole > u64::MAX / unit_ms - 1 {
            return u64::MAX;
        }
        self.whole * unit_ms + (self.thousandths.unwrap_or(0) * unit_ms).div_ceil(1000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn ms(text: &str, unit_ms: u64) -> Option<u64> {
        Some(Scanner::new(text).decimal()?.ms(unit_ms))
    }

    #[test]
    fn blanks_around_a_value_are_no_part_of_it() {
        assert_eq!(Scanner::new(" \t42\t ").0, b"42");
        assert!(Scanner::new(" \t ").is_empty());
    }

    #[test]
    fn too_many_digits_saturate() {
        assert_eq!(Scanner::new("18446744073709551615").digits(), Some(u64::MAX));
        assert_eq!(Scanner::new("99999999999999999999999").digits(), Some(u64::MAX));
        assert_eq!(Scanner::new("0000000000000000000000007").digits(), Some(7));
        assert_eq!(ms("18446744073709551", 1000), Some(u64::MAX));
        assert_eq!(ms("18446744073709550", 1000), Some(18_446_744_073_709_550_000));
        assert_eq!(ms("99999999999999999999.999", 1000), Some(u64::MAX));
    }

    #[test]
    fn parts_of_a_millisecond_round_up() {
        assert_eq!(ms("2.542", 1000), Some(2542));
        assert_eq!(ms("2.0000000001", 1000), Some(2001));
        assert_eq!(ms("0.9999", 1000), Some(1000));
        assert_eq!(ms("12.25", 1), Some(13));
        assert_eq!(ms("12.000", 1), Some(12));
    }

    #[test]
    fn a_point_needs_digits_on_both_sides() {
        assert_eq!(ms("5.", 1000), None);
        assert_eq!(ms(".5", 1000), None);
    }
}
