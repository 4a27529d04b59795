//! OpenAI's chat completions, as OpenAI, Azure, Mistral, DeepSeek, OpenRouter, vLLM, Ollama and many others send them.
//!
//! ```text
//! {"choices":[{"index":0,"message":{"content":"…","refusal":null,"tool_calls":[…]},"finish_reason":"stop"}],"usage":{…}}
//! {"choices":[{"index":0,"delta":{"content":"…"},"finish_reason":null}]}       a chunk of a stream
//! {"choices":[],"prompt_filter_results":[…]}                                   Azure's first
//! {"choices":[{"finish_reason":null,"content_filter_results":{…}}]}            Azure's last, if it filters later
//! {"choices":[],"usage":{…}}                                                   the last, where usage is asked for
//! ```
//! Deviations that are read: `content` as a list of parts (Mistral's thinking models), arguments as an object, the older
//! `function_call` and `text`, a `message` beside or instead of `delta`, an error in a choice (OpenRouter).

use super::draft::Draft;
use super::fault::{self, Http};
use super::json::{Document, Value};
use super::provider::Provider;

/// Filter results nest this deep: list, results, category.
const FILTER_LEVELS: u32 = 4;

/// What a choice has.
const CHOICE: [&str; 8] =
    ["index", "delta", "message", "text", "finish_reason", "error", "content_filter_result", "content_filter_results"];

/// Reads a completion or a chunk of one.
pub(super) fn read(draft: &mut Draft, document: &Document<'_>, http: Http) {
    let [choices, object, usage, prompt_filter] =
        document.members(["choices", "object", "usage", "prompt_filter_results"]);
    draft.recognise(Provider::OpenaiChat);
    draft.streams |= object.is("chat.completion.chunk");
    draft.refused |= is_filtered(prompt_filter, FILTER_LEVELS);
    draft.count(usage);
    for (position, choice) in choices.each_with(CHOICE).enumerate() {
        let [index, delta, whole, text, reason, error, filter, filters] = choice;
        if !draft.follows(index.integer().unwrap_or(position as u64)) {
            continue;
        }
        draft.streams |= delta.exists();
        // Some send the whole message so far beside each delta, or once more at the end.
        if delta.exists() {
            message(draft, delta);
        } else if draft.text.is_empty() {
            message(draft, whole);
        }
        draft.write(text);
        draft.refused |= is_filtered(filter, FILTER_LEVELS) || is_filtered(filters, FILTER_LEVELS);
        draft.finish(reason);
        if error.says_something() {
            draft.fail(fault::read(error, http));
        }
    }
}

/// Reads a message, or the delta of one.
pub(super) fn message(draft: &mut Draft, message: Value<'_>) {
    let [content, refusal, calls, call] = message.members(["content", "refusal", "tool_calls", "function_call"]);
    draft.write(content);
    for part in content.children() {
        draft.has_text = true;
        content_part(draft, part);
    }
    draft.refused |= refusal.says_something();
    for (position, [index, function]) in calls.each_with(["index", "function"]).enumerate() {
        ask(draft, index.integer().unwrap_or(position as u64), function);
    }
    if call.exists() {
        ask(draft, 0, call);
    }
}

/// Reads a part of a content list: `{"type":"text","text":"…"}` · `"…"` · `{"type":"refusal","refusal":"…"}`
pub(super) fn content_part(draft: &mut Draft, part: Value<'_>) {
    let [kind, text, refusal] = part.members(["type", "text", "refusal"]);
    if !kind.exists() || kind.is("text") || kind.is("output_text") {
        draft.write(part);
        draft.write(text);
    }
    draft.refused |= refusal.says_something();
}

fn ask(draft: &mut Draft, call: u64, function: Value<'_>) {
    let [arguments] = function.members(["arguments"]);
    draft.calls.ask();
    draft.calls.argue(call, arguments);
}

/// `"filtered":true` of any category. `detected` alone only annotates.
fn is_filtered(results: Value<'_>, levels: u32) -> bool {
    if !results.exists() {
        return false;
    }
    let [filtered] = results.members(["filtered"]);
    filtered.as_bool() == Some(true) || levels > 0 && results.children().any(|part| is_filtered(part, levels - 1))
}
