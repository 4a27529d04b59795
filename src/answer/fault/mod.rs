//! Errors in a body: what kind, whether repeating may help, and the wait it states. Providers name the same trouble by
//! status, code, type, gRPC status, inner error or only in words. All of them are heard; the most telling one counts,
//! and words are believed only where the machine-readable parts leave it open.

mod kind;

use super::json::Value;
use crate::ascii;
use crate::policy::body_hint;
pub use kind::ErrorKind;
use kind::{PHRASES, of_code, of_status};

/// A longer wait is none that a call could sit out: as long as an AI call may take at all.
const LONGEST_WAIT_MS: f64 = 250_000.0;
/// An error inside an error inside an error is the deepest that was seen.
const MAX_LEVELS: u32 = 4;
/// Words are looked for in this much of a message.
const HEARD_BYTES: usize = 4_096;

/// What is known without the body.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Http {
    /// The status; 0 if there is none.
    pub status: u16,
    /// The wait that a header states. It comes before any that the body states.
    pub wait_ms: Option<f64>,
}

impl Http {
    /// Whatever the body is, it is an error.
    pub fn is_error(self) -> bool {
        of_status(u64::from(self.status)).is_some()
    }

    /// There is no body, whatever comes.
    pub fn has_no_body(self) -> bool {
        matches!(self.status, 204 | 205)
    }
}

/// One error.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    /// Of what kind.
    pub kind: ErrorKind,
    /// The wait that it states.
    pub wait_ms: Option<f64>,
    /// This kind of trouble may pass, and in a time that can be waited.
    pub may_pass: bool,
}

impl Fault {
    /// One that waiting does not cure.
    pub fn lasting(kind: ErrorKind) -> Self {
        Fault { kind, wait_ms: None, may_pass: false }
    }
}

/// Whether these members of a document, `error`, `type`, `object` and `statusCode`, make it an error.
pub(super) fn is_told_by(error: Value<'_>, kind: Value<'_>, object: Value<'_>, code: Value<'_>) -> bool {
    let failed = code.integer().and_then(of_status).is_some();
    failed || error.says_something() || kind.is("error") || object.is("error")
}

/// A document that is known to be an error.
pub(super) fn read(document: Value<'_>, http: Http) -> Fault {
    let mut signs = Signs { wait_ms: http.wait_ms, ..Signs::default() };
    signs.look_at(document, MAX_LEVELS);
    signs.conclude(http.status)
}

/// An error told in words alone, or by a page.
pub(super) fn in_words(words: &[u8], http: Http) -> Fault {
    let mut signs = Signs { wait_ms: http.wait_ms, ..Signs::default() };
    signs.hear(&String::from_utf8_lossy(words));
    signs.conclude(http.status)
}

/// What the parts of an error say.
#[derive(Default)]
struct Signs {
    by_code: Option<ErrorKind>,
    by_status: Option<ErrorKind>,
    by_words: Option<ErrorKind>,
    wait_ms: Option<f64>,
}

impl Signs {
    /// `{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","details":[{"retryDelay":"34.4s"}]}}` ·
    /// `{"statusCode":403,"message":"…"}` · `{"error":"…"}`
    fn look_at(&mut self, part: Value<'_>, levels: u32) {
        if levels == 0 || !part.is_object() {
            return;
        }
        let [code, kind, status, status_code, reason] =
            part.members(["code", "type", "status", "statusCode", "reason"]);
        let [error, inner, inner_error, message, detail, details, delay] =
            part.members(["error", "innererror", "inner_error", "message", "detail", "details", "retryDelay"]);
        for code in [code, kind, status, status_code, reason, error] {
            self.note(code);
        }
        if self.wait_ms.is_none() {
            self.wait_ms = delay.string().and_then(|delay| body_hint::delay(&delay));
        }
        for words in [error, message, detail].into_iter().filter_map(Value::string) {
            self.hear(&words);
        }
        for nested in [error, inner, inner_error, message, detail].into_iter().chain(details.children()) {
            self.look_at(nested, levels - 1);
        }
    }

