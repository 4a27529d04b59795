//! How a header is looked up. The readers are pure; who holds the headers (a `Response`, a mock, a
//! JSON file in a test) is not their business, and neither is what it takes to read one without
//! throwing.

/// The header fields of one answer.
pub trait Fields {
    /// The value of the field of this lower-case name; lines of the same name joined by `", "`, as
    /// `fetch` does it. `None` if it is absent or cannot be read.
    fn field(&self, name: &str) -> Option<String>;
}

#[cfg(test)]
pub(crate) mod sample {
    use super::Fields;

    /// Headers written down in a test, names in lower case.
    pub struct Sample<'a>(pub &'a [(&'a str, &'a str)]);

    impl Fields for Sample<'_> {
        fn field(&self, name: &str) -> Option<String> {
            let (_, value) = self.0.iter().find(|(given, _)| *given == name)?;
            Some((*value).to_owned())
        }
    }
}
