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
    use crate::workspace::{empty_folder, write};

    #[test]
    fn a_package_is_named_with_its_text_or_with_the_terms_at_the_end() {
        let folder = std::env::temp_dir().join(format!("steadfetch-notices-{}", std::process::id()));
        empty_folder(&folder).unwrap();
        for (name, text) in
            [("LICENSE-MIT", "Copyright (c) Ada"), ("LICENSE-APACHE", "Apache"), ("README.md", "Read me")]
        {
            write(&folder.join(name), text).unwrap();
        }
        let named = |name: &str, folder| Crate {
            name: name.into(),
            version: "1.0.0".into(),
            licence: "MIT".into(),
            repository: None,
            uses: Vec::new(),
            folder,
        };
        let own = "Copyright (c) us\n\nPermission is hereby granted, free of charge";
        let text = notices(&[named("with", Some(folder.clone())), named("without", None)], own).unwrap();
        std::fs::remove_dir_all(folder).unwrap();

        let (with, rest) = text.split_once("without 1.0.0 (MIT)\n").unwrap();
        assert!(with.ends_with(&format!("with 1.0.0 (MIT)\n\nCopyright (c) Ada\n\n{}\n", "-".repeat(80))), "{with}");
        assert!(rest.ends_with("The MIT licence\n\nPermission is hereby granted, free of charge\n"), "{rest}");
        assert!(!rest.contains("Copyright"), "{rest}");
    }
}
