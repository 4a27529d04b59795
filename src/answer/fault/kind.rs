//! The kinds of errors, and the names that providers have for them.

use crate::policy::body_hint;

/// What went wrong. The order says which of two signs is the more telling, up to `ContentFilter`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ErrorKind {
    /// The request cannot be served as it is.
    BadRequest,
    /// The server failed.
    Server,
    /// Somebody stopped it.
    Cancelled,
    /// Too much to do just now.
    Overloaded,
    /// Time ran out, here or behind a gateway.
    Timeout,
    /// Too many calls just now.
    RateLimited,
    /// No such model, deployment or address.
    NotFound,
    /// Key, token or permission.
    Auth,
    /// Money or quota is used up: no waiting cures it.
    Quota,
    /// The input is too long for the model: trim or split it.
    ContextLength,
    /// A content filter stopped the input or the output.
    ContentFilter,
    /// The body is not the JSON it should be, or not all of it.
    BadJson,
    /// The model wrote what nobody can use, such as half the arguments of a call.
    BadOutput,
    /// A page or other text came instead of an answer.
    NotSse,
    /// There is no answer in it.
    EmptyResponse,
    /// The body is longer than the limit.
    TooLarge,
    /// The connection broke.
    Network,
}

impl ErrorKind {
    /// The name in the public contract.
    pub fn name(self) -> &'static str {
        match self {
            ErrorKind::BadRequest => "bad_request",
            ErrorKind::Server => "server",
            ErrorKind::Cancelled => "cancelled",
            ErrorKind::Overloaded => "overloaded",
            ErrorKind::Timeout => "timeout",
            ErrorKind::RateLimited => "rate_limited",
            ErrorKind::NotFound => "not_found",
            ErrorKind::Auth => "auth",
            ErrorKind::Quota => "quota",
            ErrorKind::ContextLength => "context_length",
            ErrorKind::ContentFilter => "content_filter",
            ErrorKind::BadJson => "bad_json",
            ErrorKind::BadOutput => "bad_output",
            ErrorKind::NotSse => "not_sse",
            ErrorKind::EmptyResponse => "empty_response",
            ErrorKind::TooLarge => "too_large",
            ErrorKind::Network => "network",
        }
    }

    /// Waiting may help.
    pub(super) fn may_pass(self) -> bool {
        matches!(self, ErrorKind::Server | ErrorKind::Overloaded | ErrorKind::RateLimited)
    }
}

/// Codes without `_`, `-`, blanks and a final `error` or `exception`, in lower case.
const CODES: [(&str, ErrorKind); 50] = [
    ("contentfilter", ErrorKind::ContentFilter),
    ("contentpolicyviolation", ErrorKind::ContentFilter),
    ("responsibleaipolicyviolation", ErrorKind::ContentFilter),
    ("moderationblocked", ErrorKind::ContentFilter),
    ("invalidprompt", ErrorKind::ContentFilter),
    ("contextlengthexceeded", ErrorKind::ContextLength),
    ("contextwindowexceeded", ErrorKind::ContextLength),
    ("modelcontextwindowexceeded", ErrorKind::ContextLength),
    ("exceedcontextsize", ErrorKind::ContextLength),
    ("stringabovemaxlength", ErrorKind::ContextLength),
    ("billing", ErrorKind::Quota),
    ("insufficientbalance", ErrorKind::Quota),
    ("insufficientcredits", ErrorKind::Quota),
    ("invalidapikey", ErrorKind::Auth),
    ("apikeyinvalid", ErrorKind::Auth),
    ("authentication", ErrorKind::Auth),
    ("invalidauthentication", ErrorKind::Auth),
    ("permission", ErrorKind::Auth),
    ("permissiondenied", ErrorKind::Auth),
    ("unauthenticated", ErrorKind::Auth),
    ("unauthorized", ErrorKind::Auth),
    ("accessdenied", ErrorKind::Auth),
    ("forbidden", ErrorKind::Auth),
    ("accountdeactivated", ErrorKind::Auth),
    ("notfound", ErrorKind::NotFound),
    ("modelnotfound", ErrorKind::NotFound),
    ("deploymentnotfound", ErrorKind::NotFound),
    ("resourcenotfound", ErrorKind::NotFound),
    ("ratelimit", ErrorKind::RateLimited),
    ("ratelimited", ErrorKind::RateLimited),
    ("ratelimitexceeded", ErrorKind::RateLimited),
    ("resourceexhausted", ErrorKind::RateLimited),
    ("toomanyrequests", ErrorKind::RateLimited),
    ("throttling", ErrorKind::RateLimited),
    ("timeout", ErrorKind::Timeout),
    ("requesttimeout", ErrorKind::Timeout),
    ("gatewaytimeout", ErrorKind::Timeout),
    ("deadlineexceeded", ErrorKind::Timeout),
    ("overloaded", ErrorKind::Overloaded),
    ("engineoverloaded", ErrorKind::Overloaded),
    ("serverisoverloaded", ErrorKind::Overloaded),
    ("unavailable", ErrorKind::Overloaded),
    ("nocapacity", ErrorKind::Overloaded),
    ("cancelled", ErrorKind::Cancelled),
    ("server", ErrorKind::Server),
    ("api", ErrorKind::Server),
    ("internal", ErrorKind::Server),
    ("internalserver", ErrorKind::Server),
    ("invalidrequest", ErrorKind::BadRequest),
    ("invalidargument", ErrorKind::BadRequest),
];

