//! What must hold for every header value, whatever it is.
#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use proptest::prelude::*;
use steadfetch::policy::fields::Fields;
use steadfetch::policy::http_date;
use steadfetch::policy::rate_limit::rate_limit;
use steadfetch::policy::retry_after::retry_after_ms;

/// The same value under every name whose name contains `part`.
struct Everywhere<'a>(&'a str, &'a str);

impl Fields for Everywhere<'_> {
    fn field(&self, name: &str) -> Option<String> {
        name.contains(self.0).then(|| self.1.to_owned())
    }
}

/// Single fields by their full name.
struct Only<'a>(&'a [(&'a str, &'a str)]);

impl Fields for Only<'_> {
    fn field(&self, name: &str) -> Option<String> {
        self.0.iter().find(|(given, _)| *given == name).map(|(_, value)| (*value).to_owned())
    }
}

const SECOND_MS: i64 = 1000;
const DAY_SECONDS: i64 = 86_400;
const IN_1900: i64 = -25_567 * DAY_SECONDS;
const IN_2101: i64 = 47_847 * DAY_SECONDS;

const DAYS: [(&str, &str); 7] = [
    ("Thu", "rsday"),
    ("Fri", "day"),
    ("Sat", "urday"),
    ("Sun", "day"),
    ("Mon", "day"),
    ("Tue", "sday"),
    ("Wed", "nesday"),
];

const MONTHS: [(&str, i64); 12] = [
    ("Jan", 31),
    ("Feb", 28),
    ("Mar", 31),
    ("Apr", 30),
    ("May", 31),
    ("Jun", 30),
    ("Jul", 31),
    ("Aug", 31),
    ("Sep", 30),
    ("Oct", 31),
    ("Nov", 30),
    ("Dec", 31),
];

/// Writes the three forms of a second, by counting: no formula is shared with the reader.
fn write(at_seconds: i64) -> [String; 3] {
    let days = at_seconds.div_euclid(DAY_SECONDS);
    let second = at_seconds.rem_euclid(DAY_SECONDS);
    let (mut year, mut day) = (1900, days - IN_1900 / DAY_SECONDS + 1);
    let leap = |year: i64| i64::from(year % 4 == 0 && (year % 100 != 0 || year % 400 == 0));
    while day > 365 + leap(year) {
        day -= 365 + leap(year);
        year += 1;
    }
    let mut months = MONTHS.iter().map(|(name, length)| match *name {
        "Feb" => (name, length + leap(year)),
        _ => (name, *length),
    });
    let month = months.find(|(_, length)| {
        let is_in_it = day <= *length;
        day -= if is_in_it { 0 } else { *length };
        is_in_it
    });
    let month = month.unwrap().0;
    let mut weekdays = DAYS.iter().cycle();
    let (short, tail) = weekdays.nth(days.rem_euclid(7) as usize).unwrap();
    let time = format!("{:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60);
    [
        format!("{short}, {day:02} {month} {year} {time} GMT"),
        format!("{short}{tail}, {day:02}-{month}-{:02} {time} GMT", year % 100),
        format!("{short} {month} {day:2} {time} {year}"),
    ]
}

/// Strings that look like the headers in question, and are broken in one place or another.
fn nearly_a_header() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just(String::from("Sun, 06 Nov 1994 08:49:37 GMT")),
        Just(String::from("Sunday, 06-Nov-94 08:49:37 GMT")),
        Just(String::from("2026-05-04T12:34:56")),
        Just(String::from("\"day\";r=1;t=2")),
        "[0-9]{1,25}",
        "[hms,;:=.\"()?@%*+ \t\\\\-]{1,4}",
        "[a-z]{1,9}",
        any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn no_value_breaks_a_reader(
        text in prop_oneof![any::<String>(), nearly_a_header()],
        now_ms: i64,
    ) {
        for part in ["", "retry-after", "ratelimit", "ratelimit-", "-reset"] {
            let fields = Everywhere(part, &text);
            retry_after_ms(&fields, now_ms);
            if let Some(read) = rate_limit(&fields, now_ms) {
                let reported = [read.limit, read.remaining, read.reset_ms];
                prop_assert!(reported.iter().flatten().all(|number| *number < 1 << 53), "{read:?}");
            }
        }
    }

    #[test]
    fn every_second_survives_being_written_and_read(at in IN_1900..IN_2101) {
        for text in write(at) {
            let at_ms = at * SECOND_MS;
            prop_assert_eq!(http_date::parse(&text, at_ms), Some(at_ms), "{}", text);
        }
    }

    #[test]
    fn a_two_digit_year_lies_between_fifty_years_ago_and_ahead(
        at in IN_1900..IN_2101,
        now in IN_1900 + 50 * 366 * DAY_SECONDS..IN_2101,
    ) {
        let [_, rfc_850, _] = write(at);
        // 29 February may not exist in the year that is meant.
        if let Some(read_ms) = http_date::parse(&rfc_850, now * SECOND_MS) {
            let days = (read_ms - now * SECOND_MS) / SECOND_MS / DAY_SECONDS;
            prop_assert!((-50 * 366..=50 * 366).contains(&days), "{}: {} days", rfc_850, days);
        }
    }

    #[test]
    fn a_wait_is_what_the_digits_say_rounded_up(digits in "[0-9]{1,30}", places in "[0-9]{0,20}") {
        let text = if places.is_empty() { digits.clone() } else { format!("{digits}.{places}") };
        // The point moved three places to the right, or none, and what is then still behind it.
        let fields = [("retry-after", 3), ("retry-after-ms", 0), ("x-ms-retry-after-ms", 0)];
        for (name, moved) in fields {
            let padded = format!("{places:0<3}");
            let (front, behind) = padded.split_at(moved);
            let finer = behind.bytes().any(|digit| digit != b'0');
            let exact = format!("{digits}{front}").parse::<u128>().unwrap() + u128::from(finer);
            let read = retry_after_ms(&Only(&[(name, &text)]), 0).unwrap();
            let is_right = u128::from(read) == exact || read == u64::MAX && exact > 1 << 63;
            prop_assert!(is_right, "{}: {} gives {}", name, text, read);
        }
    }

    #[test]
    fn joined_waits_are_the_longest_of_them(
        seconds in prop::collection::vec(0_u64..1_000_000, 1..5),
    ) {
        let text = seconds.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
        let read = retry_after_ms(&Only(&[("retry-after", &text)]), 0);
        prop_assert_eq!(read, seconds.iter().max().map(|most| most * 1000));
    }

    #[test]
    fn a_date_is_a_wait_from_the_servers_own_clock(
        at in IN_1900..IN_2101,
        sent in IN_1900..IN_2101,
        skew_ms: i32,
    ) {
        let [until, _, _] = write(at);
        let [date, _, _] = write(sent);
        let now_ms = sent * SECOND_MS + i64::from(skew_ms);
        let read = retry_after_ms(&Only(&[("retry-after", &until), ("date", &date)]), now_ms);
        prop_assert_eq!(read, Some(u64::try_from((at - sent) * SECOND_MS).unwrap_or(0)));
    }
}
