//! Faults by chance, for tests of thousands of calls. Chance is a function of the seed, the call and how often the call
//! was seen, so a run repeats itself however its requests interleave.

use std::collections::HashMap;

use serde::Deserialize;

use super::{Filter, Step, field::Share};

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Random {
    seed: u64,
    /// Of the matching requests that meet a fault.
    share: Share,
    /// Faults that one call meets one after the other; then it gets through.
    max_in_a_row: Option<u32>,
    #[serde(rename = "match")]
    pub filter: Filter,
    faults: Vec<Fault>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Fault {
    /// How often this fault is drawn, relative to the others.
    #[serde(default = "one")]
    weight: u32,
    /// How often one call meets this fault at all.
    #[serde(default)]
    max_per_call: Option<u32>,
    step: Step,
}

fn one() -> u32 {
    1
}

/// What one call has met so far.
#[derive(Debug, Default)]
pub struct Met {
    seen: u64,
    in_a_row: u32,
    times: HashMap<usize, u32>,
}

impl Random {
    pub fn draw(&self, call: &str, met: &mut Met) -> Option<(usize, &Step)> {
        let mut dice = Dice::new(self.seed, call, met.seen);
        met.seen += 1;
        let spared = self.max_in_a_row.is_some_and(|most| met.in_a_row >= most);
        let drawn = if spared || dice.unit() >= self.share.0 { None } else { self.pick(&mut dice, met) };
        match drawn {
            Some((index, _)) => {
                met.in_a_row += 1;
                *met.times.entry(index).or_default() += 1;
            }
            None => met.in_a_row = 0,
        }
        drawn
    }

    /// One of the faults this call may still meet, by weight.
    fn pick(&self, dice: &mut Dice, met: &Met) -> Option<(usize, &Step)> {
        let open = |index: usize, fault: &Fault| {
            let met = met.times.get(&index).copied().unwrap_or_default();
            fault.max_per_call.is_none_or(|most| met < most)
        };
        let open: Vec<_> = self.faults.iter().enumerate().filter(|(index, fault)| open(*index, fault)).collect();
        let total: f64 = open.iter().map(|(_, fault)| f64::from(fault.weight)).sum();
        let mut left = dice.unit() * total;
        for (index, fault) in open {
            left -= f64::from(fault.weight);
            if left < 0.0 {
                return Some((index, &fault.step));
            }
        }
        None
    }
}

/// SplitMix64, seeded with an FNV-1a hash of the call.
struct Dice(u64);

impl Dice {
    fn new(seed: u64, call: &str, seen: u64) -> Self {
        let start = 0xcbf2_9ce4_8422_2325 ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let words = call.bytes().chain(seen.to_le_bytes());
        Self(words.fold(start, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)))
    }

    /// At least 0 and below 1.
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::{Met, Random};

    fn random(json: &str) -> Random {
        serde_json::from_str(json).unwrap()
    }

    fn draws(random: &Random, call: &str, count: usize) -> Vec<Option<usize>> {
        let mut met = Met::default();
        (0..count).map(|_| random.draw(call, &mut met).map(|(index, _)| index)).collect()
    }

    const TWO: &str = r#""faults":[{"step":{"status":429}},{"weight":3,"step":{"status":503}}]"#;

    #[test]
    fn the_same_seed_draws_the_same_and_another_seed_does_not() {
        let with_seed = |seed: u64| random(&format!(r#"{{"seed":{seed},"share":0.5,{TWO}}}"#));
        assert_eq!(draws(&with_seed(7), "GET /a?", 200), draws(&with_seed(7), "GET /a?", 200));
        assert_ne!(draws(&with_seed(7), "GET /a?", 200), draws(&with_seed(8), "GET /a?", 200));
        assert_ne!(draws(&with_seed(7), "GET /a?", 200), draws(&with_seed(7), "GET /b?", 200));
    }

    #[test]
    fn share_and_weights_are_met_over_many_calls() {
        let random = random(&format!(r#"{{"seed":1,"share":0.333,{TWO}}}"#));
        let first: Vec<_> = (0..10_000).map(|call| draws(&random, &call.to_string(), 1)[0]).collect();
        let count = |wanted| first.iter().filter(|drawn| **drawn == wanted).count();
        assert!((6_500..6_850).contains(&count(None)), "{}", count(None));
        assert!((700..970).contains(&count(Some(0))), "{}", count(Some(0)));
        assert!((2_350..2_650).contains(&count(Some(1))), "{}", count(Some(1)));
    }

    #[test]
    fn a_call_meets_no_more_in_a_row_and_of_a_kind_than_allowed() {
        let bounded = random(
            r#"{"seed":1,"share":1,"maxInARow":2,"faults":[{"maxPerCall":1,"weight":9,"step":{}},{"step":{}}]}"#,
        );
        let drawn = draws(&bounded, "GET /a?", 30);
        for (place, fault) in drawn.iter().enumerate() {
            assert_eq!(fault.is_none(), place % 3 == 2, "{drawn:?}");
        }
        assert_eq!(drawn.iter().filter(|fault| **fault == Some(0)).count(), 1, "{drawn:?}");
    }
}
