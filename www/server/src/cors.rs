//! What a cross-origin page is allowed to do and to read. By default as a Function App with its origin list filled in:
//! every origin may call, preflights are answered, no header is exposed.

use std::fmt;

use hyper::{
    StatusCode,
    header::{
        ACCESS_CONTROL_ALLOW_CREDENTIALS, ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS,
        ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE,
        ACCESS_CONTROL_REQUEST_HEADERS, ACCESS_CONTROL_REQUEST_METHOD, ORIGIN, VARY,
    },
};
use serde::{
    Deserialize, Deserializer,
    de::{self, MapAccess, Visitor, value::MapAccessDeserializer},
};

use crate::{answer::Answer, request::Head};

/// `false`, or an object of [`Cors`].
#[derive(Clone, Debug)]
pub enum CorsChoice {
    Off,
    On(Cors),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Cors {
    /// `echo` names the caller's own origin, as credentials need it; anything else is sent as it stands.
    origin: String,
    credentials: bool,
    expose: Vec<String>,
    /// `false`: a preflight meets a server that knows no OPTIONS.
    preflight: bool,
    /// Names a preflight allows; by default all it asks for.
    allow_headers: Option<Vec<String>>,
    /// 0, so that a browser asks again and the preflights can be counted.
    max_age_seconds: u32,
}

impl Default for Cors {
    fn default() -> Self {
        Self {
            origin: "echo".to_owned(),
            credentials: true,
            expose: Vec::new(),
            preflight: true,
            allow_headers: None,
            max_age_seconds: 0,
        }
    }
}

impl Default for CorsChoice {
    fn default() -> Self {
        Self::On(Cors::default())
    }
}

impl CorsChoice {
    pub fn preflight(&self, head: &Head) -> Answer {
        let Self::On(cors) = self else {
            return unknown_method();
        };
        if !cors.preflight {
            return unknown_method();
        }
        let asked = |name| head.header(name).unwrap_or_default();
        let allowed = match &cors.allow_headers {
            Some(names) => names.join(", "),
            None => asked(ACCESS_CONTROL_REQUEST_HEADERS).to_owned(),
        };
        cors.allow(head, Answer::empty(StatusCode::NO_CONTENT))
            .with(ACCESS_CONTROL_ALLOW_METHODS, asked(ACCESS_CONTROL_REQUEST_METHOD))
            .with(ACCESS_CONTROL_ALLOW_HEADERS, allowed)
            .with(ACCESS_CONTROL_MAX_AGE, cors.max_age_seconds.to_string())
    }

    /// Adds what the answer to an actual request needs.
    pub fn admit(&self, head: &Head, answer: Answer) -> Answer {
        match self {
            Self::On(cors) if cors.expose.is_empty() => cors.allow(head, answer),
            Self::On(cors) => cors.allow(head, answer).with(ACCESS_CONTROL_EXPOSE_HEADERS, cors.expose.join(", ")),
            Self::Off => answer,
        }
    }
}

impl Cors {
    fn allow(&self, head: &Head, answer: Answer) -> Answer {
        let Some(caller) = head.header(ORIGIN) else {
            return answer;
        };
        let origin = if self.origin == "echo" { caller } else { &self.origin };
        let answer = answer.with(ACCESS_CONTROL_ALLOW_ORIGIN, origin).with(VARY, "Origin");
        if self.credentials { answer.with(ACCESS_CONTROL_ALLOW_CREDENTIALS, "true") } else { answer }
    }
}

fn unknown_method() -> Answer {
    Answer::sentence(StatusCode::METHOD_NOT_ALLOWED, "OPTIONS is not known here.")
}

impl<'de> Deserialize<'de> for CorsChoice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FalseOrObject;
        impl<'de> Visitor<'de> for FalseOrObject {
            type Value = CorsChoice;

            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("true, false or an object")
            }

            fn visit_bool<E: de::Error>(self, on: bool) -> Result<CorsChoice, E> {
                Ok(if on { CorsChoice::default() } else { CorsChoice::Off })
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<CorsChoice, A::Error> {
                Cors::deserialize(MapAccessDeserializer::new(map)).map(CorsChoice::On)
            }
        }
        deserializer.deserialize_any(FalseOrObject)
    }
}
