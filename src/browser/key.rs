//! Idempotency keys: UUIDs of version 4 (RFC 9562).

/// A new key, or `None` where the page has no `crypto.getRandomValues`.
pub fn mint() -> Option<String> {
    let mut bytes = [0u8; 16];
    getrandom::fill(&mut bytes).ok()?;
    Some(uuid_v4(bytes))
}

/// `f81d4fae-7dec-41d0-a765-00a0c91e6bf6`
fn uuid_v4(mut bytes: [u8; 16]) -> String {
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let mut text = String::with_capacity(36);
    for (at, byte) in bytes.into_iter().enumerate() {
        if matches!(at, 4 | 6 | 8 | 10) {
            text.push('-');
        }
        for digit in [byte >> 4, byte & 15] {
            text.push(char::from(if digit < 10 { b'0' + digit } else { b'a' + digit - 10 }));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn version_and_variant_are_set_and_nothing_else() {
        assert_eq!(uuid_v4([0; 16]), "00000000-0000-4000-8000-000000000000");
        assert_eq!(uuid_v4([255; 16]), "ffffffff-ffff-4fff-bfff-ffffffffffff");
    }

    #[test]
    fn two_keys_differ() {
        assert_ne!(mint(), mint());
    }
}
