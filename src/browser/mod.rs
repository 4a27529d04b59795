//! The shell: the only place that touches JavaScript. [`Browser`] is the [`Host`] of one call.
//!
//! | file | what it is for |
//! |---|---|
//! | [`start`] | a call from its arguments to its promise |
//! | [`options`] | the caller's options, checked |
//! | [`wait`] | one listener on the caller's signal, one timer a wait |
//! | [`info`] | the account, made into an object when somebody asks |
//! | [`read`] | the exports that only read |
//! | [`js`] | every binding; beside it the JavaScript that would cost a crossing a step in Rust: `request.js` (what the caller passed), `attempt.js` (signals and bodies), `answer.js` (guarded reads), `accounts.js`, `stead_error.js` |

mod clock;
mod info;
mod js;
mod key;
mod options;
mod read;
mod start;
mod wait;

pub use start::start;

use crate::host::{Host, Ready, Said, Sent, Situation, Wait, Woken};
use crate::policy::clock::Instant;
use crate::policy::fields::Fields;
use crate::policy::judge::Facts;
use crate::policy::page::{self, Page};
use crate::policy::plan::Kind;
use crate::policy::{body_hint, request, retry_after};
use crate::telemetry::endpoint;
use js::HeadersOf;
use js_sys::Function;
use options::Options;
use std::cell::RefCell;
use wait::{First, Patient};
use wasm_bindgen::prelude::*;

/// The types of the package, and their documentation.
#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("../types.d.ts");

/// The status from which an answer is a failure.
const FIRST_FAILURE: u16 = 400;
/// The headers that state a wait.
const HINTS: [&str; 3] = ["retry-after-ms", "x-ms-retry-after-ms", "retry-after"];
/// Sent by AI providers that know better than a status can say.
const SHOULD_RETRY: &str = "x-should-retry";

/// The host of one call.
pub struct Browser {
    kind: Kind,
    patient: Patient,
    options: Options,
    /// The address and method that `fetch` would see.
    url: String,
    method: String,
    /// The header of the idempotency key, and the key.
    key: Option<(String, String)>,
    /// The body of a `Request` must be read into a copy before the first send.
    copies_body: bool,
    /// The last answer, for the account of an error.
    last_answer: RefCell<JsValue>,
}

impl Browser {
    fn endpoint(&self) -> String {
        self.options.endpoint.clone().unwrap_or_else(|| endpoint::name(&self.url))
    }

    /// SharePoint's writes are POSTs, even where a header names another method.
    fn wants_digest(&self) -> bool {
        self.options.digest && !request::names_read(&self.method)
    }

    fn page(&self, answer: &JsValue) -> Option<Page> {
        let asked = self.patient.call.deciding();
        if !page::wants_data(&self.url, HeadersOf(&asked).field("accept").as_deref()) {
            return None;
        }
        let final_url = js::member(answer, "url").as_string().unwrap_or_default();
        page::recognise(&final_url, HeadersOf(answer).field("content-type").as_deref())
    }

    /// Calls a listener of the caller's with `RetryContext`, or with `RetryEvent` if a wait is about to begin.
    fn tell(&self, listener: &Function, situation: &Situation<'_, JsValue, JsValue>, wait: Option<Wait>) -> JsValue {
        let (answer, error) = match situation.ended {
            Sent::Answered(answer) => (answer, &JsValue::NULL),
            Sent::Failed(error) => (&JsValue::NULL, error),
            Sent::TimedOut | Sent::Aborted => (&JsValue::NULL, &JsValue::NULL),
        };
        let event = js::event(
            &self.patient.call,
            self.kind.name(),
            &self.endpoint(),
            situation.attempt,
            situation.elapsed_ms,
            situation.status,
            answer,
            error,
            wait.map_or(0.0, |wait| wait.delay_ms),
            wait.and_then(|wait| wait.retry_after_ms),
            wait.map(|wait| wait.cause.name()),
        );
        js::tell(listener, &event)
    }

    /// The text of a copy of an answer's body, or undefined.
    async fn text(&self, answer: &JsValue, limit_ms: f64) -> JsValue {
        let peek = js::peek_text(answer);
        let text = self.patient.first(Some(peek.text()), limit_ms).await;
        peek.stop();
        match text {
            First::Done(Ok(text)) => text,
            _ => JsValue::UNDEFINED,
        }
    }

    /// What the prepared headers decide.
    fn prepared(&self) -> Ready<JsValue> {
        let deciding = self.patient.call.deciding();
        let headers = HeadersOf(&deciding);
        let stacked = !deciding.is_undefined() && request::is_stacked(&headers);
        if stacked {
            start::warn_once("an outer layer repeats this call already, so it is sent once: let only one layer repeat");
        }
        let read =
            request::names_read(&self.method) && (deciding.is_undefined() || request::is_read(&self.method, &headers));
        Ready::Go { read, stacked }
    }
}

impl Host for Browser {
    type Answer = JsValue;
    type Error = JsValue;

    fn now(&self) -> Instant {
        clock::now()
    }

