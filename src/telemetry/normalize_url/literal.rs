//! The quoted literal, `'O''Brien'`: the only place where a slash, an ampersand or a parenthesis says nothing.

use super::guid::{self, Guid};
use super::said::Said;
use super::units::{END, Units};

/// Names that may stand before the quote: `guid'…'`, `X'…'`.
pub const PREFIXES: &str = "guid datetime datetimeoffset time duration binary x geography geometry";

/// Reads on from behind the opening quote and tells what the literal is said as. Two quotes are an escape; one ends it
/// if one of `ends` follows, or nothing. Any other is an apostrophe that nobody escaped. A literal that never ends
/// hides everything.
pub fn literal(units: &mut Units, ends: &[u8]) -> Said {
    let (mut guid, mut complete, mut solid) = (Guid::default(), false, 0);
    loop {
        let unit = units.next();
        if unit == END {
            return Said::Text;
        }
        if unit == b'\'' && !units.eat(b'\'') {
            let next = units.peek();
            if next == END || ends.contains(&next) {
                return if complete && solid == guid::LENGTH { Said::Id } else { Said::Text };
            }
        }
        if !matches!(unit, b' ' | b'{' | b'}') {
            solid += 1;
            complete |= guid.ends_with(unit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    /// What a literal is said as, and what is left behind it.
    fn read(text: &str) -> (Said, String) {
        let mut units = Units::of_path(text.as_bytes());
        let said = literal(&mut units, b"),/");
        (said, std::iter::from_fn(|| Some(units.next()).filter(|unit| *unit != END)).map(char::from).collect())
    }

    #[test]
    fn quotes_inside_do_not_end_it() {
        for text in ["O''Brien')/x", "O%27'Brien%27)/x", "Peter's')/x", "a/b, (c)')/x", "')/x", "''''')/x"] {
            assert_eq!(read(text), (Said::Text, ")/x".to_owned()), "{text}");
        }
    }

    #[test]
    fn without_an_end_it_hides_everything() {
        for text in ["Secret/x", "Secret'' )/x", "'", "''"] {
            assert_eq!(read(text), (Said::Text, String::new()), "{text}");
        }
    }

    #[test]
    fn a_guid_in_quotes_is_an_id() {
        const GUID: &str = "99a1e20b-fa97-4128-b2af-51f144d7658b";
        for text in [format!("{GUID}'"), format!(" {GUID}'"), format!("%7B{GUID}%7d'")] {
            assert_eq!(read(&text), (Said::Id, String::new()), "{text}");
        }
        for text in [format!("{GUID}_o'"), format!("x{GUID}'"), GUID.to_owned()] {
            assert_eq!(read(&text), (Said::Text, String::new()), "{text}");
        }
    }
}
