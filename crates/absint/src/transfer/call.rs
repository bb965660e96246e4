// SPDX-License-Identifier: MIT OR Apache-2.0
//! Calls: the callee is analysed in the state of the caller.
//!
//! Functions on a cycle of calls are analysed by widening over their contexts: all entries of a function that is
//! already running are joined into one, and its exit so far is the answer, until neither grows (paper 004, 5.4).

use clew_ir::declared::is_library;
use clew_ir::nondet::is_input_name;
use clew_ir::syntax::{Argument, Call, CallResult, Callee, FuncId, LocalId, Storage, Type, TypeId};
use clew_ir::types::Class;

use crate::domain::access::Accesses;
use crate::domain::int::Int;
use crate::domain::product::Product;
use crate::domain::relational::Relational;
use crate::domain::value::{Kind, Value, single};
use crate::effort::call::DEEPEST_CALL;
use crate::engine::analyser::Analyser;
use crate::engine::call::{Exit, ParameterFacts, Passed, RESULT};
use crate::engine::evaluator::Evaluator;
use crate::engine::facts::{Facts, Frame};
use crate::engine::recorder::Recorder;
use crate::engine::transfer::Transfer;
use crate::map::Change;
use crate::memory::contents::Contents;
use crate::memory::object::{Life, Obj};
use crate::program::object::{Object, ObjectId, Site};
use crate::state::symbolic::Symbolic;
use crate::state::{Definition, State};
use crate::transfer::handover::{Source, entered};
use crate::transfer::memory::{rename_facts, rename_registers};
use crate::transfer::statement::SLOT;

/// Library functions that break what the analysis rests on.
const UNSUPPORTED: &[&str] = &[
    "pthread_create",
    "thrd_create",
    "fork",
    "vfork",
    "clone",
    "setjmp",
    "_setjmp",
    "sigsetjmp",
    "__sigsetjmp",
    "longjmp",
    "_longjmp",
    "siglongjmp",
    "__longjmp_chk",
    "fesetround",
    "feenableexcept",
    "fesetenv",
    "__builtin_setjmp",
    "__builtin_longjmp",
];

impl<'p> Facts<'p> {
    pub(crate) fn older(&self, recent: ObjectId) -> Option<ObjectId> {
        match self.objects.get(recent) {
            Object::Recent(site, call) => self.objects.find(&Object::Older(*site, *call)),
            Object::Alloca(site) => self.objects.find(&Object::OlderAlloca(*site)),
            _ => None,
        }
    }

    /// What an unnamed argument must be read as, as a number.
    pub(crate) fn slot_kind(&self, ty: TypeId) -> i128 {
        let bytes = self.types.size_of(ty) as i128;
        match self.types.class(ty) {
            Class::Int(_) => bytes,
            Class::Pointer => 100,
            Class::Float(_) => 200 + bytes,
            _ => 1000 + i128::from(ty.0),
        }
    }
}

impl Recorder {
    /// The objects that arguments lead to; none stands for anything.
    pub(crate) fn reachable(&self, state: &State, arguments: &[Passed]) -> Option<Vec<ObjectId>> {
        let mut found: Vec<ObjectId> = Vec::new();
        let mut work: Vec<Kind> = Vec::new();
        for argument in arguments {
            match argument {
                Passed::Value(value) => work.push(value.kind.clone()),
                Passed::Bytes(Some(parts)) => work.extend(parts.iter().map(|(_, s)| s.value.kind.clone())),
                Passed::Bytes(None) => return None,
            }
        }
        while let Some(kind) = work.pop() {
            let address = match kind {
                Kind::Address(address) if !address.unknown => address,
                // Bytes of which nothing is known may be those of a pointer.
                Kind::Address(_) | Kind::Any => return None,
                Kind::Number(_) | Kind::Float(_) => continue,
            };
            for (object, _) in &address.targets {
                if !found.contains(object) {
                    found.push(*object);
                    if let Some(obj) = state.object(*object) {
                        if self.callbacks.torn && obj.contents.may_hide_address() {
                            return None;
                        }
                        work.extend(obj.contents.segments().map(|(_, s)| s.value.kind.clone()));
                    }
                }
            }
        }
        found.sort_unstable();
        Some(found)
    }
}

