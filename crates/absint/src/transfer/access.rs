// SPDX-License-Identifier: MIT OR Apache-2.0
//! What earlier accesses through a pointer have shown: runs that went on had an object there.
//!
//! ```text
//!   alive, may be written, bytes [from, to) from the pointer on are the object's
//!        |                      larger ranges are below smaller ones
//!   nothing is known
//! ```
//!
//! Real code reads through pointers of which nothing is known: `strm->state` of a caller's struct. Its first access is open, and the
//! runs in which it goes wrong are pruned; the next ones through the same register need not be asked again, given the
//! first. An object's bytes have no holes, so that what lies between two bytes of it is its own too. Lives end where something is
//! freed and where locals end; sizes never change.
//!
//! Measured: half of what was open in zlib (17,068 to 8,537); nothing on the dev lists, where pointers are known.

use clew_ir::obligation::Condition;
use clew_ir::syntax::{
    Argument, Body, Call, ExprId, ExprKind, FuncId, LocalId, Place, PlaceBase, Projection, Storage,
};
use clew_ir::types::Class;

use crate::domain::access::{Access, Accesses};
use crate::engine::facts::{Facts, Frame};
use crate::engine::level::Domain;
use crate::engine::transfer::Transfer;
use crate::state::State;

impl<'p> Facts<'p> {
    /// The bytes of a place, from the value of a register on.
    fn bytes_from(&self, frame: &Frame<'p>, state: &State, place: &Place) -> Option<(LocalId, i128, i128)> {
        let PlaceBase::Deref(pointer) = place.base else { return None };
        let (local, by) = self.moved(frame, state, pointer)?;
        let from = by + i128::from(self.types.constant_offset(frame.body, place)?);
        Some((local, from, from + i128::from(self.types.access_bytes(place))))
    }

    /// Whether earlier accesses show that the object behind a pointer is alive.
    pub(crate) fn was_alive(&self, frame: &Frame<'p>, state: &State, pointer: ExprId) -> bool {
        self.moved(frame, state, pointer).is_some_and(|(local, _)| state.accesses.of(local).alive)
    }

    /// Whether earlier accesses show that the object behind a pointer may be written. A const member may not be,
    /// whatever else of its object was.
    pub(crate) fn was_writable(&self, frame: &Frame<'p>, state: &State, place: &Place) -> bool {
        let PlaceBase::Deref(pointer) = place.base else { return false };
        !self.leads_to_const(frame.body, place)
            && self.moved(frame, state, pointer).is_some_and(|(local, _)| state.accesses.of(local).writable)
    }

    /// Whether a place is found by way of a const member.
    fn leads_to_const(&self, body: &Body, place: &Place) -> bool {
        let is_const = |step: &Projection| match step {
            Projection::Field { record, field } => {
                self.program.types().records[*record].fields[*field as usize].is_const
            }
            Projection::Index { .. } => false,
        };
        if place.projections.iter().any(is_const) {
            return true;
        }
        let PlaceBase::Deref(mut pointer) = place.base else { return false };
        loop {
            match &body.exprs[pointer].kind {
                ExprKind::AddressOf(inner) => return self.leads_to_const(body, inner),
                ExprKind::PointerAdd { pointer: inner, .. } | ExprKind::Cast(inner) => pointer = *inner,
                _ => return false,
            }
        }
    }

    /// Whether earlier accesses show that a place lies inside its object.
    pub(crate) fn was_inside(&self, frame: &Frame<'p>, state: &State, place: &Place) -> bool {
        let bytes = self.bytes_from(frame, state, place);
        bytes.is_some_and(|(local, from, to)| state.accesses.of(local).covers(from, to))
    }

    /// What is known of the object behind an expression, if it is the value of a register but for a constant.
    pub(crate) fn access_of(&self, frame: &Frame<'p>, state: &State, expr: ExprId) -> Option<Access> {
        let (local, by) = self.moved(frame, state, expr)?;
        let access = state.accesses.of(local).seen_from(by);
        (access != Access::NOTHING).then_some(access)
    }

    /// What is known of the objects behind arguments, said of the parameters.
    pub(crate) fn accesses_of_callee(&self, frame: &Frame<'p>, state: &State, call: &Call) -> Accesses {
        let mut accesses = Accesses::default();
        for (index, argument) in call.arguments.iter().enumerate() {
            if let Argument::Value(expr) = argument
                && let Some(access) = self.access_of(frame, state, *expr)
            {
                accesses.set(LocalId(index as u32), access);
            }
        }
        accesses
    }

    /// What a call has shown of the objects behind arguments, seen from its parameters, which still are what was passed.
    pub(crate) fn accesses_of_caller(
        &self,
        frame: &Frame<'p>,
        state: &mut State,
        call: &Call,
        callee: FuncId,
        exit: &State,
    ) {
        if exit.accesses.freed {
            state.accesses.free();
        }
        for (parameter, access) in self.fitting(callee, exit.accesses.clone()).iter() {
            if let Some(Argument::Value(expr)) = call.arguments.get(parameter.0 as usize)
                && let Some((local, by)) = self.moved(frame, state, *expr)
            {
                let (seen, known) = (access.seen_from(-by), state.accesses.of(local));
                let bytes = if seen.has_bytes() { known.with(seen.from, seen.to) } else { known };
                let (alive, writable) = (known.alive || seen.alive, known.writable || seen.writable);
                state.accesses.set(local, Access { alive, writable, ..bytes });
            }
        }
    }

    /// What was said of arguments, of those parameters that are the same pointers.
    pub(crate) fn fitting(&self, function: FuncId, mut accesses: Accesses) -> Accesses {
        let body = self.function(function).body.as_ref();
        accesses.retain(|local| {
            body.is_some_and(|body| {
                let info = &body.locals[local];
                local.0 < body.parameters
                    && info.storage == Storage::Register
                    && self.types.class(info.ty) == Class::Pointer
            })
        });
        accesses
    }
}

impl<'p> Transfer<'p> {
    /// Notes what a condition says that holds on the runs that go on. Whether it says anything: the others are then pruned.
    pub(crate) fn note_access(&self, frame: &Frame<'p>, state: &mut State, condition: &Condition) -> bool {
        let noted = match condition {
            _ if !self.eval.uses(Domain::Accesses) => None,
            Condition::Live(pointer) => self.eval.facts.moved(frame, state, *pointer).map(|(local, _)| {
                let before = state.accesses.of(local);
                (local, Access { alive: true, ..before })
            }),
            Condition::Writable(place) => match place.base {
                PlaceBase::Deref(pointer) => {
                    self.eval.facts.moved(frame, state, pointer).map(|(local, _)| {
                        let before = state.accesses.of(local);
                        (local, Access { writable: true, ..before })
                    })
                }
                _ => None,
            },
            Condition::InBounds(place) => {
                let bytes = self.eval.facts.bytes_from(frame, state, place);
                bytes.map(|(local, from, to)| (local, state.accesses.of(local).with(from, to)))
            }
            _ => None,
        };
        if let Some((local, access)) = noted {
            state.accesses.set(local, access);
        }
        noted.is_some()
    }
}
