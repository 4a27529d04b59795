//! What the body of an AI error says, when no header does: a quota that no waiting cures, or a stated wait.
//!
//! A quota is believed only from a machine code, never from words in a message; a stated wait overrules it.

use super::scanner::{Decimal, Scanner};

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
            if head.eq_ignore_ascii_case(lead.as_bytes()) { duration(Scanner::over(tail)) } else { None }
        })
    })
}

/// The wait in a field of its own: `34.4s`.
pub fn delay(value: &str) -> Option<f64> {
    duration(Scanner::new(value))
}

/// A duration in words or short forms: `6 seconds`, `34.4s`, `6m0s`, `20ms`, `05:12:44`; a bare number is seconds.
fn duration(mut text: Scanner<'_>) -> Option<f64> {
    let first = number(&mut text)?;
    if text.eat(b':') {
        let minutes = text.digits()?;
        let seconds = if text.eat(b':') { text.digits()? } else { return None };
        let all = first.whole.saturating_mul(3_600).saturating_add(minutes.saturating_mul(60)).saturating_add(seconds);
        return Some(all as f64 * 1_000.0);
    }
    let mut sum_ms = first.ms(unit_ms(&mut text));
    while let Some(next) = number(&mut text) {
        sum_ms = sum_ms.saturating_add(next.ms(unit_ms(&mut text)));
    }
    Some(sum_ms as f64)
}

/// A number. The full stop behind `6.` ends the sentence and is no part of it.
fn number(text: &mut Scanner<'_>) -> Option<Decimal> {
    let mut ahead = *text;
    if let Some(decimal) = ahead.decimal() {
        *text = ahead;
        return Some(decimal);
    }
    Some(Decimal { whole: text.digits()?, thousandths: None })
}

/// The length of the unit that follows a number.
fn unit_ms(text: &mut Scanner<'_>) -> u64 {
    text.eat(b' ');
    match text.run(u8::is_ascii_alphabetic) {
        [b'm' | b'M', b's' | b'S'] | [b'm' | b'M', b'i' | b'I', b'l' | b'L', ..] => 1,
        [b'm' | b'M', ..] => 60_000,
        [b'h' | b'H', ..] => 3_600_000,
        [b'd' | b'D', ..] => 86_400_000,
        _ => 1_000,
    }
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
            ("Please try again in 0.3s.", Some(300.0)),
            ("Please retry after 5. Or later.", Some(5_000.0)),
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
    fn a_delay_of_its_own_needs_no_words_around_it() {
        for (value, want) in
            [("34.4s", Some(34_400.0)), (" 2s ", Some(2_000.0)), ("", None), ("-1s", None), ("soon", None)]
        {
            assert_eq!(delay(value), want, "{value}");
        }
    }

    #[test]
    fn only_machine_codes_speak_of_quota() {
        assert!(is_quota("insufficient_quota"));
        assert!(!is_quota("429"));
        assert!(!is_quota("You exceeded your current quota"));
    }
}
