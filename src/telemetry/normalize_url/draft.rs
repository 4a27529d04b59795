//! What has been written of the template so far. A word is written as it is read, and replaced if it turns out that it
//! must not stay: that way nothing is copied twice, and there is one buffer.

use super::guid::{self, Guid};
use super::words::{self, ID, Trust};

/// The template, and where its last word begins.
pub struct Draft {
    text: String,
    word: usize,
    guid: Guid,
    /// Bytes looked at again, for the law that the scanner is linear.
    #[cfg(test)]
    pub steps: usize,
}

impl Draft {
    pub fn new(capacity: usize) -> Self {
        Self {
            text: String::with_capacity(capacity),
            word: 0,
            guid: Guid::default(),
            #[cfg(test)]
            steps: 0,
        }
    }

    pub fn finish(self) -> String {
        self.text
    }

    /// Where the last word begins.
    pub fn start(&self) -> usize {
        self.word
    }

    pub fn word(&self) -> &[u8] {
        self.text.as_bytes().get(self.word..).unwrap_or_default()
    }

    pub fn ends_with(&self, end: &[u8]) -> bool {
        self.text.as_bytes().ends_with(end)
    }

    /// Whether the word stands right behind this.
    pub fn follows(&self, before: &[u8]) -> bool {
        self.text.as_bytes().get(..self.word).is_some_and(|text| text.ends_with(before))
    }

    /// A further unit of the word. A GUID becomes `{id}` at its last digit, whatever it is glued to.
    pub fn push(&mut self, unit: u8) {
        self.text.push(char::from(unit));
        if self.guid.ends_with(unit) {
            self.cut(self.text.len().saturating_sub(guid::LENGTH));
            self.text.push_str(ID);
            self.guid = Guid::default();
        }
    }

    /// Something between words. The next one begins behind it.
    pub fn mark(&mut self, unit: u8) {
        self.text.push(char::from(unit));
        self.begin();
    }

    /// A word begins here.
    pub fn begin(&mut self) {
        self.word = self.text.len();
        self.guid = Guid::default();
    }

    /// Says this instead of the word.
    pub fn say(&mut self, instead: &str) {
        self.cut(self.word);
        self.text.push_str(instead);
        self.guid = Guid::default();
    }

    /// Takes back everything from here on.
    pub fn cut(&mut self, from: usize) {
        self.text.truncate(from);
    }

    /// Takes the blanks off the end of the word.
    pub fn trim(&mut self) {
        while self.text.len() > self.word && self.ends_with(b" ") {
            self.text.pop();
        }
    }

    pub fn placeholder(&mut self, trust: Trust) -> Option<&'static str> {
        #[cfg(test)]
        {
            self.steps += self.word().len();
        }
        words::placeholder(self.word(), trust)
    }

    /// Says the placeholder instead of the word if it must not stay; true if it stays.
    pub fn settle(&mut self, trust: Trust) -> bool {
        let placeholder = self.placeholder(trust);
        if let Some(placeholder) = placeholder {
            self.say(placeholder);
        }
        placeholder.is_none()
    }
}
