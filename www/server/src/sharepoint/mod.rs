//! SharePoint REST as a web part meets it: lists whose items really come and go, paging, digests, and the pages that
//! stand in the way. Only what the tests use is played; everything else is a 404 in SharePoint's own words.

mod digest;
mod list;
mod literal;
mod odata;
mod pages;
mod query;
mod target;

use std::{collections::BTreeMap, time::Duration};

use hyper::{
    StatusCode,
    header::{ETAG, IF_MATCH, LOCATION},
};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::time::Instant;

use self::{
    digest::{Digests, Refusal},
    list::List,
    odata::Dialect,
    query::Query,
    target::Target,
};
pub use self::{
    list::ListSeed,
    odata::error_page,
    pages::{LOGIN_PATH, THROTTLE_PATH, page, page_at},
};
use crate::{
    answer::Answer,
    clock::Clock,
    request::{Head, Request},
    script::Ms,
};

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct SiteSettings {
    /// If set, a write needs a digest from `contextinfo` that is not older than this.
    digest_ms: Option<Ms>,
    /// Items per page where the request names no `$top`.
    page_size: usize,
    /// Reads see a new item only this long after it was created.
    stale_ms: Ms,
    /// A field that no two items of a list may have the same value in.
    unique: Option<String>,
}

impl Default for SiteSettings {
    fn default() -> Self {
        Self { digest_ms: None, page_size: 100, stale_ms: Ms::default(), unique: None }
    }
}

#[derive(Default)]
pub struct Site {
    lists: BTreeMap<String, List>,
    digests: Digests,
    served: u64,
}

impl Site {
    pub fn new(seeds: &BTreeMap<String, ListSeed>) -> Self {
        let mut site = Self::default();
        site.seed(seeds);
        site
    }

    /// Adds the lists that are not there yet.
    pub fn seed(&mut self, seeds: &BTreeMap<String, ListSeed>) {
        for (title, seed) in seeds {
            self.lists.entry(title.clone()).or_insert_with(|| List::seeded(title, seed));
        }
    }

    /// The lists as the test reads them back.
    pub fn account(&self, with_items: bool) -> Value {
        let account = |list: &List| match with_items {
            true => json!({ "count": list.len(), "items": list.all() }),
            false => json!({ "count": list.len() }),
        };
        self.lists.iter().map(|(title, list)| (title.clone(), account(list))).collect::<Map<_, _>>().into()
    }

    pub fn respond(&mut self, settings: &SiteSettings, clock: &Clock, request: &Request) -> Answer {
        self.served += 1;
        let guid = format!("{:08x}-5ead-4fe7-8c40-{:012x}", self.served >> 32, self.served);
        let dialect = Dialect::of(&request.head);
        let answer = match Target::of(&request.head.path) {
            Some(target) => self.answer(settings, clock, request, dialect, target),
            None => dialect.error(
                StatusCode::NOT_FOUND,
                "-1, Microsoft.SharePoint.Client.ResourceNotFoundException",
                "Cannot find resource for the request.",
            ),
        };
        answer.with("sprequestguid", &guid).with("request-id", &guid).with("x-sharepointhealthscore", "0")
    }

    fn answer(
        &mut self,
        settings: &SiteSettings,
        clock: &Clock,
        request: &Request,
        dialect: Dialect,
        target: Target,
    ) -> Answer {
        let method = request.head.effective_method();
        let now = Instant::now();
        let lifetime = settings.digest_ms.map(|ms| clock.scaled(ms.0));
        if matches!(target, Target::ContextInfo) {
            return match method.as_str() {
                "POST" => dialect.context(&self.digests.issue(now), lifetime.unwrap_or(digest::LIFETIME)),
                _ => dialect.method_not_allowed(),
            };
        }
        let is_read = matches!(method.as_str(), "GET" | "HEAD");
        if let (false, Some(lifetime)) = (is_read, lifetime)
            && let Err(refusal) = self.digests.check(request.head.header("x-requestdigest"), now, lifetime)
        {
            return refuse(dialect, refusal);
        }
        let seen_until = Seen { now, stale: clock.scaled(settings.stale_ms.0) };
        match (target, method.as_str()) {
            (Target::Web, "GET" | "HEAD") => dialect.entity(StatusCode::OK, json!({ "Title": "Lab" })),
            (Target::List(title), "GET" | "HEAD") => {
                let count = self.list(&title).len();
                dialect.entity(StatusCode::OK, json!({ "Title": title, "ItemCount": count }))
            }
            (Target::Items(title), "GET" | "HEAD") => {
                self.page(&request.head, dialect, &title, settings.page_size, seen_until)
            }
            (Target::Items(title), "POST") => self.create(request, dialect, &title, settings.unique.as_deref(), now),
            (Target::Item(title, id), method) => self.item(request, dialect, &title, id, method, seen_until),
            _ => dialect.method_not_allowed(),
        }
    }

