//! The caller's options on their way into the plan. What an option may be stands in `options.js`, which checked them;
//! here they are read one number after the other. A deserialiser would weigh 15 KB.

use super::js::{self, Options};
use crate::policy::plan::{Kind, Plan};

/// The places of `totalMs` and `minAttemptMs` among the numbers.
const TOTAL_MS: u32 = 1;
const MIN_ATTEMPT_MS: u32 = 5;

/// A plan with what the caller said.
pub fn plan(kind: Kind, read: bool, options: &Options) -> Plan {
    let mut plan = Plan::new(kind, read);
    let mut index = 0;
    plan.each(&mut |number| {
        let said = js::wish(options, index);
        if !said.is_nan() {
            *number = said;
        }
        index += 1;
    });
    plan.total_is_callers = !js::wish(options, TOTAL_MS).is_nan();
    plan.min_attempt_is_callers = !js::wish(options, MIN_ATTEMPT_MS).is_nan();
    if let Some(statuses) = options.retry_statuses() {
        plan.statuses = statuses;
    }
    plan
}
