//! Where a script stands: which step the next request gets.

use std::collections::HashMap;

use super::{Per, Script, Step, query, random::Met};
use crate::request::Head;

#[derive(Default)]
pub struct Playhead {
    /// Requests so far, per rule and, where the rule says so, per call.
    rules: HashMap<(usize, String), u32>,
    queries: HashMap<String, u32>,
    random: HashMap<String, Met>,
}

/// The step for one request, and the place in the script it came from.
#[derive(Default)]
pub struct Pick {
    pub step: Step,
    pub by: Option<String>,
}

impl Playhead {
    /// The request's own query first, then the rules, then chance. `Err` is a sentence about the query.
    pub fn next(&mut self, script: &Script, head: &Head) -> Result<Pick, String> {
        if let Some(step) = self.asked_by_query(head)? {
            return Ok(Pick { step, by: Some("query".to_owned()) });
        }
        for (index, rule) in script.rules.iter().enumerate() {
            if !rule.filter.admits(head) {
                continue;
            }
            let whose = match rule.per {
                Per::Scope => String::new(),
                Per::Call => head.call_key(),
            };
            let place = self.rules.entry((index, whose)).or_default();
            if let Some((step_index, step)) = rule.step_at(*place) {
                *place = place.saturating_add(1);
                return Ok(Pick { step: step.clone(), by: Some(format!("rules[{index}].steps[{step_index}]")) });
            }
        }
        let random = script.random.as_ref().filter(|random| random.filter.admits(head));
        let drawn = random.and_then(|random| {
            let call = head.call_key();
            random.draw(&call, self.random.entry(call.clone()).or_default())
        });
        Ok(match drawn {
            Some((index, step)) => Pick { step: step.clone(), by: Some(format!("random.faults[{index}]")) },
            None => Pick::default(),
        })
    }

    /// Scripted by query for as many requests as its `times` says; without `times` for all of them.
    fn asked_by_query(&mut self, head: &Head) -> Result<Option<Step>, String> {
        if head.is_preflight() {
            return Ok(None);
        }
        let Some(step) = query::step(head)? else {
            return Ok(None);
        };
        let seen = self.queries.entry(head.call_key()).or_default();
        let in_time = head.parameter("times").is_none() || *seen < step.times.get();
        *seen = seen.saturating_add(1);
        Ok(in_time.then_some(step))
    }
}
