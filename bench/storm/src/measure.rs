//! What is counted while the pages run, in steps of 100 ms, and the figures that are made of it.

use std::ops::Range;

/// The length of a step.
pub const STEP_MS: f64 = 100.0;
/// The seconds after which a success is as good as none are not told apart.
const LONGEST_S: usize = 300;

/// The counts of one run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measure {
    /// Requests at the server, by the step in which they came.
    pub attempts: Vec<u32>,
    /// Calls, by the step in which they began.
    pub begun: Vec<u32>,
    /// Those of them that ended with a good answer.
    pub good: Vec<u32>,
    /// Good answers handed over, by the step in which that was.
    pub answers: Vec<u32>,
    /// Calls that ended, whatever the end.
    pub ended: u64,
    /// First sends and repeats, page by page.
    pub pages: Vec<[u32; 2]>,
    /// Good answers, by the second that they took, for calls that began in the time looked at.
    seconds: Vec<u32>,
    looked_at: Range<usize>,
}

fn step(ms: f64) -> usize {
    (ms / STEP_MS) as usize
}

fn add(steps: &mut Vec<u32>, ms: f64) {
    let step = step(ms);
    if steps.len() <= step {
        steps.resize(step + 1, 0);
    }
    steps[step] += 1;
}

fn sum(steps: &[u32], range: &Range<usize>) -> f64 {
    range.clone().filter_map(|step| steps.get(step)).map(|n| f64::from(*n)).sum()
}

/// `ms` as steps.
pub fn steps(ms: &Range<f64>) -> Range<usize> {
    step(ms.start)..step(ms.end)
}

impl Measure {
    /// Durations are kept for calls that begin in `looked_at`.
    pub fn new(pages: usize, looked_at: &Range<f64>) -> Measure {
        Measure {
            pages: vec![[0; 2]; pages],
            seconds: vec![0; LONGEST_S],
            looked_at: steps(looked_at),
            ..Measure::default()
        }
    }

    /// A call begins.
    pub fn begins(&mut self, now_ms: f64) {
        add(&mut self.begun, now_ms);
    }

    /// A request reaches the server.
    pub fn sends(&mut self, now_ms: f64, page: usize, repeat: bool) {
        add(&mut self.attempts, now_ms);
        self.pages[page][usize::from(repeat)] += 1;
    }

    /// A call that began at `began_ms` ends.
    pub fn ends(&mut self, began_ms: f64, now_ms: f64, good: bool) {
        self.ended += 1;
        if good {
            add(&mut self.good, began_ms);
            add(&mut self.answers, now_ms);
            if self.looked_at.contains(&step(began_ms)) {
                self.seconds[(((now_ms - began_ms) / 1_000.0) as usize).min(LONGEST_S - 1)] += 1;
            }
        }
    }

    /// Calls that began.
    pub fn calls(&self) -> u64 {
        self.begun.iter().map(|n| u64::from(*n)).sum()
    }

    /// Requests at the server per call that began.
    pub fn amplification(&self, time: &Range<f64>) -> f64 {
        sum(&self.attempts, &steps(time)) / sum(&self.begun, &steps(time))
    }

    /// The share of the calls begun in that time that ended well.
    pub fn success(&self, time: &Range<f64>) -> f64 {
        sum(&self.good, &steps(time)) / sum(&self.begun, &steps(time))
    }

    /// Good answers handed over in that time.
    pub fn answers(&self, time: &Range<f64>) -> f64 {
        sum(&self.answers, &steps(time))
    }

    /// Seconds until so many good answers were there.
    pub fn until_s(&self, answers: u32) -> f64 {
        let mut so_far = 0;
        let steps = self.answers.iter().take_while(|count| {
            so_far += **count;
            so_far < answers
        });
        (steps.count() + 1) as f64 * STEP_MS / 1_000.0
    }

    /// The most requests per step against their mean.
    pub fn peak(&self, time: &Range<f64>) -> f64 {
        let range = steps(time);
        let most = range.clone().filter_map(|step| self.attempts.get(step)).max().copied().unwrap_or(0);
        f64::from(most) * range.len() as f64 / sum(&self.attempts, &range)
    }

    /// Seconds from `time.start` until 99 % of the calls of every following second end well; `None` if that is not
    /// before `time.end`.
    pub fn back_after_s(&self, time: &Range<f64>) -> Option<f64> {
        let (range, second) = (steps(time), step(1_000.0));
        let bad = (range.start..range.end - second).rev().find(|from| {
            let window = *from..from + second;
            sum(&self.good, &window) < 0.99 * sum(&self.begun, &window)
        });
        match bad {
            None => Some(0.0),
            Some(bad) if bad + second >= range.end - 1 => None,
            // The first step of the first second that is good, and stays so.
            Some(bad) => Some((bad + 1 - range.start) as f64 * STEP_MS / 1_000.0),
        }
    }

    /// Within so many whole seconds this share of the good answers was there: who waits for a minute has not been helped.
    /// `None` where there was no good answer.
    pub fn took_s(&self, share: f64) -> Option<f64> {
        let all: f64 = self.seconds.iter().map(|n| f64::from(*n)).sum();
        let mut so_far = 0.0;
        let mut within = self.seconds.iter().enumerate();
        let found = within.find(|(_, n)| {
            so_far += f64::from(**n);
            so_far >= share * all
        });
        found.filter(|_| all > 0.0).map(|(second, _)| second as f64 + 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one_call_each_step(steps: usize, bad: Range<usize>) -> Measure {
        let mut measure = Measure::new(1, &(0.0..1.0));
        for step in 0..steps {
            let now_ms = step as f64 * STEP_MS;
            measure.begins(now_ms);
            measure.ends(now_ms, now_ms + 50.0, !bad.contains(&step));
        }
        measure
    }

    #[test]
    fn it_is_back_with_the_first_second_that_is_good_and_stays_so() {
        let time = 1_000.0..10_000.0;
        assert_eq!(one_call_each_step(100, 0..10).back_after_s(&time), Some(0.0));
        assert_eq!(one_call_each_step(100, 0..25).back_after_s(&time), Some(1.5));
        assert_eq!(one_call_each_step(100, 0..100).back_after_s(&time), None);
        assert_eq!(one_call_each_step(100, 50..51).back_after_s(&time), Some(4.1));
    }

    #[test]
    fn a_peak_is_measured_against_the_mean_of_the_same_time() {
        let mut measure = Measure::new(1, &(0.0..1.0));
        for now_ms in [0.0, 10.0, 20.0, 150.0, 250.0, 350.0] {
            measure.sends(now_ms, 0, false);
        }
        assert_eq!(measure.peak(&(0.0..400.0)), 2.0);
    }
}
