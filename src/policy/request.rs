//! What a request's own headers decide. SharePoint lets a POST carry another method in a header: any such header
//! that names something else than GET or HEAD makes the call a write, while none of them makes a POST a read. And
//! an outer layer that is repeating already says so in a header; two layers that both repeat multiply.

use super::fields::Fields;

/// The headers that override a method, lower case.
const OVERRIDES: [&str; 3] = ["x-http-method", "x-http-method-override", "x-method-override"];
/// Counters of outer layers: OpenAI and Anthropic SDKs, Microsoft Graph SDK.
const COUNTERS: [&str; 2] = ["x-stainless-retry-count", "retry-attempt"];
/// AWS SDKs: `amz-sdk-request: attempt=2; max=3`.
const AMZ: (&str, &[u8]) = ("amz-sdk-request", b"attempt=");

/// Whether a request with this method and these headers only reads.
pub fn is_read(method: &str, headers: &dyn Fields) -> bool {
    names_read(method) && stays_read(headers)
}

/// Whether no header makes a write of a request whose method is a read.
pub fn stays_read(headers: &dyn Fields) -> bool {
    OVERRIDES.iter().all(|name| headers.field(name).is_none_or(|method| names_read(&method)))
}

/// Whether a method (any case) is GET or HEAD.
pub fn names_read(method: &str) -> bool {
    let method = method.as_bytes().trim_ascii();
    method.eq_ignore_ascii_case(b"GET") || method.eq_ignore_ascii_case(b"HEAD")
}

/// Whether an outer layer is repeating this request already.
pub fn is_stacked(headers: &dyn Fields) -> bool {
    let counted =
        COUNTERS.iter().any(|name| headers.field(name).is_some_and(|count| leading_number(count.as_bytes()) > 0));
    let (name, lead) = AMZ;
    counted
        || headers.field(name).is_some_and(|request| {
            request
                .as_bytes()
                .split(|byte| *byte == b';')
                .filter_map(|part| part.trim_ascii().strip_prefix(lead))
                .any(|attempt| leading_number(attempt) > 1)
        })
}

fn leading_number(text: &[u8]) -> u32 {
    let digits = text.trim_ascii().iter().take_while(|byte| byte.is_ascii_digit());
    digits.fold(0, |number: u32, digit| number.saturating_mul(10).saturating_add(u32::from(digit - b'0')))
}

#[cfg(test)]
mod tests {
    use super::super::fields::sample::Sample;
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn only_get_and_head_are_reads_in_any_case() {
        for read in ["GET", "get", "Head", "HEAD"] {
            assert!(is_read(read, &Sample(&[])), "{read}");
        }
        for write in ["POST", "MERGE", "PATCH", "PUT", "DELETE", "OPTIONS", "QUERY", "GETS", "", "GET, POST"] {
            assert!(!is_read(write, &Sample(&[])), "{write}");
        }
    }

    #[test]
    fn an_override_makes_a_write_and_never_a_read() {
        for name in OVERRIDES {
            assert!(!is_read("GET", &Sample(&[(name, "MERGE")])), "{name}");
            assert!(is_read("GET", &Sample(&[(name, "get")])), "{name}");
            assert!(!is_read("POST", &Sample(&[(name, "GET")])), "{name}");
        }
        assert!(!is_read("GET", &Sample(&[(OVERRIDES[0], "GET"), (OVERRIDES[2], "DELETE")])));
        assert!(!is_read("GET", &Sample(&[(OVERRIDES[0], "GET, DELETE")])));
    }

    #[test]
    fn outer_layers_that_repeat_are_recognised() {
        for (name, value, stacked) in [
            ("x-stainless-retry-count", "0", false),
            ("x-stainless-retry-count", "1", true),
            ("retry-attempt", "2", true),
            ("retry-attempt", "", false),
            ("amz-sdk-request", "attempt=1; max=3", false),
            ("amz-sdk-request", "ttl=20260101T000000Z; attempt=2; max=3", true),
            ("amz-sdk-request", "attempt=12", true),
        ] {
            assert_eq!(is_stacked(&Sample(&[(name, value)])), stacked, "{name}: {value}");
        }
    }
}
