//! wasm-bindgen's glue as one function.
//!
//! wasm-bindgen writes a module that expects a bundler to load the wasm: on import it runs `new TextDecoder`, which
//! jsdom lacks, and its state exists once for ever. Here that module's body becomes the body of
//! `glue(TextDecoder, TextEncoder)`: importing it does nothing, the page's decoder or a stand-in comes in as an argument,
//! and every instance has its own state.

use super::names::{Import, Names};
use anyhow::{Result, bail, ensure};
use std::fmt::Write;

/// The name under which the wasm imports functions of the glue itself.
const ITSELF: &str = "./steadfetch_bg.js";

/// What is written of it.
pub struct Glue {
    /// Import statements for what it takes from the JavaScript of the crate.
    imports: String,
    /// The names these bring.
    taken: Vec<String>,
    body: String,
}

/// How the glue finds out that the memory has grown: wasm takes the old buffer away.
const BUFFER_TAKEN: &str = ".byteLength === 0";
/// Where the module is JavaScript, the old one stays.
const BUFFER_REPLACED: &str = ".buffer !== wasm.memory.buffer";

impl Glue {
    /// Of a module that is compiled to JavaScript.
    pub fn of_javascript(glue: &str, names: &Names) -> Result<Self> {
        ensure!(glue.contains(BUFFER_TAKEN), "the glue looks for a grown memory in a way of its own");
        Self::of(&glue.replace(BUFFER_TAKEN, BUFFER_REPLACED), names)
    }

    pub fn of(glue: &str, names: &Names) -> Result<Self> {
        let (lines, body): (Vec<&str>, Vec<&str>) = glue.lines().partition(|line| line.starts_with("import "));
        let (mut imports, mut taken) = (String::new(), Vec::new());
        for line in lines {
            let brought = line.split(['{', '}']).nth(1).unwrap_or_default().split(',');
            taken.extend(brought.filter_map(|name| name.split_whitespace().last()).map(String::from));
            writeln!(imports, "{}", with_flat_path(line)?)?;
        }
        for import in direct(names) {
            let (name, path) = (&import.name, flat_path(&import.module)?);
            writeln!(imports, "import {{ {name} as {} }} from '{path}';", local(import))?;
            taken.push(local(import));
        }
        Ok(Self { imports, taken, body: body_of(&body, names)? })
    }

    /// A module that exports `glue(TextDecoder, TextEncoder)`.
    pub fn module(&self) -> String {
        format!("{}\nexport function glue(TextDecoder, TextEncoder) {{\n{}}}\n", self.imports, self.body)
    }

    /// A module that exports `glue(TextDecoder, TextEncoder, taken)`: it may be loaded later, and must then not bring
    /// another copy of what the package holds already.
    pub fn module_apart(&self) -> String {
        let taken = self.taken.join(", ");
        format!("export function glue(TextDecoder, TextEncoder, [{taken}]) {{\n{}}}\n", self.body)
    }

    /// The module of what that takes, as a function so that importing it does nothing.
    pub fn taken(&self) -> String {
        format!("{}\nexport const taken = () => [{}];\n", self.imports, self.taken.join(", "))
    }
}

fn body_of(lines: &[&str], names: &Names) -> Result<String> {
    let mut text = String::new();
    let mut public = Vec::new();
    for line in lines {
        let line = match line.strip_prefix("export ") {
            Some(declaration) => {
                public.extend(declared(declaration).filter(|name| !is_internal(name, names)));
                declaration
            }
            None => line,
        };
        writeln!(text, "{}", with_short_exports(line, names))?;
    }

    // Without reference types there is nothing to be done at the start.
    let start = names.export("__wbindgen_start").map_or(String::new(), |start| format!(" exports.{start}();"));
    let table: Vec<String> =
        names.imports.iter().map(|import| format!("{}: {}", import.short, local(import))).collect();
    write!(
        text,
        "return {{\n  imports: {{ {} }},\n  start(exports) {{ __wbg_set_wasm(exports);{start} }},\n  exports: {{ {} }},\n}};\n",
        table.join(", "),
        public.join(", ")
    )?;
    Ok(text)
}

/// wasm-bindgen lets the wasm import a snippet's function directly where no conversion lies in between.
fn direct(names: &Names) -> impl Iterator<Item = &Import> {
    names.imports.iter().filter(|import| import.module != ITSELF)
}

