//! A scripted host with a virtual clock. Nothing here ever waits: sends and sleeps move the clock and are ready
//! at once, so a future that is pending can never be woken, and [`block_on`] calls that a deadlock.

use crate::account::{Account, Attempt};
use crate::flow::{self, End};
use crate::host::{Host, News, Ready, Said, Sent, Situation, Wait, Woken};
use crate::policy::clock::Instant;
use crate::policy::entry::{Entry, Shelf};
use crate::policy::judge::Facts;
use crate::policy::plan::Plan;
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, VecDeque};
use std::future::Future;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// What the server does with one attempt.
#[derive(Clone, Debug, Default)]
pub struct Step {
    /// Time until the headers, on both clocks.
    pub takes_ms: f64,
    /// Sleep of the machine meanwhile: only the wall clock moves.
    pub sleeps_ms: f64,
    /// The answer, or a network failure.
    pub answer: Option<Facts>,
    /// What its body says.
    pub said: Said,
    /// Its body says that the digest has expired.
    pub digest_expired: bool,
    /// The transport's error, where there is no answer.
    pub error: &'static str,
}

/// An answer with this status after `takes_ms`.
pub fn status(status: u16, takes_ms: f64) -> Step {
    Step { takes_ms, answer: Some(Facts { status: Some(status), ..Facts::default() }), ..Step::default() }
}

/// A network failure after `takes_ms`.
pub fn network(takes_ms: f64) -> Step {
    Step { takes_ms, error: "network", ..Step::default() }
}

impl Step {
    /// The answer states a wait.
    pub fn hint(mut self, ms: f64) -> Step {
        if let Some(facts) = &mut self.answer {
            facts.hint_ms = Some(ms);
        }
        self
    }

    /// The machine sleeps meanwhile.
    pub fn sleeping(mut self, ms: f64) -> Step {
        self.sleeps_ms = ms;
        self
    }
}

/// What the calls of a page share: one origin, one back end.
pub type Page = Rc<RefCell<HashMap<Shelf, Vec<f64>>>>;

/// The scripted host. The script's steps are used up in order; running out of them is a panic.
pub struct FakeHost {
    /// Both clocks.
    pub clock: Cell<Instant>,
    /// What the server does, attempt by attempt.
    pub script: RefCell<VecDeque<Step>>,
    /// The random unit, always this.
    pub unit: Cell<f64>,
    /// The caller aborts when the monotonic clock reaches this.
    pub abort_at: Cell<f64>,
    /// The caller aborts inside `onRetry`.
    pub abort_in_on_retry: Cell<bool>,
    /// A timer fires this much late, as in a hidden tab.
    pub oversleeps_ms: Cell<f64>,
    /// The attempt goes out as a read.
    pub read: Cell<bool>,
    /// An outer layer is repeating.
    pub stacked: Cell<bool>,
    /// The caller's `shouldRetry`.
    pub says: Cell<Option<bool>>,
    /// The attempts on the account.
    pub attempts: RefCell<Vec<Attempt>>,
    /// When attempts were sent.
    pub sent_at: RefCell<Vec<f64>>,
    /// What `onRetry` was told.
    pub waits: RefCell<Vec<Wait>>,
    /// Answers whose body was given up.
    pub discarded: RefCell<Vec<u16>>,
    /// Bodies that were looked into.
    pub peeks: Cell<u32>,
    /// The endpoint's median time to the headers.
    pub median_ms: Cell<Option<f64>>,
    /// Shared with other calls.
    pub page: Page,
    /// What was announced.
    pub news: RefCell<Vec<News>>,
    /// The page has no network before this time.
    pub online_at: Cell<f64>,
    /// What `onRetry` was told of the call.
    pub situations: RefCell<Vec<Situation>>,
    /// During the first send another call leaves this on the page.
    pub closes_gate_in_send: RefCell<Option<Page>>,
    /// What another tab says of the gate, and what other tabs were told.
    pub heard: Cell<f64>,
    pub told_tabs: RefCell<Vec<f64>>,
}

impl FakeHost {
    /// A host at time 0 for a read.
    pub fn new(script: impl IntoIterator<Item = Step>) -> FakeHost {
        FakeHost {
            clock: Cell::default(),
            script: RefCell::new(script.into_iter().collect()),
            unit: Cell::new(0.0),
            abort_at: Cell::new(f64::INFINITY),
            abort_in_on_retry: Cell::new(false),
            oversleeps_ms: Cell::new(0.0),
            read: Cell::new(true),
            stacked: Cell::new(false),
            says: Cell::new(None),
            attempts: RefCell::default(),
            sent_at: RefCell::default(),
            waits: RefCell::default(),
            discarded: RefCell::default(),
            peeks: Cell::new(0),
            median_ms: Cell::new(None),
            page: Page::default(),
            news: RefCell::default(),
            online_at: Cell::new(f64::NEG_INFINITY),
            situations: RefCell::default(),
            closes_gate_in_send: RefCell::default(),
            heard: Cell::new(0.0),
            told_tabs: RefCell::default(),
        }
    }

    /// The next call on this page begins when this one has ended, unless its clock is set.
    pub fn next(&self, script: impl IntoIterator<Item = Step>) -> FakeHost {
        let mut host = FakeHost::new(script);
        host.clock = self.clock.clone();
        host.page = self.page.clone();
        host
    }

