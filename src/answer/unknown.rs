//! A body of no known provider: the user's own Function App, Bedrock, Cohere and whatever else. The text is found by
//! best effort. It is never guessed complete: only a finish reason under a usual name says so.
//!
//! ```text
//! {"answer":"…"}    {"data":{"text":"…"}}    {"delta":"…"}    [{"generated_text":"…"}]    "…"
//! {"output":{"message":{"content":[{"text":"…"}]}},"stopReason":"guardrail_intervened"}
//! {"answer":"…","finish_reason":"length"}    {"type":"message-end","delta":{"finish_reason":"COMPLETE"}}
//! ```

use super::draft::Draft;
use super::fault::{self, Http};
use super::json::{Document, Value};
use super::provider::Provider;

/// Members that hold the text, the most telling first.
const TEXTS: [&str; 13] = [
    "answer",
    "text",
    "content",
    "message",
    "reply",
    "response",
    "output",
    "output_text",
    "generated_text",
    "completion",
    "result",
    "delta",
    "data",
];
/// Bedrock needs all of them: the body, output, message, content, item, text.
const MAX_LEVELS: u32 = 6;

/// Reads a document, if no known provider's came before.
pub(super) fn read(draft: &mut Draft, document: &Document<'_>, http: Http) {
    if draft.provider != Provider::Unknown {
        return;
    }
    let [state, success, usage, delta] = document.members(["status", "success", "usage", "delta"]);
    if success.as_bool() == Some(false) || state.is("error") || state.is("failed") {
        return draft.fail(fault::read(document.value, http));
    }
    draft.count(usage);
    find_text(draft, document.value, MAX_LEVELS);
    for part in [document.value, delta] {
        let reasons = part.members(["finish_reason", "finishReason", "stop_reason", "stopReason"]);
        reasons.into_iter().for_each(|reason| draft.finish(reason));
    }
}

/// Writes the text that is found first; whether there was one.
fn find_text(draft: &mut Draft, part: Value<'_>, levels: u32) -> bool {
    if levels == 0 || !part.exists() {
        return false;
    }
    if part.is_object() {
        return part.members(TEXTS).into_iter().any(|member| find_text(draft, member, levels - 1));
    }
    draft.write(part);
    let found = part.children().fold(false, |found, item| find_text(draft, item, levels - 1) | found);
    found || part.is_string()
}
