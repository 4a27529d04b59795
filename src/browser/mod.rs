//! The shell: the only place that touches JavaScript. [`Browser`] is the [`Host`] of one call.
//!
//! | file | what it owns |
//! |---|---|
//! | [`start`] | a call from its arguments to its promise |
//! | [`options`] | the caller's options, checked |
//! | [`wait`] | one listener on the caller's signal, one timer a wait |
//! | [`leash`] | the signal that the transport gets |
//! | [`body_deadline`] | deadlines of bodies that are still streaming |
//! | [`info`] | the account, made into an object when somebody asks |
//! | [`read`] | the header readers and `explain` |
//! | [`js`] | every binding, and the JavaScript beside it: `request.js`, `answer.js`, `accounts.js`, `follow.js`, `stead_error.js` |

mod body_deadline;
mod clock;
mod fields;
mod info;
mod js;
mod key;
mod leash;
mod options;
mod read;
mod start;
mod wait;

pub use start::start;

use crate::host::{Host, Ready, Said, Sent, Situation, Wait, Woken};
use crate::policy::clock::Instant;
use crate::policy::judge::Facts;
use crate::policy::plan::Kind;
use crate::policy::{body_hint, page, request, retry_after};
use crate::telemetry::endpoint;
use fields::Of;
use js::Call;
use js_sys::Promise;
use leash::Leash;
use options::Options;
use serde::Serialize;
use std::cell::RefCell;
use std::future::pending;
use wait::{CallerSignal, First, first};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// The status from which an answer is a failure.
const FIRST_FAILURE: u16 = 400;
/// The headers that state a wait.
const HINTS: [&str; 3] = ["retry-after-ms", "x-ms-retry-after-ms", "retry-after"];
/// `x-should-retry`, sent by AI providers that know better than a status can say.
const SHOULD_RETRY: &str = "x-should-retry";

/// The host of one call.
pub struct Browser {
    kind: Kind,
    call: Call,
    options: Options,
    signal: CallerSignal,
    /// The idempotency key minted or given, with its header.
    key: Option<(String, String)>,
    /// The body of a `Request` must be read into a copy before the first send.
    copies_body: bool,
    /// What the transport was given for the last attempt.
    leash: RefCell<Leash>,
    /// The last answer, for the account of an error.
    last_answer: RefCell<JsValue>,
}

/// `RetryContext` and `RetryEvent` of the public contract, but for `error` and `response`, which are not data.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Event<'a> {
    kind: Kind,
    method: &'a str,
    endpoint: &'a str,
    attempt: u32,
    elapsed_ms: f64,
    status: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    delay_ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after_ms: Option<Option<f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
}

impl Browser {
    /// A request header that decides something.
    fn deciding(&self) -> JsValue {
        self.call.deciding()
    }

    fn endpoint(&self) -> String {
        self.options.endpoint.clone().unwrap_or_else(|| endpoint::name(&self.call.url()))
    }

    fn page(&self, answer: &JsValue, headers: &Of<'_>) -> Option<page::Page> {
        use crate::policy::fields::Fields;
        let asked = self.deciding();
        if !page::wants_data(&self.call.url(), Of(&asked).field("accept").as_deref()) {
            return None;
        }
        let final_url = js::member(answer, "url").as_string().unwrap_or_default();
        page::recognise(&final_url, headers.field("content-type").as_deref())
    }

    /// Asks a function of the caller's for a promise, within the limit.
    async fn ask(&self, answer: Result<JsValue, JsValue>, left_ms: f64) -> Result<JsValue, Ready<JsValue>> {
        let answer = answer.map_err(Ready::Failed)?;
        match first(JsFuture::from(Promise::resolve(&answer)), left_ms, &self.signal).await {
            First::Done(Ok(value)) => Ok(value),
            First::Done(Err(error)) => Err(Ready::Failed(error)),
            First::TimedOut => Err(Ready::TimedOut),
            First::Aborted => Err(Ready::Aborted),
        }
    }

    async fn dress(&self, attempt: u32, left_ms: f64) -> Result<Ready<JsValue>, Ready<JsValue>> {
        let began = clock::now();
        let left = || left_ms - clock::now().since(began).ms;
        let mut made = self.call.headers();
        if let Some(make) = made.dyn_ref::<js_sys::Function>() {
            let context = info::plain(&HeadersContext { attempt });
            made = self.ask(make.call1(&JsValue::UNDEFINED, &context), left()).await?;
        }
        let mut digest = JsValue::UNDEFINED;
        if let Some(give) = &self.options.digest
            && !request::names_read(&self.call.method())
        {
            digest = self.ask(give.call0(&JsValue::UNDEFINED), left()).await?;
        }
        if self.copies_body && attempt == 0 {
            self.ask(Ok(js::copy_body(&self.call).into()), left()).await?;
        }
        let (key_header, key) = self.key.as_ref().map_or((None, None), |(header, key)| (Some(&**header), Some(&**key)));
        let deadline_header = self.options.deadline_header.as_deref();
        js::dress(&self.call, &made, &digest, key_header, key, deadline_header, left()).map_err(Ready::Failed)?;
        let deciding = self.deciding();
        if deciding.is_undefined() {
            return Ok(Ready::Go { read: request::names_read(&self.call.method()), stacked: false });
        }
        let headers = Of(&deciding);
        let stacked = request::is_stacked(&headers);
        if stacked {
            start::warn_once("an outer layer repeats this call already, so it is sent once: let only one layer repeat");
        }
        Ok(Ready::Go { read: request::is_read(&self.call.method(), &headers), stacked })
    }

