//! A Function App in front of a model: every request is one paid call of the model, unless an idempotency key says that
//! it was already asked.

mod idempotency;

use std::time::Duration;

use hyper::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::Instant;

use self::idempotency::{Keys, Known};
use crate::{answer::Answer, clock::Clock, request::Request, script::Ms};

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ModelSettings {
    /// The JSON of every normal answer.
    answer: Value,
    /// How long the model thinks; it goes on when the client has left.
    work_ms: Ms,
    /// Same key, same answer; 409 while the first is at work, 422 for another body.
    idempotency: bool,
    idempotency_header: String,
}

impl Default for ModelSettings {
    fn default() -> Self {
        Self {
            answer: json!({ "answer": "It depends." }),
            work_ms: Ms::default(),
            idempotency: false,
            idempotency_header: "idempotency-key".to_owned(),
        }
    }
}

#[derive(Default)]
pub struct Model {
    keys: Keys,
    /// Calls of the model, each of which somebody pays.
    calls: u64,
}

impl Model {
    pub fn calls(&self) -> u64 {
        self.calls
    }

    /// The answer, and how long the model works on it.
    pub fn respond(&mut self, settings: &ModelSettings, clock: &Clock, request: &Request) -> (Answer, Duration) {
        let work = clock.scaled(settings.work_ms.0);
        let key = request.head.header(settings.idempotency_header.as_str()).filter(|_| settings.idempotency);
        let known = key.and_then(|key| self.keys.look_up(key, &request.body, Instant::now()));
        match known {
            Some(Known::Running) => (refusal(StatusCode::CONFLICT, "idempotency_key_in_use"), Duration::ZERO),
            Some(Known::OtherBody) => {
                (refusal(StatusCode::UNPROCESSABLE_ENTITY, "idempotency_key_reused"), Duration::ZERO)
            }
            Some(Known::Answered(answer)) => (answer.with("idempotency-replayed", "true"), Duration::ZERO),
            None => {
                self.calls += 1;
                let id = format!("lab-{}", self.calls);
                let answer = Answer::json(StatusCode::OK, &settings.answer)
                    .with("x-ms-request-id", &id)
                    .with("apim-request-id", &id);
                if let Some(key) = key {
                    self.keys.remember(key, &request.body, Instant::now() + work, &answer);
                }
                (answer, work)
            }
        }
    }
}

/// The body of a scripted status on a model's address. It states no delay: a client would have to believe it.
pub fn error_page(status: StatusCode) -> Answer {
    let code = match status.as_u16() {
        429 => "rate_limit_exceeded",
        408 | 504 => "timeout",
        500.. => "server_error",
        _ => "invalid_request",
    };
    refusal(status, code)
}

fn refusal(status: StatusCode, code: &str) -> Answer {
    let message = status.canonical_reason().unwrap_or("Error");
    Answer::json(status, &json!({ "error": { "code": code, "message": message } }))
}
