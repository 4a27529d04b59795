//! READ FIRST: the life of one call, from the first send to the answer or error that the caller gets.
//!
//! ```text
//! pass -> prepare -> enter -> send -> judge -+-> surface it
//!  ^                                         |
//!  |                                         +-> ask the caller, look into the error body
//!  |                                         +-> time, circuit and budget for another? --no--> surface it
//!  +---- check again <- wait <- give the old answer up
//! ```
//!
//! What a call passes and enters, because the whole page shares it, is in `flow/admission.rs`; its waits are in
//! `flow/waiting.rs`.
//!
//! Everything that can be decided before a wait is decided before it. An answer whose body was given up is
//! never returned: after a wait the call ends in a new answer, or in an error that names the old one's status.

mod admission;
mod waiting;

use crate::account::{Account, Attempt, Fault};
use crate::host::{Host, Ready, Said, Sent, Situation, Wait};
use crate::policy::budget::Payment;
use crate::policy::clock::{Deadline, Instant, LONGEST_TIMER_MS};
use crate::policy::judge::{self, Ended, Facts, QUICK_FAILURE_MS, Stop, Trial, Verdict};
use crate::policy::plan::{Kind, Plan};

/// A look into an error body may cost this much of the time left.
const PEEK_MS: f64 = 1_000.0;

/// How a call ended.
#[derive(Debug)]
pub enum End<A, E> {
    /// With the transport's answer.
    Answer(A),
    /// With the transport's own error.
    Error(E),
    /// By the deadline, or by the limit of its last attempt; with the last failure of the transport, if any.
    Timeout(Option<E>),
    /// By the caller's signal.
    Aborted,
    /// Nothing was sent (any more): the page is to wait for so many milliseconds.
    Refused(f64),
}

/// Runs one call to its end.
pub async fn run<H: Host>(host: &H, plan: &Plan) -> (End<H::Answer, H::Error>, Account) {
    let began = host.now();
    let mut call = Call {
        host,
        plan,
        deadline: Deadline::begin(began, plan.total_ms, plan.kind == Kind::Sp && plan.read),
        attempt: None,
        tally: Tally::default(),
        last: Facts::default(),
        last_error: None,
        owed: None,
        paid: None,
        waited_ms: 0.0,
        timeless: false,
    };
    let (end, stop) = call.live().await;
    call.refund();
    let account = Account {
        total_ms: call.deadline.elapsed(host.now()),
        waited_ms: call.waited_ms,
        stop,
        retry_after_ms: call.last.hint_ms,
        retry_after_hidden: call.last.hint_hidden,
        page: call.last.page,
        last_status: call.last.status,
    };
    (end, account)
}

/// What a call has used up.
#[derive(Default)]
struct Tally {
    sent: u32,
    repeats: u32,
    polls: u32,
    network_failures: u32,
    quick_failures: u32,
    digest_renewed: bool,
}

struct Call<'a, H: Host> {
    host: &'a H,
    plan: &'a Plan,
    deadline: Deadline,
    /// The last one, which is put on the account when it is known what comes of it.
    attempt: Option<Attempt>,
    tally: Tally,
    /// What the last failed answer said.
    last: Facts,
    /// The transport's error that the last repeat was for.
    last_error: Option<H::Error>,
    /// Taken from the retry budget for a repeat that has not been sent yet, and for the last one that was.
    owed: Option<Payment>,
    paid: Option<Payment>,
    waited_ms: f64,
    /// The clocks stand still, as a page's own tests may have them: by them no gate would ever open.
    timeless: bool,
}

type Ending<H> = (End<<H as Host>::Answer, <H as Host>::Error>, Stop);

