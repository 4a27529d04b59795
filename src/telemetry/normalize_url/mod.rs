//! `normalizeUrl`: an address without anything that is somebody's. A GUID is `{id}`, a number `{n}`, a quoted literal
//! `{s}`; the rest of this module is about what is none of these and tells a person, a title or a secret all the same.
//!
//! One pass over the bytes, no regular expressions, one buffer: `units` reads, `path` and `query` cut into words,
//! `words` says what a word is.
//!
//! | file | question |
//! |---|---|
//! | `units` | which character is the next one, escaped or not? |
//! | `address` | where does the path begin? |
//! | `path` | where do segments and values end? |
//! | `segments` | what may stand here, given what stood before? |
//! | `collections` | is this segment the key of a member? |
//! | `words` | what is a word, taken by itself? |
//! | `said` | what may be said instead? |
//! | `literal`, `guid` | where does a literal end; is this a GUID? |
//! | `query` | which parts of a query may stay? |
//! | `host` | whose host is it? That has a template of its own |
//! | `draft` | what has been written so far |
//!
//! # Decisions
//!
//! Where more than one template could be defended:
//!
//! - **Letters stay as they are written.** `GetByTitle` and `getbytitle` are two templates; whoever counts them as one
//!   compares without regard to case.
//! - **Sites are hidden** unless `sites: 'keep'` asks for them: `/sites/{site}/{web}/_api`. `/personal/{user}` is
//!   hidden always. Names of endpoints are made with sites hidden, so that one call on a hundred sites is one endpoint.
//! - **Quotes win over numbers**: `items('5')` is `items({s})`; a GUID in quotes is `{id}` all the same.
//! - **Files are one placeholder**: everything below a site that no `_api`, `_layouts` or `_vti_bin` follows is
//!   `{path}`, the library included, and so is what `ExcelRest.aspx` and `listdata.svc` are given.
//! - **`_layouts/15` stays**, since 15 is a version. In parentheses `true`, `false`, `null` and `@alias` stay, and so
//!   does a plain word if it is the first value or has a name. Dates are `{date}`.
//! - **A person is `{upn}`** where an address is written and `{id}` where a key is, so `users/{upn}` and `users/{id}`
//!   are two templates.
//! - **Keys in Graph are `{id}` whatever they look like**, lists by title and connections too; well-known folders,
//!   `inbox` say, stay. Other services: only behind collections of people, of what they wrote and of what AI services
//!   keep.
//! - **Models and deployments stay**: they are configuration, and there are few.
//! - **A name with four digits in a row is an id** (`ORD-2024-0042`), and so is one in which letters and digits
//!   alternate like nothing that anybody would think of. File names stay only if their ending is one of a program:
//!   `app.js`, not `offer.docx`.
//! - **The rest of the path is hidden** behind a slash in a value without quotes, behind a literal without an end, and
//!   in the route of a service behind free text: `/api/document/{s}/{path}`.
//! - **Blanks behind commas and doubled slashes go**, `\` is `/`, and `..` behind anything else hides the rest.
//! - **Other schemes**: `blob:`, `data:` and a few more by their names; unknown ones are `{other}`, as is what is no
//!   address at all.
//! - **Names of parameters** end with `=` even without values: `?$select=&$top=`. One without a value is a value.
//!
//! Source: rules U1 to U14 of `tests/vectors/urls.json`, which are also the tests.

mod address;
mod collections;
mod draft;
mod guid;
mod host;
#[cfg(all(test, not(target_family = "wasm")))]
mod laws;
mod literal;
mod path;
mod query;
mod said;
mod segments;
mod units;
mod words;

pub use host::host;

use crate::ascii;
use address::{Origin, origin};
use path::Path;
use said::Said;
use units::END;

/// Said instead of an address that is none.
pub const OTHER: &str = "{other}";

/// What is told of the query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Query {
    /// Nothing.
    Drop,
    /// The names of its parameters.
    Names,
    /// Also the shape of `$select`, `$expand`, `$orderby` and `$filter`, and placeholders for values.
    Shape,
}

/// What is told of the names of sites.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sites {
    /// Nothing.
    Hide,
    /// The name, if it is one.
    Keep,
}

/// The template of an address: its path, and its query if wanted.
///
/// `https://contoso.sharepoint.com/sites/hr/_api/web/lists/getbytitle('Tasks')/items(7)?$top=1`
/// → `/sites/{site}/_api/web/lists/getbytitle({s})/items({n})`
pub fn normalize_url(url: &str, query: Query, sites: Sites) -> String {
    let mut path = Path::new(url.as_bytes(), sites);
    write(&mut path, query);
    path.draft.finish()
}

fn write(path: &mut Path, query: Query) {
    let Path { units, draft, .. } = path;
    let origin = origin(units, draft);
    match origin {
        Origin::Scheme => return,
        Origin::Unknown => return draft.say(Said::Other),
        Origin::Host | Origin::Path => {}
    }
    path.files = ascii::contains(draft.word(), ".sharepoint");
    draft.write("");
    // `https://contoso.com` has the path `/`.
    if origin == Origin::Host && units.peek() == END {
        draft.mark(b'/');
    }
    path.run();
    if query != Query::Drop && path.units.enter_query() {
        query::query(&mut path.units, &mut path.draft, query);
    }
}

/// What the tests of the rooms look at.
#[cfg(test)]
mod sample {
    use super::{Query, Sites, normalize_url};

    /// The path of an address, with everything hidden.
    #[track_caller]
    pub fn is(url: &str, want: &str) {
        assert_eq!(normalize_url(url, Query::Drop, Sites::Hide), want, "{url}");
    }
}
