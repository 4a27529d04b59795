//! One plain sentence or two for a person: what failed, why it was (not) repeated, what to do now. Made of fixed
//! words and a number of seconds only, so no address, name or message of anybody's can be in it.

use crate::policy::judge::Stop;
use crate::policy::page::Page;

/// What of an account is told.
pub struct Story {
    /// Why the call ended.
    pub stop: Stop,
    /// The page that answered in place of data.
    pub page: Option<Page>,
    /// It was a SharePoint write.
    pub write: bool,
    /// How often it was sent.
    pub attempts: u32,
    /// The status of the last attempt, if that was answered.
    pub status: Option<u16>,
    /// What the server last asked for.
    pub retry_after_ms: Option<f64>,
}

/// What is said of a call with an account.
pub fn told(account: &Story) -> String {
    if account.stop == Stop::Success {
        return "The request succeeded.".to_owned();
    }
    let mut text = String::from(what(account));
    let why = why(account);
    if !why.is_empty() {
        text.push(' ');
        text.push_str(why);
    }
    text.push(' ');
    advice(account, &mut text);
    text
}

/// Whether the server may have carried out what looks like a failure: it was sent, and no answer says that it was refused.
fn may_be_applied(account: &Story) -> bool {
    account.write && account.attempts > 0 && matches!(account.status, None | Some(408 | 429 | 500..))
}

fn what(account: &Story) -> &'static str {
    match (account.page, account.stop) {
        (Some(Page::Login), _) => return "A sign-in page answered instead of data.",
        (Some(Page::Throttle), _) => return "SharePoint answered with its throttling page instead of data.",
        (Some(Page::Html), Stop::FinalStatus) if account.status.is_some_and(|status| status < 400) => {
            return "A web page answered instead of data.";
        }
        (_, Stop::Aborted) => return "The request was cancelled.",
        (_, Stop::Timeout) => return "The server did not answer in time.",
        (_, Stop::NotSent) => return "The request could not be prepared, so it was not sent.",
        (_, Stop::CircuitOpen) => return "The service has been failing, so it was not asked again.",
        (_, Stop::CoolingDown) => return "The server asked this page to wait, so the request was not sent.",
        _ => {}
    }
    match account.status {
        None => "The server could not be reached, refused this page (CORS), or you are signed out.",
        Some(401 | 403) => "The server refused access.",
        Some(404 | 410) => "The server did not find what was asked for.",
        Some(409 | 412 | 423) => "The server reported a conflict.",
        Some(408 | 504) => "The server ran out of time.",
        Some(429) => "The server is limiting requests.",
        Some(503 | 529) => "The server is overloaded.",
        Some(500..) => "The server failed.",
        Some(_) => "The server did not accept the request.",
    }
}

fn why(account: &Story) -> &'static str {
    match account.stop {
        Stop::UnsafeMethod => "It was not repeated, because it may have been applied already.",
        Stop::SlowFailure => "It was not repeated, because the failed attempt took too long to be worth another.",
        Stop::NoRetriesLeft if account.attempts > 1 => "It was repeated without success.",
        Stop::Network if account.attempts > 1 => "It was repeated without success.",
        Stop::RetryBudget => "It was not repeated, because too much has been repeated on this page lately.",
        Stop::WaitExceedsTimeLeft => {
            "It was not repeated, because the wait would have taken longer than the time left."
        }
        Stop::BodyNotReplayable => "It was not repeated, because its content can be sent only once.",
        Stop::Vetoed => "It was not repeated, as it was asked not to be.",
        Stop::StackedRetries => "It was not repeated here, because another layer repeats it already.",
        _ => "",
    }
}

fn advice(account: &Story, text: &mut String) {
    if account.page == Some(Page::Login) {
        return text.push_str("Reload the page and sign in again.");
    }
    // Who repeats a write because the wait is over may write it twice.
    let unsure = may_be_applied(account);
    if let Some(ms) = account.retry_after_ms.filter(|ms| *ms > 0.0 && account.stop != Stop::Aborted) {
        text.push_str(if unsure { "Check whether it was applied before you try again" } else { "Try again" });
        return wait_advice(ms, text);
    }
    text.push_str(match account.status {
        _ if unsure => "Check whether it was applied before you try again.",
        _ if account.stop == Stop::Aborted => "Start it again if you still need it.",
        _ if account.stop == Stop::Timeout => "Try again later.",
        _ if account.page.is_some() => "Wait a few minutes and try again.",
        Some(401 | 403) => "Sign in again, or ask for access.",
        Some(404 | 410) => "Check that it still exists.",
        Some(409 | 412 | 423) => "Reload the latest version and try again.",
        Some(429 | 503 | 529) => "Wait a minute and try again.",
        Some(400..=499) => "Trying again will not help; report it to the owner of this page.",
        None => "Check the connection, or reload the page and sign in.",
        Some(_) => "Try again later.",
    });
}

