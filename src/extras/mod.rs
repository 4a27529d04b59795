//! The modules beside that of the two fetches: what only those download who use it. They are built from the same crate with
//! one feature each, and they are synchronous: JavaScript does the waiting and hands pieces in (bench/SIZE.md says what that
//! saves).
//!
//! | feature | file | what it is for |
//! |---|---|---|
//! | `answers` | `answer_reader` | [`answer::Reader`](crate::answer::Reader) for `readAiResult`, `streamAi` and `askAi` |
//! | `writes` | `write_once` | [`sharepoint::write_once`](crate::sharepoint::write_once) for `writeOnce` |

#[cfg(feature = "answers")]
mod answer_reader;
#[cfg(feature = "writes")]
mod write_once;
