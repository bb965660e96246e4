// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where runs begin: what holds before an entry's first statement (paper 001, Table IV).

use clew_ir::environment;
use clew_ir::syntax::{
    Address as Target, Body, CallResult, ExprKind, FuncId, Global, GlobalId, HavocTarget, Init, Linkage,
    Place, PlaceBase, Program, StatementKind, Type, TypeId,
};
use rustc_hash::FxHashSet;

use crate::domain::int::Int;
use crate::domain::value::{Address, Kind, Value};
use crate::effort::inputs::LARGEST;
use crate::engine::analyser::Analyser;
use crate::engine::call::{ParameterFacts, Passed};
use crate::engine::evaluator::Evaluator;
use crate::engine::facts::Facts;
use crate::engine::level::Domain;
use crate::engine::options::Promise;
use crate::engine::transfer::Transfer;
use crate::memory::array_segment::{Bound, Claim, SegmentFact, Span};
use crate::memory::contents::{Contents, Strength};
use crate::memory::extent::Extent;
use crate::memory::object::{Life, Obj};
use crate::memory::recorded::Memory;
use crate::program::object::{Input, Object};
use crate::state::State;
use crate::state::symbolic::Symbolic;
use crate::transfer::inputs::MadeUp;

impl<'p> Facts<'p> {
    fn element_type(&self, ty: TypeId) -> TypeId {
        match self.types.get(ty) {
            Type::Array { element, .. } => *element,
            _ => ty,
        }
    }

    /// Offsets and sizes of the scalars of a type, up to a limit; unions by their first member.
    pub(crate) fn scalars(&self, ty: TypeId, at: u64, size: u64, out: &mut Vec<(u64, u64)>) {
        const MOST: usize = 1 << 16;
        if out.len() >= MOST {
            return;
        }
        match self.types.get(ty) {
            Type::Array { element, length } => {
                let bytes = self.types.size_of(*element);
                let count = length.unwrap_or_else(|| size.saturating_sub(at).checked_div(bytes).unwrap_or(0));
                for index in 0..count {
                    if out.len() >= MOST {
                        return;
                    }
                    self.scalars(*element, at + index * bytes, size, out);
                }
            }
            Type::Record(record) => {
                let record = &self.types.records[*record];
                if record.fields.iter().any(|f| f.bits.is_some()) || record.is_union {
                    // Bytes say it all.
                    out.extend((0..record.size).map(|byte| (at + byte, 1)));
                    return;
                }
                for field in &record.fields {
                    self.scalars(field.ty, at + field.offset, size, out);
                }
            }
            _ => out.push((at, self.types.size_of(ty))),
        }
    }
}

impl<'p> Evaluator<'p> {
    fn initial_contents(&mut self, global: &Global, init: &Init) -> Contents {
        let mut contents = Contents::zero(global.size);
        let is_string = self.facts.types.size_of(self.facts.element_type(global.ty)) == 1;
        let written: Vec<bool> = {
            let mut relocated = vec![false; init.bytes.len()];
            for r in &init.relocations {
                for at in r.offset..r.offset + u64::from(r.bytes) {
                    if let Some(slot) = relocated.get_mut(at as usize) {
                        *slot = true;
                    }
                }
            }
            relocated
        };
        let mut scalars = Vec::new();
        self.facts.scalars(global.ty, 0, global.size, &mut scalars);
        let mut covered = 0u64;
        for (offset, bytes) in scalars {
            let end = (offset + bytes) as usize;
            let Some(known) = init.bytes.get(offset as usize..end.min(init.bytes.len())) else { continue };
            if known.iter().all(|b| *b == 0)
                || written[offset as usize..end.min(written.len())].contains(&true)
            {
                covered = covered.max(offset + bytes);
                continue;
            }
            let mut all = [0u8; 16];
            if bytes > 16 {
                continue;
            }
            all[..known.len()].copy_from_slice(known);
            let value = Value::constant(u128::from_le_bytes(all) as i128);
            contents.write(&Int::constant(i128::from(offset)), bytes, value, Strength::Strong);
            covered = covered.max(offset + bytes);
        }
        // What no member covers (unions, flexible arrays) byte by byte.
        for (at, byte) in init.bytes.iter().enumerate().skip(covered as usize) {
            if *byte != 0 {
                contents.write(
                    &Int::constant(at as i128),
                    1,
                    Value::constant(i128::from(*byte)),
                    Strength::Strong,
                );
            }
        }
        for relocation in &init.relocations {
            let value = match (&relocation.target, relocation.minus) {
                (_, Some(_)) => Value::any(),
                (Target::Global(g), None) => {
                    Value::pointer(self.facts.global(*g), i128::from(relocation.addend))
                }
                (Target::Function(f), None) => {
                    Value::pointer(self.facts.function_object(*f), i128::from(relocation.addend))
                }
                (Target::Label(f, b), None) => Value::pointer(
                    self.facts.objects.id(Object::Label(*f, *b)),
                    i128::from(relocation.addend),
                ),
            };
            self.recorder.note_stored(&value);
            let offset = Int::constant(i128::from(relocation.offset));
            contents.write(&offset, u64::from(relocation.bytes), value, Strength::Strong);
        }
        if is_string
            && let Some(at) = (0..global.size).find(|at| init.bytes.get(*at as usize).is_none_or(|b| *b == 0))
        {
            contents.set_nul((at, at));
        }
        contents
    }

