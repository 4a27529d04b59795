//! Server-sent events by the rules of the HTML standard, for chunks cut anywhere. Events are handed out as soon as their
//! last line ends; a CR is not held back to see whether an LF follows.
//!
//! ```text
//! event: message_start          a name, where the data has none of its own
//! data: {"type":…}              one line or more, joined by line feeds
//! : comment, id: 1, retry: 10   passed over
//!                               an empty line ends the event
//! ```
//! One departure: an event at the very end that lacks its empty line is offered by [`EventStream::flush`], since some
//! servers send their last word so. The caller takes it only if it is all there.

use super::steps;

/// Fields that the standard knows.
const FIELDS: [&[u8]; 4] = [b"data", b"event", b"id", b"retry"];

/// Splits a body into events.
#[derive(Clone, Debug, Default)]
pub(super) struct EventStream {
    /// The line that has not ended.
    line: Vec<u8>,
    /// The last line ended in CR: an LF that follows belongs to it.
    after_cr: bool,
    data: Vec<u8>,
    has_data: bool,
    name: Vec<u8>,
    /// What `data` and `name` hold was handed out.
    handed_out: bool,
    /// A comment, an empty line or a known field was seen, or the beginning of one.
    speaks: bool,
    /// A line was seen that is none of that.
    babbles: bool,
}

impl EventStream {
    /// Reads on to the end of the next event, if it is there.
    pub fn next(&mut self, input: &mut &[u8]) -> bool {
        self.begin();
        loop {
            if self.after_cr && !input.is_empty() {
                self.after_cr = false;
                *input = input.strip_prefix(b"\n").unwrap_or(input);
            }
            let (part, rest) = input.split_at_checked(line_length(input)).unwrap_or_default();
            steps::count(part.len());
            let Some((mark, rest)) = rest.split_first() else {
                self.line.extend_from_slice(part);
                *input = rest;
                return false;
            };
            *input = rest;
            self.after_cr = *mark == b'\r';
            if self.end_line(part) {
                return true;
            }
        }
    }

    /// At the end of the body: the event whose empty line is missing, perhaps cut short.
    pub fn flush(&mut self) -> bool {
        self.begin();
        if !self.line.is_empty() {
            let begun = FIELDS.iter().any(|field| field.starts_with(&self.line));
            self.end_line(b"");
            if begun {
                (self.speaks, self.babbles) = (true, false);
            }
        }
        self.handed_out = self.has_data;
        self.has_data
    }

    /// The last event ended, and nothing was begun since.
    pub fn is_between(&self) -> bool {
        self.line.is_empty() && (self.handed_out || !self.has_data && self.name.is_empty())
    }

    /// The data of the event, its lines joined.
    pub fn data(&self) -> &[u8] {
        &self.data
    }

    /// The name of the event, or nothing.
    pub fn name(&self) -> &[u8] {
        &self.name
    }

    /// Lines came that are no event stream's, and none that are.
    pub fn is_alien(&self) -> bool {
        self.babbles && !self.speaks
    }

    fn begin(&mut self) {
        if std::mem::take(&mut self.handed_out) {
            self.data.clear();
            self.name.clear();
            self.has_data = false;
        }
    }

    /// The line ends with this; whether an event ends with it.
    fn end_line(&mut self, part: &[u8]) -> bool {
        if self.line.is_empty() {
            return self.read_line(part);
        }
        let mut line = std::mem::take(&mut self.line);
        line.extend_from_slice(part);
        let ended = self.read_line(&line);
        line.clear();
        self.line = line;
        ended
    }

    fn read_line(&mut self, line: &[u8]) -> bool {
        steps::count(line.len());
        match line.first() {
            None => return self.end_event(),
            Some(b':') => self.speaks = true,
            Some(_) => self.field(line),
        }
        false
    }

    fn end_event(&mut self) -> bool {
        self.handed_out = true;
        if !self.has_data {
            self.begin();
        }
        self.handed_out
    }

    /// `data: {"a":1}` · `data:x` · `data`
    fn field(&mut self, line: &[u8]) {
        let colon = line.iter().position(|byte| *byte == b':').unwrap_or(line.len());
        let (field, value) = line.split_at_checked(colon).unwrap_or_default();
        let value = value.strip_prefix(b":").unwrap_or(value);
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match field {
            b"data" => {
                if self.has_data {
                    self.data.push(b'\n');
                }
                self.data.extend_from_slice(value);
                self.has_data = true;
            }
            b"event" => {
                self.name.clear();
                self.name.extend_from_slice(value);
            }
            _ => {}
        }
        match FIELDS.contains(&field) {
            true => self.speaks = true,
            false => self.babbles = true,
        }
    }
}

/// Up to the next line end, or to the end.
fn line_length(text: &[u8]) -> usize {
    let mut length = 0;
    for byte in text {
        if matches!(byte, b'\r' | b'\n') {
            break;
        }
        length += 1;
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn events<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> (Vec<String>, Option<String>) {
        let mut stream = EventStream::default();
        let shown = |stream: &EventStream| {
            format!("{}|{}", String::from_utf8_lossy(stream.name()), String::from_utf8_lossy(stream.data()))
        };
        let mut all = Vec::new();
        for mut chunk in chunks {
            while stream.next(&mut chunk) {
                all.push(shown(&stream));
            }
            assert!(chunk.is_empty());
        }
        let last = stream.flush().then(|| shown(&stream));
        (all, last)
    }

    const ENDS: [&str; 3] = ["\n", "\r\n", "\r"];

    #[test]
    fn fields_are_read_by_the_standard_whatever_ends_a_line_and_wherever_it_is_cut() {
        let text = ": hello\nevent: a\ndata: one\n\ndata:two\ndata:  three\ndata\nid: 7\nretry: 10\nunknown: x\n\n\n\
                    event: lost\n\ndata\n\ndata: é\n\ndata: unended";
        let wanted = (["a|one", "|two\n three\n", "|", "|é"].map(str::to_owned).to_vec(), Some("|unended".to_owned()));
        for end in ENDS {
            let text = text.replace('\n', end);
            let bytes = text.as_bytes();
            assert_eq!(events([bytes]), wanted, "{end:?}");
            assert_eq!(events(bytes.chunks(1)), wanted, "{end:?}");
            for at in 0..bytes.len() {
                let (head, tail) = bytes.split_at(at);
                assert_eq!(events([head, b"", tail]), wanted, "{end:?} cut at {at}");
            }
        }
    }

    #[test]
    fn an_event_is_handed_out_with_the_byte_that_ends_it() {
        for end in ENDS {
            let mut stream = EventStream::default();
            let text = format!("data: a{end}{end}");
            let ends_at = text.len() - usize::from(end == "\r\n");
            let (mut before, mut last) = text.as_bytes()[..ends_at].split_at(ends_at - 1);
            assert!(!stream.next(&mut before), "{end:?}");
            assert!(stream.next(&mut last), "{end:?}");
        }
    }

    #[test]
    fn what_is_no_event_stream_is_told_from_one_that_is_silent_or_cut_early() {
        let alien = |text: &str| {
            let mut stream = EventStream::default();
            while stream.next(&mut text.as_bytes()) {}
            stream.flush();
            stream.is_alien()
        };
        for text in ["Internal Server Error", "a\nb\n", "dark"] {
            assert!(alien(text), "{text}");
        }
        for text in ["", "\n", ":", ": keep-alive\n\n", "d", "dat", "data", "data:", "e", "foo: 1\nid: 2\n"] {
            assert!(!alien(text), "{text}");
        }
    }
}
