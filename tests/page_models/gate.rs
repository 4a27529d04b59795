//! The cool-down gate.

use super::{Kept, Time, a_jump, sequences};
use proptest::prelude::*;
use steadfetch::policy::cool_down::{Gate, Passage, Passed};

const LONGEST: i64 = 120_000;
const AGAIN: i64 = 1_000;
const LEASE: i64 = 10_000;
const LOOK: i64 = 100;
const RAMP_STEP: f64 = 100.0;
const RAMP_STEPS: f64 = 10.0;
const CALM: i64 = 30_000;

#[derive(Clone, Copy, Debug, PartialEq)]
enum How {
    Throttled(Option<i64>),
    Answered,
    Unanswered,
}

#[derive(Clone, Copy, Debug)]
enum Step {
    /// So many calls come, and each of them sends if it may.
    Calls(usize),
    /// One of the calls under way ends.
    End(usize, How),
    /// Another tab says that the gate is closed.
    Heard(i64),
    Pass(i64),
    /// Until the next call may send, or a little before or after.
    PassTheWait(i64),
    SetWall(i64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let wait = || prop_oneof![1i64..3_000, 1i64..300_000, Just(LONGEST), Just(0)];
    let how = prop_oneof![
        3 => wait().prop_map(|ms| How::Throttled(Some(ms))),
        1 => Just(How::Throttled(None)),
        6 => Just(How::Answered),
        3 => Just(How::Unanswered),
    ];
    let step = prop_oneof![
        6 => prop_oneof![4 => 1usize..4, 1 => 4usize..40].prop_map(Step::Calls),
        6 => (any::<usize>(), how).prop_map(|(which, how)| Step::End(which, how)),
        1 => wait().prop_map(Step::Heard),
        4 => prop_oneof![0i64..250, 0i64..12_000, 0i64..130_000].prop_map(Step::Pass),
        4 => (-1i64..=1).prop_map(Step::PassTheWait),
        1 => a_jump().prop_map(Step::SetWall),
    ];
    prop::collection::vec(step, 1..50)
}

// ---- the model

struct Closing {
    at: Time,
    /// With what was put on top of it.
    ms: i64,
    /// The length of a step of the slow ramp that follows; none where the server has not shown that the usual one is too fast.
    slow: Option<f64>,
}

impl Closing {
    fn step(&self) -> f64 {
        self.slow.map_or(RAMP_STEP, |slow| slow.max(RAMP_STEP))
    }
}

/// A call that was sent.
struct Sent {
    at: Time,
    /// How many closings there had been; 0 where no gate was to be passed.
    closings: usize,
    scout: bool,
    /// When and how it ended, and how many closings there had been by then.
    ended: Option<(Time, How, usize)>,
    /// What the machine gave it.
    number: f64,
}

#[derive(Default)]
struct Log {
    closings: Vec<Closing>,
    /// So many closings are forgotten.
    forgotten: usize,
    sent: Vec<Sent>,
}

#[derive(Debug, PartialEq)]
enum Turn {
    /// There is no gate, or nobody needs it.
    Gone,
    Free,
    Wait(f64),
}

impl Log {
    fn closing(&self) -> Option<&Closing> {
        self.closings[self.forgotten..].last()
    }

    fn left(&self, now: Time) -> i64 {
        self.closing().map_or(0, |closing| now.left(closing.at, closing.ms))
    }

    /// Calls that were sent since the gate was last closed.
    fn since(&self) -> impl Iterator<Item = &Sent> {
        self.sent.iter().filter(|sent| sent.closings == self.closings.len())
    }

    /// When others may follow from: a scout is answered, and not while a clock that was set back has the gate closed
    /// again. Scouts that were sent before the gate was closed for the last time do not count.
    fn ramp_from(&self, closings: usize) -> Option<i64> {
        let closing = self.closings.get(closings.checked_sub(1)?)?;
        let opened = |sent: &Sent| match sent.ended {
            Some((at, How::Answered, then)) if then == closings && at.left(closing.at, closing.ms) <= 0 => {
                Some(at.mono)
            }
            _ => None,
        };
        self.sent.iter().filter(|sent| sent.scout && sent.closings == closings).filter_map(opened).min()
    }

