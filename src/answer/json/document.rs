//! A document whose own members were noted when it was checked, so that the readers need not pass over it again for
//! each question. Most events of a stream have fewer than a dozen.

use super::Value;
use super::scan::Scan;

/// More members are not noted; they are looked for each time.
const NOTED: usize = 16;

/// A whole body, an event of a stream, or one of several that run together.
#[derive(Clone, Copy, Debug)]
pub(in crate::answer) struct Document<'a> {
    /// All of it.
    pub value: Value<'a>,
    /// What stands behind it.
    pub behind: &'a [u8],
    members: [(&'a [u8], Value<'a>); NOTED],
    /// `None`: there are more, or a name has escapes.
    count: Option<usize>,
}

impl<'a> Document<'a> {
    /// The first document of a text. `None` if it is not well-formed, or not all there.
    pub fn first(text: &'a [u8]) -> Option<Self> {
        let (mut members, mut count) = ([(&b""[..], Value::default()); NOTED], Some(0));
        let mut scan = Scan::over(text);
        let value = scan.value_noting(&mut |name, value| {
            let place = count.and_then(|count| members.get_mut(count)).filter(|_| !name.escaped);
            count = place
                .map(|place| *place = (name.written.inside().unwrap_or_default(), value))
                .and(count.map(|count| count + 1));
        })?;
        Some(Document { value, behind: scan.rest(), members, count })
    }

    /// The one document that the text is.
    pub fn only(text: &'a [u8]) -> Option<Self> {
        Document::first(text).filter(|document| document.behind.is_empty())
    }

    /// The members of these names, in their order. All are absent if this is no object.
    pub fn members<const N: usize>(&self, names: [&str; N]) -> [Value<'a>; N] {
        let Some(count) = self.count else { return self.value.members(names) };
        let mut found = [Value::default(); N];
        for (name, value) in self.members.iter().take(count) {
            super::put(name, *value, &names, &mut found);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn noted_or_not_the_members_are_the_same() {
        let many = (0..20).map(|n| format!("\"n{n}\":{n},")).collect::<String>();
        for text in [
            r#"{"a":1,"b":null,"a":"x"}"#.to_owned(),
            r#"{"\u0061":1,"a":"x"} {"a":2}"#.to_owned(),
            r#"{"a":3,"\u0061":"x"}"#.to_owned(),
            format!("{{{many}\"a\":\"x\"}}"),
            format!("{{\"a\":\"x\",{many}\"b\":null}}"),
        ] {
            let document = Document::first(text.as_bytes()).unwrap();
            assert_eq!(document.members(["a", "b"]), document.value.members(["a", "b"]), "{text}");
            assert!(document.members(["a"])[0].is("x"), "{text}");
        }
    }

    #[test]
    fn what_is_no_object_has_no_members() {
        for text in ["[{\"a\":1}]", "\"a\"", "1"] {
            assert_eq!(Document::first(text.as_bytes()).unwrap().members(["a"]), [Value::default()], "{text}");
        }
    }
}