/// Words in a message, in any case.
pub(super) const PHRASES: [(&str, ErrorKind); 18] = [
    ("content management policy", ErrorKind::ContentFilter),
    ("content filter", ErrorKind::ContentFilter),
    ("usage polic", ErrorKind::ContentFilter),
    ("maximum context length", ErrorKind::ContextLength),
    ("context window", ErrorKind::ContextLength),
    ("context limit", ErrorKind::ContextLength),
    ("context size", ErrorKind::ContextLength),
    ("context length", ErrorKind::ContextLength),
    ("prompt is too long", ErrorKind::ContextLength),
    ("input is too long", ErrorKind::ContextLength),
    ("exceeds the maximum number of tokens", ErrorKind::ContextLength),
    ("quota", ErrorKind::Quota),
    ("credit balance", ErrorKind::Quota),
    ("timed out", ErrorKind::Timeout),
    ("time-out", ErrorKind::Timeout),
    ("timeout", ErrorKind::Timeout),
    ("overloaded", ErrorKind::Overloaded),
    ("over capacity", ErrorKind::Overloaded),
];

/// What a status says, if it is an error's.
pub(super) fn of_status(status: u64) -> Option<ErrorKind> {
    Some(match status {
        401 | 403 => ErrorKind::Auth,
        402 => ErrorKind::Quota,
        404 | 410 => ErrorKind::NotFound,
        408 | 504 | 524 => ErrorKind::Timeout,
        429 => ErrorKind::RateLimited,
        499 => ErrorKind::Cancelled,
        529 => ErrorKind::Overloaded,
        400..=499 => ErrorKind::BadRequest,
        500..=599 => ErrorKind::Server,
        _ => return None,
    })
}

/// What a code, a type or a reason says: `rate_limit_exceeded`, `RateLimitExceeded`, `rate_limit_error`.
pub(super) fn of_code(code: &str) -> Option<ErrorKind> {
    if body_hint::is_quota(code) {
        return Some(ErrorKind::Quota);
    }
    let plain: Vec<u8> =
        code.bytes().filter(|byte| !b"_- ".contains(byte)).map(|byte| byte.to_ascii_lowercase()).take(40).collect();
    let stem = plain.strip_suffix(b"error").or_else(|| plain.strip_suffix(b"exception")).unwrap_or(&plain);
    CODES.iter().find(|(known, _)| known.as_bytes() == stem).map(|(_, kind)| *kind)
}
