//! The name of an endpoint: the template of the address, short enough to be a label.

use super::normalize_url::{OTHER, Query, Sites, normalize_url};

/// As long as a name that is given by `endpoint`.
const LONGEST: usize = 200;

/// `https://contoso.sharepoint.com/_api/web/lists/getbytitle('Tasks')/items(7)?$top=1`
/// → `/_api/web/lists/getbytitle({s})/items({n})`
pub fn name(url: &str) -> String {
    let template = normalize_url(url, Query::Drop, Sites::Hide);
    // The address of the page itself is empty.
    if template.is_empty() || template.len() > LONGEST { OTHER.to_owned() } else { template }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn an_endpoint_is_named_by_its_template_without_site_and_query() {
        let url = "https://contoso.sharepoint.com/sites/hr/_api/web/lists/getbytitle('A/B')/items(7)?$top=1";
        assert_eq!(name(url), "/sites/{site}/_api/web/lists/getbytitle({s})/items({n})");
    }

    #[test]
    fn what_makes_no_label_is_other() {
        for url in ["", "?x=1", "#x", "weird:secret", &"/a".repeat(101)] {
            assert_eq!(name(url), OTHER, "{url}");
        }
        assert_eq!(name(&"/a".repeat(100)).len(), 200);
    }
}
