//! The path, unit by unit: where segments end, what is a name and what a value in parentheses. What may stand where is
//! [`segments`](super::segments)' business.

use super::Sites;
use super::collections::Next;
use super::draft::Draft;
use super::literal::{PREFIXES, literal};
use super::segments::Place;
use super::units::{ODD, Units};
use super::words::{TEXT, Trust, is_one_of};

/// Said instead of everything below a folder, or in a drive.
pub const FILES: &str = "{path}";

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
pub struct Path<'a, 'b> {
    pub units: &'b mut Units<'a>,
    pub draft: &'b mut Draft,
    pub sites: Sites,
    pub place: Place,
    pub next: Next,
    /// What is below is files of SharePoint, not the route of a service.
    pub files: bool,
    /// What they are said as.
    pub file: &'static str,
    /// How many segments stand in `Place::Folders`, and where in the draft they begin.
    pub folders: u32,
    pub below: usize,
    part: Part,
    /// Values before this one in the parentheses, and whether this one has a name.
    values: u32,
    named: bool,
}

impl<'a, 'b> Path<'a, 'b> {
    /// `files`: the host is one of SharePoint's.
    pub fn new(units: &'b mut Units<'a>, draft: &'b mut Draft, sites: Sites, files: bool) -> Self {
        Self {
            units,
            draft,
            sites,
            place: Place::Start,
            next: Next::Name,
            files,
            file: FILES,
            folders: 0,
            below: 0,
            part: Part::Name,
            values: 0,
            named: false,
        }
    }

    /// Writes the template of the path.
    pub fn run(mut self) {
        loop {
            let unit = self.units.next();
            match (unit, self.part) {
                (None | Some(b'/' | b'\\'), _) => {
                    if !self.end_segment(unit) {
                        break;
                    }
                }
                (_, Part::Hidden) => {}
                (Some(b'('), part) => {
                    if part == Part::Name && !self.name(b'(') {
                        self.part = Part::Hidden;
                        continue;
                    }
                    if part != Part::Name {
                        self.draft.settle(Trust::Name);
                    }
                    self.draft.mark(b'(');
                    self.part = Part::Value;
                    self.values = 0;
                    self.named = false;
                }
                (Some(unit @ (b')' | b',')), Part::Value) => {
                    self.end_value();
                    self.draft.mark(unit);
                    self.values += 1;
                    self.named = false;
                    if unit == b')' {
                        self.part = Part::Tail;
                    }
                }
                (Some(b'='), Part::Value) if !self.named => {
                    self.draft.settle(Trust::Name);
                    self.draft.mark(b'=');
                    self.named = true;
                }
                (Some(b' '), Part::Value) if self.draft.word().is_empty() => {}
                (Some(b'\''), _) if self.value_begins() => {
                    let said = literal(self.units, b"),/");
                    self.draft.say(said);
                }
                (Some(b':'), Part::Name) if self.drive_path() => {}
                (Some(unit), _) => self.draft.push(unit),
            }
        }
        self.end();
    }

    /// A quote is one only where a value begins. Elsewhere it is an apostrophe.
    fn value_begins(&self) -> bool {
        let word = self.draft.word();
        match self.part {
            Part::Value => word.is_empty() || is_one_of(word, PREFIXES),
            _ => matches!(word, [.., b'=' | b',']),
        }
    }

    /// `(7)`, `(principalid=11)`, `(@alias)`, `(force=true)`
    fn end_value(&mut self) {
        self.draft.trim();
        // What stands behind a comma without a name may be the rest of a title whose apostrophe nobody escaped.
        if self.draft.settle(Trust::Name) && self.values > 0 && !self.named {
            let word = self.draft.word();
            if !matches!(word, [] | [b'@' | b'{', ..]) && !is_one_of(word, "true false null") {
                self.draft.say(TEXT);
            }
        }
    }

    /// At a slash or at the end. True if the path goes on.
    fn end_segment(&mut self, unit: Option<u8>) -> bool {
        match self.part {
            Part::Name => {
                self.name(b'/');
            }
            // A slash in a value without quotes: where it ends nobody knows.
            Part::Value if unit.is_some() && !matches!(self.draft.word(), [b'{', ..]) => {
                self.draft.say(TEXT);
                return false;
            }
            Part::Value => self.end_value(),
            Part::Tail => {
                self.draft.settle(Trust::Name);
            }
            Part::Hidden => {}
        }
        if unit.is_none() {
            return false;
        }
        // Two slashes would make a host of what follows.
        if !self.draft.ends_with(b"/") {
            self.draft.mark(b'/');
        }
        self.part = Part::Name;
        if self.place == Place::Rest && self.units.peek().is_some() {
            self.draft.say(FILES);
        }
        self.place != Place::Rest
    }

    /// `root:/Documents/report.docx:/content`, at the first colon. True if it is such a path, which is read then.
    fn drive_path(&mut self) -> bool {
        let named = !matches!(self.draft.word(), [] | [b':' | b'.', ..]);
        let in_drive = !self.files || matches!(self.place, Place::Api | Place::Graph);
        if !named || !in_drive || !matches!(self.units.peek(), Some(b'/' | b'\\' | ODD)) {
            return false;
        }
        self.name(b':');
        self.units.next();
        self.draft.mark(b':');
        self.draft.mark(b'/');
        self.draft.say(FILES);
        self.part = Part::Hidden;
        while let Some(unit) = self.units.next() {
            let ends = unit == b':' && matches!(self.units.peek(), None | Some(b'/' | b'\\'));
            if ends {
                self.draft.mark(b':');
                self.place = Place::Graph;
                self.next = Next::Name;
                break;
            }
        }
        true
    }
}
