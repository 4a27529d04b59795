//! Finds a GUID while it is being read, whatever stands before it: in `SiteRenameJob99a1e20b-…` the last letter of the
//! name could be a digit of the id.

/// `99a1e20b-fa97-4128-b2af-51f144d7658b`
pub const LENGTH: usize = 36;

/// How much of a GUID the bytes read so far end with.
#[derive(Clone, Copy, Default)]
pub struct Guid {
    /// Groups that are complete, with their hyphens.
    groups: u8,
    /// Hexadecimal digits since the last other byte.
    digits: u8,
}

impl Guid {
    /// Takes the next byte; true if a GUID ends with it.
    pub fn ends_with(&mut self, byte: u8) -> bool {
        if byte.is_ascii_hexdigit() {
            self.digits = self.digits.saturating_add(1);
            return self.groups == 4 && self.digits == 12;
        }
        self.groups = match (byte, self.groups, self.digits) {
            (b'-', 1..=3, 4) => self.groups + 1,
            (b'-', _, 8..) => 1,
            _ => 0,
        };
        self.digits = 0;
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    /// Where GUIDs end in a text.
    fn ends(text: &str) -> Vec<usize> {
        let mut guid = Guid::default();
        text.bytes().enumerate().filter(|(_, byte)| guid.ends_with(*byte)).map(|(at, _)| at + 1).collect()
    }

    #[test]
    fn a_guid_is_found_wherever_it_begins() {
        assert_eq!(ends("99a1e20b-fa97-4128-b2af-51f144d7658b"), [36]);
        assert_eq!(ends("Job99A1E20B-fa97-4128-b2af-51f144d7658B"), [39]);
        assert_eq!(ends("0123456-99a1e20b-fa97-4128-b2af-51f144d7658b"), [44]);
        assert_eq!(ends("12345678-1234-99a1e20b-fa97-4128-b2af-51f144d7658bx"), [50]);
        assert_eq!(ends("99a1e20b-fa97-4128-b2af-51f144d7658b_b2557d23-feb8-4ddb-8250-c62897353f3b"), [36, 73]);
    }

    #[test]
    fn what_only_looks_like_one_is_none() {
        for text in [
            "9a1e20b-fa97-4128-b2af-51f144d7658b",
            "99a1e20b-fa971-4128-b2af-51f144d7658b",
            "99a1e20b-fa97-4128-b2af-51f144d7658",
            "99a1e20b-fa97-4128-b2afg51f144d7658b",
            "99a1e20b--fa97-4128-b2af-51f144d7658b",
        ] {
            assert_eq!(ends(text), [0; 0], "{text}");
        }
    }
}