fn local(import: &Import) -> String {
    if import.module == ITSELF { import.name.clone() } else { format!("direct_{}", import.short) }
}

/// `function spFetch(input, …` → `spFetch`
fn declared(declaration: &str) -> Option<&str> {
    let mut words =
        declaration.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).filter(|word| !word.is_empty());
    words.nth(1)
}

fn is_internal(name: &str, names: &Names) -> bool {
    name.starts_with("__wb") || names.imports.iter().any(|import| import.name == name)
}

/// `import { SteadError } from './snippets/steadfetch-ba6e4c7659fbaceb/src/browser/stead_error.js';`
fn with_flat_path(line: &str) -> Result<String> {
    let Some(path) = line.split('\'').nth(1) else { bail!("this import of the glue was not understood: {line}") };
    Ok(line.replace(path, &flat_path(path)?))
}

/// `./snippets/steadfetch-ba6e4c7659fbaceb/src/browser/stead_error.js` → `./snippets/stead_error.js`, where the entry
/// files of the package find it, too.
fn flat_path(path: &str) -> Result<String> {
    match (path.starts_with("./snippets/"), path.rsplit('/').next()) {
        (true, Some(name)) => Ok(format!("./snippets/{name}")),
        _ => bail!("the package cannot bring the import `{path}`"),
    }
}

/// `wasm.__wbindgen_malloc` → `wasm.U`
fn with_short_exports(line: &str, names: &Names) -> String {
    let mut parts = line.split("wasm.");
    let mut result = String::from(parts.next().unwrap_or_default());
    for part in parts {
        let end = part.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).unwrap_or(part.len());
        let (name, rest) = part.split_at(end);
        result.extend(["wasm.", names.export(name).unwrap_or(name), rest]);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRINTED: &str = "
  [\"./steadfetch_bg.js\", \"__wbg_fetch_1\", \"a\"],
  [\"./snippets/steadfetch-1/src/browser/clock.js\", \"now\", \"b\"],
  [\"memory\", \"J\"],
  [\"spFetch\", \"K\"],
  [\"__wbindgen_start\", \"L\"]";

    #[test]
    fn the_glue_becomes_a_function_that_does_nothing_on_import() {
        let glue = "import { SteadError } from './snippets/steadfetch-1/src/browser/stead_error.js';
export function spFetch(input) {
    wasm.spFetch(input, wasm.memory.buffer);
}
export function __wbg_fetch_1(arg0) {
    return new SteadError(arg0);
}
let decoder = new TextDecoder();
let wasm;
export function __wbg_set_wasm(val) {
    wasm = val;
}
";
        let expected = "import { SteadError } from './snippets/stead_error.js';
import { now as direct_b } from './snippets/clock.js';

export function glue(TextDecoder, TextEncoder) {
function spFetch(input) {
    wasm.K(input, wasm.J.buffer);
}
function __wbg_fetch_1(arg0) {
    return new SteadError(arg0);
}
let decoder = new TextDecoder();
let wasm;
function __wbg_set_wasm(val) {
    wasm = val;
}
return {
  imports: { a: __wbg_fetch_1, b: direct_b },
  start(exports) { __wbg_set_wasm(exports); exports.L(); },
  exports: { spFetch },
};
}
";
        let glue = Glue::of(glue, &Names::parse(PRINTED).unwrap()).unwrap();
        assert_eq!(glue.module(), expected);
        let (imports, function) = expected.split_once("\nexport ").unwrap();
        assert_eq!(glue.taken(), format!("{imports}\nexport const taken = () => [SteadError, direct_b];\n"));
        let parameters = "TextDecoder, TextEncoder";
        let apart = function.replacen(parameters, &format!("{parameters}, [SteadError, direct_b]"), 1);
        assert_eq!(glue.module_apart(), format!("export {apart}"));
    }

    #[test]
    fn an_import_that_the_package_cannot_bring_is_an_error() {
        let elsewhere = PRINTED.replace("./snippets/steadfetch-1/src/browser/clock.js", "left-pad");
        let error = Glue::of("", &Names::parse(&elsewhere).unwrap()).err().unwrap();
        assert!(error.to_string().contains("left-pad"), "{error}");
    }
}
