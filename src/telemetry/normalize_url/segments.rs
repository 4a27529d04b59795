//! Where one is in a path decides what the next segment may be.

use super::Sites;
use super::collections::Next;
use super::path::Path;
use super::said::Said;
use super::units::END;
use super::words::{Trust, is_one_of};

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

/// SharePoint's own folders, which end the address of a web.
const MARKERS: [&str; 3] = ["_api", "_layouts", "_vti_bin"];
/// Services of `_vti_bin` that take the path of a file, or the name of a list, as segments.
const FILE_SERVICES: &str = "excelrest.aspx listdata.svc";
const VERSIONS: &str = "v1.0 beta v2.0 v2.1";

impl Path<'_> {
    /// The name of a segment is complete, because this unit follows. False if it must not be told.
    pub fn name(&mut self, by: u8) -> bool {
        let word = self.draft.word();
        if word == b"." {
            self.draft.write("");
        } else if word == b".." && self.place != Place::Start {
            self.place = Place::Rest;
        }
        if matches!(self.draft.word(), b"" | b"..") {
            return true;
        }
        if self.place == Place::Start {
            self.place = first(self.draft.word());
            if self.place != Place::Folders {
                return true;
            }
        }
        match self.place {
            Place::Shared => self.shared(),
            Place::Site | Place::User => {
                let stays = self.place == Place::Site && self.sites == Sites::Keep && self.draft.settle(Trust::Method);
                if !stays {
                    self.draft.say(if self.place == Place::Site { Said::Site } else { Said::User });
                }
                self.place = Place::Folders;
                self.files = true;
                true
            }
            Place::Folders => self.folder(by),
            Place::Api => self.method(),
            _ => self.member(by),
        }
    }

    /// `:w:/r/sites/…` has the address of a file behind it, `:w:/s/site/…` the id of a link.
    fn shared(&mut self) -> bool {
        let letter = self.draft.word().len() == 1;
        let kind = if letter { self.draft.first() } else { END };
        if kind != b'r' {
            self.file = Said::Id;
        }
        self.place = match kind {
            b's' | b't' => Place::Site,
            b'p' => Place::User,
            _ => Place::Start,
        };
        self.files = true;
        kind.is_ascii_lowercase() || self.draft.settle(Trust::Name)
    }

    fn folder(&mut self, by: u8) -> bool {
        let word = self.draft.word();
        if by == b'/'
            && let Some(marker) = MARKERS.iter().find(|marker| is_one_of(word, marker))
        {
            // Now it turns out that what stood before were webs.
            if self.sites == Sites::Hide && self.folders > 0 {
                self.draft.cut(self.below);
                for _ in 0..self.folders {
                    self.draft.begin();
                    self.draft.say(Said::Web);
                    self.draft.mark(b'/');
                }
            }
            self.draft.write(marker);
            self.place = Place::Api;
            return true;
        }
        if !self.files && self.enter_graph() {
            return true;
        }
        if self.folders == 0 {
            self.below = self.draft.start();
        }
        self.folders += 1;
        let dotted = self.draft.word().contains(&b'.');
        let stays = self.member(by);
        if self.folders == 1 {
            // No service begins with `Shared%20Documents`: SharePoint does.
            if !stays && !dotted && self.draft.word() == Said::Text.text().as_bytes() {
                self.draft.say(Said::Web);
            }
            self.files |= self.draft.word() == Said::Web.text().as_bytes();
        }
        stays
    }

    fn method(&mut self) -> bool {
        if self.enter_graph() {
            return true;
        }
        if self.draft.is_one_of(FILE_SERVICES) {
            self.place = Place::Rest;
            return true;
        }
        // The 15 of `_layouts/15` is a version.
        let version = self.draft.word().len() == 2 && self.draft.follows(b"_layouts/");
        version || self.draft.settle(Trust::Method)
    }

    fn enter_graph(&mut self) -> bool {
        let enters = self.draft.is_one_of(VERSIONS);
        if enters {
            self.place = Place::Graph;
            self.next = Next::Name;
        }
        enters
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
