// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a statement does to a state. `false`: no run of it goes on.

use clew_base::index::Idx;
use clew_ir::location::ObligationRef;
use clew_ir::obligation::Condition;
use clew_ir::stack::piles_up;
use clew_ir::syntax::{
    AccessFlags, Body, HavocTarget, LocalId, ObligationId, Place, Statement, StatementKind, Storage, TypeId,
};
use clew_ir::types::Class;
use clew_ir::volatile_inputs::{input_kind, whole_global};
use clew_ir::witness::InputKind;

use crate::exec::context::Exec;
use crate::exec::context::encoder::Encoder;
use crate::exec::context::evaluator::Evaluator;
use crate::exec::record::event::{Event, EventKind, Reason, Shows};
use crate::exec::record::input::{Read, Shape};
use crate::exec::state::value::Value;
use crate::exec::state::{Local, State};
use crate::exec::transfer::bulk::Filling;
use crate::exec::transfer::expression::Evaluated;
use crate::term::Sort;

impl Encoder<'_> {
    /// Whether a load reads what comes from outside.
    fn is_volatile_input(&mut self, place: &Place, flags: AccessFlags) -> bool {
        let global = whole_global(place).filter(|_| flags.volatile);
        global.is_some_and(|global| self.facts.is_volatile_input(global))
    }

    /// A register gets a value.
    pub fn set(&mut self, state: &mut State, local: LocalId, value: Value) {
        let written = self.terms.bool(true);
        state.frame.set(local, Some(Local { value, written }));
    }
}

impl Evaluator<'_> {
    /// Passes the answer on, and notes the runs that end here because of it.
    pub fn follows(&mut self, state: &State, goes_on: bool, why: Reason) -> bool {
        if !goes_on {
            self.cut(state, why);
        }
        goes_on
    }

    /// What it reads: anything.
    fn read_volatile_input(&mut self, state: &State, place: &Place) -> Value {
        let (bits, shape) = match self.encoder.facts.program.types().class(place.ty) {
            Class::Float(format) => (format.bits(), Shape::Float(format)),
            Class::Int(int) => (u32::from(int.bits), Shape::Int(int)),
            _ => return Value::Lost,
        };
        let global = whole_global(place).map(|global| &self.encoder.facts.program.globals[global]);
        let kind = global.map_or(InputKind::Volatile, input_kind);
        let name = global.map(|global| global.source_name.to_string()).unwrap_or_default();
        let value = self.encoder.terms.fresh(&name, Sort::Bits(bits));
        let guard = state.guard(&mut self.encoder.terms);
        self.record.inputs.push(Read { guard, kind, terms: vec![value], shape, name });
        Value::Bits(value)
    }

    /// Something volatile is memory here, as for the interpreter, and anything for proofs.
    fn volatile(&mut self, state: &State, flags: AccessFlags) {
        if flags.volatile {
            self.cut(state, Reason::Volatile);
        }
    }

    fn checks(&mut self, state: &mut State, body: &Body, first: ObligationId, count: u32) -> bool {
        let function = state.frame.function;
        for index in first.index()..first.index() + count as usize {
            let id = ObligationId::new(index);
            let obligation = &body.obligations[id];
            let stops =
                (self.encoder.facts.options.stops)(obligation.check, self.encoder.facts.program.semantics);
            let is_open = self.encoder.facts.options.open.contains(&(function, id));
            if self.encoder.facts.options.proved.contains(&(function, id)) {
                self.prune(state, body, obligation);
                continue;
            }
            if !(stops || is_open) {
                continue;
            }
            if obligation.condition == Condition::NotLeaked && self.plan.induction.is_none() {
                continue;
            }
            // How much of the stack is in use is not counted.
            let is_uncounted = matches!(obligation.condition, Condition::StackFits(_))
                && piles_up(self.encoder.facts.program, function, id);
            let holds = match is_uncounted {
                true => None,
                false => self.condition(state, &obligation.condition, obligation.check),
            };
            let Some(holds) = holds else {
                self.unjudged(state, id, stops);
                continue;
            };
            let guard = state.guard(&mut self.encoder.terms);
            let not = self.encoder.terms.not(holds);
            let happens = self.encoder.terms.and(guard, not);
            if self.position.trusting > 0 {
                // Nothing was violated in this iteration that ends runs.
                if stops && !self.assume(state, holds) {
                    return false;
                }
                if stops {
                    self.prune(state, body, obligation);
                }
                continue;
            }
            if !self.encoder.terms.is_false(happens) {
                let call = self.library_call();
                let is_silent = (self.encoder.facts.options.is_silent)(obligation.check);
                let shows = if is_silent { Shows::Never } else { Shows::Always };
                let kind = EventKind::Check {
                    subject: ObligationRef { function, obligation: id, call },
                    stops,
                    is_open,
                    shows,
                };
                self.record.events.push(Event { happens, kind });
            }
            if stops && self.encoder.terms.is_false(holds) {
                return false;
            }
            if stops {
                self.prune(state, body, obligation);
            }
        }
        true
    }

    /// A condition that is not understood. Runs that violate it go on, and are not told from the others.
    fn unjudged(&mut self, state: &State, id: ObligationId, stops: bool) {
        let id = (state.frame.function, id);
        if self.encoder.facts.options.proved.contains(&id) {
            return;
        }
        self.record.unjudged.insert(id);
        if stops {
            self.loosen(state);
        }
    }

    /// Any value of a type. In the program's own code the interpreter reads it from the witness.
    pub fn any(&mut self, state: &State, ty: TypeId, name: &str) -> Value {
        let types = self.encoder.facts.program.types();
        let (bits, shape) = match types.class(ty) {
            Class::Float(format) => (format.bits(), Shape::Float(format)),
            _ => match types.int_type(ty) {
                Some(int) => (u32::from(int.bits), Shape::Int(int)),
                None => return Value::Lost,
            },
        };
        let value = self.encoder.terms.fresh(name, Sort::Bits(bits));
        let function = state.frame.function;
        // Most of what the library leaves open the interpreter decides: nothing that a witness can say.
        let kind = match &*self.encoder.facts.program.functions[function].name {
            _ if !self.encoder.facts.options.models.contains(&function) => Some(InputKind::Call),
            "rand" => Some(InputKind::Random),
            "time" => Some(InputKind::Time),
            _ => None,
        };
        if kind.is_none() {
            self.loosen(state);
        }
        if let Some(kind) = kind {
            let guard = state.guard(&mut self.encoder.terms);
            let name = if kind == InputKind::Call {
                name
            } else {
                &*self.encoder.facts.program.functions[function].name
            };
            self.record.inputs.push(Read { guard, kind, terms: vec![value], shape, name: name.to_owned() });
        }
        match types.class(ty) {
            Class::Pointer => {
                // The number may be the address of something, for the interpreter.
                self.loosen(state);
                self.pointer_at(state, value)
            }
            _ => Value::Bits(value),
        }
    }
}

