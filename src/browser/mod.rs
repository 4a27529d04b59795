//! The shell: the only place that touches JavaScript. [`Browser`] is the [`Host`] of one call.
//!
//! | file | what it is for |
//! |---|---|
//! | [`start`] | a call from its arguments to its promise |
//! | [`options`] | the caller's options as the plan's wishes |
//! | [`shared`] | what the page shares, as the policies see it |
//! | [`task`] | runs the futures of the calls |
//! | [`wait`] | waiting for a promise, the caller's signal or a limit, with one listener on that signal |
//! | [`watch`] | one timer for all waits, and the heartbeat that notices a page that stood still |
//! | [`body`] | what is found out when a body has been read |
//! | [`info`] | the account, made into an object when somebody asks |
//! | [`read`] | the exports that only read |
//! | [`js`] | every binding; beside it the JavaScript that would cost a crossing a step in Rust: `request.js` (what the caller passed), `attempt.js` (signals and bodies), `answer.js` (guarded reads), `options.js`, `accounts.js`, `endpoints.js` and `histogram.js` (what is counted), `page_state.js` (what all copies on the page share), `tabs.js`, `events.js`, `lifecycle.js`, `stead_error.js`, `warn.js` |

mod body;
mod clock;
mod info;
mod js;
mod key;
mod options;
mod read;
mod shared;
mod start;
mod task;
#[cfg(test)]
mod tests;
mod wait;
mod watch;

pub use start::start;

use crate::host::{Host, News, Ready, Said, Sent, Situation, Wait, Woken};
use crate::policy::clock::Instant;
use crate::policy::entry::{Entry, Shelf};
use crate::policy::fields::Fields;
use crate::policy::judge::Facts;
use crate::policy::page::{self, Page};
use crate::policy::{body_hint, request, retry_after};
use crate::telemetry::normalize_url;
use js::HeadersOf;
use std::cell::Cell;
use wait::{First, Patient};
use wasm_bindgen::prelude::*;

/// The status from which an answer is a failure.
const FIRST_FAILURE: u16 = 400;
/// The headers that state a wait.
const HINTS: [&str; 3] = ["retry-after-ms", "x-ms-retry-after-ms", "retry-after"];
/// Sent by AI providers that know better than a status can say.
const SHOULD_RETRY: &str = "x-should-retry";

/// The host of one call.
pub struct Browser {
    patient: Patient,
    /// The method is GET or HEAD; a header may still make an attempt a write.
    reads: bool,
    /// The body must be copied before the first send, so that every attempt sends the same.
    copies_body: bool,
    /// The page is asked whether it came online.
    listens: Cell<bool>,
}

/// The transport's last answer, or its last error: it stays in JavaScript, where the call keeps it.
pub struct InCall;

impl Browser {
    fn page(&self, answer: &JsValue) -> Option<Page> {
        let call = &self.patient.call;
        if !page::wants_data(&call.url(), HeadersOf(&call.deciding()).field("accept").as_deref()) {
            return None;
        }
        let final_url = js::text(answer, "url").unwrap_or_default();
        page::recognise(&final_url, HeadersOf(answer).field("content-type").as_deref())
    }

    /// The text of a copy of the answer's body, or undefined.
    async fn text(&self, limit_ms: f64) -> JsValue {
        let call = &self.patient.call;
        let text = self.patient.first(Some(js::peek(call)), limit_ms).await;
        call.stop_peek();
        match text {
            First::Done(Ok(text)) => text,
            _ => JsValue::UNDEFINED,
        }
    }

    /// What the prepared headers decide.
    fn prepared(&self) -> Ready<InCall> {
        let deciding = self.patient.call.deciding();
        let headers = HeadersOf(&deciding);
        let stacked = request::is_stacked(&headers);
        if stacked {
            js::warn("an outer layer repeats this call already, so it is sent once: let only one layer repeat");
        }
        Ready::Go { read: self.reads && request::stays_read(&headers), stacked }
    }

    fn failed(&self, error: &JsValue) -> InCall {
        js::failed(&self.patient.call, error);
        InCall
    }
}

impl Host for Browser {
    type Answer = InCall;
    type Error = InCall;

    fn now(&self) -> Instant {
        watch::now()
    }

    fn unit(&self) -> f64 {
        clock::unit()
    }

    fn aborted(&self) -> bool {
        self.patient.aborted()
    }

    async fn prepare(&self, sent: u32, left_ms: f64) -> Ready<InCall> {
        let copies_body = self.copies_body && sent == 0;
        let Some(waiting) = js::prepare(&self.patient.call, sent, self.reads, copies_body, left_ms) else {
            return self.prepared();
        };
        match self.patient.first(Some(waiting), left_ms).await {
            First::Done(Ok(_)) => self.prepared(),
            First::Done(Err(error)) => Ready::Failed(self.failed(&error)),
            First::TimedOut => Ready::TimedOut,
            First::Aborted => Ready::Aborted,
        }
    }

