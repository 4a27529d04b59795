//! Collections: behind `users` or `lists` stands the key of one member, and a key may be anything, a name as well. In Graph
//! every plural is a collection unless it is known to be a folder; elsewhere only those that hold people, what they
//! wrote, or what an AI service keeps of it, since `projects/test-project` and `triggers/manual` say more than they tell.

use super::path::Path;
use super::said::Said;
use super::segments::Place;
use super::words::{Trust, is_one_of};
use crate::ascii::until;

/// What the next segment is.
#[derive(Clone, Copy, PartialEq)]
pub enum Next {
    Name,
    Id,
    Model,
}

/// Graph: plurals that hold no members, but further names.
const FOLDERS: &str = "reports policies communications tenantrelationships appcatalogs solutions insights settings \
    analytics cases";
/// Graph: collections that are no plurals.
const ODD_PLURALS: &str = "children people alerts_v2 used trending shared";
/// Other services: collections whose keys must not be told.
const COLLECTIONS: &str = "users user people person members employees contacts customers clients patients students \
    personal my sites lists groups teams drives files documents folders attachments messages mails events chats threads \
    conversations sessions runs steps items responses completions assistants batches jobs uploads vector_stores cachedcontents \
    tunedmodels containers evals instances operations connections plans";
/// Deployments and models are configuration, and there are few.
const MODELS: &str = "models model deployments engines";
/// What may stand in the place of a key, by itself or before a dot, as in `microsoft.graph.room`.
const KEYWORDS: &str = "microsoft root delta me inbox drafts sentitems deleteditems batches count_tokens runs search";

impl Path<'_> {
    /// A segment of a path made of collections and keys. False if it must not be told.
    pub fn member(&mut self, by: u8) -> bool {
        let next = std::mem::replace(&mut self.next, Next::Name);
        let trust = if next == Next::Model { Trust::Model } else { Trust::Name };
        let said = self.draft.said(trust);
        // `users('…')` is a name with its key in parentheses.
        let key = next == Next::Id && (by != b'(' || said != Said::Word);
        if key && !is_keyword(self.draft.word()) && !self.draft.is_said() {
            let of_a_site = by == b':' && self.draft.word().contains(&b'.');
            self.draft.say(match said {
                Said::Person | Said::Number => said,
                _ if of_a_site => Said::Host,
                _ => Said::Id,
            });
        } else if said != Said::Word {
            self.draft.say(said);
        } else if by != b'(' && !key {
            self.next = following(self.draft.word(), self.place == Place::Graph);
        }
        said == Said::Word && !key
    }
}

fn following(word: &[u8], graph: bool) -> Next {
    let plural = matches!(word, [.., b's' | b'S']);
    let collection = match graph {
        true => plural && !is_one_of(word, FOLDERS) || is_one_of(word, ODD_PLURALS),
        false => is_one_of(word, COLLECTIONS),
    };
    if is_one_of(word, MODELS) {
        Next::Model
    } else if collection {
        Next::Id
    } else {
        Next::Name
    }
}

fn is_keyword(word: &[u8]) -> bool {
    let method = matches!(word, [b'$', ..] | [b'g', b'e', b't', b'A'..=b'Z', ..]);
    method || is_one_of(until(word, b"."), KEYWORDS)
}
