//! Anthropic's Messages: a message with a list of blocks, or events that build one.
//!
//! ```text
//! {"type":"message","content":[{"type":"text","text":"…"}],"stop_reason":"end_turn","usage":{…}}
//! {"type":"message_start","message":{…}}
//! {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}
//! {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"…"}}     or input_json_delta, thinking_delta
//! {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{…}}
//! {"type":"message_stop"}
//! ```
//! Events of other types are passed over, as Anthropic asks. The stop reason is what ends the answer: a `message_stop`
//! without one ends only the stream.

use super::draft::Draft;
use super::json::{Document, Value};
use super::provider::Provider;

/// The types of events that are read or known to say nothing.
pub(super) const EVENTS: [&str; 7] = [
    "message_start",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
    "ping",
];

/// What a block has.
const BLOCK: [&str; 2] = ["type", "text"];

/// Reads a message that came at once.
pub(super) fn read(draft: &mut Draft, message: &Document<'_>) {
    draft.recognise(Provider::Anthropic);
    draft.has_text = true;
    let [content, reason, usage] = message.members(["content", "stop_reason", "usage"]);
    draft.count(usage);
    draft.write(content);
    content.each_with(BLOCK).for_each(|part| block(draft, part));
    draft.finish(reason);
}

/// Reads an event.
pub(super) fn event(draft: &mut Draft, kind: &str, document: &Document<'_>) {
    draft.recognise(Provider::Anthropic);
    draft.streams = true;
    let [index, part, delta, usage, message] =
        document.members(["index", "content_block", "delta", "usage", "message"]);
    draft.count(usage);
    match kind {
        "message_start" => {
            let [usage] = message.members(["usage"]);
            draft.count(usage);
        }
        "content_block_start" => block(draft, part.members(BLOCK)),
        "content_block_delta" => {
            let [text, arguments] = delta.members(["text", "partial_json"]);
            draft.write(text);
            if arguments.exists() {
                draft.calls.argue(index.integer().unwrap_or(0), arguments);
            }
        }
        "message_delta" => {
            let [reason] = delta.members(["stop_reason"]);
            draft.finish(reason);
        }
        "message_stop" => draft.closed = true,
        _ => {}
    }
}

/// `{"type":"text","text":"…"}` · `{"type":"tool_use",…}`; what the server runs itself and what it thinks is neither.
fn block(draft: &mut Draft, [kind, text]: [Value<'_>; 2]) {
    if kind.is("text") {
        draft.write(text);
    } else if kind.is("tool_use") {
        draft.calls.ask();
    }
}
