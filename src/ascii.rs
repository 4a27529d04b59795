//! Looking into addresses and headers byte by byte. `str::split`, `find` and `trim` do the same for all of Unicode
//! and bring 4 KB along; what is looked for here is ASCII. A part that ends at an ASCII byte is whole characters.

/// What stands before the first of these bytes, or everything.
pub fn until<'a>(text: &'a [u8], marks: &[u8]) -> &'a [u8] {
    text.split(|byte| marks.contains(byte)).next().unwrap_or_default()
}

/// What stands before and behind the first of this byte.
pub fn split_once(text: &[u8], mark: u8) -> Option<(&[u8], &[u8])> {
    let before = until(text, &[mark]);
    Some((before, text.get(before.len() + 1..)?))
}

/// Where `needle` begins, without regard to case.
fn find(text: &[u8], needle: &str) -> Option<usize> {
    text.windows(needle.len()).position(|window| window.eq_ignore_ascii_case(needle.as_bytes()))
}

/// Whether `needle` is in it, without regard to case.
pub fn contains(text: &[u8], needle: &str) -> bool {
    find(text, needle).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_text_is_cut_at_the_first_mark_only() {
        assert_eq!(until(b"/a?b#c?d", b"?#"), b"/a");
        assert_eq!(until(b"/a", b"?#"), b"/a");
        assert_eq!(split_once(b"a=b=c", b'='), Some((&b"a"[..], &b"b=c"[..])));
        assert_eq!(split_once(b"a=", b'='), Some((&b"a"[..], &b""[..])));
        assert_eq!(split_once(b"a", b'='), None);
    }

    #[test]
    fn a_needle_is_found_in_any_case_and_at_either_end() {
        assert_eq!(find(b"Application/JSON", "json"), Some(12));
        assert_eq!(find(b"json", "json"), Some(0));
        assert_eq!(find(b"jso", "json"), None);
        assert!(!contains(b"", "json"));
    }
}
