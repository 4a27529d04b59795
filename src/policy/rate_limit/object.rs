//! Objects for JavaScript, written member by member. What serde derives for a struct takes serde-wasm-bindgen another way:
//! through a cache of names that is a hash table, and through numbers of 64 bits whose digits can be printed. In the
//! package that weighs 2 KB.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// The object that is being written.
pub(super) struct Members<M>(M);

pub(super) fn write<S: Serializer>(
    serializer: S,
    members: impl FnOnce(&mut Members<S::SerializeMap>) -> Result<(), S::Error>,
) -> Result<S::Ok, S::Error> {
    let mut object = Members(serializer.serialize_map(None)?);
    members(&mut object)?;
    object.0.end()
}

impl<M: SerializeMap> Members<M> {
    /// A member of any type.
    pub fn member(&mut self, name: &str, value: &impl Serialize) -> Result<(), M::Error> {
        self.0.serialize_entry(name, value)
    }

    /// A number, or null.
    pub fn number(&mut self, name: &str, value: Option<u64>) -> Result<(), M::Error> {
        match value.map(|number| (u32::try_from(number), number)) {
            Some((Ok(small), _)) => self.member(name, &small),
            Some((Err(_), large)) => self.member(name, &(large as f64)),
            None => self.member(name, &()),
        }
    }
}