impl<'p> Evaluator<'p> {
    fn pass(&mut self, frame: &Frame<'p>, state: &State, argument: &Argument) -> Passed {
        match argument {
            Argument::Value(expr) => Passed::Value(self.eval(frame, state, *expr)),
            Argument::Object(place) => {
                let address = self.address(frame, state, place);
                let bytes = self.facts.types.size_of(place.ty);
                let parts = single(&address).and_then(|(object, offset)| {
                    let start = u64::try_from(offset.as_constant()?).ok()?;
                    Some(state.object(object)?.contents.copy(start, start + bytes))
                });
                Passed::Bytes(parts)
            }
        }
    }
}

impl<'p> Transfer<'p> {
    /// The caller goes on in the callee's exit state.
    #[expect(clippy::too_many_arguments, reason = "a call has this many parts")]
    fn return_to_caller(
        &mut self,
        frame: &Frame<'p>,
        state: &mut State,
        call: &'p Call,
        callee: FuncId,
        arguments: &[Passed],
        sources: &[Option<Source>],
        exit: Exit,
    ) -> bool {
        self.eval.facts.accesses_of_caller(frame, state, call, callee, &exit.state);
        let before = std::mem::replace(&mut state.memory, exit.state.memory.clone());
        state.given = exit.state.given.clone();
        let after = &exit.state.memory;
        let unchanged = |object: ObjectId| {
            // A write that was joined with none, and stays inside what was known, leaves the object as it was.
            match (before.get(object), after.get(object)) {
                (Some(a), Some(b)) => std::sync::Arc::ptr_eq(a, b) && !exit.written.contains(object),
                _ => false,
            }
        };
        state.tuples = state.tuples.after_call(&exit.state.tuples, &unchanged);
        state.definitions = state.definitions.filter_map(&mut |_, d| match d {
            Definition::Cell(cell) if !unchanged(cell.object) => Change::Drop,
            Definition::Loaded(object, _) if !unchanged(*object) => Change::Drop,
            _ => Change::Keep,
        });
        // What was filled stays so only where nothing was written.
        state.symbolic.segments = state.symbolic.segments.filter_map(&mut |object, _| {
            if unchanged(object) { Change::Keep } else { Change::Drop }
        });
        state.symbolic.forget_sources(&|object| !unchanged(object));
        self.relations_of_caller(state, sources, &exit);
        self.extents_of_caller(frame, state, call, &exit);
        if !self.learn_from(frame, state, call, arguments, &exit) {
            return false;
        }
        if !exit.aged.is_empty() {
            // The last object of an allocation may have become an older one in the meantime.
            let rename = |object: ObjectId| exit.aged.get(&object).map(|older| vec![object, *older]);
            rename_registers(state, &rename);
            rename_facts(state, &rename);
        }
        match &call.result {
            None => true,
            Some(CallResult::Local(local)) => {
                let value = exit.state.registers().get(RESULT).cloned();
                let ty = frame.body.locals[*local].ty;
                let value = self.eval.facts.fit(ty, value.unwrap_or_else(|| self.eval.facts.any_of(ty)));
                self.set_register(frame, state, *local, crate::transfer::check::written(value));
                self.relations_of_result(state, sources, &exit, *local);
                remember_returned(frame, state, call, &exit, *local);
                true
            }
            Some(CallResult::Place(place)) => {
                let returned = self.eval.facts.objects.id(Object::Returned(callee));
                let to = self.eval.address(frame, state, place);
                let from = crate::domain::value::Address::of(returned, Int::constant(0));
                let bytes = Int::constant(i128::from(self.eval.facts.types.size_of(place.ty)));
                let went = self.copy(state, &to, &from, &bytes);
                state.memory.remove(returned);
                went
            }
        }
    }

    /// What a call that returned says of its arguments: `assume(x > 0)` does not come back otherwise.
    fn learn_from(
        &mut self,
        frame: &Frame<'p>,
        state: &mut State,
        call: &'p Call,
        arguments: &[Passed],
        exit: &Exit,
    ) -> bool {
        for (index, (argument, passed)) in call.arguments.iter().zip(arguments).enumerate() {
            let (Argument::Value(expr), Passed::Value(before)) = (argument, passed) else { continue };
            let Some(after) = exit.state.registers().get(LocalId(index as u32)) else { continue };
            if after.uninit
                || before.uninit
                || after.kind == before.kind
                || !after.kind.is_subset(&before.kind)
            {
                continue;
            }
            let zero = match &after.kind {
                Kind::Number(n) => {
                    n.as_constant().map(|c| c == 0).or(if n.contains(0) { None } else { Some(false) })
                }
                _ => None,
            };
            let possible = match zero {
                Some(zero) => self.assume(frame, state, *expr, !zero),
                None => true,
            };
            if !possible || !self.push(frame, state, *expr, &after.kind, 4) {
                return false;
            }
        }
        true
    }

