// SPDX-License-Identifier: MIT OR Apache-2.0
//! Uses of sizes that are known in terms of registers.

use clew_ir::syntax::{Argument, Call, ExprId, ExprKind, LocalId, Place, PlaceBase, Projection};

use crate::domain::value::{Value, single};
use crate::engine::call::Exit;
use crate::engine::evaluator::Evaluator;
use crate::engine::facts::Frame;
use crate::engine::level::Domain;
use crate::engine::transfer::Transfer;
use crate::map::{Change, Map};
use crate::memory::extent::Extent;
use crate::program::object::ObjectId;
use crate::state::State;
use crate::transfer::eval::register_int;
use crate::transfer::linear::one_term;

/// A place as `base + stride * (register + plus)` bytes into its one object.
pub(crate) struct Indexed {
    pub(crate) object: ObjectId,
    pub(crate) local: LocalId,
    pub(crate) plus: i128,
    pub(crate) stride: i128,
    pub(crate) base: i128,
}

impl<'p> Evaluator<'p> {
    /// The sizes that are known in terms of arguments, in terms of the callee's parameters.
    pub(crate) fn extents_of_callee(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        call: &'p Call,
    ) -> Map<ObjectId, Extent> {
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

    /// A place as an index into its object, where it has that form.
    fn indexed(&mut self, frame: &Frame<'p>, state: &State, place: &Place) -> Option<Indexed> {
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
                Projection::Field { record, field } => {
                    i128::from(self.facts.types.field(*record, *field)?.offset)
                }
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
            && let Some(extent) = state.symbolic.extents.get(at.object).copied()
        {
            let index = register_int(state, at.local).map(|n| n.lo());
            let least = state.domains.relations.iter().filter(|(_, b, _)| *b == at.local);
            let least = least.filter_map(|(a, _, c)| register_int(state, a)?.lo().checked_sub(c));
            let lowest = least.chain(index).max();
            let from_start =
                lowest.is_some_and(|lo| lo > i128::MIN / 4 && at.base + at.stride * (lo + at.plus) >= 0);
            if from_start && below_extent(state, &at, &extent, bytes) {
                return true;
            }
        }
        self.inside_least_extent(frame, state, place, bytes)
    }

    /// The same by numbers alone: the offset is in the object however small it is, as `argv[1]` where `argc > 1`.
    fn inside_least_extent(&mut self, frame: &Frame<'p>, state: &State, place: &Place, bytes: i128) -> bool {
        let address = self.address(frame, state, place);
        let Some((object, offset)) = single(&address) else { return false };
        let Some(extent) = state.symbolic.extents.get(object) else { return false };
        let Some(count) = register_int(state, extent.local).filter(|_| extent.scale > 0) else {
            return false;
        };
        let least = extent.scale.checked_mul(count.lo()).and_then(|size| size.checked_add(extent.plus));
        let end = offset.hi().checked_add(bytes);
        offset.lo() >= 0 && least.zip(end).is_some_and(|(least, end)| end <= least)
    }
}

impl<'p> Transfer<'p> {
    /// An object was made with so many bytes.
    pub(crate) fn learn_extent(&mut self, frame: &Frame<'p>, state: &mut State, made: &Value, bytes: ExprId) {
        let Some((object, _)) = single(&made.kind.to_address()) else { return };
        if !self.eval.uses(Domain::Cursors) {
            return;
        }
        if let Some((local, scale, plus)) = one_term(&mut self.eval, frame, state, bytes) {
            let extent = Extent { local, scale, plus, is_least: false };
            state.symbolic.extents.insert(object, extent);
            self.learn_size(state, object, &extent);
        }
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
            if let Some((local, scale, plus)) = one_term(&mut self.eval, frame, state, *expr) {
                let plus = extent.plus + extent.scale * plus;
                learned.push((
                    object,
                    Extent { local, scale: extent.scale * scale, plus, is_least: extent.is_least },
                ));
            }
        }
        // What was made anew under an old name has another size.
        let aged = |object: ObjectId| exit.aged.contains_key(&object);
        state.symbolic.extents = state.symbolic.extents.filter_map(&mut |object, _| {
            if aged(object) || exit.state.memory.get(object).is_none() { Change::Drop } else { Change::Keep }
        });
        for (object, extent) in learned {
            state.symbolic.extents.insert(object, extent);
            self.learn_size(state, object, &extent);
        }
    }
}

/// `base + stride * (i + plus) + bytes <= scale * n + more`.
fn below_extent(state: &State, at: &Indexed, extent: &Extent, bytes: i128) -> bool {
    if at.stride == extent.scale && at.stride > 0 {
        let room = extent.plus - at.base - at.stride * at.plus - bytes;
        let steps = room.div_euclid(at.stride);
        if at.local == extent.local {
            return steps >= 0;
        }
        return state.domains.relations.bound(at.local, extent.local).is_some_and(|c| c <= steps);
    }
    // Elements of several units each, or units of several elements: by the largest index.
    false
}
