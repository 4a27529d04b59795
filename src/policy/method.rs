//! Is this a read? Only GET and HEAD are, and SharePoint lets a POST carry another method in a header: any such
//! header that names something else makes the call a write, while none of them makes a POST a read.

/// The headers that override a method, lower case, in the order they are looked for.
pub const OVERRIDES: [&str; 3] = ["x-http-method", "x-http-method-override", "x-method-override"];

/// Whether a method (any case) is GET or HEAD.
pub fn is_read(method: &str) -> bool {
    let method = method.trim_matches(|c: char| c.is_ascii_whitespace());
    method.eq_ignore_ascii_case("GET") || method.eq_ignore_ascii_case("HEAD")
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn only_get_and_head_are_reads_in_any_case() {
        for read in ["GET", "get", "Head", "HEAD"] {
            assert!(is_read(read), "{read}");
        }
        for write in ["POST", "MERGE", "PATCH", "PUT", "DELETE", "OPTIONS", "QUERY", "GETS", "", "GET, POST"] {
            assert!(!is_read(write), "{write}");
        }
    }
}
