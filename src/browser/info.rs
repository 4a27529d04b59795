//! `CallInfo`: the account of one call as JavaScript sees it, made when somebody asks.

use super::clock;
use super::fields::Of;
use super::js::Note;
use crate::account::{Account, Attempt};
use crate::policy::fields::Fields;
use crate::policy::page::Page;
use crate::policy::plan::Kind;
use crate::policy::rate_limit::{RateLimit, rate_limit};
use crate::telemetry::endpoint;
use serde::Serialize;
use wasm_bindgen::JsValue;

/// Correlation ids, in the order they are looked for.
const CORRELATION_IDS: [&str; 4] = ["sprequestguid", "request-id", "x-ms-request-id", "apim-request-id"];

/// `CallInfo` of the public contract.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CallInfo<'a> {
    kind: Kind,
    method: &'a str,
    endpoint: &'a str,
    attempts: &'a [Attempt],
    total_ms: f64,
    waited_ms: f64,
    stop: &'static str,
    retry_after_ms: Option<f64>,
    retry_after_hidden: bool,
    rate_limit: Option<RateLimit>,
    correlation_id: Option<String>,
    page: Option<Page>,
    idempotency_key: Option<String>,
}

/// The account as a plain object.
pub fn call_info(note: &Note) -> JsValue {
    let Some(account) = Account::unpack(&note.numbers(), &note.errors()) else {
        return JsValue::UNDEFINED;
    };
    let answer = note.answer();
    let headers = Of(&answer);
    plain(&CallInfo {
        kind: account.kind,
        method: &note.method(),
        endpoint: &note.endpoint().unwrap_or_else(|| endpoint::name(&note.url())),
        attempts: &account.attempts,
        total_ms: account.total_ms,
        waited_ms: account.waited_ms,
        stop: account.stop.name(),
        retry_after_ms: account.retry_after_ms,
        retry_after_hidden: account.retry_after_hidden,
        rate_limit: rate_limit(&headers, clock::now().wall as i64),
        correlation_id: CORRELATION_IDS.iter().find_map(|name| headers.field(name)),
        page: account.page,
        idempotency_key: note.key(),
    })
}

/// A plain object whose missing values are null, as the contract says.
pub fn plain(value: &impl Serialize) -> JsValue {
    let serializer =
        serde_wasm_bindgen::Serializer::new().serialize_missing_as_null(true).serialize_maps_as_objects(true);
    value.serialize(&serializer).unwrap_or(JsValue::UNDEFINED)
}
