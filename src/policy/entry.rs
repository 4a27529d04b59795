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
    /// [`Window`](super::window::Window)s: by circuit key.
    Windows,
}

/// No number of an entry is negative or above this.
const MOST: f64 = 1e15;

/// An entry, number by number. Its default is what a missing one means.
pub trait Entry {
    /// Where it is kept.
    fn shelf(&self) -> Shelf;

    /// Shows every number to `visit`, in the order in which `page_state.js` names them.
    fn each(&mut self, visit: &mut dyn FnMut(&mut f64));

    /// Makes it the default.
    fn reset(&mut self);

    /// Whether no number is larger and no time further away than it can be; a clock may have been set back since.
    fn is_possible(&self, now: Instant) -> bool;

    /// Whether these numbers can have been written by this library.
    fn is_sane(&mut self, now: Instant) -> bool {
        let mut sane = self.is_possible(now);
        self.each(&mut |number| sane &= (0.0..=MOST).contains(number));
        sane
    }
}

/// Whether a time is not further away than it can be, give or take what adding has rounded.
pub fn comes_within(left_ms: f64, most: f64) -> bool {
    left_ms <= most + 1.0
}
