//! The query options of a list read: `$top`, `$skiptoken`, `$filter` by equality, `$select`. Others are ignored, as an
//! order other than by id is of no use to the tests.

use form_urlencoded::Serializer;
use serde_json::{Map, Value};

use super::literal;
use crate::request::Head;

const MAX_TOP: usize = 5000;

pub struct Query {
    pub top: usize,
    /// The id of the last item of the page before.
    pub after: u64,
    filter: Option<(String, Value)>,
    select: Option<Vec<String>>,
}

impl Query {
    pub fn of(head: &Head, page_size: usize) -> Result<Self, String> {
        let top = match head.parameter("$top") {
            Some(text) => text.parse().map_err(|_| format!("$top is a number, not {text}."))?,
            None => page_size,
        };
        let after = match head.parameter("$skiptoken") {
            Some(token) => last_id(&token).ok_or_else(|| format!("$skiptoken is not one of ours: {token}."))?,
            None => 0,
        };
        let filter = match head.parameter("$filter") {
            Some(text) => {
                Some(equality(&text).ok_or_else(|| format!("$filter is played as `Field eq 'value'` only: {text}."))?)
            }
            None => None,
        };
        let select =
            head.parameter("$select").map(|names| names.split(',').map(|name| name.trim().to_owned()).collect());
        Ok(Self { top: top.clamp(1, MAX_TOP), after, filter, select })
    }

    pub fn admits(&self, fields: &Map<String, Value>) -> bool {
        self.filter.as_ref().is_none_or(|(name, value)| fields.get(name) == Some(value))
    }

    pub fn selected(&self, fields: &Map<String, Value>) -> Map<String, Value> {
        let chosen = |name: &String| self.select.as_ref().is_none_or(|names| names.contains(name));
        fields.iter().filter(|(name, _)| chosen(name)).map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    /// The same read, beginning after this item; all that is not paging stays in the query.
    pub fn next_link(&self, head: &Head, last: u64) -> String {
        let mut query = Serializer::new(String::new());
        query.extend_pairs(head.parameters().filter(|(name, _)| name != "$top" && name != "$skiptoken"));
        query.append_pair("$skiptoken", &format!("Paged=TRUE&p_ID={last}"));
        query.append_pair("$top", &self.top.to_string());
        format!("{}{}{}?{}", head.origin, head.prefix, head.raw_path, query.finish())
    }
}

/// `Paged=TRUE&p_ID=100`
fn last_id(token: &str) -> Option<u64> {
    token.split('&').find_map(|pair| pair.strip_prefix("p_ID="))?.parse().ok()
}

/// `Title eq 'it''s'` or `Id eq 7`
fn equality(text: &str) -> Option<(String, Value)> {
    let (name, value) = text.trim().split_once(" eq ")?;
    let value = match literal::leading(value) {
        Some((value, "")) => Value::from(value),
        Some(_) => return None,
        None => Value::from(value.parse::<i64>().ok()?),
    };
    Some((name.to_owned(), value))
}

#[cfg(test)]
mod tests {
    use super::{equality, last_id};
    use serde_json::Value;

    #[test]
    fn only_an_equality_is_a_filter() {
        assert_eq!(equality("Title eq 'it''s'"), Some(("Title".to_owned(), Value::from("it's"))));
        assert_eq!(equality("Id eq 7"), Some(("Id".to_owned(), Value::from(7))));
        for text in ["Title ne 'x'", "Title eq x", "Title eq 'x' or 1 eq 1", "startswith(Title,'x')", ""] {
            assert_eq!(equality(text), None, "{text}");
        }
    }

    #[test]
    fn the_token_names_the_last_item() {
        assert_eq!(last_id("Paged=TRUE&p_ID=100"), Some(100));
        assert_eq!(last_id("Paged=TRUE"), None);
    }
}
