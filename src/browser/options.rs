//! Options as the caller wrote them, checked before anything is sent: a wrong one is an `EOPTION` that names the
//! option and what is allowed. Typed getters instead of a deserialiser: that would weigh 15 KB.

use super::js::wrong_option;
use crate::policy::plan::{Kind, Wishes};
use js_sys::{Array, Function, Reflect};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// A plain object of ours: reading it runs no code of the caller's.
    type Raw;
    #[wasm_bindgen(method, getter, js_name = maxRetries)]
    fn max_retries(this: &Raw) -> JsValue;
    #[wasm_bindgen(method, getter)]
    fn timeout(this: &Raw) -> JsValue;
    #[wasm_bindgen(method, getter, js_name = retryStatuses)]
    fn retry_statuses(this: &Raw) -> JsValue;
    #[wasm_bindgen(method, getter)]
    fn backoff(this: &Raw) -> JsValue;
    #[wasm_bindgen(method, getter)]
    fn fetch(this: &Raw) -> JsValue;
    #[wasm_bindgen(method, getter, js_name = shouldRetry)]
    fn should_retry(this: &Raw) -> JsValue;
    #[wasm_bindgen(method, getter, js_name = onRetry)]
    fn on_retry(this: &Raw) -> JsValue;
    #[wasm_bindgen(method, getter, js_name = retryBudget)]
    fn retry_budget(this: &Raw) -> JsValue;
    #[wasm_bindgen(method, getter, js_name = coolDown)]
    fn cool_down(this: &Raw) -> JsValue;
    #[wasm_bindgen(method, getter)]
    fn endpoint(this: &Raw) -> JsValue;
    #[wasm_bindgen(method, getter, js_name = minAttemptMs)]
    fn min_attempt_ms(this: &Raw) -> JsValue;
    #[wasm_bindgen(method, getter, js_name = onDone)]
    fn on_done(this: &Raw) -> JsValue;
    #[wasm_bindgen(method, getter)]
    fn digest(this: &Raw) -> JsValue;
    #[wasm_bindgen(method, getter, js_name = slowAfterMs)]
    fn slow_after_ms(this: &Raw) -> JsValue;
    #[wasm_bindgen(method, getter)]
    fn circuit(this: &Raw) -> JsValue;
    #[wasm_bindgen(method, getter, js_name = idempotencyKey)]
    fn idempotency_key(this: &Raw) -> JsValue;
    #[wasm_bindgen(method, getter, js_name = idempotencyHeader)]
    fn idempotency_header(this: &Raw) -> JsValue;
    #[wasm_bindgen(method, getter, js_name = deadlineHeader)]
    fn deadline_header(this: &Raw) -> JsValue;
}

/// What the caller said about the idempotency key.
#[derive(Default)]
pub enum KeyWish {
    /// Nothing: on for the page's own origin.
    #[default]
    Unsaid,
    /// `false`.
    Off,
    /// `true`.
    Mint,
    /// A key of the caller's own.
    Given(String),
}

/// One call's options.
#[derive(Default)]
pub struct Options {
    /// The rules.
    pub wishes: Wishes,
    /// Asked whether to repeat.
    pub should_retry: Option<Function>,
    /// Told before each wait.
    pub on_retry: Option<Function>,
    /// Told at the end.
    pub on_done: Option<Function>,
    /// There is a function that gives a form digest.
    pub digest: bool,
    /// The caller set the total time.
    pub total_is_callers: bool,
    /// Name for telemetry.
    pub endpoint: Option<String>,
    /// Idempotency key.
    pub key: KeyWish,
    /// Its header, if not `Idempotency-Key`.
    pub key_header: Option<String>,
    /// Header for the milliseconds left.
    pub deadline_header: Option<String>,
}

/// Which numbers an option takes.
struct Range {
    min: f64,
    max: f64,
    whole: bool,
    allowed: &'static str,
}

const RETRIES: Range = Range { min: 0.0, max: 100.0, whole: true, allowed: "a whole number from 0 to 100" };
const LIMIT_MS: Range =
    Range { min: f64::MIN_POSITIVE, max: f64::INFINITY, whole: false, allowed: "milliseconds above 0, or Infinity" };
