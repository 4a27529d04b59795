//! What must hold for every address, whatever is in it.

use super::*;
use proptest::prelude::*;

const QUERIES: [Query; 3] = [Query::Drop, Query::Names, Query::Shape];

/// Parts of a title, with quotes only where they do not end a literal.
const TITLE: [&str; 14] = [
    "zqx", "zqx ", "'zqx", "%27zqx", "''zqx", "%27'zqx", "zqx%2F", "zqx%26", "(zqx", "zqx)", "zqx,", "zqx/", "zqx&",
    "%",
];

/// A template, and how many bytes were looked at for it.
fn counted(url: &str, query: Query, sites: Sites) -> (String, usize) {
    let mut path = Path::new(url.as_bytes(), sites);
    write(&mut path, query);
    let steps = path.units.steps + path.draft.steps;
    (path.draft.finish(), steps)
}

/// Everything that has a meaning somewhere, and what has none.
const PIECES: [&str; 96] = [
    "/",
    "/",
    "/",
    "/",
    "\\",
    "?",
    "&",
    "=",
    "#",
    "'",
    "'",
    "%27",
    "''",
    "(",
    ")",
    "(",
    ")",
    "%28",
    "%29",
    ",",
    ", ",
    "%2C",
    ":",
    ":/",
    "%3A",
    "%2F",
    "%",
    "%2",
    "%00",
    "\0",
    "\n",
    "\t",
    " ",
    "%20",
    "+",
    "@",
    "%40",
    "$",
    "!",
    "{",
    "}",
    "%7B",
    "%7D",
    ".",
    "..",
    "/../",
    "/./",
    "-",
    "_",
    "ä",
    "%C3%A4",
    "😀",
    "https:",
    "//",
    "https://contoso.sharepoint.com",
    "https://graph.microsoft.com/v1.0",
    "blob:",
    "x:",
    "a",
    "7",
    "42",
    "2024-06-01",
    "99a1e20b-fa97-4128-b2af-51f144d7658b",
    "b!x",
    "19:",
    "jane",
    "jane@contoso.com",
    "Jane Doe",
    "sites",
    "personal",
    "_api",
    "_layouts/15",
    "_vti_bin",
    "listdata.svc",
    ":w:/s",
    ":w:",
    "v1.0",
    "beta",
    "users",
    "lists",
    "models",
    "root:",
    "getbytitle(",
    "guid'",
    "{id}",
    "{s}",
    "{path}",
    "$filter=",
    "$select=",
    "a eq ",
    " and ",
    "in (",
    "code=",
    "v=",
    "api-version=",
    "true",
];

fn address() -> impl Strategy<Value = String> {
    let pieces = || prop::collection::vec(prop::sample::select(&PIECES[..]), 0..24).prop_map(|pieces| pieces.concat());
    prop_oneof![
        4 => pieces(),
        2 => (pieces(), pieces(), pieces()).prop_map(|(a, b, c)| format!("/{a}/{b}/{c}")),
        2 => (pieces(), pieces()).prop_map(|(path, query)| format!("/_api/{path}?{query}")),
        1 => any::<String>(),
        1 => ("[a-z'(/]{1,6}", 1usize..300).prop_map(|(piece, times)| piece.repeat(times)),
    ]
}

fn sites() -> impl Strategy<Value = Sites> {
    prop::sample::select(&[Sites::Hide, Sites::Keep][..])
}

/// Addresses whose template had another template once.
#[test]
fn templates_that_once_changed_do_not_any_more() {
    for url in [
        "//https://x.de/",
        "/_api/.:/",
        "/'/https://graph.microsoft.com/v1.0//_layouts/15(",
        "/@///_api/https://x.de//",
        "/a/_api:/x",
        ":w:/s%2F/&",
        "-/sites/$filter=v1.0/..//",
        "users/$filter=listdata.svc/../",
        "/a?api-version=2024-06-01%2F",
    ] {
        for sites in [Sites::Hide, Sites::Keep] {
            let once = normalize_url(url, Query::Shape, sites);
            assert_eq!(normalize_url(&once, Query::Shape, sites), once, "{url}");
            assert!(once.bytes().all(|byte| matches!(byte, b' '..=b'~')), "{once:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4_000) })]

    #[test]
    fn a_template_is_its_own_template(url in address(), query in prop::sample::select(&QUERIES[..]), sites in sites()) {
        let once = normalize_url(&url, query, sites);
        prop_assert_eq!(normalize_url(&once, query, sites), once);
    }

    #[test]
    fn a_template_is_printable_ascii(url in address(), query in prop::sample::select(&QUERIES[..]), sites in sites()) {
        let template = normalize_url(&url, query, sites);
        prop_assert!(template.bytes().all(|byte| matches!(byte, b' '..=b'~')), "{:?}", template);
        prop_assert!(host(&url).bytes().all(|byte| matches!(byte, b'!'..=b'~')));
    }

    #[test]
    fn no_byte_is_looked_at_more_than_four_times(url in address(), query in prop::sample::select(&QUERIES[..])) {
        let (_, steps) = counted(&url, query, Sites::Hide);
        prop_assert!(steps <= 4 * url.len(), "{} steps for {} bytes", steps, url.len());
    }

    #[test]
    fn a_quoted_title_is_told_by_nobody(title in "[^?#%]{0,40}", query in prop::sample::select(&QUERIES[..])) {
        let escaped = title.replace('\'', "''");
        let url = format!("/_api/web/lists/getbytitle('{escaped}')/items(7)");
        let want = "/_api/web/lists/getbytitle({s})/items({n})";
        prop_assert_eq!(normalize_url(&url, query, Sites::Hide), want);
    }

    #[test]
    fn a_title_with_any_quotes_is_told_by_nobody(
        pieces in prop::collection::vec(prop::sample::select(&TITLE[..]), 0..12),
        query in prop::sample::select(&QUERIES[..]),
    ) {
        let title = pieces.concat();
        let template = normalize_url(&format!("/_api/web/lists/getbytitle('{title}zqx')/items"), query, Sites::Hide);
        prop_assert!(!template.contains("zqx"), "{} of {}", template, title);
        let template = normalize_url(&format!("/x?$filter=Title eq '{title}zqx'&$top=1"), Query::Shape, Sites::Hide);
        prop_assert!(!template.contains("zqx"), "{} of {}", template, title);
    }
}
