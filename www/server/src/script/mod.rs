//! What a test may ask for, as JSON. Everything is checked when it is put, and a mistake is answered with the name of
//! the field: a script that is silently half understood would make a test pass for the wrong reason.

mod chunks;
mod field;
mod playhead;
mod query;
mod random;
mod step;

use std::collections::BTreeMap;

use serde::Deserialize;

use self::random::Random;
pub use self::{
    chunks::{Chunks, cut},
    field::{HeaderLines, Ms},
    playhead::{Pick, Playhead},
    step::{Moment, Page, Redirect, Step},
};
use crate::{
    cors::CorsChoice,
    model::ModelSettings,
    request::Head,
    sharepoint::{self, ListSeed, SiteSettings},
};

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Script {
    /// Asked in order; the first that matches and still has a step answers.
    rules: Vec<Rule>,
    /// Short for one last rule that matches everything.
    steps: Vec<Step>,
    then: Then,
    /// Asked when no rule has a step.
    random: Option<Random>,
    pub cors: CorsChoice,
    /// On every answer of the scope.
    pub headers: HeaderLines,
    pub lists: BTreeMap<String, ListSeed>,
    pub sharepoint: SiteSettings,
    pub model: ModelSettings,
    pub log: LogSettings,
    /// Connections are closed after each answer unless this is set.
    pub keep_alive: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
struct Rule {
    #[serde(rename = "match")]
    filter: Filter,
    per: Per,
    steps: Vec<Step>,
    then: Then,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
struct Filter {
    /// Without it every method but a preflight's.
    method: Option<String>,
    /// A part of the decoded path and query. Without it every address but the pages that redirects lead to.
    path: Option<String>,
}

/// Whose requests walk through the steps together.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Per {
    #[default]
    Scope,
    /// Requests of the same method, path and query: the attempts of one call.
    Call,
}

/// What follows the last step.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Then {
    #[default]
    Normal,
    Repeat,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct LogSettings {
    /// Requests kept, and bytes kept of the body of each.
    #[serde(deserialize_with = "field::up_to::<{ LogSettings::MAX_ENTRIES }, _>")]
    pub limit: usize,
    #[serde(deserialize_with = "field::up_to::<{ LogSettings::MAX_BODY_BYTES }, _>")]
    pub body_bytes: usize,
}

impl LogSettings {
    const MAX_ENTRIES: usize = 50_000;
    const MAX_BODY_BYTES: usize = 1024 * 1024;
}

impl Default for LogSettings {
    fn default() -> Self {
        Self { limit: 20_000, body_bytes: 4096 }
    }
}

impl Script {
    /// `Err` is a sentence that names the field.
    pub fn parse(json: &[u8]) -> Result<Self, String> {
        if json.is_empty() {
            return Ok(Self::default());
        }
        let mut deserializer = serde_json::Deserializer::from_slice(json);
        let mut script: Self = serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
            match error.path().to_string().as_str() {
                "." => format!("The script: {}.", error.inner()),
                field => format!("The script's field `{field}`: {}.", error.inner()),
            }
        })?;
        deserializer.end().map_err(|error| format!("The script: {error}."))?;
        script.rules.push(Rule { steps: std::mem::take(&mut script.steps), then: script.then, ..Rule::default() });
        Ok(script)
    }
}

impl Rule {
    /// The step at a place in the sequence, each counted as often as its `times`.
    fn step_at(&self, mut place: u32) -> Option<(usize, &Step)> {
        for (index, step) in self.steps.iter().enumerate() {
            match place.checked_sub(step.times.get()) {
                None => return Some((index, step)),
                Some(left) => place = left,
            }
        }
        match self.then {
            Then::Normal => None,
            Then::Repeat => Some((self.steps.len().checked_sub(1)?, self.steps.last()?)),
        }
    }
}

impl Filter {
    fn admits(&self, head: &Head) -> bool {
        let method = match &self.method {
            Some(method) => method.eq_ignore_ascii_case(head.method.as_str()),
            None => !head.is_preflight(),
        };
        method
            && match &self.path {
                Some(part) => head.target().contains(part),
                None => sharepoint::page_at(&head.path).is_none(),
            }
    }
}

#[cfg(test)]
mod tests {
    use super::Script;

    #[test]
    fn a_mistake_is_answered_with_the_name_of_its_field() {
        for (json, named) in [
            (r#"{"stepz":[]}"#, "stepz"),
            (r#"{"steps":[{"status":999}]}"#, "steps[0].status"),
            (r#"{"steps":[{"status":"429"}]}"#, "steps[0].status"),
            (r#"{"steps":[{},{"delayMs":-1}]}"#, "steps[1].delayMs"),
            (r#"{"steps":[{"delayMs":999999999999}]}"#, "steps[0].delayMs"),
            (r#"{"steps":[{"drop":"sometimes"}]}"#, "steps[0].drop"),
            (r#"{"steps":[{"headers":{"bad name":"x"}}]}"#, "bad name"),
            (r#"{"steps":[{"chunks":0}]}"#, "steps[0].chunks"),
            (r#"{"steps":[{"times":0}]}"#, "steps[0].times"),
            (r#"{"steps":[{"cors":{"exposed":[]}}]}"#, "steps[0].cors"),
            (r#"{"rules":[{"match":{"verb":"GET"}}]}"#, "rules[0].match"),
            (r#"{"random":{"share":1.5}}"#, "random.share"),
            (r#"{"lists":{"Orders":"many"}}"#, "lists.Orders"),
            (r#"{"log":{"limit":50001}}"#, "log.limit"),
            (r#"{"steps":[]} more"#, "trailing"),
            ("not json", "The script"),
        ] {
            let sentence = Script::parse(json.as_bytes()).unwrap_err();
            assert!(sentence.contains(named), "{json}: {sentence}");
        }
    }

    #[test]
    fn the_scripts_of_the_readme_are_scripts() {
        let readme = include_str!("../../README.md");
        let blocks: Vec<_> = readme.split("```json\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
        assert_eq!(blocks.len(), 2);
        for block in blocks {
            assert_eq!(Script::parse(block.as_bytes()).err(), None, "{block}");
        }
    }

    #[test]
    fn nothing_is_a_script_that_lets_everything_be_normal() {
        for json in ["", "{}"] {
            assert!(Script::parse(json.as_bytes()).is_ok(), "{json:?}");
        }
    }
}
