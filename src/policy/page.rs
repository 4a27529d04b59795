//! A page answered where data was asked for. `src/browser/page.js` recognises it; here is what the rules make of it.

/// What kind of page stood in for the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    /// A sign-in page: the session has expired.
    Login,
    /// SharePoint's throttling page.
    Throttle,
    /// Any other HTML.
    Html,
}

impl Page {
    /// In the order of `PAGES` in `page.js`.
    pub const ALL: [Page; 3] = [Page::Login, Page::Throttle, Page::Html];
}
