//! One step of a script: how one request is answered, or not.

use std::num::NonZeroU32;

use serde::Deserialize;
use serde_json::Value;

use super::{
    chunks::Chunks,
    field::{HeaderLines, Ms, Status},
};
use crate::{connection::Cut, cors::CorsChoice};

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Step {
    pub status: Option<Status>,
    pub headers: HeaderLines,
    /// A text as it stands, anything else as JSON. Without it a scripted status gets the back end's own error body.
    pub body: Option<Value>,
    /// An HTML page in place.
    pub page: Option<Page>,
    pub redirect: Option<Redirect>,
    pub chunks: Option<Chunks>,
    pub chunk_every_ms: Ms,
    /// Before the headers.
    pub delay_ms: Ms,
    /// Before the headers, until the test releases it.
    pub hold: bool,
    /// Before each piece of the body but the first, until the test releases it.
    pub hold_chunks: bool,
    /// Whether the back end does its work (creates the item, asks the model).
    pub apply: Option<bool>,
    /// The back end does its work this much later, whatever became of the answer.
    pub apply_after_ms: Option<Ms>,
    pub stall: Option<Moment>,
    pub drop: Option<DropAt>,
    pub cors: Option<CorsChoice>,
    /// How many requests this step serves.
    pub times: NonZeroU32,
}

impl Default for Step {
    fn default() -> Self {
        Self {
            status: None,
            headers: HeaderLines::default(),
            body: None,
            page: None,
            redirect: None,
            chunks: None,
            chunk_every_ms: Ms::default(),
            delay_ms: Ms::default(),
            hold: false,
            hold_chunks: false,
            apply: None,
            apply_after_ms: None,
            stall: None,
            drop: None,
            cors: None,
            times: NonZeroU32::MIN,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Moment {
    BeforeHeaders,
    AfterHeaders,
    /// After all of the given pieces; after half of a body that was given or made whole.
    MidBody,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Page {
    Login,
    Throttle,
    /// No page in particular, as a proxy or a gateway would put in the way.
    Html,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "String")]
pub enum Redirect {
    Login,
    /// The login page of another origin that lets no page read it, as an expired session meets it.
    LoginElsewhere,
    Throttle,
    To(String),
}

impl From<String> for Redirect {
    fn from(text: String) -> Self {
        match text.as_str() {
            "login" => Self::Login,
            "login-elsewhere" => Self::LoginElsewhere,
            "throttle" => Self::Throttle,
            _ => Self::To(text),
        }
    }
}

/// `before-headers`, `mid-headers`, `after-headers`, `mid-body`: an orderly end; with `rst-` before it a TCP reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct DropAt {
    pub moment: Moment,
    pub cut: Cut,
}

impl TryFrom<String> for DropAt {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let (reset, place) = match text.strip_prefix("rst-") {
            Some(place) => (true, place),
            None => (false, text.as_str()),
        };
        let moment = match place {
            "before-headers" | "mid-headers" => Moment::BeforeHeaders,
            "after-headers" => Moment::AfterHeaders,
            "mid-body" => Moment::MidBody,
            _ => {
                return Err(format!(
                    "`{text}` is none of before-headers, mid-headers, after-headers and mid-body, with or without rst-"
                ));
            }
        };
        Ok(Self { moment, cut: Cut { reset, half_a_header: place == "mid-headers" } })
    }
}

impl Step {
    /// The headers never come.
    pub fn is_silent(&self) -> bool {
        self.stall == Some(Moment::BeforeHeaders) || self.drop.is_some_and(|drop| drop.moment == Moment::BeforeHeaders)
    }

    /// The answer is the script's own; otherwise the step only shapes how the normal one travels.
    pub fn has_own_answer(&self) -> bool {
        self.status.is_some()
            || self.body.is_some()
            || self.page.is_some()
            || self.redirect.is_some()
            || self.chunks_are_the_body()
    }

    pub fn chunks_are_the_body(&self) -> bool {
        matches!(self.chunks, Some(Chunks::Pieces(_)))
    }

    /// A refusal has no effect unless the script says so; a normal answer has its normal effect.
    pub fn applies(&self) -> bool {
        let by_default = !self.is_silent() && !self.has_own_answer();
        self.apply_after_ms.is_none() && self.apply.unwrap_or(by_default)
    }
}

#[cfg(test)]
mod tests {
    use super::Step;

    #[test]
    fn only_what_leaves_the_normal_answer_alone_applies_by_itself() {
        for (json, applies) in [
            ("{}", true),
            (r#"{"delayMs":5,"chunks":3,"headers":{"a":"b"}}"#, true),
            (r#"{"drop":"mid-body"}"#, true),
            (r#"{"status":429}"#, false),
            (r#"{"status":504,"apply":true}"#, true),
            (r#"{"drop":"rst-before-headers"}"#, false),
            (r#"{"drop":"mid-headers","apply":true}"#, true),
            (r#"{"stall":"before-headers"}"#, false),
            (r#"{"page":"login"}"#, false),
            (r#"{"chunks":["data: x\n\n"]}"#, false),
            (r#"{"applyAfterMs":5,"apply":true}"#, false),
        ] {
            let step: Step = serde_json::from_str(json).unwrap();
            assert_eq!(step.applies(), applies, "{json}");
        }
    }
}
