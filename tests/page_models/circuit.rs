//! The circuit breaker.

use super::{Kept, Time, a_jump, sequences};
use proptest::prelude::*;
use steadfetch::policy::circuit::{Admission, Circuit, Outcome, Rules, State, Ticket};
use steadfetch::policy::window::Window;

const SLOTS: i64 = 10;
const LONGEST_OPEN: i64 = 30_000;
const PATIENCE: i64 = 2_500;
const LEASE: i64 = 10_000;

#[derive(Clone, Copy, Debug)]
enum Step {
    /// So many calls come, and each of them sends if it may.
    Calls(usize),
    /// One of the calls under way ends.
    End(usize, Outcome),
    /// So many calls come and end at once.
    Rush(usize, Outcome),
    Pass(i64),
    /// Until the circuit is half-open, or a little before or after.
    PassTheOpenTime(i64),
    SetWall(i64),
    /// Other calls bring another window.
    OtherWindow,
}

/// What a sequence of calls brings along, and the random unit: 0 or 1/2, for which the open time is a whole number.
#[derive(Clone, Copy, Debug)]
struct Setting {
    failures_percent: i64,
    minimum_calls: i64,
    window: i64,
    latest: i64,
    open: i64,
    half: bool,
}

impl Setting {
    fn rules(self) -> Rules {
        Rules {
            on: 1.0,
            failure_rate: self.failures_percent as f64 / 100.0,
            minimum_calls: self.minimum_calls as f64,
            window_ms: self.window as f64,
            latest: self.latest as f64,
            open_ms: self.open as f64,
        }
    }

    fn unit(self) -> f64 {
        if self.half { 0.5 } else { 0.0 }
    }

    /// 2.2 s ± 20 %: with the smallest unit 20 % less.
    fn spread(self, nominal: i64) -> i64 {
        if self.half { nominal } else { nominal - nominal / 5 }
    }
}

fn settings() -> impl Strategy<Value = Setting> {
    (
        prop_oneof![Just(50), Just(25), Just(100), Just(0)],
        prop_oneof![Just(4i64), Just(1), Just(2), Just(10)],
        prop_oneof![Just(300_000i64), Just(10_000), Just(640)],
        prop_oneof![Just(8i64), Just(1), Just(1_000)],
        prop_oneof![Just(2_200i64), Just(5_000), Just(100_000)],
        any::<bool>(),
    )
        .prop_map(|(failures_percent, minimum_calls, window, latest, open, half)| Setting {
            failures_percent,
            minimum_calls,
            window,
            latest,
            open,
            half,
        })
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let outcome = || {
        prop_oneof![
            3 => Just(Outcome::Success),
            4 => Just(Outcome::Failure { slow: false }),
            4 => Just(Outcome::Failure { slow: true }),
            1 => Just(Outcome::Declined),
            2 => Just(Outcome::Neutral),
        ]
    };
    let step = prop_oneof![
        4 => (1usize..5).prop_map(Step::Calls),
        6 => (any::<usize>(), outcome()).prop_map(|(which, outcome)| Step::End(which, outcome)),
        3 => (1usize..12, outcome()).prop_map(|(count, outcome)| Step::Rush(count, outcome)),
        3 => prop_oneof![0i64..2_000, 0i64..12_000, 0i64..400_000].prop_map(Step::Pass),
        5 => (-1i64..=1).prop_map(Step::PassTheOpenTime),
        1 => a_jump().prop_map(Step::SetWall),
        1 => Just(Step::OtherWindow),
    ];
    prop::collection::vec(step, 1..40)
}

// ---- the model

/// It opens or closes.
struct Change {
    at: Time,
    /// For how long it opens, and for how long without the random part.
    opens: Option<(i64, i64)>,
}

struct Sent {
    at: Time,
    /// How many changes there had been.
    changes: usize,
    probe: bool,
    given_back: bool,
    ended: bool,
    ticket: Ticket,
}

/// An attempt that counts.
struct Attempt {
    slot: i64,
    failed: bool,
    /// How much of it has not faded yet.
    weight: f64,
}

/// What fades is not a whole number.
const ROUNDED: f64 = 1e-9;

#[derive(Default)]
struct Log {
    changes: Vec<Change>,
    sent: Vec<Sent>,
    attempts: Vec<Attempt>,
    /// The window that was last used, and when it was looked at.
    window: i64,
    looked: Vec<i64>,
}

impl Log {
    fn open(&self) -> Option<(&Change, i64, i64)> {
        let last = self.changes.last()?;
        let (real, nominal) = last.opens?;
        Some((last, real, nominal))
    }

    fn left(&self, now: Time) -> i64 {
        self.open().map_or(0, |(change, real, _)| now.left(change.at, real).max(0))
    }

    fn state(&self, now: Time) -> State {
        match self.open() {
            None => State::Closed,
            Some(_) if self.left(now) > 0 => State::Open,
            Some(_) => State::HalfOpen,
        }
    }

