//! The name of an endpoint, by three rules: GUID → `{id}`, whole number → `{n}`, quoted literal → `{s}`. Host and
//! query are dropped. Where a segment looks as if it could name a person or a thing, the whole name is `{other}`:
//! a name that says too little is a nuisance, one that says too much is a leak.
//!
//! Source: RULES on telemetry; careful rules for every kind of address take this one's place later.

use crate::ascii::{find, split_once, until};

/// Said instead of an address that is not understood.
pub const OTHER: &str = "{other}";
/// Longer addresses are not looked at.
const LONGEST: usize = 2_000;
/// Folders whose next segment is the name of a person or a thing, unless it is a value or a method.
const NAMING: [&str; 11] = [
    "personal",
    "users",
    "my",
    "lists",
    "drives",
    "chats",
    "plans",
    "connections",
    "conversations",
    "files",
    "threads",
];
/// Folders whose next segment is the name of a site.
const SITES: [&str; 2] = ["sites", "teams"];
/// A full stop is part of a type's or a service's name, or of a version; elsewhere it makes a file name.
const DOTTED: [&str; 4] = ["SP.", "PS.", "microsoft.", "client.svc"];

/// `https://contoso.sharepoint.com/_api/web/lists/getbytitle('Tasks')/items(7)?$top=1`
/// → `/_api/web/lists/getbytitle({s})/items({n})`
pub fn name(url: &str) -> String {
    template(url.as_bytes()).unwrap_or_else(|| OTHER.to_owned())
}

fn template(url: &[u8]) -> Option<String> {
    let path = path_of(url)?;
    if path.len() > LONGEST {
        return None;
    }
    let mut out = String::with_capacity(path.len());
    let mut rest = path;
    let mut before: &[u8] = b"";
    while let [b'/', tail @ ..] = rest {
        let (segment, after) = tail.split_at_checked(segment_end(tail)?)?;
        out.push('/');
        let is_one_of = |folders: &[&str]| folders.iter().any(|folder| before.eq_ignore_ascii_case(folder.as_bytes()));
        if is_one_of(&SITES) && !segment.is_empty() {
            out.push_str("{site}");
        } else if is_one_of(&NAMING) && !segment.is_empty() && value(segment).is_none() && !segment.contains(&b'(') {
            return None;
        } else {
            segment_template(segment, &mut out)?;
        }
        (before, rest) = (segment, after);
    }
    rest.is_empty().then_some(out)
}

/// The path of an absolute, server-relative or relative http(s) address.
fn path_of(url: &[u8]) -> Option<&[u8]> {
    let address = until(url, b"?#");
    let Some(scheme) = find(address, "://") else {
        return matches!(address, [b'/', rest @ ..] if rest.first() != Some(&b'/')).then_some(address);
    };
    let (scheme, rest) = address.split_at_checked(scheme)?;
    if !scheme.eq_ignore_ascii_case(b"https") && !scheme.eq_ignore_ascii_case(b"http") {
        return None;
    }
    let host_and_path = rest.strip_prefix(b"://")?;
    match split_once(host_and_path, b'/') {
        Some((host, _)) => host_and_path.get(host.len()..),
        None => Some(b"/"),
    }
}

/// A slash inside a quoted literal does not end the segment. No end of the literal: not understood.
fn segment_end(text: &[u8]) -> Option<usize> {
    let mut quoted = false;
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'\'' => quoted = !quoted,
            b'/' if !quoted => return Some(at),
            _ => {}
        }
    }
    (!quoted).then_some(text.len())
}

/// One segment: names stay, values in parentheses are replaced.
fn segment_template(segment: &[u8], out: &mut String) -> Option<()> {
    if let Some(placeholder) = value(segment) {
        out.push_str(placeholder);
        return Some(());
    }
    let Some((name, arguments)) = split_once(segment, b'(') else {
        return plain(segment, out);
    };
    plain(name, out)?;
    out.push('(');
    for (at, mut argument) in arguments.strip_suffix(b")")?.split(|byte| *byte == b',').enumerate() {
        if at > 0 {
            out.push(',');
        }
        if let Some((key, behind)) = split_once(argument, b'=')
            && !key.contains(&b'\'')
        {
            plain(key, out)?;
            out.push('=');
            argument = behind;
        }
        if let [] | [b'@', ..] = argument {
            while let [b'@', name @ ..] = argument {
                argument = name;
            }
            plain(argument, out)?;
        } else {
            out.push_str(value(argument)?);
        }
    }
    out.push(')');
    Some(())
}

/// The placeholder of a value, if it is one.
fn value(text: &[u8]) -> Option<&'static str> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) {
        return Some("{n}");
    }
    let literal = text.strip_prefix(b"guid").unwrap_or(text);
    if let [b'\'', content @ .., b'\''] = literal {
        let mut content = content;
        while let [b'{' | b'}' | b' ', inner @ ..] | [inner @ .., b'{' | b'}' | b' '] = content {
            content = inner;
        }
        return is_escaped(content).then_some(if is_guid(content) { "{id}" } else { "{s}" });
    }
    is_guid(text).then_some("{id}")
}

/// Quotes inside a literal are doubled. A lone one could end it early: not understood.
fn is_escaped(content: &[u8]) -> bool {
    let mut rest = content;
    loop {
        rest = match rest {
            [b'\'', b'\'', behind @ ..] => behind,
            [b'\'', ..] => return false,
            [_, behind @ ..] => behind,
            [] => return true,
        }
    }
}

fn is_guid(text: &[u8]) -> bool {
    text.len() == 36
        && text.iter().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// A name: short, of letters, digits and a few marks. Anything else may be somebody's.
fn plain(name: &[u8], out: &mut String) -> Option<()> {
    let mut digits = 0;
    for byte in name {
        match byte {
            b'0'..=b'9' => digits += 1,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'-' | b'$' => {}
            b'.' if matches!(name, [b'v', b'0'..=b'9', ..]) => {}
            b'.' if DOTTED.iter().any(|start| name.starts_with(start.as_bytes())) => {}
            _ => return None,
        }
        out.push(char::from(*byte));
    }
    // Many digits among letters are an id.
    (name.len() <= 40 && digits <= 2).then_some(())
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
            (
                "/sites/hr/_api/SP.UserProfiles.PeopleManager/GetMyProperties",
                "/sites/{site}/_api/SP.UserProfiles.PeopleManager/GetMyProperties",
            ),
            (
                "https://x.openai.azure.com/openai/deployments/gpt-4o-mini/chat/completions",
                "/openai/deployments/gpt-4o-mini/chat/completions",
            ),
            ("https://graph.microsoft.com/v1.0/me/messages", "/v1.0/me/messages"),
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
            "/sites/a/SitePages/Erika.aspx",
            "https://graph.microsoft.com/v1.0/me/drive/root:/Documents/report.docx:/createUploadSession",
            "https://graph.microsoft.com/v1.0/sites/contoso.sharepoint.com:/sites/hr:/lists/Onboarding/items",
            "https://x.openai.azure.com/openai/threads/thread_15QPo8mHORixFIUYT3tKRmVO/messages",
            "data:text/plain,secret",
            "relative/path",
            "//other.host/secret",
            "",
        ] {
            assert_eq!(name(url), OTHER, "{url}");
        }
    }
}
