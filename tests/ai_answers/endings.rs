//! How the reading of a body can end: connections that break, patience, limits, and what is then still known.

use steadfetch::answer::{AiResult, End, ErrorKind, Hints, Outcome, Reader, Usage};

use crate::read::{chunk, events, json, shown};

fn ended(body: &str, end: End) -> AiResult {
    let mut reader = Reader::new(Hints::default());
    reader.push(body.as_bytes());
    reader.finish(end)
}

const ENDS: [(End, ErrorKind); 3] =
    [(End::Cut, ErrorKind::Network), (End::TimedOut, ErrorKind::Timeout), (End::Cancelled, ErrorKind::Cancelled)];

#[test]
fn what_broke_a_stream_off_is_told() {
    let body = format!("data: {}\n\n", chunk(r#"{"content":"Hel"}"#, "null"));
    for (end, kind) in ENDS {
        let result = ended(&body, end);
        assert_eq!((result.outcome, result.error_kind), (Outcome::IncompleteStream, Some(kind)));
        assert_eq!((result.text.as_deref(), result.partial_text, result.retryable), (Some("Hel"), true, false));
    }
    assert_eq!(ended(&body, End::Closed).error_kind, None);
}

#[test]
fn what_broke_a_body_off_is_an_error() {
    for body in ["", r#"{"choices":[{"message":{"content":"Hel"#, r#"{"answer":"#] {
        for (end, kind) in ENDS {
            let result = ended(body, end);
            assert_eq!((result.outcome, result.error_kind, result.text), (Outcome::Error, Some(kind), None), "{body}");
        }
    }
}

#[test]
fn an_answer_that_was_over_before_stays_what_it_was() {
    let finished = format!("data: {}\n\n", chunk(r#"{"content":"Hi"}"#, r#""stop""#));
    let failed = format!("data: {}\n\n", r#"{"error":{"code":"rate_limit_exceeded"}}"#);
    let whole = r#"{"choices":[{"message":{"content":"Hi"},"finish_reason":"length"}]}"#;
    for (body, wanted) in [
        (&*finished, r#"complete stop "Hi""#),
        (&*failed, r#"error(rate_limited) - """#),
        (whole, r#"truncated length "Hi""#),
        (r#"{"answer":"Hi"}"#, r#"unknown - "Hi""#),
    ] {
        for (end, _) in ENDS {
            assert_eq!(shown(&ended(body, end)), wanted);
        }
    }
}

#[test]
fn a_stream_of_no_known_provider_that_broke_is_not_taken_for_all() {
    for body in ["data: {\"text\":\"Hi\"}\n\n", "Hi"] {
        assert_eq!(shown(&ended(body, End::Closed)), r#"unknown - "Hi""#, "{body}");
        assert_eq!(shown(&ended(body, End::Cut)), r#"incomplete_stream - "Hi""#, "{body}");
    }
}

#[test]
fn a_body_beyond_the_limit_is_given_up_wherever_it_is_cut() {
    let text = format!("data: {}\n\n", chunk(r#"{"content":"Hel"}"#, "null"));
    let body = text.clone() + &text;
    let hints = |max_bytes| Hints { max_bytes, ..Hints::default() };
    for size in [1, 7, body.len()] {
        let mut reader = Reader::new(hints(text.len() + 5));
        let wanted = body.as_bytes().chunks(size).take_while(|chunk| reader.push(chunk)).count();
        assert!(wanted * size <= text.len() + 5);
        let result = reader.finish(End::Closed);
        assert_eq!((result.outcome, result.error_kind), (Outcome::Error, Some(ErrorKind::TooLarge)), "{size}");
        assert_eq!((result.text.as_deref(), result.partial_text, result.retryable), (Some("Hel"), true, false));
        assert_eq!(reader.take_text(), "Hel");
    }
    let mut reader = Reader::new(hints(body.len()));
    assert!(reader.push(body.as_bytes()));
    assert_eq!(reader.finish(End::Closed).outcome, Outcome::IncompleteStream);
}

#[test]
fn a_whole_body_beyond_the_limit_has_no_text() {
    let body = r#"{"choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}]}"#;
    let mut reader = Reader::new(Hints { max_bytes: body.len() - 1, ..Hints::default() });
    assert!(!reader.push(body.as_bytes()));
    assert_eq!(shown(&reader.finish(End::Closed)), "error(too_large) - none");
}

#[test]
fn behind_its_last_sign_a_stream_may_be_cancelled() {
    for (last, more) in [
        ("data: [DONE]\n\n", false),
        ("data: {\"type\":\"message_stop\"}\n\n", false),
        ("data: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\"}}\n\n", false),
        ("data: {\"error\":\"x\"}\n\n", false),
        ("{\"model\":\"m\",\"response\":\"Hi\",\"done\":true}", false),
        ("data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n", true),
        ("{\"choices\":[]}", true),
    ] {
        let mut reader = Reader::new(Hints { max_bytes: last.len(), ..Hints::default() });
        assert_eq!(reader.push(last.as_bytes()), more, "{last}");
        assert!(!reader.push(b"x"));
        let too_large = reader.finish(End::Closed).error_kind == Some(ErrorKind::TooLarge);
        assert_eq!(too_large, more, "{last}");
    }
}

#[test]
fn text_comes_with_the_bytes_that_carried_it() {
    let mut reader = Reader::new(Hints::default());
    let event = format!("data: {}\n\n", chunk(r#"{"content":"Hel"}"#, "null"));
    let (all_but_one, last) = event.as_bytes().split_at(event.len() - 1);
    reader.push(all_but_one);
    assert_eq!(reader.take_text(), "");
    reader.push(last);
    assert_eq!(reader.take_text(), "Hel");
    assert_eq!(reader.take_text(), "");
}

#[test]
fn what_came_at_once_is_not_shown_before_it_is_known_to_be_an_answer() {
    let body = |reason: &str| format!(r#"{{"choices":[{{"message":{{"content":"Hi"}},"finish_reason":"{reason}"}}]}}"#);
    for (reason, shown) in [("stop", "Hi"), ("length", "Hi"), ("content_filter", ""), ("error", "")] {
        let mut reader = Reader::new(Hints::default());
        reader.push(body(reason).as_bytes());
        assert_eq!(reader.take_text(), "", "{reason}");
        assert_eq!(reader.finish(End::Closed).text.as_deref(), Some("Hi"));
        assert_eq!(reader.take_text(), shown, "{reason}");
    }
}

#[test]
fn a_body_that_has_none_is_complete() {
    for status in [204, 205] {
        let mut reader = Reader::new(Hints { status, content_type: "text/event-stream", ..Hints::default() });
        assert_eq!(shown(&reader.finish(End::Closed)), "complete - none");
    }
}

#[test]
fn tokens_are_counted_under_every_name() {
    let counted = |input, output| Some(Usage { input_tokens: input, output_tokens: output });
    for (result, wanted) in [
        (json(r#"{"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":4}}"#), counted(Some(9), Some(4))),
        (json(r#"{"choices":[],"usage":{"prompt_tokens":1e3,"completion_tokens":-4}}"#), None),
        (json(r#"{"choices":[],"usage":null}"#), None),
        (json(r#"{"candidates":[],"usageMetadata":{"promptTokenCount":9}}"#), counted(Some(9), None)),
        (
            json(r#"{"model":"m","response":"","done":true,"eval_count":4,"prompt_eval_count":9}"#),
            counted(Some(9), Some(4)),
        ),
        (json(r#"{"answer":"Hi","usage":{"inputTokens":9,"outputTokens":4}}"#), counted(Some(9), Some(4))),
        (
            events(&[
                r#"{"type":"message_start","message":{"usage":{"input_tokens":9,"output_tokens":1}}}"#,
                r#"{"type":"message_delta","delta":{},"usage":{"output_tokens":4}}"#,
            ]),
            counted(Some(9), Some(4)),
        ),
    ] {
        assert_eq!(result.usage, wanted);
    }
}
