//! The name of an endpoint, by three rules: GUID → `{id}`, whole number → `{n}`, quoted literal → `{s}`. Host and
//! query are dropped. Where a segment looks as if it could name a person or a thing, the whole name is `{other}`:
//! a name that says too little is a nuisance, one that says too much is a leak.
//!
//! Source: RULES on telemetry; careful rules for every kind of address take this one's place later.

/// Said instead of an address that is not understood.
pub const OTHER: &str = "{other}";
/// Longer addresses are not looked at.
const LONGEST: usize = 2_000;
/// Folders whose next segment names a person.
const PERSONAL: [&str; 3] = ["personal", "users", "my"];

/// `https://contoso.sharepoint.com/_api/web/lists/getbytitle('Tasks')/items(7)?$top=1`
/// → `/_api/web/lists/getbytitle({s})/items({n})`
pub fn name(url: &str) -> String {
    template(url).unwrap_or_else(|| OTHER.to_owned())
}

fn template(url: &str) -> Option<String> {
    let path = path_of(url)?;
    if path.len() > LONGEST {
        return None;
    }
    let mut out = String::with_capacity(path.len());
    let mut rest = path;
    let mut personal = false;
    while let Some(tail) = rest.strip_prefix('/') {
        let end = segment_end(tail)?;
        let (segment, after) = tail.split_at_checked(end)?;
        if personal && !segment.is_empty() {
            return None;
        }
        out.push('/');
        segment_template(segment, &mut out)?;
        personal = PERSONAL.iter().any(|folder| segment.eq_ignore_ascii_case(folder));
        rest = after;
    }
    rest.is_empty().then_some(out)
}

/// The path of an absolute, server-relative or relative http(s) address.
fn path_of(url: &str) -> Option<&str> {
    let address = url.split(['?', '#']).next()?;
    let Some((scheme, rest)) = address.split_once("://") else {
        return address.starts_with('/').then_some(address).filter(|path| !path.starts_with("//"));
    };
    if !scheme.eq_ignore_ascii_case("https") && !scheme.eq_ignore_ascii_case("http") {
        return None;
    }
    match rest.find('/') {
        Some(at) => rest.get(at..),
        None => Some("/"),
    }
}

/// A slash inside a quoted literal does not end the segment. No end of the literal: not understood.
fn segment_end(text: &str) -> Option<usize> {
    let mut quoted = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'\'' => quoted = !quoted,
            b'/' if !quoted => return Some(at),
            _ => {}
        }
    }
    (!quoted).then_some(text.len())
}

/// One segment: names stay, values in parentheses are replaced.
fn segment_template(segment: &str, out: &mut String) -> Option<()> {
    if let Some(placeholder) = value(segment) {
        out.push_str(placeholder);
        return Some(());
    }
    let Some((name, arguments)) = segment.split_once('(') else {
        return plain(segment, out);
    };
    plain(name, out)?;
    out.push('(');
    for (at, argument) in arguments.strip_suffix(')')?.split(',').enumerate() {
        if at > 0 {
            out.push(',');
        }
        let (key, argument) = match argument.split_once('=') {
            Some((key, argument)) if !key.contains('\'') => (Some(key), argument),
            _ => (None, argument),
        };
        if let Some(key) = key {
            plain(key, out)?;
            out.push('=');
        }
        if argument.starts_with('@') || argument.is_empty() {
            plain(argument.trim_start_matches('@'), out)?;
        } else {
            out.push_str(value(argument)?);
        }
    }
    out.push(')');
    Some(())
}

/// The placeholder of a value, if it is one.
fn value(text: &str) -> Option<&'static str> {
    let bare = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()) && !text.is_empty();
    if bare(text.strip_prefix('-').unwrap_or(text)) {
        return Some("{n}");
    }
    let literal = text.strip_prefix("guid").unwrap_or(text);
    if let Some(content) = literal.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        let content = content.trim_matches(['{', '}', ' ']);
        // A lone quote inside could end the literal early: not understood.
        let escaped = content.split("''").all(|part| !part.contains('\''));
        return escaped.then_some(if is_guid(content) { "{id}" } else { "{s}" });
    }
    is_guid(text).then_some("{id}")
}

fn is_guid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// A name: short, of letters, digits and a few marks. Anything else may be somebody's.
fn plain(name: &str, out: &mut String) -> Option<()> {
    let known = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'$' | b':');
    let long_number = name.bytes().filter(u8::is_ascii_digit).count() > 6;
    (name.len() <= 40 && name.bytes().all(known) && !long_number).then(|| out.push_str(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn values_are_replaced_and_names_stay() {
        for (url, want) in [
            (
                "https://contoso.sharepoint.com/_api/web/lists/getbytitle('A/B ''c''')/items(7)?$top=1",
                "/_api/web/lists/getbytitle({s})/items({n})",
            ),
            ("/_api/web/lists(guid'3f1c2a40-7b11-4c0e-9d55-0a4c6f2e8b10')/items", "/_api/web/lists({id})/items"),
            ("/api/orders/3f1c2a40-7b11-4c0e-9d55-0a4c6f2e8b10/42", "/api/orders/{id}/{n}"),
            ("https://x.azurewebsites.net/api/ask?code=secret", "/api/ask"),
            ("https://x.azurewebsites.net", "/"),
            ("/_api/web/GetFolder(path=@p,depth=2)/files", "/_api/web/GetFolder(path=p,depth={n})/files"),
        ] {
            assert_eq!(name(url), want, "{url}");
        }
    }

    #[test]
    fn what_is_not_understood_is_other() {
        for url in [
            "/personal/jane_contoso_com/Documents",
            "/users/jane@contoso.com/messages",
            "/_api/web/lists/getbytitle('Tasks",
            "/_api/web/getbytitle('a'b')/x",
            "/drives/b!AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGh/root",
            "/sites/a/Shared%20Documents/Offer.docx",
            "data:text/plain,secret",
            "relative/path",
            "//other.host/secret",
            "",
        ] {
            assert_eq!(name(url), OTHER, "{url}");
        }
    }
}