    /// `"rate_limit_exceeded"` · `429` · `"429"`
    fn note(&mut self, code: Value<'_>) {
        let number = code.integer().or_else(|| code.number_in_string());
        self.by_status = self.by_status.max(number.and_then(of_status));
        self.by_code = self.by_code.max(code.string().and_then(|code| of_code(&code)));
    }

    fn hear(&mut self, words: &str) {
        self.wait_ms = self.wait_ms.or_else(|| body_hint::stated_wait(words));
        let heard = words.as_bytes().get(..HEARD_BYTES).unwrap_or(words.as_bytes());
        for (_, kind) in PHRASES.iter().filter(|(phrase, _)| ascii::contains(heard, phrase)) {
            self.by_words = self.by_words.max(Some(*kind));
        }
    }

    fn conclude(self, status: u16) -> Fault {
        let by_status = self.by_status.max(of_status(u64::from(status)));
        let kind = match self.by_code {
            Some(telling) if telling > ErrorKind::Server => telling,
            vague => vague.max(by_status).unwrap_or(ErrorKind::Server),
        };
        let kind = match (kind, self.by_words) {
            (ErrorKind::BadRequest, Some(words)) if words >= ErrorKind::Quota => words,
            // Words about money or quota decide nothing where repeating is at stake.
            (ErrorKind::Server, Some(words)) if words != ErrorKind::Quota => words,
            (ErrorKind::Auth, Some(ErrorKind::Quota)) => ErrorKind::Quota,
            // A stated wait overrules the code: the quota comes back.
            (ErrorKind::Quota, _) if self.wait_ms.is_some() && by_status == Some(ErrorKind::RateLimited) => {
                ErrorKind::RateLimited
            }
            (kind, _) => kind,
        };
        let in_time = self.wait_ms.is_none_or(|wait| wait <= LONGEST_WAIT_MS);
        Fault { kind, wait_ms: self.wait_ms, may_pass: kind.may_pass() && in_time }
    }
}

#[cfg(test)]
mod tests {
    use super::super::json::{self, Document};
    use super::super::provider;
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn kind(status: u16, body: &str) -> Option<ErrorKind> {
        let (document, http) = (Document::only(body.as_bytes()).unwrap(), Http { status, wait_ms: None });
        provider::is_error(&document, b"", http).then(|| read(document.value, http).kind)
    }

