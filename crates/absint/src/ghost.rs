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

use clew_ir::syntax::{AccessFlags, LocalId, Place, StatementKind};

use crate::analyser::{Analyser, Frame};
use crate::contents::Shape;
use crate::domain::int::Int;
use crate::level::Domain;
use crate::map::{Change, Map, Merge};
use crate::memory::single;
use crate::object::{Input, Object, ObjectId, Site};
use crate::relation::from_ranges;
use crate::state::State;
use crate::symbolic::Extent;
use crate::value::{Address, Kind, Value};
use crate::var::{LARGEST_UNIT, Var};

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
impl<S: FnMut(&Int, &Int) -> Int> Merge<Nul> for MergeNuls<'_, S> {
    fn both(&mut self, _: u64, a: &Nul, b: &Nul) -> Change<Nul> {
        let merged = Nul { at: (self.0)(&a.at, &b.at), fresh: a.fresh || b.fresh };
        if merged == *a { Change::Keep } else { Change::To(merged) }
    }
    fn left(&mut self, _: u64, _: &Nul) -> Change<Nul> {
        Change::Drop
    }
    fn right(&mut self, _: u64, _: &Nul) -> Change<Nul> {
        Change::Drop
    }
}

fn in_units(n: &Int, unit: u32) -> Int {
    let down = |bound: i128| if bound == i128::MIN || bound == i128::MAX { bound } else { bound >> unit };
    Int::range(down(n.lo()), down(n.hi()))
}

impl State {
    /// What a variable may be by its own range.
    pub fn var_range(&self, var: Var) -> Option<Int> {
        let value = |local: LocalId| self.registers.get(u64::from(local.0)).filter(|v| !v.uninit);
        match var {
            Var::Register(local) => match &value(local)?.kind {
                Kind::Number(n) => Some(*n),
                _ => None,
            },
            Var::Minus(local) => Some(self.var_range(Var::Register(local))?.neg()),
            Var::Offset(local, unit) => {
                let address = pointed(value(local)?)?;
                let offsets = address.targets.iter().map(|(_, offset)| *offset);
                Some(in_units(&offsets.reduce(|a, b| a.join(&b))?, unit))
            }
            Var::Room(local, unit) => {
                let address = pointed(value(local)?)?;
                let mut hull: Option<Int> = None;
                for (object, offset) in &address.targets {
                    let room = self.object(*object)?.size.sub(offset);
                    hull = Some(hull.map_or(room, |h| h.join(&room)));
                }
                Some(in_units(&hull?, unit))
            }
            Var::Size(object, unit) => Some(in_units(&self.object(object)?.size, unit)),
            Var::Nul(object) => self.nuls.get(u64::from(object.0)).map(|nul| nul.at),
        }
    }

