//! The query: names of parameters stay, of the OData options also their shape. Values never do, but for a few words that
//! say nothing about anybody.

use super::Query;
use super::draft::Draft;
use super::literal::{PREFIXES, literal};
use super::units::Units;
use super::words::{DATE, ID, NUMBER, Trust, is_one_of};

const SECRETS: &str = "code sig key token tempauth apikey api-key api_key subscription-key access_token id_token \
    refresh_token client_secret secret password e upload_id";
const TOKENS: &str = "skiptoken deltatoken before after cursor pagetoken";
/// Options whose shape tells what was asked for, with and without their `$`.
const SHAPED: &str = "select expand orderby filter";
/// Values that stay: as they are written here, not in any case.
const HARMLESS: [&str; 14] =
    ["true", "false", "asc", "desc", "default", "L", "M", "S", "rename", "replace", "fail", "image", "json", "sse"];
const OPERATORS: &str = "eq ne gt ge lt le has in";
const SECRET: &str = "{redacted}";
const TOKEN: &str = "{token}";
const VALUE: &str = "{v}";
/// No parameter has a longer name.
const LONGEST: usize = 64;

/// Writes the template of the query, with its `?` if anything is in it.
pub fn query(units: &mut Units, draft: &mut Draft, how: Query) {
    let mut mark = b'?';
    while let Some(first) = units.peek() {
        if units.eat(b'&') {
            continue;
        }
        draft.mark(mark);
        mark = b'&';
        let mut valued = false;
        while let Some(unit) = units.next() {
            match unit {
                b'&' => break,
                b'=' => {
                    valued = true;
                    break;
                }
                _ => draft.push(unit),
            }
        }
        let named = valued && matches!(first, b'$' | b'@' | b'_' | b'a'..=b'z' | b'A'..=b'Z');
        if !named || draft.word().len() > LONGEST || !draft.settle(Trust::Method) {
            // A name without a value is a value.
            draft.say(VALUE);
            if valued {
                skip(units);
            }
            continue;
        }
        parameter(units, draft, how);
    }
}

fn parameter(units: &mut Units, draft: &mut Draft, how: Query) {
    let name = draft.word();
    let option = name.strip_prefix(b"$").unwrap_or(name);
    let instead = if is_one_of(name, SECRETS) {
        SECRET
    } else if is_one_of(option, TOKENS) {
        TOKEN
    } else {
        ""
    };
    let (shaped, version) = (is_one_of(option, SHAPED), is_one_of(name, "api-version"));
    draft.mark(b'=');
    let start = draft.start();
    if !instead.is_empty() {
        skip(units);
        draft.say(instead);
    } else if shaped {
        shape(units, draft);
    } else {
        value(units, draft, version);
    }
    if how == Query::Names {
        draft.cut(start);
    }
}

fn skip(units: &mut Units) {
    while units.next().is_some_and(|unit| unit != b'&') {}
}

/// A value that is one word, whatever is in it.
fn value(units: &mut Units, draft: &mut Draft, is_version: bool) {
    while let Some(unit) = units.next() {
        match unit {
            b'&' => break,
            b'\'' if may_be_quoted(draft) => {
                let said = literal(units, b"&");
                draft.say(said);
            }
            _ => draft.push(unit),
        }
    }
    let word = draft.word();
    let version = is_version && word.len() <= 24 && word.iter().all(|b| b.is_ascii_alphanumeric() || b".-".contains(b));
    if word.is_empty() || version || HARMLESS.iter().any(|harmless| word == harmless.as_bytes()) {
        return;
    }
    let (ours, long) = (word.starts_with(b"{"), word.len() >= 20);
    match draft.placeholder(Trust::Method) {
        None if ours => {}
        Some(said @ (NUMBER | DATE)) => draft.say(said),
        Some(ID) if ours || long => draft.say(ID),
        _ => draft.say(VALUE),
    }
}

/// A quote is one only where a value begins.
fn may_be_quoted(draft: &Draft) -> bool {
    draft.word().is_empty() || is_one_of(draft.word(), PREFIXES)
}

/// What may stand next in a filter.
#[derive(Clone, Copy, PartialEq)]
enum Operand {
    /// A field, a function, an operator.
    Any,
    /// Behind `eq`: whatever it is, it is a value.
    Value,
    /// The value was there. What follows without `and` belongs to it: nobody quoted it.
    Told,
}

/// `Title eq 'x' and startswith(Name,'y')`, `Author($select=Title)`: values are replaced, the rest stays.
fn shape(units: &mut Units, draft: &mut Draft) {
    let mut operand = Operand::Any;
    loop {
        let unit = units.next();
        match unit {
            Some(b'\'') if may_be_quoted(draft) => {
                let said = literal(units, b"),& +;");
                draft.say(said);
            }
            Some(b':') if matches!(draft.word(), [b'0'..=b'9', ..]) => draft.push(b':'),
            None | Some(b' ' | b'+' | b'(' | b')' | b',' | b';' | b'/' | b':' | b'=' | b'*' | b'&') => {
                operand = operand_behind(draft, operand, unit == Some(b'('));
                match unit {
                    None | Some(b'&') => return,
                    Some(b' ' | b'+') if draft.ends_with(b" ") => {}
                    Some(b' ' | b'+') => draft.mark(b' '),
                    Some(unit) => {
                        if matches!(unit, b')' | b',' | b';') {
                            operand = Operand::Any;
                        }
                        draft.mark(unit);
                    }
                }
            }
            Some(unit) => draft.push(unit),
        }
    }
}

/// Settles the word and tells what may stand behind it.
fn operand_behind(draft: &mut Draft, operand: Operand, calls: bool) -> Operand {
    let word = draft.word();
    if word.is_empty() {
        return operand;
    }
    if operand == Operand::Told {
        if is_one_of(word, "and or") {
            return Operand::Any;
        }
        draft.say("");
        return operand;
    }
    if is_one_of(word, OPERATORS) {
        return Operand::Value;
    }
    let constant = is_one_of(word, "true false null");
    let stays = draft.settle(Trust::Method);
    if operand == Operand::Value && !calls {
        if stays && !constant && !draft.word().starts_with(b"{") {
            draft.say(VALUE);
        }
        return Operand::Told;
    }
    match draft.word() {
        [b'{', ..] => Operand::Told,
        _ => Operand::Any,
    }
}