    /// As far as anybody has seen: it is half-open once a probe has gone.
    fn entered(&self) -> State {
        match self.open() {
            None => State::Closed,
            Some(_) if self.since().any(|sent| sent.probe) => State::HalfOpen,
            Some(_) => State::Open,
        }
    }

    /// Calls that were sent since the last change.
    fn since(&self) -> impl Iterator<Item = &Sent> {
        self.sent.iter().filter(|sent| sent.changes == self.changes.len())
    }

    fn admission(&self, now: Time) -> Admission {
        let left = self.left(now);
        // It has opened once since it was closed.
        let first = self.changes.iter().rev().take_while(|change| change.opens.is_some()).count() == 1;
        let probing = self.since().any(|sent| sent.probe && !sent.given_back && sent.at.mono + LEASE > now.mono);
        match self.state(now) {
            State::Closed => Admission::Free,
            State::Open if first && left <= PATIENCE => Admission::Wait(left as f64),
            State::Open => Admission::Refused(left as f64),
            State::HalfOpen if probing => Admission::Refused(self.open().map_or(0, |(.., nominal)| nominal) as f64),
            State::HalfOpen => Admission::Free,
        }
    }

    /// The latest of the window's slots. A clock that is set back a little does not move the window; one that is set
    /// back by all of it begins anew.
    fn slot(&self) -> i64 {
        let slots = self.looked.iter().map(|wall| wall.div_euclid(self.window / SLOTS));
        slots.reduce(|latest, slot| if slot <= latest - SLOTS { slot } else { latest.max(slot) }).unwrap_or_default()
    }

    fn look(&mut self, now: Time, window: i64) {
        if self.window != window {
            self.window = window;
            self.looked.clear();
            self.attempts.clear();
        }
        let before = self.slot();
        self.looked.push(now.wall);
        if self.slot() < before {
            self.attempts.clear();
        }
    }

    /// Attempts of the window, and how many of them failed.
    fn counts(&self, latest: i64) -> (f64, f64) {
        let counted = self.attempts.iter().filter(|attempt| attempt.slot > latest - SLOTS);
        let failed = counted.clone().filter(|attempt| attempt.failed);
        (counted.map(|attempt| attempt.weight).sum(), failed.map(|attempt| attempt.weight).sum())
    }

    fn change(&mut self, now: Time, opens: Option<(i64, i64)>) {
        self.changes.push(Change { at: now, opens });
        // It counts from the beginning.
        self.attempts.clear();
    }

    fn ended(&mut self, now: Time, which: usize, outcome: Outcome, setting: Setting) {
        let sent = &mut self.sent[which];
        sent.ended = true;
        // A call that began before the last change changes nothing.
        if sent.changes != self.changes.len() {
            return;
        }
        if sent.probe {
            let base = setting.open;
            let nominal = self.open().map_or(0, |(.., nominal)| nominal);
            match outcome {
                Outcome::Success | Outcome::Declined => self.change(now, None),
                Outcome::Failure { slow } => {
                    let next = if slow { (nominal * 2).min(LONGEST_OPEN.max(base)) } else { base };
                    self.change(now, Some((setting.spread(next), next)));
                }
                Outcome::Neutral => self.sent[which].given_back = true,
            }
            return;
        }
        let failed = match outcome {
            Outcome::Success => false,
            Outcome::Failure { .. } => true,
            Outcome::Declined | Outcome::Neutral => return,
        };
        self.look(now, setting.window);
        let slot = self.slot();
        // The others make room for this one.
        let room = setting.latest.max(2 * setting.minimum_calls) as f64 - 1.0;
        let fading = (room / self.counts(slot).0).min(1.0);
        self.attempts.iter_mut().for_each(|attempt| attempt.weight *= fading);
        self.attempts.push(Attempt { slot, failed, weight: 1.0 });
        let (calls, failures) = self.counts(slot);
        if failed
            && calls >= setting.minimum_calls as f64
            && failures + ROUNDED >= setting.failures_percent as f64 / 100.0 * calls
        {
            self.change(now, Some((setting.spread(setting.open), setting.open)));
        }
    }
}

// ---- both side by side

#[derive(Default)]
struct Page {
    kept: Kept,
    window: Kept,
    log: Log,
}

impl Page {
    fn circuit(&self, now: Time) -> Circuit {
        self.kept.load(now.instant()).unwrap_or_default()
    }

    fn window(&self, now: Time) -> Window {
        self.window.load(now.instant()).unwrap_or_default()
    }

