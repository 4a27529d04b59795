//! Idempotency keys as a careful back end keeps them.

use std::{
    collections::HashMap,
    hash::{BuildHasher, RandomState},
};

use tokio::time::Instant;

use crate::answer::Answer;

#[derive(Default)]
pub struct Keys {
    first: HashMap<String, First>,
    hasher: RandomState,
}

/// The first request with a key.
struct First {
    body: u64,
    answered: Instant,
    answer: Answer,
}

pub enum Known {
    Running,
    OtherBody,
    Answered(Answer),
}

impl Keys {
    pub fn look_up(&self, key: &str, body: &[u8], now: Instant) -> Option<Known> {
        let first = self.first.get(key)?;
        Some(match first {
            first if first.body != self.hasher.hash_one(body) => Known::OtherBody,
            first if now < first.answered => Known::Running,
            first => Known::Answered(first.answer.clone()),
        })
    }

    pub fn remember(&mut self, key: &str, body: &[u8], answered: Instant, answer: &Answer) {
        let first = First { body: self.hasher.hash_one(body), answered, answer: answer.clone() };
        self.first.insert(key.to_owned(), first);
    }
}
