//! The list that `wasm-opt --minify-imports-and-exports-and-modules` prints: which short name stands for which import
//! and export. It is also how the build knows what the module imports.

use anyhow::{Result, ensure};

#[derive(Debug, Default, PartialEq)]
pub struct Names {
    pub imports: Vec<Import>,
    pub exports: Vec<Export>,
}

#[derive(Debug, PartialEq)]
pub struct Import {
    pub module: String,
    pub name: String,
    pub short: String,
}

#[derive(Debug, PartialEq)]
pub struct Export {
    pub name: String,
    pub short: String,
}

impl Names {
    /// One entry a line, which spares a JSON parser; nothing in it is ever escaped:
    /// ```text
    ///   ["./steadfetch_bg.js", "__wbg_call_fc92fee6137d452d", "f"],
    ///   ["memory", "J"],
    /// ```
    pub fn parse(printed: &str) -> Result<Self> {
        let mut names = Self::default();
        for line in printed.lines().filter(|line| line.trim_start().starts_with('[')) {
            let mut quoted = line.split('"').skip(1).step_by(2).map(String::from);
            match (quoted.next(), quoted.next(), quoted.next()) {
                (Some(module), Some(name), Some(short)) => names.imports.push(Import { module, name, short }),
                (Some(name), Some(short), None) => names.exports.push(Export { name, short }),
                _ => {}
            }
        }
        ensure!(
            !names.imports.is_empty() && !names.exports.is_empty(),
            "wasm-opt printed no list of names:\n{printed}"
        );
        names.imports.sort_by(|a, b| a.short.cmp(&b.short));
        Ok(names)
    }

    /// The short name of an export.
    pub fn export(&self, name: &str) -> Option<&str> {
        self.exports.iter().find(|export| export.name == name).map(|export| export.short.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_of_three_are_imports_and_of_two_exports() {
        let printed = "{\n \"imports\": [\n  [\"./s.js\", \"call\", \"b\"],\n  [\"./s.js\", \"now\", \"a\"]\n ],\n\"exports\": [\n  [\"memory\", \"J\"]\n ]\n}\n";
        let names = Names::parse(printed).unwrap();
        let shorts: Vec<_> = names.imports.iter().map(|import| (import.name.as_str(), import.short.as_str())).collect();
        assert_eq!(shorts, [("now", "a"), ("call", "b")]);
        assert_eq!(names.export("memory"), Some("J"));
        assert_eq!(names.export("call"), None);
    }

    #[test]
    fn a_run_that_printed_no_list_is_an_error() {
        assert!(Names::parse("").is_err());
    }
}
