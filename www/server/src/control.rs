//! The routes by which a test scripts its scope and reads back what happened there.

use hyper::{
    Method, StatusCode,
    body::Incoming,
    header::{ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN},
    http::request::Parts,
};
use serde_json::{Value, json};

use crate::{
    App,
    answer::Answer,
    request::{KEPT_BODY_BYTES, read_body},
    scope::State,
    script::Script,
};

pub async fn respond(app: &App, rest: &str, parts: &Parts, incoming: Incoming) -> Answer {
    // Pages of either origin script their scopes.
    dispatch(app, rest, parts, incoming)
        .await
        .with(ACCESS_CONTROL_ALLOW_ORIGIN, "*")
        .with(ACCESS_CONTROL_ALLOW_METHODS, "GET, PUT, PATCH, DELETE, POST")
        .with(ACCESS_CONTROL_ALLOW_HEADERS, "content-type")
}

pub fn is_scope_name(name: &str) -> bool {
    (1..=100).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}

async fn dispatch(app: &App, rest: &str, parts: &Parts, incoming: Incoming) -> Answer {
    let (name, action) = rest.split_once('/').unwrap_or((rest, ""));
    if !is_scope_name(name) {
        return refuse(StatusCode::BAD_REQUEST, "A scope is named by 1 to 100 letters, digits, `-`, `_` and `.`.");
    }
    match (&parts.method, action) {
        (&Method::OPTIONS, _) => Answer::empty(StatusCode::NO_CONTENT),
        (&Method::PUT | &Method::PATCH, "") => match script(incoming).await {
            Ok(script) => {
                match parts.method {
                    Method::PUT => app.scopes.put(name, script),
                    _ => app.scopes.open(name).rewrite(script),
                }
                // A page knows its own origin only, and needs the other one to be a stranger there.
                let answer = json!({ "scope": name, "prefix": format!("/t/{name}"), "origins": app.origins });
                Answer::json(StatusCode::OK, &answer)
            }
            Err(sentence) => refuse(StatusCode::BAD_REQUEST, sentence),
        },
        (&Method::GET, "") => match app.scopes.get(name) {
            Some(scope) => Answer::json(StatusCode::OK, &account(name, &scope.lock(), parts.uri.query())),
            None => refuse(StatusCode::NOT_FOUND, "There is no scope of this name."),
        },
        (&Method::DELETE, "") => {
            app.scopes.forget(name);
            Answer::empty(StatusCode::NO_CONTENT)
        }
        (&Method::POST, "release") => match app.scopes.get(name) {
            Some(scope) => Answer::json(StatusCode::OK, &json!({ "released": scope.release() })),
            None => refuse(StatusCode::NOT_FOUND, "There is no scope of this name."),
        },
        _ => refuse(
            StatusCode::METHOD_NOT_ALLOWED,
            "A scope takes PUT, PATCH, GET and DELETE, and POST on its `/release`.",
        ),
    }
}

async fn script(incoming: Incoming) -> Result<Script, String> {
    match read_body(incoming).await {
        Some((_, length)) if length > KEPT_BODY_BYTES as u64 => Err("The script is longer than 4 MiB.".to_owned()),
        Some((body, _)) => Script::parse(&body),
        None => Err("The script did not arrive whole.".to_owned()),
    }
}

/// `?from=n` leaves out the requests before number n, `?items=false` the items of the lists: for polling.
fn account(name: &str, state: &State, query: Option<&str>) -> Value {
    let asked = |key: &str| {
        let mut pairs = form_urlencoded::parse(query.unwrap_or_default().as_bytes());
        pairs.find(|(name, _)| name == key).map(|(_, value)| value.into_owned())
    };
    let from = asked("from").and_then(|n| n.parse().ok()).unwrap_or(0);
    json!({
        "scope": name,
        "seen": state.log.seen(),
        "forgotten": state.log.forgotten(),
        "preflights": state.log.preflights(),
        "inFlight": state.log.in_flight(),
        "modelCalls": state.model.calls(),
        "requests": state.log.from(from).collect::<Vec<_>>(),
        "lists": state.site.account(asked("items").as_deref() != Some("false")),
    })
}

fn refuse(status: StatusCode, sentence: impl Into<String>) -> Answer {
    Answer::sentence(status, sentence)
}
