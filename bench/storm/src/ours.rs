//! steadfetch itself: [`steadfetch::flow`], as it is shipped, on simulated pages. This file alone knows how a call is run.

use crate::server::Reply;
use crate::sim::{Call, Client, Sim};
use crate::what_if::WhatIf;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use steadfetch::account::Attempt;
use steadfetch::flow::{self, End};
use steadfetch::host::{Host, News, Ready, Said, Sent, Situation, Wait, Woken};
use steadfetch::policy::clock::Instant;
use steadfetch::policy::entry::{Entry, Shelf};
use steadfetch::policy::judge::Facts;
use steadfetch::policy::plan::Plan;

/// What a page shares, number by number; empty where there is no entry. A page asks one origin for one thing, so there is one
/// entry of each sort.
type Page = RefCell<[Vec<f64>; 4]>;

/// Pages that call one of the two functions.
pub struct Steadfetch {
    plan: Rc<Plan>,
    what_if: Rc<WhatIf>,
    pages: Rc<[Page]>,
}

impl Steadfetch {
    /// As shipped, but for what is to be tried.
    pub fn new(plan: Plan, pages: usize, what_if: WhatIf) -> Steadfetch {
        let pages = (0..pages).map(|_| Page::default()).collect();
        Steadfetch { plan: Rc::new(what_if.plan(plan)), what_if: Rc::new(what_if), pages }
    }
}

impl Client for Steadfetch {
    fn call(&self, sim: &Rc<Sim>, page: usize) -> Call {
        let plan = Rc::clone(&self.plan);
        let host = SimulatedHost {
            sim: Rc::clone(sim),
            pages: Rc::clone(&self.pages),
            what_if: Rc::clone(&self.what_if),
            page,
            read: plan.read,
            sent: Cell::new(0),
        };
        Box::pin(async move {
            let (end, _) = flow::run(&host, &plan).await;
            matches!(end, End::Answer(Reply::Good))
        })
    }
}

struct SimulatedHost {
    sim: Rc<Sim>,
    pages: Rc<[Page]>,
    what_if: Rc<WhatIf>,
    page: usize,
    read: bool,
    sent: Cell<u32>,
}

/// Pages have been there for a while when the simulation begins.
const MONO_MS: f64 = 1_000_000.0;
const WALL_MS: f64 = 1_700_000_000_000.0;

fn slot(shelf: Shelf) -> usize {
    match shelf {
        Shelf::Gates => 0,
        Shelf::Budgets => 1,
        Shelf::Circuits => 2,
        Shelf::Windows => 3,
    }
}

impl Host for SimulatedHost {
    type Answer = Reply;
    type Error = ();

    fn now(&self) -> Instant {
        let now_ms = self.sim.now_ms();
        Instant { mono: MONO_MS + now_ms, wall: WALL_MS + now_ms, asleep: 0.0 }
    }

    fn unit(&self) -> f64 {
        self.sim.random.unit()
    }

    fn aborted(&self) -> bool {
        false
    }

    async fn prepare(&self, sent: u32, _left_ms: f64) -> Ready<()> {
        self.sent.set(sent);
        Ready::Go { read: self.read, stacked: false }
    }

    async fn send(&self, limit_ms: f64) -> Sent<Reply, ()> {
        match self.sim.send(self.page, self.sent.get() > 0, limit_ms).await {
            None => Sent::TimedOut,
            Some(Reply::Lost) => Sent::Failed(()),
            Some(reply) => Sent::Answered(reply),
        }
    }

    async fn sleep(&self, ms: f64) -> Woken {
        self.sim.sleep(ms).await;
        Woken::Rested
    }

    fn facts(&self, answer: &Reply) -> Facts {
        match *answer {
            Reply::Refused(status, hint_ms) => Facts { status: Some(status), hint_ms, ..Facts::default() },
            Reply::Good | Reply::Lost => Facts { status: Some(200), ..Facts::default() },
        }
    }

    fn stopped(&self, (): &()) -> bool {
        false
    }

    async fn digest_expired(&self, _: &Reply, _limit_ms: f64) -> bool {
        false
    }

    async fn peek(&self, _: &Reply, _limit_ms: f64) -> Said {
        Said::default()
    }

    fn should_retry(&self, _: &Situation) -> Option<bool> {
        None
    }

    fn on_retry(&self, _: &Situation, _: Wait) {}

    fn discard(&self, _: Reply) {}

    fn attempted(&self, _: &Attempt) {}

    fn median_ms(&self) -> Option<f64> {
        None
    }

    fn load(&self, now: Instant, entry: &mut dyn Entry) -> bool {
        let shelves = self.pages[self.page].borrow();
        let numbers = &shelves[slot(entry.shelf())];
        if numbers.is_empty() {
            return self.what_if.missing(now, entry);
        }
        if !self.what_if.read(now, numbers, entry) {
            drop(shelves);
            self.forget(entry.shelf());
            return false;
        }
        assert!(entry.is_sane(now), "what this library wrote is sane");
        true
    }

    fn save(&self, entry: &mut dyn Entry) {
        let shelves = &mut self.pages[self.page].borrow_mut();
        let kept = &mut shelves[slot(entry.shelf())];
        self.what_if.keep(self.now(), entry, kept, &|| self.unit());
    }

    fn forget(&self, shelf: Shelf) {
        self.pages[self.page].borrow_mut()[slot(shelf)].clear();
    }

    fn announce(&self, _: News) {}

    fn heard(&self) -> f64 {
        0.0
    }

    fn tell_tabs(&self, _left_ms: f64) {}

    fn offline(&self) -> bool {
        false
    }

    fn came_online(&self) -> u32 {
        0
    }
}
