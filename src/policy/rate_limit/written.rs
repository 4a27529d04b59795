//! What goes out to JavaScript, as one recursive type, so that serde's code for an object exists once and not once for
//! every type of member. What serde derives for structs takes serde-wasm-bindgen still another way: through a hash
//! table of names, and through numbers of 64 bits whose digits can be printed. Together that weighed 3 KB.

use serde::{Serialize, Serializer};

/// A value of an object that is written out.
pub(super) enum Written<'a> {
    Number(Option<u64>),
    Text(Option<&'a str>),
    List(Option<Vec<Written<'a>>>),
    Object(Vec<(&'static str, Written<'a>)>),
}

impl Serialize for Written<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Written::Number(Some(number)) => match u32::try_from(*number) {
                Ok(small) => serializer.serialize_u32(small),
                Err(_) => serializer.serialize_f64(*number as f64),
            },
            Written::Text(Some(text)) => serializer.serialize_str(text),
            Written::List(Some(list)) => serializer.collect_seq(list),
            Written::Object(members) => serializer.collect_map(members.iter().map(|(name, value)| (*name, value))),
            Written::Number(None) | Written::Text(None) | Written::List(None) => serializer.serialize_unit(),
        }
    }
}