    /// `argv` has `argc` elements that are not null, and one that is.
    fn describe_arguments(&self, state: &State, arguments: &[Passed]) -> Symbolic {
        let mut known = Symbolic::default();
        let Some(Passed::Value(value)) = arguments.get(1) else { return known };
        let address = value.kind.to_address();
        let Some((vector, _)) = crate::domain::value::single(&address) else { return known };
        let bytes = u64::from(self.facts.program.target.pointer_bytes);
        let count = clew_ir::syntax::LocalId(0);
        let element = state.object(vector).map(|obj| {
            let shape = crate::domain::shape::Shape::Pointer(bytes as u32);
            obj.contents.read(&Int::constant(0), shape).kind.to_address()
        });
        let Some(string) = element.map(|a| Address { number: None, ..a }).and_then(Address::into_kind) else {
            return known;
        };
        let scale = i128::from(bytes);
        if self.uses(Domain::Cursors) {
            known.extents.insert(vector, Extent { local: count, scale, plus: scale, is_least: false });
        }
        if !self.uses(Domain::Arrays) {
            return known;
        }
        let value = Value::new(string);
        let Some(to) = Bound::new(count, 1, 0) else { return known };
        let span = Span { stride: bytes, from: Bound::constant(0), to };
        let claim = Claim { value, terms: Vec::new() };
        let shape = crate::domain::shape::Shape::Pointer(bytes as u32);
        known.segments.insert(vector, vec![SegmentFact { base: 0, shape, spans: vec![span], claim }]);
        known
    }
}

impl<'p> Transfer<'p> {
    /// All globals as they are when an entry begins.
    pub(crate) fn initial_memory(&mut self, is_main: bool) -> State {
        let mut state = State::new(Memory::new(&self.eval.context.reads));
        // Where nobody counts there are no ticks at all.
        let most = self.eval.facts.options.ticks.as_ref().map_or(0, |ticks| ticks.most);
        state.memory.set_clock(crate::domain::clock::Clock::start(most));
        let written = if is_main { FxHashSet::default() } else { written_globals(self.eval.facts.program) };
        for (id, global) in self.eval.facts.program.globals.iter_enumerated() {
            if global.alias.is_some() {
                continue;
            }
            let object = self.eval.facts.objects.id(Object::Global(id));
            let size = Int::constant(i128::from(global.size));
            let is_private =
                global.linkage == Linkage::Internal || is_standard_stream(self.eval.facts.program, global);
            let keeps =
                is_main || global.is_const || global.is_of_models() || (is_private && !written.contains(&id));
            let contents = match &global.init {
                Some(init) if keeps && !global.is_handle() => self.eval.initial_contents(global, init),
                _ => Contents::filled(global.size, Value::any()),
            };
            // An array that is only declared here has a size elsewhere.
            let known = global.init.is_some() || self.eval.facts.types.is_complete(global.ty);
            let size = if known { size } else { Int::range(i128::from(global.size), LARGEST) };
            state.set_object(object, Obj { life: Life::ALIVE, size, contents });
        }
        state
    }

