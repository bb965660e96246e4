// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which functions a call may reach.
//!
//! A pointer of which nothing is known may point to any function whose address is taken, but a call of one that does
//! not fit the pointer's type violates the obligation in front of the call, which ends the run there. So those are
//! left out; what is analysed behind the call then rests on that obligation, as `check` has noted.

use std::rc::Rc;

use clew_ir::obligation::CheckKind;
use clew_ir::syntax::{Call, Callee, FuncId, Type, TypeId};
use clew_ir::types::Class;

use crate::engine::analyser::{Analyser, Frame};
use crate::program::object::Object;
use crate::state::State;

impl<'p> Analyser<'p> {
    /// The functions that may be called, and whether others may be.
    pub(crate) fn callees(&mut self, frame: &Frame<'p>, state: &State, call: &Call) -> (Vec<FuncId>, bool) {
        let expr = match call.callee {
            Callee::Direct(function) => return (vec![self.resolve(function)], false),
            Callee::Indirect(expr) => expr,
        };
        let address = self.eval(frame, state, expr).kind.to_address();
        if !address.unknown {
            let functions =
                address.targets.iter().filter_map(|(object, _)| match self.objects.get(*object) {
                    Object::Function(function) => Some(*function),
                    _ => None,
                });
            return (functions.collect(), false);
        }
        let taken = self.address_taken();
        let stops = (self.options.stops)(CheckKind::BadCall, self.program.semantics);
        let called_as = self.types.pointee(frame.body.exprs[expr].ty);
        let may_fit = |function: &FuncId| {
            !stops || called_as.is_none_or(|ty| self.may_fit(ty, self.function(*function).ty, call))
        };
        (taken.iter().copied().filter(may_fit).collect(), true)
    }

    /// The program's functions with a body that a pointer may point to.
    pub(crate) fn address_taken(&mut self) -> Rc<[FuncId]> {
        if let Some(taken) = &self.taken {
            return taken.clone();
        }
        let mut taken = crate::program::call_graph::address_taken(self.program);
        taken.retain(|f| self.function(*f).body.is_some() && !self.options.models.contains(f));
        let taken: Rc<[FuncId]> = taken.into();
        self.taken = Some(taken.clone());
        taken
    }

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
