//! What a single word is: a number, a date, somebody's address, an opaque id, something that somebody wrote, or a name
//! that may stay. One pass over the word, and no list of what ids look like: they give themselves away by how letters and
//! digits alternate. `6h7lat0gfq5n` is an id, `GetFileByServerRelativePath`, `gpt-4o` and `v1beta1` are names.

pub const ID: &str = "{id}";
pub const NUMBER: &str = "{n}";
pub const TEXT: &str = "{s}";
pub const DATE: &str = "{date}";
pub const PERSON: &str = "{upn}";
pub const USER: &str = "{user}";

/// All that is ever said instead of a word. Said once, it stays.
const PLACEHOLDERS: &str = "{id} {n} {s} {date} {upn} {user} {site} {web} {path} {host} {v} {token} {redacted} {other}";
/// Endings of what a program is made of. Any other makes a file name, and that is content.
const ENDINGS: &str = "aspx ashx asmx svc php js mjs css json xml html htm map wasm index";
/// Beginnings of dotted names that are names of types and services.
const NAMESPACES: [&str; 5] = ["sp.", "ps.", "microsoft.", "search.", "social."];

/// How much the place of a word says for it.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub enum Trust {
    /// Anybody may have chosen it.
    Name,
    /// A method, a type, a field or a parameter: dots and numbers belong to it.
    Method,
    /// A model or a deployment, as `textembedding-gecko@001:predict`.
    Model,
}

/// Letters and digits without anything between them.
#[derive(Clone, Copy, Default)]
struct Run {
    length: u32,
    digits: u32,
    /// Digits in a row: at its end, and most of them.
    row: u32,
    longest_row: u32,
    /// From a digit to a letter or back.
    turns: u32,
    /// From any kind to another: digit, capital, small letter.
    changes: u32,
    last: u8,
}

impl Run {
    fn take(&mut self, kind: u8) {
        let digit = u32::from(kind == DIGIT);
        if self.length > 0 && kind != self.last {
            self.changes += 1;
            self.turns += u32::from(kind == DIGIT || self.last == DIGIT);
        }
        self.length += 1;
        self.digits += digit;
        self.row = (self.row + 1) * digit;
        self.longest_row = self.longest_row.max(self.row);
        self.last = kind;
    }

    /// Not even a method is called so.
    fn is_opaque(&self) -> bool {
        self.length >= 40 || self.length >= 20 && self.digits >= 3
    }

    /// Somebody's number, or letters and digits that alternate like in no name.
    fn is_mixed(&self, version: bool) -> bool {
        let alternates = self.length >= 8 && self.turns >= 3 && !version;
        alternates || self.longest_row >= 4 || self.length >= 16 && self.changes * 2 >= self.length
    }
}

const OTHER: u8 = 0;
const DIGIT: u8 = 1;

fn kind_of(byte: u8) -> u8 {
    match byte {
        b'0'..=b'9' => DIGIT,
        b'A'..=b'Z' => 2,
        b'a'..=b'z' => 3,
        _ => OTHER,
    }
}

/// What is said instead of a word; nothing if it may stay. GUIDs in it are `{id}` already.
pub fn placeholder(word: &[u8], trust: Trust) -> Option<&'static str> {
    if is_placeholder(word) {
        return None;
    }
    let version = matches!(word, [b'v', b'0'..=b'9', ..]) && word.len() <= 10;
    let thread = word.starts_with(b"19:");
    let (mut plain, mut id, mut guid, mut person, mut dots) = (true, thread, false, false, false);
    // Of `_`, letters and the like, which make it more than a number; of digits; of digits behind the first `_`.
    let (mut others, mut digits, mut numbered) = (0, 0, 0);
    let (mut line, mut colon) = (false, false);
    let mut run = Run::default();
    let mut rest = word;
    while let [byte, behind @ ..] = rest {
        rest = behind;
        let kind = kind_of(*byte);
        if kind != OTHER {
            run.take(kind);
            if rest.first().is_none_or(|next| kind_of(*next) == OTHER) {
                id |= run.is_opaque() || trust == Trust::Name && run.is_mixed(version);
                run = Run::default();
            }
            let digit = u32::from(kind == DIGIT);
            digits += digit;
            others += 1 - digit;
            numbered += digit * u32::from(line);
            continue;
        }
        match byte {
            b'-' => continue,
            b'.' => {
                dots = true;
                continue;
            }
            b'{' if behind.starts_with(b"id}") => {
                guid = true;
                rest = behind.get(3..).unwrap_or_default();
            }
            b'_' => line = true,
            b'$' => {}
            b'!' => id = true,
            // `model@001:predict`
            b':' if trust == Trust::Model && !colon => colon = true,
            b'@' if trust == Trust::Model && behind.first().is_some_and(u8::is_ascii_digit) => {}
            // `@alias`, but not `@alias@contoso.com`
            b'@' if behind.len() + 1 == word.len() => {}
            b'@' => person = true,
            _ => plain = false,
        }
        others += 1;
    }
    if is_date(word) {
        Some(DATE)
    } else if plain && others == 0 && digits > 0 {
        Some(NUMBER)
    } else if person && !guid && !thread {
        Some(PERSON)
    } else if id || guid && (person || !plain) {
        Some(ID)
    } else if word.ends_with(b"_com") {
        Some(USER)
    } else if !plain || dots && trust == Trust::Name && !version && !is_of_a_program(word) {
        Some(TEXT)
    } else if trust == Trust::Name && numbered >= 2 {
        Some(ID)
    } else {
        None
    }
}

