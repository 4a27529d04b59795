//! steadfetch: `fetch` for SharePoint web parts and slow AI back ends that knows when *not* to repeat a call.
//!
//! # The map
//!
//! Read [`flow`] first: it is the life of one call as straight async code. It asks [`policy`] what to do and has
//! [`host::Host`] do it.
//!
//! ```text
//! page ── spFetch / aiFetch ──> browser/calls.js  takes the call apart, listens to the signal
//!                                   │
//!                                   ▼
//!                               browser::start    makes a plan of the options
//!                                   │
//!                                   ▼
//!                               flow::run ──asks──> policy       judge, backoff, clock, headers: pure
//!                                   │
//!                                   └───does──> host::Host  =  browser::Browser, or the tests' fake_host;
//!                                                 what takes time: browser/waits.js
//! ```
//!
//! [`answer`] reads what AI back ends answer, JSON and streams, and says what kind of end it came to; it knows nothing of
//! the flow. [`sharepoint`] decides for `writeOnce` when a write may be sent again. The package holds both in a wasm module
//! of its own, so that only those download it who use it:
//!
//! ```text
//! module "fetches"    browser/    the two functions, and what reads headers, accounts and addresses
//! module "answers"    extras/     readers of answers    ┐ synchronous, driven by JavaScript
//! module "writes"     extras/     writeOnce             ┘
//! ```
//!
//! [`account`] is what the flow writes down, of which `pkg-template/explain.js` makes a sentence for a person, and
//! [`telemetry`] names a URL without telling its secrets. [`ascii`] is how all of them look into text.

pub mod account;
#[cfg(all(target_family = "wasm", feature = "fetches"))]
pub mod ai_fetch;
pub mod answer;
pub mod ascii;
#[cfg(all(target_family = "wasm", feature = "fetches"))]
pub mod browser;
#[cfg(all(target_family = "wasm", any(feature = "answers", feature = "writes")))]
pub mod extras;
pub mod flow;
pub mod host;
pub mod policy;
pub mod sharepoint;
#[cfg(all(target_family = "wasm", feature = "fetches"))]
pub mod sp_fetch;
pub mod telemetry;

#[cfg(test)]
mod fake_host;

/// Small rather than fast, and a fifth of the size of the standard one.
#[cfg(target_family = "wasm")]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

// The unit tests beside the code run on the host and in the browser.
#[cfg(all(test, target_family = "wasm"))]
wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
