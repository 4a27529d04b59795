//! The small values of a script, each refused where it is read so that the refusal carries the name of its field.

use std::collections::BTreeMap;

use hyper::{
    HeaderMap, StatusCode,
    header::{HeaderName, HeaderValue},
};
use serde::{Deserialize, Deserializer, de};
use serde_json::Value;

/// A status that ends a request: 1xx would not.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "u16")]
pub struct Status(pub StatusCode);

impl TryFrom<u16> for Status {
    type Error = String;

    fn try_from(code: u16) -> Result<Self, String> {
        match StatusCode::from_u16(code) {
            Ok(status) if (200..600).contains(&code) => Ok(Self(status)),
            _ => Err(format!("{code} is not a status from 200 to 599")),
        }
    }
}

/// Milliseconds before the time scale, at most a day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "u64")]
pub struct Ms(pub u64);

impl TryFrom<u64> for Ms {
    type Error = String;

    fn try_from(ms: u64) -> Result<Self, String> {
        if ms <= 86_400_000 { Ok(Self(ms)) } else { Err(format!("{ms} ms is more than a day")) }
    }
}

/// A part of one.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(try_from = "f64")]
pub struct Share(pub f64);

impl TryFrom<f64> for Share {
    type Error = String;

    fn try_from(share: f64) -> Result<Self, String> {
        if (0.0..=1.0).contains(&share) { Ok(Self(share)) } else { Err(format!("{share} is not between 0 and 1")) }
    }
}

/// `{ "retry-after": 2, "x": ["a", "b"] }`: a text, a number, or a list of them for a header sent more than once.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(try_from = "BTreeMap<String, Value>")]
pub struct HeaderLines(Vec<(HeaderName, Vec<HeaderValue>)>);

impl TryFrom<BTreeMap<String, Value>> for HeaderLines {
    type Error = String;

    fn try_from(map: BTreeMap<String, Value>) -> Result<Self, String> {
        let lines = map.into_iter().map(|(name, value)| {
            let header =
                HeaderName::from_bytes(name.as_bytes()).map_err(|_| format!("`{name}` is not a header name"))?;
            let values = match value {
                Value::Array(values) => values,
                value => vec![value],
            };
            let values = values.iter().map(header_value).collect::<Option<_>>();
            Ok((header, values.ok_or_else(|| format!("`{name}` has a value that no header can have"))?))
        });
        lines.collect::<Result<_, _>>().map(Self)
    }
}

impl HeaderLines {
    /// Puts the lines in the place of those of the same names.
    pub fn replace_in(&self, headers: &mut HeaderMap) {
        for (name, values) in &self.0 {
            headers.remove(name);
            for value in values {
                headers.append(name, value.clone());
            }
        }
    }
}

fn header_value(value: &Value) -> Option<HeaderValue> {
    match value {
        Value::String(text) => HeaderValue::from_str(text).ok(),
        Value::Number(number) => HeaderValue::from_str(&number.to_string()).ok(),
        _ => None,
    }
}

pub fn up_to<'de, const MAX: usize, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    let number = usize::deserialize(deserializer)?;
    if number <= MAX { Ok(number) } else { Err(de::Error::custom(format!("{number} is more than {MAX}"))) }
}
