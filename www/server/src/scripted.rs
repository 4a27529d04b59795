//! The answers that a step makes itself, in the place of the back end's normal one.

use hyper::{
    StatusCode,
    header::{HeaderName, LOCATION},
};
use serde_json::Value;

use crate::{
    App,
    answer::Answer,
    model,
    request::Head,
    script::{Redirect, Step},
    sharepoint::{self, LOGIN_PATH, THROTTLE_PATH},
};

const TEXT: &str = "text/plain; charset=utf-8";

/// `None`: the step leaves the normal answer alone.
pub fn answer(app: &App, step: &Step, head: &Head) -> Option<Answer> {
    if !step.has_own_answer() {
        return None;
    }
    let status = step.status.map(|status| status.0);
    let or = |usual| status.unwrap_or(usual);
    Some(if let Some(redirect) = &step.redirect {
        Answer::empty(or(StatusCode::FOUND)).with(LOCATION, location(app, redirect, head))
    } else if let Some(page) = step.page {
        sharepoint::page(page, or(StatusCode::OK))
    } else {
        match (&step.body, status) {
            (Some(Value::String(text)), _) => Answer::typed(or(StatusCode::OK), TEXT, text.clone()),
            (Some(body), _) => Answer::json(or(StatusCode::OK), body),
            // Pieces of a body: they travel in its place.
            (None, _) if step.chunks_are_the_body() => Answer::typed(or(StatusCode::OK), TEXT, ""),
            (None, Some(status)) if status.is_client_error() || status.is_server_error() => error_page(head, status),
            (None, _) => Answer::empty(or(StatusCode::OK)),
        }
    })
}

fn location(app: &App, redirect: &Redirect, head: &Head) -> String {
    let prefix = &head.prefix;
    match redirect {
        Redirect::Login => format!("{prefix}{LOGIN_PATH}?ReturnUrl=%2F"),
        Redirect::LoginElsewhere => {
            let elsewhere = app.origins.iter().find(|origin| **origin != head.origin);
            format!("{}{prefix}{LOGIN_PATH}?cors=false", elsewhere.map(String::as_str).unwrap_or_default())
        }
        Redirect::Throttle => format!("{prefix}{THROTTLE_PATH}"),
        Redirect::To(address) => address.clone(),
    }
}

/// What the back end at this address says with a bare status.
fn error_page(head: &Head, status: StatusCode) -> Answer {
    if !head.path.contains("/_api/") {
        return model::error_page(status);
    }
    let id = "00000000-5ead-4fe7-8c40-000000000000";
    sharepoint::error_page(head, status)
        .with(HeaderName::from_static("sprequestguid"), id)
        .with(HeaderName::from_static("request-id"), id)
}
