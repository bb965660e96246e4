// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a sliced execution does: it ends, goes on behind a segment, or goes on as ever.

use std::rc::Rc;

use clew_base::index::Idx;
use clew_ir::location::Location;
use clew_ir::syntax::{BlockId, Body, FuncId, LocalId, Storage};
use clew_ir::types::Class;

use crate::exec::context::encoder::Encoder;
use crate::exec::context::evaluator::Evaluator;
use crate::exec::context::objects::Kind;
use crate::exec::context::slice::{Step, Var};
use crate::exec::explore::blocks::Pending;
use crate::exec::record::event::Reason;
use crate::exec::state::contents::{Contents, Fill};
use crate::exec::state::value::{Base, ObjectId, Value};
use crate::exec::state::{Object, State};
use crate::term::Sort;

impl Encoder<'_> {
    fn any_value(&mut self, body: &Body, local: LocalId) -> Value {
        let bits = match self.facts.program.types().class(body.locals[local].ty) {
            Class::Int(int) => u32::from(int.bits),
            Class::Float(format) => format.bits(),
            _ => return Value::Lost,
        };
        Value::Bits(self.terms.fresh("forgotten", Sort::Bits(bits)))
    }

    fn forget_object(&mut self, state: &mut State, object: ObjectId) {
        let Some(alive) = state.memory.get(object).map(|now| now.alive) else { return };
        let sort = Sort::Array { index: self.facts.address_bits(), element: 8 };
        let bytes = self.terms.fresh("forgotten", sort);
        let contents = Rc::new(Contents::new(Fill::Any(bytes)));
        state.memory.insert(object, Object { alive, contents });
    }

    /// Everything that pointers may lead to. To write what is const ends a run.
    fn forget_memory(&mut self, state: &mut State) {
        for index in 0..state.memory.len() {
            let object = ObjectId(index as u32);
            let meta = &self.objects.metas[index];
            if meta.writable && meta.kind != Kind::Literal && !self.objects.private.contains(&object) {
                self.forget_object(state, object);
            }
        }
    }
}

impl Evaluator<'_> {
    /// Whether a sliced execution has nothing more to do at a statement.
    pub fn is_over(&self, at: Location) -> bool {
        self.plan.slice.as_ref().is_some_and(|slice| slice.is_over(at))
    }

    /// Steps over the region that begins with a block, or with its end. `false`: it is to be executed.
    pub fn step_over_region(
        &mut self,
        state: &mut State,
        body: &Body,
        (head, at_start): (BlockId, bool),
        pending: &mut Pending,
    ) -> bool {
        let slice = self.plan.slice.as_ref();
        let step = slice.and_then(|slice| slice.region(state.frame.function, head, at_start));
        let Some((step, join)) = step.and_then(|step| Some((step.clone(), step.join?))) else { return false };
        self.forget_written(state, body, &step);
        pending.add(join, state.clone());
        true
    }

    /// Steps over a call. `false`: it is to be made.
    pub fn step_over_call(&mut self, state: &mut State, body: &Body) -> bool {
        let Some(step) =
            self.plan.slice.as_ref().and_then(|slice| slice.calls.get(&self.position.at).cloned())
        else {
            return false;
        };
        self.forget_written(state, body, &step);
        true
    }

    /// Whatever a segment may have written is something now.
    fn forget_written(&mut self, state: &mut State, body: &Body, step: &Step) {
        self.record.stepped_over += 1;
        // The interpreter does something definite there.
        self.loosen(state);
        for var in &step.writes {
            match *var {
                Var::Local(function, local) if function == state.frame.function => {
                    self.forget_local(state, body, local);
                }
                // Those of functions that were called are gone.
                Var::Local(..) => {}
                Var::Global(global) => {
                    self.encoder.forget_object(state, self.encoder.objects.globals[global.index()])
                }
                Var::Memory => self.encoder.forget_memory(state),
            }
        }
    }

    fn forget_local(&mut self, state: &mut State, body: &Body, local: LocalId) {
        if body.locals[local].storage == Storage::Register {
            let value = self.encoder.any_value(body, local);
            return self.encoder.set(state, local, value);
        }
        let place = match state.frame.get(local).map(|local| local.value.clone()) {
            Some(Value::Pointer(place)) => place,
            // It does not live yet.
            None => return,
            // Where it is was lost.
            Some(_) => return self.cut(state, Reason::Value),
        };
        for case in &place.cases {
            if let Base::Object(object) = case.base {
                self.encoder.forget_object(state, object);
            }
        }
    }

    /// Whether no pointer leads to a local object.
    pub fn is_private(&self, function: FuncId, local: LocalId) -> bool {
        let var = Var::Local(function, local);
        self.plan.slice.as_ref().is_some_and(|slice| slice.private.contains(&var))
    }

    /// The globals to which no pointer leads.
    pub fn note_private_globals(&mut self) {
        let Some(slice) = self.plan.slice.clone() else { return };
        for (index, object) in self.encoder.objects.globals.iter().enumerate() {
            if slice.private.contains(&Var::Global(Idx::new(index))) {
                self.encoder.objects.private.insert(*object);
            }
        }
    }
}
