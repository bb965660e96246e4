// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is known of objects whatever registers there are: their size, and where a byte is zero.
//!
//! A [`Nul`] is one byte of an object that is known to be zero: that `p[n - 1] = 0` wrote, say. Where it is, is known by a
//! range and by differences with other numbers ([`Var::Nul`]). It stays that byte until something is written that might
//! be there; then it is gone, or another one is chosen. A scan that has not passed it yet, and reads something that is
//! not zero, has not come to it yet: `while (*s) s++` stays inside its object.
//!
//! Objects that stand for several have none of this: one variable would stand for several numbers.
//!
//! Measured: 14 programs of the dev lists are lost without the zero byte, nothing in 10,000 lines of `bench synchronous`.

use clew_ir::syntax::{AccessFlags, Place, StatementKind};

use crate::domain::shape::Shape;
use crate::domain::value::{Address, Value, single};
use crate::domain::var::{LARGEST_UNIT, Var};
use crate::engine::evaluator::Evaluator;
use crate::engine::facts::{Facts, Frame};
use crate::engine::level::Domain;
use crate::engine::transfer::Transfer;
use crate::memory::extent::Extent;
use crate::memory::nul_position::Nul;
use crate::program::object::{Input, Object, ObjectId, Site};
use crate::state::State;

impl<'p> Facts<'p> {
    /// Whether bytes of an object are its own affair: no part of the analysis makes it behind the back of this.
    fn has_nul(&self, object: ObjectId) -> bool {
        let kind = match self.objects.get(object) {
            Object::Global(_) | Object::Local(..) | Object::Recent(..) | Object::Alloca(_) => true,
            Object::Input(input) => matches!(input, Input::Parameter { .. }),
            _ => false,
        };
        kind && !self.is_summary(object)
    }
}

impl<'p> Evaluator<'p> {
    /// Whether a write to the place surely is not to the byte that is known to be zero.
    pub(crate) fn misses_nul(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        place: &Place,
        address: &Address,
        bytes: u64,
    ) -> bool {
        let Some((object, _)) = single(address) else { return false };
        if state.nuls.get(object).is_none() {
            return false;
        }
        let Some((at, plus)) = self.byte_of(frame, state, place) else { return false };
        let nul = Var::Nul(object);
        state.most(at, nul).is_some_and(|c| c + plus + i128::from(bytes) <= 0)
            || state.most(nul, at).is_some_and(|c| c < plus)
    }
}

impl<'p> Transfer<'p> {
    /// The size of an object in terms of a register is a difference, too, if each unit of the register is an element.
    pub(crate) fn learn_size(&self, state: &mut State, object: ObjectId, extent: &Extent) {
        let unit = extent.scale.max(1).trailing_zeros();
        let is_unit = extent.scale == 1 << unit && unit <= LARGEST_UNIT;
        if is_unit && extent.plus.rem_euclid(extent.scale) == 0 && !self.eval.facts.is_summary(object) {
            let size = Var::Size(object, unit);
            let relations = &mut state.domains.relations;
            match extent.is_least {
                true => self.eval.relate(relations, extent.local, size, -(extent.plus >> unit)),
                false => self.eval.relate_equal(relations, size, extent.local, extent.plus >> unit),
            }
        }
    }

    /// A byte was written at a place: if it is zero, it may be the one to remember.
    pub(crate) fn choose_nul(
        &mut self,
        frame: &Frame<'p>,
        state: &mut State,
        place: &Place,
        address: &Address,
        value: &Value,
    ) {
        let Some((object, offset)) = single(address) else { return };
        let is_zero = !value.uninit && value.kind.as_constant() == Some(0);
        let is_byte = self.eval.facts.shape(place.ty).is_some_and(|shape| shape.bytes() == 1);
        let begins = self.eval.uses(Domain::Strings) && self.eval.facts.has_nul(object);
        if !is_zero || !is_byte || offset.as_constant().is_some() || !begins {
            return;
        }
        let Some(at) = state.object(object).and_then(|o| crate::transfer::check::clamp(&offset, &o.size, 1))
        else {
            return;
        };
        let form = self.eval.byte_of(frame, state, place);
        let nul = Var::Nul(object);
        let earlier = form.is_some_and(|(var, plus)| state.most(nul, var).is_some_and(|c| c <= plus));
        if state.nuls.get(object).is_some() && (earlier || form.is_none()) {
            return;
        }
        state.forget_nul(Some(object));
        state.nuls.insert(object, Nul { at, fresh: true });
        if let Some((var, plus)) = form {
            self.eval.relate_equal(&mut state.domains.relations, nul, var, plus);
        }
        // What was written was in bounds.
        if state.domains.relations.mentions(Var::Size(object, 0)) {
            self.eval.relate(&mut state.domains.relations, nul, Var::Size(object, 0), -1);
        }
    }

    /// A byte of an object is about to be read: where it is, compared with the byte that is zero, is worth remembering.
    pub(crate) fn before_nul(
        &mut self,
        frame: &Frame<'p>,
        state: &mut State,
        place: &Place,
        object: ObjectId,
    ) {
        if state.nuls.get(object).is_none() {
            return;
        }
        let Some((at, plus)) = self.eval.byte_of(frame, state, place) else { return };
        let nul = Var::Nul(object);
        if let Some(c) = state.most(at, nul)
            && c + plus <= 0
        {
            self.eval.relate(&mut state.domains.relations, at, nul, c);
        }
    }

    /// What a load read is not zero: it did not read the byte that is, and so it is still before it, if it was not
    /// behind it. That holds of bytes that were never written, too: the one that is zero was.
    pub(crate) fn pass_nul(&mut self, frame: &Frame<'p>, state: &mut State, site: Site) {
        let code = &frame.body.blocks[site.block];
        let Some(StatementKind::Load { place, flags: AccessFlags { volatile: false, .. }, .. }) =
            code.statements.get(site.statement as usize).map(|s| &s.kind)
        else {
            return;
        };
        if !matches!(self.eval.facts.shape(place.ty), Some(Shape::Int(ty)) if ty.bits == 8) {
            return;
        }
        let Some((object, _)) = single(&self.eval.address(frame, state, place)) else { return };
        if state.nuls.get(object).is_none() {
            return;
        }
        let Some((at, plus)) = self.eval.byte_of(frame, state, place) else { return };
        let nul = Var::Nul(object);
        if state.most(at, nul).is_some_and(|c| c + plus <= 0) {
            self.eval.relate(&mut state.domains.relations, at, nul, -plus - 1);
        }
    }
}