    fn agree(&self, now: Time) {
        let circuit = self.circuit(now);
        assert_eq!(circuit.look(now.instant()), self.log.admission(now), "at {now:?}");
        assert_eq!((circuit.state(now.instant()), circuit.entered()), (self.log.state(now), self.log.entered()));
        assert_eq!(circuit.reopens_in(now.instant()), self.log.left(now) as f64);
        // What `telemetry()` shows is not kept.
        let mut log = Log { window: self.log.window, looked: self.log.looked.clone(), ..Log::default() };
        let mut counts = (0.0, 0.0);
        if self.log.window > 0 {
            let before = log.slot();
            log.look(now, log.window);
            if log.slot() >= before {
                counts = self.log.counts(log.slot());
            }
        }
        let (calls, failures) = self.window(now).counts(now.instant());
        assert!(
            (calls - counts.0).abs() < ROUNDED && (failures - counts.1).abs() < ROUNDED,
            "{calls} {failures} {counts:?}"
        );
    }

    /// The place of a call that sends.
    fn call(&mut self, now: Time) -> Option<usize> {
        let mut circuit = self.circuit(now);
        if circuit.look(now.instant()) != Admission::Free {
            return None;
        }
        let ticket = circuit.enter(now.instant());
        self.kept.save(&circuit);
        let probe = self.log.state(now) == State::HalfOpen;
        assert_eq!(ticket.is_probe(), probe);
        let changes = self.log.changes.len();
        self.log.sent.push(Sent { at: now, changes, probe, given_back: false, ended: false, ticket });
        Some(self.log.sent.len() - 1)
    }

    fn end(&mut self, now: Time, which: usize, outcome: Outcome, setting: Setting) {
        let mut circuit = self.circuit(now);
        let before = circuit.clone();
        let sent = &self.log.sent[which];
        let mut window = self.window(now);
        circuit.ended(now.instant(), sent.ticket, outcome, &setting.rules(), &mut window, &|| setting.unit());
        self.kept.save(&circuit);
        if window != Window::default() {
            self.window.save(&window);
        }
        if sent.changes != self.log.changes.len() {
            assert_eq!(circuit, before, "it began before the circuit opened");
        }
        self.log.ended(now, which, outcome, setting);
    }
}

/// What must hold for whoever sent, whatever the model says.
fn hold(log: &Log) {
    for (at, change) in log.changes.iter().enumerate() {
        let Some((real, nominal)) = change.opens else { continue };
        assert!(nominal <= LONGEST_OPEN.max(100_000) && real <= nominal);
        let sent: Vec<_> = log.sent.iter().filter(|sent| sent.changes == at + 1).collect();
        for sent in &sent {
            assert!(sent.at.left(change.at, real) <= 0, "nobody enters while it is open");
            assert!(sent.probe, "and then only a probe");
        }
        for pair in sent.windows(2) {
            assert!(pair[0].given_back || pair[1].at.mono >= pair[0].at.mono + LEASE, "one probe a lease");
        }
    }
}

proptest! {
    #![proptest_config(sequences())]

    #[test]
    fn a_circuit_does_what_its_model_says(steps in steps(), mut setting in settings()) {
        let mut now = Time::BEGIN;
        let mut page = Page::default();
        for step in steps {
            match step {
                Step::Calls(count) => (0..count).for_each(|_| {
                    page.call(now);
                }),
                Step::End(which, outcome) => {
                    let under_way: Vec<_> = (0..page.log.sent.len()).filter(|at| !page.log.sent[*at].ended).collect();
                    if !under_way.is_empty() {
                        page.end(now, under_way[which % under_way.len()], outcome, setting);
                    }
                }
                Step::Rush(count, outcome) => (0..count).for_each(|_| {
                    if let Some(which) = page.call(now) {
                        page.end(now, which, outcome, setting);
                    }
                }),
                Step::Pass(ms) => now.pass(ms),
                Step::PassTheOpenTime(off) => {
                    if page.log.left(now) > 0 {
                        now.pass(page.log.left(now) + off);
                    }
                }
                Step::SetWall(ms) => now.wall += ms,
                Step::OtherWindow => setting.window = if setting.window == 5_000 { 300_000 } else { 5_000 },
            }
            page.agree(now);
        }
        hold(&page.log);
    }

    #[test]
    fn an_open_time_varies_by_a_fifth_and_is_never_above_36_s(slow in 0usize..8, unit in 0.0..1.0) {
        let mut now = Time::BEGIN;
        let mut circuit = Circuit::default();
        let (rules, mut window) = (Rules::default(), Window::default());
        let mut fail = |circuit: &mut Circuit, now: Time| {
            let ticket = circuit.enter(now.instant());
            let outcome = Outcome::Failure { slow: true };
            circuit.ended(now.instant(), ticket, outcome, &rules, &mut window, &|| unit);
        };
        for _ in 0..4 {
            fail(&mut circuit, now);
        }
        let mut nominal = 2_200.0;
        for _ in 0..slow {
            let left = circuit.reopens_in(now.instant());
            prop_assert!(left >= (nominal * 0.8f64).floor() && left <= (nominal * 1.2f64).ceil(), "{}", left);
            now.pass(left.ceil() as i64);
            fail(&mut circuit, now);
            nominal = (nominal * 2.0).min(30_000.0);
        }
        prop_assert!(circuit.reopens_in(now.instant()) <= 36_000.0);
    }
}
