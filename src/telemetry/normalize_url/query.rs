//! The query: names of parameters stay, of the OData options also their shape. Values never do, but for a few words that
//! say nothing about anybody.

use super::Query;
use super::draft::Draft;
use super::literal::literal;
use super::said::Said;
use super::units::{END, Units};
use super::words::{Trust, is_one_of};

const SECRETS: &str = "code sig key token tempauth apikey api-key api_key subscription-key access_token id_token \
    refresh_token client_secret secret password e upload_id";
const TOKENS: &str = "skiptoken deltatoken before after cursor pagetoken";
/// Options whose shape tells what was asked for, with and without their `$`.
const SHAPED: &str = "select expand orderby filter";
/// Values that stay, as they are written here: `TRUE` and `Desc` are something else to somebody.
const HARMLESS: &str = "true false asc desc default l m s rename replace fail image json sse";
const OPERATORS: &str = "eq ne gt ge lt le has in";
/// No parameter has a longer name.
const LONGEST: usize = 64;

/// Writes the template of the query, with its `?` if anything is in it.
pub fn query(units: &mut Units, draft: &mut Draft, how: Query) {
    let mut mark = b'?';
    while units.peek() != END {
        if units.eat(b'&') {
            continue;
        }
        draft.mark(mark);
        mark = b'&';
        let mut unit = units.next();
        while !matches!(unit, b'&' | b'=' | END) {
            draft.push(unit);
            unit = units.next();
        }
        let named = matches!(draft.first(), b'$' | b'@' | b'_' | b'a'..=b'z' | b'A'..=b'Z');
        if unit == b'=' && named && draft.word().len() <= LONGEST && draft.settle(Trust::Method) {
            parameter(units, draft, how);
            continue;
        }
        // A name without a value is a value.
        draft.say(Said::Value);
        if unit == b'=' {
            skip(units);
        }
    }
}

fn parameter(units: &mut Units, draft: &mut Draft, how: Query) {
    // `$filter` and `filter` are the same.
    let name = draft.word().strip_prefix(b"$").unwrap_or(draft.word());
    let (secret, token, shaped) = (is_one_of(name, SECRETS), is_one_of(name, TOKENS), is_one_of(name, SHAPED));
    let version = is_one_of(name, "api-version");
    draft.mark(b'=');
    let start = draft.start();
    if secret || token {
        skip(units);
        draft.say(if secret { Said::Secret } else { Said::Token });
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
    while !matches!(units.next(), b'&' | END) {}
}

/// A value that is one word, whatever is in it.
fn value(units: &mut Units, draft: &mut Draft, is_version: bool) {
    loop {
        match units.next() {
            b'&' | END => break,
            b'\'' if draft.may_be_quoted() => {
                let said = literal(units, b"&");
                draft.say(said);
            }
            unit => draft.push(unit),
        }
    }
    let said = draft.said(Trust::Method);
    let length = draft.word().len();
    let version = is_version && length <= 24 && matches!(said, Said::Word | Said::Date);
    let harmless = (length == 1 || draft.first().is_ascii_lowercase()) && draft.is_one_of(HARMLESS);
    if version || draft.is_empty() || draft.is_said() || harmless {
        return;
    }
    draft.say(match said {
        Said::Number | Said::Date => said,
        Said::Id if length >= 20 || draft.first() == b'{' => said,
        _ => Said::Value,
    });
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
            b'\'' if draft.may_be_quoted() => {
                let said = literal(units, b"),& +;");
                draft.say(said);
            }
            b':' if draft.first().is_ascii_digit() => draft.push(unit),
            END | b' ' | b'+' | b'(' | b')' | b',' | b';' | b'/' | b':' | b'=' | b'*' | b'&' => {
                operand = settle(draft, operand, unit == b'(');
                match unit {
                    END | b'&' => return,
                    b' ' | b'+' if draft.ends_with(b" ") => {}
                    b' ' | b'+' => draft.mark(b' '),
                    _ => draft.mark(unit),
                }
                if matches!(unit, b')' | b',' | b';') {
                    operand = Operand::Any;
                }
            }
            _ => draft.push(unit),
        }
    }
}

/// Settles the word and tells what may stand behind it.
fn settle(draft: &mut Draft, operand: Operand, calls: bool) -> Operand {
    if draft.is_empty() {
        return operand;
    }
    if operand == Operand::Told {
        if draft.is_one_of("and or") {
            return Operand::Any;
        }
        draft.write("");
        return operand;
    }
    if draft.is_one_of(OPERATORS) {
        return Operand::Value;
    }
    let stays = draft.settle(Trust::Method) && draft.first() != b'{';
    if stays && (operand == Operand::Any || calls) {
        return Operand::Any;
    }
    if stays && !draft.is_one_of("true false null") {
        draft.say(Said::Value);
    }
    Operand::Told
}
