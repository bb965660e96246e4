// SPDX-License-Identifier: MIT OR Apache-2.0
//! Uses of what is known of objects in terms of registers: bounds by symbolic sizes, arrays that loops fill.

use clew_ir::syntax::{Argument, Call, ExprId, ExprKind, LocalId, Place, PlaceBase, Projection};

use crate::analyser::{Analyser, Frame};
use crate::call::Exit;
use crate::contents::Shape;
use crate::domain::int::Int;
use crate::eval::meet;
use crate::linear::one_term;
use crate::map::{Change, Map};
use crate::memory::single;
use crate::object::ObjectId;
use crate::state::State;
use crate::symbolic::{Extent, Prefix};
use crate::value::{Address, Value};

/// Elements that are looked at one by one when a loop has filled the first few of them.
const MOST_EARLIER: i128 = 64;

/// A place as `base + stride * (register + plus)` bytes into its one object.
pub(crate) struct Indexed {
    pub(crate) object: ObjectId,
    pub(crate) local: LocalId,
    pub(crate) plus: i128,
    pub(crate) stride: i128,
    pub(crate) base: i128,
}

impl<'p> Analyser<'p> {
    /// An object was made with so many bytes.
    pub(crate) fn learn_extent(&mut self, frame: &Frame<'p>, state: &mut State, made: &Value, bytes: ExprId) {
        let Some((object, _)) = single(&made.kind.to_address()) else { return };
        if let Some((local, scale, plus)) = one_term(self, frame, state, bytes) {
            state.symbolic.extents.insert(u64::from(object.0), Extent { local, scale, plus });
        }
    }

    /// The sizes that are known in terms of arguments, in terms of the callee's parameters.
    pub(crate) fn extents_of_callee(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        call: &'p Call,
    ) -> Map<Extent> {
        let mut extents = Map::default();
        if state.symbolic.extents.is_empty() {
            return extents;
        }
        for (index, argument) in call.arguments.iter().enumerate() {
            let Argument::Value(expr) = argument else { continue };
            let Some((local, by)) = self.offset_local(frame, state, *expr) else { continue };
            for (object, extent) in state.symbolic.extents.iter() {
                if extent.local == local {
                    // parameter = local + by
                    let parameter = LocalId(index as u32);
                    let plus = extent.plus - extent.scale * by;
                    extents.insert(object, Extent { local: parameter, plus, ..*extent });
                }
            }
        }
        extents
    }

    /// The sizes of what the callee made in terms of its parameters, in terms of the caller's registers.
    pub(crate) fn extents_of_caller(
        &mut self,
        frame: &Frame<'p>,
        state: &mut State,
        call: &'p Call,
        exit: &Exit,
    ) {
        let made = exit.state.symbolic.extents.iter();
        let mut learned = Vec::new();
        for (object, extent) in made {
            let Some(Argument::Value(expr)) = call.arguments.get(extent.local.0 as usize) else { continue };
            if let Some((local, scale, plus)) = one_term(self, frame, state, *expr) {
                let plus = extent.plus + extent.scale * plus;
                learned.push((object, Extent { local, scale: extent.scale * scale, plus }));
            }
        }
        // What was made anew under an old name has another size.
        let aged = |object: u64| exit.aged.contains_key(&ObjectId(object as u32));
        state.symbolic.extents = state.symbolic.extents.filter_map(&mut |object, _| {
            if aged(object) || exit.state.memory.get(object).is_none() { Change::Drop } else { Change::Keep }
        });
        for (object, extent) in learned {
            state.symbolic.extents.insert(object, extent);
        }
    }

