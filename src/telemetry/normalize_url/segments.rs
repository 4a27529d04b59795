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
        // An alias is a value. As a segment it is somebody.
        if self.draft.first() == b'@' {
            self.draft.say(Said::Person);
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
            if !stays && !dotted && self.draft.is(Said::Text) {
                self.draft.say(Said::Web);
            }
            self.files |= self.draft.is(Said::Web);
        } else if !self.files && !stays && !dotted && self.draft.is(Said::Text) {
            // What stands behind free text is, as often as not, the rest of a path that somebody chose.
            self.place = Place::Rest;
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

#[cfg(test)]
mod tests {
    use super::super::sample::is;
    use super::super::{Query, Sites, normalize_url};
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn sites_webs_and_users_are_hidden_and_kept_only_if_that_is_wanted() {
        let url = "https://contoso.sharepoint.com/teams/Project2024/sub/_api/web";
        is(url, "/teams/{site}/{web}/_api/web");
        assert_eq!(normalize_url(url, Query::Drop, Sites::Keep), "/teams/Project2024/sub/_api/web");
        let user = "/personal/jane_doe/_api/web";
        is(user, "/personal/{user}/_api/web");
        assert_eq!(normalize_url(user, Query::Drop, Sites::Keep), "/personal/{user}/_api/web");
        assert_eq!(
            normalize_url("/sites/Jane%20Doe/jane@x.de/_api", Query::Drop, Sites::Keep),
            "/sites/{site}/{upn}/_api"
        );
    }

    #[test]
    fn what_stands_before_api_is_a_web_on_any_host() {
        is("http://intranet/hr/payroll/_vti_bin/Lists.asmx", "/{web}/{web}/_vti_bin/Lists.asmx");
        is("../hr/_api/web", "../{web}/_api/web");
        is("_api/web", "_api/web");
    }

    #[test]
    fn files_are_one_placeholder() {
        is("https://contoso.sharepoint.com/sites/hr/Docs/Jane.docx", "/sites/{site}/{path}");
        is("https://contoso.sharepoint.com/SitePages/Jane.aspx", "/{path}");
        is("https://contoso.sharepoint.com/v1.0/Jane/x", "/{path}");
        is("/sites/hr/", "/sites/{site}/");
        is("/Shared%20Documents/HR/Jane.docx", "/{path}");
        is("/_vti_bin/listdata.svc/Secret(5)/Title", "/_vti_bin/listdata.svc/{path}");
    }

    #[test]
    fn sharing_links_tell_neither_site_nor_user_nor_link() {
        const LINK: &str = "EaBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789";
        is(&format!("/:w:/s/hr/{LINK}"), "/:w:/s/{site}/{id}");
        is(&format!("/:b:/g/personal/jane_contoso_com/{LINK}"), "/:b:/g/personal/{user}/{id}");
        is(&format!("/:w:/p/jane/{LINK}"), "/:w:/p/{user}/{id}");
        is(&format!("https://contoso.sharepoint.com/:u:/g/{LINK}"), "/:u:/g/{id}");
        is("/:f:/r/sites/hr/Docs/HR", "/:f:/r/sites/{site}/{path}");
    }

    #[test]
    fn free_text_in_the_route_of_a_service_hides_what_is_behind_it() {
        is("/api/document/Shared%20Documents/HR/Jane.docx", "/api/document/{s}/{path}");
        is("/api/document/Jane.docx/content", "/api/document/{s}/content");
        is("/api/greet/@jane/now", "/api/greet/{upn}/now");
        is("https://x.de/@jane/posts", "/{upn}/posts");
    }

    #[test]
    fn dots_do_not_lead_out_of_what_is_hidden() {
        is("/sites/./hr/_api/web", "/sites/{site}/_api/web");
        is("/_api/../personal/jane/x", "/_api/../{path}");
        is("/sites/hr/%2e%2e/jane", "/sites/{site}/../{path}");
    }

    #[test]
    fn a_number_behind_layouts_is_a_version() {
        is("/sites/hr/_layouts/15/download.aspx", "/sites/{site}/_layouts/15/download.aspx");
        is("/_layouts/15/16/x", "/_layouts/15/{n}/x");
    }
}
