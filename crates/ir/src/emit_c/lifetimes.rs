// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where objects begin to live: whoever links the program may say what they hold before anything is written there, and
//! what volatile variables hold that nothing in the program writes.
//!
//! The calls are those at which the interpreter asks for the same, under the same names (`function.local`), so that the
//! n-th object of a name is the same one in both.

use std::fmt::Write;

use super::body::FunctionEmitter;
use super::names::quoted;
use super::put;
use crate::obligation::{Condition, Obligation};
use crate::syntax::*;
use crate::types::Class;
use crate::volatile_inputs::whole_global;

impl FunctionEmitter<'_, '_> {
    /// Parameters in memory are objects, too; what they hold has come with the call.
    pub(super) fn parameters_begin(&mut self) {
        for number in 0..self.body.parameters {
            let local = LocalId(number);
            if self.emitter.options.begins && self.body.locals[local].storage != Storage::Register {
                self.begin(local, "(ptr)0", "0");
                self.word("\n");
            }
        }
    }

    /// A local begins to live; `bytes` is the size of one whose length varies.
    pub(super) fn begins(&mut self, local: LocalId, bytes: Option<ExprId>) {
        if !self.emitter.options.begins {
            return;
        }
        let declared = &self.body.locals[local];
        match declared.storage {
            Storage::Memory { .. } => match bytes {
                Some(bytes) => {
                    put!(self.emitter.out, " u64 size = ");
                    self.expr(bytes);
                    self.word("; ");
                    self.begin(local, &self.memory_name(local), "size");
                }
                None => {
                    let size = self.emitter.program.size_of(declared.ty).to_string();
                    self.begin(local, &self.memory_name(local), &size);
                }
            },
            Storage::Register if self.may_be_unwritten(local) => self.register_begins(local, declared.ty),
            Storage::Register => {}
        }
    }

    /// No object's address is made of what happens to lie around: a pointer is null.
    fn register_begins(&mut self, local: LocalId, ty: TypeId) {
        let number = local.0;
        if self.emitter.program.types().class(ty) == Class::Pointer {
            put!(self.emitter.out, "l{number} = 0; ");
            return self.begin(local, "(ptr)0", "0");
        }
        self.begin(local, &format!("(ptr)&l{number}"), &format!("sizeof l{number}"));
        if matches!(self.emitter.program.types[ty], Type::Bool) {
            put!(self.emitter.out, " l{number} = *(u8 *)&l{number} & 1;");
        }
    }

    fn begin(&mut self, local: LocalId, place: &str, size: &str) {
        let local = self.body.locals[local].name.as_deref().unwrap_or("");
        let name = quoted(&format!("{}.{local}", self.function.source_name));
        put!(self.emitter.out, "clew_begins({name}, {place}, {size});");
    }

    /// Whether a load reads what whoever links the program says.
    pub(super) fn is_volatile_input(&self, place: &Place, flags: AccessFlags) -> bool {
        let is_sensor = |global: GlobalId| self.emitter.volatile_inputs.contains(&global);
        self.emitter.options.begins && flags.volatile && whole_global(place).is_some_and(is_sensor)
    }

    /// Whether some obligation is that a register was written: all others are.
    fn may_be_unwritten(&self, local: LocalId) -> bool {
        let asks = |obligation: &Obligation| obligation.condition == Condition::InitialisedLocal(local);
        self.body.obligations.iter().any(asks)
    }
}
