//! What happens to each document and event on its way into the [`Draft`]: the end mark is taken out, several documents on
//! one line are taken apart, what is broken is noticed, and the caller's own `read` is asked first, if there is one.

use std::collections::VecDeque;

use super::draft::Draft;
use super::fault::{self, Http};
use super::finish;
use super::json::{self, Document};
use super::provider::{self, Provider};

/// OpenAI's mark behind the last event; many copy it. It ends the stream, but does not say how the answer ended.
const END_MARK: &[u8] = b"[DONE]";

/// What the caller's own `read` made of a body or an event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// The text, or the next piece of it.
    pub text: String,
    /// The finish reason, if it is the last piece.
    pub finish_reason: Option<String>,
}

/// Waits for the caller's own `read`.
#[derive(Clone, Debug)]
struct Question {
    body: Vec<u8>,
    event: Vec<u8>,
}

/// The way in.
#[derive(Clone, Debug)]
pub(super) struct Inbox {
    /// What was read.
    pub draft: Draft,
    /// Not well-formed where it must be.
    pub broken: bool,
    /// Something was begun and not ended.
    pub ragged: bool,
    http: Http,
    asks: bool,
    documents: usize,
    /// Events are plain words, so half a bracket may be one, too.
    talks: bool,
    waiting: VecDeque<Question>,
    asked: Option<Question>,
}

impl Inbox {
    /// `asks`: the caller has a `read` of its own.
    pub fn new(http: Http, asks: bool) -> Self {
        Inbox {
            draft: Draft::default(),
            broken: false,
            ragged: false,
            http,
            asks,
            documents: 0,
            talks: false,
            waiting: VecDeque::new(),
            asked: None,
        }
    }

    /// Nothing that follows counts.
    pub fn is_closed(&self) -> bool {
        self.draft.closed || self.broken
    }

    /// The data of an event. One that was not ended counts only if it is all there: half an event is none.
    pub fn event(&mut self, data: &[u8], event: &[u8], ended: bool) {
        let trimmed = data.trim_ascii();
        if self.is_closed() || trimmed.is_empty() && !self.talks {
            return;
        }
        let bracketed = matches!(trimmed, [b'{' | b'[', ..]);
        let first = if bracketed || trimmed.starts_with(b"\"") { Document::first(trimmed) } else { None };
        let first = first.filter(|document| {
            json::all_well_formed(document.behind) && (!self.talks || provider::is_error(document, event, self.http))
        });
        if trimmed == END_MARK {
            self.draft.closed = true;
        } else if first.is_some() {
            let mut next = first;
            while let Some(document) = next.filter(|_| !self.is_closed()) {
                self.take(&document, event);
                next = Document::first(document.behind);
            }
        } else if !ended {
            self.ragged = true;
        } else if provider::is_error_event(event) {
            self.draft.fail(fault::in_words(data, self.http));
        } else if bracketed && !self.talks {
            // Behind the finish reason nothing can be lost by it.
            self.broken = self.draft.verdict.is_none();
        } else {
            self.talks = true;
            self.words(data, event);
        }
    }

    /// A document of a body that is JSON. A second one makes it a stream, unless the first was an answer of its own.
    pub fn document(&mut self, text: &[u8]) {
        self.documents += 1;
        match Document::only(text).filter(|_| self.documents == 1 || !self.holds_an_answer()) {
            None => self.broken = true,
            Some(document) => {
                self.draft.streams |= self.documents > 1;
                self.take(&document, b"");
            }
        }
    }

    /// The beginning of a document that never ended. Behind one that was no answer of its own it shows a stream cut off.
    pub fn fragment(&mut self, text: &[u8]) {
        self.draft.streams |= self.documents > 0 && text.starts_with(b"{") && !self.holds_an_answer();
    }

    /// Words that are no JSON: a body of its own, or an event.
    pub fn words(&mut self, words: &[u8], event: &[u8]) {
        if self.asks {
            self.waiting.push_back(Question { body: words.to_vec(), event: event.to_vec() });
        } else if self.draft.provider == Provider::Unknown {
            self.draft.begun = true;
            self.draft.has_text = true;
            self.draft.text.push_bytes(words);
        }
    }

    fn holds_an_answer(&self) -> bool {
        !self.draft.streams && !matches!(self.draft.provider, Provider::Unknown | Provider::Custom)
    }

    fn take(&mut self, document: &Document<'_>, event: &[u8]) {
        if self.asks && !provider::is_error(document, event, self.http) {
            self.waiting.push_back(Question { body: document.value.as_written().to_vec(), event: event.to_vec() });
        } else {
            provider::read(&mut self.draft, document, event, self.http);
        }
    }

    /// The next body or event that the caller's `read` is to look at, as it was written.
    pub fn ask(&mut self) -> Option<String> {
        self.tell(None);
        self.asked = self.waiting.pop_front();
        self.asked.as_ref().map(|question| String::from_utf8_lossy(&question.body).into_owned())
    }

    /// What came of it. `None`: not the caller's, so it is read as anybody's.
    pub fn tell(&mut self, told: Option<Told>) {
        let Some(question) = self.asked.take() else { return };
        let Some(told) = told else {
            return match Document::only(&question.body) {
                Some(document) => provider::read(&mut self.draft, &document, &question.event, self.http),
                None => {
                    let asks = std::mem::replace(&mut self.asks, false);
                    self.words(&question.body, &question.event);
                    self.asks = asks;
                }
            };
        };
        self.draft.begun = true;
        self.draft.recognise(Provider::Custom);
        self.draft.has_text = true;
        self.draft.text.push_bytes(told.text.as_bytes());
        if let Some(reason) = told.finish_reason {
            self.draft.finish_as(finish::verdict(&reason), reason);
        }
    }
}
