//! The HTML pages that SharePoint and what stands before it put where data was asked for.

use hyper::StatusCode;

use crate::{answer::Answer, script::Page};

pub const LOGIN_PATH: &str = "/_forms/default.aspx";
pub const THROTTLE_PATH: &str = "/_layouts/15/Throttle.htm";

pub fn page(page: Page, status: StatusCode) -> Answer {
    let (title, text) = match page {
        Page::Login => {
            ("Sign In", "<form method=\"post\"><input name=\"user\"><input type=\"submit\" value=\"Sign in\"></form>")
        }
        Page::Throttle => ("Something's not right", "<p>The page you requested is temporarily unavailable.</p>"),
        Page::Html => ("Service", "<p>This is a page, not data.</p>"),
    };
    Answer::html(
        status,
        format!("<!DOCTYPE html><html><head><title>{title}</title></head><body><h1>{title}</h1>{text}</body></html>"),
    )
}

/// The page that lives at this path, if one does.
pub fn page_at(path: &str) -> Option<Answer> {
    let kind = match path {
        path if path.ends_with(LOGIN_PATH) => Page::Login,
        path if path.ends_with(THROTTLE_PATH) => Page::Throttle,
        _ => return None,
    };
    Some(page(kind, StatusCode::OK))
}
