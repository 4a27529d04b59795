//! The simulation itself: every call ends, the same seed is the same storm, and known cases come out as known.

use crate::contender::{AI, Contender, SP};
use crate::figures::Figures;
use crate::scenario::{BURSTS, Crowd, QUIET, STEADY, Scenario};

fn small(crowd: Crowd) -> Crowd {
    Crowd { pages: 60, ..crowd }
}

fn scenarios() -> Vec<Scenario> {
    let crowds = [STEADY, QUIET, BURSTS].map(small);
    let mut all: Vec<Scenario> = crowds.map(Scenario::outage).into();
    all.extend(crowds.map(|crowd| Scenario::overload("overload", crowd, true, Some(429))));
    all.push(Scenario::unreachable(crowds[0]));
    all.push(Scenario::window(crowds[0]));
    all.push(Scenario::hiccups(crowds[0]));
    all
}

#[test]
fn every_call_of_everybody_ends_exactly_once() {
    for scenario in scenarios() {
        for contender in Contender::all() {
            let measure = scenario.run(7, &*contender.on(scenario.crowd.pages));
            assert!(measure.calls() > 0);
            assert_eq!(measure.calls(), measure.ended, "{} {}", contender.name(), scenario.name);
        }
    }
}

#[test]
fn the_same_seed_is_the_same_storm_and_another_is_another() {
    let scenario = Scenario::overload("overload", small(STEADY), true, None);
    for contender in Contender::all() {
        let figures = |seed| Figures::of(&scenario, &contender, seed);
        assert_eq!(figures(3), figures(3), "{}", contender.name());
        assert_ne!(figures(3), figures(4), "{}", contender.name());
    }
}

#[test]
fn all_contenders_get_the_same_calls() {
    let scenario = Scenario::outage(small(STEADY));
    let begun = |contender: &Contender| scenario.run(5, &*contender.on(scenario.crowd.pages)).begun;
    let never = begun(&Contender::never_repeating());
    for contender in Contender::all() {
        assert!(begun(&contender) == never, "{}", contender.name());
    }
}

#[test]
fn never_repeating_sends_each_call_once_and_naive_loops_send_a_failing_one_four_times() {
    let scenario = Scenario::outage(small(STEADY));
    let figures: Vec<_> = Contender::all().iter().map(|contender| Figures::of(&scenario, contender, 1)).collect();
    assert_eq!((figures[0].amplification, figures[0].rescued, figures[0].back_s), (1.0, 0.0, Some(0.0)));
    assert!((figures[1].amplification - 4.0).abs() < 0.05, "{}", figures[1].amplification);
}

#[test]
fn an_overloaded_server_answers_three_in_four_of_those_who_never_repeat() {
    let figures = Figures::of(&Scenario::overload("overload", STEADY, false, None), &Contender::never_repeating(), 1);
    assert!((figures.rescued - 1.0 / 1.33).abs() < 0.005, "{}", figures.rescued);
}

#[test]
fn no_page_repeats_more_than_its_budget_allows() {
    for scenario in scenarios() {
        for contender in [SP, AI] {
            let figures = Figures::of(&scenario, &contender, 1);
            assert!(figures.beyond_budget <= 0.0, "{} {}", contender.name(), scenario.name);
        }
    }
    // A count that would notice.
    let naive = Figures::of(&Scenario::outage(small(STEADY)), &Contender::all()[1], 1);
    assert!(naive.beyond_budget > 0.0);
}
