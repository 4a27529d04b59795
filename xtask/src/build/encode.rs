//! The wasm as text for a JavaScript string.
//!
//! Of the printable ASCII characters, 89 need no care inside a string literal of any kind, inside a template or inside
//! an HTML script. The 87 most frequent byte values take one of them each; the others take two, of which the first is
//! one of the two that are left. Which values are short stands in front, as 64 hexadecimal digits of four bits each.
//! Both groups keep the order of the byte values, not of their frequency: a compressor then still sees which bytes are
//! neighbours.
//!
//! What it costs, measured on a wasm of 34,204 bytes (gzip -9: 15,818; brotli 11: 13,700):
//!
//! | code | characters | gzip | brotli |
//! | --- | --- | --- | --- |
//! | this one | 35,990 | +0.1 % | +3.3 % |
//! | the same in order of frequency | 36,100 | +0.8 % | +4.0 % |
//! | Latin-1 characters as UTF-8 | 39,542 | +5.5 % | +6.6 % |
//! | hexadecimal | 68,408 | +8.5 % | +8.5 % |
//! | base64 | 45,608 | +27.9 % | +32.5 % |
//! | base91 | 41,403 | +66.1 % | +81.2 % |

/// What could end a string, a template or a script: quotes, backslash, `${`, `</script`.
const UNSAFE: &str = "\"$'<\\`";
/// The first two characters of the alphabet begin a pair.
const PAIR_STARTS: usize = 2;

/// The inverse is `decode` in pkg-template/decode.js.
pub fn encode(bytes: &[u8]) -> String {
    let alphabet: Vec<char> = (' '..='~').filter(|c| !UNSAFE.contains(*c)).collect();
    let is_short = most_frequent(bytes, alphabet.len() - PAIR_STARTS);

    let (short, long): (Vec<u8>, Vec<u8>) = (0..=255).partition(|byte| is_short[usize::from(*byte)]);
    let mut codes = vec![String::new(); 256];
    for (n, byte) in short.into_iter().enumerate() {
        codes[usize::from(byte)] = alphabet[PAIR_STARTS + n].into();
    }
    for (n, byte) in long.into_iter().enumerate() {
        codes[usize::from(byte)] = [alphabet[n / alphabet.len()], alphabet[n % alphabet.len()]].iter().collect();
    }

    let digits = is_short.chunks(4).map(|four| {
        let digit: u32 = four.iter().enumerate().map(|(bit, short)| u32::from(*short) << bit).sum();
        format!("{digit:x}")
    });
    digits.chain(bytes.iter().map(|byte| codes[usize::from(*byte)].clone())).collect()
}

/// For each byte value whether it is one of the `count` most frequent; the lower value wins a tie.
fn most_frequent(bytes: &[u8], count: usize) -> [bool; 256] {
    let mut occurrences = [0_usize; 256];
    for byte in bytes {
        occurrences[usize::from(*byte)] += 1;
    }
    let mut by_frequency: Vec<usize> = (0..256).collect();
    by_frequency.sort_by_key(|byte| std::cmp::Reverse(occurrences[*byte]));
    let mut chosen = [false; 256];
    for byte in by_frequency.into_iter().take(count) {
        chosen[byte] = true;
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::{command, output};
    use crate::workspace::{at, read};
    use std::fs;

    /// Every byte value, some of them often, in an order that makes pairs of all kinds meet.
    fn sample() -> Vec<u8> {
        (0..20_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8 / if n % 3 == 0 { 1 } else { 5 }).collect()
    }

    fn decoded_by_javascript(text: &str, name: &str) -> Vec<u8> {
        let decoder = read(&at("pkg-template/decode.js")).unwrap();
        let script = format!("{decoder}\nconsole.log(decode(\"{text}\").join());\n");
        let folder = at("target/package");
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join(format!("encode-test-{name}.mjs"));
        fs::write(&file, script).unwrap();
        let printed = output(command("node").unwrap().arg(&file)).unwrap();
        let numbers = printed.trim().split(',').filter(|number| !number.is_empty());
        numbers.map(|number| number.parse().unwrap()).collect()
    }

    #[test]
    fn the_packages_decoder_gives_back_every_byte() {
        let bytes = sample();
        assert_eq!((0..=255).filter(|byte| bytes.contains(byte)).count(), 256);
        assert_eq!(decoded_by_javascript(&encode(&bytes), "sample"), bytes);
        assert_eq!(decoded_by_javascript(&encode(&[]), "empty"), Vec::<u8>::new());
    }

    #[test]
    fn the_text_can_stand_in_any_string_and_in_a_script_tag() {
        let text = encode(&sample());
        assert!(text.chars().all(|c| (' '..='~').contains(&c) && !UNSAFE.contains(c)));
    }

    #[test]
    fn a_frequent_byte_takes_one_character_and_a_rare_one_two() {
        let mut bytes: Vec<u8> = (100..187).flat_map(|byte| [byte; 3]).collect();
        let frequent = encode(&bytes).len();
        assert_eq!(frequent, 64 + bytes.len());
        bytes.push(5);
        assert_eq!(encode(&bytes).len(), frequent + 2);
    }
}
