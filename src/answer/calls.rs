//! The arguments of tool calls. Nobody is told to run a tool whose arguments were cut: they must be JSON from end to end.

use super::json::{self, Value};
use super::text::Text;

/// More calls at once than providers allow; arguments beyond are not vouched for.
const MAX_OPEN: usize = 128;

/// The calls of one answer.
#[derive(Clone, Debug, Default)]
pub(super) struct Calls {
    asked: bool,
    /// Arguments that came as text, by the number of their call.
    arguments: Vec<(u64, Text)>,
    overflown: bool,
}

impl Calls {
    /// The model asks for a call.
    pub fn ask(&mut self) {
        self.asked = true;
    }

    /// At least one call was asked for.
    pub fn any(&self) -> bool {
        self.asked
    }

    /// Forgets all: the final word on the calls follows.
    pub fn clear(&mut self) {
        *self = Calls::default();
    }

    /// Arguments of a call, all of them or the next piece: text that holds JSON. JSON itself is whole already.
    pub fn argue(&mut self, call: u64, piece: Value<'_>) {
        if let Some((_, text)) = self.arguments.iter_mut().find(|(open, _)| *open == call) {
            piece.append_to(text);
        } else if self.arguments.len() < MAX_OPEN {
            let mut text = Text::default();
            piece.append_to(&mut text);
            self.arguments.push((call, text));
        } else {
            self.overflown = true;
        }
    }

    /// Nothing is cut or broken. None at all is as good as `{}`; some servers give several calls one number.
    pub fn are_whole(&self) -> bool {
        !self.overflown && self.arguments.iter().all(|(_, text)| json::all_well_formed(text.as_str().as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn whole(pieces: &[(u64, &str)]) -> bool {
        let mut calls = Calls::default();
        for (call, piece) in pieces {
            calls.argue(*call, json::first(piece.as_bytes()).unwrap().0);
        }
        calls.are_whole()
    }

    #[test]
    fn arguments_are_whole_when_every_call_has_all_of_its_json() {
        assert!(whole(&[]));
        assert!(whole(&[(0, r#""""#)]));
        assert!(whole(&[(0, r#"{"city":"Lyon"}"#)]));
        assert!(whole(&[(0, r#""{\"ci""#), (1, r#""{}""#), (0, r#""ty\":1}""#)]));
        assert!(whole(&[(0, r#""{}""#), (0, r#""{\"a\":1}""#)]));
        assert!(!whole(&[(0, r#""{\"ci""#)]));
        assert!(!whole(&[(0, r#""{\"ci""#), (1, r#""ty\":1}""#)]));
        assert!(!whole(&[(0, r#""{}}""#)]));
    }

    #[test]
    fn calls_beyond_any_sense_are_not_vouched_for() {
        let calls = |count| (0..count).map(|call| (call, r#""{}""#)).collect::<Vec<_>>();
        assert!(whole(&calls(128)));
        assert!(!whole(&calls(129)));
    }
}
