//! What stands before the path: scheme, user, host and port. Only the host is ever told, and only as a template.

use super::draft::Draft;
use super::units::{END, Units};

/// Schemes that have a path on a host.
const WEB: &str = "http https ws wss";
/// Schemes that are told by their names. What is behind them is content.
const OTHERS: &str = "blob data file about mailto javascript";

/// How an address begins.
#[derive(PartialEq)]
pub enum Origin {
    /// With a host, which is the draft's word now, in small letters.
    Host,
    /// With its path.
    Path,
    /// With a scheme without a host, `blob:`, which is the draft's word now; or with one that is unknown.
    Scheme,
    Unknown,
}

/// Reads up to the path.
pub fn origin(units: &mut Units, draft: &mut Draft) -> Origin {
    let start = units.here();
    loop {
        let unit = units.next();
        match unit {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'+' | b'-' | b'.' => draft.push(unit.to_ascii_lowercase()),
            b':' if draft.is_one_of(WEB) => {
                while units.eat(b'/') || units.eat(b'\\') {}
                return authority(units, draft);
            }
            b':' if draft.is_one_of(OTHERS) => {
                draft.push(b':');
                return Origin::Scheme;
            }
            b':' if !draft.is_empty() => return Origin::Unknown,
            _ => break,
        }
    }
    draft.write("");
    units.go_back(start);
    let two_slashes = matches!(units.next(), b'/' | b'\\') && matches!(units.next(), b'/' | b'\\');
    if two_slashes {
        return authority(units, draft);
    }
    units.go_back(start);
    Origin::Path
}

/// `user:password@Contoso.sharepoint.com:443` → `contoso.sharepoint.com`
fn authority(units: &mut Units, draft: &mut Draft) -> Origin {
    draft.write("");
    let mut port = false;
    loop {
        let unit = units.peek();
        match unit {
            b'/' | b'\\' | END => break,
            // What was read so far was the user.
            b'@' => {
                draft.write("");
                port = false;
            }
            b':' => port = true,
            _ if !port => draft.push(unit.to_ascii_lowercase()),
            _ => {}
        }
        units.next();
    }
    Origin::Host
}

#[cfg(test)]
mod tests {
    use super::super::{Query, Sites, normalize_url};
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[track_caller]
    fn is(url: &str, want: &str) {
        assert_eq!(normalize_url(url, Query::Shape, Sites::Hide), want, "{url}");
    }

    #[test]
    fn a_host_is_left_out_with_all_that_belongs_to_it() {
        is("https://jane:secret@contoso.sharepoint.com:443/_api/web", "/_api/web");
        is(" HTTPS://Contoso.sharepoint.com/_api/web#secret", "/_api/web");
        is("//contoso.sharepoint.com/_api", "/_api");
        is("wss://x.de/socket", "/socket");
        is("https:\\\\x.de\\api", "/api");
    }

    #[test]
    fn a_host_alone_has_the_path_of_its_root() {
        is("https://x.azurewebsites.net", "/");
        is("https://x.azurewebsites.net?code=secret", "/?code={redacted}");
    }

    #[test]
    fn relative_addresses_stay_relative() {
        is("_api/web", "_api/web");
        is("api/ask?x=1", "api/ask?x={n}");
        is("?x=1", "?x={n}");
        is("", "");
    }

    #[test]
    fn of_another_scheme_nothing_but_its_name_is_told() {
        is("blob:https://contoso.sharepoint.com/99a1e20b-fa97-4128-b2af-51f144d7658b", "blob:");
        is("DATA:text/plain,secret", "data:");
        is("jane:secret?x=1", "{other}");
        is("localhost:7071/secret", "{other}");
    }
}
