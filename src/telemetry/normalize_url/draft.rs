//! What has been written of the template so far. A word is written as it is read, and replaced if it turns out that it
//! must not stay: that way nothing is copied twice, and there is one buffer.

use super::guid::{self, Guid};
use super::literal::PREFIXES;
use super::said::{Said, is_said};
use super::units::END;
use super::words::{self, Trust, is_one_of};

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

    /// The first byte of the word, or the end.
    pub fn first(&self) -> u8 {
        self.word().first().copied().unwrap_or(END)
    }

    pub fn is_empty(&self) -> bool {
        self.text.len() == self.word
    }

    pub fn is_one_of(&self, list: &str) -> bool {
        is_one_of(self.word(), list)
    }

    /// A quote now would begin a literal.
    pub fn may_be_quoted(&self) -> bool {
        self.is_empty() || self.is_one_of(PREFIXES)
    }

    pub fn is(&self, said: Said) -> bool {
        self.word() == said.text().as_bytes()
    }

    pub fn is_said(&self) -> bool {
        is_said(self.word())
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
        self.text.push(char::from(unit & 0x7f));
        if self.guid.ends_with(unit) {
            self.cut(self.text.len().saturating_sub(guid::LENGTH));
            self.text.push_str(Said::Id.text());
            self.guid = Guid::default();
        }
    }

    /// Something between words. The next one begins behind it.
    pub fn mark(&mut self, unit: u8) {
        self.text.push(char::from(unit & 0x7f));
        self.begin();
    }

    /// A word begins here.
    pub fn begin(&mut self) {
        self.word = self.text.len();
        self.guid = Guid::default();
    }

    /// Says this instead of the word.
    pub fn say(&mut self, said: Said) {
        self.write(said.text());
    }

    /// Writes this instead of the word.
    pub fn write(&mut self, instead: &str) {
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

    /// What is to be said instead of the word.
    pub fn said(&mut self, trust: Trust) -> Said {
        #[cfg(test)]
        if !self.is_said() {
            self.steps += self.word().len();
        }
        words::said_of(self.word(), trust)
    }

    /// Replaces the word if it must not stay; true if it stays.
    pub fn settle(&mut self, trust: Trust) -> bool {
        let said = self.said(trust);
        if said != Said::Word {
            self.say(said);
        }
        said == Said::Word
    }
}
