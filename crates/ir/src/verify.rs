// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tells whether a program is well formed. Engines rely on these rules and do not check them again.
//!
//! Handles
//!  1. Every handle names something that exists; every span's file and macro use exist.
//!
//! Program
//!  2. Types are distinct, so that equal types have equal handles. Integers have 1 to 128 bits.
//!  3. Members lie inside their record, at offset 0 in a union (an anonymous bit-field unit aside); a bit-field starts at
//!     bit 0 to 7 and is at most as wide as its type; alignments are powers of two.
//!  4. Linkage names are unique among functions and globals together.
//!  5. A global is at least as large as its type. Its initialiser fits; relocations are sorted, fit, do not
//!     overlap, and labels belong to functions with a body.
//!  6. A function has a function type. Without a body its contract names no expression.
//!
//! Bodies
//!  7. There is a block `b0`, and no block leads to it. A label whose address is taken may not be `b0` either.
//!  8. Parameters are the first locals, as many and of the types the function's type says.
//!  9. Register locals are scalars. Only they are assigned, loaded into and read by expressions; only memory
//!     locals are bases of places.
//! 10. An operand of an expression comes before its user in the arena.
//! 11. Operand and result types fit the operation as `syntax.rs` says. Pointee types never matter: any two
//!     pointer types fit each other.
//! 12. Integer constants, switch ranges and float bits are in the canonical form of their type.
//! 13. Switch ranges ascend and do not overlap.
//! 14. Each step of a place starts from what the step before it leads to: a member of a record that lies there
//!     with a size at least the record's; nothing follows a bit-field. Addresses of bit-fields are not taken.
//! 15. Every obligation belongs to exactly one `Check` or one `Unordered` region, whose condition is `Commutes`
//!     exactly in the latter case. A region's `Next` and `End` name an obligation that some `Begin` names.
//! 16. Conditions have operands of the right kind; `NotRaised` names an operation that can raise that.
//! 17. Calls pass what their signature says; variadic and unprototyped calls may pass more. A result goes to a
//!     register if it is a scalar, to a place if not.
//! 18. `Return` gives a value of the function's result type or none (a function may end without its value).
//! 19. `StorageLive` has a size exactly for locals whose type has none.
//!
//! Not checked
//!  - That a register is assigned, or a memory object alive, where it is used: C allows programs that do
//!    otherwise, and obligations say where.
//!  - That every operation that can fail stands behind its check: what lowering promises.
//!  - That regions of unordered calls nest, and that blocks are reachable.
//!  - That aliases name something: before linking they may not.

mod body;
mod exprs;
mod handles;
mod program;

use std::fmt;

use crate::syntax::*;

/// A broken rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The function it is in, by name.
    pub function: Option<String>,
    /// Where in it: a block and statement, an expression, a local.
    pub place: String,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(function) = &self.function {
            write!(f, "{function}: ")?;
        }
        write!(f, "{}: {}", self.place, self.message)
    }
}

/// Faults found so far; a broken program may have very many, so there is a limit.
pub(crate) struct Faults {
    function: Option<String>,
    list: Vec<Fault>,
}

/// More faults than this say nothing new.
const MAX_FAULTS: usize = 1000;

impl Faults {
    /// Notes a fault.
    pub(crate) fn add(&mut self, place: impl fmt::Display, message: impl Into<String>) {
        if self.list.len() < MAX_FAULTS {
            let place = place.to_string();
            self.list.push(Fault { function: self.function.clone(), place, message: message.into() });
        }
    }
}

/// All broken rules; empty for a well-formed program.
pub fn verify(program: &Program) -> Vec<Fault> {
    let mut faults = Faults { function: None, list: Vec::new() };
    // What follows looks handles up without asking.
    if !handles::tables(program, &mut faults) {
        return faults.list;
    }
    program::verify(program, &mut faults);
    for (id, function) in program.functions.iter_enumerated() {
        faults.function = Some(function.name.to_string());
        verify_one(program, id, &mut faults);
    }
    faults.list
}

fn verify_one(program: &Program, id: FuncId, faults: &mut Faults) {
    let function = &program.functions[id];
    if !handles::function(program, function, faults) {
        return;
    }
    let Type::Function { .. } = program.types[function.ty] else {
        return faults.add("type", "is not a function type");
    };
    if let Some(body) = &function.body {
        body::verify(program, function, body, faults);
    }
}
