//! The reasons that providers give for the end of an answer, and what each one means. The names of all providers stand
//! in one table: none of them means one thing here and another there.

use super::fault::ErrorKind;

/// What a finish reason says, the weakest first: where two were given, the stronger one counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Verdict {
    /// The model had said all it wanted.
    Complete,
    /// The model waits for the results of its calls.
    ToolCalls,
    /// A limit of length.
    Truncated,
    /// The model or a filter would not.
    Refused,
    /// It went wrong.
    Failed(ErrorKind),
}

/// Reasons in any case. A name that is missing here is no failure: new ones appear, and the raw name is handed on.
const REASONS: [(&str, Verdict); 43] = [
    ("length", Verdict::Truncated),
    ("max_tokens", Verdict::Truncated),
    ("max_output_tokens", Verdict::Truncated),
    ("max_completion_tokens", Verdict::Truncated),
    ("max_length", Verdict::Truncated),
    ("model_length", Verdict::Truncated),
    ("token_limit", Verdict::Truncated),
    ("time_limit", Verdict::Truncated),
    ("error_limit", Verdict::Truncated),
    ("incomplete", Verdict::Truncated),
    ("context_length_exceeded", Verdict::Truncated),
    ("model_context_window_exceeded", Verdict::Truncated),
    ("content_filter", Verdict::Refused),
    ("content-filter", Verdict::Refused),
    ("content_filtered", Verdict::Refused),
    ("guardrail_intervened", Verdict::Refused),
    ("refusal", Verdict::Refused),
    ("sensitive", Verdict::Refused),
    ("error_toxic", Verdict::Refused),
    // Gemini's.
    ("safety", Verdict::Refused),
    ("recitation", Verdict::Refused),
    ("blocklist", Verdict::Refused),
    ("prohibited_content", Verdict::Refused),
    ("spii", Verdict::Refused),
    ("model_armor", Verdict::Refused),
    ("language", Verdict::Refused),
    ("image_safety", Verdict::Refused),
    ("other", Verdict::Refused),
    ("tool_calls", Verdict::ToolCalls),
    ("tool-calls", Verdict::ToolCalls),
    ("tool_call", Verdict::ToolCalls),
    ("function_call", Verdict::ToolCalls),
    ("tool_use", Verdict::ToolCalls),
    ("pause_turn", Verdict::ToolCalls),
    ("error", Verdict::Failed(ErrorKind::Server)),
    ("network_error", Verdict::Failed(ErrorKind::Server)),
    ("insufficient_system_resource", Verdict::Failed(ErrorKind::Overloaded)),
    ("cancelled", Verdict::Failed(ErrorKind::Cancelled)),
    ("abort", Verdict::Failed(ErrorKind::Cancelled)),
    ("malformed_function_call", Verdict::Failed(ErrorKind::BadOutput)),
    ("unexpected_tool_call", Verdict::Failed(ErrorKind::BadOutput)),
    ("malformed_model_output", Verdict::Failed(ErrorKind::BadOutput)),
    ("malformed_tool_use", Verdict::Failed(ErrorKind::BadOutput)),
];

/// Says nothing: proto's default value.
const UNSPECIFIED: &str = "finish_reason_unspecified";

/// What a reason means; `None` if it is none.
pub(super) fn verdict(reason: &str) -> Option<Verdict> {
    if reason.is_empty() || reason.eq_ignore_ascii_case(UNSPECIFIED) {
        return None;
    }
    let known = REASONS.iter().find(|(name, _)| reason.eq_ignore_ascii_case(name));
    Some(known.map_or(Verdict::Complete, |(_, verdict)| *verdict))
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn names_are_known_in_any_case_and_new_ones_do_no_harm() {
        for (reason, wanted) in [
            ("stop", Some(Verdict::Complete)),
            ("banana", Some(Verdict::Complete)),
            ("MAX_TOKENS", Some(Verdict::Truncated)),
            ("Refusal", Some(Verdict::Refused)),
            ("MALFORMED_FUNCTION_CALL", Some(Verdict::Failed(ErrorKind::BadOutput))),
            ("", None),
            ("FINISH_REASON_UNSPECIFIED", None),
        ] {
            assert_eq!(verdict(reason), wanted, "{reason}");
        }
    }

    #[test]
    fn the_worse_reason_is_the_stronger_one() {
        let order = ["stop", "tool_calls", "length", "content_filter", "error"].map(verdict);
        assert!(order.is_sorted());
    }
}