/// What was said already stays: that makes a template its own template.
pub fn is_placeholder(word: &[u8]) -> bool {
    word.first() == Some(&b'{') && is_one_of(word, PLACEHOLDERS)
}

/// `2024-06-01`, and whatever time stands behind it.
fn is_date(word: &[u8]) -> bool {
    word.len() >= 10
        && word.iter().take(10).enumerate().all(|(at, byte)| match at {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}

/// `SP.UserProfiles.PeopleManager`, `app.js`; not `jane.doe`, `offer.docx`.
fn is_of_a_program(word: &[u8]) -> bool {
    let ending = word.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
    is_one_of(ending, ENDINGS) || NAMESPACES.iter().any(|start| begins_with(word, start))
}

/// Whether the list has this word, without regard to case.
pub fn is_one_of(word: &[u8], list: &str) -> bool {
    list.as_bytes().split(|byte| *byte == b' ').any(|one| one.eq_ignore_ascii_case(word))
}

/// The same for how a word begins.
pub fn begins_with(word: &[u8], start: &str) -> bool {
    word.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn all_are(words: &str, trust: Trust, want: Option<&str>) {
        for word in words.split(' ') {
            assert_eq!(placeholder(word.as_bytes(), trust), want, "{word}");
        }
    }

    #[test]
    fn names_stay() {
        let names = "me GetFileByServerRelativePath getUserEffectivePermissions microsoft.graph.roomlist search.index \
            v1.0 v2.1 v1beta1 v1p1beta1 us-central1 whisper-1 gpt-35-turbo gpt-4o-mini OAuth2Token oauth2PermissionGrants \
            count_tokens submit_tool_outputs alerts_v2 $metadata $value @user app.js SiteRenameJob{id} {id}-input \
            durabletask raiseEvent chatOverStream microsoft.graph.conflictBehavior";
        all_are(&names.split_whitespace().collect::<Vec<_>>().join(" "), Trust::Name, None);
        all_are(
            "SP.UserProfiles.PeopleManager social.feed userphoto.jpg Project2024 CanvasContent1",
            Trust::Method,
            None,
        );
        let models = "gpt-4o-2024-08-06 claude-3-5-sonnet-20241022 textembedding-gecko@001:predict gpt35turbo16k \
            gemini-1.5-pro-002:generateContent anthropic.claude-3-5-sonnet-20241022-v2:0";
        all_are(&models.split_whitespace().collect::<Vec<_>>().join(" "), Trust::Model, None);
    }

    #[test]
    fn ids_go_whatever_their_kind() {
        let ids = "b!HTWcoc9YoLqzog7uUYcV2e u!aHR0cHM6Ly8x 1-fa69d91a3f197245ee9b792092a025b0!14-{id} \
            014SXQSSVVHF5X6DQKNMDZPVQWY3RML3B2 AAMkADhOYlliQwPi5Xt9QVIMC4vMFwI13nWk7_62H4-7UoyLD0cNpodU9= \
            19:fa69d91a3f197245ee9b792092a025b0@thread.v2 19:{id}_{id}@unq.gbl.spaces contoso.sharepoint.com,{id},{id} \
            e099a5ca83ba4dbca3f02dc02e02ceb8 15QPo8mHORixFIUYT3tKRmVO-eu 6h7lat0gfq5n 3f9a1c2b thread_abc123 run_123 \
            GTZn07M3Ech0XpIsko4-Kf4GaTMZ qDrXDjY5NApzpit8Of0Lfd52B_CIaYw9ZrnIAzTMtN4 eyJhbGciOiJub25lIn0.FivchwugUeG8 \
            ORD-2024-00123 e123456 {{id}} XbKqRtVwZaBcYdEfGh";
        all_are(&ids.split_whitespace().collect::<Vec<_>>().join(" "), Trust::Name, Some(ID));
        all_are("efaa4a6e6ee64767be1adc3de897d66e", Trust::Method, Some(ID));
        all_are("efaa4a6e6ee64767be1adc3de897d66e", Trust::Model, Some(ID));
    }

    #[test]
    fn people_go_however_they_are_written() {
        all_are(
            "jane@contoso.com jane.doe_fabrikam.com\0EXT\0@contoso.onmicrosoft.com @v@contoso.com",
            Trust::Name,
            Some(PERSON),
        );
        all_are("jane@contoso.com", Trust::Model, Some(PERSON));
        all_are("jane_doe_contoso_com", Trust::Name, Some(USER));
        all_are("jane.doe offer.docx Jane's i:0\0.f|membership", Trust::Name, Some(TEXT));
    }

    #[test]
    fn numbers_and_dates_are_told_from_names() {
        all_are("7 -1 007 99999999999999999999999999 1.0 10.0.0.1", Trust::Name, Some(NUMBER));
        all_are("2024-06-01 2024-06-01T00:00:00Z", Trust::Name, Some(DATE));
        all_are("2024-6-1x 2024x06-01", Trust::Name, Some(ID));
    }

    #[test]
    fn only_our_own_placeholders_are_placeholders() {
        all_are(PLACEHOLDERS, Trust::Name, None);
        all_are("{jane} {ids} {} {id", Trust::Name, Some(TEXT));
    }
}
