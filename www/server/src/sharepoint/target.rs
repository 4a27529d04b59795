//! What a request to `_api` is about, read from its path.

use super::literal;

#[derive(Debug, PartialEq, Eq)]
pub enum Target {
    ContextInfo,
    Web,
    List(String),
    Items(String),
    Item(String, u64),
}

impl Target {
    /// `/sites/a/_api/web/lists/getbytitle('Orders')/items(3)` → the item; method names in any case.
    pub fn of(path: &str) -> Option<Self> {
        let (_, rest) = path.split_once("/_api/")?;
        if rest.eq_ignore_ascii_case("contextinfo") {
            return Some(Self::ContextInfo);
        }
        if rest.eq_ignore_ascii_case("web") {
            return Some(Self::Web);
        }
        let rest = strip_prefix_ignoring_case(rest, "web/lists/getbytitle(")?;
        let (title, rest) = literal::leading(rest)?;
        let rest = rest.strip_prefix(')')?;
        if rest.is_empty() {
            return Some(Self::List(title));
        }
        let rest = strip_prefix_ignoring_case(rest, "/items")?;
        if rest.is_empty() {
            return Some(Self::Items(title));
        }
        let id = strip_prefix_ignoring_case(rest, "/getbyid(").or_else(|| rest.strip_prefix('('))?.strip_suffix(')')?;
        Some(Self::Item(title, id.parse().ok()?))
    }
}

fn strip_prefix_ignoring_case<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let (start, rest) = text.split_at_checked(prefix.len())?;
    start.eq_ignore_ascii_case(prefix).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::Target;

    #[test]
    fn addresses_are_told_apart() {
        let orders = || "Orders".to_owned();
        for (path, target) in [
            ("/sites/a/_api/contextinfo", Some(Target::ContextInfo)),
            ("/_api/Web", Some(Target::Web)),
            ("/sites/a/_api/web/lists/GetByTitle('Orders')", Some(Target::List(orders()))),
            ("/sites/a/_api/web/lists/getbytitle('Orders')/items", Some(Target::Items(orders()))),
            ("/_api/web/lists/getbytitle('Orders')/items(7)", Some(Target::Item(orders(), 7))),
            ("/_api/web/lists/getbytitle('Orders')/items/getById(7)", Some(Target::Item(orders(), 7))),
            ("/_api/web/lists/getbytitle('It''s a / b')/items", Some(Target::Items("It's a / b".to_owned()))),
            ("/_api/web/lists/getbytitle('Orders')/items(x)", None),
            ("/_api/web/lists/getbytitle('Orders')/views", None),
            ("/_api/web/lists/getbytitle('Orders", None),
            ("/_api/site", None),
            ("/api/web", None),
        ] {
            assert_eq!(Target::of(path), target, "{path}");
        }
    }
}
