//! `tests/decision_table.md` played through the flow: every combination of its words that can occur.
//!
//! The table says what has to happen, this file only what the words mean: a [`Case`] is a choice of one word for each
//! column, and [`Case::plays`] are the calls in which an attempt ends like that.

use super::*;
use crate::fake_host::{FakeHost, Step, network, status};
use crate::host::Said;
use crate::policy::fields::sample::Sample;
use crate::policy::page::Page;
use crate::policy::request;
use std::collections::HashSet;
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const TABLE: &str = include_str!("../../tests/decision_table.md");

/// The words of each column.
const WORDS: [&[&str]; 9] = [
    &["sp", "ai"],
    &["GET", "HEAD", "get", "GET as get", "GET as MERGE", "POST", "POST as GET", "PUT", "PATCH", "DELETE", "MERGE"],
    &[
        "0",
        "200",
        "204",
        "206",
        "304",
        "400",
        "401",
        "403",
        "404",
        "408",
        "409",
        "412",
        "422",
        "423",
        "429",
        "500",
        "501",
        "502",
        "503",
        "504",
        "529",
        "429 quota",
        "409 our key",
        "409 running",
        "403 digest",
        "network",
        "network again",
        "no time",
        "no time again",
        "deadline",
        "login page",
        "throttle page",
        "other page",
        "unreadable",
    ],
    &["fast", "2 s apart", "4 999", "5 000", "29 999", "30 000", "40 000", "slept"],
    &["yes", "no"],
    &["replayable", "once"],
    &["none", "0", "fits", "too long", "in body"],
    &["nobody", "yes", "no", "header yes", "header no"],
    &["no", "yes"],
];

/// One word for each column.
#[derive(Clone, Copy, Debug)]
struct Case {
    kind: Kind,
    method: &'static str,
    ended: &'static str,
    took: &'static str,
    left: &'static str,
    body: &'static str,
    hint: &'static str,
    asked: &'static str,
    stacked: bool,
    words: [&'static str; 9],
}

/// A call in which an attempt ends as its case says.
struct Play {
    plan: Plan,
    /// What the attempts before it met.
    before: Vec<Step>,
    step: Step,
}

impl Case {
    fn all() -> impl Iterator<Item = Case> {
        let count = WORDS.iter().map(|words| words.len()).product();
        // All methods at every speed would be a million calls.
        let brief = |case: &Case| case.took == "fast" || matches!(case.method, "GET" | "POST");
        (0..count).map(Case::nth).filter(move |case| case.can_occur() && brief(case))
    }

    fn nth(mut number: usize) -> Case {
        let words = WORDS.map(|words| {
            let word = words[number % words.len()];
            number /= words.len();
            word
        });
        let [kind, method, ended, took, left, body, hint, asked, stacked] = words;
        let (kind, stacked) = (if kind == "sp" { Kind::Sp } else { Kind::Ai }, stacked == "yes");
        Case { kind, method, ended, took, left, body, hint, asked, stacked, words }
    }

    fn can_occur(&self) -> bool {
        let failed = self.ended.starts_with(['4', '5']);
        (failed || self.hint == "none" && !self.asked.starts_with("header"))
            && (self.body == "replayable" || !self.is_bodiless())
            && match self.ended {
                "409 our key" | "409 running" => self.kind == Kind::Ai && !self.is_bodiless(),
                "403 digest" => self.kind == Kind::Sp && !self.is_bodiless(),
                _ => true,
            }
            && (self.before().is_empty() || self.can_repeat())
    }

    /// Whether a first attempt that failed fast would be repeated.
    fn can_repeat(&self) -> bool {
        (self.kind == Kind::Ai || self.is_read()) && self.body == "replayable" && !self.stacked && self.asked != "no"
    }

    fn is_bodiless(&self) -> bool {
        self.method.starts_with("GET") || matches!(self.method, "HEAD" | "get")
    }

    fn is_read(&self) -> bool {
        match self.method.split_once(" as ") {
            Some((method, named)) => request::is_read(method, &Sample(&[("x-http-method", named)])),
            None => request::is_read(self.method, &Sample(&[])),
        }
    }

    /// What has to come first for the attempt to end like this.
    fn before(&self) -> Vec<Step> {
        if self.ended.ends_with("again") || self.ended == "409 running" { vec![network(0.0)] } else { vec![] }
    }

    /// The calls to play: no repeats may be left because none were allowed or because they are used up, and a wait
    /// fits into the time left easily or just so.
    fn plays(&self) -> Vec<Play> {
        let may_be_used_up = self.left == "no" && self.can_repeat() && self.ended != "deadline";
        let may_be_tight = matches!(self.hint, "fits" | "too long");
        let ways = [(false, false), (true, false), (false, true), (true, true)].into_iter();
        ways.filter(|(used_up, tight)| (may_be_used_up || !used_up) && (may_be_tight || !tight))
            .map(|(used_up, tight)| self.play(used_up, tight))
            .collect()
    }

