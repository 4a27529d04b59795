//! Pure and synchronous: what to do, never how. Time and randomness come in as arguments.

pub mod fields;
pub mod http_date;
pub mod rate_limit;
pub mod retry_after;
mod scanner;