    /// Nothing that was found can be trusted.
    pub(crate) fn give_up(&mut self, why: &str) -> Vec<State> {
        self.eval.recorder.failed.get_or_insert_with(|| why.to_owned());
        self.eval.budget.cancelled = true;
        Vec::new()
    }

    /// The state at the start of the callee.
    fn enter(
        &mut self,
        frame: &Frame<'p>,
        caller: &State,
        arguments: &[Passed],
        known: ParameterFacts,
    ) -> State {
        let mut state = State {
            nuls: entered(&caller.nuls),
            tuples: caller.tuples.of_memory(),
            domains: Product { relations: known.relations, ..Product::default() },
            symbolic: known.symbolic,
            accesses: known.accesses,
            ..caller.memory_alone()
        };
        // What was passed as another type is any value.
        let fits = |local: LocalId| match arguments.get(local.0 as usize) {
            Some(Passed::Value(value)) if local.0 < frame.body.parameters => {
                let info = &frame.body.locals[local];
                info.storage == Storage::Register && self.eval.facts.fit(info.ty, value.clone()) == *value
            }
            _ => false,
        };
        state.domains.relations.retain(&fits);
        let parameters = frame.body.parameters as usize;
        for index in 0..parameters {
            let local = LocalId(index as u32);
            let ty = frame.body.locals[local].ty;
            let passed = arguments.get(index).cloned();
            match frame.body.locals[local].storage {
                Storage::Register => {
                    let value = match passed {
                        Some(Passed::Value(value)) => self.eval.facts.fit(ty, value),
                        _ => self.eval.facts.any_of(ty),
                    };
                    state.begin_register(local, crate::transfer::check::written(value));
                    state.unwritten.insert(local, 0);
                    self.anchor(&mut state, local, ty);
                }
                Storage::Memory { .. } => self.enter_in_memory(frame, &mut state, local, passed),
            }
        }
        if let Type::Function { variadic: true, .. } =
            self.eval.facts.types.get(self.eval.facts.function(frame.function).ty)
        {
            let (extra, types) = (arguments.get(parameters..), known.types.get(parameters..));
            let extra = extra.unwrap_or(&[]).iter().zip(types.unwrap_or(&[]).iter().copied());
            self.enter_variadic(frame.function, &mut state, extra);
        }
        state
    }

    fn enter_in_memory(
        &mut self,
        frame: &Frame<'p>,
        state: &mut State,
        local: LocalId,
        passed: Option<Passed>,
    ) {
        let ty = frame.body.locals[local].ty;
        let bytes = self.eval.facts.types.size_of(ty);
        self.begin(frame, state, local, Int::constant(i128::from(bytes)), false);
        let object = self.eval.facts.objects.id(Object::Local(frame.function, local));
        let to = crate::domain::value::Address::of(object, Int::constant(0));
        match (passed, self.eval.facts.shape(ty)) {
            (Some(Passed::Value(value)), Some(shape)) => {
                let value = self.eval.facts.fit(ty, value);
                self.store(state, &to, shape, crate::transfer::check::written(value));
            }
            (Some(Passed::Bytes(Some(parts))), None) if !self.eval.facts.is_summary(object) => {
                if let Some(old) = state.object(object) {
                    let mut new = (**old).clone();
                    for (_, segment) in &parts {
                        self.eval.recorder.note_stored(&segment.value);
                    }
                    new.contents.paste(0, parts, None);
                    state.set_object(object, new);
                }
            }
            _ => {
                let any = Value { kind: Kind::Any, uninit: true };
                self.fill(state, &to, &any, &Int::constant(i128::from(bytes)));
            }
        }
    }

