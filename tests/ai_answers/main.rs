//! What a careful reader makes of the answers of AI back ends: the shared vectors, deviations of our own, and what must
//! hold for any bytes at all.
#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

mod chat;
mod custom;
mod endings;
mod errors;
mod laws;
mod no_provider;
mod other_providers;
mod read;
mod responses;
mod vectors;
