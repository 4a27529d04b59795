//! Anthropic, Gemini and Ollama, and what proxies make of them.

use crate::read::{as_events, as_json, as_text, check, read_as, shown};

#[test]
fn messages_are_told_by_their_types_with_or_without_event_names() {
    check(
        as_json,
        [
            (r#"{"type":"message","content":[],"stop_reason":"end_turn"}"#, r#"complete end_turn """#),
            (r#"{"type":"message","content":"Hi","stop_reason":"end_turn"}"#, r#"complete end_turn "Hi""#),
            (r#"{"type":"message","content":[{"type":"text","text":"Hi"}],"stop_reason":null}"#, r#"complete - "Hi""#),
            (
                r#"{"stop_reason":"end_turn","content":[{"type":"redacted_thinking","data":"x"},{"text":"H","type":"text"},{"type":"text","text":"i"}],"type":"message"}"#,
                r#"complete end_turn "Hi""#,
            ),
            (
                r#"{"type":"message","content":[{"type":"tool_use","input":{}}],"stop_reason":"end_turn"}"#,
                r#"tool_calls end_turn """#,
            ),
            (
                r#"{"type":"message","content":[{"type":"tool_use","input":{}}],"stop_reason":"max_tokens"}"#,
                r#"truncated max_tokens """#,
            ),
        ],
    );
    check(
        as_events,
        [
            (
                r#"event: content_block_delta
                   {"index":0,"delta":{"text":"Hi"}}
                   event: message_delta
                   {"delta":{"stop_reason":"stop_sequence"}}"#,
                r#"complete stop_sequence "Hi""#,
            ),
            (
                r#"{"type":"content_block_start","content_block":{"type":"text","text":"H"}}
                   {"type":"content_block_delta","delta":{"type":"text_delta","text":"i"}}
                   {"type":"content_block_delta","delta":{"type":"thinking_delta","thinking":"hm"}}
                   {"type":"message_stop"}"#,
                r#"incomplete_stream - "Hi""#,
            ),
            (
                r#"{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","input":{}}}
                   {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"a"}}
                   {"type":"message_delta","delta":{"stop_reason":"tool_use"}}
                   {"type":"message_stop"}"#,
                r#"error(bad_output) tool_use """#,
            ),
            (
                r#"{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","input":{}}}
                   {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":""}}
                   {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"a\":1}"}}
                   {"type":"message_delta","delta":{"stop_reason":"tool_use"}}"#,
                r#"tool_calls tool_use """#,
            ),
            (r#"{"type":"ping"}"#, r#"incomplete_stream - """#),
        ],
    );
}

#[test]
fn gemini_is_read_as_body_events_and_array() {
    check(
        as_json,
        [
            (r#"{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"}}"#, r#"refused PROHIBITED_CONTENT """#),
            (r#"{"promptFeedback":{},"usageMetadata":{}}"#, r#"error(empty_response) - """#),
            (r#"{"candidates":[{"content":{"parts":[{"text":"Hi"}]}}]}"#, r#"complete - "Hi""#),
            (
                r#"{"candidates":[{"content":{"parts":[{"text":"Hi"}]},"finishReason":"FINISH_REASON_UNSPECIFIED"}]}"#,
                r#"complete - "Hi""#,
            ),
            (r#"{"candidates":[{"content":{"role":"model"},"finishReason":"STOP"}]}"#, r#"complete STOP """#),
            (
                r#"{"candidates":[{"finishReason":"MALFORMED_FUNCTION_CALL"}]}"#,
                r#"error(bad_output) MALFORMED_FUNCTION_CALL """#,
            ),
            (
                r#"{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"},{"index":1,"content":{"parts":[{"text":"b"}]},"finishReason":"SAFETY"}]}"#,
                r#"complete STOP "a""#,
            ),
        ],
    );
    check(
        as_events,
        [
            (
                r#"{"candidates":[{"content":{"parts":[{"text":"H"}]},"finishReason":"STOP"}]}
                   {"candidates":[{"content":{"parts":[{"text":"i"}]},"finishReason":"MAX_TOKENS"}]}
                   {"usageMetadata":{}}"#,
                r#"truncated MAX_TOKENS "Hi""#,
            ),
            (r#"{"usageMetadata":{}}"#, r#"incomplete_stream - """#),
        ],
    );
    let item = r#"{"candidates":[{"content":{"parts":[{"text":"Hi"}]},"finishReason":"STOP"}]}"#;
    for (body, wanted) in [
        (format!("[\r\n{item}\r\n]\r\n"), r#"complete STOP "Hi""#),
        // Only the bracket ends an array, since a reason may stand in every item.
        (format!("[{item}"), r#"incomplete_stream STOP "Hi""#),
        (format!("[{item},"), r#"incomplete_stream STOP "Hi""#),
        (format!("[{item} {item}]"), r#"error(bad_json) STOP "Hi""#),
        (r#"[{"error":{"code":503,"status":"UNAVAILABLE"}}]"#.to_owned(), r#"error(overloaded) - """#),
    ] {
        assert_eq!(as_json(&body), wanted, "{body}");
    }
}

#[test]
fn ollama_is_over_when_it_says_done() {
    check(
        as_text,
        [
            (r#"{"model":"m","response":"Hi","done":true}"#, r#"complete - "Hi""#),
            (
                r#"{"model":"m","message":{"content":"Hi"},"done":true,"done_reason":"length"}"#,
                r#"truncated length "Hi""#,
            ),
            (
                "{\"message\":{\"content\":\"H\",\"thinking\":\"hm\"},\"done\":false}\n{\"message\":{\"content\":\"i\"},\"done\":true,\"done_reason\":\"stop\"}\n",
                r#"complete stop "Hi""#,
            ),
            (
                r#"{"message":{"content":"","tool_calls":[{"function":{"arguments":{"a":1}}}]},"done":true,"done_reason":"stop"}"#,
                r#"tool_calls stop """#,
            ),
            (r#"{"model":"m","response":"Hi","done":false}{"model":"m","resp"#, r#"incomplete_stream - "Hi""#),
        ],
    );
    assert_eq!(shown(&read_as("application/x-ndjson", br#"{"model":"m","respo"#)), r#"incomplete_stream - """#);
}
