//! `THIRD-PARTY-LICENSES.txt`: a licence such as MIT lets everyone pass the code on, as long as its notice goes with it.

use super::Crate;
use crate::workspace::{files_in, read};
use anyhow::Result;
use std::path::Path;

const HEAD: &str = "\
steadfetch contains code of the following packages, compiled. Where a package offers a choice of licences, it is taken under
the MIT licence. A package without a text of its own is under the terms at the end.
";

/// The words of the MIT licence below its copyright line; <https://spdx.org/licenses/MIT.html>.
const TERMS: &str = "Permission is hereby granted";

/// `own` is the project's own licence, which is MIT as well: its terms are those of packages that bring no text.
pub fn notices(crates: &[Crate], own: &str) -> Result<String> {
    let mut text = HEAD.to_string();
    for of in crates {
        text += &format!("\n{}\n{} {} ({})\n", "-".repeat(80), of.name, of.version, of.licence);
        if let Some(repository) = &of.repository {
            text += &format!("{repository}\n");
        }
        for licence in of.folder.as_deref().map(texts).transpose()?.unwrap_or_default() {
            text += &format!("\n{}\n", licence.trim().replace("\r\n", "\n"));
        }
    }
    let terms = own.find(TERMS).map(|from| &own[from..]).unwrap_or(own);
    text += &format!("\n{}\nThe MIT licence\n\n{}\n", "-".repeat(80), terms.trim());
    Ok(text)
}

/// What lies in a crate's folder under a name such as LICENSE-MIT, but not the terms of Apache, which are not the chosen ones.
fn texts(folder: &Path) -> Result<Vec<String>> {
    let chosen = |name: String| {
        let name = name.to_uppercase();
        (name.starts_with("LICENSE") || name.starts_with("COPYING")) && !name.contains("APACHE")
    };
    let files = files_in(folder)?;
    files
        .iter()
        .filter(|file| file.file_name().is_some_and(|name| chosen(name.to_string_lossy().into())))
        .map(|file| read(file))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::at;

    #[test]
    fn a_package_is_named_with_its_text_or_with_the_terms_at_the_end() {
        let named = |name: &str, folder| Crate {
            name: name.into(),
            version: "1.0.0".into(),
            licence: "MIT".into(),
            repository: None,
            uses: Vec::new(),
            folder,
        };
        // This repository's own LICENSE stands for that of a crate.
        let own = read(&at("LICENSE")).unwrap();
        let text = notices(&[named("with", Some(at(""))), named("without", None)], &own).unwrap();
        let (with, rest) = text.split_once("without 1.0.0 (MIT)").unwrap();
        assert!(with.contains("with 1.0.0 (MIT)") && with.contains(own.trim()));
        let (without, terms) = rest.split_once("The MIT licence").unwrap();
        assert!(!without.contains("Copyright") && terms.contains(TERMS) && !terms.contains("Copyright"));
    }
}