impl Exec<'_> {
    /// One statement of the running call.
    #[must_use]
    pub fn statement(&mut self, state: &mut State, body: &Body, statement: &Statement) -> bool {
        match &statement.kind {
            StatementKind::Check { first, count } => self.eval.checks(state, body, *first, *count),
            StatementKind::Assign { local, value } => {
                let value = self.eval.eval(state, *value);
                self.eval.encoder.set(state, *local, value);
                true
            }
            StatementKind::Load { local, place, flags }
                if self.eval.encoder.is_volatile_input(place, *flags) =>
            {
                let value = self.eval.read_volatile_input(state, place);
                self.eval.encoder.set(state, *local, value);
                true
            }
            StatementKind::Load { local, place, flags } => match self.eval.load(state, place) {
                Some((value, written)) => {
                    self.eval.volatile(state, *flags);
                    let not = self.eval.encoder.terms.not(written);
                    self.eval.cut_if(state, not, Reason::Unwritten);
                    state
                        .frame
                        .set(*local, Some(Local { value, written: self.eval.encoder.terms.bool(true) }));
                    true
                }
                None => {
                    self.eval.cut(state, Reason::Value);
                    false
                }
            },
            StatementKind::Store { place, value, .. } => {
                let value = self.eval.eval(state, *value);
                let stored = self.eval.store(state, place, value);
                self.eval.follows(state, stored, Reason::Value)
            }
            StatementKind::Copy { to, from, flags } => {
                self.eval.volatile(state, *flags);
                let ty = to.ty;
                let bytes = self.eval.encoder.facts.program.size_of(to.ty);
                let bytes = self.eval.encoder.address(bytes);
                let known = &mut Evaluated::default();
                let (to, from) = (self.eval.place(state, known, to), self.eval.place(state, known, from));
                let copied = match (to, from) {
                    (Value::Pointer(to), Value::Pointer(from)) => {
                        self.eval.copy(state, &to, &from, bytes) && self.eval.lose_padding(state, &to, ty)
                    }
                    _ => false,
                };
                self.eval.follows(state, copied, Reason::Value)
            }
            StatementKind::Zero { place } => {
                let bytes = self.eval.encoder.facts.program.size_of(place.ty);
                let bytes = self.eval.encoder.address(bytes);
                let zero = self.eval.encoder.terms.constant(8, 0);
                let filled = match self.eval.place(state, &mut Evaluated::default(), place) {
                    Value::Pointer(to) => {
                        self.eval.fill(state, &to, Filling::Byte(zero), bytes)
                            && self.eval.lose_padding(state, &to, place.ty)
                    }
                    _ => false,
                };
                self.eval.follows(state, filled, Reason::Value)
            }
            StatementKind::StorageLive { local, bytes } => {
                self.eval.storage_live(state, body, *local, *bytes)
            }
            StatementKind::StorageDead { local } => {
                if let Some(Value::Pointer(pointer)) =
                    state.frame.get(*local).map(|local| local.value.clone())
                    && matches!(body.locals[*local].storage, Storage::Memory { .. })
                {
                    self.eval.encoder.kill_cases(state, &pointer);
                }
                // A dead register has no value; a dead object still has its place.
                if body.locals[*local].storage == Storage::Register {
                    state.frame.set(*local, None);
                }
                true
            }
            StatementKind::Assume { condition } => {
                let value = self.eval.eval(state, *condition);
                match self.eval.truth(state, value) {
                    Some(truth) => self.eval.assume(state, truth),
                    None => self.eval.follows(state, false, Reason::Value),
                }
            }
            StatementKind::Havoc { target } => match target {
                HavocTarget::Local(local) => {
                    let value = self.eval.any(state, body.locals[*local].ty, "havoc");
                    self.eval.encoder.set(state, *local, value);
                    true
                }
                HavocTarget::Place(_) => self.eval.follows(state, false, Reason::Operation),
            },
            StatementKind::Call(_) if self.eval.step_over_call(state, body) => true,
            StatementKind::Call(call) => self.call(state, call),
            StatementKind::Intrinsic(call) => self.eval.intrinsic(state, body, call),
            StatementKind::Unordered { obligation, .. } => {
                let check = body.obligations[*obligation].check;
                self.eval.unjudged(
                    state,
                    *obligation,
                    (self.eval.encoder.facts.options.stops)(check, self.eval.encoder.facts.program.semantics),
                );
                true
            }
            StatementKind::Assembler { .. } | StatementKind::Unsupported { .. } => {
                self.eval.follows(state, false, Reason::Operation)
            }
        }
    }
}
