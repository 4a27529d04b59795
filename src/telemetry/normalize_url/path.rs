//! The path, unit by unit: where segments end, what is a name and what a value in parentheses. What may stand where is
//! [`segments`](super::segments)' business.

use super::Sites;
use super::collections::Next;
use super::draft::Draft;
use super::literal::literal;
use super::said::Said;
use super::segments::Place;
use super::units::{END, ODD, Units};
use super::words::Trust;

/// The parts of one segment, `getbytitle('Tasks')x`.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Name,
    /// Inside the parentheses.
    Value,
    /// Behind them.
    Tail,
    /// The name must not be told, so nothing of the segment is.
    Hidden,
}

/// One path on its way from the address to the template.
pub struct Path<'a> {
    pub units: Units<'a>,
    pub draft: Draft,
    pub sites: Sites,
    pub place: Place,
    pub next: Next,
    /// What is below is files of SharePoint, not the route of a service.
    pub files: bool,
    /// What they are said as.
    pub file: Said,
    /// How many segments stand in `Place::Folders`, and where in the draft they begin.
    pub folders: u32,
    pub below: usize,
    part: Part,
    /// A plain word may stay as a value: it is the first one, or has a name.
    plain: bool,
}

impl<'a> Path<'a> {
    pub fn new(url: &'a [u8], sites: Sites) -> Self {
        Self {
            units: Units::of_path(url),
            draft: Draft::new(url.len().min(256)),
            sites,
            place: Place::Start,
            next: Next::Name,
            files: false,
            file: Said::Files,
            folders: 0,
            below: 0,
            part: Part::Name,
            plain: true,
        }
    }

    /// Writes the template of the path.
    pub fn run(&mut self) {
        loop {
            let unit = self.units.next();
            match unit {
                END | b'/' | b'\\' => {
                    if !self.end_segment(unit) {
                        break;
                    }
                }
                _ if self.part == Part::Hidden => {}
                b'(' => self.open(),
                b')' | b',' | b'=' if self.part == Part::Value => {
                    self.plain |= unit == b'=';
                    self.end_value();
                    self.draft.mark(unit);
                    self.plain = unit == b'=';
                    if unit == b')' {
                        self.part = Part::Tail;
                    }
                }
                b' ' if self.part == Part::Value && self.draft.is_empty() => {}
                b'\'' if self.value_begins() => {
                    let said = literal(&mut self.units, b"),/");
                    self.draft.say(said);
                }
                b':' if self.drive_path() => {}
                _ => self.draft.push(unit),
            }
        }
        self.end();
    }

    fn open(&mut self) {
        let stays = self.part != Part::Name || self.name(b'(');
        if !stays {
            self.part = Part::Hidden;
            return;
        }
        self.end_value();
        self.draft.mark(b'(');
        self.part = Part::Value;
        self.plain = true;
    }

    /// A quote is one only where a value begins. Elsewhere it is an apostrophe.
    fn value_begins(&self) -> bool {
        match self.part {
            Part::Value => self.draft.may_be_quoted(),
            _ => self.draft.ends_with(b"=") || self.draft.ends_with(b","),
        }
    }

    /// `(7)`, `(principalid=11)`, `(@alias)`, `(force=true)`
    fn end_value(&mut self) {
        if self.part == Part::Name {
            return;
        }
        self.draft.trim();
        let stays = self.draft.settle(Trust::Name) || self.draft.is_empty();
        // What stands behind a comma without a name may be the rest of a title whose apostrophe nobody escaped.
        if stays && self.part == Part::Value && !self.plain && !matches!(self.draft.first(), b'@' | b'{' | END) {
            self.draft.say(Said::Text);
        }
    }

    /// At a slash or at the end. True if the path goes on.
    fn end_segment(&mut self, unit: u8) -> bool {
        if self.part == Part::Name {
            self.name(b'/');
        } else if self.part == Part::Value && unit != END && self.draft.first() != b'{' {
            // A slash in a value without quotes: where it ends nobody knows.
            self.draft.say(Said::Text);
            return false;
        } else if self.part != Part::Hidden {
            self.end_value();
        }
        if unit == END {
            return false;
        }
        // Two slashes would make a host of what follows.
        if !self.draft.ends_with(b"/") {
            self.draft.mark(b'/');
        }
        self.part = Part::Name;
        if self.place == Place::Rest && self.units.peek() != END {
            self.draft.say(Said::Files);
        }
        self.place != Place::Rest
    }

