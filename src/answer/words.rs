//! A body that is neither JSON nor events: plain text of the user's own server, an error in words, a page. Plain text is
//! handed out as it comes, an unfinished character held back. The rest is kept, and looked at when it has ended.

use super::json;
use super::text::unfinished;

/// Of a page or an error in words, this much is kept.
const KEPT_OF_A_PAGE: usize = 4_096;

/// What becomes of the words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// They are the answer.
    Text,
    /// They may be JSON that stands alone, such as `"Hello"`, or are the caller's to read.
    Whole,
    /// A page, or the body of an error: only its beginning is of interest.
    Page,
}

/// Takes words.
#[derive(Clone, Debug)]
pub(super) struct Words {
    /// What becomes of them.
    pub purpose: Use,
    kept: Vec<u8>,
}

impl Words {
    /// Nothing yet.
    pub fn new(purpose: Use) -> Self {
        Words { purpose, kept: Vec::new() }
    }

    /// Takes a chunk; gives what of it is text to hand out now.
    pub fn next(&mut self, chunk: &[u8]) -> Vec<u8> {
        let room = match self.purpose {
            Use::Page => KEPT_OF_A_PAGE.saturating_sub(self.kept.len()).min(chunk.len()),
            Use::Text | Use::Whole => chunk.len(),
        };
        self.kept.extend_from_slice(chunk.get(..room).unwrap_or_default());
        if self.purpose != Use::Text {
            return Vec::new();
        }
        let held_back = self.kept.split_off(self.kept.len() - unfinished(&self.kept));
        std::mem::replace(&mut self.kept, held_back)
    }

    /// Nothing more need be read.
    pub fn is_full(&self) -> bool {
        self.purpose == Use::Page && self.kept.len() >= KEPT_OF_A_PAGE
    }

    /// What was kept.
    pub fn kept(&self) -> &[u8] {
        &self.kept
    }

    /// What was kept is JSON.
    pub fn are_json(&self) -> bool {
        json::first(&self.kept).is_some_and(|(_, rest)| rest.is_empty())
    }
}
