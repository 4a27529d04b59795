//! The repository as static files, for pages and tests: right types, never cached, nothing outside the root.

use std::{
    fs,
    path::{Path, PathBuf},
};

use hyper::{
    Method, StatusCode,
    header::{CACHE_CONTROL, LOCATION},
};

use crate::{answer::Answer, request::decode};

/// Pages of such a name are isolated from other origins: browsers give only those a clock finer than a tenth of a
/// millisecond.
const ISOLATED: &str = ".isolated.html";

pub fn serve(root: &Path, method: &Method, path: &str) -> Answer {
    if method != Method::GET && method != Method::HEAD {
        return Answer::sentence(StatusCode::METHOD_NOT_ALLOWED, "Files can only be read.");
    }
    if path == "/" {
        return Answer::empty(StatusCode::FOUND).with(LOCATION, "/www/");
    }
    match find(root, &decode(path)).and_then(|file| Some((content_type(&file), fs::read(file).ok()?))) {
        Some((content_type, bytes)) => {
            let answer = Answer::typed(StatusCode::OK, content_type, bytes).with(CACHE_CONTROL, "no-store");
            if path.ends_with(ISOLATED) { isolated(answer) } else { answer }
        }
        None => Answer::sentence(StatusCode::NOT_FOUND, "There is no such file."),
    }
}

fn isolated(answer: Answer) -> Answer {
    answer.with("cross-origin-opener-policy", "same-origin").with("cross-origin-embedder-policy", "require-corp")
}

fn find(root: &Path, path: &str) -> Option<PathBuf> {
    let mut file = root.to_path_buf();
    for name in path.split('/').filter(|name| !name.is_empty()) {
        // Hidden names cover `..`, and nobody needs `.git` over HTTP.
        if name.starts_with('.') || name.contains(['\\', '\0']) {
            return None;
        }
        file.push(name);
    }
    // A link may lead anywhere; what counts is where it ends.
    let file = file.canonicalize().ok()?;
    let file = if file.is_dir() && path.ends_with('/') { file.join("index.html") } else { file };
    (file.starts_with(root) && file.is_file()).then_some(file)
}

fn content_type(file: &Path) -> &'static str {
    match file.extension().and_then(|extension| extension.to_str()).unwrap_or_default() {
        "html" | "htm" => "text/html; charset=utf-8",
        "js" | "mjs" | "cjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json; charset=utf-8",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "txt" | "md" | "ts" | "rs" | "toml" | "sse" | "ndjson" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::find;
    use std::path::Path;

    #[test]
    fn nothing_outside_the_root_is_found() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").canonicalize().unwrap();
        assert!(find(&root, "/main.rs").is_some());
        for path in [
            "/../Cargo.toml",
            "//../Cargo.toml",
            "/..\\Cargo.toml",
            "/./main.rs",
            "/sharepoint/../main.rs",
            "/sharepoint",
            "/",
        ] {
            assert_eq!(find(&root, path), None, "{path}");
        }
    }
}
