//! The caller's options on their way into the plan. What an option may be stands in `options.js`, which checked them;
//! here the numbers among them cross at once. A deserialiser would weigh 15 KB.

use super::js::{self, Call};
use crate::policy::plan::{Kind, NUMBERS, Plan};

/// The place of `minAttemptMs` among the numbers.
const MIN_ATTEMPT_MS: usize = 5;

/// What `traits` of options.js says of a call, bit by bit.
pub struct Traits(u32);

impl Traits {
    /// Of this call.
    pub fn of(call: &Call) -> Traits {
        Traits(js::traits(call))
    }

    fn has(&self, bit: u32) -> bool {
        self.0 & bit != 0
    }

    /// The method is GET or HEAD.
    pub fn reads(&self) -> bool {
        self.has(1)
    }

    /// There is a function that gives a form digest, and a write to send it with.
    pub fn has_digest(&self) -> bool {
        self.has(16)
    }
}

/// A plan with what the caller said.
pub fn plan(kind: Kind, call: &Call, traits: &Traits) -> Plan {
    let mut plan = Plan::new(kind, traits.reads());
    let mut said = [f64::NAN; NUMBERS];
    if traits.has(64) {
        js::wishes(call, &mut said);
    }
    for (number, said) in plan.numbers().into_iter().zip(said) {
        if !said.is_nan() {
            *number = said;
        }
    }
    plan.min_attempt_is_callers = said.get(MIN_ATTEMPT_MS).is_some_and(|said| !said.is_nan());
    plan.replayable = !traits.has(2);
    plan.keyed = traits.has(4);
    plan.key_is_callers = traits.has(8);
    if traits.has(32)
        && let Some(statuses) = js::statuses_of(call)
    {
        plan.statuses = statuses;
    }
    plan
}
