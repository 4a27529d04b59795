//! The second module: what only those download who use it. It is built from the same crate with the feature `extras`
//! alone, and it is synchronous: JavaScript does the waiting and hands pieces in (bench/SIZE.md says what that saves).
//!
//! | file | what it is for |
//! |---|---|
//! | `answer_reader` | [`answer::Reader`](crate::answer::Reader) for `readAiResult`, `streamAi` and `askAi` |

mod answer_reader;
