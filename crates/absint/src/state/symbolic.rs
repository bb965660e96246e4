// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is known of objects in terms of registers: how long they are, and what stands in parts of them.
//!
//! An [`Extent`] says `size = scale * register + plus`: what `malloc(n * sizeof(T))` made. A [`SegmentFact`](crate::memory::array_segment::SegmentFact)
//! says what holds of all elements of a part. Both follow their registers through `i = i + 1`, and move to another
//! register when theirs ends.

use clew_ir::syntax::LocalId;

use crate::domain::value::Value;
use crate::map::{Change, Map, Merge};
use crate::memory::array_segment::{SegmentFact, SegmentFacts};
use crate::memory::extent::Extent;
use crate::program::object::ObjectId;
use crate::state::State;
use crate::state::array_segments::MergeSegments;

/// What is known of objects in terms of registers, by object.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Symbolic {
    /// Sizes.
    pub extents: Map<ObjectId, Extent>,
    /// What holds of parts.
    pub segments: Map<ObjectId, SegmentFacts>,
}

/// Keeps extents that both sides state.
struct Same;
impl Merge<ObjectId, Extent> for Same {
    fn both(&mut self, _: ObjectId, a: &Extent, b: &Extent) -> Change<Extent> {
        if a == b { Change::Keep } else { Change::Drop }
    }
    // An object that one side has not made is not there to have another size. Callers make sure of that.
    fn left(&mut self, _: ObjectId, _: &Extent) -> Change<Extent> {
        Change::Drop
    }
    fn right(&mut self, _: ObjectId, _: &Extent) -> Change<Extent> {
        Change::Drop
    }
}

impl Symbolic {
    /// What holds after one or the other, values merged as said.
    #[must_use]
    pub fn merge(
        &self,
        other: &Symbolic,
        here: &State,
        there: &State,
        values: &mut impl FnMut(&Value, &Value) -> Value,
        widens: bool,
    ) -> Symbolic {
        Symbolic {
            extents: self.extents.merge(&other.extents, &mut Same),
            segments: self
                .segments
                .merge(&other.segments, &mut MergeSegments { here, there, values, widens }),
        }
    }

    /// Whether the other says all that this says. `state` is the other's.
    pub fn is_implied_by(&self, other: &Symbolic, state: &State) -> bool {
        let extents = self.extents.iter().all(|(id, e)| other.extents.get(id) == Some(e));
        extents
            && (self.segments.is_same(&other.segments)
                || self.segments.iter().all(|(id, mine)| {
                    other.segments.get(id) == Some(mine) || mine.iter().all(|fact| state.says(id, fact))
                }))
    }

    /// An object is made anew, or nothing is known of it any more.
    pub fn forget_object(&mut self, object: ObjectId) {
        self.extents.remove(object);
        self.forget_contents(Some(object));
    }

    /// The contents of an object change in a way that is not followed.
    pub fn forget_contents(&mut self, object: Option<ObjectId>) {
        match object {
            Some(object) => {
                self.segments.remove(object);
                self.forget_sources(&|o| o == object);
            }
            None => self.segments = Map::default(),
        }
    }

    /// What is said of other objects in terms of these ends: they change.
    pub fn forget_sources(&mut self, changed: &dyn Fn(ObjectId) -> bool) {
        if !self.segments.is_empty() {
            self.segments = self
                .segments
                .filter_map(&mut |_, facts| crate::memory::array_segment::without_source(facts, changed));
        }
    }

    /// A register grows by a constant.
    pub fn shift(&mut self, local: LocalId, by: i128) {
        if !self.extents.is_empty() {
            self.extents = self.extents.filter_map(&mut |_, e| {
                if e.local == local {
                    Change::To(Extent { plus: e.plus - e.scale * by, ..*e })
                } else {
                    Change::Keep
                }
            });
        }
        if !self.segments.is_empty() {
            self.segments = self
                .segments
                .filter_map(&mut |_, facts| crate::memory::array_segment::shift(facts, local, by));
        }
    }
}

impl State {
    /// Registers that objects are told by and that hold what stands in memory: `n` in `a[k] for k < n` may be a global
    /// variable, which code reads into a new register each time.
    pub fn told_by_memory(&self) -> Vec<LocalId> {
        if self.symbolic.segments.is_empty() && self.symbolic.extents.is_empty() {
            return Vec::new();
        }
        let facts =
            self.symbolic.segments.iter().flat_map(|(_, facts)| facts).flat_map(SegmentFact::registers);
        let extents = self.symbolic.extents.iter().map(|(_, extent)| extent.local);
        let in_memory = |l: &LocalId| {
            matches!(self.definitions.get(*l), Some(crate::state::Definition::Cell(_)))
                && !self.register(*l).uninit
        };
        let mut kept: Vec<LocalId> = facts.chain(extents).filter(in_memory).collect();
        kept.sort_unstable();
        kept.dedup();
        kept
    }

    /// Registers end or get other values: what was said in terms of them is said in terms of others, or of numbers.
    pub fn end_registers(&mut self, ends: &dyn Fn(LocalId) -> bool) {
        if self.symbolic.extents.iter().any(|(_, e)| ends(e.local)) {
            let extents = self.symbolic.extents.filter_map(&mut |_, e| {
                if !ends(e.local) {
                    return Change::Keep;
                }
                // Another register at a fixed distance: `y = x + d`.
                let equal = self.domains.relations.iter().find_map(|(a, b, d)| {
                    let exact = self.domains.relations.bound(b, a) == Some(-d);
                    (b == e.local && exact && !ends(a)).then_some((a, d))
                });
                match equal {
                    Some((y, d)) => Change::To(Extent { local: y, plus: e.plus - e.scale * d, ..*e }),
                    None => Change::Drop,
                }
            });
            self.symbolic.extents = extents;
        }
        self.end_in_facts(ends);
    }
}
