//! The account of one call: what was sent, how it ended, and why it was not repeated.

use crate::policy::judge::Stop;
use serde::Serialize;

/// One attempt.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Attempt {
    /// Milliseconds from the start of the call to the send.
    pub started_ms: f64,
    /// Milliseconds from the send to the headers or the failure; the larger of two clocks.
    pub elapsed_ms: f64,
    /// Milliseconds it was allowed to take; null = no limit.
    pub allowed_ms: Option<f64>,
    /// Status of the answer.
    pub status: Option<u16>,
    /// Name of the error, when there was no answer.
    pub error: Option<String>,
    /// The machine or the page slept meanwhile.
    pub suspended: bool,
    /// Milliseconds waited after it, when it was repeated.
    pub wait_ms: Option<f64>,
    /// `retry`, or the reason for stopping.
    pub decision: &'static str,
}

/// The decision of an attempt that was repeated.
pub const RETRY: &str = "retry";

/// What the flow writes down. The shell adds names, headers and the key when somebody asks.
#[derive(Clone, Debug, PartialEq)]
pub struct Account {
    /// Every attempt, in order.
    pub attempts: Vec<Attempt>,
    /// Milliseconds from the call to its end.
    pub total_ms: f64,
    /// Milliseconds of it spent waiting.
    pub waited_ms: f64,
    /// Why it ended.
    pub stop: Stop,
    /// What the server last asked for.
    pub retry_after_ms: Option<f64>,
    /// The last throttled answer came from another origin and its headers could not be read.
    pub retry_after_hidden: bool,
    /// Status of the last answer seen.
    pub last_status: Option<u16>,
}

impl Stop {
    /// The name in the public contract.
    pub fn name(self) -> &'static str {
        match self {
            Stop::Success => "success",
            Stop::FinalStatus => "final-status",
            Stop::UnsafeMethod => "unsafe-method",
            Stop::SlowFailure => "slow-failure",
            Stop::NoRetriesLeft => "no-retries-left",
            Stop::RetryBudget => "retry-budget",
            Stop::WaitExceedsTimeLeft => "wait-exceeds-time-left",
            Stop::Timeout => "timeout",
            Stop::Aborted => "aborted",
            Stop::BodyNotReplayable => "body-not-replayable",
            Stop::CircuitOpen => "circuit-open",
            Stop::CoolingDown => "cooling-down",
            Stop::Vetoed => "vetoed",
            Stop::StackedRetries => "stacked-retries",
            Stop::Network => "network",
            Stop::NotSent => "not-sent",
        }
    }
}
