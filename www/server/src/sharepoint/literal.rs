//! Quoted literals of OData: `'it''s'` is `it's`.

/// A literal at the beginning of the text, and what follows it.
pub fn leading(text: &str) -> Option<(String, &str)> {
    let mut rest = text.strip_prefix('\'')?;
    let mut value = String::new();
    loop {
        let (part, after) = rest.split_once('\'')?;
        value.push_str(part);
        match after.strip_prefix('\'') {
            Some(more) => {
                value.push('\'');
                rest = more;
            }
            None => return Some((value, after)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::leading;

    #[test]
    fn a_doubled_quote_is_one_of_the_value() {
        for (text, expected) in [
            ("'Orders')/items", Some(("Orders", ")/items"))),
            ("'it''s' x", Some(("it's", " x"))),
            ("''''", Some(("'", ""))),
            ("''", Some(("", ""))),
            ("'open", None),
            ("'open''", None),
            ("bare", None),
        ] {
            let expected = expected.map(|(value, rest)| (value.to_owned(), rest));
            assert_eq!(leading(text), expected, "{text}");
        }
    }
}
