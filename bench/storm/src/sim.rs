//! The virtual world: a clock that jumps from one event to the next, and the calls that wait for it. Calls are futures,
//! as they are in a browser; each of them waits for one thing at a time.

use crate::measure::Measure;
use crate::random::Random;
use crate::server::{Reply, Server};
use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// What a call of some page does until its end: whether it came to a good answer.
pub type Call = Pin<Box<dyn Future<Output = bool>>>;

/// Where calls come from.
pub trait Client {
    /// The page calls.
    fn call(&self, sim: &Rc<Sim>, page: usize) -> Call;
}

/// The bits of a time that is not negative are in the order of the times; events of the same time are in the order in
/// which they were made.
type Alarm = Reverse<(u64, u64, Event)>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Arrival(usize),
    Wake(usize),
}

/// The clock, the server and the counts.
pub struct Sim {
    now_ms: Cell<f64>,
    serial: Cell<u64>,
    /// The call that is running.
    running: Cell<usize>,
    alarms: RefCell<BinaryHeap<Alarm>>,
    server: RefCell<Server>,
    measure: RefCell<Measure>,
    /// For what policies make up.
    pub random: Random,
}

impl Sim {
    /// Milliseconds since the beginning.
    pub fn now_ms(&self) -> f64 {
        self.now_ms.get()
    }

    /// Waits.
    pub fn sleep(&self, ms: f64) -> Sleep<'_> {
        Sleep { sim: self, until_ms: self.now_ms() + ms.max(0.0), set: false }
    }

    /// Sends a request and waits for what comes back. `None` when that would take longer than `limit_ms`.
    pub async fn send(&self, page: usize, repeat: bool, limit_ms: f64) -> Option<Reply> {
        let now_ms = self.now_ms();
        self.measure.borrow_mut().sends(now_ms, page, repeat);
        let (reply, ms) = self.server.borrow_mut().take(now_ms);
        self.sleep(ms.min(limit_ms)).await;
        (ms <= limit_ms).then_some(reply)
    }

    fn set(&self, at_ms: f64, event: Event) {
        let serial = self.serial.get();
        self.serial.set(serial + 1);
        self.alarms.borrow_mut().push(Reverse((at_ms.to_bits(), serial, event)));
    }

    fn next(&self) -> Option<Event> {
        let Reverse((at, _, event)) = self.alarms.borrow_mut().pop()?;
        self.now_ms.set(f64::from_bits(at));
        Some(event)
    }
}

/// A wait under way.
pub struct Sleep<'a> {
    sim: &'a Sim,
    until_ms: f64,
    set: bool,
}

impl Future for Sleep<'_> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if self.set {
            // A call is woken by nothing but its own alarm.
            return Poll::Ready(());
        }
        self.set = true;
        self.sim.set(self.until_ms, Event::Wake(self.sim.running.get()));
        Poll::Pending
    }
}

/// When the calls of one page come.
pub trait Traffic {
    /// Milliseconds to the next call of this page, from its last one (or from the beginning). `None` when none follows.
    fn next(&self, page: usize, now_ms: f64) -> Option<f64>;
}

/// Runs all calls to their ends.
pub fn run(server: Server, measure: Measure, seed: u64, traffic: &dyn Traffic, client: &dyn Client) -> Measure {
    let pages = measure.pages.len();
    let sim = Rc::new(Sim {
        now_ms: Cell::new(0.0),
        serial: Cell::new(0),
        running: Cell::new(0),
        alarms: RefCell::default(),
        server: RefCell::new(server),
        measure: RefCell::new(measure),
        random: Random::new(seed, 1),
    });
    for page in 0..pages {
        if let Some(ms) = traffic.next(page, 0.0) {
            sim.set(ms, Event::Arrival(page));
        }
    }
    let mut calls: Vec<Option<(f64, Call)>> = Vec::new();
    let mut free: Vec<usize> = Vec::new();
    while let Some(event) = sim.next() {
        let slot = match event {
            Event::Wake(slot) => slot,
            Event::Arrival(page) => {
                if let Some(ms) = traffic.next(page, sim.now_ms()) {
                    sim.set(sim.now_ms() + ms, Event::Arrival(page));
                }
                sim.measure.borrow_mut().begins(sim.now_ms());
                let call = Some((sim.now_ms(), client.call(&sim, page)));
                match free.pop() {
                    Some(slot) => {
                        calls[slot] = call;
                        slot
                    }
                    None => {
                        calls.push(call);
                        calls.len() - 1
                    }
                }
            }
        };
        sim.running.set(slot);
        let Some((began_ms, call)) = &mut calls[slot] else { unreachable!("an alarm for a call that has ended") };
        if let Poll::Ready(good) = call.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            sim.measure.borrow_mut().ends(*began_ms, sim.now_ms(), good);
            calls[slot] = None;
            free.push(slot);
        }
    }
    assert!(calls.iter().all(Option::is_none), "a call waits for something that never comes");
    sim.measure.take()
}