    fn turn(&self, now: Time) -> Turn {
        let Some(closing) = self.closing() else { return Turn::Gone };
        if self.left(now) > 0 {
            return Turn::Wait(self.left(now) as f64);
        }
        let Some(from) = self.ramp_from(self.closings.len()) else {
            let holds = |sent: &&Sent| sent.scout && !matches!(sent.ended, Some((_, How::Unanswered, _)));
            let leased = self.since().filter(holds).map(|sent| sent.at.mono + LEASE - now.mono).max();
            return leased.filter(|left| *left > 0).map_or(Turn::Free, |left| Turn::Wait(left.min(LOOK) as f64));
        };
        if now.mono - from >= CALM {
            return Turn::Gone;
        }
        let step = |mono: i64| ((mono - from) as f64 / closing.step()).floor();
        let this = step(now.mono);
        if this >= RAMP_STEPS {
            return Turn::Free;
        }
        // On a slow ramp, as many as have gone in this step leave so much of it to those who come.
        let used = self.since().filter(|sent| !sent.scout && step(sent.at.mono) == this).count() as f64;
        let full = used / (this + 1.0).exp2();
        let next = from as f64 + (this + if closing.slow.is_some() { full } else { full.floor() }) * closing.step();
        if next <= now.mono as f64 { Turn::Free } else { Turn::Wait(next - now.mono as f64) }
    }

    /// Whether the gate closes for longer.
    fn throttled(&mut self, now: Time, wait: Option<i64>, unit: f64) -> bool {
        if self.turn(now) == Turn::Gone {
            self.forgotten = self.closings.len();
        }
        let left = self.left(now);
        let before = self.closing();
        let opened = before.is_some() && left <= 0;
        let again = opened && self.since().any(|sent| sent.scout);
        let pace = before.map_or(RAMP_STEP, Closing::step);
        let free = |from| (now.mono - from) as f64 / pace >= RAMP_STEPS;
        let ms = match wait.filter(|ms| *ms > 0) {
            Some(ms) => ms.min(LONGEST),
            None if opened && !self.ramp_from(self.closings.len()).is_some_and(free) => AGAIN,
            None => return false,
        };
        if ms <= left.max(0) {
            return false;
        }
        let slowest = (ms as f64 * 0.3).min(3_000.0);
        let slow = match again {
            true => Some((slowest / 3.0).max(2.0 * pace).min(slowest)),
            false => before.and_then(|before| before.slow),
        };
        let more = if slow.is_some() { (unit * slowest) as i64 } else { 0 };
        self.closings.push(Closing { at: now, ms: (ms + more).min(LONGEST), slow });
        true
    }
}

// ---- both side by side

#[derive(Default)]
struct Page {
    kept: Kept,
    log: Log,
}

impl Page {
    fn agree(&self, now: Time) {
        let found = match self.kept.load::<Gate>(now.instant()) {
            None => Turn::Gone,
            Some(gate) => {
                assert!(gate.closed.left(now.instant()) <= LONGEST as f64);
                match gate.look(now.instant()) {
                    Passage::Gone => Turn::Gone,
                    Passage::Free => Turn::Free,
                    Passage::Wait(ms) => Turn::Wait(ms),
                }
            }
        };
        assert_eq!(found, self.log.turn(now), "at {now:?}");
    }

    fn call(&mut self, now: Time) {
        let mut number = 0.0;
        let turn = self.log.turn(now);
        match turn {
            Turn::Wait(_) => return,
            Turn::Gone => {
                self.kept = Kept::default();
                self.log.forgotten = self.log.closings.len();
            }
            Turn::Free => {
                let mut gate: Gate = self.kept.load(now.instant()).unwrap();
                number = gate.enter(now.instant());
                self.kept.save(&gate);
            }
        }
        let scout = turn == Turn::Free && self.log.ramp_from(self.log.closings.len()).is_none();
        assert_eq!(number > 0.0, scout);
        let closings = if turn == Turn::Free { self.log.closings.len() } else { 0 };
        self.log.sent.push(Sent { at: now, closings, scout, ended: None, number });
    }

