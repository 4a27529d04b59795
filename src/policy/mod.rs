//! What to do, never how: pure, synchronous decisions. Time and the random unit come in as arguments,
//! so every rule runs on the host in microseconds and is tested at exact times.
//!
//! | file | question |
//! |---|---|
//! | [`plan`] | what was asked for: the options of one call, with the defaults of its kind |
//! | [`clock`] | how long did it really take, and did the machine sleep meanwhile? |
//! | [`judge`] | may this attempt be repeated, and if not, why not? |
//! | [`backoff`] | how long to wait before the next attempt |
//! | [`method`] | is this a read? |
//! | [`body_hint`] | what an error body says about quota and waiting |
//! | [`page`] | did a login page, a throttle page or other HTML answer where data was asked for? |

pub mod backoff;
pub mod body_hint;
pub mod clock;
pub mod judge;
pub mod method;
pub mod page;
pub mod plan;
