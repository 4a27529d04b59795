//! What was read of an answer so far. The readers of the providers write here, each event adding to it; what it amounts
//! to is decided at the end, in [`super::outcome`].

use super::calls::Calls;
use super::fault::Fault;
use super::finish::{self, Verdict};
use super::json::Value;
use super::outcome::Usage;
use super::provider::Provider;
use super::text::Text;

/// Every provider's name for the tokens that went in, and for those that came out.
const INPUT_TOKENS: [&str; 5] =
    ["prompt_tokens", "input_tokens", "promptTokenCount", "prompt_eval_count", "inputTokens"];
const OUTPUT_TOKENS: [&str; 5] =
    ["completion_tokens", "output_tokens", "candidatesTokenCount", "eval_count", "outputTokens"];

/// An answer in the making.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    /// The text of the answer.
    pub text: Text,
    /// There is a text, though it may be empty.
    pub has_text: bool,
    /// Whose shape it has.
    pub provider: Provider,
    /// It comes in pieces, so it needs a sign that it is over.
    pub streams: bool,
    /// The strongest finish reason.
    pub verdict: Option<Verdict>,
    /// The reason in the provider's words.
    pub reason: Option<String>,
    /// A refusal or a filter, whatever the finish reason.
    pub refused: bool,
    /// The provider says that it is still at work.
    pub pending: bool,
    /// Calls that the model asks for.
    pub calls: Calls,
    /// An error object or event.
    pub fault: Option<Fault>,
    /// Nothing that follows counts.
    pub closed: bool,
    /// Anything at all was understood.
    pub begun: bool,
    /// Tokens.
    pub usage: Usage,
    choice: Option<u64>,
}

impl Draft {
    /// A provider's shape was recognised.
    pub fn recognise(&mut self, provider: Provider) {
        self.provider = provider;
    }

    /// A piece of the text, if it is a string.
    pub fn write(&mut self, piece: Value<'_>) {
        self.has_text |= piece.append_to(&mut self.text);
    }

    /// Several answers to one question may come mixed; the first one seen is followed to its end.
    pub fn follows(&mut self, choice: u64) -> bool {
        *self.choice.get_or_insert(choice) == choice
    }

    /// A finish reason, if it is a string that says something.
    pub fn finish(&mut self, reason: Value<'_>) {
        if let Some(reason) = reason.string() {
            self.finish_as(finish::verdict(&reason), reason);
        }
    }

    /// A finish reason whose meaning is known.
    pub fn finish_as(&mut self, verdict: Option<Verdict>, reason: String) {
        if verdict.is_some() && verdict >= self.verdict {
            self.verdict = verdict;
            self.reason = Some(reason);
        }
    }

    /// An error: what follows does not count.
    pub fn fail(&mut self, fault: Fault) {
        self.fault = Some(fault);
        self.closed = true;
    }

    /// The counts in any provider's usage object. Later ones count, a missing one forgets nothing.
    pub fn count(&mut self, usage: Value<'_>) {
        if !usage.exists() {
            return;
        }
        let newest = |names| usage.members::<5>(names).into_iter().find_map(Value::integer);
        self.usage.input_tokens = newest(INPUT_TOKENS).or(self.usage.input_tokens);
        self.usage.output_tokens = newest(OUTPUT_TOKENS).or(self.usage.output_tokens);
    }
}
