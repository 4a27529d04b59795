//! Gemini's `generateContent`: one body, the same as events, or the same as the items of an array.
//!
//! ```text
//! {"candidates":[{"content":{"parts":[{"text":"…"}]},"finishReason":"STOP"}],"usageMetadata":{…}}
//! {"promptFeedback":{"blockReason":"SAFETY"}}
//! ```
//! Older models say `STOP` in every event, so text after a finish reason counts. Thoughts (`"thought":true`) are no text.

use super::draft::Draft;
use super::finish::Verdict;
use super::json::{Document, Value};
use super::provider::Provider;

/// Whether this is one.
pub(super) fn is_one(document: &Document<'_>) -> bool {
    let members = document.members(["candidates", "promptFeedback", "usageMetadata"]);
    members.into_iter().any(Value::exists)
}

/// Reads a response or a part of a streamed one.
pub(super) fn read(draft: &mut Draft, document: &Document<'_>) {
    draft.recognise(Provider::Gemini);
    draft.has_text = true;
    let [candidates, usage, feedback] = document.members(["candidates", "usageMetadata", "promptFeedback"]);
    draft.count(usage);
    for (position, candidate) in candidates.each_with(["index", "content", "finishReason"]).enumerate() {
        let [index, content, reason] = candidate;
        if draft.follows(index.integer().unwrap_or(position as u64)) {
            let [parts] = content.members(["parts"]);
            parts.each_with(["text", "thought", "functionCall"]).for_each(|part| read_part(draft, part));
            draft.finish(reason);
        }
    }
    let [blocked] = feedback.members(["blockReason"]);
    if let Some(reason) = blocked.string() {
        draft.finish_as(Some(Verdict::Refused), reason);
    }
}

fn read_part(draft: &mut Draft, [text, thought, call]: [Value<'_>; 3]) {
    if thought.as_bool() != Some(true) {
        draft.write(text);
    }
    if call.exists() {
        draft.calls.ask();
    }
}
