//! Scripting a single request by its own query, for the hand and for the lab page:
//! `?status=429&retry-after=2&delay=300&times=1`. Each name stands for a field of a step.

use serde_json::{Map, Value, json};

use super::Step;
use crate::request::Head;

/// `None`: the query scripts nothing. `Err` is a sentence that names the parameter.
pub fn step(head: &Head) -> Result<Option<Step>, String> {
    let (mut fields, mut headers) = (Map::new(), Map::new());
    for (name, value) in head.parameters() {
        let field = match name.as_str() {
            "status" | "times" => (name.as_str(), number(&name, &value)?),
            "chunks" => ("chunks", number(&name, &value)?),
            "delay" => ("delayMs", number(&name, &value)?),
            "every" => ("chunkEveryMs", number(&name, &value)?),
            "apply" | "hold" => (name.as_str(), flag(&name, &value)?),
            "drop" | "stall" | "page" | "redirect" => (name.as_str(), Value::from(value)),
            "cors" => ("cors", flag(&name, &value)?),
            "expose" => ("cors", json!({ "expose": value.split(',').collect::<Vec<_>>() })),
            "retry-after" => {
                headers.insert(name, Value::from(value));
                continue;
            }
            "header" => {
                let (header, value) = value.split_once(':').ok_or("The parameter `header` has the form Name:value.")?;
                headers.insert(header.to_owned(), Value::from(value.trim()));
                continue;
            }
            _ => continue,
        };
        fields.insert(field.0.to_owned(), field.1);
    }
    if !headers.is_empty() {
        fields.insert("headers".to_owned(), Value::Object(headers));
    }
    if fields.is_empty() {
        return Ok(None);
    }
    let step = serde_path_to_error::deserialize::<_, Step>(Value::Object(fields));
    step.map(Some).map_err(|error| format!("The query's `{}`: {}.", error.path(), error.inner()))
}

fn number(name: &str, value: &str) -> Result<Value, String> {
    value.parse::<u64>().map(Value::from).map_err(|_| format!("The parameter `{name}` is a number, not `{value}`."))
}

fn flag(name: &str, value: &str) -> Result<Value, String> {
    value
        .parse::<bool>()
        .map(Value::from)
        .map_err(|_| format!("The parameter `{name}` is true or false, not `{value}`."))
}
