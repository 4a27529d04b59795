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

/// One call's rules, complete.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Which function was called.
    pub kind: Kind,
    /// The effective method is GET or HEAD; a header may still make the attempt a write.
    pub read: bool,
    /// Repeats after the first attempt.
    pub max_retries: f64,
    /// The whole operation up to the headers, milliseconds; infinite when there is no limit.
    pub total_ms: f64,
    /// One attempt up to the headers, milliseconds; infinite when there is no limit.
    pub attempt_ms: f64,
    /// Statuses that may be repeated.
    pub statuses: Vec<u16>,
    /// The own wait.
    pub backoff: Backoff,
    /// No repeat begins with less time left. What is usual at the endpoint comes before a default for `aiFetch`.
    pub min_attempt_ms: f64,
    /// The caller set that.
    pub min_attempt_is_callers: bool,
    /// A failure that took this long is never repeated; infinite for `spFetch`.
    pub slow_after_ms: f64,
    /// The body can be sent again, byte for byte.
    pub replayable: bool,
    /// The caller chose the idempotency key, so a 409 may mean that an earlier call with it is still running.
    pub key_is_callers: bool,
    /// Attempts carry an idempotency key.
    pub keyed: bool,
    /// Who waits when a server asks for it: [`NOBODY`], [`TABS`] or [`PAGE`].
    pub cool_down: f64,
    /// The retry budget of its origin.
    pub budget: budget::Rules,
    /// The circuit breaker of its back end; off for `spFetch`.
    pub circuit: circuit::Rules,
}

/// `coolDown: false`: only the call itself waits, and for nobody else.
pub const NOBODY: f64 = 0.0;
/// `coolDown: 'tabs'`: later calls of this page and of the user's other tabs.
pub const TABS: f64 = 1.0;
/// `coolDown: 'page'`: later calls of this page.
pub const PAGE: f64 = 2.0;

/// A gateway that answers 408 or 504 after this long had passed the call on.
pub const GATEWAY_TIMEOUT_FAST_MS: f64 = 5_000.0;

/// How many numbers a caller may set.
pub const NUMBERS: usize = 19;

impl Plan {
    /// The defaults. What the caller said, body and key are filled in by the shell, which alone can see them.
    pub fn new(kind: Kind, read: bool) -> Plan {
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
            max_retries: if sp { 3.0 } else { 2.0 },
            total_ms,
            attempt_ms: f64::INFINITY,
            statuses: statuses.to_vec(),
            backoff: Backoff { base_ms, cap_ms },
            min_attempt_ms: if sp { 1_000.0 } else { 5_000.0 },
            min_attempt_is_callers: false,
            slow_after_ms: if sp { f64::INFINITY } else { 30_000.0 },
            replayable: true,
            key_is_callers: false,
            keyed: false,
            cool_down: PAGE,
            budget: budget::Rules::default(),
            circuit: circuit::Rules { on: f64::from(u8::from(!sp)), ..circuit::Rules::default() },
        }
    }

    /// Every number that a caller may set, in the order in which `options.js` names them.
    pub fn numbers(&mut self) -> [&mut f64; NUMBERS] {
        [
            &mut self.max_retries,
            &mut self.total_ms,
            &mut self.attempt_ms,
            &mut self.backoff.base_ms,
            &mut self.backoff.cap_ms,
            &mut self.min_attempt_ms,
            &mut self.slow_after_ms,
            &mut self.cool_down,
            &mut self.budget.on,
            &mut self.budget.ratio,
            &mut self.budget.per_minute,
            &mut self.budget.capacity,
            &mut self.budget.transient,
            &mut self.budget.throttled,
            &mut self.circuit.on,
            &mut self.circuit.failure_rate,
            &mut self.circuit.minimum_calls,
            &mut self.circuit.window_ms,
            &mut self.circuit.open_ms,
        ]
    }

    /// From this long on, a failure with this status (`None`: no answer) was a timeout already paid for.
    pub fn slow_from_ms(&self, status: Option<u16>) -> f64 {
        match (self.kind, status) {
            (Kind::Ai, Some(408 | 504)) => self.slow_after_ms.min(GATEWAY_TIMEOUT_FAST_MS),
            _ => self.slow_after_ms,
        }
    }
}
