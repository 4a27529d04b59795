//! The account of one call: what was sent, how it ended, and why it was not repeated.

use crate::policy::judge::Stop;
use crate::policy::page::Page;

/// One attempt.
#[derive(Clone, Debug, PartialEq)]
pub struct Attempt {
    /// Milliseconds from the start of the call to the send.
    pub started_ms: f64,
    /// Milliseconds from the send to the headers or the failure; the larger of two clocks.
    pub elapsed_ms: f64,
    /// Milliseconds it was allowed to take; null = no limit.
    pub allowed_ms: Option<f64>,
    /// Status of the answer.
    pub status: Option<u16>,
    /// What there was in place of an answer.
    pub fault: Option<Fault>,
    /// The machine or the page slept meanwhile.
    pub suspended: bool,
    /// Milliseconds waited after it, when it was repeated.
    pub wait_ms: Option<f64>,
    /// The reason for stopping; none where it was repeated.
    pub decision: Option<Stop>,
}

/// Why there was no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The transport's error; it has a name of its own.
    Transport,
    /// The limit passed.
    TimedOut,
    /// The caller aborted.
    Aborted,
}

/// What the flow writes down at the end; the attempts were [told](crate::host::Host::attempted) one by one.
#[derive(Clone, Debug, PartialEq)]
pub struct Account {
    /// Milliseconds from the call to its end.
    pub total_ms: f64,
    /// Milliseconds of it spent waiting.
    pub waited_ms: f64,
    /// Why it ended.
    pub stop: Stop,
    /// What the server last asked for.
    pub retry_after_ms: Option<f64>,
    /// The last failed answer came from another origin and its headers could not be read.
    pub retry_after_hidden: bool,
    /// The page that answered in place of data.
    pub page: Option<Page>,
    /// Status of the last answer seen.
    pub last_status: Option<u16>,
}
