//! What servers of chat completions do that OpenAI's documents do not say.

use crate::read::{as_events, as_json, chat, check, shown};

#[test]
fn chat_completions_are_read_however_they_are_written() {
    check(
        as_json,
        [
            (
                r#" { "usage" : { } , "choices" : [ { "finish_reason" : "stop" , "message" : { "content" : "Hi" } } ] } "#,
                r#"complete stop "Hi""#,
            ),
            (
                r#"{"cho\u0069ces":[{"mess\u0061ge":{"content":"Hi"},"finish_reason":"st\u006fp"}]}"#,
                r#"complete stop "Hi""#,
            ),
            (
                r#"{"choices":[{"message":{"content":"a"},"message":{"content":"b","content":"Hi"},"finish_reason":"length","finish_reason":"stop"}]}"#,
                r#"complete stop "Hi""#,
            ),
            (
                r#"{"choices":[{"index":1,"message":{"content":"b"},"finish_reason":"length"},{"index":0,"message":{"content":"a"},"finish_reason":"stop"}]}"#,
                r#"truncated length "b""#,
            ),
            (
                r#"{"choices":[{"message":{"content":"Hi"},"finish_reason":"stop"},{"message":{"content":"no"},"finish_reason":"length"}]}"#,
                r#"complete stop "Hi""#,
            ),
            (
                r#"{"created":1e999,"x":-0.5E+7,"id":99999999999999999999999,"choices":[{"message":{"content":"Hi"},"logprobs":NaN,"finish_reason":"stop"}]}"#,
                r#"complete stop "Hi""#,
            ),
            (
                r#"{"choices":[{"message":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"H"},{"text":"i"},null,3]},"finish_reason":"stop"}]}"#,
                r#"complete stop "Hi""#,
            ),
            (
                r#"{"choices":[{"message":{"content":"Hi","reasoning_content":"hm","reasoning":"hm"},"finish_reason":"stop"}]}"#,
                r#"complete stop "Hi""#,
            ),
            (
                r#"{"object":"text_completion","choices":[{"text":"Hi","finish_reason":"stop"}]}"#,
                r#"complete stop "Hi""#,
            ),
            (r#"{"choices":[{"message":{"content":""},"finish_reason":"stop"}]}"#, r#"complete stop """#),
            (r#"{"choices":[{"message":null,"finish_reason":"length"}]}"#, "truncated length none"),
            (r#"{"choices":[{"message":{"content":null},"finish_reason":null}]}"#, "error(empty_response) - none"),
            (r#"{"choices":[{"message":{"content":""},"finish_reason":null}]}"#, r#"error(empty_response) - """#),
            (r#"{"choices":[null]}"#, "error(empty_response) - none"),
            (r#"{"object":"chat.completion","choices":null}"#, "error(empty_response) - none"),
            (
                r#"{"choices":[{"message":{"content":"Hi"},"finish_reason":"max_tokens"}]}"#,
                r#"truncated max_tokens "Hi""#,
            ),
            (
                r#"{"choices":[{"message":{"content":"Hi"},"finish_reason":"insufficient_system_resource"}]}"#,
                r#"error(overloaded) insufficient_system_resource "Hi""#,
            ),
            (
                r#"{"choices":[{"message":{"content":"Hi","refusal":""},"finish_reason":"stop"}]}"#,
                r#"complete stop "Hi""#,
            ),
            (
                r#"{"choices":[{"message":{"content":"Hi"},"content_filter_results":{"custom_blocklists":[{"filtered":true}]},"finish_reason":"stop"}]}"#,
                r#"refused stop "Hi""#,
            ),
            (
                r#"{"prompt_filter_results":[{"content_filter_results":{"hate":{"filtered":true}}}],"choices":[{"message":{"content":""},"finish_reason":"stop"}]}"#,
                r#"refused stop """#,
            ),
        ],
    );
}

#[test]
fn arguments_of_calls_are_never_handed_on_broken() {
    let body = |calls: &str, reason: &str| {
        as_json(&format!(r#"{{"choices":[{{"message":{{"content":null,{calls}}},"finish_reason":{reason}}}]}}"#))
    };
    for (calls, reason, wanted) in [
        (r#""tool_calls":[{"function":{"arguments":"{\"a\":1}"}}]"#, r#""tool_calls""#, "tool_calls tool_calls none"),
        (r#""tool_calls":[{"function":{"arguments":"{\"a\":1}"}}]"#, "null", "tool_calls - none"),
        (r#""tool_calls":[{"function":{"arguments":{"a":1}}}]"#, r#""stop""#, "tool_calls stop none"),
        (r#""tool_calls":[{"function":{"arguments":""}}]"#, r#""stop""#, "tool_calls stop none"),
        (r#""function_call":{"name":"f","arguments":"{}"}"#, r#""function_call""#, "tool_calls function_call none"),
        (r#""tool_calls":[],"function_call":null"#, r#""stop""#, "complete stop none"),
        (
            r#""tool_calls":[{"function":{"arguments":"{\"a\":"}}]"#,
            r#""tool_calls""#,
            "error(bad_output) tool_calls none",
        ),
        (r#""tool_calls":[{"function":{"arguments":"{\"a\":"}}]"#, r#""stop""#, "error(bad_output) stop none"),
        (r#""tool_calls":[{"function":{"arguments":"{\"a\":"}}]"#, "null", "error(bad_output) - none"),
        (r#""tool_calls":[{"function":{"arguments":"{\"a\":"}}]"#, r#""length""#, "truncated length none"),
        (
            r#""function_call":{"name":"f","arguments":"{\"a"}"#,
            r#""function_call""#,
            "error(bad_output) function_call none",
        ),
    ] {
        assert_eq!(body(calls, reason), wanted, "{calls} {reason}");
    }
    let piece = |index: u8, piece: &str| {
        format!(r#"{{"tool_calls":[{{"index":{index},"function":{{"arguments":"{piece}"}}}}]}}"#)
    };
    for (pieces, wanted) in [
        ([piece(0, "{}"), piece(0, r#"{\"a\":1}"#)], r#"tool_calls tool_calls """#),
        ([piece(0, r#"{\"a\""#), piece(0, ":1}")], r#"tool_calls tool_calls """#),
        ([piece(0, r#"{\"a\""#), piece(1, ":1}")], r#"error(bad_output) tool_calls """#),
        ([piece(0, "{}"), piece(1, r#"{\"a\""#)], r#"error(bad_output) tool_calls """#),
    ] {
        let result = chat(&[(&pieces[0], "null"), (&pieces[1], "null"), ("{}", r#""tool_calls""#)]);
        assert_eq!(shown(&result), wanted, "{pieces:?}");
    }
}

#[test]
fn chunks_of_a_chat_completion_are_read_however_they_come() {
    check(
        as_events,
        [
            (
                r#"{"choices":[]}
                   : keep-alive
                   {"choices":[{"delta":{"role":"assistant"}}]}
                   {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}],"usage":null}
                   {"choices":[],"usage":{"prompt_tokens":1}}"#,
                r#"complete stop "Hi""#,
            ),
            // The mark alone does not say how the answer ended.
            (
                r#"{"choices":[{"delta":{"content":"Hi"}}]}
                   [DONE]"#,
                r#"incomplete_stream - "Hi""#,
            ),
            (
                r#"{"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}
                   [DONE]
                   {"choices":[{"delta":{"content":"more"},"finish_reason":"length"}]}"#,
                r#"complete stop "Hi""#,
            ),
            (
                r#"{"choices":[{"index":0,"delta":{"content":"a"}}]}
                   {"choices":[{"index":1,"delta":{"content":"b"}}]}
                   {"choices":[{"index":1,"delta":{},"finish_reason":"length"}]}
                   {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#,
                r#"complete stop "a""#,
            ),
            (
                r#"{"choices":[{"index":0,"delta":{"content":"a"}},{"index":1,"delta":{"content":"b"},"finish_reason":"stop"}]}"#,
                r#"incomplete_stream - "a""#,
            ),
            // The message so far beside each delta.
            (
                r#"{"choices":[{"delta":{"content":"H"},"message":{"content":"H"}}]}
                   {"choices":[{"delta":{"content":"i"},"message":{"content":"Hi"},"finish_reason":"stop"}]}"#,
                r#"complete stop "Hi""#,
            ),
            (
                r#"{"choices":[{"delta":{"content":"Hi"}}]}
                   {"object":"chat.completion","choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}]}"#,
                r#"complete stop "Hi""#,
            ),
            (r#"{"choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}]}"#, r#"complete stop "Hi""#),
            // One event needs a reason, even where it is a whole message.
            (r#"{"choices":[{"message":{"content":"Hi"},"finish_reason":null}]}"#, r#"incomplete_stream - "Hi""#),
            (
                r#"{"choices":[{"delta":{"content":"Hi"},"finish_reason":""}]}
                   {"choices":[{"delta":null,"finish_reason":"stop"}]}"#,
                r#"complete stop "Hi""#,
            ),
            (
                r#"{"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}
                   {"choices":[{"delta":{},"finish_reason":null}]}"#,
                r#"complete stop "Hi""#,
            ),
            // A filter that comes late, with a reason of its own or without.
            (
                r#"{"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}
                   {"choices":[{"finish_reason":"content_filter"}]}"#,
                r#"refused content_filter "Hi""#,
            ),
            (
                r#"{"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}
                   {"choices":[{"finish_reason":null,"content_filter_results":{"hate":{"filtered":true}}}]}"#,
                r#"refused stop "Hi""#,
            ),
            // Of two reasons the worse one counts, in any order.
            (
                r#"{"choices":[{"delta":{"content":"Hi"},"finish_reason":"length"}]}
                   {"choices":[{"delta":{},"finish_reason":"stop"}]}"#,
                r#"truncated length "Hi""#,
            ),
            (
                r#"{"choices":[{"delta":{"content":"","refusal":""}}]}
                   {"choices":[{"delta":{"refusal":"I can"}}]}"#,
                r#"refused - """#,
            ),
            (
                r#"{"choices":[{"delta":{"content":"Hi"}}]}
                   {"choices":[{"delta":{"content":"Lost
                   {"choices":[{"delta":{},"finish_reason":"stop"}]}"#,
                r#"error(bad_json) - "Hi""#,
            ),
            (
                r#"{"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}
                   {"usage":"#,
                r#"complete stop "Hi""#,
            ),
            // What no chunk is does no harm.
            (
                r#"{}
                   {"type":"ping"}
                   {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}],"error":null}
                   {"message":"bye"}
                   keep-alive"#,
                r#"complete stop "Hi""#,
            ),
            (
                r#"{"choices":[{"delta":{"content":"\ud83d"}}]}
                   {"choices":[{"delta":{"content":"\ude00"},"finish_reason":"stop"}]}"#,
                r#"complete stop "😀""#,
            ),
            (
                r#"{"choices":[{"delta":{"content":"\ud83d"}}]}
                   {"choices":[{"delta":{"content":"!"},"finish_reason":"stop"}]}"#,
                "complete stop \"\u{fffd}!\"",
            ),
        ],
    );
}

#[test]
fn behind_an_answer_at_once_there_is_nothing() {
    let body = r#"{"choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}]}"#;
    assert_eq!(as_json(&format!("{body}\n\n")), r#"complete stop "Hi""#);
    for behind in [body, "<html>", "{", "x", "x ", ","] {
        assert_eq!(as_json(&format!("{body}{behind}")), "error(bad_json) stop none", "{behind}");
    }
}