    fn entry_arguments(&mut self, state: &mut State, entry: FuncId, is_main: bool) -> Vec<Passed> {
        let Type::Function { parameters, .. } =
            self.eval.facts.types.get(self.eval.facts.program.functions[entry].ty)
        else {
            return Vec::new();
        };
        let mut arguments = Vec::new();
        let mut made = MadeUp::default();
        let reads_only = self.eval.facts.program.functions[entry].attributes.reads_only;
        for (index, ty) in parameters.iter().enumerate() {
            arguments.push(match (is_main, index, self.eval.facts.types.get(*ty)) {
                (true, 0, Type::Int { .. }) => {
                    Passed::Value(Value::number(Int::range(0, i128::from(i32::MAX))))
                }
                (true, 1, Type::Pointer(_)) => Passed::Value(self.argument_vector(state, false)),
                // What the library finds in the environment, and does to it, is no part of the models.
                (true, 2, Type::Pointer(_)) if !environment::is_asked(self.eval.facts.program) => {
                    Passed::Value(self.argument_vector(state, true))
                }
                (true, 2, Type::Pointer(_)) => Passed::Value(Value::any()),
                (_, _, Type::Pointer(pointee)) => Passed::Value(self.eval.facts.pointer_argument(
                    state,
                    &mut made,
                    (index, reads_only),
                    *pointee,
                )),
                _ if self.eval.facts.types.is_scalar(*ty) => Passed::Value(self.eval.facts.any_of(*ty)),
                _ => {
                    let bytes = self.eval.facts.types.size_of(*ty);
                    let contents = Contents::filled(bytes, Value::any());
                    Passed::Bytes(Some(contents.copy(0, bytes)))
                }
            });
        }
        self.describe_made_up(state, made);
        arguments
    }

    /// `argv`, or `envp`: strings, then a null pointer.
    fn argument_vector(&mut self, state: &mut State, is_environment: bool) -> Value {
        let (vector, strings) = match is_environment {
            true => (Input::EnvironmentVector, Input::EnvironmentStrings),
            false => (Input::ArgumentVector, Input::ArgumentStrings),
        };
        let strings = self.eval.facts.objects.id(Object::Input(strings));
        let mut text =
            Contents::filled(LARGEST as u64, Value::number(Int::of_type(clew_base::int::IntType::U8)));
        text.set_nul((0, LARGEST as u64 - 1));
        state.set_object(strings, Obj { life: Life::ALIVE, size: Int::range(1, LARGEST), contents: text });
        let mut either = Address::of(strings, Int::constant(0));
        either.number = Some(Int::constant(0));
        let value = Value::new(either.into_kind().unwrap_or(Kind::Any));
        self.eval.recorder.note_stored(&value);
        let vector = self.eval.facts.objects.id(Object::Input(vector));
        let bytes = u64::from(self.eval.facts.program.target.pointer_bytes);
        let contents = Contents::run(LARGEST as u64 / bytes, bytes as u32, value);
        let size = Int::range(i128::from(bytes), LARGEST);
        state.set_object(vector, Obj { life: Life::ALIVE, size, contents });
        let list = Value::pointer(vector, 0);
        if is_environment {
            // `environ` leads there too.
            self.eval.recorder.note_stored(&list);
        }
        list
    }
}

impl<'p> Analyser<'p> {
    /// Analyses all runs that begin with a call of this function.
    pub(crate) fn run_entry(&mut self, entry: FuncId) {
        if let Some(place) = self.transfer.eval.facts.program.unsupported.first() {
            // What stands outside of functions decides what memory holds, or runs by itself.
            self.transfer.give_up(&place.what);
            return;
        }
        let is_main = &*self.transfer.eval.facts.program.functions[entry].name == "main";
        let mut state = self.transfer.initial_memory(is_main);
        if is_main {
            let Some(after) = self.constructors(state, entry) else { return };
            state = after;
        }
        let promises = self.transfer.eval.facts.options.promises.clone();
        if !is_main && !promises.is_empty() {
            for case in &promises {
                self.run_promised(state.clone(), entry, case);
            }
            return;
        }
        let arguments = self.transfer.entry_arguments(&mut state, entry, is_main);
        self.transfer.eval.note_initial(&state);
        let symbolic = if is_main {
            self.transfer.eval.describe_arguments(&state, &arguments)
        } else {
            Symbolic::default()
        };
        let known = ParameterFacts { symbolic, ..ParameterFacts::default() };
        let Some(exit) = self.call_joined(&state, entry, &arguments, known) else { return };
        if is_main {
            self.end_of_main(exit);
        } else {
            let exit = self.call_back(exit, true);
            self.note_exit(&exit);
        }
    }

    /// Analyses the runs whose callers keep their promises in one way.
    fn run_promised(&mut self, mut state: State, entry: FuncId, promises: &[Promise]) {
        let mut arguments = self.transfer.entry_arguments(&mut state, entry, false);
        let Some(known) = self.transfer.keep_promises(&mut state, entry, &mut arguments, promises) else {
            return;
        };
        self.transfer.eval.note_initial(&state);
        let Some(exit) = self.call_joined(&state, entry, &arguments, known) else { return };
        let exit = self.call_back(exit, true);
        self.note_exit(&exit);
    }

