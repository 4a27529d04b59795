//! The caller's own `read`, as the page's glue calls it: asked for each body or event, answered or passed on.

use serde_json::Value;
use steadfetch::answer::{AiResult, End, Hints, Outcome, Provider, Reader, Told};

use crate::read::shown;

/// Reads `{"t":"…","end":"…"}`, and words as they are; knows nothing else.
fn own_read(body: &str) -> Option<Told> {
    let Ok(json) = serde_json::from_str::<Value>(body) else {
        return Some(Told { text: body.to_owned(), finish_reason: None });
    };
    let text = json["t"].as_str()?.to_owned();
    Some(Told { text, finish_reason: json["end"].as_str().map(str::to_owned) })
}

fn ask(reader: &mut Reader, asked: &mut Vec<String>) {
    while let Some(body) = reader.ask() {
        reader.tell(own_read(&body));
        asked.push(body);
    }
}

/// The result, and what was asked.
fn read(content_type: &str, body: &str, size: usize) -> (AiResult, Vec<String>) {
    let mut reader = Reader::new(Hints { content_type, custom: true, ..Hints::default() });
    let (mut asked, mut text) = (Vec::new(), String::new());
    for chunk in body.as_bytes().chunks(size) {
        reader.push(chunk);
        ask(&mut reader, &mut asked);
        text += &reader.take_text();
    }
    reader.end();
    ask(&mut reader, &mut asked);
    let result = reader.finish(End::Closed);
    text += &reader.take_text();
    if result.outcome != Outcome::Refused {
        assert_eq!(text, result.text.clone().unwrap_or_default(), "{body}");
    }
    (result, asked)
}

#[test]
fn the_callers_read_is_asked_first_and_what_it_does_not_know_is_read_as_anybodys() {
    for (content_type, body, wanted, provider) in [
        ("", r#"{"t":"Hi"}"#, r#"complete - "Hi""#, Provider::Custom),
        ("", r#"{"t":"Hi","end":"length"}"#, r#"truncated length "Hi""#, Provider::Custom),
        ("", r#"{"t":"Hi","end":"content_filter"}"#, r#"refused content_filter "Hi""#, Provider::Custom),
        ("", "Hi", r#"complete - "Hi""#, Provider::Custom),
        ("", r#"{"answer":"Hi"}"#, r#"unknown - "Hi""#, Provider::Unknown),
        (
            "",
            r#"{"choices":[{"message":{"content":"Hi"},"finish_reason":"length"}]}"#,
            r#"truncated length "Hi""#,
            Provider::OpenaiChat,
        ),
        // A stream must say that it is over.
        ("", "data: {\"t\":\"H\"}\n\ndata: {\"t\":\"i\"}\n\n", r#"incomplete_stream - "Hi""#, Provider::Custom),
        ("", "data: {\"t\":\"H\"}\n\ndata: {\"t\":\"i\"}\n\ndata: [DONE]\n\n", r#"complete - "Hi""#, Provider::Custom),
        (
            "",
            "data: {\"t\":\"H\"}\n\ndata: {\"t\":\"i\",\"end\":\"stop\"}\n\n",
            r#"complete stop "Hi""#,
            Provider::Custom,
        ),
        ("", "data: H\n\ndata: i\n\ndata: [DONE]\n\n", r#"complete - "Hi""#, Provider::Custom),
        ("", "{\"t\":\"H\"}\n{\"t\":\"i\",\"end\":\"stop\"}\n", r#"complete stop "Hi""#, Provider::Custom),
        ("application/x-ndjson", "{\"t\":\"Hi\"}\n", r#"incomplete_stream - "Hi""#, Provider::Custom),
    ] {
        for size in [1, body.len()] {
            let (result, _) = read(content_type, body, size);
            assert_eq!((&*shown(&result), result.provider), (wanted, provider), "{body}");
        }
    }
}

#[test]
fn an_array_is_asked_about_as_one_body() {
    let body = r#"[{"t":"Hi"}, 1]"#;
    assert_eq!(read("", body, 3).1, [body]);
}

#[test]
fn errors_pages_and_halves_are_not_the_callers_to_read() {
    for (body, wanted) in [
        (r#"{"error":{"code":"rate_limit_exceeded"},"t":"Hi"}"#, "error(rate_limited) - none"),
        ("<html>Sign in</html>", "error(not_sse) - none"),
        (r#"{"t":"Hi""#, "error(bad_json) - none"),
    ] {
        let (result, asked) = read("", body, body.len());
        assert_eq!((&*shown(&result), asked.len()), (wanted, 0), "{body}");
    }
    let mut reader = Reader::new(Hints { status: 500, custom: true, ..Hints::default() });
    reader.push(br#"{"t":"Hi"}"#);
    reader.end();
    assert_eq!(reader.ask(), None);
    assert_eq!(shown(&reader.finish(End::Closed)), "error(server) - none");
}

#[test]
fn a_question_left_open_is_answered_by_the_built_in_readers() {
    let mut reader = Reader::new(Hints { custom: true, ..Hints::default() });
    reader.push(br#"{"answer":"Hi"}"#);
    assert!(reader.ask().is_some());
    assert_eq!(shown(&reader.finish(End::Closed)), r#"unknown - "Hi""#);
}
