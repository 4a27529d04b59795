//! What a test reads back: every request as it arrived, and how its connection ended.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
};

use hyper::HeaderMap;
use serde::Serialize;
use tokio::sync::futures::OwnedNotified;

use super::Scope;
use crate::{App, connection::Cut, request::Head, script::LogSettings};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    Running,
    /// Waiting for the test's release.
    Held,
    /// Handed over completely.
    Answered,
    /// We ended it, orderly.
    Closed,
    /// We ended it with a TCP reset.
    Reset,
    /// The client ended it before the answer was complete.
    ClientLeft,
}

impl Outcome {
    pub fn of(cut: Cut) -> Self {
        if cut.reset { Self::Reset } else { Self::Closed }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    pub n: u64,
    pub at_ms: f64,
    pub ended_ms: Option<f64>,
    /// When the back end did its work, if it did: perhaps long after its answer.
    pub applied_ms: Option<f64>,
    pub origin: String,
    pub method: String,
    pub path: String,
    pub query: String,
    pub headers: BTreeMap<String, String>,
    pub body: String,
    pub body_bytes: u64,
    pub preflight: bool,
    /// Which part of the script answered: `rules[0].steps[1]`, `random.faults[2]`, `query`, or `normal`.
    pub by: String,
    pub status: Option<u16>,
    pub outcome: Outcome,
}

pub struct Log {
    entries: VecDeque<Entry>,
    seen: u64,
    preflights: u64,
    limit: usize,
    body_bytes: usize,
}

impl Log {
    pub fn new(settings: &LogSettings) -> Self {
        let (entries, limit, body_bytes) = (VecDeque::new(), settings.limit, settings.body_bytes);
        Self { entries, seen: 0, preflights: 0, limit, body_bytes }
    }

    pub fn limit(&mut self, settings: &LogSettings) {
        (self.limit, self.body_bytes) = (settings.limit, settings.body_bytes);
    }

    pub fn seen(&self) -> u64 {
        self.seen
    }

    pub fn preflights(&self) -> u64 {
        self.preflights
    }

    /// How many of the oldest entries have left to keep the log within its limit.
    pub fn forgotten(&self) -> u64 {
        self.seen - self.entries.len() as u64
    }

    pub fn held(&self) -> usize {
        self.entries.iter().filter(|entry| entry.outcome == Outcome::Held).count()
    }

    pub fn in_flight(&self) -> usize {
        self.entries.iter().filter(|entry| matches!(entry.outcome, Outcome::Held | Outcome::Running)).count()
    }

    pub fn from(&self, n: u64) -> impl Iterator<Item = &Entry> {
        self.entries.iter().skip(n.saturating_sub(self.forgotten()) as usize)
    }

    fn push(&mut self, at_ms: f64, head: &Head) -> u64 {
        let (n, preflight) = (self.seen, head.is_preflight());
        self.seen += 1;
        self.preflights += u64::from(preflight);
        self.entries.push_back(Entry {
            n,
            at_ms,
            ended_ms: None,
            applied_ms: None,
            origin: head.origin.clone(),
            method: head.method.to_string(),
            path: head.path.clone(),
            query: head.query.clone(),
            headers: texts(&head.headers),
            body: String::new(),
            body_bytes: 0,
            preflight,
            by: "normal".to_owned(),
            status: None,
            outcome: Outcome::Running,
        });
        while self.entries.len() > self.limit {
            self.entries.pop_front();
        }
        n
    }

    pub fn applied(&mut self, n: u64, at_ms: f64) {
        if let Some(entry) = self.entry(n) {
            entry.applied_ms = Some(at_ms);
        }
    }

    fn entry(&mut self, n: u64) -> Option<&mut Entry> {
        let index = n.checked_sub(self.forgotten())?;
        self.entries.get_mut(index as usize)
    }
}

fn texts(headers: &HeaderMap) -> BTreeMap<String, String> {
    let mut texts = BTreeMap::<_, String>::new();
    for (name, value) in headers {
        let value = String::from_utf8_lossy(value.as_bytes());
        texts
            .entry(name.to_string())
            .and_modify(|text| *text = format!("{text}, {value}"))
            .or_insert_with(|| value.into_owned());
    }
    texts
}

/// One request's place in the log. Dropped before it was told an end, it means that the client left.
pub struct Trace {
    app: Arc<App>,
    scope: Arc<Scope>,
    n: u64,
    outcome: Outcome,
}

impl Trace {
    pub fn begin(app: Arc<App>, scope: Arc<Scope>, head: &Head) -> Self {
        let n = scope.lock().log.push(app.clock.now_ms(), head);
        Self { app, scope, n, outcome: Outcome::ClientLeft }
    }

    pub fn number(&self) -> u64 {
        self.n
    }

    pub fn update(&self, change: impl FnOnce(&mut Entry)) {
        if let Some(entry) = self.scope.lock().log.entry(self.n) {
            change(entry);
        }
    }

    /// Waits as [`Scope::hold`] does.
    pub fn held(&self) -> OwnedNotified {
        self.scope.held(self)
    }

    pub fn received(&self, body: &[u8], length: u64) {
        let mut state = self.scope.lock();
        let kept = state.log.body_bytes;
        if let Some(entry) = state.log.entry(self.n) {
            entry.body = String::from_utf8_lossy(body.get(..kept).unwrap_or(body)).into_owned();
            entry.body_bytes = length;
        }
    }

    pub fn end(mut self, outcome: Outcome) {
        self.outcome = outcome;
    }
}

impl Drop for Trace {
    fn drop(&mut self) {
        let (outcome, now) = (self.outcome, self.app.clock.now_ms());
        self.update(|entry| (entry.outcome, entry.ended_ms) = (outcome, Some(now)));
    }
}
