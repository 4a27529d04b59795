//! OpenAI's Responses: a body with `status` and `output`, or events whose last one holds that body. There is no `[DONE]`.
//!
//! ```text
//! {"object":"response","status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"…"}]}]}
//! {"type":"response.output_text.delta","delta":"…"}
//! {"type":"response.function_call_arguments.delta","output_index":0,"delta":"…"}
//! {"type":"response.completed","response":{…}}       or .incomplete, .failed: the status tells which
//! ```

use super::draft::Draft;
use super::fault::{self, ErrorKind, Fault, Http};
use super::finish::{self, Verdict};
use super::json::{Document, Value};
use super::openai_chat;
use super::provider::Provider;

/// Items that wait for the caller. Others, such as a web search, the server has run itself.
const CALLS: [&str; 7] = [
    "function_call",
    "custom_tool_call",
    "computer_call",
    "local_shell_call",
    "shell_call",
    "apply_patch_call",
    "mcp_approval_request",
];

/// Reads a body that came at once.
pub(super) fn read(draft: &mut Draft, response: &Document<'_>, http: Http) {
    draft.recognise(Provider::OpenaiResponses);
    body(draft, response.value, http);
    draft.has_text |= !draft.pending;
}

/// Reads an event. The kind tells deltas apart; an event with a response in it is told by the response's status.
pub(super) fn event(draft: &mut Draft, kind: &str, document: &Document<'_>, http: Http) {
    draft.recognise(Provider::OpenaiResponses);
    draft.streams = true;
    let [response, delta, index, item] = document.members(["response", "delta", "output_index", "item"]);
    match kind {
        "response.output_text.delta" => draft.write(delta),
        "response.refusal.delta" | "response.refusal.done" => draft.refused = true,
        "response.function_call_arguments.delta" => {
            draft.calls.ask();
            draft.calls.argue(index.integer().unwrap_or(0), delta);
        }
        "response.output_item.added" => {
            let [kind] = item.members(["type"]);
            if is_call(kind) {
                draft.calls.ask();
            }
        }
        _ => {
            let [state] = response.members(["status"]);
            if state.exists() && !is_pending(state) {
                body(draft, response, http);
                draft.closed = true;
            }
        }
    }
}

fn body(draft: &mut Draft, response: Value<'_>, http: Http) {
    let [state, output, details, usage, filters] =
        response.members(["status", "output", "incomplete_details", "usage", "content_filters"]);
    draft.count(usage);
    // Deltas that were read stay as they are; the response repeats them.
    let silent = draft.text.is_empty();
    for (position, item) in output.each_with(["type", "content", "arguments"]).enumerate() {
        if position == 0 {
            draft.calls.clear();
        }
        let [kind, content, arguments] = item;
        if is_call(kind) {
            draft.calls.ask();
            draft.calls.argue(position as u64, arguments);
        }
        for part in content.children().filter(|_| kind.is("message")) {
            let [refusal] = part.members(["refusal"]);
            draft.refused |= refusal.says_something();
            if silent {
                openai_chat::content_part(draft, part);
            }
        }
    }
    draft.refused |= filters.each_with(["blocked"]).any(|[blocked]| blocked.as_bool() == Some(true));
    conclude(draft, response, state, details, http);
}

/// `completed` · `incomplete` with its reason · `failed` with its error · `cancelled` · `queued`
fn conclude(draft: &mut Draft, response: Value<'_>, state: Value<'_>, details: Value<'_>, http: Http) {
    let Some(mut reason) = state.string() else { return };
    let [why] = details.members(["reason"]);
    let mut verdict = Some(Verdict::Complete);
    if state.is("incomplete") {
        let why = why.string().unwrap_or_default();
        // Whatever cut it, it is not complete.
        verdict = finish::verdict(&why).max(Some(Verdict::Truncated));
        if !why.is_empty() {
            reason = reason + "/" + &why;
        }
    }
    if is_pending(state) {
        draft.pending = true;
    } else if state.is("failed") {
        draft.fail(fault::read(response, http));
    } else if state.is("cancelled") {
        draft.fail(Fault::lasting(ErrorKind::Cancelled));
    } else {
        return draft.finish_as(verdict, reason);
    }
    draft.reason = Some(reason);
}

fn is_pending(state: Value<'_>) -> bool {
    state.is("queued") || state.is("in_progress")
}

fn is_call(kind: Value<'_>) -> bool {
    CALLS.iter().any(|call| kind.is(call))
}
