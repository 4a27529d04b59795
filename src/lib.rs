//! steadfetch: `fetch` for SharePoint web parts and slow AI back ends that knows when *not* to repeat a call.
//!
//! # The map
//!
//! Read [`flow`] first: it is the life of one call as straight async code. It asks [`policy`] what to do and
//! [`host::Host`] to do it.
//!
//! ```text
//! page ── spFetch / aiFetch ──> browser (reads options, owns listeners and timers)
//!                                  │
//!                                  ▼
//!                                flow ──asks──> policy (judge, backoff, clock, headers: pure)
//!                                  │
//!                                  └──does───> host::Host = browser | fake_host in tests
//! ```
//!
//! [`account`] is what the flow writes down, [`telemetry`] how a URL is named without telling its secrets.

pub mod account;
pub mod flow;
pub mod host;
pub mod policy;

#[cfg(test)]
mod fake_host;