    fn event(&self, situation: &Situation<'_, JsValue, JsValue>, wait: Option<Wait>) -> JsValue {
        let event = info::plain(&Event {
            kind: self.kind,
            method: &self.call.method(),
            endpoint: &self.endpoint(),
            attempt: situation.attempt,
            elapsed_ms: situation.elapsed_ms,
            status: situation.status,
            delay_ms: wait.map(|wait| wait.delay_ms),
            retry_after_ms: wait.map(|wait| wait.retry_after_ms),
            reason: wait.map(|wait| wait.cause.name()),
        });
        let (response, error) = match situation.ended {
            Sent::Answered(answer) => (answer, &JsValue::NULL),
            Sent::Failed(error) => (&JsValue::NULL, error),
            Sent::TimedOut | Sent::Aborted => (&JsValue::NULL, &JsValue::NULL),
        };
        for (name, value) in [("response", response), ("error", error)] {
            // A plain object of ours takes any member.
            let _ = js_sys::Reflect::set(&event, &name.into(), value);
        }
        event
    }

    /// The text of a copy of an answer's body, or undefined.
    async fn text(&self, answer: &JsValue, limit_ms: f64) -> JsValue {
        let peek = js::peek_text(answer);
        let text = first(JsFuture::from(peek.text()), limit_ms, &self.signal).await;
        peek.stop();
        match text {
            First::Done(Ok(text)) => text,
            _ => JsValue::UNDEFINED,
        }
    }
}

#[derive(Serialize)]
struct HeadersContext {
    attempt: u32,
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
        self.signal.aborted()
    }

    async fn prepare(&self, attempt: u32, left_ms: f64) -> Ready<JsValue> {
        self.dress(attempt, left_ms).await.unwrap_or_else(|ended| ended)
    }

    async fn send(&self, limit_ms: f64) -> Sent<JsValue, JsValue> {
        let leash = Leash::new(&self.signal, limit_ms.is_finite());
        let answered = JsFuture::from(js::send(&self.call, leash.signal()));
        let sent = match first(answered, limit_ms, &self.signal).await {
            First::Done(Ok(answer)) if js::status_of(&answer) == js::NO_ANSWER => {
                Sent::Failed(js::wrong_option("fetch", "a function that resolves with a Response", &answer))
            }
            First::Done(Ok(answer)) => {
                self.last_answer.replace(answer.clone());
                Sent::Answered(answer)
            }
            First::Done(Err(error)) => Sent::Failed(error),
            First::TimedOut => {
                leash.pull(&js::timeout_error(limit_ms, None, None, &JsValue::UNDEFINED));
                Sent::TimedOut
            }
            First::Aborted => {
                leash.pull(&self.signal.reason());
                Sent::Aborted
            }
        };
        self.leash.replace(leash);
        sent
    }

    async fn sleep(&self, ms: f64) -> Woken {
        let began = clock::now().mono;
        let mut left = ms;
        // A timer may ring a little early, but a server's wait is a floor.
        while left > 0.0 {
            if let First::Aborted = first(pending::<()>(), left, &self.signal).await {
                return Woken::Aborted;
            }
            left = ms - (clock::now().mono - began);
        }
        if self.signal.aborted() { Woken::Aborted } else { Woken::Rested }
    }

    fn facts(&self, answer: &JsValue) -> Facts {
        let status = u16::try_from(js::status_of(answer)).ok();
        let headers = Of(answer);
        let page = self.page(answer, &headers);
        if status.is_none_or(|status| status < FIRST_FAILURE) {
            return Facts { status, page, ..Facts::default() };
        }
        use crate::policy::fields::Fields;
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
        self.options.digest.is_some() && js::refuses_digest(&self.text(answer, limit_ms).await)
    }

    async fn peek(&self, answer: &JsValue, limit_ms: f64) -> Said {
        use crate::policy::fields::Fields;
        if !Of(answer).field("content-type").is_some_and(|kind| page::names_json(&kind)) {
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
        let ask = self.options.should_retry.as_ref()?;
        // A throw keeps the rule, and so does anything that is not a boolean: a promise, say.
        ask.call1(&JsValue::UNDEFINED, &self.event(situation, None)).ok()?.as_bool()
    }

    fn on_retry(&self, situation: &Situation<'_, JsValue, JsValue>, wait: Wait) {
        if let Some(tell) = &self.options.on_retry {
            // A throw inside a listener never breaks the call.
            let _ = tell.call1(&JsValue::UNDEFINED, &self.event(situation, Some(wait)));
        }
    }

    fn discard(&self, answer: JsValue) {
        js::discard(&answer);
    }

    fn error_name(&self, error: &JsValue) -> String {
        js::error_name(error)
    }
}
