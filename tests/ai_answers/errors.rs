//! Errors in a body, in every provider's style, before the first text and after it.

use steadfetch::answer::{AiResult, End, ErrorKind, Hints, Outcome, Reader};

use crate::read::{chunk, events, json, read, read_as};

fn with_status(status: u16, content_type: &str, body: &str) -> AiResult {
    let reader = Reader::new(Hints { status, content_type, ..Hints::default() });
    let at_once = read(reader.clone(), [body.as_bytes()]);
    assert_eq!(read(reader, body.as_bytes().chunks(1)), at_once, "{body}");
    let (result, handed_out) = at_once;
    assert_eq!((result.text.as_ref(), &*handed_out), (None, ""), "{body}");
    result
}

/// Each is transient, and before any text it may be repeated.
const STYLES: [(&str, ErrorKind); 8] = [
    (r#"{"error":{"message":"x","type":"server_error","code":null}}"#, ErrorKind::Server),
    (r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#, ErrorKind::Overloaded),
    (r#"{"type":"error","code":"rate_limit_exceeded","message":"x"}"#, ErrorKind::RateLimited),
    (r#"{"error":{"code":503,"message":"x","status":"UNAVAILABLE"}}"#, ErrorKind::Overloaded),
    (r#"{"error":"something broke"}"#, ErrorKind::Server),
    (r#"{"object":"error","message":"x","code":500}"#, ErrorKind::Server),
    (r#"{"choices":[{"delta":{"content":""},"error":{"code":502,"message":"x"}}]}"#, ErrorKind::Server),
    (r#"{"id":"x","error":{"code":429,"message":"x"},"choices":[]}"#, ErrorKind::RateLimited),
];

#[test]
fn an_error_first_may_be_repeated_and_one_after_text_may_not() {
    for (error, kind) in STYLES {
        let first = events(&[error, &chunk(r#"{"content":"late"}"#, r#""stop""#)]);
        assert_eq!((first.outcome, first.error_kind), (Outcome::Error, Some(kind)), "{error}");
        assert_eq!((first.text.as_deref(), first.partial_text, first.retryable), (Some(""), false, true), "{error}");

        let text = chunk(r#"{"content":"Hel"}"#, "null");
        let later = events(&[&text, error, &chunk(r#"{"content":"late"}"#, r#""stop""#)]);
        assert_eq!((later.outcome, later.error_kind), (Outcome::Error, Some(kind)), "{error}");
        assert_eq!((later.text.as_deref(), later.partial_text, later.retryable), (Some("Hel"), true, false), "{error}");
    }
}

#[test]
fn a_whole_body_that_is_an_error_is_one_although_the_status_is_200() {
    for (error, kind) in STYLES {
        let result = json(error);
        assert_eq!((result.outcome, result.error_kind), (Outcome::Error, Some(kind)), "{error}");
    }
}

#[test]
fn an_event_named_error_is_one_whatever_its_data() {
    for (data, kind) in [
        (r#"{"message":"x"}"#, ErrorKind::Server),
        (r#"{"code":"rate_limit_exceeded"}"#, ErrorKind::RateLimited),
        (r#"{"detail":"upstream timed out"}"#, ErrorKind::Timeout),
        ("The upstream timed out", ErrorKind::Timeout),
        ("{\"half\":", ErrorKind::Server),
        ("\"boom\"", ErrorKind::Server),
    ] {
        let body = format!("data: {}\n\nevent: error\ndata: {data}\n\n", chunk(r#"{"content":"Hel"}"#, "null"));
        let result = read_as("text/event-stream", body.as_bytes());
        assert_eq!((result.outcome, result.error_kind), (Outcome::Error, Some(kind)), "{data}");
        assert_eq!((result.text.as_deref(), result.partial_text), (Some("Hel"), true), "{data}");
    }
}

#[test]
fn with_an_errors_status_every_body_is_one() {
    for (status, content_type, body, kind, retryable, wait) in [
        (429, "text/plain", "Too many requests, retry after 5 seconds", ErrorKind::RateLimited, true, Some(5_000.0)),
        (429, "", "", ErrorKind::RateLimited, true, None),
        (429, "application/json", r#"{"error":{"mess"#, ErrorKind::RateLimited, true, None),
        (
            500,
            "application/json",
            r#"{"choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}]}"#,
            ErrorKind::Server,
            true,
            None,
        ),
        (502, "text/html", "<html>502 Bad Gateway</html>", ErrorKind::Server, true, None),
        (500, "text/html", "<html><title>The request timed out.</title>", ErrorKind::Timeout, false, None),
        (401, "application/json", "", ErrorKind::Auth, false, None),
        (413, "text/plain", "Payload Too Large", ErrorKind::BadRequest, false, None),
        (529, "", "x", ErrorKind::Overloaded, true, None),
        (
            429,
            "text/event-stream",
            "data: {\"error\":{\"message\":\"Please retry after 2 seconds.\"}}\n\n",
            ErrorKind::RateLimited,
            true,
            Some(2_000.0),
        ),
        (
            400,
            "application/json",
            r#"[{"error":{"code":400,"details":[{"reason":"API_KEY_INVALID"}]}}]"#,
            ErrorKind::Auth,
            false,
            None,
        ),
        (
            400,
            "application/json",
            r#"{"error":{"code":"context_length_exceeded"}}"#,
            ErrorKind::ContextLength,
            false,
            None,
        ),
    ] {
        let result = with_status(status, content_type, body);
        assert_eq!((result.outcome, result.error_kind), (Outcome::Error, Some(kind)), "{status} {body}");
        assert_eq!((result.retryable, result.retry_after_ms), (retryable, wait), "{status} {body}");
    }
}

#[test]
fn a_content_filter_is_a_refusal_by_status_and_in_a_stream() {
    let filtered = r#"{"error":{"code":"content_filter","innererror":{"code":"ResponsibleAIPolicyViolation"}}}"#;
    for result in [with_status(400, "application/json", filtered), events(&[filtered]), json(filtered)] {
        assert_eq!((result.outcome, result.error_kind), (Outcome::Refused, Some(ErrorKind::ContentFilter)));
        assert!(!result.retryable);
    }
}

#[test]
fn a_wait_in_a_header_comes_before_the_bodys() {
    let hints = Hints { status: 429, retry_after_ms: Some(9_000.0), ..Hints::default() };
    let body: &[u8] = br#"{"error":{"message":"Please retry after 2 seconds."}}"#;
    assert_eq!(read(Reader::new(hints), [body]).0.retry_after_ms, Some(9_000.0));
}

#[test]
fn of_an_endless_page_only_the_beginning_is_read() {
    let mut reader = Reader::new(Hints { status: 502, content_type: "text/html", ..Hints::default() });
    let mut read = 0;
    while reader.push(b"<html><body>..............") {
        read += 1;
        assert!(read < 1_000);
    }
    assert_eq!(reader.finish(End::Closed).error_kind, Some(ErrorKind::Server));
}
