//! Collections: behind `users` or `lists` stands the key of one member, and a key may be anything, a name as well. In Graph
//! every plural is a collection unless it is known to be a folder; elsewhere only those that hold people, what they
//! wrote, or what an AI service keeps of it, since `projects/test-project` and `triggers/manual` say more than they tell.

use super::path::Path;
use super::segments::Place;
use super::words::{ID, NUMBER, PERSON, Trust, begins_with, is_one_of, is_placeholder};

/// What the next segment is.
#[derive(Clone, Copy, PartialEq)]
pub enum Next {
    Name,
    Id,
    Model,
}

const HOST: &str = "{host}";
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
/// What may stand in the place of a key.
const KEYWORDS: &str = "root delta me inbox drafts sentitems deleteditems batches count_tokens runs search";

impl Path<'_, '_> {
    /// A segment of a path made of collections and keys. False if it must not be told.
    pub fn member(&mut self, by: u8) -> bool {
        let next = std::mem::replace(&mut self.next, Next::Name);
        // `users('…')` is a name with its key in parentheses.
        if next == Next::Id && by != b'(' && !is_keyword(self.draft.word()) {
            let of_a_site = by == b':' && self.draft.word().contains(&b'.');
            let said_already = is_placeholder(self.draft.word());
            match self.draft.placeholder(Trust::Name) {
                None if said_already => {}
                Some(said @ (PERSON | NUMBER)) => self.draft.say(said),
                _ => self.draft.say(if of_a_site { HOST } else { ID }),
            }
            return false;
        }
        let stays = self.draft.settle(if next == Next::Model { Trust::Model } else { Trust::Name });
        if !stays && next == Next::Id {
            self.draft.say(ID);
        }
        if stays && by != b'(' {
            self.next = following(self.draft.word(), self.place == Place::Graph);
        }
        stays
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
    let getter = matches!(word, [b'g', b'e', b't', b'A'..=b'Z', ..]);
    getter || word.first() == Some(&b'$') || begins_with(word, "microsoft.graph.") || is_one_of(word, KEYWORDS)
}
