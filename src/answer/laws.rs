//! What must hold for any JSON, and for any amount of it.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::json::{self, Document};
use super::{End, Hints, Reader, steps};

const TOKENS: [&str; 30] = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"a\"",
    "\"b\"",
    "\"\\u0061\"",
    "\"",
    "\\",
    "\\n",
    "\\ud83d",
    "0",
    "1",
    "-",
    ".",
    "5",
    "e",
    "+",
    "true",
    "false",
    "null",
    "tru",
    " ",
    "\n",
    "\t",
    "é",
    "\u{1}",
    "x",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4_000) })]

    #[test]
    fn what_is_json_is_decided_as_json_parse_decides(tokens in vec(select(&TOKENS[..]), 0..12)) {
        let text = tokens.concat();
        let theirs = serde_json::from_str::<serde_json::Value>(&text);
        let ours = Document::only(text.as_bytes());
        // Half a surrogate pair and a number beyond all bounds are JSON for a browser, and not for serde.
        let differs = text.contains("\\ud83d") || theirs.as_ref().is_err_and(|error| error.to_string().contains("out of range"));
        prop_assert!(ours.is_some() == theirs.is_ok() || differs && ours.is_some(), "{text}: {theirs:?}");
        if let (Some(ours), Ok(theirs)) = (ours, theirs) {
            let [a, b] = ours.members(["a", "b"]);
            for (found, name) in [(a, "a"), (b, "b")] {
                let wanted = theirs.get(name).filter(|value| !value.is_null());
                prop_assert_eq!(found.exists(), wanted.is_some(), "{}", text);
                prop_assert_eq!(found.string(), wanted.and_then(|value| value.as_str()).map(str::to_owned));
            }
        }
    }

    #[test]
    fn a_text_is_one_document_behind_the_other_or_none_is_taken(tokens in vec(select(&TOKENS[..]), 0..12)) {
        let text = tokens.concat();
        let mut rest = text.as_bytes();
        while let Some((_, behind)) = json::first(rest) {
            prop_assert!(behind.len() < rest.len());
            rest = behind;
        }
        prop_assert_eq!(json::all_well_formed(text.as_bytes()), rest.trim_ascii().is_empty());
    }
}

/// How often each byte is looked at, at most, in bodies that are made to be read again and again.
#[test]
fn the_work_grows_with_the_bytes_and_not_faster() {
    type Make = fn(usize) -> String;
    let makes: [(&str, Make); 14] = [
        ("one long line", |n| format!("data: {}", "x".repeat(n))),
        ("empty lines", |n| "\n".repeat(n)),
        ("one event of many lines", |n| "data: 1\n".repeat(n / 8) + "\n"),
        ("many small events", |n| "data: {}\n\n".repeat(n / 10)),
        ("documents run together", |n| format!("data: {}\n\n", "{}".repeat(n / 2))),
        ("brackets", |n| "[".repeat(n)),
        ("brackets in an event", |n| format!("data: {}\n\n", "{\"a\":".repeat(n / 5))),
        ("members", |n| format!("{{{}\"b\":1}}", "\"a\":1,".repeat(n / 6))),
        ("choices", |n| format!("{{\"choices\":[{}1]}}", "{\"index\":1},".repeat(n / 12))),
        ("nested answers", |n| {
            let deep = |inner: &str| format!("{{\"answer\":[{inner}]}}");
            deep(&deep(&deep(&format!("{}1", "{\"answer\":1},".repeat(n / 13)))))
        }),
        ("filters in filters", |n| {
            let deep = |inner: &str| format!("{{\"a\":{{\"b\":{inner}}}}}");
            format!(
                "{{\"choices\":[{{\"content_filter_results\":{}}}]}}",
                deep(&deep(&format!("[{}1]", "{},".repeat(n / 3))))
            )
        }),
        ("errors in errors", |n| {
            let deep = |inner: &str| format!("{{\"error\":{inner}}}");
            deep(&deep(&deep(&format!("{{\"details\":[{}1]}}", "{\"a\":1},".repeat(n / 8)))))
        }),
        ("escapes", |n| format!("{{\"answer\":\"{}\"}}", "\\u0041".repeat(n / 6))),
        ("calls", |n| {
            let call = |index| {
                format!(
                    "data: {{\"choices\":[{{\"delta\":{{\"tool_calls\":[{{\"index\":{index},\"function\":{{\"arguments\":\"1\"}}}}]}}}}]}}\n\n"
                )
            };
            (0..n / 90).map(call).collect()
        }),
    ];
    for (what, make) in makes {
        for chunk in [1, 1_000, 1 << 20] {
            let steps_of = |size| {
                let body = make(size);
                let mut reader = Reader::new(Hints::default());
                steps::taken();
                body.as_bytes().chunks(chunk).for_each(|chunk| {
                    reader.push(chunk);
                });
                reader.finish(End::Closed);
                steps::taken() as f64 / body.len() as f64
            };
            let (small, large) = (steps_of(2_000), steps_of(40_000));
            assert!(
                large < 1.3 * small + 1.0 && large < 24.0,
                "{what}: {small} and {large} looks at each byte, in chunks of {chunk}"
            );
        }
    }
}
