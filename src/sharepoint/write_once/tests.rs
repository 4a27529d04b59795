//! Every course a write can take, as a table: what happens, and what is done about it.

use super::*;
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const RULES: Rules = Rules { max_sends: 2, settle_ms: 10_000.0, resend_lost: false, patience_ms: 120_000.0 };
const RESEND: Rules = Rules { resend_lost: true, ..RULES };

/// `429`, `503/2000` (with a wait stated), `page`, `lost`, `not-sent`, `found`, `absent`, `find-failed`.
fn event(word: &str) -> Event {
    let (word, hint) = word.split_once('/').map_or((word, None), |(word, hint)| (word, hint.parse().ok()));
    match word {
        "found" => Event::Found,
        "absent" => Event::Absent,
        "find-failed" => Event::FindFailed,
        "lost" => Event::Sent(Ended::Unanswered),
        "not-sent" => Event::Sent(Ended::NotSent),
        "page" => Event::Sent(Ended::Answered { status: Some(200), hint_ms: hint, page: true }),
        "unreadable" => Event::Sent(Ended::Answered { status: None, hint_ms: hint, page: false }),
        status => Event::Sent(Ended::Answered { status: status.parse().ok(), hint_ms: hint, page: false }),
    }
}

/// The steps that follow from these events, waits told by themselves.
fn course(rules: Rules, events: &str) -> String {
    let mut write = WriteOnce::new(rules);
    let mut events = events.split_whitespace();
    let mut course = Vec::new();
    loop {
        let (word, event) = match write.next() {
            Step::Send => ("send".to_owned(), events.next().map(event)),
            Step::Find => ("find".to_owned(), events.next().map(event)),
            Step::Wait(ms) => (ms.to_string(), Some(Event::Waited)),
            Step::Done(verdict) => {
                assert_eq!(events.next(), None, "done before all was told");
                course.push(format!("{verdict:?}"));
                return course.join(" ");
            }
        };
        course.push(word);
        write.tell(event.unwrap());
    }
}

#[test]
fn every_course_of_a_write() {
    const DEFAULT: [(&str, &str); 30] = [
        // Settled by the first answer.
        ("200", "send Written"),
        ("201", "send Written"),
        ("204", "send Written"),
        ("400", "send Rejected"),
        ("403", "send Rejected"),
        ("404", "send Rejected"),
        ("409", "send Rejected"),
        ("412", "send Rejected"),
        ("423", "send Rejected"),
        ("not-sent", "send NotSent"),
        // Throttled: looked for when it must have landed, and again a settle later.
        ("429 found", "send 10000 find AlreadyApplied"),
        ("429 absent found", "send 10000 find 10000 find AlreadyApplied"),
        ("503 absent absent 201", "send 10000 find 10000 find send Written"),
        ("429 absent absent 429 found", "send 10000 find 10000 find send 10000 find AlreadyApplied"),
        ("429 absent absent 503 absent absent", "send 10000 find 10000 find send 10000 find 10000 find NotApplied"),
        ("429 absent absent not-sent", "send 10000 find 10000 find send NotApplied"),
        ("429 absent absent lost found", "send 10000 find 10000 find send find AlreadyApplied"),
        ("429 absent absent lost absent absent", "send 10000 find 10000 find send find 10000 find Unknown"),
        ("429 find-failed", "send 10000 find Unknown"),
        ("429 absent find-failed", "send 10000 find 10000 find Unknown"),
        // A stated wait is a floor; one beyond all patience is not waited out, and then nothing is sent.
        ("429/15000 absent absent 201", "send 15000 find 10000 find send Written"),
        ("429/9000 absent absent 201", "send 10000 find 10000 find send Written"),
        ("429/120001 absent absent", "send 10000 find 10000 find NotApplied"),
        // Lost: looked for at once, never sent again.
        ("lost absent absent", "send find 10000 find Unknown"),
        ("504/3000 absent found", "send 3000 find 10000 find AlreadyApplied"),
        ("page absent absent", "send find 10000 find Unknown"),
        // The server's own failure: it has said so, and is not asked again.
        ("500 found", "send find AlreadyApplied"),
        ("500 absent absent", "send find 10000 find Rejected"),
        // A later refusal may be about the earlier send: a unique column, an item that is gone.
        ("429 absent absent 400 found", "send 10000 find 10000 find send find AlreadyApplied"),
        ("429 absent absent 400 absent absent", "send 10000 find 10000 find send find 10000 find Rejected"),
    ];
    for (events, expected) in DEFAULT {
        assert_eq!(course(RULES, events), expected, "{events}");
    }

    let resend = [
        ("lost absent absent 201", "send 10000 find 10000 find send Written"),
        ("504/15000 absent absent 201", "send 15000 find 10000 find send Written"),
        ("lost absent absent not-sent", "send 10000 find 10000 find send Unknown"),
        // The first may still land, whatever the second was told.
        ("lost absent absent 429 absent absent", "send 10000 find 10000 find send 10000 find 10000 find Unknown"),
        ("lost absent absent 400 absent absent", "send 10000 find 10000 find send find 10000 find Unknown"),
        ("500 absent absent", "send find 10000 find Rejected"),
    ];
    for (events, expected) in resend {
        assert_eq!(course(RESEND, events), expected, "{events}");
    }
}

#[test]
fn no_answer_of_a_gateway_and_none_that_cannot_be_read_is_followed_by_a_send() {
    for lost in ["lost", "502", "504", "408", "522", "599", "0", "302", "page", "unreadable"] {
        let expected = "send find 10000 find Unknown";
        assert_eq!(course(RULES, &format!("{lost} absent absent")), expected, "{lost}");
    }
}

#[test]
fn one_send_may_be_all_that_is_allowed() {
    let once = Rules { max_sends: 1, resend_lost: true, ..RULES };
    assert_eq!(course(once, "429 absent absent"), "send 10000 find 10000 find NotApplied");
    assert_eq!(course(once, "lost absent absent"), "send 10000 find 10000 find Unknown");
}

#[test]
fn a_shell_that_tells_what_it_was_not_asked_gets_no_send_out_of_it() {
    let mut write = WriteOnce::new(RULES);
    assert_eq!(write.tell(Event::Absent), Step::Done(Verdict::Unknown));
    assert_eq!(write.tell(event("429")), Step::Done(Verdict::Unknown));
    assert_eq!(write.next(), Step::Done(Verdict::Unknown));
}

#[test]
fn what_is_done_stays_as_it_was() {
    let mut write = WriteOnce::new(RULES);
    assert_eq!(write.tell(event("201")), Step::Done(Verdict::Written));
    for late in ["429", "lost", "found", "absent", "find-failed"] {
        assert_eq!(write.tell(event(late)), Step::Done(Verdict::Written), "{late}");
    }
}
