//! Who answers a request: the control routes, a played back end, or the static files.

use std::{convert::Infallible, sync::Arc};

use hyper::{
    HeaderMap, Request, Response, StatusCode,
    body::Incoming,
    header::{CONNECTION, HOST, HeaderValue},
    http::request::Parts,
};

use crate::{
    App,
    answer::Answer,
    body::Body,
    connection::Wire,
    control, play,
    request::{Head, decode},
    static_files,
};

/// Paths outside `/t/{scope}/` that belong to the back ends too, in the scope of this name.
const DEFAULT_SCOPE: &str = "default";
const BACK_END_FOLDERS: [&str; 5] = ["/sites/", "/api/", "/_api/", "/_layouts/", "/_forms/"];

pub async fn respond(app: Arc<App>, wire: Wire, request: Request<Incoming>) -> Result<Response<Body>, Infallible> {
    let (parts, incoming) = request.into_parts();
    let Some(origin) = own_origin(&app, &parts.headers) else {
        // A name of someone else's that was made to point here (DNS rebinding) must not read the repository.
        return Ok(plain(Answer::sentence(StatusCode::MISDIRECTED_REQUEST, "This server answers as 127.0.0.1 only.")));
    };
    let path = parts.uri.path().to_owned();
    if let Some(rest) = path.strip_prefix("/control/") {
        return Ok(plain(control::respond(&app, rest, &parts, incoming).await));
    }
    if let Some((scope, rest)) = scoped(&path) {
        let head = head(parts, origin, format!("/t/{scope}"), rest);
        return Ok(play::play(app, wire, scope, head, incoming).await);
    }
    if BACK_END_FOLDERS.iter().any(|folder| path.starts_with(folder)) {
        let head = head(parts, origin, String::new(), &path);
        return Ok(play::play(app, wire, DEFAULT_SCOPE, head, incoming).await);
    }
    Ok(plain(static_files::serve(&app.root, &parts.method, &path)))
}

/// `/t/abc/api/chat` → `abc`, `/api/chat`
fn scoped(path: &str) -> Option<(&str, &str)> {
    let rest = path.strip_prefix("/t/")?;
    let (scope, path) = rest.split_at_checked(rest.find('/')?)?;
    control::is_scope_name(scope).then_some((scope, path))
}

fn head(parts: Parts, origin: String, prefix: String, raw_path: &str) -> Head {
    Head {
        origin,
        prefix,
        path: decode(raw_path),
        raw_path: raw_path.to_owned(),
        query: parts.uri.query().unwrap_or_default().to_owned(),
        method: parts.method,
        headers: parts.headers,
    }
}

/// `127.0.0.1` or `localhost`, with one of our ports.
fn own_origin(app: &App, headers: &HeaderMap) -> Option<String> {
    let host = headers.get(HOST)?.to_str().ok()?;
    let named = format!("http://{}", host.replacen("localhost", "127.0.0.1", 1));
    app.origins.contains(&named).then(|| format!("http://{host}"))
}

fn plain(answer: Answer) -> Response<Body> {
    respond_with(answer.status, answer.headers, Body::whole(answer.body), false)
}

/// Connections are not reused unless asked for: on a reused one that breaks, browsers send the request again on their
/// own, POSTs included, and the test would count what the library never did.
pub fn respond_with(status: StatusCode, headers: HeaderMap, body: Body, keep_alive: bool) -> Response<Body> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    if !keep_alive {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    response
}
