//! What the body of an AI error says, when no header does: a quota that no waiting cures, or a stated wait.
//!
//! A quota is believed only from a machine code, never from words in a message; a stated wait overrules it.

/// Codes that say: money or quota, not load.
const QUOTA_CODES: [&str; 3] = ["insufficient_quota", "billing_hard_limit_reached", "billing_not_active"];
/// What stands before a stated wait, lower case.
const LEAD_INS: [&str; 4] = ["retry after ", "retry in ", "again in ", "replenished in "];

/// Whether an error's `code` or `type` says that the quota is used up or billing is off.
pub fn is_quota(code: &str) -> bool {
    QUOTA_CODES.contains(&code)
}

/// The wait that a message states, in milliseconds, rounded up.
///
/// `Please retry after 6 seconds.` · `Please retry in 34.4s.` · `try again in 6m0s` · `replenished in 05:12:44.`
pub fn stated_wait(message: &str) -> Option<f64> {
    let bytes = message.as_bytes();
    (0..bytes.len()).find_map(|at| {
        let rest = bytes.get(at..)?;
        LEAD_INS.iter().find_map(|lead| {
            let (head, tail) = rest.split_at_checked(lead.len())?;
            if head.eq_ignore_ascii_case(lead.as_bytes()) { duration(tail) } else { None }
        })
    })
}

/// A duration in words or short forms: `6 seconds`, `34.4s`, `6m0s`, `20ms`, `05:12:44`; a bare number is seconds.
pub fn duration(text: &[u8]) -> Option<f64> {
    let (first, mut rest) = number(text)?;
    if rest.first() == Some(&b':') {
        return clock_time(first, rest);
    }
    let mut total = 0.0;
    let mut value = first;
    loop {
        let (unit_ms, after) = unit(rest);
        total += value * unit_ms;
        rest = after;
        match number(rest) {
            Some((next, after)) => (value, rest) = (next, after),
            None => return Some(total.ceil()),
        }
    }
}

/// `05:12:44`, hours first.
fn clock_time(hours: f64, rest: &[u8]) -> Option<f64> {
    let (minutes, rest) = number(rest.strip_prefix(b":")?)?;
    let (seconds, _) = number(rest.strip_prefix(b":")?)?;
    Some((hours * 3_600.0 + minutes * 60.0 + seconds) * 1_000.0)
}

/// Digits with at most one decimal point that has a digit behind it. A full stop ends a sentence, not a number.
fn number(text: &[u8]) -> Option<(f64, &[u8])> {
    let mut value = 0.0;
    let mut place = 0.0;
    let mut rest = text;
    text.first().filter(|byte| byte.is_ascii_digit())?;
    loop {
        match rest {
            [digit, tail @ ..] if digit.is_ascii_digit() => {
                let digit = f64::from(digit - b'0');
                (value, place) =
                    if place > 0.0 { (value + digit * place, place / 10.0) } else { (value * 10.0 + digit, 0.0) };
                rest = tail;
            }
            [b'.', tail @ ..] if place == 0.0 && tail.first().is_some_and(u8::is_ascii_digit) => {
                (place, rest) = (0.1, tail)
            }
            _ => return Some((value, rest)),
        }
    }
}

/// The length of a unit in milliseconds and what follows it.
fn unit(text: &[u8]) -> (f64, &[u8]) {
    let trimmed = text.strip_prefix(b" ").unwrap_or(text);
    let letters = trimmed.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let (name, rest) = trimmed.split_at_checked(letters).unwrap_or((trimmed, &[]));
    let ms = match name {
        [b'm' | b'M', b's' | b'S'] => 1.0,
        [b'm' | b'M', b'i' | b'I', b'l' | b'L', ..] => 1.0,
        [b'm' | b'M', ..] => 60_000.0,
        [b'h' | b'H', ..] => 3_600_000.0,
        [b'd' | b'D', ..] => 86_400_000.0,
        _ => 1_000.0,
    };
    (ms, rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn waits_are_read_from_the_messages_that_providers_send() {
        let cases = [
            ("Please retry after 6 seconds.", Some(6_000.0)),
            ("Please retry after 86400 seconds.", Some(86_400_000.0)),
            ("Rate limit is exceeded. Try again in 60 seconds.", Some(60_000.0)),
            ("Quota exceeded.\nPlease retry in 34.4s.", Some(34_400.0)),
            ("Please try again in 6m0s. Visit the page.", Some(360_000.0)),
            ("Please try again in 20ms.", Some(20.0)),
            ("Please try again in 1.2345s", Some(1_235.0)),
            ("Quota will be replenished in 05:12:44.", Some(18_764_000.0)),
            ("RETRY AFTER 2 MINUTES", Some(120_000.0)),
            ("retry after 5", Some(5_000.0)),
            ("Please retry after a while.", None),
            ("retry after", None),
            ("", None),
        ];
        for (message, want) in cases {
            assert_eq!(stated_wait(message), want, "{message}");
        }
    }

    #[test]
    fn only_machine_codes_speak_of_quota() {
        assert!(is_quota("insufficient_quota"));
        assert!(!is_quota("429"));
        assert!(!is_quota("You exceeded your current quota"));
    }
}