    /// Runs a call to its end.
    pub fn run(&self, plan: &Plan) -> (End<Step, &'static str>, Account) {
        block_on(flow::run(self, plan))
    }

    /// How many attempts reached the server.
    pub fn sends(&self) -> usize {
        self.sent_at.borrow().len()
    }

    fn pass(&self, mono: f64, wall: f64) {
        let now = self.clock.get();
        self.clock.set(Instant { mono: now.mono + mono, wall: now.wall + wall, ..now });
    }

    /// Milliseconds until the caller aborts, if that is within `ms`.
    fn abort_within(&self, ms: f64) -> Option<f64> {
        let until = (self.abort_at.get() - self.clock.get().mono).max(0.0);
        (until <= ms).then_some(until)
    }
}

impl Host for FakeHost {
    type Answer = Step;
    type Error = &'static str;

    fn now(&self) -> Instant {
        self.clock.get()
    }

    fn unit(&self) -> f64 {
        self.unit.get()
    }

    fn aborted(&self) -> bool {
        self.clock.get().mono >= self.abort_at.get()
    }

    async fn prepare(&self, _attempt: u32, _left_ms: f64) -> Ready<&'static str> {
        Ready::Go { read: self.read.get(), stacked: self.stacked.get() }
    }

    async fn send(&self, limit_ms: f64) -> Sent<Step, &'static str> {
        self.sent_at.borrow_mut().push(self.clock.get().mono);
        if let Some(page) = self.closes_gate_in_send.take() {
            self.page.swap(&page);
        }
        let step = self.script.borrow_mut().pop_front().expect("the script has a step for this attempt");
        if let Some(until) = self.abort_within(step.takes_ms.min(limit_ms)) {
            self.pass(until, until);
            return Sent::Aborted;
        }
        if step.takes_ms > limit_ms {
            self.pass(limit_ms, limit_ms + step.sleeps_ms);
            return Sent::TimedOut;
        }
        self.pass(step.takes_ms, step.takes_ms + step.sleeps_ms);
        match step.answer {
            Some(_) => Sent::Answered(step),
            None => Sent::Failed(step.error),
        }
    }

    async fn sleep(&self, ms: f64) -> Woken {
        if let Some(until) = self.abort_within(ms) {
            self.pass(until, until);
            return Woken::Aborted;
        }
        let ms = ms + self.oversleeps_ms.get();
        self.pass(ms, ms);
        Woken::Rested
    }

    fn facts(&self, answer: &Step) -> Facts {
        answer.answer.clone().unwrap_or_default()
    }

    fn stopped(&self, error: &&'static str) -> bool {
        *error == "stopped"
    }

    async fn digest_expired(&self, answer: &Step, _limit_ms: f64) -> bool {
        answer.digest_expired
    }

    async fn peek(&self, answer: &Step, _limit_ms: f64) -> Said {
        self.peeks.set(self.peeks.get() + 1);
        answer.said
    }

    fn should_retry(&self, _situation: &Situation) -> Option<bool> {
        self.says.get()
    }

    fn on_retry(&self, situation: &Situation, wait: Wait) {
        self.situations.borrow_mut().push(*situation);
        self.waits.borrow_mut().push(wait);
        if self.abort_in_on_retry.get() {
            self.abort_at.set(self.clock.get().mono);
        }
    }

    fn discard(&self, answer: Step) {
        self.discarded.borrow_mut().push(self.facts(&answer).status.unwrap_or(0));
    }

    fn attempted(&self, attempt: &Attempt) {
        self.attempts.borrow_mut().push(attempt.clone());
    }

    fn median_ms(&self) -> Option<f64> {
        self.median_ms.get()
    }

    fn load(&self, now: Instant, entry: &mut dyn Entry) -> bool {
        let page = self.page.borrow();
        let Some(numbers) = page.get(&entry.shelf()) else { return false };
        let mut numbers = numbers.iter();
        entry.each(&mut |number| *number = *numbers.next().expect("as many numbers as were saved"));
        assert!(entry.is_sane(now), "what this library wrote is sane");
        true
    }

    fn save(&self, entry: &mut dyn Entry) {
        let mut numbers = Vec::new();
        entry.each(&mut |number| numbers.push(*number));
        self.page.borrow_mut().insert(entry.shelf(), numbers);
    }

    fn forget(&self, shelf: Shelf) {
        self.page.borrow_mut().remove(&shelf);
    }

    fn announce(&self, news: News) {
        self.news.borrow_mut().push(news);
    }

    fn heard(&self) -> f64 {
        self.heard.replace(0.0)
    }

    fn tell_tabs(&self, left_ms: f64) {
        self.told_tabs.borrow_mut().push(left_ms);
    }

    fn offline(&self) -> bool {
        self.clock.get().mono < self.online_at.get()
    }

    fn came_online(&self) -> u32 {
        u32::from(self.online_at.get() > 0.0 && !self.offline())
    }
}

/// Runs a future that is never pending.
pub fn block_on<F: Future>(future: F) -> F::Output {
    match std::pin::pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("deadlock: the call waits for something that nobody will do"),
    }
}
