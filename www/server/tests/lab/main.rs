//! The lab server over real sockets: what it plays, and that it misbehaves exactly as told.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod binary;
mod client;
mod connections;
mod control;
mod cors;
mod model;
mod random;
mod sharepoint;
mod static_files;
mod steps;
