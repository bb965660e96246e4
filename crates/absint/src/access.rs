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
//! runs in which it goes wrong are set aside; the next ones through the same register need not be asked again, given the
//! first. An object's bytes have no holes, so that what lies between two bytes of it is its own too. Lives end where something is
//! freed and where locals end; sizes never change.
//!
//! Measured: half of what was open in zlib (17,068 to 8,537); nothing on the dev lists, where pointers are known.

use clew_ir::obligation::Condition;
use clew_ir::syntax::{
    Argument, Body, Call, ExprId, ExprKind, FuncId, LocalId, Place, PlaceBase, Projection, Storage,
};
use clew_ir::types::Class;

use crate::analyser::{Analyser, Frame};
use crate::level::Domain;
use crate::map::{Change, Map, Merge};
use crate::state::State;

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
    const NOTHING: Access = Access { alive: false, writable: false, from: 0, to: 0 };

    fn has_bytes(self) -> bool {
        self.from < self.to
    }

    fn covers(self, from: i128, to: i128) -> bool {
        self.has_bytes() && self.from <= from && to <= self.to
    }

    fn with(self, from: i128, to: i128) -> Access {
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
    fn seen_from(self, by: i128) -> Access {
        match self.has_bytes() {
            true => Access { from: self.from - by, to: self.to - by, ..self },
            false => self,
        }
    }
}

/// What is known of the objects that registers point into.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Accesses {
    known: Map<Access>,
    /// Whether something may have been freed since the running call began.
    pub freed: bool,
}

struct Common {
    widens: bool,
}
impl Merge<Access> for Common {
    fn both(&mut self, _: u64, a: &Access, b: &Access) -> Change<Access> {
        match a.common(*b) {
            Some(common) if common == *a => Change::Keep,
            Some(common) if !self.widens => Change::To(common),
            // Ranges that become smaller might do so for ever.
            _ => Change::Drop,
        }
    }
    fn left(&mut self, _: u64, _: &Access) -> Change<Access> {
        Change::Drop
    }
    fn right(&mut self, _: u64, _: &Access) -> Change<Access> {
        Change::Drop
    }
}

impl Accesses {
    /// What is known of a register's object.
    fn of(&self, local: LocalId) -> Access {
        self.known.get(u64::from(local.0)).copied().unwrap_or(Access::NOTHING)
    }

    pub fn set(&mut self, local: LocalId, access: Access) {
        match access == Access::NOTHING {
            true => self.known.remove(u64::from(local.0)),
            false => self.known.insert(u64::from(local.0), access),
        }
    }

    /// The register gets another value.
    pub fn forget(&mut self, local: LocalId) {
        if !self.known.is_empty() {
            self.known.remove(u64::from(local.0));
        }
    }

    /// Only what is said of these registers.
    pub fn retain(&mut self, keep: impl Fn(u64) -> bool) {
        if !self.known.is_empty() {
            let kept = |local: u64, _: &Access| if keep(local) { Change::Keep } else { Change::Drop };
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
        self.known.iter().map(|(local, access)| (LocalId(local as u32), *access))
    }
}

impl<'p> Analyser<'p> {
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

    /// Notes what a condition says that holds on the runs that go on. Whether it says anything: the others are then set aside.
    pub(crate) fn note_access(&self, frame: &Frame<'p>, state: &mut State, condition: &Condition) -> bool {
        let noted = match condition {
            _ if !self.uses(Domain::Accesses) => None,
            Condition::Live(pointer) => self.moved(frame, state, *pointer).map(|(local, _)| {
                let before = state.accesses.of(local);
                (local, Access { alive: true, ..before })
            }),
            Condition::Writable(place) => match place.base {
                PlaceBase::Deref(pointer) => self.moved(frame, state, pointer).map(|(local, _)| {
                    let before = state.accesses.of(local);
                    (local, Access { writable: true, ..before })
                }),
                _ => None,
            },
            Condition::InBounds(place) => {
                let bytes = self.bytes_from(frame, state, place);
                bytes.map(|(local, from, to)| (local, state.accesses.of(local).with(from, to)))
            }
            _ => None,
        };
        if let Some((local, access)) = noted {
            state.accesses.set(local, access);
        }
        noted.is_some()
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
                let info = &body.locals[LocalId(local as u32)];
                local < u64::from(body.parameters)
                    && info.storage == Storage::Register
                    && self.types.class(info.ty) == Class::Pointer
            })
        });
        accesses
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
