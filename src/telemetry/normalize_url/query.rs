//! The query: names of parameters stay, of the OData options also their shape. Values never do, but for a few words
//! that say nothing about anybody.

use super::Query;
use super::draft::Draft;
use super::literal::literal;
use super::said::Said;
use super::units::{END, Units};
use super::words::Trust;

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
    let (secret, token, shaped) = (draft.is_one_of(SECRETS), draft.is_one_of(TOKENS), draft.is_one_of(SHAPED));
    let version = draft.is_one_of("api-version");
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
    let version = is_version && length <= 24 && matches!(said, Said::Word | Said::Date | Said::Number);
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

#[cfg(test)]
mod tests {
    use super::super::{Query, Sites, normalize_url};
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[track_caller]
    fn is(query: &str, want: &str) {
        let url = format!("/x?{query}");
        assert_eq!(normalize_url(&url, Query::Shape, Sites::Hide), format!("/x{want}"), "{query}");
    }

    #[test]
    fn values_go_and_names_stay() {
        is("a=1&b=x&c='y'&d=2024-06-01T00%3A00%3A00Z&e=x", "?a={n}&b={v}&c={s}&d={date}&e={redacted}");
        is("id=%7B99a1e20b-fa97-4128-b2af-51f144d7658b%7D&g=efaa4a6e6ee64767be1adc3de897d66e", "?id={id}&g={id}");
        is(
            "code=x&%24skiptoken=y&api-version=2024-10-21&overwrite=true",
            "?code={redacted}&$skiptoken={token}&api-version=2024-10-21&overwrite=true",
        );
        is(
            "api-version=2024-06-01@x.de&api-version=jane@contoso.com&api-version=7.4&size=L&x=TRUE&y=",
            "?api-version={v}&api-version={v}&api-version=7.4&size=L&x={v}&y=",
        );
    }

    #[test]
    fn no_version_is_longer_than_a_name_for_one() {
        is("api-version=v1-preview", "?api-version=v1-preview");
        is("api-version=Secrets-Of-The-Board-Room", "?api-version={v}");
    }

    #[test]
    fn what_is_no_name_is_a_value() {
        is("jane", "?{v}");
        is("jane@contoso.com=1&1690000000&=x&J%C3%A4ne=y&a b=c", "?{v}&{v}&{v}&{v}&{v}");
        is("", "");
        is("&&a=1&&#x", "?a={n}");
        is(&format!("{}=1", "a-".repeat(33)), "?{v}");
    }

    #[test]
    fn a_literal_may_hold_what_would_end_it() {
        is("q='R&D budget'&n=1", "?q={s}&n={n}");
        is("q='Jane''s & Bob's'&n=1", "?q={s}&n={n}");
        is("q='Secret&n=1", "?q={s}");
        is("q=Bob's&n=1", "?q={v}&n={n}");
        is("$filter=Title eq 'R&D' and x eq 1", "?$filter=Title eq {s} and x eq {n}");
    }

    #[test]
    fn the_shape_of_a_filter_stays() {
        is(
            "$filter=substringof('x',Title) or (ID gt 5 and M ge 2024-05-01T00:00:00Z)&$orderby=Title desc",
            "?$filter=substringof({s},Title) or (ID gt {n} and M ge {date})&$orderby=Title desc",
        );
        is(
            "filter=g/any(t:t eq 'x') and in_x in (1,'y') and b eq true",
            "?filter=g/any(t:t eq {s}) and in_x in ({n},{s}) and b eq true",
        );
        is("$expand=A($select=B_x0020_C;$top=5),*", "?$expand=A($select=B_x0020_C;$top={n}),*");
        is("$filter=tolower(T) eq tolower('x')", "?$filter=tolower(T) eq tolower({s})");
    }

    #[test]
    fn a_value_that_nobody_quoted_is_hidden_to_its_end() {
        is("$filter=Title+eq+Secret+plan+and+x+eq+1", "?$filter=Title eq {v} and x eq {n}");
        is("$filter=M eq jane@contoso.com&$top=1", "?$filter=M eq {upn}&$top={n}");
        is("$filter=T eq 'dogs' house' or y eq 1", "?$filter=T eq {s} or y eq {n}");
    }

    #[test]
    fn names_alone_end_with_their_sign() {
        let url = "/x?$filter=T eq 'a&b'&code=y&jane";
        assert_eq!(normalize_url(url, Query::Names, Sites::Hide), "/x?$filter=&code=&{v}");
    }
}
