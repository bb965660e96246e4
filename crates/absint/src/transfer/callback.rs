// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions of the program that code which is not here may call: at once, or later, since it may keep a pointer.
//!
//! It gets them as arguments, and finds them in memory that it sees: in globals of external linkage, in what it has been
//! handed before, behind pointers that come from it, and in all that such memory leads to.
//!
//! Which ones it sees is known when the analysis is done, and a later iteration of a loop may be an earlier state. So an
//! analysis is told from the start what is seen, and is repeated with more until nothing is added. They are called
//! wherever code runs that is not here, and at the end, any number of times in any order.

use std::collections::BTreeSet;

use clew_ir::syntax::{FuncId, Linkage, Type, TypeId};

use crate::domain::value::{Kind, Value};
use crate::engine::analyser::Analyser;
use crate::engine::call::{ParameterFacts, Passed};
use crate::engine::evaluator::Evaluator;
use crate::engine::facts::Facts;
use crate::map::Map;
use crate::program::object::{Object, ObjectId};
use crate::state::State;

/// Who sees an object.
#[derive(Clone, Copy)]
enum By {
    Libraries,
    OtherFiles,
}

impl<'p> Facts<'p> {
    /// The functions of the program among some objects.
    pub(crate) fn functions_in(&self, objects: Option<&[ObjectId]>) -> Vec<FuncId> {
        let function = |object: &ObjectId| match self.objects.get(*object) {
            Object::Function(function) => Some(*function),
            _ => None,
        };
        let found = objects.into_iter().flatten().filter_map(function);
        found.filter(|function| self.function(*function).body.is_some()).collect()
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
}

impl Evaluator<'_> {
    /// Notes what a missing function is handed. It may keep it, and call the functions in it now.
    pub(crate) fn hand_over(&mut self, reached: Option<&[ObjectId]>) {
        self.show(By::Libraries, reached);
    }

    /// A value was written: code elsewhere may see it there.
    pub(crate) fn note_seen(&mut self, state: &State, to: Option<ObjectId>, value: &Value) {
        if !matches!(value.kind, Kind::Address(_) | Kind::Any) || self.facts.address_taken().is_empty() {
            return;
        }
        // What is not known is somewhere in the memory of others.
        let by = to.map_or(Some(By::OtherFiles), |object| self.seen_by(object));
        let Some(by) = by else { return };
        let reached = self.recorder.reachable(state, &[Passed::Value(value.clone())]);
        self.show(by, reached.as_deref());
    }

    /// What the globals hold that other files see, before anything has run. What others put there is theirs.
    pub(crate) fn note_initial(&mut self, state: &State) {
        if self.facts.address_taken().is_empty() {
            return;
        }
        let objects = state.memory.iter().map(|(id, obj)| (id, obj.clone()));
        let objects: Vec<_> = objects.filter(|(id, _)| self.seen_by(*id).is_some()).collect();
        for (object, obj) in objects {
            let addresses = obj.contents.segments().map(|(_, segment)| &segment.value);
            for value in addresses.filter(|value| matches!(value.kind, Kind::Address(_))) {
                self.note_seen(state, Some(object), value);
            }
        }
    }

    fn seen_by(&self, object: ObjectId) -> Option<By> {
        let object = self.facts.objects.get(object);
        if self.recorder.callbacks.handed.objects.contains(object) {
            return Some(By::Libraries);
        }
        let is_named = match object {
            Object::Global(global) => {
                let global = &self.facts.program.globals[*global];
                global.linkage == Linkage::External && !global.is_of_models()
            }
            Object::Input(_) => true,
            _ => false,
        };
        // A static object has no name elsewhere, but what others see may lead to it.
        (is_named || self.recorder.callbacks.named.objects.contains(object)).then_some(By::OtherFiles)
    }

    fn show(&mut self, by: By, reached: Option<&[ObjectId]>) {
        let functions = match reached {
            Some(_) => self.facts.functions_in(reached),
            // What is not known may hold a pointer to any of them.
            None => self.facts.address_taken().to_vec(),
        };
        // Without functions to find there it does not matter who sees an object.
        let is_useful = !self.facts.address_taken().is_empty();
        let objects = reached.into_iter().flatten().filter(|_| is_useful);
        let objects: Vec<Object> =
            objects.flat_map(|id| of_all_iterations(self.facts.objects.get(*id))).collect();
        let seen = match by {
            By::Libraries => &mut self.recorder.callbacks.handed,
            By::OtherFiles => &mut self.recorder.callbacks.named,
        };
        seen.functions.extend(functions);
        seen.objects.extend(objects);
    }
}

impl Analyser<'_> {
    /// Any number of calls, with any arguments, of what code that is not here may call: a library, or another file.
    pub(crate) fn call_back(&mut self, state: State, is_library: bool) -> State {
        let functions = self.transfer.eval.recorder.callbacks.of(is_library);
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
                let thresholds = self.transfer.eval.facts.thresholds(*function);
                state = if round < 2 { joined } else { state.widen(&joined, &thresholds) };
            }
            if !grew || self.transfer.eval.budget.cancelled {
                break;
            }
        }
        state
    }

    /// One call; none if it does not come back.
    fn called_back(&mut self, state: &State, function: FuncId) -> Option<State> {
        let arguments = self.transfer.eval.facts.any_arguments(function);
        let exit = self.call_joined(state, function, &arguments, ParameterFacts::default())?;
        let mut after = state.clone();
        after.memory = exit.memory;
        after.tuples = exit.tuples;
        after.given = exit.given;
        after.accesses.freed |= exit.accesses.freed;
        Some(after)
    }
}

/// An object, and those that stand for it in later iterations of the loop that makes it.
fn of_all_iterations(object: &Object) -> Vec<Object> {
    match object {
        Object::Recent(site, through) | Object::Older(site, through) => {
            vec![Object::Recent(*site, *through), Object::Older(*site, *through)]
        }
        Object::Alloca(site) | Object::OlderAlloca(site) => {
            vec![Object::Alloca(*site), Object::OlderAlloca(*site)]
        }
        // Functions are called, not written.
        Object::Function(_) | Object::Label(..) => Vec::new(),
        other => vec![other.clone()],
    }
}
