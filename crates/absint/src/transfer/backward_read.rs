// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a value that was read says about where it was read: `while (*s != 0) s++` does not pass the terminator.
//!
//! Offsets at the ends of the range at which the object holds none of the values that are left are taken away. That is
//! what keeps a scan inside its string: the offset is at most that of a byte that is known to be zero, the test says
//! that it is another one, and so the next offset is still at most that.

use clew_ir::syntax::{ExprId, Place, PlaceBase, Projection, StatementKind};

use crate::domain::int::Int;
use crate::domain::value::{Address, Kind, meet, single};
use crate::effort::backward_read::MOST_OFFSETS;
use crate::engine::evaluator::Evaluator;
use crate::engine::facts::Frame;
use crate::engine::transfer::Transfer;
use crate::program::object::{ObjectId, Site};
use crate::state::State;

impl<'p> Evaluator<'p> {
    /// A place as one index that varies, its stride, and the constant rest.
    fn one_index(&mut self, frame: &Frame<'p>, state: &State, place: &Place) -> Option<(ExprId, i128, i128)> {
        let mut rest = match place.base {
            PlaceBase::Deref(pointer) => {
                single(&self.eval(frame, state, pointer).kind.to_address())?.1.as_constant()?
            }
            PlaceBase::Local(_) | PlaceBase::Global(_) => 0,
        };
        let mut varies = None;
        for step in &place.projections {
            match step {
                Projection::Field { record, field } => {
                    rest += i128::from(self.facts.types.field(*record, *field)?.offset)
                }
                Projection::Index { index, stride, .. } => {
                    let stride = i128::from(*stride);
                    match self.number(frame, state, *index, 2).as_constant() {
                        Some(c) => rest += c.checked_mul(stride)?,
                        None if varies.is_none() && stride > 0 => varies = Some((*index, stride)),
                        None => return None,
                    }
                }
            }
        }
        let (index, stride) = varies?;
        Some((index, stride, rest))
    }
}

impl<'p> Transfer<'p> {
    /// A register that was read at a statement, and still equals what stands there, is in a smaller value. False: it
    /// cannot be.
    pub(crate) fn restrict_loaded(
        &mut self,
        frame: &Frame<'p>,
        state: &mut State,
        site: Site,
        kind: &Kind,
        depth: u32,
    ) -> bool {
        let code = &frame.body.blocks[site.block];
        let Some(StatementKind::Load { place, .. }) =
            code.statements.get(site.statement as usize).map(|s| &s.kind)
        else {
            return true;
        };
        let Some(shape) = self.eval.facts.shape(place.ty) else { return true };
        let Some((object, offset)) = single(&self.eval.address(frame, state, place)) else { return true };
        let Some(obj) = state.object(object) else { return true };
        let Some(offset) = crate::transfer::check::clamp(&offset, &obj.size, shape.bytes()) else {
            return true;
        };
        let possible = |at: i128| {
            let read = obj.contents.read(&Int::constant(at), shape);
            read.uninit || meet(&read.kind, kind).is_some()
        };
        let (modulus, _) = offset.stride();
        let step = i128::try_from(modulus).unwrap_or(1).max(1);
        let (mut lo, mut hi) = (offset.lo(), offset.hi());
        for _ in 0..MOST_OFFSETS {
            if lo > hi || possible(lo) {
                break;
            }
            lo += step;
        }
        for _ in 0..MOST_OFFSETS {
            if lo > hi || possible(hi) {
                break;
            }
            hi -= step;
        }
        if lo > hi {
            return false;
        }
        if (lo, hi) == (offset.lo(), offset.hi()) {
            return true;
        }
        self.push_offset(frame, state, place, object, &Int::range(lo, hi), depth)
    }

    /// Learns that a place is at these offsets of its object. False: that cannot be.
    fn push_offset(
        &mut self,
        frame: &Frame<'p>,
        state: &mut State,
        place: &Place,
        object: ObjectId,
        offset: &Int,
        depth: u32,
    ) -> bool {
        if let Some(distance) = self.eval.facts.types.constant_offset(frame.body, place) {
            let PlaceBase::Deref(pointer) = place.base else { return true };
            let start = offset.sub(&Int::constant(i128::from(distance)));
            let Some(kind) = Address::of(object, start).into_kind() else { return false };
            return depth == 0 || self.push(frame, state, pointer, &kind, depth - 1);
        }
        let Some((index, stride, rest)) = self.eval.one_index(frame, state, place) else { return true };
        let (from, to) = (offset.lo() - rest, offset.hi() - rest);
        let (lo, hi) =
            (from.div_euclid(stride) + i128::from(from.rem_euclid(stride) != 0), to.div_euclid(stride));
        if lo > hi {
            return false;
        }
        let before = self.eval.number(frame, state, index, 2);
        match before.meet(&Int::range(lo, hi)) {
            None => false,
            Some(n) => depth == 0 || self.push(frame, state, index, &Kind::Number(n), depth - 1),
        }
    }
}
