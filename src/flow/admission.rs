//! What stands between a call and its sends: the cool-down gate, the circuit breaker and the retry budget. They belong to
//! the whole page, so they are looked up at each use: what is found after a wait may differ from what was found before.

use super::{Call, End, Ending};
use crate::host::{Drawn, Host, News, Reason, Sent, Wait};
use crate::policy::budget::Budget;
use crate::policy::circuit::{Admission, Circuit, Outcome, State, Ticket};
use crate::policy::clock::Instant;
use crate::policy::cool_down::{Gate, Passage, Passed};
use crate::policy::entry::Shelf;
use crate::policy::judge::{Cause, Ended, Stop, Trial};
use crate::policy::page::Page;
use crate::policy::plan::{Kind, NOBODY, TABS};
use crate::policy::window::Window;

/// A write without a deadline waits at a gate for at most this long.
const WRITE_PATIENCE_MS: f64 = 30_000.0;
/// What keeps a call from sending.
struct Obstacle {
    stop: Stop,
    ms: f64,
    may_wait: bool,
}

/// What stands between this call and its send; none where nothing was ever closed.
struct Doors {
    gate: Option<Gate>,
    circuit: Option<Circuit>,
}

/// The places that an attempt has taken.
#[derive(Clone, Copy, Default)]
pub(super) struct Places {
    scout: f64,
    ticket: Ticket,
}