/// The rest of `Try again in 41 seconds.`
fn wait_advice(ms: f64, text: &mut String) {
    let seconds = (ms / 1_000.0).ceil();
    let (count, unit) = if seconds < 120.0 {
        (seconds, if seconds == 1.0 { " second." } else { " seconds." })
    } else if seconds < 7_200.0 {
        ((seconds / 60.0).ceil(), " minutes.")
    } else {
        return text.push_str(" later; the server asked for a wait of hours.");
    };
    text.push_str(" in ");
    let count = count as u32;
    for place in [1_000, 100, 10, 1] {
        if count >= place || place == 1 {
            text.push(char::from(b'0' + (count / place % 10) as u8));
        }
    }
    text.push_str(unit);
}

/// What is said of anything without an account: its `name` and `code` decide, its message is never shown.
pub fn stranger(name: &str, code: Option<&str>) -> &'static str {
    match (name, code) {
        ("AbortError", _) => "The request was cancelled.",
        (_, Some("ETIMEOUT")) | ("TimeoutError", _) => "The server did not answer in time. Try again later.",
        (_, Some("ECIRCUITOPEN")) => "The service has been failing, so it was not asked again. Try again later.",
        (_, Some("ECOOLINGDOWN")) => {
            "The server asked this page to wait, so the request was not sent. Try again later."
        }
        (_, Some("EPARTIALREAD")) => "Not everything could be read, so nothing was handed out. Try again later.",
        (_, Some("EOPTION")) => "The request was not sent, because an option of it is wrong.",
        (_, Some("EENGINE")) => "This page could not run the request. Reload it and try again.",
        ("TypeError", None) => "The server could not be reached, refused this page (CORS), or you are signed out.",
        _ => "The request failed.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn ended(stop: Stop, status: Option<u16>, retry_after_ms: Option<f64>) -> Story {
        Story { stop, page: None, write: stop == Stop::UnsafeMethod, attempts: 1, status, retry_after_ms }
    }

    #[test]
    fn a_sentence_says_what_why_and_what_to_do() {
        assert_eq!(
            told(&ended(Stop::UnsafeMethod, Some(429), None)),
            "The server is limiting requests. It was not repeated, because it may have been applied already. \
             Check whether it was applied before you try again."
        );
        assert_eq!(
            told(&ended(Stop::UnsafeMethod, Some(503), Some(41_000.0))),
            "The server is overloaded. It was not repeated, because it may have been applied already. \
             Check whether it was applied before you try again in 41 seconds."
        );
        assert_eq!(
            told(&ended(Stop::WaitExceedsTimeLeft, Some(503), Some(229_000.0))),
            "The server is overloaded. It was not repeated, because the wait would have taken longer than the time left. \
             Try again in 4 minutes."
        );
        assert_eq!(
            told(&Story { page: Some(Page::Login), ..ended(Stop::FinalStatus, Some(200), None) }),
            "A sign-in page answered instead of data. Reload the page and sign in again."
        );
    }

    #[test]
    fn nobody_is_told_to_repeat_a_write_that_may_have_been_applied() {
        let write = |stop, status| Story { write: true, ..ended(stop, status, None) };
        for (stop, status) in [
            (Stop::Timeout, None),
            (Stop::Aborted, None),
            (Stop::UnsafeMethod, None),
            (Stop::UnsafeMethod, Some(503)),
            (Stop::FinalStatus, Some(500)),
            (Stop::FinalStatus, Some(504)),
        ] {
            let text = told(&write(stop, status));
            assert!(
                text.ends_with("Check whether it was applied before you try again."),
                "{stop:?} {status:?}: {text}"
            );
        }
        for (stop, status) in [(Stop::FinalStatus, Some(400)), (Stop::FinalStatus, Some(412))] {
            let text = told(&write(stop, status));
            assert!(!text.contains("applied"), "{stop:?} {status:?}: {text}");
        }
        let unsent = Story { attempts: 0, ..write(Stop::Aborted, None) };
        assert_eq!(told(&unsent), "The request was cancelled. Start it again if you still need it.");
    }

    #[test]
    fn waits_are_said_in_whole_seconds_or_minutes() {
        for (ms, want) in [
            (1.0, " in 1 second."),
            (41_000.0, " in 41 seconds."),
            (119_001.0, " in 2 minutes."),
            (7_199_000.0, " in 120 minutes."),
            (1e300, " later; the server asked for a wait of hours."),
        ] {
            let mut text = String::new();
            wait_advice(ms, &mut text);
            assert_eq!(text, want);
        }
    }
}