    /// A place as an index into its object, where it has that form.
    pub(crate) fn indexed(&mut self, frame: &Frame<'p>, state: &State, place: &Place) -> Option<Indexed> {
        let (pointer, first) = match place.base {
            PlaceBase::Deref(expr) => match frame.body.exprs[expr].kind {
                ExprKind::PointerAdd { pointer, index, stride } => (Some(pointer), Some((index, stride))),
                _ => (Some(expr), None),
            },
            _ => (None, None),
        };
        let start = match pointer {
            Some(pointer) => self.eval(frame, state, pointer).kind.to_address(),
            None => self.address(frame, state, &Place { projections: Vec::new(), ..place.clone() }),
        };
        let (object, offset) = single(&start)?;
        let mut base = offset.as_constant()?;
        let mut variable: Option<(LocalId, i128, i128)> = None;
        let mut index = |this: &mut Self, expr: ExprId, stride: u64| -> Option<i128> {
            if let Some(c) = this.number(frame, state, expr, 2).as_constant() {
                let constant = matches!(frame.body.exprs[expr].kind, ExprKind::Int(_));
                if constant || variable.is_some() {
                    return c.checked_mul(i128::from(stride));
                }
            }
            if variable.is_some() {
                return None;
            }
            let (local, plus) = this.offset_local(frame, state, expr)?;
            variable = Some((local, plus, i128::from(stride)));
            Some(0)
        };
        if let Some((expr, stride)) = first {
            base += index(self, expr, stride)?;
        }
        for step in &place.projections {
            base += match step {
                Projection::Field { record, field } => i128::from(self.types.field(*record, *field)?.offset),
                Projection::Index { index: expr, stride, .. } => index(self, *expr, *stride)?,
            };
        }
        let (local, plus, stride) = variable?;
        Some(Indexed { object, local, plus, stride, base })
    }

    /// Whether an access lies inside an object whose size is known in terms of a register.
    pub(crate) fn inside_extent(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        place: &Place,
        bytes: i128,
    ) -> bool {
        if state.symbolic.extents.is_empty() {
            return false;
        }
        if let Some(at) = self.indexed(frame, state, place)
            && let Some(extent) = state.symbolic.extents.get(u64::from(at.object.0)).copied()
        {
            let index = self.register_range(state, at.local).map(|n| n.lo());
            let least = state.relations.iter().filter(|(_, b, _)| *b == at.local);
            let least = least.filter_map(|(a, _, c)| self.register_range(state, a)?.lo().checked_sub(c));
            let lowest = least.chain(index).max();
            let from_start =
                lowest.is_some_and(|lo| lo > i128::MIN / 4 && at.base + at.stride * (lo + at.plus) >= 0);
            return from_start && self.below_extent(state, &at, &extent, bytes);
        }
        // A constant offset into an object of at least so many elements.
        false
    }

    /// `base + stride * (i + plus) + bytes <= scale * n + more`.
    fn below_extent(&self, state: &State, at: &Indexed, extent: &Extent, bytes: i128) -> bool {
        if at.stride == extent.scale && at.stride > 0 {
            let room = extent.plus - at.base - at.stride * at.plus - bytes;
            let steps = room.div_euclid(at.stride);
            if at.local == extent.local {
                return steps >= 0;
            }
            return state.relations.bound(at.local, extent.local).is_some_and(|c| c <= steps);
        }
        // Elements of several units each, or units of several elements: by the largest index.
        false
    }

    /// A read of an element that a loop has filled.
    pub(crate) fn load_prefix(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        place: &Place,
        address: &Address,
        read: Value,
    ) -> Value {
        let Some((object, offset)) = single(address) else { return read };
        let Some(prefix) = state.symbolic.prefixes.get(u64::from(object.0)).cloned() else { return read };
        if self.types.size_of(place.ty) != prefix.stride
            || !self.is_filled(frame, state, place, &offset, &prefix)
        {
            return read;
        }
        let kind = match read.uninit {
            true => prefix.value.kind.clone(),
            false => meet(&read.kind, &prefix.value.kind).unwrap_or(read.kind),
        };
        Value { kind, uninit: prefix.value.uninit }
    }