    fn unit(&self) -> f64 {
        clock::unit()
    }

    fn aborted(&self) -> bool {
        self.patient.aborted()
    }

    async fn prepare(&self, sent: u32, left_ms: f64) -> Ready<JsValue> {
        let key = self.key.as_ref();
        let waiting = js::prepare(
            &self.patient.call,
            sent,
            self.wants_digest(),
            self.copies_body && sent == 0,
            key.map(|(header, _)| header.as_str()),
            key.map(|(_, key)| key.as_str()),
            self.options.deadline_header.as_deref(),
            left_ms,
        );
        let waiting = match waiting {
            Ok(waiting) => waiting,
            Err(error) => return Ready::Failed(error),
        };
        if waiting.is_undefined() {
            return self.prepared();
        }
        match self.patient.first(Some(waiting.unchecked_into()), left_ms).await {
            First::Done(Ok(_)) => self.prepared(),
            First::Done(Err(error)) => Ready::Failed(error),
            First::TimedOut => Ready::TimedOut,
            First::Aborted => Ready::Aborted,
        }
    }

    async fn send(&self, limit_ms: f64) -> Sent<JsValue, JsValue> {
        let call = &self.patient.call;
        let answered = js::send(call, limit_ms.is_finite());
        match self.patient.first(Some(answered), limit_ms).await {
            First::Done(Ok(answer)) if js::status_of(&answer) == js::NO_ANSWER => {
                Sent::Failed(js::wrong_option("fetch", "a function that resolves with a Response", &answer))
            }
            First::Done(Ok(answer)) => {
                self.last_answer.replace(answer.clone());
                Sent::Answered(answer)
            }
            First::Done(Err(error)) => Sent::Failed(error),
            First::TimedOut => {
                js::stop(call, &js::timeout_error(limit_ms, None, None, &JsValue::UNDEFINED));
                Sent::TimedOut
            }
            First::Aborted => {
                js::stop(call, &js::reason_of(call));
                Sent::Aborted
            }
        }
    }

    async fn sleep(&self, ms: f64) -> Woken {
        let began = clock::now().mono;
        let mut left = ms;
        // A timer may ring a little early, but a server's wait is a floor.
        while left > 0.0 {
            if let First::Aborted = self.patient.first(None, left).await {
                return Woken::Aborted;
            }
            let before = left;
            left = ms - (clock::now().mono - began);
            // A clock that stands still, as a page's own tests may have it, must not hold the call for ever.
            if left >= before {
                break;
            }
        }
        if self.patient.aborted() { Woken::Aborted } else { Woken::Rested }
    }

    fn facts(&self, answer: &JsValue) -> Facts {
        let status = u16::try_from(js::status_of(answer)).ok();
        let page = self.page(answer);
        if status.is_none_or(|status| status < FIRST_FAILURE) {
            return Facts { status, page, ..Facts::default() };
        }
        let headers = HeadersOf(answer);
        let hint_ms = retry_after::retry_after_ms(&headers, clock::now().wall as i64).map(|ms| ms as f64);
        let hint_hidden = matches!(status, Some(429 | 503))
            && js::member(answer, "type").as_string().as_deref() == Some("cors")
            && HINTS.iter().all(|name| headers.field(name).is_none());
        let should_retry = match headers.field(SHOULD_RETRY).as_deref() {
            Some("true") => Some(true),
            Some("false") => Some(false),
            _ => None,
        };
        Facts { status, hint_ms, should_retry, page, hint_hidden }
    }

    fn stopped(&self, error: &JsValue) -> bool {
        js::is_stead_error(error) || js::error_name(error) == "AbortError"
    }

    async fn digest_expired(&self, answer: &JsValue, limit_ms: f64) -> bool {
        self.wants_digest() && js::refuses_digest(&self.text(answer, limit_ms).await)
    }

    async fn peek(&self, answer: &JsValue, limit_ms: f64) -> Said {
        if !HeadersOf(answer).field("content-type").is_some_and(|kind| page::names_json(&kind)) {
            return Said::default();
        }
        let text = self.text(answer, limit_ms).await;
        let Some(error) = js::json_error(&text) else { return Said::default() };
        let part = |at| error.get(at).as_string().unwrap_or_default();
        Said {
            quota: body_hint::is_quota(&part(0)) || body_hint::is_quota(&part(1)),
            wait_ms: body_hint::stated_wait(&part(2)),
        }
    }

    fn should_retry(&self, situation: &Situation<'_, JsValue, JsValue>) -> Option<bool> {
        // A throw keeps the rule, and so does anything that is not a boolean: a promise, say.
        self.tell(self.options.should_retry.as_ref()?, situation, None).as_bool()
    }

    fn on_retry(&self, situation: &Situation<'_, JsValue, JsValue>, wait: Wait) {
        if let Some(listener) = &self.options.on_retry {
            self.tell(listener, situation, Some(wait));
        }
    }

    fn discard(&self, answer: JsValue) {
        js::discard(&answer);
    }

    fn error_name(&self, error: &JsValue) -> String {
        js::error_name(error)
    }
}
