// SPDX-License-Identifier: MIT OR Apache-2.0
//! What accesses through a pointer have shown, as a lattice; `transfer::access` says where it is learned and used.

use clew_ir::syntax::LocalId;

use crate::map::{Change, Map, Merge};

/// What is known of the object that a register points into.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Access {
    /// Whether it is alive.
    pub alive: bool,
    /// Whether it may be written.
    pub writable: bool,
    /// The first byte that is known to be its own, from the pointer on.
    pub from: i128,
    /// The byte after the last one; there is none if this is not above `from`.
    pub to: i128,
}

impl Access {
    pub(crate) const NOTHING: Access = Access { alive: false, writable: false, from: 0, to: 0 };

    pub(crate) fn has_bytes(self) -> bool {
        self.from < self.to
    }

    pub(crate) fn covers(self, from: i128, to: i128) -> bool {
        self.has_bytes() && self.from <= from && to <= self.to
    }

    pub(crate) fn with(self, from: i128, to: i128) -> Access {
        match self.has_bytes() {
            true => Access { from: self.from.min(from), to: self.to.max(to), ..self },
            false => Access { from, to, ..self },
        }
    }

    /// What both know, if that is anything.
    fn common(self, other: Access) -> Option<Access> {
        let (from, to) = (self.from.max(other.from), self.to.min(other.to));
        let (from, to) = if self.has_bytes() && other.has_bytes() && from < to { (from, to) } else { (0, 0) };
        let writable = self.writable && other.writable;
        let common = Access { alive: self.alive && other.alive, writable, from, to };
        (common != Access::NOTHING).then_some(common)
    }

    /// Seen from a pointer that is so many bytes further on.
    pub(crate) fn seen_from(self, by: i128) -> Access {
        match self.has_bytes() {
            true => Access { from: self.from - by, to: self.to - by, ..self },
            false => self,
        }
    }
}

/// What is known of the objects that registers point into.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Accesses {
    known: Map<LocalId, Access>,
    /// Whether something may have been freed since the running call began.
    pub freed: bool,
}

struct Common {
    widens: bool,
}

impl Merge<LocalId, Access> for Common {
    fn both(&mut self, _: LocalId, a: &Access, b: &Access) -> Change<Access> {
        match a.common(*b) {
            Some(common) if common == *a => Change::Keep,
            Some(common) if !self.widens => Change::To(common),
            // Ranges that become smaller might do so for ever.
            _ => Change::Drop,
        }
    }
    fn left(&mut self, _: LocalId, _: &Access) -> Change<Access> {
        Change::Drop
    }
    fn right(&mut self, _: LocalId, _: &Access) -> Change<Access> {
        Change::Drop
    }
}

impl Accesses {
    /// What is known of a register's object.
    pub(crate) fn of(&self, local: LocalId) -> Access {
        self.known.get(local).copied().unwrap_or(Access::NOTHING)
    }

    pub fn set(&mut self, local: LocalId, access: Access) {
        match access == Access::NOTHING {
            true => self.known.remove(local),
            false => self.known.insert(local, access),
        }
    }

    /// The register gets another value.
    pub fn forget(&mut self, local: LocalId) {
        if !self.known.is_empty() {
            self.known.remove(local);
        }
    }

    /// Only what is said of these registers.
    pub fn retain(&mut self, keep: impl Fn(LocalId) -> bool) {
        if !self.known.is_empty() {
            let kept = |local: LocalId, _: &Access| if keep(local) { Change::Keep } else { Change::Drop };
            self.known = self.known.filter_map(&mut { kept });
        }
    }

    /// The life of some object may have ended.
    pub fn end_lives(&mut self) {
        if !self.known.is_empty() {
            self.known = self.known.filter_map(&mut |_, access| match access {
                Access { alive: false, .. } => Change::Keep,
                access => match (Access { alive: false, ..*access }) {
                    Access::NOTHING => Change::Drop,
                    rest => Change::To(rest),
                },
            });
        }
    }

    /// Some object may have been freed.
    pub fn free(&mut self) {
        self.end_lives();
        self.freed = true;
    }

    /// What holds after one or the other.
    #[must_use]
    pub fn merge(&self, other: &Accesses, widens: bool) -> Accesses {
        Accesses {
            known: self.known.merge(&other.known, &mut Common { widens }),
            freed: self.freed || other.freed,
        }
    }

    /// Whether all that this says follows from the other.
    pub fn is_implied_by(&self, other: &Accesses) -> bool {
        let follows = |this: &Access, there: Option<&Access>| {
            there.is_some_and(|there| {
                (there.alive || !this.alive)
                    && (there.writable || !this.writable)
                    && (!this.has_bytes() || there.covers(this.from, this.to))
            })
        };
        (self.freed || !other.freed)
            && self.known.all_pairs(&other.known, &mut |_, a, b| follows(a, b), &mut |_, _| true)
    }

    /// All that is known, by register.
    pub fn iter(&self) -> impl Iterator<Item = (LocalId, Access)> + '_ {
        self.known.iter().map(|(local, access)| (local, *access))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A range of bytes and a life, and an object around the pointer that they are true of.
    fn access() -> impl Strategy<Value = Access> {
        (any::<bool>(), -8i128..8, 0i128..8).prop_map(|(alive, from, bytes)| match bytes {
            0 => Access { alive, ..Access::NOTHING },
            _ => Access { alive, from, to: from + bytes, ..Access::NOTHING },
        })
    }

    fn is_true(access: Access, alive: bool, first: i128, end: i128) -> bool {
        (alive || !access.alive) && (!access.has_bytes() || first <= access.from && access.to <= end)
    }

    proptest! {
        #[test]
        fn what_both_know_is_true_where_one_is(a in access(), b in access(), alive: bool, first in -9i128..9, bytes in 0i128..20) {
            let one = is_true(a, alive, first, first + bytes) || is_true(b, alive, first, first + bytes);
            let common = a.common(b).is_none_or(|c| is_true(c, alive, first, first + bytes));
            prop_assert!(!one || common);
        }

        #[test]
        fn bytes_of_one_object_have_no_holes(a in access(), from in -8i128..8, bytes in 1i128..8, first in -9i128..9, size in 0i128..30) {
            let end = first + size;
            let both = is_true(a, true, first, end) && first <= from && from + bytes <= end;
            prop_assert!(!both || is_true(a.with(from, from + bytes), true, first, end));
        }

        #[test]
        fn a_pointer_further_on_sees_the_same(a in access(), by in -8i128..8, first in -9i128..9, size in 0i128..30) {
            let (end, moved) = (first + size, a.seen_from(by));
            prop_assert_eq!(is_true(a, true, first, end), is_true(moved, true, first - by, end - by));
        }
    }
}
