//! The account of one call: what was sent, how it ended, and why it was not repeated.
//!
//! Nearly every account is thrown away unread, so the shell keeps it [packed](Account::pack) in the page's own heap,
//! where it goes with the Response it belongs to, and makes an object of it only when somebody asks.

use crate::policy::judge::Stop;
use crate::policy::page::Page;
use crate::policy::plan::Kind;
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

/// What the flow writes down.
#[derive(Clone, Debug, PartialEq)]
pub struct Account {
    /// Which function was called.
    pub kind: Kind,
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
    /// The last failed answer came from another origin and its headers could not be read.
    pub retry_after_hidden: bool,
    /// The page that answered in place of data.
    pub page: Option<Page>,
    /// Status of the last answer seen.
    pub last_status: Option<u16>,
}

const HEAD: usize = 8;
const PER_ATTEMPT: usize = 7;

impl Account {
    /// The account as numbers, and the names of errors, one a line, where there were any.
    pub fn pack(&self) -> (Vec<f64>, String) {
        let mut numbers = Vec::with_capacity(HEAD + PER_ATTEMPT * self.attempts.len());
        numbers.extend([
            f64::from(self.kind == Kind::Ai),
            self.total_ms,
            self.waited_ms,
            place(&Stop::ALL, &self.stop),
            or_nan(self.retry_after_ms),
            f64::from(self.retry_after_hidden),
            self.page.map_or(f64::NAN, |page| place(&Page::ALL, &page)),
            or_nan(self.last_status.map(f64::from)),
        ]);
        let mut errors = String::new();
        for (at, attempt) in self.attempts.iter().enumerate() {
            numbers.extend([
                attempt.started_ms,
                attempt.elapsed_ms,
                or_nan(attempt.allowed_ms),
                or_nan(attempt.status.map(f64::from)),
                f64::from(attempt.suspended),
                or_nan(attempt.wait_ms),
                Stop::ALL.iter().position(|stop| stop.name() == attempt.decision).map_or(f64::NAN, |at| at as f64),
            ]);
            if let Some(error) = &attempt.error {
                // Line n is the error of attempt n.
                let lines = errors.bytes().filter(|byte| *byte == b'\n').count();
                errors.extend(std::iter::repeat_n('\n', at - lines));
                errors.push_str(error);
            }
        }
        (numbers, errors)
    }

    /// The account that was packed; `None` if these numbers are no account.
    pub fn unpack(numbers: &[f64], errors: &str) -> Option<Account> {
        let (head, rest) = numbers.split_first_chunk::<HEAD>()?;
        let [ai, total_ms, waited_ms, stop, retry_after_ms, hidden, page, last_status] = *head;
        let mut lines = errors.split('\n');
        let attempts = rest.chunks_exact(PER_ATTEMPT).filter_map(|chunk| {
            let [started_ms, elapsed_ms, allowed_ms, status, suspended, wait_ms, decision] = *chunk.first_chunk()?;
            Some(Attempt {
                started_ms,
                elapsed_ms,
                allowed_ms: some(allowed_ms),
                status: some(status).map(|status| status as u16),
                error: lines.next().filter(|line| !line.is_empty()).map(str::to_owned),
                suspended: suspended == 1.0,
                wait_ms: some(wait_ms),
                decision: at(&Stop::ALL, decision).map_or(RETRY, Stop::name),
            })
        });
        Some(Account {
            kind: if ai == 1.0 { Kind::Ai } else { Kind::Sp },
            attempts: attempts.collect(),
            total_ms,
            waited_ms,
            stop: at(&Stop::ALL, stop)?,
            retry_after_ms: some(retry_after_ms),
            retry_after_hidden: hidden == 1.0,
            page: at(&Page::ALL, page),
            last_status: some(last_status).map(|status| status as u16),
        })
    }
}

fn or_nan(value: Option<f64>) -> f64 {
    value.unwrap_or(f64::NAN)
}

fn some(value: f64) -> Option<f64> {
    (!value.is_nan()).then_some(value)
}

fn place<T: PartialEq>(all: &[T], one: &T) -> f64 {
    all.iter().position(|other| other == one).map_or(f64::NAN, |at| at as f64)
}

fn at<T: Copy>(all: &[T], place: f64) -> Option<T> {
    if place.is_nan() { None } else { all.get(place as usize).copied() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn attempt() -> impl Strategy<Value = Attempt> {
        let numbers = (0.0..1e9, 0.0..1e9, proptest::option::of(0.0..1e9), proptest::option::of(0u16..1_000));
        let rest = (
            proptest::option::of("[A-Za-z]{1,12}"),
            any::<bool>(),
            proptest::option::of(0.0..1e6),
            0..=Stop::ALL.len(),
        );
        (numbers, rest).prop_map(
            |((started_ms, elapsed_ms, allowed_ms, status), (error, suspended, wait_ms, decision))| Attempt {
                started_ms,
                elapsed_ms,
                allowed_ms,
                status,
                error,
                suspended,
                wait_ms,
                decision: Stop::ALL.get(decision).map_or(RETRY, |stop| stop.name()),
            },
        )
    }

    proptest! {
        #[test]
        fn an_account_is_unpacked_as_it_was_packed(
            attempts in proptest::collection::vec(attempt(), 0..6),
            ai in any::<bool>(), hidden in any::<bool>(), stop in 0..Stop::ALL.len(),
            page in proptest::option::of(0..Page::ALL.len()), total_ms in 0.0..1e9, waited_ms in 0.0..1e9,
            retry_after_ms in proptest::option::of(0.0..1e9), last_status in proptest::option::of(0u16..1_000),
        ) {
            let account = Account {
                kind: if ai { Kind::Ai } else { Kind::Sp },
                attempts, total_ms, waited_ms, retry_after_ms, retry_after_hidden: hidden, last_status,
                stop: Stop::ALL[stop],
                page: page.map(|page| Page::ALL[page]),
            };
            let (numbers, errors) = account.pack();
            prop_assert_eq!(Account::unpack(&numbers, &errors), Some(account));
        }
    }
}
