//! The reading of one body: bytes go in as they arrive, text comes out with the bytes that carried it, the result at the
//! end. JSON and streams go the same way, and how the bytes are cut never changes what is read.

use super::fault::{self, Http};
use super::inbox::{Inbox, Told};
use super::outcome::{self, AiResult, Body, End, Outcome};
use super::parts::{Outside, Parts};
use super::shape::{Head, Hint};

/// What is known before the body is read.
#[derive(Clone, Copy, Debug)]
pub struct Hints<'a> {
    /// The status; 0 if there is none.
    pub status: u16,
    /// Decides only what the bytes leave open.
    pub content_type: &'a str,
    /// The wait that a header states.
    pub retry_after_ms: Option<f64>,
    /// The caller has a `read` of its own: [`Reader::ask`] and [`Reader::tell`] are used.
    pub custom: bool,
    /// A longer body is given up.
    pub max_bytes: usize,
}

impl Default for Hints<'_> {
    fn default() -> Self {
        Hints { status: 200, content_type: "", retry_after_ms: None, custom: false, max_bytes: 16 * 1024 * 1024 }
    }
}

/// Reads one body.
#[derive(Clone, Debug)]
pub struct Reader {
    outside: Outside,
    room: usize,
    too_large: bool,
    parts: Parts,
    inbox: Inbox,
    /// So much of the text was taken.
    taken: usize,
    /// Text that was left when the result was drawn up.
    rest: String,
    ended: bool,
}

impl Reader {
    /// For one body.
    pub fn new(hints: Hints<'_>) -> Self {
        let http = Http { status: hints.status, wait_ms: hints.retry_after_ms };
        let hint = Hint::of(hints.content_type);
        let mut inbox = Inbox::new(http, hints.custom);
        inbox.draft.streams = hint.lines || hint.events;
        Reader {
            outside: Outside { http, hint, custom: hints.custom },
            room: hints.max_bytes,
            too_large: false,
            parts: Parts::Head(Head::default()),
            inbox,
            taken: 0,
            rest: String::new(),
            ended: false,
        }
    }

    /// Takes the next bytes. False: nothing that follows counts, so the body may be cancelled.
    pub fn push(&mut self, chunk: &[u8]) -> bool {
        if self.wants_more() {
            let (within, beyond) = chunk.split_at_checked(self.room).unwrap_or((chunk, b""));
            self.room -= within.len();
            self.parts.feed(within, &mut self.inbox, self.outside);
            self.too_large = self.wants_more() && !beyond.is_empty();
        }
        self.wants_more()
    }

    /// The text that came since this was last asked. What came at once, not in pieces, is text only after
    /// [`Reader::finish`], and only if it is no error and no refusal.
    pub fn take_text(&mut self) -> String {
        if !self.inbox.draft.streams || self.outside.http.is_error() {
            return std::mem::take(&mut self.rest);
        }
        let text = self.inbox.draft.text.as_str();
        let new = text.get(self.taken..).unwrap_or_default().to_owned();
        self.taken = text.len();
        new + &std::mem::take(&mut self.rest)
    }

    /// With [`Hints::custom`]: the next body or event for the caller's `read`, as it was written. It may be JSON or not.
    pub fn ask(&mut self) -> Option<String> {
        self.inbox.ask()
    }

    /// What `read` made of it. `None`: not the caller's, so it is read as anybody's.
    pub fn tell(&mut self, told: Option<Told>) {
        self.inbox.tell(told);
    }

    /// The body is over. [`Reader::finish`] does this, too; with [`Hints::custom`] the last questions are asked between
    /// the two.
    pub fn end(&mut self) {
        if !std::mem::replace(&mut self.ended, true) && self.wants_more() {
            self.parts.close(&mut self.inbox, self.outside);
        }
    }

    /// The result. Questions that were not answered count as not the caller's.
    pub fn finish(&mut self, end: End) -> AiResult {
        self.end();
        while self.ask().is_some() {}
        let (http, inbox) = (self.outside.http, &mut self.inbox);
        let (whole, list) = (self.parts.is_whole() && !inbox.ragged, self.parts.is_list());
        if http.is_error() && inbox.draft.fault.is_none() {
            inbox.draft.fail(fault::in_words(self.parts.words(), http));
        }
        // Behind an answer that came at once there is nothing, not even half of something.
        let broken = inbox.broken || !whole && !list && !inbox.draft.streams && inbox.draft.begun;
        inbox.draft.text.close();
        let text = inbox.draft.text.as_str().get(self.taken..).unwrap_or_default().to_owned();
        let alien = self.parts.is_alien();
        let body = Body { http, end, alien, broken, too_large: self.too_large, whole, list };
        let streamed = inbox.draft.streams;
        let result = outcome::conclude(&mut inbox.draft, body);
        let may_be_shown = match result.outcome {
            Outcome::Complete | Outcome::Truncated | Outcome::ToolCalls | Outcome::Unknown => true,
            Outcome::Refused | Outcome::Error | Outcome::IncompleteStream => streamed,
        };
        if may_be_shown && result.text.is_some() {
            self.rest = text;
        }
        result
    }

    fn wants_more(&self) -> bool {
        let useless = self.outside.http.has_no_body() || self.parts.is_full() || self.inbox.is_closed();
        !self.too_large && !useless
    }
}
