//! HTTP-dates (RFC 9110, 5.6.7). Written down as templates, so that one small reader serves the
//! three forms and, with a fourth template, the RFC 3339 timestamps some servers send as reset
//! times.
//!
//! # Decisions
//! - Letters are matched as the grammar writes them: `GMT` is a date, `gmt`, `UTC` and `+0000` are
//!   not. A date that is read with the wrong zone is wrong by hours; one that is not read costs a
//!   back-off of our own.
//! - The day of the week must be one, but not the right one: the rest of the date is complete
//!   without it.
//! - Second 60 is the first of the next minute, in any minute: nobody keeps a table of leap
//!   seconds.
//! - Years before 1900 are no dates: they are zero values of somebody's clock (1 January of the
//!   year 1, or of 1601).

use super::scanner::Scanner;

/// Lower-case letters are fields (see [`read`]), everything else stands for itself.
const FORMS: [&[u8]; 3] = [
    b"w, d b y h:m:s GMT", // Sun, 06 Nov 1994 08:49:37 GMT     IMF-fixdate
    b"l, d-b-c h:m:s GMT", // Sunday, 06-Nov-94 08:49:37 GMT    RFC 850
    b"w b e h:m:s y",      // Sun Nov  6 08:49:37 1994          asctime, which names no zone and is GMT
];

const MONTHS: &[u8] = b"JanFebMarAprMayJunJulAugSepOctNovDec";
const WEEKDAYS: &[u8] = b"SunMonTueWedThuFriSat";

/// Milliseconds since 1970, or `None` if the whole text is not one of the three forms.
/// `now_ms` decides the century of a two-digit year.
pub fn parse(text: &str, now_ms: i64) -> Option<i64> {
    FORMS.iter().find_map(|form| {
        let mut scanner = Scanner::new(text);
        let at_ms = read(&mut scanner, form, now_ms)?;
        scanner.is_empty().then_some(at_ms)
    })
}

/// How long it is from now until then, 0 if that is past.
pub(super) fn wait_ms(at_ms: i64, now_ms: i64) -> u64 {
    u64::try_from(at_ms.saturating_sub(now_ms)).unwrap_or(0)
}

/// Reads one template from the front of the scanner.
pub(super) fn read(scanner: &mut Scanner, form: &[u8], now_ms: i64) -> Option<i64> {
    let mut short_year = false;
    let (mut year, mut month, mut day, mut hour, mut minute, mut second) = (0, 0, 0, 0, 0, 0);
    for field in form {
        let number = match field {
            b'w' | b'l' => name(scanner, WEEKDAYS),
            b'b' => name(scanner, MONTHS),
            b'y' => scanner.fixed(4),
            b'e' if scanner.eat(b' ') => scanner.fixed(1),
            b'a'..=b'z' => scanner.fixed(2),
            other => scanner.eat(*other).then_some(0),
        }? as i64;
        match field {
            b'l' => scanner.run(u8::is_ascii_lowercase).ends_with(b"day").then_some(())?,
            b'y' => year = number,
            b'c' => (short_year, year) = (true, number),
            b'b' | b'n' => month = number,
            b'd' | b'e' => day = number,
            b'h' => hour = number,
            b'm' => minute = number,
            b's' => second = number,
            _ => {}
        }
    }
    let at_ms = |year| {
        let hours = days_since_1970(year, month, day) * 24 + hour;
        ((hours * 60 + minute) * 60 + second) * 1000
    };
    if short_year {
        // The latest century that is not more than 50 years ahead: seen from 50 years earlier, that
        // is not after now.
        year += 9900;
        while year >= 2000 && at_ms(year - 50) > now_ms {
            year -= 100;
        }
    }
    let day_exists =
        (1..=12).contains(&month) && day > 0 && days_since_1970(year, month, day) < days_since_1970(year, month + 1, 1);
    let exists = year >= 1900 && day_exists && hour < 24 && minute < 60 && second <= 60;
    exists.then(|| at_ms(year))
}

/// The position of the next three letters in a list of three-letter names, counted from one.
fn name(scanner: &mut Scanner, names: &[u8]) -> Option<u64> {
    let found = scanner.take(3)?;
    let place = names.chunks_exact(3).position(|name| name == found)?;
    Some(place as u64 + 1)
}