    fn play(&self, used_up: bool, tight: bool) -> Play {
        let (takes_ms, sleeps_ms) = match self.took {
            "fast" => (10.0, 0.0),
            "2 s apart" => (10.0, 2_000.0),
            "slept" => (10.0, 2_001.0),
            ms => (ms.replace(' ', "").parse().unwrap(), 0.0),
        };
        let mut before = self.before();
        before.extend(used_up.then(|| status(503, 0.0)));

        let reads = request::names_read(self.method.split(' ').next().unwrap());
        let mut plan = Plan::new(self.kind, reads);
        if self.left == "no" {
            plan.max_retries = before.len() as f64;
        }
        plan.replayable = self.body == "replayable";
        // A 409 to a new key's first attempt is about somebody else.
        plan.keyed = plan.kind == Kind::Ai && !self.is_bodiless() && (self.ended != "409" || before.is_empty());
        plan.key_is_callers = self.ended == "409 our key";

        let mut step = Step { sleeps_ms, ..network(takes_ms) };
        match self.ended {
            "network" | "network again" => {}
            "no time" | "no time again" => (plan.attempt_ms, step.takes_ms) = (takes_ms, 1e9),
            "deadline" => (plan.total_ms, step.takes_ms) = (takes_ms, 1e9),
            _ => {
                // The 503 that used a repeat up was followed by its least wait. A read is forgiven what it slept.
                let gone = takes_ms + if used_up { 1_000.0 } else { 0.0 };
                let slept = if plan.kind == Kind::Sp && plan.read && sleeps_ms > 2_000.0 { 0.0 } else { sleeps_ms };
                let longest = plan.total_ms.min(1e9) - gone - slept - plan.min_attempt_ms;
                self.answer(&mut step, if tight { longest } else { 2_000.0 }, if tight { longest + 1.0 } else { 1e19 });
            }
        }
        Play { plan, before, step }
    }

    fn answer(&self, step: &mut Step, fitting_ms: f64, too_long_ms: f64) {
        let page = match self.ended {
            "login page" => Some(Page::Login),
            "throttle page" => Some(Page::Throttle),
            "other page" => Some(Page::Html),
            _ => None,
        };
        let code = self.ended.split(' ').next().unwrap().parse().ok();
        let hint_ms = match self.hint {
            "0" => Some(0.0),
            "fits" => Some(fitting_ms),
            "too long" => Some(too_long_ms),
            _ => None,
        };
        let should_retry = match self.asked {
            "header yes" => Some(true),
            "header no" => Some(false),
            _ => None,
        };
        let status = if page.is_some() { Some(200) } else { code };
        step.answer = Some(Facts { status, hint_ms, should_retry, page, hint_hidden: false });
        step.said = Said { quota: self.ended == "429 quota", wait_ms: (self.hint == "in body").then_some(2_000.0) };
        step.digest_expired = self.ended == "403 digest";
    }
}

impl Play {
    /// Whether the call is repeated, or why it stops.
    fn decision(self, case: &Case) -> &'static str {
        let Play { plan, before, step } = self;
        let earlier = before.len();
        let host = FakeHost::new(before.into_iter().chain([step.clone(), status(200, 0.0)]));
        host.read.set(case.is_read());
        host.stacked.set(case.stacked);
        host.says.set(match case.asked {
            "yes" => Some(true),
            "no" => Some(false),
            _ => None,
        });
        let (end, account) = host.run(&plan);
        assert_eq!(host.attempts.borrow().len(), host.sends(), "every send is on the account: {case:?}");
        if host.sends() > earlier + 1 {
            assert_eq!((host.sends(), account.stop), (earlier + 2, Stop::Success), "{case:?}");
            return "repeat";
        }
        assert_eq!(host.sends(), earlier + 1, "{case:?}");
        match end {
            End::Answer(answer) => assert_eq!(answer.answer, step.answer, "the answer in hand: {case:?}"),
            _ => assert!(step.answer.is_none() || case.ended == "deadline", "an answer was lost: {case:?}"),
        }
        account.stop.name()
    }
}

/// A row: the words that fit each column (empty: any), and the decision.
struct Row {
    line: &'static str,
    fits: Vec<HashSet<&'static str>>,
    decision: &'static str,
}

impl Row {
    fn fits(&self, words: &[&str; 9]) -> bool {
        self.fits.iter().zip(words).all(|(fits, word)| fits.is_empty() || fits.contains(word))
    }
}

fn cells(line: &'static str) -> Vec<&'static str> {
    line.trim_matches('|').split('|').map(str::trim).collect()
}

/// The lines of the table with this heading.
fn table(heading: &'static str) -> impl Iterator<Item = &'static str> {
    let mut lines = TABLE.lines().skip_while(move |line| !line.starts_with(heading));
    assert!(lines.next().is_some(), "no table begins with {heading}");
    lines.skip(1).take_while(|line| line.starts_with('|'))
}

fn rows() -> Vec<Row> {
    let shorts: Vec<_> = table("| short |").map(cells).collect();
    let meaning = |word: &'static str| {
        shorts.iter().find(|short| short[0] == word).map_or(vec![word], |short| short[1].split(", ").collect())
    };
    let parse = |line: &'static str| {
        let mut cells = cells(line);
        let decision = cells.pop().unwrap();
        assert_eq!(cells.len(), WORDS.len(), "{line}");
        let fits = cells.into_iter().zip(WORDS).map(|(cell, known)| {
            let words = cell.split(", ").filter(|word| *word != "*").flat_map(meaning).collect::<HashSet<_>>();
            assert!(words.iter().all(|word| known.contains(word)), "{cell:?} has an unknown word: {line}");
            words
        });
        Row { line, fits: fits.collect(), decision }
    };
    table("| kind |").map(parse).collect()
}

#[test]
fn every_combination_is_decided_as_the_table_says() {
    let rows = rows();
    let mut used = vec![false; rows.len()];
    let mut played = 0;
    for case in Case::all() {
        let Some(at) = rows.iter().position(|row| row.fits(&case.words)) else { panic!("no row for {case:?}") };
        used[at] = true;
        for play in case.plays() {
            played += 1;
            assert_eq!(play.decision(&case), rows[at].decision, "{case:?}\n{}", rows[at].line);
        }
    }
    for (row, used) in rows.iter().zip(used) {
        assert!(used, "no combination gets as far as this row: {}", row.line);
    }
    assert!(played > 50_000, "only {played} combinations");
}
