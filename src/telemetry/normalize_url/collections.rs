//! Collections: behind `users` or `lists` stands the key of one member, and a key may be anything, a name as well. In
//! Graph every plural is a collection unless it is known to be a folder; elsewhere only those that hold people, what
//! they wrote, or what an AI service keeps of it, since `projects/test-project` and `triggers/manual` say more than
//! they tell.

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
const FOLDERS: &str = "documents reports policies communications tenantrelationships appcatalogs solutions insights settings \
    analytics cases";
/// Graph: collections that are no plurals.
const ODD_PLURALS: &str = "children people alerts_v2 used trending shared";
/// Other services: collections whose keys must not be told.
const COLLECTIONS: &str = "users user people person members employees employee contacts customers customer clients \
    patients patient students student personal my sites lists groups teams drives files documents folders attachments \
    messages mails events chats threads conversations sessions runs steps items responses completions assistants agents \
    batches file_batches jobs uploads vector_stores cachedcontents tunedmodels containers instances operations connections \
    plans secrets";
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
            return false;
        }
        if said != Said::Word {
            self.draft.say(said);
        } else if by != b'(' && !key {
            self.next = following(self.draft.word(), self.place == Place::Graph);
        }
        said == Said::Word
    }
}

fn following(word: &[u8], graph: bool) -> Next {
    let plural = matches!(word, [.., before, b's' | b'S'] if *before != b's');
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

#[cfg(test)]
mod tests {
    use super::super::sample::is;
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn graph_hides_every_key_and_keeps_every_name() {
        is(
            "/v1.0/users/jane/messages/x/attachments/y/$value",
            "/v1.0/users/{id}/messages/{id}/attachments/{id}/$value",
        );
        is("/v1.0/users/jane@contoso.com/manager/$ref", "/v1.0/users/{upn}/manager/$ref");
        is("/v1.0/users('jane')/messages", "/v1.0/users({s})/messages");
        is("/v1.0/me/drive/root/children/Jane.docx/content", "/v1.0/me/drive/root/children/{id}/content");
        is(
            "/v1.0/sites/contoso.sharepoint.com:/sites/hr:/lists/Secret/items/7",
            "/v1.0/sites/{host}:/{path}:/lists/{id}/items/{n}",
        );
        is(
            "/v1.0/workbook/worksheets/Jane%20(HR)/range(address='A1')",
            "/v1.0/workbook/worksheets/{id}/range(address={s})",
        );
        is("/_api/v2.0/drives/b!x/items/01A/children", "/_api/v2.0/drives/{id}/items/{id}/children");
        is("/v1.0/users/99a1e20b-fa97-4128-b2af-51f144d7658bx", "/v1.0/users/{id}");
    }

    #[test]
    fn functions_of_collections_are_no_keys() {
        for url in [
            "/v1.0/users/delta",
            "/v1.0/directoryObjects/getByIds",
            "/v1.0/sites/root",
            "/v1.0/me/mailFolders/inbox/messages",
            "/v1.0/places/microsoft.graph.room",
            "/v1.0/policies/authorizationPolicy",
            "/v1.0/identity/conditionalAccess/policies",
            "/v1.0/me/drive/special/documents/children",
            "/v1/messages/count_tokens",
            "/v1/threads/runs",
        ] {
            is(url, url);
        }
        is("/v1.0/drives/filterByUser(on='x')", "/v1.0/drives/filterByUser(on={s})");
        is("/v1.0/reports/getX(period='D7')", "/v1.0/reports/getX(period={s})");
    }

    #[test]
    fn elsewhere_keys_of_people_and_of_what_they_wrote_are_hidden() {
        is("/api/users/jane/profile", "/api/users/{id}/profile");
        is("/api/customer/Mueller", "/api/customer/{id}");
        is("/v1/conversations/abc/items/def", "/v1/conversations/{id}/items/{id}");
        for url in
            ["/runtime/webhooks/durabletask", "/triggers/manual/paths/invoke", "/v1/chat/completions", "/api/ai/chat"]
        {
            is(url, url);
        }
    }

    #[test]
    fn models_stay_and_their_owners_do_not() {
        for url in [
            "/openai/deployments/gpt-4o-2024-08-06/chat/completions",
            "/v1beta/models/gemini-1.5-pro:generateContent",
            "/publishers/google/models/textembedding-gecko@001:predict",
        ] {
            is(url, url);
        }
        is("/v1/models/ft:gpt-4o-mini:contoso:jane:abc", "/v1/models/{s}");
        is("/v1/models/jane@contoso.com", "/v1/models/{upn}");
        is("/v1beta/tunedModels/jane-abc:generateContent", "/v1beta/tunedModels/{id}");
    }
}