const WAIT_MS: Range =
    Range { min: 0.0, max: 2_147_483_647.0, whole: false, allowed: "milliseconds from 0 to 2147483647" };
/// "Only what failed fast" is a promise: the limit stays below the platform's own 230 s.
const SLOW_MS: Range =
    Range { min: f64::MIN_POSITIVE, max: 200_000.0, whole: false, allowed: "milliseconds above 0, up to 200000" };
const COUNT: Range = Range { min: 0.0, max: 1e9, whole: false, allowed: "a number from 0 to 1000000000" };
const SHARE: Range = Range { min: 0.0, max: 1.0, whole: false, allowed: "a number from 0 to 1" };
const STATUS: Range =
    Range { min: 400.0, max: 599.0, whole: true, allowed: "an array of at most 200 whole numbers from 400 to 599" };

type Checked<T> = Result<T, JsValue>;

impl Options {
    /// Reads and checks what applies to this kind of call.
    pub fn read(kind: Kind, raw: &JsValue) -> Checked<Options> {
        let mut options = Options::default();
        if !raw.is_object() {
            return Ok(options);
        }
        let raw: &Raw = raw.unchecked_ref();
        let wishes = &mut options.wishes;
        wishes.max_retries = number("maxRetries", raw.max_retries(), &RETRIES)?.map(|count| count as u32);
        (wishes.total_ms, wishes.attempt_ms) = timeout(raw.timeout())?;
        options.total_is_callers = wishes.total_ms.is_some();
        wishes.statuses = statuses(raw.retry_statuses())?;
        [wishes.base_ms, wishes.cap_ms] =
            group("backoff", raw.backoff(), [("baseMs", &WAIT_MS), ("capMs", &WAIT_MS)], "an object")?;
        wishes.min_attempt_ms = number("minAttemptMs", raw.min_attempt_ms(), &WAIT_MS)?;
        function("fetch", raw.fetch())?;
        options.should_retry = function("shouldRetry", raw.should_retry())?;
        options.on_retry = function("onRetry", raw.on_retry())?;
        options.on_done = function("onDone", raw.on_done())?;
        options.endpoint = endpoint(raw.endpoint())?;
        check_budget(raw.retry_budget())?;
        check_cool_down(raw.cool_down())?;
        match kind {
            Kind::Sp => options.digest = function("digest", raw.digest())?.is_some(),
            Kind::Ai => options.read_ai(raw)?,
        }
        Ok(options)
    }

    fn read_ai(&mut self, raw: &Raw) -> Checked<()> {
        self.wishes.slow_after_ms = number("slowAfterMs", raw.slow_after_ms(), &SLOW_MS)?;
        self.key = key(raw.idempotency_key())?;
        self.key_header = header_name("idempotencyHeader", raw.idempotency_header(), "a header name")?;
        let deadline = raw.deadline_header();
        if deadline.as_bool() != Some(false) {
            self.deadline_header = header_name("deadlineHeader", deadline, "a header name or false")?;
        }
        check_circuit(raw.circuit())
    }
}

fn number(name: &str, value: JsValue, range: &Range) -> Checked<Option<f64>> {
    if value.is_undefined() {
        return Ok(None);
    }
    match value.as_f64() {
        Some(number) if (range.min..=range.max).contains(&number) && (!range.whole || number.fract() == 0.0) => {
            Ok(Some(number))
        }
        _ => Err(wrong_option(name, range.allowed, &value)),
    }
}

fn function(name: &str, value: JsValue) -> Checked<Option<Function>> {
    if value.is_undefined() {
        return Ok(None);
    }
    value.dyn_into().map(Some).map_err(|value| wrong_option(name, "a function", &value))
}

/// The numbers of an option that is an object.
fn group<const N: usize>(
    name: &str,
    value: JsValue,
    members: [(&str, &Range); N],
    allowed: &str,
) -> Checked<[Option<f64>; N]> {
    let mut found = [None; N];
    if value.is_undefined() {
        return Ok(found);
    }
    if !value.is_object() || value.is_null() {
        return Err(wrong_option(name, allowed, &value));
    }
    for ((member, range), place) in members.into_iter().zip(&mut found) {
        let mut path = String::from(name);
        path.push('.');
        path.push_str(member);
        // A getter that throws is as wrong as a value that is not allowed.
        let value = Reflect::get(&value, &JsValue::from_str(member))
            .map_err(|_| wrong_option(&path, range.allowed, &JsValue::UNDEFINED))?;
        *place = number(&path, value, range)?;
    }
    Ok(found)
}

