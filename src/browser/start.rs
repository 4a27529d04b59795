//! A call from its arguments to its promise. Whatever goes wrong on the way ends in exactly one `settle`.

use super::js::{self, Call};
use super::options::{KeyWish, Options};
use super::wait::Patient;
use super::{Browser, info, key};
use crate::flow::{self, End};
use crate::policy::plan::{Kind, Plan};
use crate::policy::request::names_read;
use js_sys::Function;
use std::cell::{Cell, RefCell};
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Waker};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;

/// The header of the IETF draft.
const KEY_HEADER: &str = "Idempotency-Key";

/// Begins a call. `settle(ok, value)` is called exactly once.
pub fn start(kind: Kind, input: JsValue, init: JsValue, defaults: JsValue, settle: Function) {
    match prepare(kind, &input, &init, &defaults) {
        Err(error) => tell(&settle, false, &error),
        Ok((browser, plan)) => go(async move {
            let (ok, value) = finish(&browser, &plan).await;
            // The listener leaves before the caller hears anything.
            drop(browser);
            tell(&settle, ok, &value);
        }),
    }
}

/// Runs up to the first thing that takes time at once, as `fetch` does, so that the first send is not a turn late.
fn go(call: impl Future<Output = ()> + 'static) {
    let mut call: Pin<Box<dyn Future<Output = ()>>> = Box::pin(call);
    // Whatever is pending is polled again by the executor, with a waker that works.
    if call.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending() {
        spawn_local(call);
    }
}

fn tell(settle: &Function, ok: bool, value: &JsValue) {
    // The two functions of a promise do not throw.
    let _ = settle.call2(&JsValue::UNDEFINED, &ok.into(), value);
}

fn prepare(kind: Kind, input: &JsValue, init: &JsValue, defaults: &JsValue) -> Result<(Browser, Plan), JsValue> {
    let call = js::take_call(input, init, defaults)?;
    let mut options = Options::read(kind, &call.options())?;
    let (url, method, body) = (call.url(), call.method(), call.body());
    let read = names_read(&method);
    let mut plan = Plan::new(kind, read, std::mem::take(&mut options.wishes));
    plan.replayable = body != js::BODY_ONCE;
    let mut key = None;
    if kind == Kind::Ai && !read {
        let header = options.key_header.take().unwrap_or_else(|| KEY_HEADER.to_owned());
        plan.key_is_callers = matches!(options.key, KeyWish::Given(_));
        key = choose_key(std::mem::take(&mut options.key), &call)?.map(|key| (header, key));
        plan.keyed = key.is_some();
    }
    // Reading a body costs memory, so only where it may be sent again: by a retry, a poll, or a renewed digest.
    let may_be_sent_again = match kind {
        Kind::Ai => plan.max_retries > 0 || plan.keyed,
        Kind::Sp => options.digest,
    };
    let copies_body = body == js::BODY_COPY && may_be_sent_again;
    let (patient, last_answer) = (Patient::new(call), RefCell::default());
    Ok((Browser { kind, patient, options, url, method, key, copies_body, last_answer }, plan))
}

fn choose_key(wish: KeyWish, call: &Call) -> Result<Option<String>, JsValue> {
    match wish {
        KeyWish::Off => Ok(None),
        KeyWish::Given(key) => Ok(Some(key)),
        KeyWish::Unsaid => Ok(js::same_origin(call).then(key::mint).flatten()),
        KeyWish::Mint => {
            let needs = "a key of your own where crypto.getRandomValues is missing";
            key::mint().map(Some).ok_or_else(|| js::wrong_option("idempotencyKey", needs, &JsValue::TRUE))
        }
    }
}

async fn finish(browser: &Browser, plan: &Plan) -> (bool, JsValue) {
    let (end, account) = flow::run(browser, plan).await;
    let call = &browser.patient.call;
    let (ok, value) = match end {
        End::Answer(answer) => {
            // Defaults never cut a body; a time that the caller set does.
            let left = browser.options.total_is_callers.then_some(plan.total_ms - account.total_ms);
            js::hand_over(call, &answer, plan.total_ms, left);
            (true, answer)
        }
        End::Error(error) => (false, error),
        End::Timeout(cause) => {
            let limit = plan.total_ms.min(plan.attempt_ms);
            let cause = cause.unwrap_or(JsValue::UNDEFINED);
            (false, js::timeout_error(limit, account.last_status, account.retry_after_ms, &cause))
        }
        End::Aborted => (false, js::reason_of(call)),
    };
    let last_answer = browser.last_answer.replace(JsValue::UNDEFINED);
    let kept = info::keep(&account, call, browser.options.endpoint.as_deref(), &last_answer);
    js::remember(&value, &kept);
    if let Some(listener) = &browser.options.on_done {
        js::tell(listener, &info::call_info(&kept));
    }
    (ok, value)
}

thread_local! {
    static WARNED: Cell<bool> = const { Cell::new(false) };
}

/// One warning a page, however many calls it concerns.
pub fn warn_once(text: &str) {
    if !WARNED.replace(true) {
        let mut line = String::from("steadfetch: ");
        line.push_str(text);
        web_sys::console::warn_1(&JsValue::from_str(&line));
    }
}
