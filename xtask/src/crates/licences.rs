//! Whether the package may be given away as it is: each crate inside must be under a licence, of its own choice, that asks
//! for nothing but its notice.

use super::Crate;
use anyhow::{Result, ensure};

/// Licences that ask for their notice and nothing else. Adding one is a decision: read it first.
const ALLOWED: [&str; 9] =
    ["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "Unicode-3.0", "Unlicense", "Zlib"];

pub fn ensure_allowed(crates: &[Crate]) -> Result<()> {
    let refused: Vec<String> = crates
        .iter()
        .filter(|of| !allowed(&of.licence))
        .map(|of| format!("{} {} is under `{}`", of.name, of.version, of.licence))
        .collect();
    ensure!(
        refused.is_empty(),
        "{}: not in the list of allowed licences (xtask/src/crates/licences.rs)",
        refused.join(", ")
    );
    Ok(())
}

/// `(MIT OR Apache-2.0) AND Unicode-3.0`: whether one way of choosing leaves only allowed licences.
fn allowed(expression: &str) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ");
    let mut words = spaced.split_whitespace().peekable();
    either(&mut words) == Some(true) && words.next().is_none()
}

type Words<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

fn either(words: &mut Words) -> Option<bool> {
    let mut chosen = both(words)?;
    while words.next_if_eq(&"OR").is_some() {
        chosen |= both(words)?;
    }
    Some(chosen)
}

fn both(words: &mut Words) -> Option<bool> {
    let mut all = one(words)?;
    while words.next_if_eq(&"AND").is_some() {
        all &= one(words)?;
    }
    Some(all)
}

/// A name, or an expression in parentheses. None for what is neither, such as `GPL-2.0 WITH …`: nobody has read that yet.
fn one(words: &mut Words) -> Option<bool> {
    match words.next()? {
        "(" => {
            let inner = either(words)?;
            words.next_if_eq(&")").map(|_| inner)
        }
        name => Some(ALLOWED.contains(&name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_allowed_if_one_side_is_and_a_sum_if_all_of_it_is() {
        for expression in ["MIT", "MIT OR GPL-3.0", "GPL-3.0 OR MIT", "(MIT OR Apache-2.0) AND Unicode-3.0"] {
            assert!(allowed(expression), "{expression}");
        }
        for expression in ["GPL-3.0", "MIT AND GPL-3.0", "(GPL-3.0 OR MPL-2.0) AND MIT", "", "MIT OR", "(MIT", "MIT)"] {
            assert!(!allowed(expression), "{expression}");
        }
    }

    #[test]
    fn what_nobody_has_read_is_refused_by_name() {
        let copyleft = Crate {
            name: "left".into(),
            version: "1.0.0".into(),
            licence: "GPL-2.0 WITH Classpath-exception-2.0".into(),
            repository: None,
            uses: Vec::new(),
            folder: None,
        };
        let refusal = ensure_allowed(&[copyleft]).unwrap_err().to_string();
        assert!(refusal.starts_with("left 1.0.0 is under `GPL-2.0 WITH Classpath-exception-2.0`"), "{refusal}");
    }
}
