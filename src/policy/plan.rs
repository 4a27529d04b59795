//! What was asked for: one call's options, completed by the defaults of its kind and held to what the two
//! promises allow. The shell reads them from JavaScript, the flow only ever sees a finished [`Plan`].

use super::backoff::Backoff;
use super::{budget, circuit};

/// Which of the two functions was called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `spFetch`: SharePoint REST, repeats reads only.
    Sp,
    /// `aiFetch`: an AI back end, repeats only what failed fast.
    Ai,
}

impl Kind {
    /// The name in the public contract.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Sp => "sp",
            Kind::Ai => "ai",
        }
    }
}

/// The options that a caller may leave out. `None` means the default of the kind.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// Repeats after the first attempt.
    pub max_retries: Option<u32>,
    /// The whole operation up to the headers, milliseconds; may be infinite.
    pub total_ms: Option<f64>,
    /// One attempt up to the headers, milliseconds; may be infinite.
    pub attempt_ms: Option<f64>,
    /// Replaces the list of statuses that may be repeated.
    pub statuses: Option<Vec<u16>>,
    /// Upper bound of the first own wait.
    pub base_ms: Option<f64>,
    /// Upper bound of every own wait.
    pub cap_ms: Option<f64>,
    /// No repeat begins with less time left.
    pub min_attempt_ms: Option<f64>,
    /// A failure that took this long is never repeated (`aiFetch`).
    pub slow_after_ms: Option<f64>,
    /// Who waits when a server asks for it.
    pub cool_down: CoolDown,
    /// The retry budget.
    pub budget: BudgetWishes,
    /// The circuit breaker (`aiFetch`).
    pub circuit: CircuitWishes,
}

/// The option `coolDown`: when the server asks one call to wait, who waits, too?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CoolDown {
    /// Nobody; and this call waits for nobody else.
    Off,
    /// Later calls of this page.
    #[default]
    Page,
    /// And of the user's other tabs.
    Tabs,
}

/// The option `retryBudget`.
#[derive(Clone, Debug, Default)]
pub struct BudgetWishes {
    /// There is none.
    pub off: bool,
    /// Repeats that each request adds.
    pub ratio: Option<f64>,
    /// Repeats that each minute adds.
    pub per_minute: Option<f64>,
    /// Given, it is the token bucket.
    pub capacity: Option<f64>,
    /// Tokens for a repeat after any failure but throttling.
    pub transient: Option<f64>,
    /// Tokens for a repeat after throttling.
    pub throttled: Option<f64>,
}

/// The option `circuit`.
#[derive(Clone, Debug, Default)]
pub struct CircuitWishes {
    /// There is none.
    pub off: bool,
    /// Opens at this share of failures.
    pub failure_rate: Option<f64>,
    /// But not before so many attempts.
    pub minimum_calls: Option<f64>,
    /// Attempts of the last so many milliseconds count.
    pub window_ms: Option<f64>,
    /// Open for so long.
    pub open_ms: Option<f64>,
}

/// One call's rules, complete.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Which function was called.
    pub kind: Kind,
    /// The effective method is GET or HEAD; a header may still make the attempt a write.
    pub read: bool,
    /// Repeats after the first attempt.
    pub max_retries: u32,
    /// Infinite when there is no limit.
    pub total_ms: f64,
    /// The caller set that, so it also covers the body.
    pub total_is_callers: bool,
    /// Infinite when there is no limit.
    pub attempt_ms: f64,
    /// Statuses that may be repeated.
    pub statuses: Vec<u16>,
    /// The own wait.
    pub backoff: Backoff,
    /// No repeat begins with less time left.
    pub min_attempt_ms: f64,
    /// Infinite for `spFetch`.
    pub slow_after_ms: f64,
    /// The body can be sent again, byte for byte.
    pub replayable: bool,
    /// The caller chose the idempotency key, so a 409 may mean that an earlier call with it is still running.
    pub key_is_callers: bool,
    /// Attempts carry an idempotency key.
    pub keyed: bool,
    /// Who waits when a server asks for it.
    pub cool_down: CoolDown,
    /// The retry budget of its origin.
    pub budget: budget::Rules,
    /// The circuit breaker of its back end; `spFetch` has none.
    pub circuit: Option<circuit::Rules>,
}

/// A gateway that answers 408 or 504 after this long had passed the call on.
pub const GATEWAY_TIMEOUT_FAST_MS: f64 = 5_000.0;

impl Plan {
    /// The wishes, completed. Body and key are filled in by the shell, which alone can see them.
    pub fn new(kind: Kind, read: bool, wishes: Wishes) -> Plan {
        let sp = kind == Kind::Sp;
        let total_ms = match kind {
            Kind::Sp if read => 120_000.0,
            // A large upload is a write: aborting it leaves its outcome unknown.
            Kind::Sp => f64::INFINITY,
            // Above the 230 s and 240 s of the platform, so that the server's own answer arrives.
            Kind::Ai => 250_000.0,
        };
        let statuses: &[u16] = if sp { &[429, 503] } else { &[408, 429, 502, 503, 504, 529] };
        let (base_ms, cap_ms) = if sp { (1_000.0, 20_000.0) } else { (500.0, 8_000.0) };
        Plan {
            kind,
            read,
            max_retries: wishes.max_retries.unwrap_or(if sp { 3 } else { 2 }),
            total_ms: wishes.total_ms.unwrap_or(total_ms),
            total_is_callers: wishes.total_ms.is_some(),
            attempt_ms: wishes.attempt_ms.unwrap_or(f64::INFINITY),
            statuses: wishes.statuses.unwrap_or_else(|| statuses.to_vec()),
            backoff: Backoff { base_ms: wishes.base_ms.unwrap_or(base_ms), cap_ms: wishes.cap_ms.unwrap_or(cap_ms) },
            min_attempt_ms: wishes.min_attempt_ms.unwrap_or(if sp { 1_000.0 } else { 5_000.0 }),
            slow_after_ms: if sp { f64::INFINITY } else { wishes.slow_after_ms.unwrap_or(30_000.0) },
            replayable: true,
            key_is_callers: false,
            keyed: false,
            cool_down: wishes.cool_down,
            budget: wishes.budget.rules(),
            circuit: if sp { None } else { wishes.circuit.rules() },
        }
    }

    /// From this long on, a failure with this status (`None`: no answer) was a timeout already paid for.
    pub fn slow_from_ms(&self, status: Option<u16>) -> f64 {
        match (self.kind, status) {
            (Kind::Ai, Some(408 | 504)) => self.slow_after_ms.min(GATEWAY_TIMEOUT_FAST_MS),
            _ => self.slow_after_ms,
        }
    }
}

impl BudgetWishes {
    fn rules(&self) -> budget::Rules {
        match self.capacity {
            _ if self.off => budget::Rules::Off,
            Some(capacity) => budget::Rules::Tokens {
                capacity,
                transient: self.transient.unwrap_or(14.0),
                throttled: self.throttled.unwrap_or(5.0),
            },
            None => budget::Rules::Bucket {
                ratio: self.ratio.unwrap_or(budget::RATIO),
                per_minute: self.per_minute.unwrap_or(budget::PER_MINUTE),
            },
        }
    }
}

impl CircuitWishes {
    fn rules(&self) -> Option<circuit::Rules> {
        (!self.off).then(|| circuit::Rules {
            failure_rate: self.failure_rate.unwrap_or(0.5),
            minimum_calls: self.minimum_calls.unwrap_or(4.0),
            window_ms: self.window_ms.unwrap_or(300_000.0),
            open_ms: self.open_ms.unwrap_or(2_200.0),
        })
    }
}
