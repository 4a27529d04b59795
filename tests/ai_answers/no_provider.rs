//! Bodies of no known provider: the user's own Function App, words, pages, broken bytes.

use crate::read::{as_events, as_json, as_text, check, events, json, read_as, shown};

#[test]
fn a_body_of_no_known_provider_is_never_called_complete_without_a_reason() {
    check(
        as_text,
        [
            (r#"{"answer":"Hi"}"#, r#"unknown - "Hi""#),
            (r#"{"sources":["x"],"data":{"result":{"reply":"Hi"}}}"#, r#"unknown - "Hi""#),
            (r#"{"message":"Hi","answer":""}"#, r#"unknown - """#),
            (r#"[{"generated_text":"Hi"}]"#, r#"unknown - "Hi""#),
            (r#"["H","i"]"#, r#"unknown - "Hi""#),
            (r#""Hi \u263a""#, r#"unknown - "Hi ☺""#),
            (r#"{}"#, "unknown - none"),
            (r#"{"answer":"Hi","finish_reason":null}"#, r#"unknown - "Hi""#),
            (r#"{"answer":"Hi","finish_reason":"stop"}"#, r#"complete stop "Hi""#),
            (r#"{"answer":"Hi","finishReason":"length"}"#, r#"truncated length "Hi""#),
            (r#"{"text":"Hi","finish_reason":"COMPLETE"}"#, r#"complete COMPLETE "Hi""#),
            (r#"{"success":false,"message":"It broke."}"#, "error(server) - none"),
            (r#"{"status":"error","message":"Rate limit. Please retry after 3 seconds."}"#, "error(server) - none"),
            ("Hello there.", r#"unknown - "Hello there.""#),
            ("12", r#"unknown - "12""#),
            (r#""Hi" she said"#, r#"unknown - "\"Hi\" she said""#),
            ("{\"text\":\"H\"}\n{\"text\":\"i\"}\n", r#"unknown - "Hi""#),
            ("{\"text\":\"H\"}\n{\"text\":\"i\"", r#"incomplete_stream - "H""#),
            ("{\"answer\":\"Hi\"} x ", "error(bad_json) - none"),
            (r#"{"answer":"Hi""#, "error(bad_json) - none"),
            ("   \n ", "error(empty_response) - none"),
        ],
    );
    check(
        as_events,
        [
            (
                r#"{"delta":"H"}
                   {"delta":"i"}
                   [DONE]"#,
                r#"unknown - "Hi""#,
            ),
            (
                r#"{"text":"Hi"}
                   {"finish_reason":"stop"}"#,
                r#"complete stop "Hi""#,
            ),
            (
                r#"{"type":"content-delta","delta":{"message":{"content":{"text":"Hi"}}}}
                   {"type":"message-end","delta":{"finish_reason":"MAX_TOKENS"}}"#,
                r#"truncated MAX_TOKENS "Hi""#,
            ),
            (": nothing", r#"incomplete_stream - """#),
        ],
    );
    let words = "data: Once\n\ndata:  upon\n\ndata: \n\ndata:  {\n\ndata:  42\n\ndata: \"\n\ndata:  {}\n\n";
    assert_eq!(shown(&read_as("text/event-stream", words.as_bytes())), r#"unknown - "Once upon { 42\" {}""#);
    let fragment = "data: {\"text\":\"Hi\"}\n\ndata: {\"te";
    assert_eq!(shown(&read_as("text/event-stream", fragment.as_bytes())), r#"incomplete_stream - "Hi""#);
}

#[test]
fn what_is_neither_json_nor_events_is_said_to_be_so() {
    for (content_type, body, wanted) in [
        ("application/json", "<html>Sign in</html>", "error(not_sse) - none"),
        ("", "\n<?xml version=\"1.0\"?><Error/>", "error(not_sse) - none"),
        ("text/html", "Sign in", "error(not_sse) - none"),
        ("text/event-stream", "Internal Server Error", "error(not_sse) - none"),
        ("application/json", "Internal Server Error", "error(bad_json) - none"),
        ("application/json", "null", "unknown - none"),
        ("text/plain", "<think>hm</think>Hi", "unknown - \"<think>hm</think>Hi\""),
        ("text/plain; charset=utf-8", "[Note] Hi", "unknown - \"[Note] Hi\""),
        ("", "", "error(empty_response) - none"),
        ("text/event-stream", "", "incomplete_stream - \"\""),
    ] {
        assert_eq!(shown(&read_as(content_type, body.as_bytes())), wanted, "{content_type} {body}");
    }
}

#[test]
fn bytes_that_are_no_text_are_marked_and_nothing_is_lost() {
    let body = b"{\"choices\":[{\"message\":{\"content\":\"a\xff\xc3b\"},\"finish_reason\":\"stop\"}]}";
    assert_eq!(shown(&read_as("", body)), "complete stop \"a\u{fffd}\u{fffd}b\"");
    assert_eq!(shown(&read_as("text/plain", b"a\xc3\xabb\xe2\x82")), "unknown - \"aëb\u{fffd}\"");
    let marked = "\u{feff}{\"answer\":\"Hi\"}";
    assert_eq!(shown(&json(marked)), r#"unknown - "Hi""#);
    assert_eq!(shown(&events(&["{\"answer\":\"\u{feff}Hi\"}"])), "unknown - \"\\u{feff}Hi\"");
}

#[test]
fn nesting_that_nobody_asked_about_is_passed_over_to_a_limit() {
    let body = |levels: usize| {
        let (open, close) = ("[".repeat(levels), "]".repeat(levels));
        format!(r#"{{"x":{open}{close},"choices":[{{"message":{{"content":"Hi"}},"finish_reason":"stop"}}]}}"#)
    };
    assert_eq!(as_json(&body(100)), r#"complete stop "Hi""#);
    assert_eq!(as_json(&body(1_000)), "error(bad_json) - none");
}
