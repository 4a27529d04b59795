//! What to do, never how: pure, synchronous decisions. Time and the random unit come in as arguments,
//! so every rule runs on the host in microseconds and is tested at exact times.
//!
//! | file | question |
//! |---|---|
//! | [`plan`] | what was asked for: the options of one call, with the defaults of its kind |
//! | [`request`] | is this a read, and does an outer layer repeat it already? |
//! | [`judge`] | may this attempt be repeated, and if not, why not? |
//! | [`backoff`] | how long to wait before the next attempt |
//! | [`cool_down`] | has the server asked this page to wait, and whose turn is it afterwards? |
//! | [`budget`] | is one more repeat still polite? |
//! | [`circuit`], [`window`] | has this back end been failing? |
//! | [`entry`] | how these four are kept for all copies of this library on the page |
//! | [`clock`] | how long did it really take, and did the machine sleep meanwhile? |
//! | [`retry_after`], [`http_date`] | which wait did the server state? |
//! | [`rate_limit`] | which limits did it report? |
//! | [`body_hint`] | what an error body says about quota and waiting |
//! | [`page`] | did a login page, a throttle page or other HTML answer where data was asked for? |
//!
//! Headers are looked up through [`fields::Fields`] and read with one byte scanner, `scanner`.

pub mod backoff;
pub mod body_hint;
pub mod budget;
pub mod circuit;
pub mod clock;
pub mod cool_down;
pub mod entry;
pub mod fields;
pub mod http_date;
pub mod judge;
pub mod page;
pub mod plan;
pub mod rate_limit;
pub mod request;
pub mod retry_after;
mod scanner;
pub mod window;
