//! The caller's options as the plan's wishes. What an option may be stands in `options.js`, which checked them; here
//! they are read one number after the other. A deserialiser would weigh 15 KB.

use super::js::{self, Options};
use crate::policy::plan::{BudgetWishes, CircuitWishes, CoolDown, Wishes};

/// What the caller wishes.
pub fn wishes(options: &Options) -> Wishes {
    let mut index = 0;
    // In the order of `NUMBERS` in options.js.
    let mut next = || {
        let number = js::wish(options, index);
        index += 1;
        (!number.is_nan()).then_some(number)
    };
    Wishes {
        max_retries: next().map(|retries| retries as u32),
        total_ms: next(),
        attempt_ms: next(),
        statuses: options.retry_statuses(),
        base_ms: next(),
        cap_ms: next(),
        min_attempt_ms: next(),
        slow_after_ms: next(),
        cool_down: match next() {
            Some(0.0) => CoolDown::Off,
            Some(_) => CoolDown::Tabs,
            None => CoolDown::Page,
        },
        budget: BudgetWishes {
            off: next().is_some(),
            ratio: next(),
            per_minute: next(),
            capacity: next(),
            transient: next(),
            throttled: next(),
        },
        circuit: CircuitWishes {
            off: next().is_some(),
            failure_rate: next(),
            minimum_calls: next(),
            window_ms: next(),
            open_ms: next(),
        },
    }
}
