//! May this attempt be repeated, and if not, why not? One place for the two promises: `spFetch` repeats reads
//! only, `aiFetch` only what failed fast.

use super::clock::Elapsed;
use super::page::Page;
use super::plan::{Kind, Plan};

/// How often the network may fail a SharePoint read: an expired session redirected to the login host and a CORS
/// refusal look the same and do not heal. Once more if the page came online in between.
const SP_NETWORK_REPEATS: u32 = 1;
/// A network that fails this fast, milliseconds, was not asked: twice, and the rest would be the same.
pub const QUICK_FAILURE_MS: f64 = 50.0;
const QUICK_FAILURES: u32 = 2;

/// Why a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// An answer that is no failure.
    Success,
    /// A status, or a page instead of data, that is not repeated.
    FinalStatus,
    /// It might have been repeated, were it a read.
    UnsafeMethod,
    /// The failed attempt took as long as a timeout: it is paid for already.
    SlowFailure,
    /// All repeats are used, or none were allowed.
    NoRetriesLeft,
    /// Too many repeats on this page lately.
    RetryBudget,
    /// The wait would not leave time for another attempt.
    WaitExceedsTimeLeft,
    /// The deadline of the operation or of one attempt passed.
    Timeout,
    /// The caller's signal.
    Aborted,
    /// The body can be sent only once.
    BodyNotReplayable,
    /// The circuit breaker of this back end is open.
    CircuitOpen,
    /// The server asked everyone on the page to wait.
    CoolingDown,
    /// `shouldRetry` or the server said no.
    Vetoed,
    /// An outer layer is repeating already.
    StackedRetries,
    /// No answer, and that is not repeated (again).
    Network,
    /// Nothing was sent: `headers` or `digest` failed.
    NotSent,
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

/// What can be read off an answer without touching its body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// `None` when unreadable.
    pub status: Option<u16>,
    /// The wait the server stated in a header, milliseconds; 0 = allowed now.
    pub hint_ms: Option<f64>,
    /// `x-should-retry`.
    pub should_retry: Option<bool>,
    /// A page answered where data was asked for.
    pub page: Option<Page>,
    /// A throttled answer of another origin whose headers cannot be read.
    pub hint_hidden: bool,
}

/// How an attempt ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ended {
    /// With an answer.
    Answered(Facts),
    /// The transport failed.
    Failed,
    /// The attempt's own limit passed.
    TimedOut,
}

impl Ended {
    /// The status of the answer, if there was one and it could be read.
    pub fn status(&self) -> Option<u16> {
        match self {
            Ended::Answered(facts) => facts.status,
            _ => None,
        }
    }
}

/// One attempt that ended, and what the call has used up so far.
#[derive(Clone, Debug)]
pub struct Trial {
    /// How it ended.
    pub ended: Ended,
    /// How long it took.
    pub elapsed: Elapsed,
    /// It went out as a read: GET or HEAD, and no header says otherwise.
    pub read: bool,
    /// Repeats made so far; polls of a running call are not repeats.
    pub repeats: u32,
    /// Attempts of this call that ended without an answer, this one included.
    pub network_failures: u32,
    /// Those of them that failed within [`QUICK_FAILURE_MS`].
    pub quick_failures: u32,
    /// The page came online after one of them.
    pub came_online: bool,
    /// Attempts of this call sent so far, this one included.
    pub sent: u32,
    /// A header says that an outer layer is repeating already.
    pub stacked: bool,
}

/// The verdict before anybody is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Surface it.
    Final(Stop),
    /// The rules allow a repeat; a veto may still end it.
    Repeat(Cause),
    /// The rules say no, but the method, speed and body would allow it: `shouldRetry` may add it.
    OnlyIfAsked,
}

/// Why a repeat is allowed: decides the wait and what it costs. The order is that of `REASONS` in `src/browser/accounts.js`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// 429 or 503.
    Throttled,
    /// Another failure status.
    Transient,
    /// No answer.
    Network,
    /// 409 with our key: the first call is still running; poll it.
    StillRunning,
}

