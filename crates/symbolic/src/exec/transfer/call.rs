// SPDX-License-Identifier: MIT OR Apache-2.0
//! Calls: inlined, through pointers case by case, and the few functions that have no code anywhere.

use std::rc::Rc;

use clew_base::index::Idx;
use clew_ir::declared::is_library;
use clew_ir::location::Location;
use clew_ir::nondet::is_nondet_call;
use clew_ir::syntax::{Argument, Body, Call, CallResult, Callee, FuncId, Storage, Type, TypeId};
use clew_ir::types::Class;
use clew_ir::witness::InputKind;

use crate::effort::MOST_CALLS;
use crate::exec::context::Exec;
use crate::exec::context::encoder::Encoder;
use crate::exec::context::evaluator::{Evaluator, Running};
use crate::exec::record::event::Reason;
use crate::exec::record::input::{Read, Shape};
use crate::exec::state::contents::Cell;
use crate::exec::state::value::{Base, Pointer, Value};
use crate::exec::state::{Frame, State};
use crate::exec::transfer::expression::Evaluated;
use crate::term::Sort;

/// An argument with its type.
pub(crate) struct Passed {
    pub value: Value,
    ty: TypeId,
    /// A record: the value points to it.
    pub is_object: bool,
}

impl Encoder<'_> {
    /// Gives a call its result.
    fn give(&mut self, state: &mut State, call: &Call, value: impl FnOnce(&mut Self, TypeId) -> Value) {
        let Some(CallResult::Local(local)) = call.result else { return };
        let Some(body) = self.body(state.frame.function) else { return };
        let value = value(self, body.locals[local].ty);
        self.set(state, local, value);
    }
}

