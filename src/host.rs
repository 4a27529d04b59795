//! Everything the flow may touch outside of itself. The browser implements it once (`browser::Browser`), the tests
//! once more with a script and a virtual clock.

use crate::account::Attempt;
use crate::policy::circuit::State;
use crate::policy::clock::Instant;
use crate::policy::entry::{Entry, Shelf};
use crate::policy::judge::{Cause, Facts};

/// How a send, or anything else that can be interrupted, ended.
#[derive(Debug)]
pub enum Sent<A, E> {
    /// The transport answered.
    Answered(A),
    /// The transport failed; its own error.
    Failed(E),
    /// The limit passed first. The transport has been told to stop.
    TimedOut,
    /// The caller aborted. The transport has been told to stop.
    Aborted,
}

/// How getting ready for a send ended.
#[derive(Debug)]
pub enum Ready<E> {
    /// The request is complete.
    Go {
        /// The method is GET or HEAD and no header overrides it.
        read: bool,
        /// A header says that an outer layer is repeating already.
        stacked: bool,
    },
    /// `headers` or `digest` failed, so there is nothing to send.
    Failed(E),
    /// The limit passed first.
    TimedOut,
    /// The caller aborted.
    Aborted,
}

/// How a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Woken {
    /// The time is over.
    Rested,
    /// The caller aborted.
    Aborted,
}

/// What an error body said.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Said {
    /// A machine code says that quota or billing is the reason.
    pub quota: bool,
    /// A stated wait, milliseconds.
    pub wait_ms: Option<f64>,
}

/// The state of a call as `shouldRetry` and `onRetry` see it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Situation {
    /// The status of the last attempt, if it could be read.
    pub status: Option<u16>,
    /// Its number, 1 for the first; 0 before that.
    pub attempt: u32,
    /// Milliseconds since the call began.
    pub elapsed_ms: f64,
}

/// A wait that is about to begin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wait {
    /// How long.
    pub delay_ms: f64,
    /// What the server asked for.
    pub retry_after_ms: Option<f64>,
    /// Why.
    pub reason: Reason,
}

/// Why a call waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// For a repeat.
    Repeat(Cause),
    /// The server asked everyone on the page to wait.
    CoolingDown,
    /// The circuit breaker of this back end is open.
    CircuitOpen,
}

impl Reason {
    /// As the public contract counts them, in the order of `REASONS` in `src/browser/accounts.js`.
    pub fn number(self) -> u32 {
        match self {
            Reason::Repeat(cause) => cause as u32,
            Reason::CoolingDown => 4,
            Reason::CircuitOpen => 5,
        }
    }
}

/// What became of a retry budget that was drawn on, in the order of `CHANGES` in `src/browser/events.js`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawn {
    /// A repeat was paid for.
    Spent,
    /// It was not sent after all.
    Refunded,
    /// There was not enough left.
    Empty,
}

/// A change of what the page shares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum News {
    /// The gate is closed until then, on the wall clock.
    CoolDown {
        /// Milliseconds since 1970.
        until_ms: f64,
    },
    /// The circuit has changed.
    Circuit {
        /// Its state before.
        from: State,
        /// Its state now.
        to: State,
    },
    /// The retry budget was drawn on, or would have been.
    Budget {
        /// What became of it.
        change: Drawn,
        /// Repeats or tokens left.
        left: f64,
    },
}

/// The world outside of one call.
// Everything runs on one thread: the futures need not be `Send`.
#[allow(async_fn_in_trait)]
pub trait Host {
    /// The transport's answer.
    type Answer;
    /// The transport's error.
    type Error;

    /// Both clocks.
    fn now(&self) -> Instant;
    /// A random number in [0, 1).
    fn unit(&self) -> f64;
    /// Whether the caller has aborted.
    fn aborted(&self) -> bool;
    /// Completes the request of the next attempt, `sent` of which have gone out: asks `headers` and `digest`, fills in
    /// key and deadline.
    async fn prepare(&self, sent: u32, left_ms: f64) -> Ready<Self::Error>;
    /// Sends the prepared request once.
    async fn send(&self, limit_ms: f64) -> Sent<Self::Answer, Self::Error>;
    /// Waits, or is interrupted.
    async fn sleep(&self, ms: f64) -> Woken;
    /// Reads what can be read without touching the body.
    fn facts(&self, answer: &Self::Answer) -> Facts;
    /// Whether this error of the transport says that somebody stopped the request, rather than that the network failed.
    fn stopped(&self, error: &Self::Error) -> bool;
    /// Whether this answer refused the write because its form digest had expired, and a fresh one can be had.
    async fn digest_expired(&self, answer: &Self::Answer, limit_ms: f64) -> bool;
    /// Looks into a copy of an error answer's body, for at most `limit_ms`.
    async fn peek(&self, answer: &Self::Answer, limit_ms: f64) -> Said;
    /// The caller's `shouldRetry`.
    fn should_retry(&self, situation: &Situation) -> Option<bool>;
    /// The caller's `onRetry`.
    fn on_retry(&self, situation: &Situation, wait: Wait);
    /// Gives an answer's body up, without waiting.
    fn discard(&self, answer: Self::Answer);
    /// Puts an attempt on the account. Its answer or its error is still the latest.
    fn attempted(&self, attempt: &Attempt);
    /// The median time to the headers of this call's endpoint, once enough is known of it.
    fn median_ms(&self) -> Option<f64>;
    /// Looks up the entry of this call's origin or back end. Where there is none, or one that makes no sense, `entry`
    /// stays what it is.
    fn load(&self, now: Instant, entry: &mut dyn Entry) -> bool;
    /// Keeps it.
    fn save(&self, entry: &mut dyn Entry);
    /// Forgets it.
    fn forget(&self, shelf: Shelf);
    /// Tells those who subscribed.
    fn announce(&self, news: News);
    /// Milliseconds for which another tab closed this call's gate; told once.
    fn heard(&self) -> f64;
    /// Tells the other tabs that this call's gate is closed for so long.
    fn tell_tabs(&self, left_ms: f64);
    /// The page knows that it has no network.
    fn offline(&self) -> bool;
    /// How often the page has come online since this was first asked.
    fn came_online(&self) -> u32;
}