    async fn send(&self, limit_ms: f64) -> Sent<InCall, InCall> {
        let call = &self.patient.call;
        match self.patient.first(Some(js::send(call, limit_ms.is_finite())), limit_ms).await {
            First::Done(Ok(answer)) if js::answered(call, &answer) => Sent::Answered(InCall),
            First::Done(Ok(_)) => Sent::Failed(InCall),
            First::Done(Err(error)) => Sent::Failed(self.failed(&error)),
            First::TimedOut => {
                js::stop(call, Some(limit_ms));
                Sent::TimedOut
            }
            First::Aborted => {
                js::stop(call, None);
                Sent::Aborted
            }
        }
    }

    async fn sleep(&self, ms: f64) -> Woken {
        let began = js::monotonic_now();
        let mut left = ms;
        // A timer may ring a little early, but a server's wait is a floor.
        while left > 0.0 {
            if let First::Aborted = self.patient.first(None, left).await {
                return Woken::Aborted;
            }
            let before = left;
            left = ms - (js::monotonic_now() - began);
            // A clock that stands still, as a page's own tests may have it, must not hold the call for ever.
            if left >= before {
                break;
            }
        }
        if self.patient.aborted() { Woken::Aborted } else { Woken::Rested }
    }

    fn facts(&self, _: &InCall) -> Facts {
        let answer = self.patient.call.answer();
        let status = u16::try_from(js::status_of(&answer)).ok();
        let page = self.page(&answer);
        if status.is_none_or(|status| status < FIRST_FAILURE) {
            return Facts { status, page, ..Facts::default() };
        }
        let headers = HeadersOf(&answer);
        let hint_ms = retry_after::retry_after_ms(&headers, clock::wall() as i64).map(|ms| ms as f64);
        let hint_hidden = matches!(status, Some(429 | 503))
            && js::text(&answer, "type").as_deref() == Some("cors")
            && HINTS.iter().all(|name| headers.field(name).is_none());
        let should_retry = match headers.field(SHOULD_RETRY).as_deref() {
            Some("true") => Some(true),
            Some("false") => Some(false),
            _ => None,
        };
        Facts { status, hint_ms, should_retry, page, hint_hidden }
    }

    fn stopped(&self, _: &InCall) -> bool {
        js::was_stopped(&self.patient.call)
    }

    async fn digest_expired(&self, _: &InCall, limit_ms: f64) -> bool {
        self.patient.call.has_digest() && !self.reads && js::refuses_digest(&self.text(limit_ms).await)
    }

    async fn peek(&self, _: &InCall, limit_ms: f64) -> Said {
        let content_type = HeadersOf(&self.patient.call.answer()).field("content-type");
        if !content_type.is_some_and(|kind| page::names_json(&kind)) {
            return Said::default();
        }
        let error = self.text(limit_ms).await;
        let part = |name| js::error_part(&error, name).unwrap_or_default();
        Said {
            quota: body_hint::is_quota(&part("code")) || body_hint::is_quota(&part("type")),
            wait_ms: body_hint::stated_wait(&part("message")),
        }
    }

    fn should_retry(&self, now: &Situation) -> Option<bool> {
        js::should_retry(&self.patient.call, now.attempt, now.elapsed_ms, now.status)
    }

    fn on_retry(&self, now: &Situation, wait: Wait) {
        let (delay_ms, hint_ms, reason) = (wait.delay_ms, wait.retry_after_ms, wait.reason);
        js::on_retry(&self.patient.call, now.attempt, now.elapsed_ms, now.status, delay_ms, hint_ms, reason);
    }

    fn discard(&self, _: InCall) {
        js::discard(&self.patient.call);
    }

    fn error_name(&self, _: &InCall) -> String {
        js::error_name(&self.patient.call.error())
    }

    fn median_ms(&self) -> Option<f64> {
        Some(js::median_ms(&self.patient.call)).filter(|ms| !ms.is_nan())
    }

    fn load(&self, now: Instant, entry: &mut dyn Entry) -> bool {
        shared::load(&self.patient.call, now, entry)
    }

    fn save(&self, entry: &mut dyn Entry) {
        shared::save(&self.patient.call, entry);
    }

    fn forget(&self, shelf: Shelf) {
        js::drop_entry(&self.patient.call, shelf as u32);
    }

    fn announce(&self, news: News) {
        let call = &self.patient.call;
        let host = normalize_url::host(&call.origin());
        match news {
            News::CoolDown { until_ms } => js::announce_cool_down(&host, until_ms),
            News::Circuit { from, to } => js::announce_circuit(call, &host, from.name(), to.name()),
            News::Budget { change, left } => js::announce_budget(&host, change, left),
        }
    }

    fn heard(&self) -> f64 {
        js::heard_from_tabs(&self.patient.call)
    }

    fn tell_tabs(&self, left_ms: f64) {
        js::tell_tabs(&self.patient.call, left_ms);
    }

    fn offline(&self) -> bool {
        js::offline()
    }

    fn came_online(&self) -> u32 {
        self.listens.set(true);
        js::came_online(&self.patient.call)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if self.listens.get() {
            js::stop_listening(&self.patient.call);
        }
    }
}
