//! A call from its arguments to its promise. Whatever goes wrong on the way ends in exactly one `settle`.

use super::js::{self, Call};
use super::key;
use super::leash::Leash;
use super::options::{KeyWish, Options};
use super::wait::CallerSignal;
use super::{Browser, info};
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
/// `Call.body`: sent once only, or to be read into a copy first.
const BODY_ONCE: u32 = 1;
const BODY_COPY: u32 = 2;

/// Begins a call. `settle(ok, value)` is called exactly once.
pub fn start(kind: Kind, input: JsValue, init: JsValue, defaults: JsValue, settle: Function) {
    match prepare(kind, &input, &init, &defaults) {
        Err(error) => tell(&settle, false, &error),
        Ok((browser, plan, total_by_caller)) => go(async move {
            let (ok, value) = finish(&browser, &plan, total_by_caller).await;
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

fn prepare(kind: Kind, input: &JsValue, init: &JsValue, defaults: &JsValue) -> Result<(Browser, Plan, bool), JsValue> {
    let call = js::take_call(input, init, defaults)?;
    let mut options = Options::read(kind, &call.options())?;
    let read = names_read(&call.method());
    let wishes = std::mem::take(&mut options.wishes);
    let total_by_caller = wishes.total_ms.is_some();
    let mut plan = Plan::new(kind, read, wishes);
    let body = call.body();
    plan.replayable = body != BODY_ONCE;
    let mut key = None;
    if kind == Kind::Ai && !read {
        plan.key_is_callers = matches!(options.key, KeyWish::Given(_));
        let header = options.key_header.take().unwrap_or_else(|| KEY_HEADER.to_owned());
        key = choose_key(&mut options.key, &call)?.map(|key| (header, key));
        plan.keyed = key.is_some();
    }
    let browser = Browser {
        kind,
        signal: CallerSignal::listen(call.signal())?,
        // Only an AI call with a body is ever repeated.
        copies_body: body == BODY_COPY && kind == Kind::Ai && plan.max_retries > 0,
        call,
        options,
        key,
        leash: RefCell::default(),
        last_answer: RefCell::default(),
    };
    Ok((browser, plan, total_by_caller))
}

fn choose_key(wish: &mut KeyWish, call: &Call) -> Result<Option<String>, JsValue> {
    match std::mem::take(wish) {
        KeyWish::Off => Ok(None),
        KeyWish::Given(key) => Ok(Some(key)),
        KeyWish::Unsaid => Ok(js::same_origin(&call.url()).then(key::mint).flatten()),
        KeyWish::Mint => {
            let none = "a key, where crypto.getRandomValues is missing";
            key::mint().map(Some).ok_or_else(|| js::wrong_option("idempotencyKey", none, &true.into()))
        }
    }
}

async fn finish(browser: &Browser, plan: &Plan, total_by_caller: bool) -> (bool, JsValue) {
    let (end, account) = flow::run(browser, plan).await;
    let (ok, value) = match end {
        End::Answer(answer) => {
            let left = plan.total_ms - account.total_ms;
            let time = (total_by_caller && plan.total_ms.is_finite()).then_some((plan.total_ms, left));
            browser.leash.replace(Leash::default()).hand_over(&browser.signal, &answer, time);
            (true, answer)
        }
        End::Error(error) => (false, error),
        End::Timeout(cause) => {
            let limit = plan.total_ms.min(plan.attempt_ms);
            let cause = cause.unwrap_or(JsValue::UNDEFINED);
            (false, js::timeout_error(limit, account.last_status, account.retry_after_ms, &cause))
        }
        End::Aborted => (false, browser.signal.reason()),
    };
    let (numbers, errors) = account.pack();
    let last_answer = browser.last_answer.replace(JsValue::UNDEFINED);
    let note = js::note(&numbers, &errors, &browser.call, browser.options.endpoint.as_deref(), &last_answer);
    js::remember(&value, &note);
    if let Some(tell) = &browser.options.on_done {
        // A throw inside it is ignored.
        let _ = tell.call1(&JsValue::UNDEFINED, &info::call_info(&note));
    }
    (ok, value)
}

thread_local! {
    static WARNED: Cell<bool> = const { Cell::new(false) };
}

/// One warning a page, however many calls it concerns.
pub fn warn_once(text: &str) {
    if !WARNED.replace(true) {
        web_sys::console::warn_1(&["steadfetch: ", text].concat().into());
    }
}
