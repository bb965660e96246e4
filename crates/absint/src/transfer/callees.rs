// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which functions a call may reach.
//!
//! A pointer of which nothing is known may point to any function whose address is taken, but a call of one that does
//! not fit the pointer's type violates the obligation in front of the call, which ends the run there. So those are
//! left out; what is analysed behind the call then rests on that obligation, as `check` has noted.

use clew_ir::obligation::CheckKind;
use clew_ir::syntax::{Call, Callee, FuncId, Type, TypeId};
use clew_ir::types::Class;

use crate::engine::evaluator::Evaluator;
use crate::engine::facts::{Facts, Frame};
use crate::program::object::Object;
use crate::state::State;

impl<'p> Facts<'p> {
    /// Whether a function of a type may be one that is fit to be called through a pointer to another type.
    fn may_fit(&self, called_as: TypeId, actual: TypeId, call: &Call) -> bool {
        let (
            Type::Function { result, parameters, variadic, prototyped },
            Type::Function { result: real, parameters: wanted, variadic: takes_more, prototyped: is_exact },
        ) = (self.types.get(called_as), self.types.get(actual))
        else {
            return true;
        };
        let given = if *prototyped { parameters.len() } else { call.arguments.len() };
        let counts = match () {
            () if !is_exact => wanted.is_empty() || given == wanted.len(),
            () if *takes_more => given >= wanted.len(),
            () => given == wanted.len(),
        };
        let ends_alike = !prototyped || !is_exact || variadic == takes_more;
        // Without a prototype arguments are promoted: their kinds say little.
        let kinds = !prototyped || parameters.iter().zip(wanted).all(|(a, b)| self.may_be_alike(*a, *b));
        counts && ends_alike && (kinds || !is_exact) && self.may_be_alike(*result, *real)
    }

    /// Whether two types may be passed alike. Those that are not told apart here are taken to be alike.
    fn may_be_alike(&self, a: TypeId, b: TypeId) -> bool {
        match (self.types.class(a), self.types.class(b)) {
            (Class::Int(a), Class::Int(b)) => a.bits == b.bits,
            (Class::Float(a), Class::Float(b)) => a == b,
            (a, b) => std::mem::discriminant(&a) == std::mem::discriminant(&b),
        }
    }
}

impl<'p> Evaluator<'p> {
    /// The functions that may be called, and whether others may be.
    pub(crate) fn callees(&mut self, frame: &Frame<'p>, state: &State, call: &Call) -> (Vec<FuncId>, bool) {
        let expr = match call.callee {
            Callee::Direct(function) => return (vec![self.facts.resolve(function)], false),
            Callee::Indirect(expr) => expr,
        };
        let address = self.eval(frame, state, expr).kind.to_address();
        if !address.unknown {
            let functions =
                address.targets.iter().filter_map(|(object, _)| match self.facts.objects.get(*object) {
                    Object::Function(function) => Some(*function),
                    _ => None,
                });
            return (functions.collect(), false);
        }
        let taken = self.facts.address_taken();
        let stops = (self.facts.options.stops)(CheckKind::BadCall, self.facts.program.semantics);
        let called_as = self.facts.types.pointee(frame.body.exprs[expr].ty);
        let may_fit = |function: &FuncId| {
            !stops
                || called_as.is_none_or(|ty| self.facts.may_fit(ty, self.facts.function(*function).ty, call))
        };
        (taken.iter().copied().filter(may_fit).collect(), true)
    }
}
