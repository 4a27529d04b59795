//! SharePoint REST: lists, paging, digests, and the pages in between.

use crate::client::{ITEMS, Reply, Scope};
use serde_json::Value;

const VERBOSE: (&str, &str) = ("Accept", "application/json;odata=verbose");

fn post(scope: &Scope, headers: &[(&str, &str)]) -> Reply {
    scope.send(&format!("POST {ITEMS}"), headers, r#"{"Title":"it's"}"#)
}

fn titles(items: &Value) -> Vec<&str> {
    items.as_array().unwrap().iter().map(|item| item["Title"].as_str().unwrap()).collect()
}

#[test]
fn an_item_lives_from_its_post_to_its_delete() {
    let scope = Scope::new("life", "");
    let created = post(&scope, &[]);
    assert_eq!(created.status(), 201);
    assert_eq!((&created.json()["Id"], &created.json()["Title"]), (&1.into(), &"it's".into()));
    let location = created.header("location").unwrap().split_once("/t/life").unwrap().1;
    assert_eq!(scope.get(location).json()["Title"], "it's");

    let item = format!("{ITEMS}(1)");
    let change = |line: &str, headers: &[(&str, &str)], title: &str| {
        scope.send(line, headers, &format!(r#"{{"__metadata":{{"type":"SP.ListItem"}},"Title":"{title}"}}"#)).status()
    };
    assert_eq!(change(&format!("PATCH {item}"), &[("If-Match", "*")], "patched"), 204);
    assert_eq!(change(&format!("MERGE {item}"), &[("If-Match", "\"1\"")], "too late"), 412);
    assert_eq!(change(&format!("POST {item}"), &[("X-HTTP-Method", "MERGE"), ("If-Match", "\"2\"")], "merged"), 204);
    let read = scope.get(&item);
    assert_eq!((&read.json()["Title"], read.header("etag")), (&"merged".into(), Some("\"3\"")));
    assert_eq!(read.json().get("__metadata"), None);

    assert_eq!(scope.send(&format!("POST {item}"), &[("X-HTTP-Method", "DELETE")], "").status(), 200);
    assert_eq!(scope.get(&item).status(), 404);
    assert_eq!(scope.send(&format!("DELETE {item}"), &[], "").status(), 404);
    assert_eq!(post(&scope, &[]).json()["Id"], 2, "an id is never given twice");
}

#[test]
fn a_unique_column_refuses_the_second_of_a_value_whoever_sees_the_first() {
    let scope = Scope::new("unique", r#"{"sharepoint":{"unique":"Title","staleMs":600000}}"#);
    assert_eq!(post(&scope, &[]).status(), 201);
    let refused = post(&scope, &[]);
    assert_eq!(refused.status(), 400);
    assert!(refused.json()["odata.error"]["code"].as_str().unwrap().starts_with("-2130575169"));
    let other = scope.send(&format!("POST {ITEMS}"), &[], r#"{"Title":"another"}"#);
    assert_eq!(other.status(), 201);
    let without = scope.send(&format!("POST {ITEMS}"), &[], "{}");
    assert_eq!(
        (without.status(), scope.send(&format!("POST {ITEMS}"), &[], "{}").status()),
        (201, 201),
        "none is no value"
    );
}

#[test]
fn every_dialect_pages_to_the_last_item() {
    for (header, link, items) in [
        (VERBOSE, "/d/__next", "/d/results"),
        (("Accept", "application/json;odata=nometadata"), "/odata.nextLink", "/value"),
        (("Accept", "application/json;odata.metadata=minimal"), "/@odata.nextLink", "/value"),
        (("OData-Version", "4.0"), "/@odata.nextLink", "/value"),
    ] {
        let scope = Scope::new("pages", r#"{"lists":{"Orders":250}}"#);
        let (mut path, mut pages) = (Some(format!("{ITEMS}?$select=Title&own=1")), Vec::new());
        while let Some(next) = path {
            let page = scope.send(&format!("GET {next}"), &[header], "").json();
            pages.push(titles(page.pointer(items).unwrap()).len());
            path = page.pointer(link).map(|link| {
                let origin = format!("http://{}/t/pages", scope.host);
                link.as_str().unwrap().strip_prefix(&origin).unwrap().to_owned()
            });
            assert!(path.as_ref().is_none_or(|path| path.contains("own=1")), "{path:?}");
        }
        assert_eq!(pages, [100, 100, 50], "{header:?}");
    }
}

#[test]
fn a_full_last_page_has_no_link() {
    let scope = Scope::new("full", r#"{"lists":{"Orders":20},"sharepoint":{"pageSize":5}}"#);
    assert_eq!(scope.get(ITEMS).json()["value"].as_array().unwrap().len(), 5);
    let whole = scope.get(&format!("{ITEMS}?$top=20")).json();
    assert_eq!(whole["value"].as_array().unwrap().len(), 20);
    assert_eq!(whole.get("odata.nextLink"), None);
}

#[test]
fn a_filter_finds_by_equality_or_says_that_it_cannot() {
    let scope = Scope::new(
        "filter",
        r#"{"lists":{"Orders":[{"Title":"it's","N":1},{"Title":"b","N":2},{"Title":"it's","N":3}]}}"#,
    );
    let found = scope.get(&format!("{ITEMS}?$filter=Title%20eq%20'it''s'&$top=1")).json();
    assert_eq!(found["value"].as_array().unwrap().len(), 1);
    assert!(found["odata.nextLink"].is_string(), "there is a second one: {found}");
    let found = scope.get(&format!("{ITEMS}?$filter=N+eq+2&$select=Title")).json();
    assert_eq!((titles(&found["value"]), found["value"][0].get("N")), (vec!["b"], None));
    assert_eq!(scope.get(&format!("{ITEMS}?$filter=startswith(Title,'b')")).status(), 400);
}

#[test]
fn a_write_needs_a_young_digest_if_the_script_says_so() {
    let scope = Scope::new("digest", r#"{"sharepoint":{"digestMs":60000}}"#);
    let refused = post(&scope, &[VERBOSE]);
    assert_eq!(refused.status(), 403);
    assert_eq!(refused.json()["error"]["code"], "-2130575251, Microsoft.SharePoint.SPException");
    let context = scope.send("POST /sites/a/_api/contextinfo", &[VERBOSE], "").json();
    let context = &context["d"]["GetContextWebInformation"];
    assert_eq!(context["FormDigestTimeoutSeconds"], 60);
    let digest = ("X-RequestDigest", context["FormDigestValue"].as_str().unwrap());
    assert_eq!(post(&scope, &[digest]).status(), 201);
    scope.control("PATCH", r#"{"sharepoint":{"digestMs":0}}"#);
    let expired = post(&scope, &[digest]);
    assert_eq!(expired.status(), 403);
    let error = &expired.json()["odata.error"];
    assert_eq!(error["code"], "-2130575252, Microsoft.SharePoint.SPException");
    assert!(
        error["message"]["value"].as_str().unwrap().starts_with("The security validation for this page is invalid")
    );
    assert_eq!(scope.get(ITEMS).status(), 200, "a read needs none");
    assert_eq!(scope.count("Orders"), 1);
}

#[test]
fn a_redirect_leads_to_a_page_that_uses_up_no_step() {
    for (redirect, path) in [("throttle", "/_layouts/15/Throttle.htm"), ("login", "/_forms/default.aspx?ReturnUrl=%2F")]
    {
        let name = format!("redirect-{redirect}");
        let scope = Scope::new(&name, &format!(r#"{{"steps":[{{"redirect":"{redirect}"}},{{"status":503}}]}}"#));
        let reply = scope.get(ITEMS);
        assert_eq!((reply.status(), reply.header("location")), (302, Some(format!("/t/{name}{path}").as_str())));
        let page = scope.get(path);
        assert_eq!((page.status(), page.header("content-type")), (200, Some("text/html; charset=utf-8")), "{redirect}");
        assert_eq!(scope.get(ITEMS).status(), 503, "{redirect}");
    }
}

#[test]
fn a_session_that_ended_leads_to_another_origin_without_cors() {
    let scope = Scope::new("elsewhere", r#"{"steps":[{"redirect":"login-elsewhere"}]}"#);
    let reply = scope.get(ITEMS);
    let (host, path) = reply.header("location").unwrap().strip_prefix("http://").unwrap().split_once("/t/").unwrap();
    assert_ne!(host, scope.host);
    let page = crate::client::send(host, &format!("GET /t/{path}"), &[("Origin", "http://127.0.0.1:1")], "");
    assert_eq!((page.status(), page.header("access-control-allow-origin")), (200, None));
}

#[test]
fn a_page_may_stand_where_data_was_asked_for() {
    let scope = Scope::new("page", r#"{"steps":[{"page":"html"},{"page":"login","status":403}]}"#);
    for status in [200, 403] {
        let reply = scope.get(ITEMS);
        assert_eq!((reply.status(), reply.header("content-type")), (status, Some("text/html; charset=utf-8")));
    }
}

#[test]
fn a_write_may_land_after_its_refusal() {
    let scope = Scope::new("late", r#"{"steps":[{"status":503,"applyAfterMs":40}]}"#);
    assert_eq!(post(&scope, &[]).status(), 503);
    let account = scope.wait_for("the late write", |account| account["lists"]["Orders"]["count"] == 1);
    assert_eq!(account["requests"][0]["status"], 503);
}

#[test]
fn a_stale_read_does_not_see_what_was_just_written() {
    let scope = Scope::new("stale", r#"{"sharepoint":{"staleMs":60000},"lists":{"Orders":1}}"#);
    assert_eq!(post(&scope, &[]).status(), 201);
    assert_eq!(titles(&scope.get(ITEMS).json()["value"]), ["Orders 1"]);
    assert_eq!(scope.get(&format!("{ITEMS}(2)")).status(), 404);
    assert_eq!(scope.count("Orders"), 2);
    scope.control("PATCH", "{}");
    assert_eq!(titles(&scope.get(ITEMS).json()["value"]), ["Orders 1", "it's"]);
}

#[test]
fn every_answer_carries_its_correlation_id() {
    let scope = Scope::new("guid", "");
    let (one, two) = (scope.get(ITEMS), scope.get("/sites/a/_api/nothing"));
    assert_eq!((one.status(), two.status()), (200, 404));
    assert_eq!(one.header("sprequestguid"), one.header("request-id"));
    assert_ne!(one.header("sprequestguid"), two.header("sprequestguid"));
    assert_eq!(one.header("sprequestguid").unwrap().len(), 36);
}