    fn end(&mut self, now: Time, which: usize, how: How, unit: f64) {
        let under_way: Vec<_> = self.log.sent.iter_mut().filter(|sent| sent.ended.is_none()).collect();
        let count = under_way.len();
        let Some(sent) = under_way.into_iter().nth(which % count.max(1)) else { return };
        sent.ended = Some((now, how, self.log.closings.len()));
        let number = sent.number;
        self.tell(now, number, how, unit);
    }

    fn tell(&mut self, now: Time, number: f64, how: How, unit: f64) {
        let closes = matches!(how, How::Throttled(wait) if self.log.throttled(now, wait, unit));
        let gate = self.kept.load::<Gate>(now.instant()).filter(|gate| gate.look(now.instant()) != Passage::Gone);
        let Some(mut gate) = gate.or_else(|| matches!(how, How::Throttled(Some(1..))).then(Gate::default)) else {
            return;
        };
        let how = match how {
            How::Throttled(wait) => Passed::Throttled(wait.map(|ms| ms as f64)),
            How::Answered => Passed::Answered,
            How::Unanswered => Passed::Unanswered,
        };
        assert_eq!(gate.ended(now.instant(), number, how, unit), closes, "{how:?} at {now:?}");
        self.kept.save(&gate);
    }
}

/// What must hold for whoever sent, whatever the model says.
fn hold(log: &Log) {
    assert!(log.closings.iter().all(|closing| closing.ms <= LONGEST));
    for (at, closing) in log.closings.iter().enumerate() {
        let sent: Vec<_> = log.sent.iter().filter(|sent| sent.closings == at + 1).collect();
        let scouts: Vec<_> = sent.iter().filter(|sent| sent.scout).collect();
        for sent in &sent {
            assert!(sent.at.left(closing.at, closing.ms) <= 0, "nobody enters while it is closed");
        }
        for pair in scouts.windows(2) {
            let given_back = matches!(pair[0].ended, Some((_, How::Unanswered, _)));
            assert!(given_back || pair[1].at.mono >= pair[0].at.mono + LEASE, "one scout at a time");
        }
        // Nobody follows before a scout is answered; then at most 2, 4, 8 … in each step, on a slow ramp none before its own
        // part of it.
        let from = log.ramp_from(at + 1);
        let mut steps = [0.0; RAMP_STEPS as usize];
        for follower in sent.iter().filter(|sent| !sent.scout) {
            let along = (follower.at.mono - from.expect("a scout was answered")) as f64 / closing.step();
            let (step, places) = (along.floor(), (along.floor() + 1.0).exp2());
            let Some(gone) = steps.get_mut(step as usize) else { continue };
            let in_turn = closing.slow.is_none() || along - step + 1e-9 >= *gone / places;
            assert!(*gone < places && in_turn, "{gone} have gone at {along}");
            *gone += 1.0;
        }
    }
}

proptest! {
    #![proptest_config(sequences())]

    #[test]
    fn a_gate_does_what_its_model_says(steps in steps(), unit in prop_oneof![Just(0.0), Just(0.999), 0.0..1.0]) {
        let mut now = Time::BEGIN;
        let mut page = Page::default();
        for step in steps {
            match step {
                Step::Calls(count) => (0..count).for_each(|_| page.call(now)),
                Step::End(which, how) => page.end(now, which, how, unit),
                Step::Heard(ms) => page.tell(now, 0.0, How::Throttled(Some(ms)), unit),
                Step::Pass(ms) => now.pass(ms),
                Step::PassTheWait(off) => {
                    if let Turn::Wait(ms) = page.log.turn(now) {
                        now.pass(ms.ceil() as i64 + off);
                    }
                }
                Step::SetWall(ms) => now.wall += ms,
            }
            page.agree(now);
        }
        hold(&page.log);
    }
}
