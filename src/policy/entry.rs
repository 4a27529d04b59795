//! What all copies of this library on a page share: entries of plain numbers, kept by the page under a key. Nothing
//! that is found there is trusted: an entry that makes no sense is taken for none.

use super::clock::Instant;

/// Where an entry is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shelf {
    /// [`Gate`](super::cool_down::Gate)s: by origin (`spFetch`), by circuit key (`aiFetch`).
    Gates,
    /// [`Budget`](super::budget::Budget)s: by origin.
    Budgets,
    /// [`Circuit`](super::circuit::Circuit)s: by circuit key.
    Circuits,
}

/// An entry, number by number.
pub trait Entry: Default {
    /// Where it is kept.
    const SHELF: Shelf;

    /// Shows every number to `visit`, in the order in which `page_state.js` names them.
    fn each(&mut self, visit: &mut dyn FnMut(&mut f64));

    /// Whether these numbers can have been written by this library, and not by a clock that has been set back since.
    fn is_sane(&self, now: Instant) -> bool;
}

/// Whether a time is not further away than it can be, give or take what adding has rounded.
pub fn comes_within(left_ms: f64, most: f64) -> bool {
    left_ms <= most + 1.0
}

/// Whether a number is one, and within bounds.
pub fn within(number: f64, most: f64) -> bool {
    (0.0..=most).contains(&number)
}