impl<H: Host> Call<'_, H> {
    /// Waits until the page lets this call send. The call may end here, and nothing is sent (any more).
    pub(super) async fn pass(&mut self) -> Option<Ending<H>> {
        let came = self.host.now();
        let mut told = false;
        loop {
            if self.host.aborted() {
                return Some((End::Aborted, Stop::Aborted));
            }
            let now = self.host.now();
            let left = self.deadline.left(now);
            // No repeat begins with less time left than an attempt needs; a first send always may.
            if left <= 0.0 || (self.tally.sent > 0 && left < self.needed_ms()) {
                return Some(self.timeout());
            }
            let Obstacle { stop, ms, may_wait } = self.obstacle(now, &self.doors(now))?;
            let patience = match left {
                f64::INFINITY if self.plan.kind == Kind::Sp && !self.plan.read => {
                    WRITE_PATIENCE_MS - now.since(came).ms
                }
                _ => left - self.needed_ms(),
            };
            if !may_wait || ms > patience {
                if stop == Stop::CoolingDown {
                    self.last.hint_ms = Some(ms);
                }
                return Some((End::Refused(ms), stop));
            }
            if !told {
                told = true;
                let (asked, reason) = match stop {
                    Stop::CoolingDown => (Some(ms), Reason::CoolingDown),
                    _ => (None, Reason::CircuitOpen),
                };
                self.host.on_retry(&self.situation(), Wait { delay_ms: ms, retry_after_ms: asked, reason });
            }
            if let Some(ending) = self.rest(ms).await {
                return Some(ending);
            }
            self.timeless = self.host.now() == now;
        }
    }

    /// What the page has closed, if anything.
    fn doors(&self, now: Instant) -> Doors {
        if self.plan.cool_down == TABS {
            let ms = self.host.heard();
            if ms > 0.0 {
                self.tell_gate(now, 0.0, Passed::Throttled(Some(ms)), false);
            }
        }
        Doors { gate: self.gate(now), circuit: self.circuit(now) }
    }

    fn obstacle(&self, now: Instant, doors: &Doors) -> Option<Obstacle> {
        if self.timeless {
            return None;
        }
        if let Some(Passage::Wait(ms)) = doors.gate.as_ref().map(|gate| gate.look(now)) {
            return Some(Obstacle { stop: Stop::CoolingDown, ms, may_wait: true });
        }
        let (ms, may_wait) = match doors.circuit.as_ref()?.look(now) {
            Admission::Free => return None,
            Admission::Wait(ms) => (ms, true),
            Admission::Refused(ms) => (ms, false),
        };
        Some(Obstacle { stop: Stop::CircuitOpen, ms, may_wait })
    }

    /// Takes the places for a send that is about to begin. `None` where something stands in its way by now.
    pub(super) fn enter(&mut self, now: Instant) -> Option<Places> {
        let doors = self.doors(now);
        if self.obstacle(now, &doors).is_some() {
            return None;
        }
        let mut places = Places::default();
        if let Some(mut gate) = doors.gate {
            places.scout = gate.enter(now);
            self.host.save(&mut gate);
        }
        if let Some(mut circuit) = doors.circuit {
            let before = circuit.entered();
            places.ticket = circuit.enter(now);
            if places.ticket.is_probe() {
                self.keep(circuit, before);
            }
        }
        // A budget that nobody has drawn on is full.
        let mut budget = Budget::default();
        if self.tally.sent == 0 && self.plan.budget.on > 0.0 && self.host.load(now, &mut budget) {
            budget.request(now, &self.plan.budget);
            self.host.save(&mut budget);
        }
        self.paid = self.owed.take();
        Some(places)
    }

    /// Tells the page how an attempt ended.
    pub(super) fn report(&mut self, sent: &Sent<H::Answer, H::Error>, trial: &Trial, places: Places) {
        let now = self.host.now();
        self.tell_gate(now, places.scout, passed(&trial.ended), true);
        if self.plan.circuit.on > 0.0 {
            let outcome = self.outcome(sent, trial);
            let mut window = Window::default();
            self.host.load(now, &mut window);
            let mut circuit = self.circuit(now).unwrap_or_default();
            let before = circuit.entered();
            circuit.ended(now, places.ticket, outcome, &self.plan.circuit, &mut window, &|| self.host.unit());
            if window != Window::default() {
                self.host.save(&mut window);
            }
            if circuit != Circuit::default() {
                self.keep(circuit, before);
            }
        }
        let succeeded = trial.ended.status().is_some_and(|status| status < 400);
        let mut budget = Budget::default();
        if succeeded && self.plan.budget.on > 0.0 && !trial.elapsed.suspended() && self.host.load(now, &mut budget) {
            budget.success(&self.plan.budget, self.paid);
            self.host.save(&mut budget);
        }
    }

    /// A body has stated a wait that no header did.
    pub(super) fn report_wait(&self, status: Option<u16>, ms: f64) {
        if matches!(status, Some(429 | 503)) {
            self.tell_gate(self.host.now(), 0.0, Passed::Throttled(Some(ms)), true);
        }
    }

    /// `first_hand` is what a server told this page, rather than another tab.
    fn tell_gate(&self, now: Instant, scout: f64, how: Passed, first_hand: bool) {
        let found = self.gate(now);
        let stated = matches!(how, Passed::Throttled(Some(ms)) if ms > 0.0);
        if self.plan.cool_down == NOBODY || !(found.is_some() || stated) {
            return;
        }
        let mut gate = found.unwrap_or_default();
        let closes = gate.ended(now, scout, how, self.host.unit());
        self.host.save(&mut gate);
        if closes {
            self.host.announce(News::CoolDown { until_ms: gate.closed.wall });
            if first_hand && self.plan.cool_down == TABS {
                self.host.tell_tabs(gate.closed.left(now));
            }
        }
    }

    fn outcome(&self, sent: &Sent<H::Answer, H::Error>, trial: &Trial) -> Outcome {
        let stopped = match sent {
            Sent::Aborted => true,
            Sent::Failed(error) => self.host.stopped(error),
            _ => false,
        };
        // What happened while the machine slept says nothing of the back end.
        if stopped || trial.elapsed.suspended() {
            return Outcome::Neutral;
        }
        let status = trial.ended.status();
        let slow = trial.elapsed.ms >= self.plan.slow_from_ms(status);
        match (status, &trial.ended) {
            (None, Ended::Answered(_)) | (Some(429), _) => Outcome::Neutral,
            (Some(408), _) if !slow => Outcome::Neutral,
            (Some(..400), _) => Outcome::Success,
            (None | Some(408 | 500..), _) => Outcome::Failure { slow },
            _ => Outcome::Declined,
        }
    }

    /// Why a repeat that the rules allow would be too much now. If not, it is paid for.
    pub(super) fn impolite(&mut self, trial: &Trial, cause: Cause, wait: Wait) -> Option<Stop> {
        // A poll asks for the answer to a request that has been taken.
        if cause == Cause::StillRunning {
            return None;
        }
        let now = self.host.now();
        if self.circuit(now).is_some_and(|circuit| circuit.entered() != State::Closed) {
            return Some(Stop::CircuitOpen);
        }
        if self.plan.budget.on == 0.0 || trial.elapsed.suspended() {
            return None;
        }
        let mut budget = Budget::default();
        self.host.load(now, &mut budget);
        let scheduled = wait.retry_after_ms.is_some_and(|ms| ms > 0.0);
        self.owed = budget.repeat(now, &self.plan.budget, cause == Cause::Throttled, scheduled);
        self.keep_budget(budget, if self.owed.is_some() { Drawn::Spent } else { Drawn::Empty });
        self.owed.is_none().then_some(Stop::RetryBudget)
    }

    /// A repeat that was paid for is not sent after all.
    pub(super) fn refund(&mut self) {
        let mut budget = Budget::default();
        if let Some(payment) = self.owed.take()
            && self.host.load(self.host.now(), &mut budget)
        {
            budget.refund(payment);
            self.keep_budget(budget, Drawn::Refunded);
        }
    }

    fn keep_budget(&self, mut budget: Budget, change: Drawn) {
        self.host.save(&mut budget);
        self.host.announce(News::Budget { change, left: budget.left(&self.plan.budget) });
    }

    /// How long a gate will be closed from now on.
    pub(super) fn gate_closed_for(&self) -> f64 {
        let now = self.host.now();
        self.gate(now).map_or(0.0, |gate| gate.closed.left(now))
    }

    fn gate(&self, now: Instant) -> Option<Gate> {
        let mut gate = Gate::default();
        if self.plan.cool_down == NOBODY || !self.host.load(now, &mut gate) {
            return None;
        }
        if gate.look(now) == Passage::Gone {
            self.host.forget(Shelf::Gates);
            return None;
        }
        Some(gate)
    }

    /// A circuit that has never been opened is not kept.
    fn circuit(&self, now: Instant) -> Option<Circuit> {
        let mut circuit = Circuit::default();
        (self.plan.circuit.on > 0.0 && self.host.load(now, &mut circuit)).then_some(circuit)
    }

    fn keep(&self, mut circuit: Circuit, before: State) {
        let after = circuit.entered();
        self.host.save(&mut circuit);
        if after != before {
            self.host.announce(News::Circuit { from: before, to: after });
        }
    }
}

/// How an attempt ended for the gate. SharePoint's throttling page states no wait and says nothing of the others' turn.
fn passed(ended: &Ended) -> Passed {
    match ended {
        Ended::Answered(facts) if facts.page == Some(Page::Throttle) => Passed::Unanswered,
        Ended::Answered(facts) if matches!(facts.status, Some(429 | 503)) => Passed::Throttled(facts.hint_ms),
        Ended::Answered(_) => Passed::Answered,
        Ended::Failed | Ended::TimedOut => Passed::Unanswered,
    }
}
