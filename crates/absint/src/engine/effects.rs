// SPDX-License-Identifier: MIT OR Apache-2.0
//! What calls write, and what the parts of a region of unordered calls touch, object by object.

use clew_ir::syntax::{FuncId, ObligationId};
use rustc_hash::FxHashSet;

use crate::program::object::ObjectId;

/// The objects that may have been written since a call began. Joined states need not show it: a write that stays inside
/// what the object may hold anyway leaves no trace there.
#[derive(Clone, Default)]
pub struct Writes {
    objects: FxHashSet<ObjectId>,
    anything: bool,
}

impl Writes {
    /// An object is written; none stands for any.
    pub(crate) fn note(&mut self, object: Option<ObjectId>) {
        match object {
            Some(object) => drop(self.objects.insert(object)),
            None => self.anything = true,
        }
    }

    /// Whether an object may have been written.
    pub(crate) fn contains(&self, object: ObjectId) -> bool {
        self.anything || self.objects.contains(&object)
    }

    /// What else was written.
    pub(crate) fn extend(&mut self, other: &Writes) {
        self.objects.extend(&other.objects);
        self.anything |= other.anything;
    }
}

/// A region that is open.
pub struct Region {
    pub(crate) obligation: (FuncId, ObligationId),
    done: Vec<Effects>,
    current: Effects,
    conflict: bool,
}

/// Stands for what libraries without a model keep between calls.
pub(crate) const LIBRARIES: ObjectId = ObjectId(u32::MAX);

/// What is read and written.
#[derive(Clone, Default)]
pub struct Effects {
    reads: FxHashSet<ObjectId>,
    writes: FxHashSet<ObjectId>,
    reads_anything: bool,
    writes_anything: bool,
}

impl Effects {
    fn is_pure(&self) -> bool {
        self.reads.is_empty() && self.writes.is_empty() && !self.reads_anything && !self.writes_anything
    }

    fn conflicts(&self, other: &Effects) -> bool {
        let meets = |writes: &Effects, other: &Effects| {
            (writes.writes_anything && !other.is_pure())
                || (!writes.writes.is_empty() && other.reads_anything)
                || writes.writes.iter().any(|o| other.reads.contains(o) || other.writes.contains(o))
        };
        meets(self, other) || meets(other, self)
    }

    /// An object is read or written; none stands for any.
    pub(crate) fn touch(&mut self, object: Option<ObjectId>, writes: bool) {
        match (object, writes) {
            (Some(object), true) => drop(self.writes.insert(object)),
            (Some(object), false) => drop(self.reads.insert(object)),
            (None, true) => self.writes_anything = true,
            (None, false) => self.reads_anything = true,
        }
    }

    /// How much it is: it only grows.
    pub(crate) fn len(&self) -> usize {
        self.reads.len()
            + self.writes.len()
            + usize::from(self.reads_anything)
            + usize::from(self.writes_anything)
    }

    /// All that another does is done too.
    pub(crate) fn absorb(&mut self, other: &Effects) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.reads_anything |= other.reads_anything;
        self.writes_anything |= other.writes_anything;
    }
}

impl Region {
    pub(crate) fn new(obligation: (FuncId, ObligationId)) -> Region {
        Region { obligation, done: Vec::new(), current: Effects::default(), conflict: false }
    }

    /// The next part begins.
    pub(crate) fn next(&mut self) {
        let part = std::mem::take(&mut self.current);
        self.conflict |= self.done.iter().any(|other| other.conflicts(&part));
        self.done.push(part);
    }

    /// The part before this one goes on.
    pub(crate) fn back(&mut self) {
        self.next();
        let before = self.done.len().saturating_sub(2);
        self.current = self.done.remove(before);
    }

    /// Whether no two parts touch one object, one of them writing.
    pub(crate) fn commutes(mut self) -> bool {
        self.next();
        !self.conflict
    }

    /// An object is read or written; none stands for any.
    pub(crate) fn touch(&mut self, object: Option<ObjectId>, writes: bool) {
        self.current.touch(object, writes);
    }

    /// A call does all this.
    pub(crate) fn absorb(&mut self, effects: &Effects) {
        self.current.absorb(effects);
    }
}
