// SPDX-License-Identifier: MIT OR Apache-2.0
//! What objects hold that nothing was written to.
//!
//! A walk takes it to be zero, as the interpreter does, and notes that runs which look at it are not exact. Where such
//! runs are possible a second walk *chooses* it: every byte is a variable, made when somebody looks, and an input of
//! the witness. C leaves open what is there, so a violation that needs particular bytes is one.
//!
//! Who assumes that such bytes *stay* what they are gets proofs, too, from a walk in which they count as written.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use clew_base::index::Idx;
use clew_ir::obligation::Condition;
use clew_ir::syntax::{Body, LocalId, TypeId};
use clew_ir::types::Class;
use clew_ir::witness::InputKind;

use super::engine::{Exec, Read, Shape};
use super::object::{Cell, Fill};
use super::state::{Local, State};
use super::value::{Base, Value};
use crate::term::{Sort, TermId, Terms};

/// Larger objects hold zeros.
const LARGEST: u128 = 256;

/// The bytes of one object that somebody looked at.
#[derive(Clone, Debug)]
pub(super) struct Remains {
    bytes: Rc<RefCell<BTreeMap<u64, TermId>>>,
    counts_as_written: bool,
}

/// Remains are the same if they are those of one object.
impl PartialEq for Remains {
    fn eq(&self, other: &Remains) -> bool {
        Rc::ptr_eq(&self.bytes, &other.bytes)
    }
}

impl Remains {
    fn new(counts_as_written: bool) -> Remains {
        Remains { bytes: Rc::default(), counts_as_written }
    }

    /// What stands at an offset.
    pub fn at(&self, terms: &mut Terms, offset: u64, bytes: u32) -> Cell {
        let mut known = self.bytes.borrow_mut();
        let mut byte = |terms: &mut Terms, at: u64| {
            *known.entry(at).or_insert_with(|| terms.fresh("old", Sort::Bits(8)))
        };
        let mut value = byte(terms, offset);
        for at in 1..u64::from(bytes) {
            let high = byte(terms, offset + at);
            value = terms.concat(high, value);
        }
        Cell { bytes, value: Value::Bits(value), written: terms.bool(self.counts_as_written) }
    }

    /// The bytes in order, up to the last that somebody looked at.
    fn bytes(&self, terms: &mut Terms) -> Vec<TermId> {
        let known = self.bytes.borrow();
        // Who looks far outside of the object violates something else.
        let within = known.range(..LARGEST as u64).next_back();
        let length = within.map_or(0, |(last, _)| last + 1);
        (0..length).map(|at| known.get(&at).copied().unwrap_or_else(|| terms.constant(8, 0))).collect()
    }
}

/// An object whose first contents are chosen.
#[derive(Clone, Debug)]
pub(super) struct Chosen {
    guard: TermId,
    name: String,
    remains: Remains,
}

impl Exec<'_> {
    /// What a new object holds. Its name is that of the interpreter's question.
    pub fn unwritten(&mut self, state: &State, size: TermId, name: String) -> Fill {
        if !self.chooses && !self.stays {
            return Fill::Unwritten;
        }
        let is_small = self.terms.as_const(size).is_some_and(|size| size <= LARGEST);
        let remains = Remains::new(self.stays);
        if self.stays && !is_small {
            let sort = Sort::Array { index: self.address_bits(), element: 8 };
            return Fill::Any(self.terms.fresh("old", sort));
        }
        let guard = state.guard(&mut self.terms);
        self.chosen.push(Chosen { guard, name, remains: remains.clone() });
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
        if !(self.chooses || self.stays) || !self.is_asked(state, body, local) {
            return None;
        }
        if matches!(self.program.types().class(ty), Class::Pointer) && !self.stays {
            return None;
        }
        let bytes = self.stored_bytes(ty)?;
        let remains = Remains::new(self.stays);
        let cell = remains.at(&mut self.terms, 0, bytes);
        let value = match (&cell.value, self.program.types().class(ty)) {
            // Nothing was written there, so the address of nothing.
            (Value::Bits(bits), Class::Pointer) => Value::pointer(&mut self.terms, Base::Number, *bits),
            _ => self.value_of(state, &cell, ty),
        };
        let name = self.local_name(state, body, local);
        let guard = state.guard(&mut self.terms);
        self.chosen.push(Chosen { guard, name, remains });
        Some(Local { value, written: cell.written })
    }

    /// Whether some obligation is that a register was written: of others the interpreter knows that they are.
    fn is_asked(&mut self, state: &State, body: &Body, local: LocalId) -> bool {
        let asked = self.asked.entry(state.frame.function).or_insert_with(|| {
            let conditions = body.obligations.iter().map(|obligation| &obligation.condition);
            let locals = conditions.filter_map(|condition| match condition {
                Condition::InitialisedLocal(local) => Some(local.index()),
                _ => None,
            });
            locals.collect()
        });
        asked.contains(&local.index())
    }

    /// `function.local`.
    pub fn local_name(&self, state: &State, body: &Body, local: LocalId) -> String {
        let function = &self.program.functions[state.frame.function].source_name;
        format!("{function}.{}", body.locals[local].name.as_deref().unwrap_or(""))
    }

    /// What was chosen becomes inputs. Objects that nobody looked at only count where a later one of their name needs
    /// them to.
    pub fn list_unwritten(&mut self) {
        let mut needed = BTreeSet::new();
        let mut reads = Vec::new();
        for Chosen { guard, name, remains } in std::mem::take(&mut self.chosen).into_iter().rev() {
            let terms = remains.bytes(&mut self.terms);
            if !terms.is_empty() {
                needed.insert(name.clone());
            }
            if needed.contains(&name) {
                reads.push(Read { guard, kind: InputKind::Unwritten, terms, shape: Shape::Bytes, name });
            }
        }
        self.inputs.extend(reads.into_iter().rev());
    }
}
