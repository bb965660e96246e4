// SPDX-License-Identifier: MIT OR Apache-2.0
//! What values and memory are as terms. It notes nothing and leaves nothing out.

use std::rc::Rc;

use clew_ir::syntax::{Body, FuncId};

use crate::exec::context::facts::ProgramFacts;
use crate::exec::context::objects::{Meta, Objects};
use crate::exec::state::contents::{Contents, Fill};
use crate::exec::state::value::{Base, ObjectId, Value};
use crate::exec::state::{Object, State};
use crate::term::{Sort, TermId, Terms};

/// Builds terms for a program.
pub(crate) struct Encoder<'p> {
    /// The program.
    pub facts: ProgramFacts<'p>,
    /// All terms.
    pub terms: Terms,
    /// All objects.
    pub objects: Objects,
}

impl<'p> Encoder<'p> {
    /// The body of a function.
    pub fn body(&self, function: FuncId) -> Option<&'p Body> {
        self.facts.body(function)
    }

    /// A constant of the width of an address.
    pub fn address(&mut self, value: u64) -> TermId {
        self.terms.constant(self.facts.address_bits(), u128::from(value))
    }

    /// The null pointer.
    pub fn null(&mut self) -> Value {
        let zero = self.address(0);
        Value::pointer(&mut self.terms, Base::Number, zero)
    }

    /// A number for where something lies, which nobody knows.
    pub fn address_of(&mut self, base: Base) -> TermId {
        if base == Base::Number {
            return self.address(0);
        }
        if let Some(known) = self.objects.addresses.get(&base) {
            return *known;
        }
        let align = match base {
            Base::Object(object) => self.objects.meta(object).align.max(1),
            _ => 16,
        };
        let bits = self.facts.address_bits();
        let low = align.trailing_zeros().min(bits - 1);
        let high = self.terms.fresh("address", Sort::Bits(bits - low));
        let zeros = (low > 0).then(|| self.terms.constant(low, 0));
        let address = zeros.map_or(high, |zeros| self.terms.concat(high, zeros));
        self.objects.addresses.insert(base, address);
        address
    }

    /// A new object.
    pub fn allocate(&mut self, state: &mut State, meta: Meta, fill: Fill) -> ObjectId {
        let object = ObjectId(self.objects.metas.len() as u32);
        self.objects.metas.push(meta);
        let alive = self.terms.bool(true);
        state.memory.insert(object, Object { alive, contents: Rc::new(Contents::new(fill)) });
        object
    }
}
