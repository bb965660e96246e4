// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions of the program that code which is not here may call: at once, or later, since it may keep a pointer.
//!
//! Which ones it has been handed is known when the analysis is done, and a later turn of a loop may be an earlier state.
//! So an analysis is told from the start which functions are kept, and is repeated with more of them until it hands over
//! no others. They are called wherever code runs that is not here, and at the end, any number of times in any order.

use std::collections::BTreeSet;

use clew_ir::syntax::{FuncId, Type, TypeId};

use crate::analyser::Analyser;
use crate::call::Passed;
use crate::map::Map;
use crate::object::{Object, ObjectId};
use crate::state::State;

/// What code that is not here may know of the program.
#[derive(Clone, Default)]
pub(crate) struct Callbacks {
    /// Those that are known from the start.
    pub(crate) kept: BTreeSet<FuncId>,
    /// Those that this analysis handed over.
    pub(crate) handed: BTreeSet<FuncId>,
    /// Whether parts of pointers are read, so that bytes may be those of one.
    pub(crate) torn: bool,
}

impl Analyser<'_> {
    /// The functions of the program among some objects.
    pub(crate) fn functions_in(&self, objects: Option<&[ObjectId]>) -> Vec<FuncId> {
        let function = |object: &ObjectId| match self.objects.get(*object) {
            Object::Function(function) => Some(*function),
            _ => None,
        };
        let found = objects.into_iter().flatten().filter_map(function);
        found.filter(|function| self.function(*function).body.is_some()).collect()
    }

    /// Notes the functions that a missing function can reach. It may keep them, and call them now.
    pub(crate) fn hand_over(&mut self, reached: Option<&[ObjectId]>) {
        let functions = match reached {
            Some(_) => self.functions_in(reached),
            // What is not known may hold a pointer to any of them.
            None => self.address_taken().to_vec(),
        };
        self.callbacks.handed.extend(functions);
    }

    /// Arguments of which nothing is known.
    pub(crate) fn any_arguments(&self, function: FuncId) -> Vec<Passed> {
        let Type::Function { parameters, .. } = self.types.get(self.function(function).ty) else {
            return Vec::new();
        };
        let any = |ty: &TypeId| match self.types.is_scalar(*ty) {
            true => Passed::Value(self.any_of(*ty)),
            false => Passed::Bytes(None),
        };
        parameters.iter().map(any).collect()
    }

    /// Any number of calls of what has been handed over, with any arguments.
    pub(crate) fn call_back(&mut self, state: State) -> State {
        let known = self.callbacks.kept.iter().chain(&self.callbacks.handed).copied();
        let functions: BTreeSet<FuncId> = known.collect();
        self.call_any(state, &functions)
    }

    /// Any number of calls of these functions, with any arguments.
    pub(crate) fn call_any(&mut self, mut state: State, functions: &BTreeSet<FuncId>) -> State {
        if functions.is_empty() {
            return state;
        }
        state.nuls = Map::default();
        for round in 0.. {
            let mut grew = false;
            for function in functions {
                let Some(after) =
                    self.called_back(&state, *function).filter(|after| !after.is_subset(&state))
                else {
                    continue;
                };
                grew = true;
                let joined = state.join(&after);
                let thresholds = self.thresholds(*function);
                state = if round < 2 { joined } else { state.widen(&joined, &thresholds) };
            }
            if !grew || self.cancelled {
                break;
            }
        }
        state
    }

    /// One call; none if it does not come back.
    fn called_back(&mut self, state: &State, function: FuncId) -> Option<State> {
        let arguments = self.any_arguments(function);
        let exit = self.call_joined(state, function, &arguments)?;
        let mut after = state.clone();
        after.memory = exit.memory;
        after.packs = exit.packs;
        after.given = exit.given;
        after.accesses.freed |= exit.accesses.freed;
        Some(after)
    }
}