    fn enter_variadic<'a>(
        &mut self,
        function: FuncId,
        state: &mut State,
        extra: impl Iterator<Item = (&'a Passed, TypeId)>,
    ) {
        let object = self.eval.facts.objects.id(Object::VarArgs(function));
        let mut contents = Contents::default();
        let mut at = 0;
        for (passed, ty) in extra {
            let bytes = self.eval.facts.types.size_of(ty);
            match passed {
                Passed::Value(value) => {
                    self.eval.recorder.note_stored(value);
                    let offset = Int::constant(i128::from(at));
                    contents.write(&offset, bytes, value.clone(), crate::memory::contents::Strength::Strong);
                }
                Passed::Bytes(Some(parts)) => contents.paste(at, parts.clone(), None),
                Passed::Bytes(None) => {}
            }
            let kind = Value::constant(self.eval.facts.slot_kind(ty));
            contents.write(&slot_kind_at(at), 4, kind, crate::memory::contents::Strength::Strong);
            at += bytes.next_multiple_of(SLOT).max(SLOT);
        }
        let size = Int::constant(i128::from(at));
        if self.eval.facts.is_summary(object)
            && let Some(old) = state.object(object)
        {
            let merged = Obj {
                life: Life::ALIVE,
                size: old.size.join(&size),
                contents: old.contents.merge(&contents, &mut |a, b| a.join(b), &mut |a, b| a.join(b)),
            };
            state.set_object(object, merged);
            return;
        }
        state.set_object(object, Obj { life: Life::ALIVE, size, contents });
    }

    fn havoc_objects(&mut self, state: &mut State, objects: &[ObjectId]) {
        for id in objects {
            if self.eval.facts.is_constant(*id) {
                continue;
            }
            self.eval.context.written.note(Some(*id));
            self.eval.note_havoc(*id);
            state.forget_contents(Some(*id));
            if let Some(obj) = state.object(*id) {
                let mut new = (**obj).clone();
                let whole = u64::try_from(new.size.lo()).unwrap_or(0);
                new.contents.havoc(Value::any());
                // It may have written everything, and may have written nothing.
                new.contents.fill_some(0, whole.min(1 << 30), &Value::any());
                state.set_object(*id, new);
                state.forget_cells(&self.tuples, Some(*id), 0, u64::MAX);
            }
        }
    }
}

impl<'p> Analyser<'p> {
    /// A call statement: the states in which it returns.
    pub(crate) fn call_statement(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        site: Site,
        call: &'p Call,
    ) -> Vec<State> {
        if !self.transfer.eval.step() {
            return Vec::new();
        }
        if let Some(subject) = self.transfer.eval.recorder.pending_leak.take() {
            self.transfer.eval.recorder.leaks.insert(site, subject);
        }
        let arguments: Vec<Passed> =
            call.arguments.iter().map(|argument| self.transfer.eval.pass(frame, state, argument)).collect();
        let (callees, unknown) = self.transfer.eval.callees(frame, state, call);
        if matches!(call.callee, Callee::Indirect(_)) {
            // A run that was pruned may call another function here.
            self.transfer.eval.prune(&state.given);
        }
        let mut after: Vec<State> = Vec::new();
        for callee in &callees {
            let returned = self.call_one(frame, state, site, call, *callee, &arguments);
            if callees.len() == 1 && !unknown {
                return returned;
            }
            after.extend(returned);
        }
        if unknown {
            let mut own = state.clone();
            self.transfer.havoc_escaped(&mut own);
            self.transfer.eval.recorder.results.calls_unknown = true;
            self.transfer.may_free(&mut own, None);
            let value = match self.transfer.eval.facts.types.get(call.signature) {
                Type::Function { result, .. } => self.transfer.eval.facts.any_of(*result),
                _ => Value::any(),
            };
            if self.transfer.put_result(frame, &mut own, call.result.as_ref(), value) {
                after.push(own);
            }
        }
        // Several callees are told apart no further.
        after.into_iter().reduce(|a, b| a.join(&b)).into_iter().collect()
    }

    fn call_one(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        site: Site,
        call: &'p Call,
        callee: FuncId,
        arguments: &[Passed],
    ) -> Vec<State> {
        if self.transfer.eval.notes_values() {
            self.transfer.eval.note_call(site, callee);
        }
        let outer = self.transfer.eval.context.model_call;
        let enters_model = self.transfer.eval.facts.options.models.contains(&callee)
            && !self.transfer.eval.facts.options.models.contains(&frame.function);
        if enters_model {
            self.transfer.eval.context.model_call = Some(site);
        } else if !self.transfer.eval.facts.options.models.contains(&callee) {
            self.transfer.eval.context.model_call = None;
        }
        let extents = self.transfer.eval.extents_of_callee(frame, state, call);
        let sources = self.transfer.eval.sources(frame, state, call);
        let type_of = |argument: &Argument| match argument {
            Argument::Value(expr) => frame.body.exprs[*expr].ty,
            Argument::Object(place) => place.ty,
        };
        let known = ParameterFacts {
            symbolic: Symbolic { extents, ..Symbolic::default() },
            relations: self.transfer.eval.relations_of_callee(state, &sources),
            accesses: self.transfer.eval.facts.accesses_of_callee(frame, state, call),
            types: call.arguments.iter().map(type_of).collect(),
        };
        let exits = self.call(state, callee, arguments, known, call.result.is_some());
        self.transfer.eval.context.model_call = outer;
        let mut returned = Vec::new();
        for exit in exits {
            let mut after = state.clone();
            self.transfer.eval.facts.tick_registers(callee, &mut after);
            if self.transfer.return_to_caller(frame, &mut after, call, callee, arguments, &sources, exit) {
                returned.push(after);
            } else {
                self.transfer.eval.prune(&after.given);
            }
        }
        returned
    }

