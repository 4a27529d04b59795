//! What must hold for any bytes at all.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use steadfetch::answer::{AiResult, End, Hints, Outcome, Reader, Told};

use crate::read::read;

/// Pieces that bodies are made of, and some that break them.
const PIECES: [&str; 60] = [
    "data: ",
    "data:",
    "event: error\n",
    "event: message_delta\n",
    "\n",
    "\n\n",
    "\r\n\r\n",
    "\r",
    ": keep-alive\n",
    "id: 1\n",
    "[DONE]",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    " ",
    "\"",
    "\\",
    "null",
    "true",
    "1e5",
    "\u{feff}",
    "é",
    "😀",
    "\\ud83d",
    "\\ude00",
    "<html>",
    "Hello",
    "\"choices\":",
    "\"delta\":",
    "\"message\":",
    "\"content\":",
    "\"finish_reason\":\"stop\"",
    "\"finish_reason\":\"length\"",
    "\"error\":",
    "\"type\":\"response.completed\",",
    "\"type\":\"message\",",
    "\"response\":{\"status\":\"completed\"}",
    "\"done\":true",
    "\"answer\":\"x\"",
    "{\"choices\":[{\"delta\":{\"content\":\"Hi\"}}]}",
    "{\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}",
    "{\"choices\":[{\"message\":{\"content\":\"Hi\"},\"finish_reason\":\"stop\"}]}",
    "{\"choices\":[{\"delta\":{\"tool_calls\":[{\"function\":{\"arguments\":\"{\\\"a\"}}]}}]}",
    "{\"choices\":[{\"delta\":{\"content\":\"\\ud83d\"}}]}",
    "{\"type\":\"response.output_text.delta\",\"delta\":\"Hi\"}",
    "{\"type\":\"response.completed\",\"response\":{\"status\":\"completed\",\"output\":[]}}",
    "{\"type\":\"content_block_delta\",\"delta\":{\"text\":\"Hi\"}}",
    "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}}",
    "{\"type\":\"message_stop\"}",
    "{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"Hi\"}]},\"finishReason\":\"STOP\"}]}",
    "{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"Hi\"}]}}]}",
    "{\"model\":\"m\",\"response\":\"Hi\",\"done\":false}",
    "{\"model\":\"m\",\"response\":\"Hi\",\"done\":true}",
    "{\"error\":{\"code\":429}}",
    "{\"answer\":\"Hi\"}",
    "{\"answer\":\"Hi\",\"finish_reason\":\"stop\"}",
    "data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"}}]}\n\n",
];

const TYPES: [&str; 7] = [
    "",
    "application/json",
    "text/event-stream",
    "application/x-ndjson",
    "text/plain",
    "text/html",
    "text/event-stream, application/json",
];

fn bodies() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        12 => select(&PIECES[..]).prop_map(|piece| piece.as_bytes().to_vec()),
        1 => vec(any::<u8>(), 0..4),
    ];
    prop_oneof![3 => vec(piece, 0..24).prop_map(|pieces| pieces.concat()), 1 => vec(any::<u8>(), 0..200)]
}

fn hints() -> impl Strategy<Value = Hints<'static>> {
    let statuses = select(&[200_u16, 200, 200, 204, 400, 429, 503, 0][..]);
    (statuses, select(&TYPES[..]), prop_oneof![4 => Just(1 << 20), 1 => 0..200_usize])
        .prop_map(|(status, content_type, max_bytes)| Hints { status, content_type, max_bytes, ..Hints::default() })
}

/// Cuts the bytes at these places.
fn chunks<'a>(body: &'a [u8], cuts: &[usize]) -> Vec<&'a [u8]> {
    let mut places: Vec<usize> = cuts.iter().map(|cut| cut % (body.len() + 1)).collect();
    places.extend([0, body.len()]);
    places.sort_unstable();
    places.windows(2).map(|pair| &body[pair[0]..pair[1]]).collect()
}

fn cut() -> impl Strategy<Value = Vec<usize>> {
    vec(any::<usize>(), 0..12)
}

