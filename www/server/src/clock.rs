//! Time as the scripts see it: scripted milliseconds shrink by the time scale, logged ones are real.

use std::time::Duration;

use tokio::time::Instant;

pub struct Clock {
    start: Instant,
    scale: f64,
}

impl Clock {
    pub fn new(scale: f64) -> Self {
        Self { start: Instant::now(), scale }
    }

    /// Milliseconds since the server started, to the microsecond.
    pub fn now_ms(&self) -> f64 {
        self.start.elapsed().as_micros() as f64 / 1000.0
    }

    pub fn scaled(&self, ms: u64) -> Duration {
        Duration::from_millis(ms).div_f64(self.scale)
    }
}

#[cfg(test)]
mod tests {
    use super::Clock;
    use std::time::Duration;

    #[test]
    fn scripted_time_is_divided_by_the_scale() {
        assert_eq!(Clock::new(100.0).scaled(230_000), Duration::from_millis(2300));
        assert_eq!(Clock::new(1.0).scaled(300), Duration::from_millis(300));
    }
}
