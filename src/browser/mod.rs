//! The shell: the only place that touches JavaScript. [`Browser`] is the [`Host`] of one call.
//!
//! | file | what it is for |
//! |---|---|
//! | [`start`] | a call between its JavaScript and the flow |
//! | [`options`] | the caller's options as the plan's wishes |
//! | [`shared`] | what the page shares, as the policies see it |
//! | [`task`] | runs the futures of the calls |
//! | [`clock`] | both clocks, read when a call goes on |
//! | [`body`] | what is found out when a body has been read |
//! | [`info`] | the account, attempt by attempt |
//! | [`read`] | the exports that only read |
//! | [`js`] | every binding; beside it the JavaScript that would cost a crossing a step in Rust: `calls.js` (a call from its arguments to its promise), `request.js` (what the caller passed), `waits.js` (what takes time), `watch.js` (one timer for all that waits, and the heartbeat), `attempt.js` (signals and bodies), `answer.js` (guarded reads), `page.js` (a page in place of data), `options.js`, `accounts.js`, `endpoints.js` and `histogram.js` (what is counted), `page_state.js` (what all copies on the page share), `tabs.js`, `events.js`, `lifecycle.js`, `stead_error.js`, `warn.js` |

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

pub use js::Call;
pub use start::start;

use crate::account::Attempt;
use crate::host::{Host, News, Ready, Said, Sent, Situation, Wait, Woken};
use crate::policy::clock::Instant;
use crate::policy::entry::{Entry, Shelf};
use crate::policy::fields::Fields;
use crate::policy::judge::Facts;
use crate::policy::page::Page;
use crate::policy::{body_hint, request, retry_after};
use js::HeadersOf;
use options::Traits;

/// The status from which an answer is a failure.
const FIRST_FAILURE: u16 = 400;
/// The headers that state a wait.
const HINTS: [&str; 3] = ["retry-after-ms", "x-ms-retry-after-ms", "retry-after"];
/// Sent by AI providers that know better than a status can say.
const SHOULD_RETRY: &str = "x-should-retry";

/// The host of one call.
pub struct Browser {
    call: Call,
    traits: Traits,
}

/// The transport's last answer, or its last error: it stays in JavaScript, where the call keeps it.
pub struct InCall;

/// How something ended that takes time, as `waits.js` counts it.
const DONE: u32 = 1;
const FAILED: u32 = 2;
const TIMED_OUT: u32 = 3;
const ABORTED: u32 = 4;

impl Browser {
    /// What the prepared headers decide.
    fn prepared(&self) -> Ready<InCall> {
        let reads = self.traits.reads();
        let deciding = self.call.deciding();
        if deciding.is_undefined() {
            return Ready::Go { read: reads, stacked: false };
        }
        let headers = HeadersOf(&deciding);
        let stacked = request::is_stacked(&headers);
        if stacked {
            js::warn("an outer layer repeats this call already, so it is sent once: let only one layer repeat");
        }
        Ready::Go { read: reads && request::stays_read(&headers), stacked }
    }

    fn page(&self) -> Option<Page> {
        usize::try_from(js::page_number(&self.call)).ok().and_then(|number| Page::ALL.get(number).copied())
    }
}

impl Host for Browser {
    type Answer = InCall;
    type Error = InCall;

    fn now(&self) -> Instant {
        clock::now()
    }

    fn unit(&self) -> f64 {
        clock::unit()
    }

    fn aborted(&self) -> bool {
        js::aborted(&self.call)
    }

    async fn prepare(&self, sent: u32, left_ms: f64) -> Ready<InCall> {
        match task::ended(js::prepare(&self.call, sent, left_ms)).await {
            FAILED => Ready::Failed(InCall),
            TIMED_OUT => Ready::TimedOut,
            ABORTED => Ready::Aborted,
            _ => self.prepared(),
        }
    }

    async fn send(&self, limit_ms: f64) -> Sent<InCall, InCall> {
        match task::ended(js::send(&self.call, limit_ms)).await {
            FAILED => Sent::Failed(InCall),
            TIMED_OUT => Sent::TimedOut,
            ABORTED => Sent::Aborted,
            _ => Sent::Answered(InCall),
        }
    }

    async fn sleep(&self, ms: f64) -> Woken {
        match task::ended(js::sleep(&self.call, ms)).await {
            ABORTED => Woken::Aborted,
            _ => Woken::Rested,
        }
    }

    fn facts(&self, _: &InCall) -> Facts {
        let answer = self.call.answer();
        let status = u16::try_from(js::status_of(&answer)).ok();
        let page = self.page();
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
        js::was_stopped(&self.call)
    }

    async fn digest_expired(&self, _: &InCall, limit_ms: f64) -> bool {
        self.traits.has_digest()
            && task::ended(js::peek(&self.call, limit_ms, 0)).await == DONE
            && js::refuses_digest(&self.call)
    }

    async fn peek(&self, _: &InCall, limit_ms: f64) -> Said {
        task::ended(js::peek(&self.call, limit_ms, 1)).await;
        let part = |name| js::error_part(&self.call, name).unwrap_or_default();
        Said {
            quota: body_hint::is_quota(&part("code")) || body_hint::is_quota(&part("type")),
            wait_ms: body_hint::stated_wait(&part("message")),
        }
    }

    fn should_retry(&self, now: &Situation) -> Option<bool> {
        match js::should_retry(&self.call, now.attempt, now.elapsed_ms, start::status(now.status)) {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    fn on_retry(&self, now: &Situation, wait: Wait) {
        let hint_ms = wait.retry_after_ms.unwrap_or(f64::NAN);
        let status = start::status(now.status);
        js::on_retry(&self.call, now.attempt, now.elapsed_ms, status, wait.delay_ms, hint_ms, wait.reason.number());
    }

    fn discard(&self, _: InCall) {
        js::discard(&self.call);
    }

    fn attempted(&self, attempt: &Attempt) {
        info::attempted(&self.call, attempt);
    }

    fn median_ms(&self) -> Option<f64> {
        Some(js::median_ms(&self.call)).filter(|ms| !ms.is_nan())
    }

    fn load(&self, now: Instant, entry: &mut dyn Entry) -> bool {
        shared::load(&self.call, now, entry)
    }

    fn save(&self, entry: &mut dyn Entry) {
        shared::save(&self.call, entry);
    }

    fn forget(&self, shelf: Shelf) {
        js::drop_entry(&self.call, shelf as u32);
    }

    fn announce(&self, news: News) {
        match news {
            News::CoolDown { until_ms } => js::announce_cool_down(&self.call, until_ms),
            News::Circuit { from, to } => js::announce_circuit(&self.call, from as u32, to as u32),
            News::Budget { change, left } => js::announce_budget(&self.call, change as u32, left),
        }
    }

    fn heard(&self) -> f64 {
        js::heard_from_tabs(&self.call)
    }

    fn tell_tabs(&self, left_ms: f64) {
        js::tell_tabs(&self.call, left_ms);
    }

    fn offline(&self) -> bool {
        js::offline()
    }

    fn came_online(&self) -> u32 {
        js::came_online(&self.call)
    }
}
