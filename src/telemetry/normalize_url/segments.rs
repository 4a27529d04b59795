//! Where one is in a path decides what the next segment may be.

use super::Sites;
use super::collections::Next;
use super::path::Path;
use super::words::{ID, TEXT, Trust, USER, is_one_of};

/// What stands before a segment.
#[derive(Clone, Copy, PartialEq)]
pub enum Place {
    /// Nothing that says anything.
    Start,
    /// The `:w:` of a sharing link: a letter says what follows.
    Shared,
    /// `sites`, `teams`
    Site,
    /// `personal`
    User,
    /// Sub-webs if `_api` is still to come; else files of SharePoint, or the route of any other service.
    Folders,
    /// `_api`, `_layouts`, `_vti_bin`: types and methods follow.
    Api,
    /// `v1.0`, `beta`, `_api/v2.0`: collections and ids follow by turns.
    Graph,
    /// Something behind which nothing is told any more.
    Rest,
}

const SITE: &str = "{site}";
const WEB: &str = "{web}";
const MARKERS: [&str; 3] = ["_api", "_layouts", "_vti_bin"];
/// Services of `_vti_bin` that take the path of a file, or the name of a list, as segments.
const FILE_SERVICES: &str = "excelrest.aspx listdata.svc";
const VERSIONS: &str = "v1.0 beta v2.0 v2.1";

impl Path<'_, '_> {
    /// The name of a segment is complete, because this unit follows. False if it must not be told.
    pub fn name(&mut self, by: u8) -> bool {
        match self.draft.word() {
            [] => return true,
            b"." => {
                self.draft.say("");
                return true;
            }
            b".." => {
                if self.place != Place::Start {
                    self.place = Place::Rest;
                }
                return true;
            }
            _ => {}
        }
        if self.place == Place::Start {
            self.place = first(self.draft.word());
            if self.place != Place::Folders {
                return true;
            }
        }
        match self.place {
            Place::Shared => self.shared(),
            Place::Site => {
                self.place = Place::Folders;
                self.files = true;
                let stays = self.sites == Sites::Keep && self.draft.settle(Trust::Method);
                if !stays {
                    self.draft.say(SITE);
                }
                true
            }
            Place::User => {
                self.place = Place::Folders;
                self.files = true;
                self.draft.say(USER);
                true
            }
            Place::Folders => self.folder(by),
            Place::Api => self.method(),
            _ => self.member(by),
        }
    }

    /// `:w:/r/sites/…` has the address of a file behind it, `:w:/s/site/…` the id of a link.
    fn shared(&mut self) -> bool {
        let kind = self.draft.word();
        if kind != b"r" {
            self.file = ID;
        }
        self.place = match kind {
            b"s" | b"t" => Place::Site,
            b"p" => Place::User,
            _ => Place::Start,
        };
        self.files = true;
        matches!(kind, [b'a'..=b'z']) || self.draft.settle(Trust::Name)
    }

    fn folder(&mut self, by: u8) -> bool {
        let word = self.draft.word();
        if by == b'/'
            && let Some(marker) = MARKERS.iter().find(|marker| word.eq_ignore_ascii_case(marker.as_bytes()))
        {
            // Now it turns out that what stood before were webs.
            if self.sites == Sites::Hide && self.folders > 0 {
                self.draft.cut(self.below);
                for _ in 0..self.folders {
                    self.draft.begin();
                    self.draft.say(WEB);
                    self.draft.mark(b'/');
                }
            }
            self.draft.say(marker);
            self.place = Place::Api;
            return true;
        }
        if !self.files && is_one_of(word, VERSIONS) {
            self.place = Place::Graph;
            self.next = Next::Name;
            return true;
        }
        if self.folders == 0 {
            self.below = self.draft.start();
        }
        self.folders += 1;
        let dotted = word.contains(&b'.');
        let stays = self.member(by);
        if self.folders == 1 {
            // No service begins with `Shared%20Documents`: SharePoint does.
            if !stays && !dotted && self.draft.word() == TEXT.as_bytes() {
                self.draft.say(WEB);
            }
            self.files |= self.draft.word() == WEB.as_bytes();
        }
        stays
    }

    fn method(&mut self) -> bool {
        let word = self.draft.word();
        if is_one_of(word, VERSIONS) {
            self.place = Place::Graph;
            self.next = Next::Name;
            return true;
        }
        if is_one_of(word, FILE_SERVICES) {
            self.place = Place::Rest;
            return true;
        }
        // The 15 of `_layouts/15` is a version.
        let version = word.len() == 2 && self.draft.follows(b"_layouts/");
        version || self.draft.settle(Trust::Method)
    }

    /// The path has ended: files that no `_api` made webs of are one placeholder.
    pub fn end(&mut self) {
        if self.files && self.place == Place::Folders && self.folders > 0 {
            self.draft.cut(self.below);
            self.draft.begin();
            self.draft.say(self.file);
        }
    }
}

fn first(word: &[u8]) -> Place {
    match word {
        [b':', b'a'..=b'z', b':'] => Place::Shared,
        _ if is_one_of(word, "sites teams") => Place::Site,
        _ if is_one_of(word, "personal") => Place::User,
        _ => Place::Folders,
    }
}