    /// Analyses a call whose paths to return do not matter one by one.
    pub(crate) fn call_joined(
        &mut self,
        state: &State,
        callee: FuncId,
        arguments: &[Passed],
        known: ParameterFacts,
    ) -> Option<State> {
        let exits = self.call(state, callee, arguments, known, true);
        exits.into_iter().map(|exit| exit.state).reduce(|a, b| a.join(&b))
    }

    /// Analyses a call: the states in which it returns. What is known of its parameters is said of this call, not of those
    /// of functions that it may call back.
    pub(crate) fn call(
        &mut self,
        state: &State,
        callee: FuncId,
        arguments: &[Passed],
        known: ParameterFacts,
        result_used: bool,
    ) -> Vec<Exit> {
        let name = &self.transfer.eval.facts.function(callee).name;
        if UNSUPPORTED.contains(&&**name)
            || self.transfer.eval.facts.function(callee).attributes.returns_twice
            || self.transfer.eval.facts.breaks_by_signal(name)
        {
            self.transfer.not_understood(&format!("`{name}`"), state);
            return Vec::new();
        }
        if self.transfer.eval.facts.options.malloc_succeeds && &**name == "__clew_allocation_fails" {
            let mut state = State {
                nuls: entered(&state.nuls),
                tuples: state.tuples.of_memory(),
                ..state.memory_alone()
            };
            state.begin_register(RESULT, Value::constant(0));
            return vec![Exit { state, aged: Default::default(), written: Default::default() }];
        }
        let ticked;
        let state = match self.transfer.eval.facts.tick_of(callee, state) {
            None => state,
            Some(Some(after)) => {
                ticked = after;
                &ticked
            }
            Some(None) => {
                self.transfer.eval.prune(&state.given);
                return Vec::new();
            }
        };
        let outer = (
            std::mem::take(&mut self.transfer.eval.context.aged),
            std::mem::take(&mut self.transfer.eval.context.written),
        );
        let signalled = self.transfer.eval.facts.waits_for_signals(callee).then(|| self.signalled(state));
        let state = signalled.as_ref().unwrap_or(state);
        let exits = match self.transfer.eval.frame(callee, result_used) {
            Some(frame) => {
                let accesses = self.transfer.eval.facts.fitting(callee, known.accesses);
                self.enter_and_run(&frame, state, arguments, ParameterFacts { accesses, ..known })
            }
            None => self.missing(state, callee, arguments).into_iter().collect(),
        };
        let aged = std::mem::replace(&mut self.transfer.eval.context.aged, outer.0);
        self.transfer.eval.context.aged.extend(aged.iter().copied());
        let aged: rustc_hash::FxHashMap<ObjectId, ObjectId> = aged
            .into_iter()
            .filter_map(|recent| Some((recent, self.transfer.eval.facts.older(recent)?)))
            .collect();
        let written = std::mem::replace(&mut self.transfer.eval.context.written, outer.1);
        self.transfer.eval.context.written.extend(&written);
        let exit = |state| Exit { state, aged: aged.clone(), written: written.clone() };
        exits.into_iter().map(exit).collect()
    }