/// All that is promised of every result.
fn check(result: &AiResult, handed_out: &str) {
    let text = result.text.as_deref().unwrap_or_default();
    assert!(text.starts_with(handed_out), "{result:?} after {handed_out:?}");
    assert_eq!(
        result.outcome == Outcome::Error,
        result.error_kind.is_some() && !matches!(result.outcome, Outcome::Refused | Outcome::IncompleteStream)
    );
    assert!(!(result.partial_text && text.is_empty()), "{result:?}");
    assert!(!(result.retryable && !text.is_empty() && result.partial_text), "{result:?}");
    assert!(!result.retryable || result.outcome == Outcome::Error, "{result:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1_500) })]

    #[test]
    fn nothing_breaks_the_reader_and_how_bytes_are_cut_changes_nothing(body in bodies(), hints in hints(), cuts in cut()) {
        let (result, handed_out) = read(Reader::new(hints), [&body[..]]);
        check(&result, &handed_out);
        prop_assert_eq!(read(Reader::new(hints), chunks(&body, &cuts)), (result.clone(), handed_out.clone()));
        prop_assert_eq!(read(Reader::new(hints), body.chunks(1)), (result, handed_out));
    }

    #[test]
    fn nothing_breaks_the_reader_when_the_caller_reads_too(body in bodies(), hints in hints(), answers in vec(any::<u8>(), 1..8)) {
        let mut reader = Reader::new(Hints { custom: true, ..hints });
        let mut answers = answers.into_iter().cycle();
        let mut answer = |reader: &mut Reader| while reader.ask().is_some() {
            reader.tell(match answers.next().unwrap() % 4 {
                0 => None,
                1 => Some(Told { text: "a".to_owned(), finish_reason: Some("stop".to_owned()) }),
                _ => Some(Told { text: "é".to_owned(), finish_reason: None }),
            });
        };
        let mut handed_out = String::new();
        for byte in body.chunks(1) {
            reader.push(byte);
            answer(&mut reader);
            handed_out += &reader.take_text();
        }
        reader.end();
        answer(&mut reader);
        let result = reader.finish(End::Closed);
        handed_out += &reader.take_text();
        check(&result, &handed_out);
    }

    #[test]
    fn without_a_word_that_ends_an_answer_no_stream_is_complete(pieces in vec(select(&PIECES[..]), 0..24), lines in any::<bool>()) {
        let ends = ["finish", "status", "stop_reason", "done", "<html>"];
        let pieces = pieces.into_iter().filter(|piece| !ends.iter().any(|end| piece.contains(end)));
        let body = pieces.map(|piece| if lines { format!("{piece}\n") } else { format!("data: {piece}\n\n") }).collect::<String>();
        let content_type = if lines { "application/x-ndjson" } else { "text/event-stream" };
        let (result, _) = read(Reader::new(Hints { content_type, ..Hints::default() }), [body.as_bytes()]);
        prop_assert!(!matches!(result.outcome, Outcome::Complete | Outcome::ToolCalls), "{body}: {result:?}");
    }

    #[test]
    fn any_text_arrives_as_it_was_sent(parts in vec(".{0,12}", 1..6), cuts in cut(), shape in 0..5_usize, escaped in any::<bool>()) {
        let string = |text: &str| {
            let json = serde_json::to_string(text).unwrap();
            if !escaped {
                return json;
            }
            let escape = |unit: u16| if unit < 0x80 { String::from_utf16(&[unit]).unwrap() } else { format!("\\u{unit:04x}") };
            json.encode_utf16().map(escape).collect()
        };
        let event = |data: String| if shape == 4 { data + "\n" } else { format!("data: {data}\r\n\r\n") };
        let delta = |text: &String| match shape {
            0 => format!(r#"{{"choices":[{{"delta":{{"content":{}}}}}]}}"#, string(text)),
            1 => format!(r#"{{"type":"response.output_text.delta","delta":{}}}"#, string(text)),
            2 => format!(r#"{{"type":"content_block_delta","delta":{{"type":"text_delta","text":{}}}}}"#, string(text)),
            3 => format!(r#"{{"candidates":[{{"content":{{"parts":[{{"text":{}}}]}}}}]}}"#, string(text)),
            _ => format!(r#"{{"message":{{"content":{}}},"done":false}}"#, string(text)),
        };
        let last = [
            r#"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#,
            r#"{"type":"response.completed","response":{"status":"completed"}}"#,
            r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"}}"#,
            r#"{"candidates":[{"finishReason":"STOP"}]}"#,
            r#"{"message":{},"done":true}"#,
        ][shape];
        let body = parts.iter().map(|text| event(delta(text))).collect::<String>() + &event(last.to_owned());
        let (result, handed_out) = read(Reader::new(Hints::default()), chunks(body.as_bytes(), &cuts));
        prop_assert_eq!(result.outcome, Outcome::Complete);
        prop_assert_eq!((result.text, handed_out), (Some(parts.concat()), parts.concat()));

        let without_end = body.len() - event(last.to_owned()).len();
        for at in 0..without_end {
            let (result, handed_out) = read(Reader::new(Hints::default()), [&body.as_bytes()[..at]]);
            prop_assert!(!matches!(result.outcome, Outcome::Complete | Outcome::ToolCalls | Outcome::Truncated), "cut at {}: {:?}", at, result);
            prop_assert!(parts.concat().starts_with(&handed_out) || result.outcome == Outcome::Unknown);
        }
    }
}
