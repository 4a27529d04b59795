//! steadfetch: `fetch` for SharePoint web parts and slow AI back ends that knows when *not* to repeat a call.

pub mod policy;
