//! How a body is cut: into a number of pieces, or the pieces themselves.

use std::fmt;

use hyper::body::Bytes;
use serde::{
    Deserialize, Deserializer,
    de::{self, SeqAccess, Visitor},
};

#[derive(Clone, Debug)]
pub enum Chunks {
    /// The body cut into this many parts.
    Count(usize),
    /// The body, piece by piece; a piece given as bytes may end inside a character.
    Pieces(Vec<Bytes>),
}

impl Chunks {
    const MAX_COUNT: usize = 1_000_000;

    pub fn count(number: u64) -> Result<Self, String> {
        match usize::try_from(number) {
            Ok(count) if (1..=Self::MAX_COUNT).contains(&count) => Ok(Self::Count(count)),
            _ => Err(format!("a body is cut into 1 to {} pieces, not {number}", Self::MAX_COUNT)),
        }
    }
}

/// As many parts of nearly the same size as asked for, fewer if there are not enough bytes.
pub fn cut(body: &Bytes, count: usize) -> Vec<Bytes> {
    let size = body.len().div_ceil(count).max(1);
    (0..body.len()).step_by(size).map(|start| body.slice(start..body.len().min(start + size))).collect()
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Piece {
    Text(String),
    Bytes(Vec<u8>),
}

impl<'de> Deserialize<'de> for Chunks {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct CountOrPieces;
        impl<'de> Visitor<'de> for CountOrPieces {
            type Value = Chunks;

            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("a number of pieces, or a list of texts or of lists of bytes")
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Chunks, E> {
                Chunks::count(number).map_err(E::custom)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Chunks, A::Error> {
                let mut pieces = Vec::new();
                while let Some(piece) = sequence.next_element()? {
                    pieces.push(match piece {
                        Piece::Text(text) => Bytes::from(text),
                        Piece::Bytes(bytes) => Bytes::from(bytes),
                    });
                }
                Ok(Chunks::Pieces(pieces))
            }
        }
        deserializer.deserialize_any(CountOrPieces)
    }
}

#[cfg(test)]
mod tests {
    use super::cut;
    use hyper::body::Bytes;

    #[test]
    fn the_parts_are_the_body() {
        let body = Bytes::from_static(b"abcdefghij");
        for count in [1, 2, 3, 10, 99] {
            let parts = cut(&body, count);
            assert_eq!(parts.concat(), body, "{count}");
            assert!(parts.len() <= count && parts.len() <= body.len(), "{count}");
        }
        assert_eq!(cut(&body, 10).len(), 10);
        assert!(cut(&Bytes::new(), 3).is_empty());
    }
}
