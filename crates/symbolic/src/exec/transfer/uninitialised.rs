// SPDX-License-Identifier: MIT OR Apache-2.0
//! What objects hold that nothing was written to.
//!
//! An execution takes it to be zero, as the interpreter does, and notes that runs which look at it are not exact. Where
//! such runs are possible a second execution *chooses* it: every byte is a variable, made when somebody looks, and an
//! input of the witness. C leaves open what is there, so a violation that needs particular bytes is one.
//!
//! Who assumes that such bytes *stay* what they are gets proofs, too, from an execution in which they count as written.

use std::collections::BTreeSet;

use clew_ir::syntax::{Body, LocalId, TypeId};
use clew_ir::types::Class;
use clew_ir::witness::InputKind;

use crate::effort::LARGEST_CHOSEN;
use crate::exec::context::evaluator::Evaluator;
use crate::exec::record::Chosen;
use crate::exec::record::input::{Read, Shape};
use crate::exec::state::contents::Fill;
use crate::exec::state::remains::Remains;
use crate::exec::state::value::{Base, Value};
use crate::exec::state::{Local, State};
use crate::term::{Sort, TermId};

impl Evaluator<'_> {
    /// What a new object holds. Its name is that of the interpreter's query.
    pub fn unwritten(&mut self, state: &State, size: TermId, name: String) -> Fill {
        if !self.plan.chooses && !self.plan.stays {
            return Fill::Unwritten;
        }
        let is_small = self.encoder.terms.as_const(size).is_some_and(|size| size <= LARGEST_CHOSEN);
        let remains = Remains::new(self.plan.stays);
        if self.plan.stays && !is_small {
            let sort = Sort::Array { index: self.encoder.facts.address_bits(), element: 8 };
            return Fill::Any(self.encoder.terms.fresh("old", sort));
        }
        let guard = state.guard(&mut self.encoder.terms);
        self.record.chosen.push(Chosen { guard, name, remains: remains.clone() });
        if is_small { Fill::Chosen(remains) } else { Fill::Unwritten }
    }

    /// What a register holds that is not written yet; none is as good as zero.
    pub fn unwritten_register(
        &mut self,
        state: &State,
        body: &Body,
        local: LocalId,
        ty: TypeId,
    ) -> Option<Local> {
        if !(self.plan.chooses || self.plan.stays)
            || !self.encoder.facts.is_asked_about(state.frame.function, body, local)
        {
            return None;
        }
        if matches!(self.encoder.facts.program.types().class(ty), Class::Pointer) && !self.plan.stays {
            return None;
        }
        let bytes = self.encoder.stored_bytes(ty)?;
        let remains = Remains::new(self.plan.stays);
        let cell = remains.at(&mut self.encoder.terms, 0, bytes);
        let value = match (&cell.value, self.encoder.facts.program.types().class(ty)) {
            // Nothing was written there, so the address of nothing.
            (Value::Bits(bits), Class::Pointer) => {
                Value::pointer(&mut self.encoder.terms, Base::Number, *bits)
            }
            _ => self.value_of(state, &cell, ty),
        };
        let name = self.encoder.facts.local_name(state.frame.function, body, local);
        let guard = state.guard(&mut self.encoder.terms);
        self.record.chosen.push(Chosen { guard, name, remains });
        Some(Local { value, written: cell.written })
    }

    /// What was chosen becomes inputs. Objects that nobody looked at only count where a later one of their name needs
    /// them to.
    pub fn list_unwritten(&mut self) {
        let mut needed = BTreeSet::new();
        let mut reads = Vec::new();
        for Chosen { guard, name, remains } in std::mem::take(&mut self.record.chosen).into_iter().rev() {
            let terms = remains.bytes(&mut self.encoder.terms);
            if !terms.is_empty() {
                needed.insert(name.clone());
            }
            if needed.contains(&name) {
                reads.push(Read { guard, kind: InputKind::Unwritten, terms, shape: Shape::Bytes, name });
            }
        }
        self.record.inputs.extend(reads.into_iter().rev());
    }
}
