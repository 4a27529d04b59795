//! What to do, never how: pure, synchronous decisions. Time and the random unit come in as arguments,
//! so every rule runs on the host in microseconds and is tested at exact times.
//!
//! | file | question |
//! |---|---|
//! | [`plan`] | what was asked for: the options of one call, with the defaults of its kind |
//! | [`clock`] | how long did it really take, and did the machine sleep meanwhile? |
//! | [`judge`] | may this attempt be repeated, and if not, why not? |
//! | [`backoff`] | how long to wait before the next attempt |
//! | [`request`] | is this a read, and does an outer layer repeat it already? |
//! | [`body_hint`] | what an error body says about quota and waiting |
//! | [`page`] | did a login page, a throttle page or other HTML answer where data was asked for? |

pub mod backoff;
pub mod body_hint;
pub mod clock;
pub mod counters;
pub mod fields;
pub mod http_date;
pub mod judge;
pub mod page;
pub mod plan;
pub mod rate_limit;
mod rate_limit_units;
pub mod request;
mod reset_time;
pub mod retry_after;
mod scanner;
mod structured_field;
