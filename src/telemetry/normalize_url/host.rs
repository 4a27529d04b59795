//! The host: whose it is goes, which service it is stays.

use super::address::{Origin, origin};
use super::draft::Draft;
use super::said::Said;
use super::units::Units;

/// Each stands for the hosts that end with what is behind its placeholder. `*` is one label, which is kept: it names a
/// region or an interface.
const SERVICES: [&str; 22] = [
    "{tenant}-my.sharepoint.com",
    "{tenant}-admin.sharepoint.com",
    "{tenant}.sharepoint.com",
    "{tenant}.sharepoint.us",
    "{tenant}.sharepoint.cn",
    "publiccdn.sharepointonline.com",
    "privatecdn.sharepointonline.com",
    "graph.microsoft.com",
    "graph.microsoft.us",
    "login.microsoftonline.com",
    "{app}.azurewebsites.net",
    "{apim}.azure-api.net",
    "{account}.blob.core.windows.net",
    "{search}.search.windows.net",
    "{resource}.openai.azure.com",
    "{resource}.services.ai.azure.com",
    "{resource}.cognitiveservices.azure.com",
    "*.api.cognitive.microsoft.com",
    "*.googleapis.com",
    "api.openai.com",
    "api.anthropic.com",
    "api.mistral.ai",
];

/// The template of an address's host; empty if it has none.
///
/// `https://contoso-my.sharepoint.com/personal/…` → `{tenant}-my.sharepoint.com`
pub fn host(url: &str) -> String {
    let mut draft = Draft::new(url.len().min(64));
    if origin(&mut Units::of_path(url.as_bytes()), &mut draft) != Origin::Host {
        return String::new();
    }
    let name = draft.word();
    let name = name.strip_suffix(b".").unwrap_or(name);
    let service = SERVICES.iter().find(|service| stands_for(service.as_bytes(), name));
    // The label that is kept is a name, so this is the host as it was.
    if !service.is_some_and(|service| service.as_bytes().starts_with(b"*")) {
        draft.write(service.copied().unwrap_or(Said::Host.text()));
    }
    draft.finish()
}

fn stands_for(service: &[u8], name: &[u8]) -> bool {
    let end = service.rsplit(|byte| b"}*".contains(byte)).next().unwrap_or_default();
    let Some(own) = name.strip_suffix(end) else { return false };
    let one_label = || own.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-');
    own.is_empty() == (end.len() == service.len()) && (service.first() != Some(&b'*') || one_label())
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_service_is_named_and_its_owner_is_not() {
        for (url, want) in [
            ("https://contoso.sharepoint.com/sites/hr", "{tenant}.sharepoint.com"),
            ("HTTPS://CONTOSO-MY.SHAREPOINT.COM", "{tenant}-my.sharepoint.com"),
            ("https://contoso-admin.sharepoint.com.?x", "{tenant}-admin.sharepoint.com"),
            ("https://contoso-1a2b3c4d.sharepoint.com/app", "{tenant}.sharepoint.com"),
            ("https://user:pass@myfunc-staging.azurewebsites.net:443/api", "{app}.azurewebsites.net"),
            ("https://us-central1-aiplatform.googleapis.com/v1", "us-central1-aiplatform.googleapis.com"),
            ("https://graph.microsoft.com/v1.0/me", "graph.microsoft.com"),
        ] {
            assert_eq!(host(url), want, "{url}");
        }
    }

    #[test]
    fn any_other_host_is_just_a_host() {
        for url in [
            "http://localhost:7071/api",
            "//cdn.contoso.com/lib",
            "\\\\server\\share",
            "https://jane.storage.googleapis.com/x",
            "https://evil-graph.microsoft.com.contoso.com",
            "https://sharepoint.com",
            "https://.sharepoint.com",
            "https://contoso.sharepoint.com:443@contoso.de/",
            "https://[::1]:8080/x",
            "https://@",
            "https:",
        ] {
            assert_eq!(host(url), "{host}", "{url}");
        }
    }

    #[test]
    fn no_host_has_no_template() {
        for url in ["", "/sites/hr", "_api/web", "sites/contoso.sharepoint.com:/x", "blob:https://contoso.com/x", "x:y"]
        {
            assert_eq!(host(url), "", "{url}");
        }
    }
}
