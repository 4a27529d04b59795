//! A body that is JSON, cut into its documents as they arrive: one alone, one a line, several run together, or the items
//! of one long array (Gemini without `alt=sse`). Brackets and quotes are counted, nothing more; whether a document is
//! well-formed is seen when it is read.

use super::json::is_blank;
use super::steps;

/// What [`Documents::next`] came to.
#[derive(Debug, PartialEq)]
pub(super) enum Step {
    /// A document is all there.
    Document,
    /// The input is used up.
    Hungry,
    /// Something stands where only white space, a comma or a bracket may.
    Malformed,
}

/// Where in an array of documents the reading is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum List {
    /// The body is no array, or an array that is to stay whole.
    None,
    /// `[`
    Before,
    /// `,`
    Between,
    /// Behind an item.
    Behind,
    /// `]`
    Closed,
}

/// Splits a body into documents.
#[derive(Clone, Debug)]
pub(super) struct Documents {
    list: List,
    document: Vec<u8>,
    /// The document was handed out.
    handed_out: bool,
    depth: u32,
    /// Inside a string; whether a backslash came just before.
    string: bool,
    escaped: bool,
    /// A number or a word, ended by what follows it.
    bare: bool,
}

impl Documents {
    /// Of a body that begins with `[`, the items are documents if `as_items`; the bracket itself is not passed in then.
    pub fn new(as_items: bool) -> Self {
        let list = if as_items { List::Before } else { List::None };
        Documents {
            list,
            document: Vec::new(),
            handed_out: false,
            depth: 0,
            string: false,
            escaped: false,
            bare: false,
        }
    }

    /// The items of an array are documents here.
    pub fn is_list(&self) -> bool {
        self.list != List::None
    }

    /// Nothing is missing at the end: no document is half there, and an array is closed.
    pub fn is_whole(&self) -> bool {
        (self.handed_out || self.document.is_empty()) && matches!(self.list, List::None | List::Closed)
    }

    /// The document that was found.
    pub fn document(&self) -> &[u8] {
        &self.document
    }

    /// Reads on to the end of the next document, if it is there.
    pub fn next(&mut self, input: &mut &[u8]) -> Step {
        if std::mem::take(&mut self.handed_out) {
            self.document.clear();
            self.bare = false;
        }
        while self.document.is_empty() {
            let Some((byte, rest)) = input.split_first() else { return Step::Hungry };
            self.list = match (self.list, byte) {
                (list, byte) if is_blank(*byte) => list,
                (List::Behind, b',') => List::Between,
                (List::Before | List::Behind, b']') => List::Closed,
                (List::Behind | List::Closed, _) => return Step::Malformed,
                (list, _) => {
                    self.list = list;
                    break;
                }
            };
            *input = rest;
        }
        let (mut used, mut ended) = (0, false);
        for byte in input.iter() {
            if self.bare && self.depth == 0 && (is_blank(*byte) || matches!(byte, b',' | b']' | b'}')) {
                ended = true;
                break;
            }
            used += 1;
            if self.ends_with(*byte) {
                ended = true;
                break;
            }
        }
        steps::count(used);
        let (part, rest) = input.split_at_checked(used).unwrap_or_default();
        self.document.extend_from_slice(part);
        *input = rest;
        if !ended {
            return Step::Hungry;
        }
        self.handed_out = true;
        if self.list != List::None {
            self.list = List::Behind;
        }
        Step::Document
    }

    /// Counts a byte of a document; whether it is the last one.
    fn ends_with(&mut self, byte: u8) -> bool {
        match byte {
            _ if self.escaped => self.escaped = false,
            b'\\' if self.string => self.escaped = true,
            b'"' => {
                self.string = !self.string;
                return !self.string && self.depth == 0;
            }
            _ if self.string => {}
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => {
                self.depth = self.depth.saturating_sub(1);
                return self.depth == 0;
            }
            _ => self.bare = self.bare || self.depth == 0,
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    /// The documents, each with a `;` behind it; `!` where the reading stopped, `~` if something is missing.
    fn split<'a>(as_items: bool, chunks: impl IntoIterator<Item = &'a [u8]>) -> String {
        let mut documents = Documents::new(as_items);
        let mut all = String::new();
        for mut chunk in chunks {
            loop {
                match documents.next(&mut chunk) {
                    Step::Document => all = all + &String::from_utf8_lossy(documents.document()) + ";",
                    Step::Hungry => break,
                    Step::Malformed => return all + "!",
                }
            }
            assert!(chunk.is_empty());
        }
        if documents.is_whole() { all } else { all + "~" }
    }

    #[test]
    fn a_body_is_cut_into_its_documents_wherever_the_chunks_are_cut() {
        for (as_items, text, wanted) in [
            (false, "", ""),
            (false, " {\"a\":[1,{}]} \r\n", "{\"a\":[1,{}]};"),
            (false, "{}\n{\"a\":\"}\\\"{\\\\\"}\n", "{};{\"a\":\"}\\\"{\\\\\"};"),
            (false, "{}{}[{},1]\"a\"", "{};{};[{},1];\"a\";"),
            (false, "{\"a\"", "~"),
            (false, "{} {", "{};~"),
            (false, "{} x y", "{};x;~"),
            (true, " {\"a\":1}\n,\n{} ] \n", "{\"a\":1};{};"),
            (true, "]", ""),
            (true, "{},[1],\"x\",12 ,null]", "{};[1];\"x\";12;null;"),
            (true, "{}", "{};~"),
            (true, "{},", "{};~"),
            (true, "{},{", "{};~"),
            (true, "{}{}]", "{};!"),
            (true, "{}] x", "{};!"),
            (true, "{}]]", "{};!"),
            (true, "", "~"),
        ] {
            let bytes = text.as_bytes();
            assert_eq!(split(as_items, [bytes]), wanted, "{text}");
            assert_eq!(split(as_items, bytes.chunks(1)), wanted, "{text}");
            for at in 0..bytes.len() {
                let (head, tail) = bytes.split_at(at);
                assert_eq!(split(as_items, [head, tail]), wanted, "{text} cut at {at}");
            }
        }
    }

    #[test]
    fn an_item_is_handed_out_with_the_byte_that_ends_it() {
        let mut documents = Documents::new(true);
        assert_eq!(documents.next(&mut &b"{\"a\":1"[..]), Step::Hungry);
        assert_eq!(documents.next(&mut &b"}"[..]), Step::Document);
    }
}
