//! The reading of an answer, as `pkg-template/answer_reading.js` drives it: bytes in, text and result out.

use crate::answer::{AiResult, End, Hints, Reader, Told};
use crate::policy::fields::Fields;
use crate::policy::retry_after::retry_after_ms;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/src/browser/answer.js")]
extern "C" {
    #[wasm_bindgen(js_name = statusOf)]
    fn status_of(answer: &JsValue) -> i32;
    fn field(from: &JsValue, name: &str) -> Option<String>;
}

#[wasm_bindgen(module = "/src/extras/result.js")]
extern "C" {
    #[allow(clippy::too_many_arguments)] // one crossing instead of ten
    fn result(
        outcome: &str,
        text: Option<String>,
        partial_text: bool,
        finish_reason: Option<String>,
        provider: &str,
        error_kind: Option<String>,
        retryable: bool,
        retry_after_ms: Option<f64>,
        input_tokens: Option<f64>,
        output_tokens: Option<f64>,
    ) -> JsValue;
}

/// Headers of anything that has headers.
struct HeadersOf<'a>(&'a JsValue);

impl Fields for HeadersOf<'_> {
    fn field(&self, name: &str) -> Option<String> {
        field(self.0, name)
    }
}

/// Reads one body.
#[wasm_bindgen(skip_typescript)]
pub struct AnswerReader(Reader);

#[wasm_bindgen]
impl AnswerReader {
    /// `answer` is a Response or looks like one; `custom`: the caller has a `read` of its own.
    #[wasm_bindgen(constructor)]
    pub fn new(answer: &JsValue, custom: bool, max_bytes: f64, now_ms: f64) -> AnswerReader {
        let headers = HeadersOf(answer);
        let hints = Hints {
            status: u16::try_from(status_of(answer)).unwrap_or_default(),
            content_type: &headers.field("content-type").unwrap_or_default(),
            retry_after_ms: retry_after_ms(&headers, now_ms as i64).map(|ms| ms as f64),
            custom,
            max_bytes: max_bytes as usize,
        };
        AnswerReader(Reader::new(hints))
    }

    /// Takes a chunk. False: nothing that follows counts.
    pub fn push(&mut self, chunk: &[u8]) -> bool {
        self.0.push(chunk)
    }

    /// The text that came since this was last asked; undefined for none.
    pub fn text(&mut self) -> Option<String> {
        Some(self.0.take_text()).filter(|text| !text.is_empty())
    }

    /// The next body or event for the caller's `read`, as it was written.
    pub fn ask(&mut self) -> Option<String> {
        self.0.ask()
    }

    /// What `read` made of it.
    pub fn tell(&mut self, text: String, finish_reason: Option<String>) {
        self.0.tell(Some(Told { text, finish_reason }));
    }

    /// `read` made nothing of it.
    pub fn pass(&mut self) {
        self.0.tell(None);
    }

    /// The body is over; there may be one more question.
    pub fn end(&mut self) {
        self.0.end();
    }

    /// `AiResult` of the public contract. `how` counts as in `body.js`.
    pub fn finish(&mut self, how: u32) -> JsValue {
        let how = [End::Closed, End::Cut, End::TimedOut, End::Cancelled].get(how as usize).copied();
        let AiResult {
            outcome,
            text,
            partial_text,
            finish_reason,
            provider,
            error_kind,
            retryable,
            retry_after_ms,
            usage,
        } = self.0.finish(how.unwrap_or(End::Cut));
        let [input, output] = usage.map_or([None; 2], |usage| [usage.input_tokens, usage.output_tokens]);
        result(
            outcome.name(),
            text,
            partial_text,
            finish_reason,
            provider.name(),
            error_kind.map(|kind| kind.name().to_owned()),
            retryable,
            retry_after_ms,
            input.map(|tokens| tokens as f64),
            output.map(|tokens| tokens as f64),
        )
    }
}