    /// Whether an access lies in the part of its object that is filled.
    fn is_filled(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        place: &Place,
        offset: &Int,
        prefix: &Prefix,
    ) -> bool {
        let stride = i128::from(prefix.stride);
        let base = i128::from(prefix.base);
        if let Some(n) = self.register_range(state, prefix.local)
            && n.lo() != i128::MIN
            && offset.lo() >= base
            && offset.hi() < base + (n.lo() + prefix.ahead) * stride
        {
            return true;
        }
        match self.indexed(frame, state, place) {
            Some(at) if at.stride == stride && at.base == base && offset.lo() >= base => {
                // register + plus < filled register + ahead
                if at.local == prefix.local {
                    at.plus < prefix.ahead
                } else {
                    state.relations.bound(at.local, prefix.local).is_some_and(|c| c + at.plus < prefix.ahead)
                }
            }
            _ => false,
        }
    }

    /// Whether what the access reads is initialised because a loop wrote it.
    pub(crate) fn is_filled_place(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        place: &Place,
        object: ObjectId,
        offset: &Int,
    ) -> bool {
        let Some(prefix) = state.symbolic.prefixes.get(u64::from(object.0)).cloned() else { return false };
        !prefix.value.uninit
            && self.types.size_of(place.ty) == prefix.stride
            && self.is_filled(frame, state, place, offset, &prefix)
    }

    /// What the elements before the one that is about to be written hold, if it is the first, or they are few.
    pub(crate) fn filled_before(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        place: &Place,
        address: &Address,
        shape: Shape,
    ) -> Option<Option<Value>> {
        let (object, _) = single(address)?;
        if self.is_summary(object) || state.symbolic.prefixes.get(u64::from(object.0)).is_some() {
            return None;
        }
        let at = self.indexed(frame, state, place)?;
        let index = self.register_range(state, at.local)?.as_constant()?.checked_add(at.plus)?;
        if !(0..=MOST_EARLIER).contains(&index) || at.stride != i128::from(shape.bytes()) || at.base < 0 {
            return None;
        }
        let contents = &state.object(object)?.contents;
        let reads = (0..index).map(|k| contents.read(&Int::constant(at.base + k * at.stride), shape));
        let before = reads.reduce(|a, b| a.join(&b));
        if before.as_ref().is_some_and(|v| v.uninit) {
            return None;
        }
        Some(before)
    }

    /// An element has been written: a loop that fills an array has come one further.
    #[expect(clippy::too_many_arguments, reason = "what was known before the write, and the write")]
    pub(crate) fn extend_prefix(
        &mut self,
        frame: &Frame<'p>,
        state: &mut State,
        place: &Place,
        address: &Address,
        known: Option<Prefix>,
        earlier: Option<Option<Value>>,
        value: Value,
    ) {
        let Some((object, _)) = single(address) else { return };
        let key = u64::from(object.0);
        if self.is_summary(object) || value.uninit {
            return;
        }
        let bytes = self.types.size_of(place.ty);
        let new = match (known, earlier) {
            (Some(prefix), _) => {
                let Some(at) = self.indexed(frame, state, place) else { return };
                let same = at.local == prefix.local
                    && at.stride == i128::from(prefix.stride)
                    && at.base == i128::from(prefix.base)
                    && bytes == prefix.stride;
                if !same || at.plus != prefix.ahead {
                    return;
                }
                // What was claimed before the write still holds of the elements before this one.
                Prefix { ahead: prefix.ahead + 1, value: prefix.value.join(&value), ..prefix }
            }
            (None, Some(before)) => {
                let Some(at) = self.indexed(frame, state, place) else { return };
                let Ok(base) = u64::try_from(at.base) else { return };
                let value = before.map_or(value.clone(), |b| b.join(&value));
                Prefix { local: at.local, ahead: at.plus + 1, base, stride: bytes, value }
            }
            (None, None) => return,
        };
        state.symbolic.prefixes.insert(key, new);
    }
}