    /// The largest `x - y` may be, by what is remembered and by ranges.
    pub fn most(&self, x: Var, y: Var) -> Option<i128> {
        if x == y {
            return Some(0);
        }
        match (self.relations.closest(x, y), from_ranges(self, x, y)) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    /// The same, by what each of the two is compared with, too.
    pub fn apart(&self, x: Var, y: Var) -> Option<i128> {
        let by_ranges = self.greatest(x).and_then(|hi| Some(hi - self.least(y)?));
        match (self.relations.closest(x, y), by_ranges) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    /// The least a variable may be, by its range and by what it is compared with.
    pub fn least(&self, var: Var) -> Option<i128> {
        let own = self.var_range(var).map(|n| n.lo());
        let others = self.relations.all().filter(|(_, y, _)| *y == var);
        let others = others.filter_map(|(x, _, c)| self.var_range(x)?.lo().checked_sub(c));
        others.chain(own).max().filter(|lo| *lo > i128::MIN / 4)
    }

    /// The most a variable may be, by its range and by what it is compared with.
    pub fn greatest(&self, var: Var) -> Option<i128> {
        let own = self.var_range(var).map(|n| n.hi());
        let others = self.relations.all().filter(|(x, _, _)| *x == var);
        let others = others.filter_map(|(_, y, c)| self.var_range(y)?.hi().checked_add(c));
        others.chain(own).min().filter(|hi| *hi < i128::MAX / 4)
    }

    /// An object is made anew, or nothing is known of it any more.
    pub fn forget_object(&mut self, object: ObjectId) {
        self.symbolic.forget_object(u64::from(object.0));
        self.nuls.remove(u64::from(object.0));
        self.relations.forget_object(object);
    }

    /// The contents of an object, or of all, change in a way that is not followed.
    pub fn forget_contents(&mut self, object: Option<ObjectId>) {
        self.symbolic.forget_contents(object.map(|o| u64::from(o.0)));
        self.forget_nul(object);
    }

    /// The byte that is known to be zero may be so no longer.
    pub fn forget_nul(&mut self, object: Option<ObjectId>) {
        match object {
            Some(object) if self.nuls.get(u64::from(object.0)).is_none() => return,
            Some(object) => self.nuls.remove(u64::from(object.0)),
            None => self.nuls = Map::default(),
        }
        self.relations.forget_nul(object);
    }

    /// A scalar was written somewhere into an object.
    pub fn nul_after_write(&mut self, object: ObjectId, offset: &Int, bytes: u64, value: &Value) {
        let Some(nul) = self.nuls.get(u64::from(object.0)) else { return };
        let is_zero = !value.uninit && value.kind.as_constant() == Some(0);
        let last = offset.hi().saturating_add(i128::from(bytes) - 1);
        if !is_zero && offset.lo() <= nul.at.hi() && nul.at.lo() <= last {
            self.forget_nul(Some(object));
        }
    }
}

/// Where a pointer surely points into objects that are known.
fn pointed(value: &Value) -> Option<&Address> {
    match &value.kind {
        Kind::Address(address) if !address.unknown && address.number.is_none() => Some(address),
        _ => None,
    }
}

impl<'p> Analyser<'p> {
    /// The size of an object in terms of a register is a difference, too, if each unit of the register is an element.
    pub(crate) fn learn_size(&self, state: &mut State, object: ObjectId, extent: &Extent) {
        let unit = extent.scale.max(1).trailing_zeros();
        let is_unit = extent.scale == 1 << unit && unit <= LARGEST_UNIT;
        if is_unit && extent.plus.rem_euclid(extent.scale) == 0 && !self.is_summary(object) {
            let size = Var::Size(object, unit);
            self.relate_equal(&mut state.relations, size, extent.local, extent.plus >> unit);
        }
    }

    /// Whether bytes of an object are its own affair: no part of the analysis makes it behind the back of this.
    fn has_nul(&self, object: ObjectId) -> bool {
        let kind = match self.objects.get(object) {
            Object::Global(_) | Object::Local(..) | Object::Recent(..) | Object::Alloca(_) => true,
            Object::Input(input) => matches!(input, Input::Parameter { .. }),
            _ => false,
        };
        kind && !self.is_summary(object)
    }

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
        if state.nuls.get(u64::from(object.0)).is_none() {
            return false;
        }
        let Some((at, plus)) = self.byte_of(frame, state, place) else { return false };
        let nul = Var::Nul(object);
        state.most(at, nul).is_some_and(|c| c + plus + i128::from(bytes) <= 0)
            || state.most(nul, at).is_some_and(|c| c < plus)
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
        let is_byte = self.shape(place.ty).is_some_and(|shape| shape.bytes() == 1);
        let begins = self.uses(Domain::Strings) && self.has_nul(object);
        if !is_zero || !is_byte || offset.as_constant().is_some() || !begins {
            return;
        }
        let Some(at) = state.object(object).and_then(|o| crate::check::clamp(&offset, &o.size, 1)) else {
            return;
        };
        let form = self.byte_of(frame, state, place);
        let nul = Var::Nul(object);
        let earlier = form.is_some_and(|(var, plus)| state.most(nul, var).is_some_and(|c| c <= plus));
        if state.nuls.get(u64::from(object.0)).is_some() && (earlier || form.is_none()) {
            return;
        }
        state.forget_nul(Some(object));
        state.nuls.insert(u64::from(object.0), Nul { at, fresh: true });
        if let Some((var, plus)) = form {
            self.relate_equal(&mut state.relations, nul, var, plus);
        }
        // What was written was in bounds.
        if state.relations.mentions(Var::Size(object, 0)) {
            self.relate(&mut state.relations, nul, Var::Size(object, 0), -1);
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
        if state.nuls.get(u64::from(object.0)).is_none() {
            return;
        }
        let Some((at, plus)) = self.byte_of(frame, state, place) else { return };
        let nul = Var::Nul(object);
        if let Some(c) = state.most(at, nul)
            && c + plus <= 0
        {
            self.relate(&mut state.relations, at, nul, c);
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
        if !matches!(self.shape(place.ty), Some(Shape::Int(ty)) if ty.bits == 8) {
            return;
        }
        let Some((object, _)) = single(&self.address(frame, state, place)) else { return };
        if state.nuls.get(u64::from(object.0)).is_none() {
            return;
        }
        let Some((at, plus)) = self.byte_of(frame, state, place) else { return };
        let nul = Var::Nul(object);
        if state.most(at, nul).is_some_and(|c| c + plus <= 0) {
            self.relate(&mut state.relations, at, nul, -plus - 1);
        }
    }
}
