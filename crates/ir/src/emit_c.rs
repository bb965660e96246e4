// SPDX-License-Identifier: MIT OR Apache-2.0
//! Prints a program as C that gcc compiles and that behaves as the original: a referee for lowering.
//!
//! Compile what comes out with [`FLAGS`]. The meaning of the IR is spelled out rather than left to C: every
//! result is cast to its type, shift counts are reduced, memory is bytes that are accessed through
//! types which may alias and need no alignment, bit-fields are shifts and masks. Pointers are all `char *`.
//! A memory local is an array of bytes, a record is a struct only where it is passed or returned, because
//! there the calling convention looks at its members.
//!
//! Every external name keeps its linkage name through an assembler label, so the compiler's own idea of `printf`
//! does not get in the way. What cannot be said in C (inline assembler, code that clew does not support) traps
//! when it is reached, and is listed in [`Emitted::omitted`].

mod body;
mod conditions;
mod exprs;
mod globals;
mod lifetimes;
mod names;
mod records;

use std::collections::BTreeSet;

use crate::syntax::*;
use crate::volatile_inputs::volatile_inputs;

pub use conditions::{can_write, is_free_of_pointers};
pub(crate) use names::Names;

/// What the compiler must be told: overflow wraps, types may alias, no fused operations, no warnings.
pub const FLAGS: &[&str] = &[
    "-std=gnu11",
    "-w",
    "-fwrapv",
    "-fno-strict-overflow",
    "-fno-strict-aliasing",
    "-ffp-contract=off",
    // A program may bring its own `memcpy`, which must not become a call of itself.
    "-fno-tree-loop-distribute-patterns",
];

/// What to emit.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// `#line` before statements, so that tools speak of the original text.
    pub lines: bool,
    /// Checks that C can say become traps; else all are dropped.
    pub checks: bool,
    /// Where an object of a function begins to live the program calls `clew_begins` with its name, place and size, so
    /// that whoever links the program says what it holds.
    pub begins: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { lines: true, checks: false, begins: false }
    }
}

/// The C text, and what it leaves out.
#[derive(Clone, Debug)]
pub struct Emitted {
    /// A translation unit.
    pub text: String,
    /// What traps instead of doing what it should, with the function it is in.
    pub omitted: Vec<String>,
}

/// The program as C.
pub fn emit_c(program: &Program, options: Options) -> Emitted {
    emit_written(program, options, &[])
}

/// The program as C with the conditions of some obligations written out: where one is violated, the program calls
/// `clew_violated` with its position in the list. What [`can_write`] refuses is not written.
pub fn emit_written(program: &Program, options: Options, written: &[(FuncId, ObligationId)]) -> Emitted {
    let mut emitter = Emitter {
        program,
        options,
        names: Names::new(program),
        out: String::from(PRELUDE),
        omitted: Vec::new(),
        line: Line::default(),
        labels: label_relocations(program),
        written,
        volatile_inputs: if options.begins { volatile_inputs(program) } else { BTreeSet::new() },
    };
    if !written.is_empty() {
        emitter.out.push_str("extern void clew_violated(int);\n");
    }
    if options.begins {
        emitter.out.push_str("extern void clew_begins(const char *, void *, u64);\n");
        emitter.out.push_str("extern void clew_senses(void *, u64);\n");
    }
    emitter.records();
    emitter.global_layouts();
    emitter.function_declarations();
    emitter.globals();
    emitter.function_aliases();
    for (id, function) in program.functions.iter_enumerated() {
        if let Some(body) = &function.body {
            emitter.function(id, function, body);
        }
    }
    Emitted { text: emitter.out, omitted: emitter.omitted }
}

/// Appends formatted text: writing to a `String` cannot fail.
macro_rules! put {
    ($out:expr, $($arg:tt)*) => {{ let _ = write!($out, $($arg)*); }};
}
pub(crate) use put;

/// The last `#line`: which line the text from `at` on is said to begin with.
#[derive(Default)]
struct Line {
    file: String,
    number: u32,
    at: usize,
}

pub(crate) struct Emitter<'a> {
    program: &'a Program,
    options: Options,
    names: Names,
    out: String,
    omitted: Vec<String>,
    line: Line,
    /// Label addresses in static objects.
    labels: Vec<(FuncId, GlobalId, &'a Relocation)>,
    /// Obligations whose conditions are written out.
    written: &'a [(FuncId, ObligationId)],
    /// Variables whose reads whoever links the program answers.
    volatile_inputs: BTreeSet<GlobalId>,
}

fn label_relocations(program: &Program) -> Vec<(FuncId, GlobalId, &Relocation)> {
    let mut labels = Vec::new();
    for (id, global) in program.globals.iter_enumerated() {
        for relocation in global.init.iter().flat_map(|init| &init.relocations) {
            if let Address::Label(function, _) = relocation.target {
                labels.push((function, id, relocation));
            }
        }
    }
    labels
}

/// Types, and the functions that C has no operator for.
const PRELUDE: &str = include_str!("emit_c/prelude.h");