    #[test]
    fn every_providers_way_of_naming_a_trouble_is_understood() {
        for (status, body, wanted) in [
            (
                401,
                r#"{"error":{"message":"Incorrect API key","type":"invalid_request_error","code":"invalid_api_key"}}"#,
                ErrorKind::Auth,
            ),
            (
                400,
                r#"{"error":{"code":400,"status":"INVALID_ARGUMENT","details":[{"reason":"API_KEY_INVALID"}]}}"#,
                ErrorKind::Auth,
            ),
            (
                400,
                r#"{"error":{"message":"too long","type":"invalid_request_error","code":"context_length_exceeded"}}"#,
                ErrorKind::ContextLength,
            ),
            (
                400,
                r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}"#,
                ErrorKind::ContextLength,
            ),
            (
                400,
                r#"{"error":{"code":400,"message":"The input token count (9) exceeds the maximum number of tokens allowed (8).","status":"INVALID_ARGUMENT"}}"#,
                ErrorKind::ContextLength,
            ),
            (500, r#"{"error":"This model's maximum context length is 8 tokens"}"#, ErrorKind::ContextLength),
            (
                400,
                r#"{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low"}}"#,
                ErrorKind::Quota,
            ),
            (
                400,
                r#"{"type":"error","error":{"type":"invalid_request_error","message":"Output blocked by content filtering policy"}}"#,
                ErrorKind::ContentFilter,
            ),
            (402, r#"{"error":{"message":"Insufficient Balance","type":"unknown_error"}}"#, ErrorKind::Quota),
            (
                429,
                r#"{"error":{"message":"Too large: limit of tokens per min; context window","code":"rate_limit_exceeded","type":"tokens"}}"#,
                ErrorKind::RateLimited,
            ),
            (403, r#"{"error":{"code":"RateLimitExceeded"}}"#, ErrorKind::RateLimited),
            (
                503,
                r#"{"error":{"message":"The engine is currently overloaded","type":"server_error"}}"#,
                ErrorKind::Overloaded,
            ),
            (
                404,
                r#"{"error":{"message":"no such model","type":"invalid_request_error","code":"model_not_found"}}"#,
                ErrorKind::NotFound,
            ),
            (404, r#"{"error":"model \"x\" not found, try pulling it first"}"#, ErrorKind::NotFound),
            (504, r#"{"error":{"type":"server_error"}}"#, ErrorKind::Timeout),
            (500, r#"{"error":{"message":"The upstream call timed out."}}"#, ErrorKind::Timeout),
            (422, r#"{"detail":[{"loc":["body"],"msg":"field required"}]}"#, ErrorKind::BadRequest),
            (500, r#"{}"#, ErrorKind::Server),
            (400, r#"{"error":{"error":{"code":"content_filter"}}}"#, ErrorKind::ContentFilter),
            (200, r#"{"error":{"code":429,"message":"slow down"}}"#, ErrorKind::RateLimited),
            (200, r#"{"error":{"code":"502"}}"#, ErrorKind::Server),
            (200, r#"{"error":"You exceeded your quota"}"#, ErrorKind::Server),
            (200, r#"{"error":"boom"}"#, ErrorKind::Server),
            (200, r#"{"error":true,"message":"Unauthorized","code":"unauthorized"}"#, ErrorKind::Auth),
            (200, r#"{"statusCode":429,"message":"Rate limit is exceeded."}"#, ErrorKind::RateLimited),
            (200, r#"{"object":"error","message":"x","type":"BadRequestError","code":400}"#, ErrorKind::BadRequest),
            (200, r#"{"type":"error","error":{"type":"overloaded_error"}}"#, ErrorKind::Overloaded),
        ] {
            assert_eq!(kind(status, body), Some(wanted), "{status} {body}");
        }
    }

    #[test]
    fn an_empty_error_member_is_no_error() {
        for body in [
            r#"{"error":null}"#,
            r#"{"error":""}"#,
            r#"{"error":false}"#,
            r#"{"error":{}}"#,
            r#"{"error":{"code":null,"message":null}}"#,
            r#"{"statusCode":200,"message":"ok"}"#,
            r#"{"answer":"error"}"#,
            r#"["error"]"#,
        ] {
            assert_eq!(kind(200, body), None, "{body}");
        }
    }

    fn fault(status: u16, body: &str, wait_ms: Option<f64>) -> Fault {
        read(json::first(body.as_bytes()).unwrap().0, Http { status, wait_ms })
    }

    #[test]
    fn a_stated_wait_counts_and_a_header_comes_before_it() {
        let body = r#"{"error":{"code":"429","message":"Please retry after 6 seconds."}}"#;
        assert_eq!(fault(429, body, None).wait_ms, Some(6_000.0));
        assert_eq!(fault(429, body, Some(9_000.0)).wait_ms, Some(9_000.0));
        let delay = r#"{"error":{"code":429,"details":[{"@type":"x"},{"retryDelay":"34.4s"}]}}"#;
        assert_eq!(fault(429, delay, None).wait_ms, Some(34_400.0));
    }

    #[test]
    fn a_used_up_quota_lasts_unless_a_wait_is_stated() {
        let body = r#"{"error":{"code":"insufficient_quota"}}"#;
        assert_eq!((fault(429, body, None).kind, fault(429, body, None).may_pass), (ErrorKind::Quota, false));
        let told = fault(429, body, Some(4_000.0));
        assert_eq!((told.kind, told.may_pass), (ErrorKind::RateLimited, true));
    }

    #[test]
    fn what_takes_longer_than_any_call_does_not_pass() {
        let wait =
            |seconds: &str| fault(429, &format!(r#"{{"message":"Please retry after {seconds} seconds."}}"#), None);
        assert!(wait("250").may_pass);
        assert!(!wait("251").may_pass);
    }

    #[test]
    fn an_error_nested_without_end_is_read_to_a_limit() {
        let deep = r#"{"error":"#.repeat(100) + r#"{"code":"insufficient_quota"}"# + &"}".repeat(100);
        assert_eq!(kind(500, &deep), Some(ErrorKind::Server));
    }
}
