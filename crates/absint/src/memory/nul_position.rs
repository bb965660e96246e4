// SPDX-License-Identifier: MIT OR Apache-2.0
//! A byte of an object that is known to be zero.

use crate::domain::int::Int;
use crate::map::{Change, Merge};
use crate::program::object::ObjectId;

/// A byte of an object that is zero.
#[derive(Clone, PartialEq, Debug)]
pub struct Nul {
    /// The offsets it may be at.
    pub at: Int,
    /// Whether it may be another one than when the running call began.
    pub fresh: bool,
}

/// Keeps those that both sides have: the byte of the one or of the other.
pub struct MergeNuls<'a, S>(pub &'a mut S);

impl<S: FnMut(&Int, &Int) -> Int> Merge<ObjectId, Nul> for MergeNuls<'_, S> {
    fn both(&mut self, _: ObjectId, a: &Nul, b: &Nul) -> Change<Nul> {
        let merged = Nul { at: (self.0)(&a.at, &b.at), fresh: a.fresh || b.fresh };
        if merged == *a { Change::Keep } else { Change::To(merged) }
    }
    fn left(&mut self, _: ObjectId, _: &Nul) -> Change<Nul> {
        Change::Drop
    }
    fn right(&mut self, _: ObjectId, _: &Nul) -> Change<Nul> {
        Change::Drop
    }
}
