//! What may be said about a call outside of it.

pub mod endpoint;
pub mod normalize_url;
