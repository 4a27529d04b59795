//! The waits of a call: how long before a repeat, and what a page without network adds.

use super::{Call, End, Ending};
use crate::host::{Host, Reason, Wait, Woken};
use crate::policy::backoff;
use crate::policy::judge::{Cause, Stop};

/// A page without network holds a repeat back for at most this long, and looks again so often.
const OFFLINE_MS: f64 = 10_000.0;
const OFFLINE_STEP_MS: f64 = 250.0;

impl<H: Host> Call<'_, H> {
    /// The wait before a repeat, which is counted here.
    pub(super) fn wait_for(&mut self, cause: Cause) -> Wait {
        let hint = if cause == Cause::Network { None } else { self.last.hint_ms };
        let delay_ms = match (hint, cause) {
            // Zero or a date gone by means "allowed now": the own wait applies.
            (Some(hint), _) if hint > 0.0 => backoff::hinted_wait(hint, self.host.unit()),
            (_, Cause::StillRunning) => backoff::poll_wait(self.tally.polls),
            _ => self.plan.backoff.own_wait(self.tally.repeats, cause == Cause::Throttled, self.host.unit()),
        };
        match cause {
            Cause::StillRunning => self.tally.polls += 1,
            _ => self.tally.repeats += 1,
        }
        // It would find the gate closed.
        Wait { delay_ms: delay_ms.max(self.gate_closed_for()), retry_after_ms: hint, reason: Reason::Repeat(cause) }
    }

    /// Waits before a repeat, and longer while the page has no network.
    pub(super) async fn wait_for_repeat(&mut self, wait: Option<Wait>) -> Option<Ending<H>> {
        let wait = wait?;
        if let Some(ending) = self.rest(wait.delay_ms).await {
            return Some(ending);
        }
        self.wait_for_network().await
    }

    /// Waits. The call ends here if its caller aborts.
    pub(super) async fn rest(&mut self, ms: f64) -> Option<Ending<H>> {
        let began = self.host.now();
        let woken = self.host.sleep(ms).await;
        let now = self.host.now();
        self.waited_ms += now.since(began).ms;
        self.deadline.rested(now);
        (woken == Woken::Aborted).then_some((End::Aborted, Stop::Aborted))
    }

    /// Holds a repeat back while the page knows that it has no network. Then the error in hand is as good as another.
    async fn wait_for_network(&mut self) -> Option<Ending<H>> {
        let began = self.host.now();
        while self.host.offline() {
            let now = self.host.now();
            let patience = (OFFLINE_MS - now.since(began).ms).min(self.deadline.left(now) - self.needed_ms());
            if patience <= 0.0 {
                let failed = self.attempt.as_ref().is_some_and(|attempt| attempt.fault.is_some());
                // An answer that was given up cannot be handed over any more: the next attempt ends this call.
                return self.last_error.take_if(|_| failed).map(|error| (End::Error(error), Stop::Network));
            }
            if let Some(ending) = self.rest(OFFLINE_STEP_MS.min(patience)).await {
                return Some(ending);
            }
        }
        None
    }
}
