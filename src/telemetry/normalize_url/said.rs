//! All that is ever said instead of a word.

/// What is said instead of a word. A number, so that functions can hand it around without memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Said {
    /// The word stays.
    Word,
    Id,
    Number,
    Text,
    Date,
    /// Somebody's address.
    Person,
    /// The folder of somebody's own site.
    User,
    Site,
    Web,
    /// Folders and files.
    Files,
    Host,
    Value,
    Token,
    Secret,
    /// Not even this much is known.
    Other,
}

/// In the same order.
const TEXTS: [&str; 15] = [
    "",
    "{id}",
    "{n}",
    "{s}",
    "{date}",
    "{upn}",
    "{user}",
    "{site}",
    "{web}",
    "{path}",
    "{host}",
    "{v}",
    "{token}",
    "{redacted}",
    "{other}",
];

impl Said {
    pub fn text(self) -> &'static str {
        TEXTS.get(self as usize).copied().unwrap_or_default()
    }
}

/// What was said already stays: that makes a template its own template.
pub fn is_said(word: &[u8]) -> bool {
    word.starts_with(b"{") && TEXTS.iter().any(|text| text.as_bytes() == word)
}
