//! Every body of the shared AI vectors, and what a careful reader makes of it. What the fields of a case mean stands in
//! the `about` of `index.json`.

use std::fs;
use std::thread;

use serde_json::{Value, json};
use steadfetch::answer::{End, Hints, Outcome, Reader, Told};

use crate::read::{label, read};

struct Case {
    want: Value,
    body: Vec<u8>,
}

impl Case {
    fn name(&self) -> &str {
        self.want["file"].as_str().unwrap()
    }

    fn reader(&self) -> Reader {
        Reader::new(Hints {
            status: u16::try_from(self.want["status"].as_u64().unwrap()).unwrap(),
            content_type: self.want["headers"]["content-type"].as_str().unwrap_or_default(),
            ..Hints::default()
        })
    }

    fn is_stream(&self) -> bool {
        self.want["kind"] != "json" || self.name().starts_with("gemini-array")
    }
}

fn cases() -> Vec<Case> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/ai_bodies/");
    let index: Value = serde_json::from_slice(&fs::read(format!("{folder}index.json")).unwrap()).unwrap();
    let case = |want: &Value| {
        let body = fs::read(folder.to_owned() + want["file"].as_str().unwrap()).unwrap();
        assert_eq!(json!(body.len()), want["bytes"], "{} was changed", want["file"]);
        Case { want: want.clone(), body }
    };
    let all: Vec<_> = index["cases"].as_array().unwrap().iter().map(case).collect();
    assert!(all.len() > 100);
    all
}

