//! The one server that all pages ask. It works requests off in their order and holds a short queue; what does not fit is
//! refused, which may cost work, too. What it can do changes from phase to phase.

use crate::random::Random;

/// What the server is able to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum State {
    /// Works off so many requests a second, and refuses what its queue does not hold.
    Works(f64),
    /// The same, but this share of requests fails by chance, before it costs anything.
    Flaky(f64, f64),
    /// Refuses every request.
    Down,
    /// Gives no answer to any request: the network fails.
    Gone,
    /// Refuses every request and asks to wait for the end of this phase, in whole seconds.
    Throttles,
    /// Refuses so many requests, then takes each at once.
    Balks(u32),
}

/// From this time on it is in this state.
pub type Phase = (f64, State);

/// How it refuses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Refusal {
    /// 429 or 503.
    pub status: u16,
    /// The wait that it states.
    pub hint_ms: Option<f64>,
    /// The work of one, in requests.
    pub cost: f64,
}

/// What comes back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reply {
    /// 200.
    Good,
    /// Refused, with the wait that was stated.
    Refused(u16, Option<f64>),
    /// No answer.
    Lost,
}

/// The queue holds the work of so much time.
const QUEUE_MS: f64 = 500.0;
/// The way there and back, with the work itself.
const ANSWER_MS: f64 = 100.0;
/// The way there and back.
const REFUSAL_MS: f64 = 20.0;
/// A connection that fails.
const LOST_MS: f64 = 60.0;

/// The server.
#[derive(Debug)]
pub struct Server {
    phases: Vec<Phase>,
    refusal: Refusal,
    phase: usize,
    taken: u32,
    /// Work in the queue, in requests, and when that was so.
    queued: f64,
    seen_ms: f64,
    random: Random,
}

impl Server {
    /// The first phase begins at 0.
    pub fn new(phases: &[Phase], refusal: Refusal, random: Random) -> Server {
        Server { phases: phases.to_vec(), refusal, phase: 0, taken: 0, queued: 0.0, seen_ms: 0.0, random }
    }

    /// A request comes in: what comes back, and after how long. Requests come in the order of their times.
    pub fn take(&mut self, now_ms: f64) -> (Reply, f64) {
        self.work_until(now_ms);
        self.taken += 1;
        let refused = Reply::Refused(self.refusal.status, self.refusal.hint_ms);
        match self.phases[self.phase].1 {
            State::Flaky(_, share) if self.random.unit() < share => (refused, REFUSAL_MS),
            State::Works(per_second) | State::Flaky(per_second, _) => {
                let capacity = per_second * QUEUE_MS / 1_000.0;
                if self.queued + 1.0 > capacity {
                    // A server that is busy refusing has a queue of refusals, but no longer than that of requests.
                    self.queued = (self.queued + self.refusal.cost).min(capacity);
                    return (refused, REFUSAL_MS);
                }
                self.queued += 1.0;
                (Reply::Good, ANSWER_MS + self.queued / per_second * 1_000.0)
            }
            State::Balks(first) if self.taken > first => (Reply::Good, ANSWER_MS),
            State::Down | State::Balks(_) => (refused, REFUSAL_MS),
            State::Gone => (Reply::Lost, LOST_MS),
            State::Throttles => {
                let ends_ms = self.phases.get(self.phase + 1).map_or(now_ms, |(from_ms, _)| *from_ms);
                let wait_ms = ((ends_ms - now_ms) / 1_000.0).ceil() * 1_000.0;
                (Reply::Refused(self.refusal.status, Some(wait_ms)), REFUSAL_MS)
            }
        }
    }

    fn work_until(&mut self, now_ms: f64) {
        while let Some((from_ms, _)) = self.phases.get(self.phase + 1)
            && *from_ms <= now_ms
        {
            let from_ms = *from_ms;
            self.work(from_ms);
            self.phase += 1;
        }
        self.work(now_ms);
    }

    fn work(&mut self, until_ms: f64) {
        if let State::Works(per_second) | State::Flaky(per_second, _) = self.phases[self.phase].1 {
            self.queued = (self.queued - (until_ms - self.seen_ms) / 1_000.0 * per_second).max(0.0);
        }
        self.seen_ms = until_ms;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FREE: Refusal = Refusal { status: 503, hint_ms: None, cost: 0.0 };

    #[test]
    fn a_queue_for_one_serves_one_at_a_time() {
        // One request takes 500 ms, and the queue holds 500 ms.
        let mut server = Server::new(&[(0.0, State::Works(2.0))], FREE, Random::new(1, 0));
        assert_eq!(server.take(0.0), (Reply::Good, 600.0));
        assert_eq!(server.take(499.0), (Reply::Refused(503, None), 20.0));
        assert_eq!(server.take(500.0), (Reply::Good, 600.0));
    }

    #[test]
    fn the_mean_wait_is_that_of_the_textbook() {
        // M/D/1 at 80 %: a request waits for rho / (2 (1 - rho)) = 2 times its own work, and then takes its own.
        let mut server = Server::new(&[(0.0, State::Works(1_000.0))], FREE, Random::new(1, 0));
        let random = Random::new(1, 0);
        let (mut now_ms, mut sum_ms, n) = (0.0, 0.0, 1_000_000);
        for _ in 0..n {
            now_ms += random.until_next(1.25);
            let (reply, ms) = server.take(now_ms);
            assert_eq!(reply, Reply::Good);
            sum_ms += ms - ANSWER_MS;
        }
        let mean_ms = sum_ms / f64::from(n);
        assert!((mean_ms - 3.0).abs() < 0.05, "{mean_ms}");
    }

    #[test]
    fn refusals_that_cost_a_tenth_take_the_place_of_requests() {
        // Four times as many as it can do: a + (4 - a) / 10 = 1, so a = 0.6 / 0.9.
        let refusal = Refusal { cost: 0.1, ..FREE };
        let mut server = Server::new(&[(0.0, State::Works(1_000.0))], refusal, Random::new(1, 0));
        let good = (0..400_000).filter(|n| server.take(f64::from(*n) * 0.25).0 == Reply::Good).count();
        let share = good as f64 / 100_000.0;
        assert!((share - 0.6 / 0.9).abs() < 0.01, "{share}");
    }

    #[test]
    fn phases_follow_each_other_and_a_throttling_one_names_its_end() {
        let phases =
            [(0.0, State::Works(1_000.0)), (1_000.0, State::Throttles), (6_500.0, State::Gone), (7_000.0, State::Down)];
        let mut server = Server::new(&phases, FREE, Random::new(1, 0));
        assert_eq!(server.take(999.0).0, Reply::Good);
        assert_eq!(server.take(1_000.0).0, Reply::Refused(503, Some(6_000.0)));
        assert_eq!(server.take(6_499.0).0, Reply::Refused(503, Some(1_000.0)));
        assert_eq!(server.take(6_500.0).0, Reply::Lost);
        assert_eq!(server.take(7_000.0).0, Reply::Refused(503, None));
    }
}
