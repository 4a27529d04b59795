//! The caller's options as the plan's wishes. What an option may be stands in `options.js`, which checked them; here
//! they are read by typed getters. A deserialiser would weigh 15 KB.

use super::js::Options;
use crate::policy::plan::Wishes;

/// What the caller wishes.
pub fn wishes(options: &Options) -> Wishes {
    Wishes {
        max_retries: options.max_retries(),
        total_ms: options.total_ms(),
        attempt_ms: options.attempt_ms(),
        statuses: options.retry_statuses(),
        base_ms: options.base_ms(),
        cap_ms: options.cap_ms(),
        min_attempt_ms: options.min_attempt_ms(),
        slow_after_ms: options.slow_after_ms(),
    }
}
