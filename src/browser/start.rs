//! A call from its arguments to its promise. Whatever goes wrong on the way ends in exactly one `settle`.

use super::js::{self, Call};
use super::wait::Patient;
use super::{Browser, info, key, options, task};
use crate::flow::{self, End};
use crate::policy::judge::Stop;
use crate::policy::plan::{Kind, Plan};
use crate::policy::request::names_read;
use crate::telemetry::{endpoint, normalize_url};
use js_sys::Function;
use std::cell::Cell;
use wasm_bindgen::prelude::*;

/// Begins a call. `settle(ok, value)` is called exactly once.
pub fn start(kind: Kind, input: JsValue, init: JsValue, defaults: JsValue, settle: Function) {
    let ready = js::take_call(kind.name(), &input, &init, &defaults).and_then(|call| prepare(kind, call));
    match ready {
        Err(error) => js::settle(&settle, false, &error),
        Ok((browser, plan)) => task::begin(async move {
            let (ok, value) = finish(&browser, &plan).await;
            // The listener leaves before the caller hears anything.
            drop(browser);
            js::settle(&settle, ok, &value);
        }),
    }
}

fn prepare(kind: Kind, call: Call) -> Result<(Browser, Plan), JsValue> {
    let reads = names_read(&call.method());
    let mut plan = options::plan(kind, reads, &call.options());
    let body = call.body();
    plan.replayable = body != js::BODY_ONCE;
    let mut key = None;
    if kind == Kind::Ai && !reads {
        let wish = js::key_wish(&call.options());
        key = mint(wish, &call)?;
        plan.key_is_callers = wish == js::KEY_GIVEN;
        plan.keyed = plan.key_is_callers || key.is_some();
    }
    js::identify(&call, &endpoint::name(&call.url()), plan.keyed, key.as_deref());
    // Reading a body costs memory, so only where it may be sent again: by a retry, a poll, or a renewed digest.
    let may_be_sent_again = match kind {
        Kind::Ai => plan.max_retries > 0.0 || plan.keyed,
        Kind::Sp => call.has_digest(),
    };
    let copies_body = body == js::BODY_COPY && may_be_sent_again;
    let patient = Patient::new(call, kind == Kind::Sp && reads, kind == Kind::Sp && !reads);
    Ok((Browser { patient, reads, copies_body, listens: Cell::new(false) }, plan))
}

/// A key of ours: where the caller wants one, and without a word on the page's own origin, where it costs no preflight.
fn mint(wish: u32, call: &Call) -> Result<Option<String>, JsValue> {
    if wish != js::KEY_MINT && (wish != js::KEY_UNSAID || !js::same_origin(call)) {
        return Ok(None);
    }
    let key = key::mint();
    if wish == js::KEY_MINT && key.is_none() {
        let needs = "a key of your own where crypto.getRandomValues is missing";
        return Err(js::wrong_option("idempotencyKey", needs, &JsValue::TRUE));
    }
    Ok(key)
}

async fn finish(browser: &Browser, plan: &Plan) -> (bool, JsValue) {
    let (end, account) = flow::run(browser, plan).await;
    let call = &browser.patient.call;
    let ok = matches!(end, End::Answer(_));
    let value = match end {
        End::Answer(_) => {
            // Defaults never cut a body; a time that the caller set does.
            let left = plan.total_is_callers.then_some(plan.total_ms - account.total_ms);
            js::hand_over(call, plan.total_ms, left)
        }
        End::Error(_) => call.error(),
        End::Timeout(_) => {
            js::timed_out(call, plan.total_ms.min(plan.attempt_ms), account.last_status, account.retry_after_ms)
        }
        End::Aborted => js::reason_of(call),
        End::Refused(ms) => js::refused(call, account.stop == Stop::CoolingDown, ms, account.last_status),
    };
    let kept = info::keep(&account, call, &value);
    if call.wants_info() {
        js::on_done(call, &info::call_info(&kept), &normalize_url::host(&call.origin()));
    }
    (ok, value)
}
