//! What a body came to, by one precedence for all providers: error, refused, truncated, no end in sight, calls, complete.
//!
//! The one rule that may never give way: `complete` needs a sign that the answer is over. A stream needs a finish
//! reason, or the caller's `read` and the end mark; a body at once is over when its JSON is.

use super::draft::Draft;
use super::fault::{ErrorKind, Fault, Http};
use super::finish::Verdict;
use super::provider::Provider;

/// What kind of end an answer came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The model said all it wanted.
    Complete,
    /// A limit of length cut it.
    Truncated,
    /// The model or a filter would not.
    Refused,
    /// The model waits for the results of calls.
    ToolCalls,
    /// It went wrong.
    Error,
    /// The stream ended without a sign that the answer was over.
    IncompleteStream,
    /// Well-formed, of no known provider, and nothing says whether it is all.
    Unknown,
}

impl Outcome {
    /// The name in the public contract.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Complete => "complete",
            Outcome::Truncated => "truncated",
            Outcome::Refused => "refused",
            Outcome::ToolCalls => "tool_calls",
            Outcome::Error => "error",
            Outcome::IncompleteStream => "incomplete_stream",
            Outcome::Unknown => "unknown",
        }
    }
}

/// Tokens, as far as they were reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Of the question.
    pub input_tokens: Option<u64>,
    /// Of the answer.
    pub output_tokens: Option<u64>,
}

/// What was read of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct AiResult {
    /// What kind of end it came to.
    pub outcome: Outcome,
    /// The text of the answer, thoughts and refusals left out; `None` where there is none.
    pub text: Option<String>,
    /// Text was handed out before it went wrong: a silent repeat would double it.
    pub partial_text: bool,
    /// The reason in the provider's words. For Responses the status, and behind a slash why.
    pub finish_reason: Option<String>,
    /// Whose shape it has.
    pub provider: Provider,
    /// Of an error; also what ended a stream too early, if that is known.
    pub error_kind: Option<ErrorKind>,
    /// This kind of trouble may pass, in a time that can be waited, and no text was handed out.
    pub retryable: bool,
    /// The wait that a header or the body states.
    pub retry_after_ms: Option<f64>,
    /// `None` if nothing was reported.
    pub usage: Option<Usage>,
}

/// How the reading of the body ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The server closed it. A proxy's limit looks the same.
    Closed,
    /// The connection broke.
    Cut,
    /// Ours was the longer patience, and it ran out.
    TimedOut,
    /// The caller wanted no more.
    Cancelled,
}

impl End {
    fn trouble(self) -> Option<ErrorKind> {
        match self {
            End::Closed => None,
            End::Cut => Some(ErrorKind::Network),
            End::TimedOut => Some(ErrorKind::Timeout),
            End::Cancelled => Some(ErrorKind::Cancelled),
        }
    }
}

/// How the body as such held together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body {
    /// Without the body.
    pub http: Http,
    /// How it ended.
    pub end: End,
    /// A page, or text that is no event stream.
    pub alien: bool,
    /// Not well-formed.
    pub broken: bool,
    /// Longer than the limit.
    pub too_large: bool,
    /// Nothing that was begun is missing its end.
    pub whole: bool,
    /// An array of documents: only its bracket ends it.
    pub list: bool,
}

/// The result, taken out of the draft.
pub(super) fn conclude(draft: &mut Draft, body: Body) -> AiResult {
    draft.text.close();
    let fault = fault(draft, body);
    let (outcome, error_kind) = match &fault {
        Some(fault) if fault.kind == ErrorKind::ContentFilter => (Outcome::Refused, Some(fault.kind)),
        Some(fault) => (Outcome::Error, Some(fault.kind)),
        None => judge(draft, body),
    };
    let went_wrong = matches!(outcome, Outcome::Error | Outcome::IncompleteStream);
    // A finish reason of its own ends even an answer that failed: nothing was broken off.
    let broken_off = !matches!(draft.verdict, Some(Verdict::Failed(_)));
    let has_text = !(body.http.is_error() || body.http.has_no_body() || body.alien)
        && (draft.streams || draft.has_text && !body.broken);
    let handed_out = has_text && draft.streams && !draft.text.is_empty();
    AiResult {
        outcome,
        text: has_text.then(|| std::mem::take(&mut draft.text).into_string()),
        partial_text: handed_out && went_wrong && broken_off,
        finish_reason: draft.reason.take(),
        provider: draft.provider,
        error_kind,
        retryable: !handed_out && fault.as_ref().is_some_and(|fault| fault.may_pass),
        retry_after_ms: fault.and_then(|fault| fault.wait_ms).or(body.http.wait_ms),
        usage: Some(draft.usage).filter(|usage| *usage != Usage::default()),
    }
}

fn fault(draft: &mut Draft, body: Body) -> Option<Fault> {
    if body.too_large {
        return Some(Fault::lasting(ErrorKind::TooLarge));
    }
    draft.fault.take().or(match draft.verdict {
        // The model ran and is paid for.
        Some(Verdict::Failed(kind)) => Some(Fault::lasting(kind)),
        _ => None,
    })
}

fn judge(draft: &Draft, body: Body) -> (Outcome, Option<ErrorKind>) {
    let error = |kind| (Outcome::Error, Some(kind));
    if body.http.has_no_body() {
        (Outcome::Complete, None)
    } else if body.alien {
        error(ErrorKind::NotSse)
    } else if body.broken {
        error(ErrorKind::BadJson)
    } else if draft.refused || draft.verdict == Some(Verdict::Refused) {
        (Outcome::Refused, None)
    } else if draft.verdict == Some(Verdict::Truncated) {
        (Outcome::Truncated, None)
    } else if !is_over(draft, body) {
        match body.end.trouble() {
            trouble if draft.streams || draft.pending => (Outcome::IncompleteStream, trouble),
            None if !draft.begun && body.whole => error(ErrorKind::EmptyResponse),
            trouble => error(trouble.unwrap_or(ErrorKind::BadJson)),
        }
    } else if !draft.calls.are_whole() {
        error(ErrorKind::BadOutput)
    } else if draft.calls.any() || draft.verdict == Some(Verdict::ToolCalls) {
        (Outcome::ToolCalls, None)
    } else if draft.verdict.is_some() || draft.provider == Provider::Custom {
        (Outcome::Complete, None)
    } else if draft.provider == Provider::Unknown {
        (Outcome::Unknown, None)
    } else if draft.text.is_empty() {
        error(ErrorKind::EmptyResponse)
    } else {
        // A body at once whose server never gives a reason.
        (Outcome::Complete, None)
    }
}

/// There is a sign that the answer was over.
fn is_over(draft: &Draft, body: Body) -> bool {
    if !draft.streams {
        return draft.begun && !draft.pending;
    }
    match (draft.verdict, draft.provider) {
        (Some(_), _) => body.whole || !body.list,
        (None, Provider::Custom) => draft.closed,
        // It is not called complete, so the end of the body will do.
        (None, Provider::Unknown) => draft.begun && (draft.closed || body.whole && body.end == End::Closed),
        (None, _) => false,
    }
}
