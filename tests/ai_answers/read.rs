//! Reading a body in a test.

use steadfetch::answer::{AiResult, End, Hints, Outcome, Reader};

/// The result, and all text that was handed out on the way.
pub fn read<'a>(mut reader: Reader, chunks: impl IntoIterator<Item = &'a [u8]>) -> (AiResult, String) {
    let mut text = String::new();
    for chunk in chunks {
        reader.push(chunk);
        text += &reader.take_text();
    }
    let result = reader.finish(End::Closed);
    text += &reader.take_text();
    (result, text)
}

/// As the vectors write it: `complete`, `error(server)`.
pub fn label(result: &AiResult) -> String {
    match (result.outcome, result.error_kind) {
        (Outcome::Error, Some(kind)) => format!("error({})", kind.name()),
        (outcome, _) => outcome.name().to_owned(),
    }
}

/// A body with status 200, read in one piece and byte by byte, with the same result.
pub fn read_as(content_type: &str, body: &[u8]) -> AiResult {
    let reader = Reader::new(Hints { content_type, ..Hints::default() });
    let at_once = read(reader.clone(), [body]);
    assert_eq!(read(reader, body.chunks(1)), at_once, "{}", String::from_utf8_lossy(body));
    at_once.0
}

/// A body at once.
pub fn json(body: &str) -> AiResult {
    read_as("application/json", body.as_bytes())
}

/// A stream of events, each with this data.
pub fn events(data: &[&str]) -> AiResult {
    read_as("text/event-stream", data.iter().map(|data| format!("data: {data}\n\n")).collect::<String>().as_bytes())
}

/// Label, finish reason and text, in one line: `complete stop "Hello"`.
pub fn shown(result: &AiResult) -> String {
    let text = result.text.as_ref().map_or("none".to_owned(), |text| format!("{text:?}"));
    format!("{} {} {text}", label(result), result.finish_reason.as_deref().unwrap_or("-"))
}

/// A chunk of a chat completion: the delta, and the finish reason or null.
pub fn chunk(delta: &str, reason: &str) -> String {
    format!(
        r#"{{"object":"chat.completion.chunk","choices":[{{"index":0,"delta":{delta},"finish_reason":{reason}}}]}}"#
    )
}

/// A stream of chat completion chunks, ended by the mark.
pub fn chat(chunks: &[(&str, &str)]) -> AiResult {
    let mut data: Vec<String> = chunks.iter().map(|(delta, reason)| chunk(delta, reason)).collect();
    data.push("[DONE]".to_owned());
    events(&data.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Reads each body; shows what was read instead, if that is wrong.
pub fn check<const N: usize>(read: fn(&str) -> String, cases: [(&str, &str); N]) {
    for (body, wanted) in cases {
        assert_eq!(read(body), wanted, "{body}");
    }
}

/// A JSON body, shown.
pub fn as_json(body: &str) -> String {
    shown(&json(body))
}

/// Events, one a line, shown; lines that begin with a colon or `event:` are passed on as they are.
pub fn as_events(lines: &str) -> String {
    let event = |line: &str| match line.starts_with(':') || line.starts_with("event:") {
        true => format!("{line}\n"),
        false => format!("data: {line}\n\n"),
    };
    let body: String = lines.lines().map(str::trim).map(event).collect();
    shown(&read_as("text/event-stream", body.as_bytes()))
}

/// A body without a content type, shown.
pub fn as_text(body: &str) -> String {
    shown(&read_as("", body.as_bytes()))
}
