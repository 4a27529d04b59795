//! Reading the answers of AI back ends: a 200 is not yet a success. Vendors' own stream readers end silently on a stream
//! that was cut, and hand out a sign-in page as an empty answer; here every body comes to an [`Outcome`] that says which
//! kind of end it was, and `complete` needs a sign that the answer was over.
//!
//! Pure and synchronous: whoever has the body pushes its bytes in, takes the text out and asks for the result.
//!
//! ```
//! use steadfetch::answer::{End, Hints, Outcome, Reader};
//!
//! let mut reader = Reader::new(Hints { status: 200, content_type: "text/event-stream", ..Hints::default() });
//! reader.push(b"data: {\"choices\":[{\"delta\":{\"content\":\"Hel");
//! reader.push(b"lo\"},\"finish_reason\":null}]}\n\n");
//! assert_eq!(reader.take_text(), "Hello");
//! assert_eq!(reader.finish(End::Closed).outcome, Outcome::IncompleteStream);
//! ```
//!
//! # The path of a byte
//!
//! ```text
//! chunk ──> reader ──> parts ──> shape            what is it? the first bytes tell
//!                        │
//!                        ├──> event_stream         server-sent events ┐
//!                        ├──> documents            JSON, one or many  ├──> inbox ──> provider ──> openai_chat … ──> draft
//!                        └──> words                text and pages     ┘                 │
//!                                                                                       └──> fault   errors in any
//! end ────> reader ──> outcome                     what the draft amounts to: one precedence for all
//! ```
//!
//! | file | question |
//! |---|---|
//! | `reader` | START HERE: bytes in, text and result out |
//! | `parts`, `shape` | JSON, events, a page or words? |
//! | `event_stream`, `documents`, `words` | where does one part end and the next begin? |
//! | `inbox` | end mark, broken parts, the caller's own `read` |
//! | `provider` | whose shape is this document? |
//! | `openai_chat`, `openai_responses`, `anthropic`, `gemini`, `ollama`, `unknown` | which text, reason, calls and counts are in it? |
//! | `finish` | what does a finish reason mean? |
//! | `fault` | what kind of error is it, may it pass, and when? |
//! | `draft`, `calls` | what is known so far? |
//! | `outcome` | what does it come to? |
//! | `json`, `text` | JSON without a tree, text out of pieces |

mod anthropic;
mod calls;
mod documents;
mod draft;
mod event_stream;
mod fault;
mod finish;
mod gemini;
mod inbox;
mod json;
#[cfg(all(test, not(target_family = "wasm")))]
mod laws;
mod ollama;
mod openai_chat;
mod openai_responses;
mod outcome;
mod parts;
mod provider;
mod reader;
mod shape;
mod steps;
mod text;
mod unknown;
mod words;

pub use fault::ErrorKind;
pub use inbox::Told;
pub use outcome::{AiResult, End, Outcome, Usage};
pub use provider::Provider;
pub use reader::{Hints, Reader};
