//! A body taken apart by its shape, and each part handed to the [`Inbox`].

use super::documents::{Documents, Step};
use super::event_stream::EventStream;
use super::fault::Http;
use super::inbox::Inbox;
use super::shape::{Head, Hint, Shape};
use super::words::{Use, Words};

/// What is known about a body without its bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outside {
    /// Status and headers.
    pub http: Http,
    /// The content type.
    pub hint: Hint,
    /// The caller has a `read` of its own.
    pub custom: bool,
}

/// What the body is taken apart by.
#[derive(Clone, Debug)]
pub(super) enum Parts {
    /// Not known yet.
    Head(Head),
    /// Events.
    Events(EventStream),
    /// JSON.
    Documents(Documents),
    /// Anything else.
    Words(Words),
}

impl Parts {
    /// Takes the next bytes.
    pub fn feed(&mut self, mut input: &[u8], inbox: &mut Inbox, outside: Outside) {
        if let Parts::Head(head) = self {
            let Some(shape) = head.next(&mut input, outside.hint) else { return };
            self.open(shape, inbox, outside);
        }
        self.take_apart(input, inbox);
    }

    /// The body is over: nothing follows what is still open.
    pub fn close(&mut self, inbox: &mut Inbox, outside: Outside) {
        if let Parts::Head(head) = self
            && let Some(shape) = head.last(outside.hint)
        {
            self.open(shape, inbox, outside);
        }
        match self {
            Parts::Head(_) => {}
            Parts::Documents(documents) => {
                if !documents.is_whole() {
                    inbox.fragment(documents.document());
                }
            }
            Parts::Events(events) => {
                let begun = !events.is_between();
                if events.flush() {
                    inbox.event(events.data(), events.name(), false);
                } else {
                    inbox.ragged = begun;
                }
            }
            Parts::Words(words) => match words.purpose {
                Use::Page => {}
                Use::Whole if words.are_json() => inbox.document(words.kept()),
                Use::Whole if outside.hint.json => inbox.broken = true,
                Use::Whole | Use::Text => inbox.words(words.kept(), b""),
            },
        }
    }

    /// The shape is known, and the bytes of the head told it.
    fn open(&mut self, shape: Shape, inbox: &mut Inbox, outside: Outside) {
        let Parts::Head(head) = std::mem::replace(self, Parts::Head(Head::default())) else { return };
        let Outside { http, hint, custom } = outside;
        // The caller's `read` gets an array as the one body that it is.
        let as_items = shape == Shape::List && !custom;
        let purpose = if http.is_error() || shape == Shape::Markup {
            Use::Page
        } else if custom || hint.json || head.bytes().starts_with(b"\"") {
            Use::Whole
        } else {
            Use::Text
        };
        (*self, inbox.draft.streams) = match shape {
            Shape::Events => (Parts::Events(EventStream::default()), true),
            Shape::Documents | Shape::List => (Parts::Documents(Documents::new(as_items)), as_items || hint.lines),
            Shape::Markup | Shape::Words => (Parts::Words(Words::new(purpose)), purpose == Use::Text),
        };
        self.take_apart(head.bytes().get(usize::from(as_items)..).unwrap_or_default(), inbox);
    }

    fn take_apart(&mut self, mut input: &[u8], inbox: &mut Inbox) {
        match self {
            Parts::Head(_) => {}
            Parts::Events(events) => {
                while !inbox.is_closed() && events.next(&mut input) {
                    inbox.event(events.data(), events.name(), true);
                }
            }
            Parts::Documents(documents) => {
                while !inbox.is_closed() {
                    match documents.next(&mut input) {
                        Step::Document => inbox.document(documents.document()),
                        Step::Malformed => inbox.broken = true,
                        Step::Hungry => break,
                    }
                }
            }
            Parts::Words(words) => {
                let text = words.next(input);
                if !text.is_empty() {
                    inbox.words(&text, b"");
                }
            }
        }
    }

    /// Nothing more need be read.
    pub fn is_full(&self) -> bool {
        matches!(self, Parts::Words(words) if words.is_full())
    }

    /// A page, or text that is no event stream.
    pub fn is_alien(&self) -> bool {
        match self {
            Parts::Events(events) => events.is_alien(),
            Parts::Words(words) => words.purpose == Use::Page,
            Parts::Head(_) | Parts::Documents(_) => false,
        }
    }

    /// No document lacks its end.
    pub fn is_whole(&self) -> bool {
        !matches!(self, Parts::Documents(documents) if !documents.is_whole())
    }

    /// An array of documents: only its bracket ends it.
    pub fn is_list(&self) -> bool {
        matches!(self, Parts::Documents(documents) if documents.is_list())
    }

    /// The beginning of a page or of an error in words.
    pub fn words(&self) -> &[u8] {
        if let Parts::Words(words) = self { words.kept() } else { b"" }
    }
}
