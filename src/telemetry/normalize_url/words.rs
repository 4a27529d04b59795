//! What a single word is: a number, a date, somebody's address, an opaque id, something that somebody wrote, or a name
//! that may stay. One pass over the word, and no list of what ids look like: they give themselves away by how letters
//! and digits alternate. `6h7lat0gfq5n` is an id, `GetFileByServerRelativePath`, `gpt-4o` and `v1beta1` are names.

use super::said::{Said, is_said};
use crate::ascii::until;

/// Endings of what a program is made of. Any other makes a file name, and that is content.
const ENDINGS: &str = "aspx ashx asmx svc php js mjs css json xml html htm map wasm index";
/// Beginnings of dotted names that are names of types and services.
const NAMESPACES: &str = "sp ps microsoft search social";

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

/// What the bytes between letters and digits make of a word.
const LETTER: u32 = 1;
const DOT: u32 = 2;
const LINE: u32 = 4;
const COLON: u32 = 8;
const GUID: u32 = 16;
const OPAQUE: u32 = 32;
const PERSON: u32 = 64;
/// No name has it.
const ALIEN: u32 = 128;

/// What is said instead of a word. GUIDs in it are `{id}` already.
pub fn said_of(word: &[u8], trust: Trust) -> Said {
    if is_said(word) {
        return Said::Word;
    }
    let version = matches!(word, [b'v', b'0'..=b'9', ..]) && word.len() <= 10;
    let thread = word.starts_with(b"19:");
    let mut seen = if thread { OPAQUE } else { 0 };
    // Digits, and those behind a `_`.
    let (mut digits, mut numbered) = (0, 0);
    let mut run = Run::default();
    let mut rest = word;
    while let [byte, behind @ ..] = rest {
        rest = behind;
        let kind = kind_of(*byte);
        seen |= match *byte {
            _ if kind == DIGIT => {
                digits += 1;
                numbered += u32::from(seen & LINE != 0);
                0
            }
            _ if kind != OTHER => LETTER,
            b'-' => 0,
            b'.' => DOT,
            b'_' => LINE,
            b'$' => LETTER,
            b'!' => OPAQUE,
            b'{' if behind.starts_with(b"id}") => {
                rest = behind.get(3..).unwrap_or_default();
                GUID
            }
            // `model@001:predict`
            b':' if trust == Trust::Model && seen & COLON == 0 => COLON,
            b'@' if trust == Trust::Model && matches!(behind, [b'0'..=b'9', ..]) => LETTER,
            // `@alias`, but not `@alias@contoso.com`
            b'@' if behind.len() + 1 == word.len() => LETTER,
            b'@' => PERSON,
            _ => ALIEN,
        };
        if kind == OTHER {
            continue;
        }
        run.take(kind);
        if rest.first().is_none_or(|next| kind_of(*next) == OTHER) {
            if run.is_opaque() || trust == Trust::Name && run.is_mixed(version) {
                seen |= OPAQUE;
            }
            run = Run::default();
        }
    }
    let has = |marks: u32| seen & marks != 0;
    if is_date(word) {
        Said::Date
    } else if !has(!(DOT | OPAQUE)) && digits > 0 {
        Said::Number
    } else if has(PERSON) && !has(GUID) && !thread {
        Said::Person
    } else if has(OPAQUE) || has(GUID) && has(PERSON | ALIEN) {
        Said::Id
    } else if word.ends_with(b"_com") {
        Said::User
    } else if has(ALIEN) || has(DOT) && trust == Trust::Name && !version && !is_of_a_program(word) {
        Said::Text
    } else if trust == Trust::Name && numbered >= 2 {
        Said::Id
    } else {
        Said::Word
    }
}

/// `2024-06-01`, `2024-06-01T00:00:00.000+02:00`
fn is_date(word: &[u8]) -> bool {
    word.len() >= 10
        && word.iter().enumerate().all(|(at, byte)| match (byte, at) {
            (b'0'..=b'9', _) => at != 4 && at != 7,
            (b'-', 4 | 7) => true,
            (b'+'..=b'.' | b':' | b'T' | b'Z', 10..) => true,
            _ => false,
        })
}

/// `SP.UserProfiles.PeopleManager`, `app.js`; not `jane.doe`, `offer.docx`.
fn is_of_a_program(word: &[u8]) -> bool {
    let ending = word.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
    is_one_of(ending, ENDINGS) || is_one_of(until(word, b"."), NAMESPACES)
}

