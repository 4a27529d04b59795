//! The life of one request to a played back end: logged, read, matched with a step of the script, worked on or not, and
//! answered, late, in pieces, half or not at all.

use std::{future, sync::Arc};

use hyper::{Method, Response, StatusCode, body::Incoming, header::CONTENT_LENGTH};
use tokio::time::{Duration, sleep};

use crate::{
    App,
    answer::Answer,
    body::{Body, End},
    clock::Clock,
    connection::Wire,
    cors::CorsChoice,
    request::{Head, Request, read_body},
    route::respond_with,
    scope::{Outcome, Scope, State, Trace},
    script::{Chunks, Moment, Pick, Step, cut},
    scripted, sharepoint,
};

/// Everything a scope keeps grows by at most one per request, so this bounds it all.
const MAX_REQUESTS: u64 = 200_000;

/// What the back end did, and how long it takes over it.
struct Work {
    answer: Answer,
    takes: Duration,
}

pub async fn play(app: Arc<App>, wire: Wire, scope: &str, head: Head, incoming: Incoming) -> Response<Body> {
    let scope = app.scopes.open(scope);
    if scope.lock().log.seen() >= MAX_REQUESTS {
        return refuse(StatusCode::INSUFFICIENT_STORAGE, "This scope has served enough requests: PUT it anew.");
    }
    let trace = Trace::begin(app.clone(), scope.clone(), &head);
    let Some((body, length)) = read_body(incoming).await else {
        return refuse(StatusCode::BAD_REQUEST, "The request did not arrive whole.");
    };
    trace.received(&body, length);
    let request = Arc::new(Request { head, body });

    let (Pick { step, by }, work) = match begin(&app.clock, &scope, &request, trace.number()) {
        Ok(begun) => begun,
        Err(sentence) => {
            trace.end(Outcome::Answered);
            return refuse(StatusCode::BAD_REQUEST, sentence);
        }
    };
    if let Some(by) = by {
        trace.update(|entry| entry.by = by);
    }
    if let Some(later) = step.apply_after_ms {
        tokio::spawn(work_later(
            app.clone(),
            scope.clone(),
            request.clone(),
            trace.number(),
            app.clock.scaled(later.0),
        ));
    }

    let own = scripted::answer(&app, &step, &request.head);
    let work = work.unwrap_or_else(|| Work { answer: Answer::empty(StatusCode::OK), takes: Duration::ZERO });
    // Only who gets the back end's own answer waits for it.
    let takes = if own.is_some() || step.is_silent() { Duration::ZERO } else { work.takes };
    if step.hold {
        scope.hold(&trace).await;
    }
    let wait = app.clock.scaled(step.delay_ms.0) + takes;
    if !wait.is_zero() {
        // The timer would round even nothing up to its next tick.
        sleep(wait).await;
    }
    if step.is_silent() {
        return keep_silent(&step, &wire, trace).await;
    }

    let (answer, keep_alive) = dress(&scope, &step, &request.head, own.unwrap_or(work.answer));
    trace.update(|entry| entry.status = Some(answer.status.as_u16()));
    let body = if request.head.method == Method::HEAD {
        // hyper takes the length from it and sends nothing.
        trace.end(Outcome::Answered);
        Body::whole(answer.body)
    } else {
        outgoing(&answer, &step, app.clock.scaled(step.chunk_every_ms.0), wire).traced(trace)
    };
    respond_with(answer.status, answer.headers, body, keep_alive)
}

/// Takes the request's step and does the back end's work in one go, so that two requests never share a step.
fn begin(clock: &Clock, scope: &Scope, request: &Request, n: u64) -> Result<(Pick, Option<Work>), String> {
    let state = &mut *scope.lock();
    let pick = state.playhead.next(&state.script, &request.head)?;
    let work = pick.step.applies().then(|| work(state, clock, request, n, pick.step.cors.as_ref()));
    Ok((pick, work))
}

/// The normal behaviour, for the n-th request.
fn work(state: &mut State, clock: &Clock, request: &Request, n: u64, cors: Option<&CorsChoice>) -> Work {
    state.log.applied(n, clock.now_ms());
    let path = request.head.path.as_str();
    let mut takes = Duration::ZERO;
    let answer = if request.head.is_preflight() {
        cors.unwrap_or(&state.script.cors).preflight(&request.head)
    } else if let Some(page) = sharepoint::page_at(path) {
        page
    } else if path.contains("/_api/") {
        state.site.respond(&state.script.sharepoint, clock, request)
    } else if path.starts_with("/api/") {
        let (answer, thinking) = state.model.respond(&state.script.model, clock, request);
        takes = thinking;
        answer
    } else {
        Answer::sentence(StatusCode::NOT_FOUND, "Only `_api` addresses and `/api/` are played here.")
    };
    Work { answer, takes }
}

/// A write under way that nothing stops: neither its answer nor the client's leaving.
async fn work_later(app: Arc<App>, scope: Arc<Scope>, request: Arc<Request>, n: u64, later: Duration) {
    sleep(later).await;
    work(&mut scope.lock(), &app.clock, &request, n, None);
}

/// Ends the connection without an answer, or waits until the client does.
async fn keep_silent(step: &Step, wire: &Wire, trace: Trace) -> Response<Body> {
    let Some(at) = step.drop.filter(|at| at.moment == Moment::BeforeHeaders) else {
        let _until_the_client_leaves = trace;
        return future::pending().await;
    };
    trace.end(Outcome::of(at.cut));
    wire.cut(at.cut);
    future::pending().await
}

/// The headers of scope and step, and what a page of another origin may see of it all.
fn dress(scope: &Scope, step: &Step, head: &Head, mut answer: Answer) -> (Answer, bool) {
    let script = &scope.lock().script;
    script.headers.replace_in(&mut answer.headers);
    let mut answer = step.cors.as_ref().unwrap_or(&script.cors).admit(head, answer);
    step.headers.replace_in(&mut answer.headers);
    (answer, script.keep_alive)
}

fn outgoing(answer: &Answer, step: &Step, every: Duration, wire: Wire) -> Body {
    let whole = &answer.body;
    let half = whole.slice(..whole.len() / 2);
    let moment = step.drop.map(|at| at.moment).or(step.stall);
    let end = match (step.drop, step.stall) {
        (Some(at), _) => End::Cut(at.cut, wire),
        (None, Some(_)) => End::Stall,
        (None, None) => End::Finish,
    };
    let pieces = match (&step.chunks, moment) {
        (_, Some(Moment::BeforeHeaders | Moment::AfterHeaders)) => Vec::new(),
        (Some(Chunks::Pieces(pieces)), _) => pieces.clone(),
        (Some(Chunks::Count(count)), Some(Moment::MidBody)) => cut(&half, *count),
        (Some(Chunks::Count(count)), None) => cut(whole, *count),
        (None, Some(Moment::MidBody)) => vec![half],
        // A length that the script announces need not be the true one.
        (None, None) if answer.headers.contains_key(CONTENT_LENGTH) => vec![whole.clone()],
        (None, None) => return Body::whole(whole.clone()),
    };
    Body::paced(pieces, every, end).held_piecewise(step.hold_chunks)
}

fn refuse(status: StatusCode, sentence: impl Into<String>) -> Response<Body> {
    let answer = Answer::sentence(status, sentence);
    respond_with(answer.status, answer.headers, Body::whole(answer.body), false)
}
