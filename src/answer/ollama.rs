//! Ollama's own `/api/chat` and `/api/generate`: a JSON document a line, or one alone. `done` ends the answer, with or
//! without a reason.
//!
//! ```text
//! {"model":"…","message":{"role":"assistant","content":"…"},"done":false}
//! {"model":"…","response":"…","done":true,"done_reason":"stop","prompt_eval_count":9,"eval_count":4}
//! ```

use super::draft::Draft;
use super::finish::Verdict;
use super::json::Document;
use super::openai_chat;
use super::provider::Provider;

/// Whether this is one of its lines.
pub(super) fn is_one(line: &Document<'_>) -> bool {
    let [done, model, message, response] = line.members(["done", "model", "message", "response"]);
    done.as_bool().is_some() && (model.exists() || message.exists() || response.exists())
}

/// Reads a line.
pub(super) fn read(draft: &mut Draft, line: &Document<'_>) {
    draft.recognise(Provider::Ollama);
    draft.streams = true;
    let [message, response, done, reason] = line.members(["message", "response", "done", "done_reason"]);
    draft.count(line.value);
    openai_chat::message(draft, message);
    draft.write(response);
    if done.as_bool() == Some(true) {
        draft.finish(reason);
        draft.verdict = draft.verdict.or(Some(Verdict::Complete));
        draft.closed = true;
    }
}