fn timeout(value: JsValue) -> Checked<(Option<f64>, Option<f64>)> {
    if value.as_f64().is_some() {
        return Ok((number("timeout", value, &LIMIT_MS)?, None));
    }
    let members = [("totalMs", &LIMIT_MS), ("attemptMs", &LIMIT_MS), ("idleMs", &LIMIT_MS)];
    let [total, attempt, _idle] =
        group("timeout", value, members, "milliseconds above 0, Infinity, or { totalMs, attemptMs, idleMs }")?;
    Ok((total, attempt))
}

fn statuses(value: JsValue) -> Checked<Option<Vec<u16>>> {
    if value.is_undefined() {
        return Ok(None);
    }
    let wrong = |value: &JsValue| wrong_option("retryStatuses", STATUS.allowed, value);
    if !Array::is_array(&value) {
        return Err(wrong(&value));
    }
    let array: &Array = value.unchecked_ref();
    let mut statuses = Vec::new();
    for at in 0..array.length() {
        let status = Reflect::get_u32(&value, at).map_err(|_| wrong(&value))?;
        match number("retryStatuses", status, &STATUS)? {
            Some(status) if at < 200 => statuses.push(status as u16),
            _ => return Err(wrong(&value)),
        }
    }
    Ok(Some(statuses))
}

fn endpoint(value: JsValue) -> Checked<Option<String>> {
    string("endpoint", value, "a string of 1 to 200 characters", |name| (1..=200).contains(&name.len()))
}

fn key(value: JsValue) -> Checked<KeyWish> {
    match value.as_bool() {
        Some(true) => return Ok(KeyWish::Mint),
        Some(false) => return Ok(KeyWish::Off),
        None => {}
    }
    let allowed = "true, false, or 1 to 255 visible ASCII characters";
    let visible = |key: &str| (1..=255).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic());
    Ok(string("idempotencyKey", value, allowed, visible)?.map_or(KeyWish::Unsaid, KeyWish::Given))
}

/// A field name is a token (RFC 9110, 5.6.2).
fn header_name(name: &str, value: JsValue, allowed: &str) -> Checked<Option<String>> {
    let token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    string(name, value, allowed, |text| (1..=100).contains(&text.len()) && text.bytes().all(token))
}

fn string(name: &str, value: JsValue, allowed: &str, valid: impl Fn(&str) -> bool) -> Checked<Option<String>> {
    if value.is_undefined() {
        return Ok(None);
    }
    match value.as_string() {
        Some(text) if valid(&text) => Ok(Some(text)),
        _ => Err(wrong_option(name, allowed, &value)),
    }
}

fn check_budget(value: JsValue) -> Checked<()> {
    if value.as_bool() == Some(false) {
        return Ok(());
    }
    let members = [
        ("ratio", &SHARE),
        ("minPerMinute", &COUNT),
        ("capacity", &COUNT),
        ("transientCost", &COUNT),
        ("throttleCost", &COUNT),
    ];
    group("retryBudget", value, members, "false, { ratio, minPerMinute } or { capacity, … }").map(|_| ())
}

fn check_cool_down(value: JsValue) -> Checked<()> {
    if value.as_bool() == Some(false) {
        return Ok(());
    }
    string("coolDown", value, "'page', 'tabs' or false", |place| matches!(place, "page" | "tabs")).map(|_| ())
}

fn check_circuit(value: JsValue) -> Checked<()> {
    if value.as_bool() == Some(false) {
        return Ok(());
    }
    let members = [("failureRate", &SHARE), ("minimumCalls", &COUNT), ("windowMs", &LIMIT_MS), ("openMs", &LIMIT_MS)];
    group("circuit", value, members, "false or { key, failureRate, minimumCalls, windowMs, openMs }").map(|_| ())
}