    /// A list is there as soon as it is named: scripts need not announce it.
    fn list(&mut self, title: &str) -> &mut List {
        self.lists.entry(title.to_owned()).or_default()
    }

    fn page(&mut self, head: &Head, dialect: Dialect, title: &str, page_size: usize, seen: Seen) -> Answer {
        let query = match Query::of(head, page_size) {
            Ok(query) => query,
            Err(sentence) => return dialect.invalid(&sentence),
        };
        let mut matching = self.list(title).visible(query.after, seen).filter(|(_, item)| query.admits(&item.fields));
        let page: Vec<_> = matching.by_ref().take(query.top).collect();
        let next = match (page.last(), matching.next()) {
            (Some((last, _)), Some(_)) => Some(query.next_link(head, **last)),
            _ => None,
        };
        let items = page.iter().map(|(_, item)| dialect.item(query.selected(&item.fields), item.version));
        dialect.page(items.collect(), next)
    }

    fn create(
        &mut self,
        request: &Request,
        dialect: Dialect,
        title: &str,
        unique: Option<&str>,
        now: Instant,
    ) -> Answer {
        let Some(fields) = fields(&request.body) else {
            return dialect.invalid("The body is not an item in JSON.");
        };
        if unique.is_some_and(|name| self.list(title).holds(name, fields.get(name))) {
            return dialect.error(
                StatusCode::BAD_REQUEST,
                "-2130575169, Microsoft.SharePoint.SPDuplicateValuesFoundException",
                "The list item could not be added or updated because duplicate values were found in one or more fields \
                 in the list.",
            );
        }
        let (id, item) = self.list(title).create(fields, now);
        let location = format!("{}{}{}({id})", request.head.origin, request.head.prefix, request.head.raw_path);
        dialect
            .entity(StatusCode::CREATED, dialect.item(item.fields.clone(), item.version))
            .with(LOCATION, location)
            .with(ETAG, odata::etag(item.version))
    }

    fn item(&mut self, request: &Request, dialect: Dialect, title: &str, id: u64, method: &str, seen: Seen) -> Answer {
        let if_match = request.head.header(IF_MATCH);
        let list = self.list(title);
        let Some(item) = list.get_mut(id).filter(|item| method != "GET" || item.is_visible(seen)) else {
            return dialect.error(
                StatusCode::NOT_FOUND,
                "-2130575338, Microsoft.SharePoint.SPException",
                "Item does not exist. It may have been deleted by another user.",
            );
        };
        if matches!(method, "GET" | "HEAD") {
            let (fields, version) = (item.fields.clone(), item.version);
            return dialect.entity(StatusCode::OK, dialect.item(fields, version)).with(ETAG, odata::etag(version));
        }
        if if_match.is_some_and(|wanted| wanted != "*" && wanted != odata::etag(item.version)) {
            return dialect.error(
                StatusCode::PRECONDITION_FAILED,
                "-1, Microsoft.SharePoint.Client.ClientServiceException",
                "The request ETag value does not match the object's ETag value.",
            );
        }
        match method {
            "MERGE" | "PATCH" | "PUT" => match fields(&request.body) {
                Some(fields) => {
                    item.change(fields);
                    Answer::empty(StatusCode::NO_CONTENT).with(ETAG, odata::etag(item.version))
                }
                None => dialect.invalid("The body is not an item in JSON."),
            },
            "DELETE" => {
                list.delete(id);
                Answer::empty(StatusCode::OK)
            }
            _ => dialect.method_not_allowed(),
        }
    }
}

/// Which items a read sees.
#[derive(Clone, Copy)]
pub struct Seen {
    now: Instant,
    stale: Duration,
}

fn refuse(dialect: Dialect, refusal: Refusal) -> Answer {
    dialect.error(StatusCode::FORBIDDEN, refusal.code(), refusal.sentence())
}

/// The fields of an item to write, without what describes its type.
fn fields(body: &[u8]) -> Option<Map<String, Value>> {
    let mut fields: Map<String, Value> = serde_json::from_slice(body).ok()?;
    fields.retain(|name, _| !(name == "__metadata" || name.contains("odata.")));
    Some(fields)
}