#[test]
fn every_body_comes_to_its_end() {
    let mut wrong = String::new();
    for case in cases() {
        let (result, _) = read(case.reader(), [&case.body[..]]);
        let Value::Object(want) = &case.want else { panic!() };
        let label = label(&result);
        let mut accepted = want.get("accept").and_then(Value::as_array).into_iter().flatten().chain([&want["label"]]);
        let mut check = |what: &str, right: bool| {
            if !right {
                wrong += &format!("\n{}: {what}, read {result:?}", case.name());
            }
        };
        check("label", accepted.any(|accepted| *accepted == label));
        check("finish reason", want["finishRaw"] == json!(result.finish_reason));
        check("partial text", want.get("partialText") == Some(&json!(true)) || !result.partial_text);
        check("partial text", want.get("partialText") != Some(&json!(true)) || result.partial_text);
        check("retryable", want.get("retryable").is_none_or(|retryable| *retryable == result.retryable));
        check("wait", want.get("bodyRetryAfterMs").and_then(Value::as_f64) == result.retry_after_ms);
        // Of a body of no known provider the text is the best effort, and the vectors leave it open.
        let text = if result.outcome == Outcome::Unknown { json!("Hello there.") } else { want["text"].clone() };
        check("text", text == json!(result.text));
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn every_answer_is_told_by_its_provider() {
    for case in cases() {
        let (result, _) = read(case.reader(), [&case.body[..]]);
        let family = case.want["provider"].as_str().unwrap();
        let wanted = match family {
            _ if case.name().contains("responses") => "openai-responses",
            "anthropic" | "gemini" => family,
            "ollama" if case.want["kind"] == "ndjson" => family,
            "openai" | "azure-openai" | "mistral" | "openrouter" | "deepseek" | "ollama" => "openai-chat",
            _ => "unknown",
        };
        let tells = matches!(result.outcome, Outcome::Complete | Outcome::Truncated | Outcome::ToolCalls);
        if tells && case.want["status"] == 200 {
            assert_eq!(result.provider.name(), wanted, "{}", case.name());
            assert!(result.usage.is_some() || case.is_stream(), "{}", case.name());
        }
    }
}

#[test]
fn how_the_bytes_are_cut_changes_nothing() {
    let cases = cases();
    thread::scope(|scope| {
        for part in cases.chunks(cases.len() / 2 + 1) {
            scope.spawn(move || part.iter().for_each(cut_everywhere));
        }
    });
}

fn cut_everywhere(case: &Case) {
    let wanted = read(case.reader(), [&case.body[..]]);
    assert_eq!(read(case.reader(), case.body.chunks(1)), wanted, "{} byte by byte", case.name());
    let mut before = case.reader();
    for at in 0..case.body.len() {
        let behind = &case.body[at..];
        assert_eq!(read(before.clone(), [behind]), wanted, "{} cut at {at}", case.name());
        before.push(&behind[..1]);
    }
}

#[test]
fn text_is_handed_out_whole_and_once() {
    for case in cases().iter().filter(|case| case.is_stream()) {
        let (result, handed_out) = read(case.reader(), case.body.chunks(1));
        assert_eq!(result.text.unwrap_or_default(), handed_out, "{}", case.name());
    }
}

/// Where the document ends that carries the sign that the answer is over.
fn terminal_sign(body: &[u8]) -> usize {
    let signs = [
        r#""finish_reason":"stop""#,
        r#""finish_reason":"tool_calls""#,
        r#""type":"response.completed""#,
        r#""stop_reason":"end_turn""#,
        r#""finishReason":"STOP""#,
        r#""done":true"#,
    ];
    let find = |what: &str| body.windows(what.len()).position(|window| window == what.as_bytes());
    let sign = signs.iter().filter_map(|sign| find(sign)).min().unwrap();
    if body[0] == b'[' {
        return body.len() - 1;
    }
    sign + body[sign..].iter().position(|byte| b"\r\n".contains(byte)).unwrap()
}

#[test]
fn a_stream_cut_short_is_never_complete_before_its_sign_has_arrived() {
    for case in cases()
        .iter()
        .filter(|case| case.is_stream() && matches!(case.want["label"].as_str(), Some("complete" | "tool_calls")))
    {
        let sign = terminal_sign(&case.body);
        let mut before = case.reader();
        for at in 0..=case.body.len() {
            let mut reader = before.clone();
            let result = reader.finish(End::Closed);
            let given = json!(label(&result));
            match at {
                at if at >= sign => assert_eq!(given, case.want["label"], "{} cut at {at}", case.name()),
                // Not even the bracket that would tell that it is an array of documents.
                at if case.body[0] == b'[' && at < 1 => assert_eq!(given, "error(empty_response)"),
                at => assert_eq!(given, "incomplete_stream", "{} cut at {at}", case.name()),
            }
            before.push(case.body.get(at..=at).unwrap_or_default());
        }
    }
}

#[test]
fn json_cut_short_is_never_an_answer() {
    for case in cases().iter().filter(|case| !case.is_stream() && case.want["status"] == 200) {
        let end = case.body.trim_ascii_end().len();
        let mut before = case.reader();
        for at in 0..end {
            let mut reader = before.clone();
            let result = reader.finish(End::Closed);
            assert!(
                matches!(&*label(&result), "error(bad_json)" | "error(empty_response)"),
                "{} cut at {at}: {result:?}",
                case.name()
            );
            assert_eq!(
                (result.text, result.partial_text, reader.take_text()),
                (None, false, String::new()),
                "{}",
                case.name()
            );
            before.push(&case.body[at..=at]);
        }
    }
}

#[test]
fn through_the_callers_own_read_a_body_without_a_reason_is_complete() {
    let hints = Hints { custom: true, content_type: "application/json", ..Hints::default() };
    let case = cases().into_iter().find(|case| case.name() == "custom-proxy.json").unwrap();
    let mut reader = Reader::new(hints);
    reader.push(&case.body);
    reader.end();
    let body: Value = serde_json::from_str(&reader.ask().unwrap()).unwrap();
    reader.tell(Some(Told { text: body["answer"].as_str().unwrap().to_owned(), finish_reason: None }));
    assert_eq!(reader.ask(), None);
    let result = reader.finish(End::Closed);
    assert_eq!((result.outcome, result.text.as_deref()), (Outcome::Complete, Some("Hello there.")));
    assert_eq!(result.provider.name(), "custom");
}
