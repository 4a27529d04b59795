//! Counts the bytes that were looked at, so that the tests can tell linear work from quadratic. Costs nothing outside
//! of them.

#[cfg(test)]
thread_local! {
    static STEPS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Counts.
#[cfg(not(test))]
pub(super) fn count(_: usize) {}

/// Counts.
#[cfg(test)]
pub(super) fn count(bytes: usize) {
    STEPS.set(STEPS.get() + bytes);
}

/// What was counted since the last time.
#[cfg(test)]
#[allow(dead_code)]
pub(super) fn taken() -> usize {
    STEPS.take()
}