/// The year is taken to begin in March: then the leap day comes last, and the months before a given
/// one have 31, 30, 31, 30, 31 days, over and over, which is what `(153 * months + 2) / 5` adds up.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let months = year * 12 + month - 3;
    let (year, months) = (months / 12, months % 12);
    365 * year + year / 4 - year / 100 + year / 400 + (153 * months + 2) / 5 + day - 719_469
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    const NOW_MS: i64 = 1_696_004_797_000; // 2023-09-29 16:26:37

    #[test]
    fn the_three_forms_name_the_same_second() {
        for text in [
            "Sun, 06 Nov 1994 08:49:37 GMT",
            "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994",
            "Sun Nov 06 08:49:37 1994",
        ] {
            assert_eq!(parse(text, NOW_MS), Some(784_111_777_000), "{text}");
        }
    }

    #[test]
    fn every_long_weekday_is_known() {
        for day in ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] {
            assert!(parse(&format!("{day}, 06-Nov-94 08:49:37 GMT"), NOW_MS).is_some(), "{day}");
        }
    }

    #[test]
    fn other_forms_are_no_http_dates() {
        for text in [
            "",
            "Sun, 6 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 94 08:49:37 GMT",
            "Sun, 06-Nov-1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37",
            "Sun, 06 Nov 1994 08:49:37 gmt",
            "Sun, 06 Nov 1994 08:49:37 +0000",
            "Sun, 06 Nov 1994 08:49:37 GMT+1",
            "Sun,  06 Nov 1994 08:49:37 GMT",
            "SUN, 06 NOV 1994 08:49:37 GMT",
            "Sun Nov 6 08:49:37 1994",
            "Sun Nov  6 08:49:37 1994 GMT",
            "Sund, 06-Nov-94 08:49:37 GMT",
            "Xyz, 06 Nov 1994 08:49:37 GMT",
            "1994-11-06T08:49:37Z",
        ] {
            assert_eq!(parse(text, NOW_MS), None, "{text}");
        }
    }

    #[test]
    fn impossible_days_and_times_are_refused() {
        for text in [
            "Wed, 29 Feb 2023 00:00:00 GMT",
            "Wed, 29 Feb 1900 00:00:00 GMT",
            "Wed, 31 Apr 2024 00:00:00 GMT",
            "Wed, 00 Jan 2024 00:00:00 GMT",
            "Wed Jan  0 00:00:00 2024",
            "Wed, 32 Dec 2024 00:00:00 GMT",
            "Wed, 01 Jan 2024 24:00:00 GMT",
            "Wed, 01 Jan 2024 00:60:00 GMT",
            "Wed, 01 Jan 2024 00:00:61 GMT",
            "Mon, 01 Jan 0001 00:00:00 GMT",
            "Wednesday, 29-Feb-23 00:00:00 GMT",
        ] {
            assert_eq!(parse(text, NOW_MS), None, "{text}");
        }
    }

    #[test]
    fn leap_days_and_leap_seconds_exist() {
        assert_eq!(parse("Tue, 29 Feb 2000 00:00:00 GMT", NOW_MS), Some(951_782_400_000));
        assert_eq!(parse("Sat, 31 Dec 2016 23:59:60 GMT", NOW_MS), parse("Sun, 01 Jan 2017 00:00:00 GMT", NOW_MS));
    }

    #[test]
    fn a_two_digit_year_is_at_most_fifty_years_ahead() {
        assert_eq!(parse("Friday, 29-Sep-73 16:26:37 GMT", NOW_MS), parse("Fri, 29 Sep 2073 16:26:37 GMT", NOW_MS));
        assert_eq!(parse("Friday, 29-Sep-73 16:26:38 GMT", NOW_MS), parse("Sat, 29 Sep 1973 16:26:38 GMT", NOW_MS));
        // From 2099, the year 01 lies two years ahead.
        assert_eq!(
            parse("Friday, 01-Jan-01 00:00:00 GMT", 4_070_908_800_000),
            parse("Sat, 01 Jan 2101 00:00:00 GMT", 0)
        );
    }
}