impl Cause {
    fn of(ended: &Ended) -> Cause {
        match ended.status() {
            Some(429 | 503) => Cause::Throttled,
            Some(_) => Cause::Transient,
            None => Cause::Network,
        }
    }
}

/// May this attempt be repeated?
pub fn judge(plan: &Plan, trial: &Trial) -> Verdict {
    let Some(cause) = candidate(plan, trial) else {
        return Verdict::Final(settled(&trial.ended));
    };
    let listed = is_listed(plan, trial, cause);
    match obstacle(plan, trial, cause) {
        // A status that is final anyway is called that, whatever else would stand in its way.
        Some(_) if !listed => Verdict::Final(Stop::FinalStatus),
        Some(stop) => Verdict::Final(stop),
        None if listed => Verdict::Repeat(cause),
        None => Verdict::OnlyIfAsked,
    }
}

/// The cause to repeat for, or `None` where no rule and nobody could ask for a repeat.
pub fn candidate(plan: &Plan, trial: &Trial) -> Option<Cause> {
    match &trial.ended {
        Ended::Answered(facts) if facts.page == Some(Page::Throttle) => None,
        Ended::Answered(facts) => match facts.status {
            Some(409) if plan.keyed && (plan.key_is_callers || trial.sent > 1) => Some(Cause::StillRunning),
            Some(400..) => Some(Cause::of(&trial.ended)),
            _ => None,
        },
        Ended::Failed => Some(Cause::Network),
        // A client timeout of an AI call is billed, one of a write has an unknown outcome: both are final.
        Ended::TimedOut => (plan.kind == Kind::Sp && trial.read).then_some(Cause::Network),
    }
}

fn settled(ended: &Ended) -> Stop {
    match ended {
        Ended::Answered(Facts { status: Some(200..=399) | Some(0), page: None, .. }) => Stop::Success,
        Ended::Answered(_) => Stop::FinalStatus,
        Ended::Failed => Stop::Network,
        Ended::TimedOut => Stop::Timeout,
    }
}

fn is_listed(plan: &Plan, trial: &Trial, cause: Cause) -> bool {
    match &trial.ended {
        Ended::Answered(facts) => {
            let by_list = facts.status.is_some_and(|status| plan.statuses.contains(&status));
            cause == Cause::StillRunning || by_list || (plan.kind == Kind::Ai && facts.should_retry == Some(true))
        }
        Ended::Failed | Ended::TimedOut => true,
    }
}

/// What stands in the way of a repeat, in the order in which it is reported.
fn obstacle(plan: &Plan, trial: &Trial, cause: Cause) -> Option<Stop> {
    let slow_from = plan.slow_from_ms(trial.ended.status());
    let ai = plan.kind == Kind::Ai;
    let vetoed = matches!(&trial.ended, Ended::Answered(facts) if facts.should_retry == Some(false));
    let unreachable = trial.network_failures > SP_NETWORK_REPEATS + u32::from(trial.came_online)
        || trial.quick_failures >= QUICK_FAILURES;
    let network = cause == Cause::Network && !ai && unreachable;
    let obstacles = [
        (!ai && !trial.read, Stop::UnsafeMethod),
        (ai && (trial.elapsed.ms >= slow_from || trial.elapsed.suspended()), Stop::SlowFailure),
        (trial.stacked, Stop::StackedRetries),
        (!plan.replayable, Stop::BodyNotReplayable),
        (cause != Cause::StillRunning && f64::from(trial.repeats) >= plan.max_retries, Stop::NoRetriesLeft),
        (network && trial.ended == Ended::TimedOut, Stop::Timeout),
        (network, Stop::Network),
        (ai && vetoed, Stop::Vetoed),
    ];
    obstacles.iter().find(|(stands, _)| *stands).map(|(_, stop)| *stop)
}