    /// `root:/Documents/report.docx:/content`, at the first colon. True if it is such a path, which is read then.
    fn drive_path(&mut self) -> bool {
        let in_drive = !self.files || matches!(self.place, Place::Api | Place::Graph);
        let named = self.part == Part::Name && !matches!(self.draft.first(), END | b':' | b'.');
        if !in_drive || !named || !matches!(self.units.peek(), b'/' | b'\\' | ODD) {
            return false;
        }
        self.name(b':');
        self.units.next();
        self.draft.mark(b':');
        self.draft.mark(b'/');
        self.draft.say(Said::Files);
        self.part = Part::Hidden;
        loop {
            let unit = self.units.next();
            if unit == END {
                break;
            }
            if unit == b':' && matches!(self.units.peek(), END | b'/' | b'\\') {
                self.draft.mark(b':');
                self.place = Place::Graph;
                self.next = Next::Name;
                break;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::is;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn values_in_parentheses_are_replaced_and_constants_stay() {
        is(
            "/_api/web/GetFolder(path=@p, depth=2,deep=true)/files",
            "/_api/web/GetFolder(path=@p,depth={n},deep=true)/files",
        );
        is("/_api/x(%205%20)/y(-1)/z(2024-06-01)", "/_api/x({n})/y({n})/z({date})");
        is("/_api/lists%28guid%2799a1e20b-fa97-4128-b2af-51f144d7658b%27%29", "/_api/lists({id})");
        is("/_api/lists(%7B99a1e20b-fa97-4128-b2af-51f144d7658b%7D)", "/_api/lists({id})");
        is("/_api/user(jane@contoso.com)/x(Jane Doe)", "/_api/user({upn})/x({s})");
    }

    #[test]
    fn a_title_that_nobody_escaped_is_not_told() {
        is("/_api/getbytitle('Smiths', Jones, Bob')/items", "/_api/getbytitle({s},{s},{s})/items");
        is("/_api/getbytitle('Jane's plan')x/items", "/_api/getbytitle({s})x/items");
        is("/_api/getbytitle('Secret/plan", "/_api/getbytitle({s}");
        is("/_api/getfile(/sites/hr/Secret.docx)/$value", "/_api/getfile({s}");
        is("/_api/x='Secret/plan'/y", "/_api/{s}/y");
    }

    #[test]
    fn nothing_is_told_of_a_segment_whose_name_is_not() {
        is("/_api/Jane%20Doe(Secret)/x", "/_api/{s}/x");
    }

    #[test]
    fn apostrophes_outside_of_values_open_nothing() {
        is("/v1.0/me/drive/root:/HR/Jane's.docx:/content", "/v1.0/me/drive/root:/{path}:/content");
        is("/_api/Jane's/x", "/_api/{s}/x");
    }

    #[test]
    fn drive_paths_end_at_the_next_colon_however_they_are_escaped() {
        is("/v1.0/me/drive/root%3A/HR/a.docx%3A/content", "/v1.0/me/drive/root:/{path}:/content");
        is("/v1.0/me/drive/root:%2FHR%2Fa.docx:/content", "/v1.0/me/drive/root:/{path}:/content");
        is("/v1.0/drives/b!x/items/01A:/a.docx", "/v1.0/drives/{id}/items/{id}:/{path}");
        is("https://contoso.sharepoint.com/Secret:/x:/y", "/{path}");
        is("https://x.de/proxy/https://contoso.com/jane", "/proxy/https:/{path}");
    }

    #[test]
    fn slashes_of_any_kind_and_number_are_one() {
        is("\\\\host\\sites//hr\\_api/web/", "/sites/{site}/_api/web/");
        is("https://x.de//personal/jane", "/personal/{user}");
    }
}
