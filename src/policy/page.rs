//! A page answered where data was asked for. SharePoint sends an expired session to a sign-in page and a heavily
//! throttled one to `Throttle.htm`, both with status 200. Told by final URL and content type, never by the body. Whether
//! data was asked for is said by `addressOfData` in `src/browser/answer.js`, where the address lies.

use crate::ascii::{contains, find, until};

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
    /// The name in the public contract.
    pub fn name(self) -> &'static str {
        match self {
            Page::Login => "login",
            Page::Throttle => "throttle",
            Page::Html => "html",
        }
    }
}

/// Hosts that only sign people in.
const LOGIN_HOSTS: [&str; 5] = [
    "login.microsoftonline.com",
    "login.microsoftonline.us",
    "login.chinacloudapi.cn",
    "login.partner.microsoftonline.cn",
    "login.live.com",
];
/// Paths of SharePoint that sign people in.
const LOGIN_PATHS: [&str; 4] =
    ["/_forms/default.aspx", "/_layouts/15/authenticate.aspx", "/_login/", "/_windows/default.aspx"];
/// The throttling page; the version folder between the two varies.
const THROTTLE_PAGE: (&str, &str) = ("/_layouts/", "/throttle.htm");

/// The page that answered, seen by the final URL and the content type of an answer to a call for data.
pub fn recognise(final_url: &str, content_type: Option<&str>) -> Option<Page> {
    let address = until(final_url.as_bytes(), b"?#");
    let (folder, page) = THROTTLE_PAGE;
    if contains(address, folder) && find(address, page).is_some_and(|at| at + page.len() == address.len()) {
        return Some(Page::Throttle);
    }
    // `https://host/path`: the host is what stands between the second and the third slash.
    let host = address.split(|byte| *byte == b'/').nth(2).unwrap_or_default();
    if LOGIN_HOSTS.iter().any(|login| host.eq_ignore_ascii_case(login.as_bytes()))
        || LOGIN_PATHS.iter().any(|path| contains(address, path))
    {
        return Some(Page::Login);
    }
    let kind = content_type.unwrap_or_default().as_bytes();
    (contains(kind, "text/html") || contains(kind, "application/xhtml")).then_some(Page::Html)
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    const HTML: Option<&str> = Some("text/html; charset=utf-8");

    #[test]
    fn login_and_throttle_pages_are_told_by_their_final_address() {
        let cases = [
            ("https://contoso.sharepoint.com/_layouts/15/Throttle.htm", Some(Page::Throttle)),
            ("https://contoso.sharepoint.com/sites/a/_layouts/15/throttle.htm?x=1", Some(Page::Throttle)),
            ("https://login.microsoftonline.com/common/oauth2/authorize?client_id=x", Some(Page::Login)),
            ("https://contoso.sharepoint.com/_forms/default.aspx?ReturnUrl=%2f", Some(Page::Login)),
            ("https://contoso.sharepoint.com/_layouts/15/Authenticate.aspx?Source=x", Some(Page::Login)),
            ("https://contoso.sharepoint.com/sites/a/Shared%20Documents/throttle.htm", Some(Page::Html)),
            ("https://contoso.sharepoint.com/sites/a", Some(Page::Html)),
            ("", Some(Page::Html)),
        ];
        for (url, page) in cases {
            assert_eq!(recognise(url, HTML), page, "{url}");
        }
    }

    #[test]
    fn a_name_in_the_query_or_in_the_data_is_no_page() {
        assert_eq!(
            recognise("https://contoso.sharepoint.com/_api/web?u=/_layouts/15/Throttle.htm", Some("application/json")),
            None
        );
        assert_eq!(
            recognise("https://contoso.sharepoint.com/_api/login.microsoftonline.com/", Some("application/json")),
            None
        );
        assert_eq!(recognise("https://contoso.sharepoint.com/_api/web", None), None);
    }
}
