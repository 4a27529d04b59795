//! The three JSON dialects SharePoint answers in, chosen as it does: by Accept, and by `odata-version` for the newest.

use std::time::Duration;

use hyper::{StatusCode, header::ACCEPT};
use serde_json::{Map, Value, json};

use crate::{answer::Answer, request::Head};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialect {
    form: Form,
    /// Etags and types beside the fields.
    metadata: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// `application/json;odata=verbose`
    Verbose,
    /// `application/json;odata=nometadata`, and where nothing else is asked for
    Three,
    /// `odata-version: 4.0`, or `application/json;odata.metadata=none`
    Four,
}

pub fn etag(version: u32) -> String {
    format!("\"{version}\"")
}

/// The body of a scripted status on a SharePoint address.
pub fn error_page(head: &Head, status: StatusCode) -> Answer {
    let sentence = match status.as_u16() {
        429 | 503 => "The request has been throttled.",
        _ => status.canonical_reason().unwrap_or("Error"),
    };
    Dialect::of(head).error(status, "-1, Microsoft.SharePoint.Client.ClientServiceException", sentence)
}

impl Dialect {
    pub fn of(head: &Head) -> Self {
        let accept = head.header(ACCEPT).unwrap_or_default().to_ascii_lowercase().replace(' ', "");
        let four = accept.contains("odata.metadata=")
            || head.header("odata-version").is_some_and(|version| version.starts_with('4'));
        let form = match (accept.contains("odata=verbose"), four) {
            (true, _) => Form::Verbose,
            (false, true) => Form::Four,
            (false, false) => Form::Three,
        };
        Self { form, metadata: !accept.contains("nometadata") && !accept.contains("odata.metadata=none") }
    }

    fn answer(self, status: StatusCode, body: Value) -> Answer {
        let metadata = if self.metadata { "minimal" } else { "no" };
        let content_type = match self.form {
            Form::Verbose => "application/json;odata=verbose;charset=utf-8".to_owned(),
            Form::Three => {
                format!("application/json;odata={metadata}metadata;streaming=true;charset=utf-8")
            }
            Form::Four => "application/json;odata.metadata=minimal;charset=utf-8".to_owned(),
        };
        Answer::json(status, &body).with("content-type", content_type)
    }

    /// The fields of an item with what this dialect puts beside them.
    pub fn item(self, fields: Map<String, Value>, version: u32) -> Value {
        let mut item = Map::new();
        match (self.form, self.metadata) {
            (Form::Verbose, _) => {
                item.insert("__metadata".to_owned(), json!({ "type": "SP.ListItem", "etag": etag(version) }));
            }
            (Form::Three, true) => drop(item.insert("odata.etag".to_owned(), Value::from(etag(version)))),
            (Form::Four, true) => drop(item.insert("@odata.etag".to_owned(), Value::from(etag(version)))),
            (_, false) => {}
        }
        item.extend(fields);
        Value::Object(item)
    }

    pub fn page(self, items: Vec<Value>, next: Option<String>) -> Answer {
        let (results, link) = match self.form {
            Form::Verbose => ("results", "__next"),
            Form::Three => ("value", "odata.nextLink"),
            Form::Four => ("value", "@odata.nextLink"),
        };
        let mut page = Map::from_iter([(results.to_owned(), Value::Array(items))]);
        next.map(|next| page.insert(link.to_owned(), Value::from(next)));
        self.answer(StatusCode::OK, self.wrapped(Value::Object(page)))
    }

    pub fn entity(self, status: StatusCode, entity: Value) -> Answer {
        self.answer(status, self.wrapped(entity))
    }

    pub fn context(self, digest: &str, lifetime: Duration) -> Answer {
        let context = json!({ "FormDigestValue": digest, "FormDigestTimeoutSeconds": lifetime.as_secs() });
        self.entity(
            StatusCode::OK,
            match self.form {
                Form::Verbose => json!({ "GetContextWebInformation": context }),
                Form::Three | Form::Four => context,
            },
        )
    }

    fn wrapped(self, value: Value) -> Value {
        match self.form {
            Form::Verbose => json!({ "d": value }),
            Form::Three | Form::Four => value,
        }
    }

    pub fn error(self, status: StatusCode, code: &str, sentence: &str) -> Answer {
        let error = json!({ "code": code, "message": { "lang": "en-US", "value": sentence } });
        self.answer(
            status,
            match self.form {
                Form::Verbose => json!({ "error": error }),
                Form::Three => json!({ "odata.error": error }),
                Form::Four => json!({ "error": { "code": code, "message": sentence } }),
            },
        )
    }

    pub fn invalid(self, sentence: &str) -> Answer {
        self.error(StatusCode::BAD_REQUEST, "-1, Microsoft.SharePoint.Client.InvalidClientQueryException", sentence)
    }

    pub fn method_not_allowed(self) -> Answer {
        self.error(
            StatusCode::METHOD_NOT_ALLOWED,
            "-1, Microsoft.SharePoint.Client.ClientServiceException",
            "The HTTP method is not allowed for this resource.",
        )
    }
}