    fn enter_and_run(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        arguments: &[Passed],
        known: ParameterFacts,
    ) -> Vec<State> {
        if self.transfer.eval.context.stack.len() >= DEEPEST_CALL {
            return self.transfer.give_up("calls nested too deeply");
        }
        let callee = frame.function;
        if self.transfer.eval.context.stack.contains(&callee)
            && !self.transfer.eval.facts.recursive.contains(&callee)
        {
            // The locals of the two would not be told apart.
            return self.transfer.give_up("a function that calls itself through code that is not here");
        }
        self.transfer.eval.recorder.results.reached.insert(callee);
        let (caller, pending) = (
            self.transfer.eval.recorder.pruned.at,
            std::mem::take(&mut self.transfer.eval.recorder.pruned.pending),
        );
        let entry = self.transfer.enter(frame, state, arguments, known);
        let (exits, may_return_pruned) = self.recall_or_run(frame, entry);
        let pending_pruned = std::mem::replace(&mut self.transfer.eval.recorder.pruned.pending, pending);
        self.transfer.eval.after_call(caller, may_return_pruned.then_some(pending_pruned));
        exits
    }

    /// A function without a body: it may change what its arguments lead to, and return anything.
    fn missing(&mut self, state: &State, callee: FuncId, arguments: &[Passed]) -> Option<State> {
        let function = self.transfer.eval.facts.function(callee);
        let mut state = State { accesses: Accesses::default(), ..state.clone() };
        state.nuls = entered(&state.nuls);
        if &*function.name == "_exit" {
            self.end_of_run(state);
            return None;
        }
        if self.transfer.eval.context.recording {
            self.transfer.eval.recorder.results.missing.insert(callee);
        }
        let is_library = is_library(self.transfer.eval.facts.program, function);
        if is_library {
            self.transfer.eval.context.touch_libraries();
        }
        let reached = self.transfer.eval.recorder.reachable(&state, arguments);
        let is_number = |passed: &Passed| {
            matches!(passed, Passed::Value(Value { kind: Kind::Number(_) | Kind::Float(_), .. }))
        };
        // One that gets a pointer may do more.
        let is_input = is_input(&function.name) && arguments.iter().all(is_number);
        match &reached {
            None => self.transfer.havoc_escaped(&mut state),
            Some(objects) => self.transfer.havoc_objects(&mut state, objects),
        }
        if !self.transfer.eval.facts.options.missing_functions_leave_globals && !is_input {
            self.transfer.havoc_escaped(&mut state);
        }
        if !is_input {
            self.transfer.may_free(&mut state, reached.as_deref());
        }
        if self.transfer.eval.facts.installs_handlers(callee) {
            self.transfer.install(reached.as_deref(), &state);
        } else if !is_input {
            self.transfer.eval.hand_over(reached.as_deref());
            state = self.call_back(state, is_library);
        }
        if function.attributes.noreturn {
            return None;
        }
        // What was said in terms of the caller's registers says nothing about parameters.
        let tuples = state.tuples.of_memory();
        let accesses = state.accesses;
        state = State { given: state.given, nuls: state.nuls, tuples, accesses, ..State::new(state.memory) };
        if let Type::Function { result, .. } = self.transfer.eval.facts.types.get(function.ty) {
            if self.transfer.eval.facts.types.is_scalar(*result) {
                let value = self.transfer.eval.facts.any_of(*result);
                state.begin_register(RESULT, value);
            } else {
                let bytes = self.transfer.eval.facts.types.size_of(*result);
                let object = self.transfer.eval.facts.objects.id(Object::Returned(callee));
                let contents = Contents::filled(bytes, Value::any());
                state.set_object(
                    object,
                    Obj { life: Life::ALIVE, size: Int::constant(i128::from(bytes)), contents },
                );
            }
        }
        Some(state)
    }
}

/// A function that returned one of its parameters as it came: the result is the argument.
fn remember_returned(frame: &Frame<'_>, state: &mut State, call: &Call, exit: &Exit, local: LocalId) {
    let Some(Definition::Parameter(parameter)) = exit.state.definitions.get(RESULT) else { return };
    let Some(Argument::Value(expr)) = call.arguments.get(parameter.0 as usize) else { return };
    let Some(reads) = frame.flow.reads.get(expr) else { return };
    let steady = |r: &LocalId| *r != local && state.registers().get(*r).is_some_and(|v| !v.uninit);
    let same_type = frame.body.exprs[*expr].ty == frame.body.locals[local].ty;
    if same_type && reads.iter().all(steady) && !reads.is_empty() {
        state.definitions.insert(local, Definition::Expr(*expr));
    }
}

/// Names that stand for inputs.
pub(crate) fn is_input(name: &str) -> bool {
    is_input_name(name)
}

/// Where the kind of the unnamed argument at an offset stands, behind all of them.
pub(crate) fn slot_kind_at(offset: u64) -> Int {
    Int::constant(i128::from(offset) + (1 << 40))
}
