//! What a body looks like, told from its first bytes. The content type is only believed where they leave it open: proxies
//! send JSON as an event stream, and sign-in pages as anything.

use super::json::is_blank;
use crate::ascii;

/// What the content type says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Hint {
    /// Server-sent events.
    pub events: bool,
    /// JSON of any kind.
    pub json: bool,
    /// One JSON document a line, so that a body cut short is a stream cut short.
    pub lines: bool,
    /// HTML.
    pub html: bool,
    /// Text and nothing more.
    pub plain: bool,
}

impl Hint {
    /// `text/event-stream; charset=utf-8` · `application/x-ndjson`
    pub fn of(content_type: &str) -> Self {
        let names = |part| ascii::contains(content_type.as_bytes(), part);
        Hint {
            events: names("event-stream"),
            json: names("json"),
            lines: names("ndjson") || names("jsonl") || names("json-lines") || names("json-seq"),
            html: names("html"),
            plain: names("text/plain") || names("markdown"),
        }
    }
}

/// How a body is to be taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Server-sent events.
    Events,
    /// JSON documents: one, or one after the other.
    Documents,
    /// An array of objects.
    List,
    /// HTML or XML.
    Markup,
    /// Words. A JSON string, number or literal that stands alone looks the same at first.
    Words,
}

/// Collects first bytes until they tell.
#[derive(Clone, Debug, Default)]
pub(super) struct Head(Vec<u8>);

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
/// What an event stream begins with, besides a colon.
const FIELDS: [&[u8]; 4] = [b"data", b"event", b"id", b"retry"];

impl Head {
    /// Takes bytes until the shape is known. White space before the body, and behind its first bracket, is dropped:
    /// some servers send it to keep the connection open.
    pub fn next(&mut self, input: &mut &[u8], hint: Hint) -> Option<Shape> {
        while let Some((byte, rest)) = input.split_first() {
            *input = rest;
            if !(is_blank(*byte) && matches!(self.0.as_slice(), [] | [b'{' | b'['])) {
                self.0.push(*byte);
            }
            if self.0 == BYTE_ORDER_MARK {
                self.0.clear();
            }
            if let Some(shape) = self.shape(hint) {
                return Some(shape);
            }
        }
        None
    }

    /// The bytes taken.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// The shape of a body that ended here.
    pub fn last(&self, hint: Hint) -> Option<Shape> {
        match self.0.as_slice() {
            [b'{', ..] if !hint.plain => Some(Shape::Documents),
            [b'[', ..] if !hint.plain => Some(Shape::List),
            [b'<', ..] if hint.html => Some(Shape::Markup),
            _ if hint.events => Some(Shape::Events),
            [] => None,
            _ => Some(Shape::Words),
        }
    }

    fn shape(&self, hint: Hint) -> Option<Shape> {
        match self.0.as_slice() {
            [] | [b'{' | b'[' | b'<'] => None,
            head if BYTE_ORDER_MARK.starts_with(head) => None,
            [b'{', b'"' | b'}', ..] => Some(Shape::Documents),
            [b'[', b'{', ..] => Some(Shape::List),
            [b'[', b'"' | b'[' | b']' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n', ..] if !hint.plain => {
                Some(Shape::Documents)
            }
            [b'{' | b'[', ..] => Some(if hint.json { Shape::Documents } else { Shape::Words }),
            [b'<', b'!' | b'?', ..] => Some(Shape::Markup),
            [b'<', b'a'..=b'z' | b'A'..=b'Z' | b'/', ..] if !hint.plain => Some(Shape::Markup),
            _ if hint.html => Some(Shape::Markup),
            _ if hint.events => Some(Shape::Events),
            [b':', ..] => Some(Shape::Events),
            head => self.field(head),
        }
    }

    /// A known field that is ended by a colon or the line; `None` while it may become one.
    fn field(&self, head: &[u8]) -> Option<Shape> {
        let is_field = |field: &&[u8]| match head.strip_prefix(*field) {
            Some([end, ..]) => matches!(end, b':' | b'\r' | b'\n'),
            _ => false,
        };
        if FIELDS.iter().any(is_field) {
            return Some(Shape::Events);
        }
        if FIELDS.iter().any(|field| field.starts_with(head)) { None } else { Some(Shape::Words) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn shape(body: &[u8], content_type: &str) -> Option<Shape> {
        let hint = Hint::of(content_type);
        let mut head = Head::default();
        let at_once = head.next(&mut &body[..], hint).or_else(|| head.last(hint));
        let mut head = Head::default();
        let by_bytes = body.iter().find_map(|byte| head.next(&mut &[*byte][..], hint));
        assert_eq!(by_bytes.or_else(|| head.last(hint)), at_once);
        at_once
    }

    #[test]
    fn the_bytes_tell_the_shape_whatever_the_content_type_says() {
        for content_type in ["", "text/event-stream", "application/json", "text/html; charset=utf-8", "nonsense"] {
            for (body, wanted) in [
                ("{\"a\":1}", Shape::Documents),
                ("\n\n  \r\n{}", Shape::Documents),
                ("\u{feff}{\n \"a\":1}", Shape::Documents),
                ("[ {", Shape::List),
                ("<!DOCTYPE html>", Shape::Markup),
                ("<html>", Shape::Markup),
                ("<?xml", Shape::Markup),
            ] {
                assert_eq!(shape(body.as_bytes(), content_type), Some(wanted), "{body} as {content_type}");
            }
        }
        for body in ["data: a", "data\n", "event: a", "id: 1\n", "retry:5", ": hello", "\u{feff}data:x"] {
            assert_eq!(shape(body.as_bytes(), "application/json"), Some(Shape::Events), "{body}");
        }
    }

    #[test]
    fn the_content_type_decides_where_the_bytes_do_not() {
        for (body, content_type, wanted) in [
            ("", "", None),
            ("", "text/event-stream", Some(Shape::Events)),
            ("dat", "text/event-stream", Some(Shape::Events)),
            ("unknown: x\n", "text/event-stream", Some(Shape::Events)),
            ("dat", "", Some(Shape::Words)),
            ("data is", "", Some(Shape::Words)),
            ("Hello", "text/plain", Some(Shape::Words)),
            ("Hello", "text/html", Some(Shape::Markup)),
            ("<think>", "text/plain", Some(Shape::Words)),
            ("[Note]", "text/plain", Some(Shape::Words)),
            ("{name}", "", Some(Shape::Words)),
            ("{name}", "application/json", Some(Shape::Documents)),
            ("\"Hello\"", "application/json", Some(Shape::Words)),
            ("[\"a\"]", "", Some(Shape::Documents)),
            ("{", "application/json", Some(Shape::Documents)),
            ("[", "application/json", Some(Shape::List)),
            ("<", "text/html", Some(Shape::Markup)),
        ] {
            assert_eq!(shape(body.as_bytes(), content_type), wanted, "{body} as {content_type}");
        }
    }
}