impl Evaluator<'_> {
    /// The program's call that led into the library, if that is where the execution is.
    pub fn library_call(&self) -> Option<Location> {
        let mut site = None;
        for running in self.position.calls.iter().rev() {
            if !self.encoder.facts.options.models.contains(&running.function) {
                break;
            }
            site = running.site;
        }
        site
    }

    fn arguments(&mut self, state: &State, call: &Call) -> Option<Vec<Passed>> {
        let body = self.encoder.body(state.frame.function)?;
        let known = &mut Evaluated::default();
        let passed = call.arguments.iter().map(|argument| match argument {
            Argument::Value(expr) => Passed {
                value: self.eval_with(state, known, *expr),
                ty: body.exprs[*expr].ty,
                is_object: false,
            },
            Argument::Object(place) => {
                Passed { value: self.place(state, known, place), ty: place.ty, is_object: true }
            }
        });
        Some(passed.collect())
    }

    /// Whether a function may be called here: the depth bounds how often it runs inside itself, and calls that
    /// every run makes are only computation.
    fn may_enter(&mut self, state: &State, function: FuncId) -> bool {
        let guard = state.guard(&mut self.encoder.terms);
        let mut guards: Vec<_> = self
            .position
            .calls
            .iter()
            .filter(|c| c.function == function)
            .map(|c| c.guard)
            .chain([guard])
            .collect();
        guards.dedup();
        self.position.calls.len() < MOST_CALLS && guards.len() <= self.plan.depth as usize + 1
    }

    fn frame(
        &mut self,
        state: &mut State,
        function: FuncId,
        body: &Body,
        call: &Call,
        arguments: &[Passed],
    ) -> Option<Frame> {
        let mut frame = Frame::new(function, body.locals.len(), call.result.is_some());
        if let Some(CallResult::Place(place)) = &call.result {
            let Value::Pointer(place) = self.place(state, &mut Evaluated::default(), place) else {
                return None;
            };
            frame.result_place = Some(place);
        }
        let caller = std::mem::replace(&mut state.frame, frame);
        let placed = self.place_parameters(state, body, arguments);
        let frame = std::mem::replace(&mut state.frame, caller);
        placed.then_some(frame)
    }

    fn place_parameters(&mut self, state: &mut State, body: &Body, arguments: &[Passed]) -> bool {
        let parameters = body.parameters as usize;
        for (local, declared) in body.locals.iter_enumerated().take(parameters) {
            let Some(passed) = arguments.get(local.index()) else { return false };
            if passed.is_object == self.encoder.facts.program.types().is_scalar(declared.ty) {
                return false;
            }
            match declared.storage {
                Storage::Register => {
                    let fits = self.encoder.facts.program.types().class(declared.ty)
                        == self.encoder.facts.program.types().class(passed.ty);
                    if !fits {
                        return false;
                    }
                    self.encoder.set(state, local, passed.value.clone());
                }
                Storage::Memory { align, is_const } => {
                    let place = self.declared_object(state, declared.ty, align, !is_const);
                    self.encoder.set(state, local, place.clone());
                    let Value::Pointer(place) = place else { return false };
                    if !self.pass(state, &place, passed) {
                        return false;
                    }
                }
            }
        }
        let unnamed = arguments.get(parameters..).unwrap_or(&[]);
        unnamed.is_empty() || self.pass_unnamed(state, unnamed)
    }

    /// An argument into its object.
    fn pass(&mut self, state: &mut State, place: &Rc<Pointer>, passed: &Passed) -> bool {
        if passed.is_object {
            let bytes = self.encoder.facts.program.size_of(passed.ty);
            let bytes = self.encoder.address(bytes);
            let Value::Pointer(from) = &passed.value else { return false };
            return self.copy(state, place, from, bytes);
        }
        let Some(cell) = self.encoder.cell_of(passed.value.clone(), passed.ty) else { return false };
        self.encoder.write(state, place, &cell);
        true
    }

    /// Unnamed arguments in an object, in slots of a word, as `va_arg` reads them.
    fn pass_unnamed(&mut self, state: &mut State, unnamed: &[Passed]) -> bool {
        let word = u64::from(self.encoder.facts.program.target.pointer_bytes);
        let sizes =
            unnamed.iter().map(|passed| self.encoder.facts.program.size_of(passed.ty).next_multiple_of(word));
        let sizes: Vec<u64> = sizes.collect();
        let size = self.encoder.address(sizes.iter().sum());
        let Value::Pointer(area) = self.stack_object(state, size, 16, true) else { return false };
        let mut offset = 0;
        for (passed, bytes) in unnamed.iter().zip(&sizes) {
            let distance = self.encoder.address(offset);
            let place = Rc::new(area.moved(&mut self.encoder.terms, distance));
            // The whole slot is written, so that a list read with another type finds no gap.
            let zero = self.encoder.terms.constant(word as u32 * 8, 0);
            let blank = Cell::written(&mut self.encoder.terms, word as u32, Value::Bits(zero));
            if !passed.is_object {
                self.encoder.write(state, &place, &blank);
            }
            if !self.pass(state, &place, passed) {
                return false;
            }
            offset += bytes;
        }
        if let [case] = area.cases.as_slice()
            && let Base::Object(object) = case.base
        {
            state.frame.unnamed = Some(object);
        }
        true
    }

    /// Whether an allocation fails: an input, unless it never does.
    fn allocation(&mut self, state: &mut State, call: &Call) -> bool {
        if self.encoder.facts.options.malloc_succeeds {
            self.encoder.give(state, call, |encoder, ty| encoder.zero(ty));
            return true;
        }
        let succeeds = self.encoder.terms.fresh("succeeds", Sort::BOOL);
        let guard = state.guard(&mut self.encoder.terms);
        let name = self.allocator().to_owned();
        let (kind, terms, shape) = (InputKind::Allocation, vec![succeeds], Shape::Success);
        self.record.inputs.push(Read { guard, kind, terms, shape, name });
        let fails = self.encoder.terms.not(succeeds);
        self.encoder.give(state, call, |encoder, ty| encoder.arithmetic().number_of(fails, ty));
        true
    }

    /// The function of the library that the program called and that allocates.
    pub fn allocator(&self) -> &str {
        self.called_of_library().unwrap_or("malloc")
    }

    /// The function of the library that the program called, if that is where the execution is.
    pub fn called_of_library(&self) -> Option<&str> {
        let in_library = |running: &&Running| self.encoder.facts.options.models.contains(&running.function);
        let outermost = self.position.calls.iter().rev().take_while(in_library).last();
        outermost.map(|running| &*self.encoder.facts.program.functions[running.function].name)
    }

    /// A function without code.
    fn missing(&mut self, state: &mut State, function: FuncId, call: &Call, arguments: &[Passed]) -> bool {
        let declared = &self.encoder.facts.program.functions[function];
        let name: &str = &declared.name;
        if is_nondet_call(self.encoder.facts.program, declared, arguments.iter().map(|passed| passed.ty)) {
            let Type::Function { result, .. } = self.encoder.facts.program.types().get(declared.ty) else {
                return false;
            };
            // The value is read even if nobody uses it.
            let value = self.any(state, *result, name);
            self.encoder.give(state, call, |_, _| value);
            return true;
        }
        match name {
            // `exit` has run the handlers before.
            "_exit" | "pthread_exit" => {
                self.end(state, self.record.has_handlers && name != "_exit");
                false
            }
            "__VERIFIER_error" | "reach_error" => false,
            "__VERIFIER_assume" | "__CPROVER_assume" => {
                let truth = arguments.first().and_then(|passed| self.truth(state, passed.value.clone()));
                match truth {
                    Some(truth) => self.assume(state, truth),
                    None => {
                        self.cut(state, Reason::Value);
                        false
                    }
                }
            }
            _ => self.unknown(state, function, call, arguments),
        }
    }
}

