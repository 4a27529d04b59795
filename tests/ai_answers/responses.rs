//! OpenAI's Responses, with events missing, renamed or out of their usual place.

use crate::read::{as_events, as_json, check};

#[test]
fn responses_are_told_by_their_status_and_read_even_where_events_are_missing() {
    let message = r#""output":[{"type":"reasoning","content":[{"type":"reasoning_text","text":"hm"}]},{"type":"message","content":[{"type":"output_text","text":"Hi"}]}]"#;
    let response = |rest: &str| format!(r#"{{"object":"response",{rest}}}"#);
    for (rest, wanted) in [
        (format!(r#"{message},"status":"completed""#), r#"complete completed "Hi""#),
        (message.to_owned(), r#"complete - "Hi""#),
        (r#""output":[]"#.to_owned(), r#"error(empty_response) - """#),
        (format!(r#"{message},"status":"incomplete""#), r#"truncated incomplete "Hi""#),
        (
            format!(r#"{message},"status":"incomplete","incomplete_details":{{"reason":"new"}}"#),
            r#"truncated incomplete/new "Hi""#,
        ),
        (r#""status":"in_progress","output":[]"#.to_owned(), "incomplete_stream in_progress none"),
        (r#""status":"cancelled","output":[]"#.to_owned(), r#"error(cancelled) cancelled """#),
        (
            r#""status":"failed","output":[],"error":{"code":"rate_limit_exceeded","message":"x"}"#.to_owned(),
            r#"error(rate_limited) failed """#,
        ),
        (r#""status":"failed","output":[],"error":null"#.to_owned(), r#"error(server) failed """#),
        (
            r#""status":"completed","output":[{"type":"message","content":[{"type":"refusal","refusal":"No."}]}]"#
                .to_owned(),
            r#"refused completed """#,
        ),
        (
            format!(r#"{message},"status":"completed","content_filters":[{{"blocked":true}}]"#),
            r#"refused completed "Hi""#,
        ),
        (
            r#""status":"completed","output":[{"type":"function_call","arguments":"{\"a"}]"#.to_owned(),
            r#"error(bad_output) completed """#,
        ),
        (
            r#""status":"completed","output":[{"type":"web_search_call","status":"completed"}]"#.to_owned(),
            r#"complete completed """#,
        ),
    ] {
        assert_eq!(as_json(&response(&rest)), wanted, "{rest}");
    }
    check(
        as_events,
        [
            // Names instead of types.
            (
                r#"event: response.output_text.delta
                   {"delta":"Hi"}
                   event: response.completed
                   {"response":{"status":"completed","output":[]}}"#,
                r#"complete completed "Hi""#,
            ),
            // Only the last event.
            (
                r#"{"type":"response.completed","response":{"status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"Hi"}]}]}}"#,
                r#"complete completed "Hi""#,
            ),
            (
                r#"{"type":"response.output_text.delta","delta":"Hi"}
                   {"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":{"reason":"content_filter"},"output":[]}}
                   {"type":"response.output_text.delta","delta":" more"}"#,
                r#"refused incomplete/content_filter "Hi""#,
            ),
            (
                r#"{"type":"response.refusal.delta","delta":"No"}
                   {"type":"response.completed","response":{"status":"completed","output":[]}}"#,
                r#"refused completed """#,
            ),
            (
                r#"{"type":"response.function_call_arguments.delta","output_index":1,"delta":"{\"a"}
                   {"type":"response.completed","response":{"status":"completed","output":[]}}"#,
                r#"error(bad_output) completed """#,
            ),
            // The last word on the calls is the response's.
            (
                r#"{"type":"response.function_call_arguments.delta","output_index":1,"delta":"{\"a"}
                   {"type":"response.completed","response":{"status":"completed","output":[{"type":"function_call","arguments":"{\"a\":1}"}]}}"#,
                r#"tool_calls completed """#,
            ),
            (
                r#"{"type":"response.output_item.added","item":{"type":"function_call"}}
                   {"type":"response.completed","response":{"status":"completed"}}"#,
                r#"tool_calls completed """#,
            ),
            (
                r#"{"type":"response.reasoning_summary_text.delta","delta":"hm"}
                   {"type":"response.brand_new","delta":"x"}
                   {"type":"response.output_text.delta","delta":"Hi"}
                   {"type":"response.queued","response":{"status":"queued"}}"#,
                r#"incomplete_stream - "Hi""#,
            ),
        ],
    );
}
