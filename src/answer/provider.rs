//! Whose answer is it? Told by each document's own members, never by address or content type: the same shapes come from
//! many servers, and a stream may begin with events that say little.

use super::draft::Draft;
use super::fault::{self, Http};
use super::json::Document;
use super::{anthropic, gemini, ollama, openai_chat, openai_responses, unknown};

/// Whose shape an answer has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Provider {
    /// Chat completions, of whatever server.
    OpenaiChat,
    /// OpenAI's Responses.
    OpenaiResponses,
    /// Anthropic's Messages.
    Anthropic,
    /// Gemini's `generateContent`.
    Gemini,
    /// Ollama's own.
    Ollama,
    /// Read by the caller's own function.
    Custom,
    /// None of these.
    #[default]
    Unknown,
}

impl Provider {
    /// The name in the public contract.
    pub fn name(self) -> &'static str {
        match self {
            Provider::OpenaiChat => "openai-chat",
            Provider::OpenaiResponses => "openai-responses",
            Provider::Anthropic => "anthropic",
            Provider::Gemini => "gemini",
            Provider::Ollama => "ollama",
            Provider::Custom => "custom",
            Provider::Unknown => "unknown",
        }
    }
}

/// Reads one document: a whole body, or one event of a stream. `event` is the name of a server-sent event; it stands
/// in for a missing `type`.
pub(super) fn read(draft: &mut Draft, document: &Document<'_>, event: &[u8], http: Http) {
    draft.begun = true;
    let [kind, object, choices, content, error, code] =
        document.members(["type", "object", "choices", "content", "error", "statusCode"]);
    let is_error = http.is_error() || is_error_event(event) || fault::is_told_by(error, kind, object, code);
    let kind = kind.string().unwrap_or_else(|| String::from_utf8_lossy(event).into_owned());

    if choices.exists() || object.is("chat.completion") || object.is("chat.completion.chunk") {
        openai_chat::read(draft, document, http);
    } else if object.is("response") {
        openai_responses::read(draft, document, http);
    } else if kind.as_bytes().starts_with(b"response.") {
        openai_responses::event(draft, &kind, document, http);
    } else if anthropic::EVENTS.contains(&kind.as_str()) {
        anthropic::event(draft, &kind, document);
    } else if kind == "message" && content.exists() {
        anthropic::read(draft, document);
    } else if gemini::is_one(document) {
        gemini::read(draft, document);
    } else if ollama::is_one(document) {
        ollama::read(draft, document);
    } else if !is_error {
        unknown::read(draft, document, http);
    }
    if is_error && draft.fault.is_none() {
        draft.fail(fault::read(document.value, http));
    }
}

/// Whether a document is an error, whatever else it is.
pub(super) fn is_error(document: &Document<'_>, event: &[u8], http: Http) -> bool {
    let [error, kind, object, code] = document.members(["error", "type", "object", "statusCode"]);
    http.is_error() || is_error_event(event) || fault::is_told_by(error, kind, object, code)
}

/// The one name of an event that means the same for every provider.
pub(super) fn is_error_event(event: &[u8]) -> bool {
    event == b"error"
}