impl<H: Host> Call<'_, H> {
    async fn live(&mut self) -> Ending<H> {
        loop {
            if let Some(ending) = self.pass().await {
                return ending;
            }
            let left = self.deadline.left(self.host.now());
            let (read, stacked) = match self.host.prepare(self.tally.sent, left).await {
                Ready::Go { read, stacked } => (read, stacked),
                Ready::Failed(error) => return (End::Error(error), Stop::NotSent),
                Ready::TimedOut => return self.timeout(),
                Ready::Aborted => return (End::Aborted, Stop::Aborted),
            };
            let sent_at = self.host.now();
            let left = self.deadline.left(sent_at);
            if left <= 0.0 {
                return self.timeout();
            }
            let Some(places) = self.enter(sent_at) else { continue };
            let allowed = left.min(self.plan.attempt_ms);
            self.tally.sent += 1;
            let sent = self.host.send(allowed).await;
            let trial = self.note(&sent, sent_at, allowed, read, stacked);
            self.report(&sent, &trial, places);

            match self.next(&sent, &trial).await {
                Next::Surface(stop) => {
                    self.decide(Some(stop), None);
                    return (self.surface(sent, stop), stop);
                }
                Next::Again(wait) => {
                    self.decide(None, wait);
                    self.give_up(sent);
                    if let Some(ending) = self.wait_for_repeat(wait).await {
                        return ending;
                    }
                }
            }
        }
    }

    /// Writes the attempt down and says how it ended.
    fn note(
        &mut self,
        sent: &Sent<H::Answer, H::Error>,
        sent_at: Instant,
        allowed: f64,
        read: bool,
        stacked: bool,
    ) -> Trial {
        let elapsed = self.host.now().since(sent_at);
        let (ended, fault) = match sent {
            Sent::Answered(answer) => (Ended::Answered(self.host.facts(answer)), None),
            Sent::Failed(_) => (Ended::Failed, Some(Fault::Transport)),
            Sent::TimedOut => (Ended::TimedOut, Some(Fault::TimedOut)),
            Sent::Aborted => (Ended::Failed, Some(Fault::Aborted)),
        };
        match &ended {
            // A success after a throttled attempt leaves what the server asked for readable.
            Ended::Answered(facts) if facts.status.is_some_and(|status| status < 400) => {
                (self.last.status, self.last.page) = (facts.status, facts.page);
            }
            Ended::Answered(facts) => self.last = facts.clone(),
            Ended::Failed | Ended::TimedOut => {
                self.tally.network_failures += 1;
                self.tally.quick_failures += u32::from(elapsed.ms < QUICK_FAILURE_MS);
            }
        }
        let error_is_network = ended == Ended::Failed;
        self.attempt = Some(Attempt {
            started_ms: self.deadline.elapsed(sent_at),
            elapsed_ms: elapsed.ms,
            allowed_ms: allowed.is_finite().then_some(allowed),
            status: ended.status(),
            fault,
            suspended: elapsed.suspended(),
            wait_ms: None,
            decision: None,
        });
        Trial {
            // Asked from the first failure on, and where it decides: on a success nobody listens.
            came_online: error_is_network && read && self.plan.kind == Kind::Sp && self.host.came_online() > 0,
            ended,
            elapsed,
            read,
            stacked,
            repeats: self.tally.repeats,
            network_failures: self.tally.network_failures,
            quick_failures: self.tally.quick_failures,
            sent: self.tally.sent,
        }
    }

    /// What happens after an attempt.
    async fn next(&mut self, sent: &Sent<H::Answer, H::Error>, trial: &Trial) -> Next {
        match sent {
            Sent::Aborted => return Next::Surface(Stop::Aborted),
            Sent::TimedOut if self.deadline.left(self.host.now()) <= 0.0 => return Next::Surface(Stop::Timeout),
            Sent::Failed(error) if self.host.stopped(error) => return Next::Surface(Stop::Network),
            Sent::Answered(answer) if self.may_renew_digest(trial) => {
                let limit = PEEK_MS.min(self.deadline.left(self.host.now()));
                let expired = self.host.digest_expired(answer, limit).await;
                if self.host.aborted() {
                    return Next::Surface(Stop::Aborted);
                }
                if expired && self.deadline.left(self.host.now()) >= self.needed_ms() {
                    self.tally.digest_renewed = true;
                    return Next::Again(None);
                }
            }
            _ => {}
        }
        let verdict = judge::judge(self.plan, trial);
        let listed = match verdict {
            Verdict::Final(stop) => return Next::Surface(stop),
            Verdict::Repeat(_) => true,
            Verdict::OnlyIfAsked => false,
        };
        let situation = self.situation();
        match self.host.should_retry(&situation) {
            Some(false) => return Next::Surface(if listed { Stop::Vetoed } else { Stop::FinalStatus }),
            None if !listed => return Next::Surface(Stop::FinalStatus),
            _ => {}
        }
        let inside = self.look_inside(sent, listed).await;
        if self.host.aborted() {
            return Next::Surface(Stop::Aborted);
        }
        if let Some(stop) = inside {
            return Next::Surface(stop);
        }
        let cause = match judge::candidate(self.plan, trial) {
            Some(cause) => cause,
            None => return Next::Surface(Stop::FinalStatus),
        };
        let wait = self.wait_for(cause);
        // Without a deadline any wait fits, but nobody could be woken from one that no timer counts.
        let too_long = wait.delay_ms > LONGEST_TIMER_MS;
        if too_long || wait.delay_ms + self.needed_ms() > self.deadline.left(self.host.now()) {
            return Next::Surface(Stop::WaitExceedsTimeLeft);
        }
        if let Some(stop) = self.impolite(trial, cause, wait) {
            return Next::Surface(stop);
        }
        self.host.on_retry(&situation, wait);
        Next::Again(Some(wait))
    }

    /// The time that a repeat must have: how long an answer takes differs more from one AI back end to the next than any
    /// default could say.
    fn needed_ms(&self) -> f64 {
        let usual = match self.plan.kind {
            Kind::Ai if !self.plan.min_attempt_is_callers => self.host.median_ms(),
            _ => None,
        };
        usual.unwrap_or(self.plan.min_attempt_ms)
    }

    /// An expired digest was refused before anything was written, so the write may be sent again: once.
    fn may_renew_digest(&self, trial: &Trial) -> bool {
        self.plan.kind == Kind::Sp
            && !trial.read
            && trial.ended.status() == Some(403)
            && !trial.stacked
            && self.plan.replayable
            && !self.tally.digest_renewed
    }

    /// Looks into an AI error that no header explains: a quota is final, a stated wait counts.
    async fn look_inside(&mut self, sent: &Sent<H::Answer, H::Error>, listed: bool) -> Option<Stop> {
        let Sent::Answered(answer) = sent else { return None };
        if self.plan.kind != Kind::Ai || !listed || self.last.hint_ms.is_some() {
            return None;
        }
        let limit = PEEK_MS.min(self.deadline.left(self.host.now()));
        let Said { quota, wait_ms } = self.host.peek(answer, limit).await;
        self.last.hint_ms = wait_ms;
        if let Some(ms) = wait_ms {
            self.report_wait(self.last.status, ms);
        }
        (quota && wait_ms.is_none()).then_some(Stop::FinalStatus)
    }

    fn situation(&self) -> Situation {
        Situation {
            status: self.attempt.as_ref().and_then(|attempt| attempt.status),
            attempt: self.tally.sent,
            elapsed_ms: self.deadline.elapsed(self.host.now()),
        }
    }

    fn decide(&mut self, decision: Option<Stop>, wait: Option<Wait>) {
        if let Some(attempt) = &mut self.attempt {
            attempt.decision = decision;
            attempt.wait_ms = wait.map(|wait| wait.delay_ms);
            self.host.attempted(attempt);
        }
    }

    fn give_up(&mut self, sent: Sent<H::Answer, H::Error>) {
        match sent {
            Sent::Answered(answer) => self.host.discard(answer),
            Sent::Failed(error) => self.last_error = Some(error),
            Sent::TimedOut | Sent::Aborted => {}
        }
    }

    fn surface(&mut self, sent: Sent<H::Answer, H::Error>, stop: Stop) -> End<H::Answer, H::Error> {
        match sent {
            // The caller aborted while the answer was looked at: nobody waits for it any more.
            Sent::Answered(answer) if stop == Stop::Aborted => {
                self.host.discard(answer);
                End::Aborted
            }
            Sent::Answered(answer) => End::Answer(answer),
            Sent::Failed(_) | Sent::Aborted if stop == Stop::Aborted => End::Aborted,
            Sent::Failed(error) => End::Error(error),
            Sent::TimedOut => End::Timeout(self.last_error.take()),
            Sent::Aborted => End::Aborted,
        }
    }

    fn timeout(&mut self) -> Ending<H> {
        (End::Timeout(self.last_error.take()), Stop::Timeout)
    }
}

enum Next {
    Surface(Stop),
    Again(Option<Wait>),
}

#[cfg(test)]
mod decision_table;
#[cfg(all(test, not(target_family = "wasm")))]
mod laws;
#[cfg(test)]
mod page_tests;
#[cfg(test)]
mod tests;
