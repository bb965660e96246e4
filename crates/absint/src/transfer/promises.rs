// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the contract of an entry says of its arguments.

use clew_base::int::IntType;
use clew_ir::syntax::{FuncId, LocalId, Storage};

use crate::domain::int::Int;
use crate::domain::value::{Kind, Value};
use crate::domain::var::{LARGEST_UNIT, Var};
use crate::effort::inputs::LARGEST;
use crate::engine::call::{ParameterFacts, Passed};
use crate::engine::level::Domain;
use crate::engine::options::Promise;
use crate::engine::transfer::Transfer;
use crate::memory::contents::Contents;
use crate::memory::extent::Extent;
use crate::memory::object::Obj;
use crate::program::object::ObjectId;
use crate::state::State;

impl<'p> Transfer<'p> {
    /// Arguments as one case of the contract has them, and how they are related; none: no caller keeps it.
    pub(crate) fn keep_promises(
        &mut self,
        state: &mut State,
        entry: FuncId,
        arguments: &mut [Passed],
        promises: &[Promise],
    ) -> Option<ParameterFacts> {
        let mut known = ParameterFacts::default();
        for promise in promises {
            match *promise {
                Promise::NotNull(number) => {
                    let mut address = value(arguments, number)?.kind.to_address();
                    address.number = address.number.and_then(|n| n.exclude(0));
                    set(arguments, number, Value::new(address.into_kind()?));
                }
                Promise::Null(number) => set(arguments, number, Value::constant(0)),
                Promise::Between(number, least, most) => {
                    if let Kind::Number(range) = &value(arguments, number)?.kind {
                        let range = range.meet(&Int::range(least, most))?;
                        set(arguments, number, Value::number(range));
                    }
                }
                Promise::Difference { left, right, most } => {
                    if self.is_register(entry, left) && self.is_register(entry, right) {
                        self.eval.relate(&mut known.relations, LocalId(left), LocalId(right), most);
                    }
                }
                Promise::Bytes { .. } | Promise::Terminated(_) => {}
            }
        }
        for promise in promises {
            match *promise {
                Promise::Bytes { pointer, scale, of, plus } => {
                    self.keep_bytes(state, entry, arguments, &mut known, (pointer, scale, of, plus));
                }
                Promise::Terminated(number) => keep_terminated(state, arguments, number),
                _ => {}
            }
        }
        Some(known)
    }

    /// What a pointer leads to has at least `scale * parameter + plus` bytes.
    fn keep_bytes(
        &mut self,
        state: &mut State,
        entry: FuncId,
        arguments: &[Passed],
        known: &mut ParameterFacts,
        (pointer, scale, of, plus): (u32, i128, Option<u32>, i128),
    ) {
        let Some(object) = object(arguments, pointer) else { return };
        let lowest = of.map_or(Some(0), |of| match &value(arguments, of)?.kind {
            Kind::Number(range) => Some(range.lo()),
            _ => None,
        });
        if let Some(least) = lowest.and_then(|low| scale.checked_mul(low)?.checked_add(plus))
            && let Some(obj) = state.object(object)
            && let Some(size) = obj.size.meet(&Int::range(least.clamp(0, LARGEST), LARGEST))
        {
            let obj = Obj { size, ..Obj::clone(obj) };
            state.set_object(object, obj);
        }
        let Some(local) = of.filter(|of| scale > 0 && self.is_register(entry, *of)).map(LocalId) else {
            return;
        };
        if !self.eval.uses(Domain::Cursors) {
            return;
        }
        known.symbolic.extents.insert(object, Extent { local, scale, plus, is_least: true });
        let unit = scale.trailing_zeros();
        if scale == 1 << unit && unit <= LARGEST_UNIT {
            // local + plus / scale <= size / scale
            self.eval.relate(&mut known.relations, local, Var::Size(object, unit), -plus.div_euclid(scale));
        }
    }

    fn is_register(&self, entry: FuncId, parameter: u32) -> bool {
        let body = self.eval.facts.program.functions[entry].body.as_ref();
        body.is_some_and(|body| body.locals[LocalId(parameter)].storage == Storage::Register)
    }
}

/// What a pointer leads to is text with an end.
fn keep_terminated(state: &mut State, arguments: &[Passed], number: u32) {
    if let Some(object) = object(arguments, number)
        && let Some(obj) = state.object(object)
    {
        let mut text = Contents::filled(LARGEST as u64, Value::number(Int::of_type(IntType::U8)));
        text.set_nul((0, LARGEST as u64 - 1));
        let obj = Obj { contents: text, ..Obj::clone(obj) };
        state.set_object(object, obj);
    }
}

fn value(arguments: &[Passed], number: u32) -> Option<&Value> {
    match arguments.get(number as usize) {
        Some(Passed::Value(value)) => Some(value),
        _ => None,
    }
}

fn set(arguments: &mut [Passed], number: u32, new: Value) {
    if let Some(Passed::Value(value)) = arguments.get_mut(number as usize) {
        *value = new;
    }
}

/// The one object that a pointer leads to, if it leads anywhere.
fn object(arguments: &[Passed], number: u32) -> Option<ObjectId> {
    match &value(arguments, number)?.kind.to_address().targets[..] {
        [(object, _)] => Some(*object),
        _ => None,
    }
}