/// Whether the list has this word, without regard to case and to the `$` that OData's own names may have.
pub fn is_one_of(word: &[u8], list: &str) -> bool {
    let word = match word {
        [b'$', name @ ..] => name,
        _ => word,
    };
    list.as_bytes().split(|byte| *byte == b' ').any(|one| one.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn all_are(words: &str, trust: Trust, want: Said) {
        for word in words.split(' ') {
            assert_eq!(said_of(word.as_bytes(), trust), want, "{word}");
        }
    }

    #[test]
    fn names_stay() {
        let names = "me GetFileByServerRelativePath getUserEffectivePermissions microsoft.graph.roomlist search.index \
            v1.0 v2.1 v1beta1 v1p1beta1 us-central1 whisper-1 gpt-35-turbo gpt-4o-mini OAuth2Token oauth2PermissionGrants \
            count_tokens submit_tool_outputs alerts_v2 $metadata $value @user app.js SiteRenameJob{id} {id}-input \
            durabletask raiseEvent chatOverStream microsoft.graph.conflictBehavior";
        all_are(names, Trust::Name, Said::Word);
        all_are(
            "SP.UserProfiles.PeopleManager social.feed userphoto.jpg Project2024 CanvasContent1",
            Trust::Method,
            Said::Word,
        );
        let models = "gpt-4o-2024-08-06 claude-3-5-sonnet-20241022 textembedding-gecko@001:predict gpt35turbo16k \
            gemini-1.5-pro-002:generateContent anthropic.claude-3-5-sonnet-20241022-v2:0";
        all_are(models, Trust::Model, Said::Word);
    }

    #[test]
    fn ids_go_whatever_their_kind() {
        let ids = "b!HTWcoc9YoLqzog7uUYcV2e u!aHR0cHM6Ly8x 1-fa69d91a3f197245ee9b792092a025b0!14-{id} \
            014SXQSSVVHF5X6DQKNMDZPVQWY3RML3B2 AAMkADhOYlliQwPi5Xt9QVIMC4vMFwI13nWk7_62H4-7UoyLD0cNpodU9= \
            19:fa69d91a3f197245ee9b792092a025b0@thread.v2 19:{id}_{id}@unq.gbl.spaces contoso.sharepoint.com,{id},{id} \
            e099a5ca83ba4dbca3f02dc02e02ceb8 15QPo8mHORixFIUYT3tKRmVO-eu 6h7lat0gfq5n 3f9a1c2b thread_abc123 run_123 \
            GTZn07M3Ech0XpIsko4-Kf4GaTMZ qDrXDjY5NApzpit8Of0Lfd52B_CIaYw9ZrnIAzTMtN4 eyJhbGciOiJub25lIn0.FivchwugUeG8 \
            ORD-2024-00123 e123456 {{id}} b!x u!short \
            thisnamehasmorelettersthananybodywouldtype XbKqRtVwZaBcYdEfGh";
        all_are(ids, Trust::Name, Said::Id);
        all_are("efaa4a6e6ee64767be1adc3de897d66e", Trust::Method, Said::Id);
        all_are("efaa4a6e6ee64767be1adc3de897d66e", Trust::Model, Said::Id);
    }

    #[test]
    fn people_go_however_they_are_written() {
        all_are(
            "jane@contoso.com jane.doe_fabrikam.com\0EXT\0@contoso.onmicrosoft.com @v@contoso.com",
            Trust::Name,
            Said::Person,
        );
        all_are("jane@contoso.com", Trust::Model, Said::Person);
        all_are("jane_doe_contoso_com", Trust::Name, Said::User);
        all_are("jane.doe offer.docx Jane's i:0\0.f|membership", Trust::Name, Said::Text);
    }

    #[test]
    fn numbers_and_dates_are_told_from_names() {
        all_are("7 -1 007 99999999999999999999999999 1.0 10.0.0.1", Trust::Name, Said::Number);
        all_are("2024-06-01 2024-06-01T00:00:00.000+02:00 2024-06-01T00:00:00Z", Trust::Name, Said::Date);
        all_are("2024-6-1x 2024x06-01 2024-06-01-preview", Trust::Name, Said::Id);
    }

    #[test]
    fn only_our_own_placeholders_are_placeholders() {
        all_are("{id} {n} {s} {upn} {path} {redacted} {other}", Trust::Name, Said::Word);
        all_are("{jane} {ids} {} {id", Trust::Name, Said::Text);
    }
}
