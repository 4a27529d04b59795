//! Who is compared.

use crate::ours::Steadfetch;
use crate::peers::{PEERS, Peer};
use crate::sim::Client;
use crate::what_if::WhatIf;
use steadfetch::policy::plan::{Kind, Plan};

/// One way to make a page's requests.
#[derive(Clone, Copy)]
pub enum Contender {
    /// Something else.
    Peer(&'static Peer),
    /// A read by spFetch, or a call by aiFetch.
    Ours(Kind, WhatIf),
}

/// As shipped.
pub const SP: Contender = Contender::Ours(Kind::Sp, WhatIf::NOTHING);
/// As shipped.
pub const AI: Contender = Contender::Ours(Kind::Ai, WhatIf::NOTHING);

impl Contender {
    /// Everybody: the one that never repeats first, then the others, then ours.
    pub fn all() -> Vec<Contender> {
        PEERS.iter().map(Contender::Peer).chain([SP, AI]).collect()
    }

    /// The one that the others are compared with.
    pub fn never_repeating() -> Contender {
        Contender::Peer(&PEERS[0])
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        match self {
            Contender::Peer(peer) => peer.name,
            Contender::Ours(Kind::Sp, _) => "**spFetch**, GET",
            Contender::Ours(Kind::Ai, _) => "**aiFetch**",
        }
    }

    /// So many pages that use it.
    pub fn on(&self, pages: usize) -> Box<dyn Client> {
        match self {
            Contender::Peer(peer) => Box::new(peer.on(pages)),
            Contender::Ours(kind, what_if) => {
                Box::new(Steadfetch::new(Plan::new(*kind, *kind == Kind::Sp), pages, *what_if))
            }
        }
    }
}
