//! One timer for everything that waits on this page, and with it the heartbeat: a timer that comes late tells that the
//! page or the machine stood still, even where both clocks went on. It runs only while something waits. What the page
//! itself says of being frozen is heard by one listener for its whole life, so a call costs one timer and nothing else.

use super::{clock, js};
use crate::policy::clock::{Instant, LONGEST_TIMER_MS, Until};
use gloo_timers::callback::Timeout;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::task::{Context, Waker};

const FIRST_BEAT_MS: f64 = 1_000.0;
const BEAT_MS: f64 = 5_000.0;
/// A beat that comes later than this was held up by more than a busy page.
const LATE_MS: f64 = 2_000.0;

/// Rings once; whoever waits is woken.
#[derive(Default)]
pub struct Bell {
    rung: Cell<bool>,
    waker: RefCell<Option<Waker>>,
}

impl Bell {
    /// Wakes whoever waits, now or later.
    pub fn ring(&self) {
        self.rung.set(true);
        // Taken out first: waking may run code that comes back here.
        let waker = self.waker.borrow_mut().take();
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Whether it has rung; if not, it will wake this task.
    pub fn heard(&self, context: &Context<'_>) -> bool {
        if !self.rung.get() {
            let waker = context.waker().clone();
            *self.waker.borrow_mut() = Some(waker);
        }
        self.rung.get()
    }
}

/// A time that is waited for, until this is dropped.
pub struct Alarm {
    number: u32,
    beats: bool,
    /// Rings when the time has come.
    pub bell: Rc<Bell>,
}

/// What an alarm is to do.
pub struct Setting {
    /// Rings in so many milliseconds; may be infinite.
    pub ms: f64,
    /// Time asleep counts, too.
    pub by_wall: bool,
    /// Something is under way meanwhile, and it matters whether the page stood still.
    pub beats: bool,
}

#[derive(Default)]
struct Watch {
    alarms: Vec<Option<(Until, Rc<Bell>)>>,
    free: Vec<u32>,
    timer: Option<Timeout>,
    /// When the timer fires, on the monotonic clock.
    fires_at: f64,
    /// How many alarms want the heartbeat, and when it is due.
    beating: u32,
    beat_at: f64,
    asleep_ms: f64,
}

thread_local! {
    static WATCH: RefCell<Watch> = RefCell::default();
}

/// Sets an alarm.
pub fn alarm(setting: Setting) -> Alarm {
    let Setting { ms, by_wall, beats } = setting;
    let now = now();
    // More than a timer can count is no limit.
    let until = Until::after(now, if ms > LONGEST_TIMER_MS { f64::INFINITY } else { ms });
    let until = Until { wall: if by_wall { until.wall } else { f64::INFINITY }, ..until };
    let bell = Rc::new(Bell::default());
    WATCH.with_borrow_mut(|watch| {
        // Anew each time: a page's tests may have replaced the timers, and ours went with them.
        let mut fires_at = until.mono;
        if watch.timer.is_some() {
            fires_at = fires_at.min(watch.fires_at);
        }
        if beats {
            if watch.beating == 0 {
                watch.beat_at = now.mono + FIRST_BEAT_MS;
                js::watch_page();
            }
            watch.beating += 1;
            fires_at = fires_at.min(watch.beat_at);
        }
        watch.set(now.mono, fires_at);
        Alarm { number: watch.add((until, bell.clone())), beats, bell }
    })
}

impl Drop for Alarm {
    fn drop(&mut self) {
        WATCH.with_borrow_mut(|watch| {
            if self.beats {
                if watch.beating == 1 {
                    // A beat that is late by now would not be missed any more.
                    watch.asleep(js::monotonic_now());
                }
                watch.beating -= 1;
            }
            watch.remove(self.number);
        });
    }
}

/// Both clocks, and what the heartbeat knows.
pub fn now() -> Instant {
    let now = clock::both();
    WATCH.with_borrow_mut(|watch| Instant { asleep: watch.asleep(now.mono), ..now })
}

impl Watch {
    fn add(&mut self, alarm: (Until, Rc<Bell>)) -> u32 {
        let number = self.free.pop().unwrap_or_else(|| {
            self.alarms.push(None);
            self.alarms.len() as u32 - 1
        });
        if let Some(place) = self.alarms.get_mut(number as usize) {
            *place = Some(alarm);
        }
        number
    }

    fn remove(&mut self, number: u32) {
        if let Some(place) = self.alarms.get_mut(number as usize) {
            *place = None;
        }
        self.free.push(number);
        if self.free.len() == self.alarms.len() {
            self.stop();
        }
    }

    /// How long the page has stood still so far.
    fn asleep(&mut self, mono: f64) -> f64 {
        if self.beating > 0 {
            let late = mono - self.beat_at;
            let told = js::take_suspension();
            let slept = if late > LATE_MS { late.max(told) } else { told };
            if slept > 0.0 {
                self.asleep_ms += slept;
                self.beat_at = mono + BEAT_MS;
            }
        }
        self.asleep_ms
    }

    fn stop(&mut self) {
        if let Some(timer) = self.timer.take()
            && js::timers_replaced()
        {
            // It cannot be cleared, so it will fire, and what it calls must be there still.
            timer.forget();
        }
    }

    fn set(&mut self, mono: f64, fires_at: f64) {
        self.stop();
        js::note_timers();
        let ms = (fires_at - mono).max(0.0).ceil();
        self.fires_at = fires_at;
        self.timer = ms.is_finite().then(|| Timeout::new(ms as u32, move || fire(fires_at)));
    }
}

fn fire(due: f64) {
    let now = now();
    let mut rung = Vec::new();
    WATCH.with_borrow_mut(|watch| {
        // A timer that could not be cleared, because a page's tests had taken the timers along.
        if watch.fires_at != due {
            return;
        }
        // A timer may be early by a fraction, and a clock may stand still, as a page's own tests may have it.
        let now = Instant { mono: now.mono.max(due), ..now };
        let mut next = f64::INFINITY;
        if watch.beating > 0 {
            if now.mono >= watch.beat_at {
                watch.beat_at = now.mono + BEAT_MS;
            }
            next = watch.beat_at;
        }
        for (until, bell) in watch.alarms.iter_mut().flatten() {
            let left = until.left(now);
            if left <= 0.0 {
                rung.push(bell.clone());
                // It rings once.
                *until = Until { mono: f64::INFINITY, wall: f64::INFINITY };
            } else {
                next = next.min(now.mono + left);
            }
        }
        watch.set(now.mono, next);
    });
    for bell in rung {
        bell.ring();
    }
}
