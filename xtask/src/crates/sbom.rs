//! The package's bill of materials, CycloneDX 1.6 in JSON. An application's own bill is made from its npm packages, and would
//! know nothing of what Rust compiled into one of them.
//!
//! It is written here and not by a tool: cargo-cyclonedx is a second build of minutes, lists what only builds and tests
//! need, and stamps each run with a time and a random number, while two builds of one commit must be the same bytes.

use super::Crate;
use serde_json::{Value, json};

pub fn sbom(version: &str, crates: &[Crate]) -> String {
    let own = format!("pkg:npm/steadfetch@{version}");
    let used: Vec<&str> = crates.iter().flat_map(|of| of.uses.iter().map(String::as_str)).collect();
    // What no other crate brought along, the package itself did.
    let direct: Vec<String> = crates.iter().map(Crate::purl).filter(|purl| !used.contains(&purl.as_str())).collect();
    let edges = std::iter::once(json!({ "ref": own, "dependsOn": direct }))
        .chain(crates.iter().map(|of| json!({ "ref": of.purl(), "dependsOn": of.uses })));
    let bill = json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "lifecycles": [{ "phase": "build" }],
            "component": {
                "type": "library", "bom-ref": own, "name": "steadfetch", "version": version, "purl": own,
                "licenses": [{ "license": { "id": "MIT" } }],
            },
        },
        "components": crates.iter().map(component).collect::<Vec<_>>(),
        "dependencies": edges.collect::<Vec<_>>(),
    });
    format!("{bill:#}\n")
}

fn component(of: &Crate) -> Value {
    let links = of.repository.iter().map(|url| json!({ "type": "vcs", "url": url }));
    json!({
        "type": "library", "bom-ref": of.purl(), "name": of.name, "version": of.version, "purl": of.purl(),
        "licenses": [{ "expression": of.licence }],
        "externalReferences": links.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str, uses: &[&str]) -> Crate {
        Crate {
            name: name.into(),
            version: "1.0.0".into(),
            licence: "MIT OR Apache-2.0".into(),
            repository: Some(format!("https://example.com/{name}")),
            uses: uses.iter().map(|name| format!("pkg:cargo/{name}@1.0.0")).collect(),
            folder: None,
        }
    }

    #[test]
    fn each_crate_is_a_component_with_its_licence_and_what_it_uses() {
        let crates = [named("serde", &["serde_core"]), named("serde_core", &[])];
        let bill: Value = serde_json::from_str(&sbom("0.1.0", &crates)).unwrap();
        assert_eq!(bill["components"][0]["purl"], "pkg:cargo/serde@1.0.0");
        assert_eq!(bill["components"][0]["licenses"][0]["expression"], "MIT OR Apache-2.0");
        assert_eq!(bill["components"].as_array().map(Vec::len), Some(2));
        assert_eq!(bill["dependencies"][0]["dependsOn"], json!(["pkg:cargo/serde@1.0.0"]));
        assert_eq!(bill["dependencies"][1]["dependsOn"], json!(["pkg:cargo/serde_core@1.0.0"]));
    }

    /// A time or a serial number would make two builds of one commit differ.
    #[test]
    fn nothing_in_it_changes_from_build_to_build() {
        let bill = sbom("0.1.0", &[named("slab", &[])]);
        assert_eq!(bill, sbom("0.1.0", &[named("slab", &[])]));
        assert!(!bill.contains("timestamp") && !bill.contains("serialNumber"));
    }
}