impl Exec<'_> {
    /// A call. `false`: no run goes on behind it.
    #[must_use]
    pub fn call(&mut self, state: &mut State, call: &Call) -> bool {
        let Some(arguments) = self.eval.arguments(state, call) else {
            self.eval.cut(state, Reason::Value);
            return false;
        };
        match call.callee {
            Callee::Direct(function) => {
                self.enter(state, self.eval.encoder.facts.aliases.functions[function], call, &arguments)
            }
            Callee::Indirect(expr) => match self.eval.eval(state, expr) {
                Value::Pointer(pointer) => self.through(state, &pointer, call, &arguments),
                _ => {
                    self.eval.cut(state, Reason::Value);
                    false
                }
            },
        }
    }

    /// A call of each function that a pointer may point to.
    fn through(&mut self, state: &mut State, pointer: &Pointer, call: &Call, arguments: &[Passed]) -> bool {
        let site = self.eval.position.at;
        let mut joined: Option<State> = None;
        let mut rest = Some(state.clone());
        for case in &pointer.cases {
            let Base::Function(function) = case.base else { continue };
            let Some(current) = rest.take() else { break };
            let mut here = current.clone();
            let mut other = current;
            let not = self.eval.encoder.terms.not(case.guard);
            if other.path.take(&mut self.eval.encoder.terms, not) {
                rest = Some(other);
            }
            if here.path.take(&mut self.eval.encoder.terms, case.guard) {
                self.eval.position.at = site;
                if self.enter(&mut here, function, call, arguments) {
                    joined = Some(match joined {
                        Some(before) => State::merge(&mut self.eval.encoder.terms, before, &here),
                        None => here,
                    });
                }
            }
        }
        match joined {
            Some(joined) => {
                *state = joined;
                true
            }
            None => false,
        }
    }

    fn enter(&mut self, state: &mut State, function: FuncId, call: &Call, arguments: &[Passed]) -> bool {
        let name = &*self.eval.encoder.facts.program.functions[function].name;
        if name == "__clew_allocation_fails" {
            return self.eval.allocation(state, call);
        }
        self.eval.record.has_handlers |= name == "atexit";
        let Some(body) = self.eval.encoder.body(function) else {
            return self.eval.missing(state, function, call, arguments);
        };
        if !self.eval.may_enter(state, function) {
            self.eval.cut(state, Reason::Depth);
            return false;
        }
        let Some(frame) = self.eval.frame(state, function, body, call, arguments) else {
            self.eval.cut(state, Reason::Value);
            return false;
        };
        let key = self.summary_key(function, call, arguments);
        let caller = std::mem::replace(&mut state.frame, frame);
        let site = self.eval.position.at;
        let guard = state.guard(&mut self.eval.encoder.terms);
        self.eval.position.calls.push(Running { function, site: Some(site), guard });
        let returned = match key {
            Some(key) => self.summarised(state, body, key),
            None => self.run(state.clone(), body),
        };
        self.eval.position.calls.pop();
        self.eval.position.at = site;
        let Some(returned) = returned else {
            state.frame = caller;
            return false;
        };
        *state = returned;
        let callee = std::mem::replace(&mut state.frame, caller);
        if let Some(CallResult::Local(local)) = &call.result {
            // A function that ends without a value leaves none.
            state.frame.set(*local, callee.result);
        }
        true
    }
}

impl Evaluator<'_> {
    /// A function that nobody defines. The interpreter lets it return anything that is no pointer; that it may do
    /// more is noted.
    fn unknown(&mut self, state: &mut State, function: FuncId, call: &Call, arguments: &[Passed]) -> bool {
        self.record.missing.insert(function);
        self.cut(state, Reason::Missing);
        let declared = &self.encoder.facts.program.functions[function];
        let types = self.encoder.facts.program.types();
        let Type::Function { result, .. } = types.get(declared.ty) else { return false };
        if (self.encoder.facts.options.is_answered)(&declared.name)
            || is_library(self.encoder.facts.program, declared)
        {
            self.loosen(state);
        } else if !self.encoder.facts.options.models.contains(&state.frame.function) {
            self.write_out_parameters(state, function, arguments);
        }
        match types.class(*result) {
            Class::Void => true,
            Class::Int(_) | Class::Float(_)
                if !self.encoder.facts.options.models.contains(&state.frame.function) =>
            {
                let value = self.any(state, *result, &declared.source_name);
                self.encoder.give(state, call, |_, _| value);
                true
            }
            _ => {
                self.loosen(state);
                false
            }
        }
    }
}