    /// Functions that run before main, in the order of their priority.
    fn constructors(&mut self, mut state: State, entry: FuncId) -> Option<State> {
        let functions = self.transfer.eval.facts.program.functions.iter_enumerated();
        let mut list: Vec<(u16, FuncId)> =
            functions.filter_map(|(id, f)| Some((f.attributes.constructor?, id))).collect();
        list.sort_unstable();
        let mut behind: Vec<FuncId> = list.iter().map(|(_, function)| *function).collect();
        behind.push(entry);
        for (index, (_, function)) in list.into_iter().enumerate() {
            let exit = self.call_joined(&state, function, &[], ParameterFacts::default());
            self.transfer.eval.before(&behind[index + 1..]);
            let exit = exit?;
            state = exit.memory_alone();
        }
        Some(state)
    }

    /// What runs after main: handlers and destructors.
    fn end_of_main(&mut self, state: State) {
        let state = state.memory_alone();
        let named = |name: &str| {
            let mut found = self
                .transfer
                .eval
                .facts
                .program
                .functions
                .iter_enumerated()
                .filter(|(_, f)| &*f.name == name);
            found.next().map(|(id, _)| id)
        };
        let handlers =
            named("atexit").is_some_and(|f| self.transfer.eval.recorder.results.reached.contains(&f));
        match named("exit").filter(|f| self.transfer.eval.facts.program.functions[*f].body.is_some()) {
            Some(exit) if handlers => {
                self.call(
                    &state,
                    exit,
                    &[Passed::Value(Value::constant(0))],
                    ParameterFacts::default(),
                    false,
                );
            }
            _ if handlers => {
                self.transfer.not_understood("functions that run at exit", &state);
            }
            _ => self.destructors(state),
        }
    }

    /// `_exit` has been called. The library's `exit` does so when its handlers are done; destructors come after them.
    pub(crate) fn end_of_run(&mut self, state: State) {
        let state = state.memory_alone();
        let caller = self.transfer.eval.context.stack.last().copied();
        let is_exit = |f: FuncId| {
            &*self.transfer.eval.facts.function(f).name == "exit"
                && self.transfer.eval.facts.options.models.contains(&f)
        };
        if caller.is_some_and(is_exit) {
            self.destructors(state);
        } else {
            self.note_exit(&state);
        }
    }

    /// The last functions of a run: those that code which is not here may have kept for its end, then destructors.
    fn destructors(&mut self, state: State) {
        let functions = self.transfer.eval.facts.program.functions.iter_enumerated();
        let mut last: Vec<(std::cmp::Reverse<u16>, FuncId)> =
            functions.filter_map(|(id, f)| Some((std::cmp::Reverse(f.attributes.destructor?), id))).collect();
        last.sort_unstable();
        let mut state = self.call_back(state, true);
        for (_, function) in last {
            let Some(exit) = self.call_joined(&state, function, &[], ParameterFacts::default()) else {
                return;
            };
            state = exit.memory_alone();
        }
        self.note_exit(&state);
    }
}

/// Whether it is `stdin` and its like: callers are thought to leave those open.
fn is_standard_stream(program: &Program, global: &Global) -> bool {
    let start = global.init.iter().flat_map(|init| &init.relocations).map(|relocation| relocation.target);
    start.into_iter().any(|target| matches!(target, Target::Global(g) if program.globals[g].is_handle()))
}

/// The globals that some code may write: stored to, or whose address is taken.
fn written_globals(program: &Program) -> FxHashSet<GlobalId> {
    let mut written = FxHashSet::default();
    let mut note = |place: &Place| {
        if let PlaceBase::Global(global) = place.base {
            written.insert(global);
        }
    };
    for body in program.functions.iter().filter_map(|f| f.body.as_ref()) {
        written_in(body, &mut note);
    }
    for init in program.globals.iter().filter_map(|g| g.init.as_ref()) {
        for relocation in &init.relocations {
            if let Target::Global(global) = relocation.target {
                written.insert(global);
            }
        }
    }
    written
}

fn written_in(body: &Body, note: &mut impl FnMut(&Place)) {
    for expr in body.exprs.iter() {
        if let ExprKind::AddressOf(place) = &expr.kind {
            note(place);
        }
    }
    for statement in body.blocks.iter().flat_map(|b| &b.statements) {
        match &statement.kind {
            StatementKind::Store { place, .. }
            | StatementKind::Zero { place }
            | StatementKind::Copy { to: place, .. } => {
                note(place);
            }
            StatementKind::Havoc { target: HavocTarget::Place(place) } => note(place),
            StatementKind::Assembler { outputs, .. } => outputs.iter().for_each(&mut *note),
            StatementKind::Call(call) => {
                if let Some(CallResult::Place(place)) = &call.result {
                    note(place);
                }
            }
            StatementKind::Intrinsic(call) => {
                if let Some(CallResult::Place(place)) = &call.result {
                    note(place);
                }
            }
            _ => {}
        }
    }
}
