//! An answer as plain data, before the script has had its say about how it travels.

use hyper::{
    HeaderMap, StatusCode,
    body::Bytes,
    header::{CONTENT_TYPE, HeaderValue, IntoHeaderName},
};
use serde_json::{Value, json};

#[derive(Clone, Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl Answer {
    pub fn empty(status: StatusCode) -> Self {
        Self { status, headers: HeaderMap::new(), body: Bytes::new() }
    }

    pub fn json(status: StatusCode, body: &Value) -> Self {
        Self::typed(status, "application/json; charset=utf-8", body.to_string())
    }

    pub fn html(status: StatusCode, body: impl Into<Bytes>) -> Self {
        Self::typed(status, "text/html; charset=utf-8", body)
    }

    pub fn typed(status: StatusCode, content_type: &'static str, body: impl Into<Bytes>) -> Self {
        let mut answer = Self::empty(status);
        answer.headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
        answer.body = body.into();
        answer
    }

    /// The lab's own refusals: a sentence for the author of the test.
    pub fn sentence(status: StatusCode, sentence: impl Into<String>) -> Self {
        Self::json(status, &json!({ "error": sentence.into() }))
    }

    /// For values the lab composes itself; one that is no header value is left out.
    pub fn with(mut self, name: impl IntoHeaderName, value: impl AsRef<str>) -> Self {
        if let Ok(value) = HeaderValue::from_str(value.as_ref()) {
            self.headers.insert(name, value);
        }
        self
    }
}
