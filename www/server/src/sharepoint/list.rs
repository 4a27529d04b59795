//! One list: its items in the order of their ids, which are never given twice.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};
use tokio::time::Instant;

use super::Seen;

/// What a list holds at the beginning: so many items titled `Orders 1`, `Orders 2` …, or the given ones.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Value")]
pub enum ListSeed {
    Count(u64),
    Items(Vec<Map<String, Value>>),
}

impl ListSeed {
    const MAX_ITEMS: u64 = 100_000;
}

impl TryFrom<Value> for ListSeed {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        let wanted = || format!("a list holds a number of items up to {}, or a list of objects", Self::MAX_ITEMS);
        match value {
            Value::Number(number) => {
                number.as_u64().filter(|count| *count <= Self::MAX_ITEMS).map(Self::Count).ok_or_else(wanted)
            }
            items => serde_json::from_value(items).map(Self::Items).map_err(|_| wanted()),
        }
    }
}

#[derive(Default)]
pub struct List {
    items: BTreeMap<u64, Item>,
    last_id: u64,
}

pub struct Item {
    pub fields: Map<String, Value>,
    pub version: u32,
    /// `None`: it was always there.
    created: Option<Instant>,
}

impl Item {
    pub fn is_visible(&self, seen: Seen) -> bool {
        self.created.is_none_or(|created| seen.now.duration_since(created) >= seen.stale)
    }

    pub fn change(&mut self, fields: Map<String, Value>) {
        let id = self.fields.get("Id").cloned();
        self.fields.extend(fields);
        id.map(|id| self.fields.insert("Id".to_owned(), id));
        self.version += 1;
    }
}

impl List {
    pub fn seeded(title: &str, seed: &ListSeed) -> Self {
        let mut list = Self::default();
        match seed {
            ListSeed::Count(count) => {
                for n in 1..=*count {
                    list.add(Map::from_iter([("Title".to_owned(), Value::from(format!("{title} {n}")))]), None);
                }
            }
            ListSeed::Items(items) => {
                for fields in items {
                    list.add(fields.clone(), None);
                }
            }
        }
        list
    }

    pub fn create(&mut self, fields: Map<String, Value>, now: Instant) -> (u64, &Item) {
        self.add(fields, Some(now))
    }

    fn add(&mut self, mut fields: Map<String, Value>, created: Option<Instant>) -> (u64, &Item) {
        self.last_id += 1;
        fields.insert("Id".to_owned(), Value::from(self.last_id));
        let item = Item { fields, version: 1, created };
        (self.last_id, self.items.entry(self.last_id).or_insert(item))
    }

    /// Whether an item has this value in this field, seen by reads or not.
    pub fn holds(&self, name: &str, value: Option<&Value>) -> bool {
        value.is_some() && self.items.values().any(|item| item.fields.get(name) == value)
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    pub fn all(&self) -> Vec<&Map<String, Value>> {
        self.items.values().map(|item| &item.fields).collect()
    }

    /// The items after an id that a read sees.
    pub fn visible(&self, after: u64, seen: Seen) -> impl Iterator<Item = (&u64, &Item)> {
        self.items.range(after.saturating_add(1)..).filter(move |(_, item)| item.is_visible(seen))
    }

    pub fn get_mut(&mut self, id: u64) -> Option<&mut Item> {
        self.items.get_mut(&id)
    }

    pub fn delete(&mut self, id: u64) {
        self.items.remove(&id);
    }
}
