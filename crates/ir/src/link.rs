// SPDX-License-Identifier: MIT OR Apache-2.0
//! Makes one program from several units, as a linker does.
//!
//! - A definition wins over declarations, a strong one over weak ones; tentative definitions are one, as large as
//!   the largest. Two strong definitions of a name, or a function and a variable of one name, are errors.
//! - Names with internal linkage that collide get the name of their unit's file behind them (`helper@util.c`),
//!   so that stable ids do not depend on the order of the units. String literals are numbered anew.
//! - Records that look the same in two units are one record; through a pointer only the name counts, as
//!   for compatible types in C.

mod attach;
mod fit;
mod larger_declarations;
mod mismatch;
pub mod noreturn;
mod outside_units;
mod own_formats;
mod sources;
mod symbols;
mod types;
mod unwritten;

use std::fmt;

use clew_base::source::Place;

use crate::syntax::*;
use crate::visit::VisitMut;

pub use attach::{Attached, Misfit, attach};
pub use outside_units::open_weak_definitions;

/// Why units do not go together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LinkError {
    /// Two strong definitions.
    Duplicate {
        /// The name.
        name: String,
        /// The first definition.
        first: Place,
        /// The other one.
        second: Place,
    },
    /// A function here, a variable there; or thread-local here and not there.
    Conflict {
        /// The name.
        name: String,
        /// In which way they differ.
        what: &'static str,
        /// One declaration.
        first: Place,
        /// The other one.
        second: Place,
    },
    /// An alias of something that is not defined.
    Alias {
        /// The name.
        name: String,
        /// What it should be.
        target: String,
        /// Where it was declared.
        place: Place,
    },
    /// Units for two machines.
    Target {
        /// The machine of the first unit.
        first: String,
        /// Another one.
        second: String,
    },
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LinkError::Duplicate { name, first, second } => {
                write!(f, "{second}: `{name}` is defined again; it was first defined at {first}")
            }
            LinkError::Conflict { name, what, first, second } => {
                write!(f, "{second}: `{name}` is {what} here, but not at {first}")
            }
            LinkError::Alias { name, target, place } => {
                write!(f, "{place}: `{name}` is an alias of `{target}`, which is not defined")
            }
            LinkError::Target { first, second } => {
                write!(f, "units for `{first}` and for `{second}` cannot be one program")
            }
        }
    }
}

impl std::error::Error for LinkError {}

/// One program from the units, or all reasons why not.
pub fn link(units: Vec<Program>) -> Result<Program, Vec<LinkError>> {
    let mut units = units;
    let Some(first) = units.first() else { return Ok(Program::new(Target::x86_64_linux())) };
    let target = first.target.clone();
    let mut program = Program::new(target);
    check_targets(&units)?;
    program.semantics = Semantics {
        // An overflow that stops in one unit stops in the program; floats that are open in one are open.
        wrapv: units.iter().all(|u| u.semantics.wrapv),
        fast_math: units.iter().any(|u| u.semantics.fast_math),
        no_math_errno: units.iter().any(|u| u.semantics.no_math_errno),
    };
    if units.len() > 1 {
        symbols::rename_internal(&mut units);
    }
    let plan = symbols::plan(&units)?;
    larger_declarations::mark(&mut units, &plan);
    let spans = sources::merge(&mut units, &mut program.sources);
    let types = types::merge(&units, &mut program);
    for (number, mut unit) in units.into_iter().enumerate() {
        let mut renumber = Renumber {
            types: &types[number],
            spans: &spans[number],
            functions: &plan.functions[number],
            globals: &plan.globals[number],
        };
        unit.functions.iter_mut().for_each(|f| renumber.walk_function(f));
        unit.globals.iter_mut().for_each(|g| renumber.walk_global(g));
        for mut place in std::mem::take(&mut unit.unsupported) {
            renumber.span(&mut place.span);
            program.unsupported.push(place);
        }
        plan.place(number, unit, &mut program);
    }
    plan.finish(&mut program);
    outside_units::expose_aliased(&mut program);
    noreturn::settle(&mut program);
    mismatch::demand(&mut program);
    own_formats::forget(&mut program);
    unwritten::demand(&mut program);
    Ok(program)
}

fn check_targets(units: &[Program]) -> Result<(), Vec<LinkError>> {
    let Some((first, rest)) = units.split_first() else { return Ok(()) };
    let errors: Vec<_> = rest
        .iter()
        .filter(|unit| unit.target != first.target)
        .map(|unit| LinkError::Target {
            first: first.target.triple.to_string(),
            second: unit.target.triple.to_string(),
        })
        .collect();
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// Gives the handles of one unit their number in the program.
struct Renumber<'a> {
    types: &'a types::Renumbering,
    spans: &'a sources::Renumbering,
    functions: &'a [FuncId],
    globals: &'a [GlobalId],
}

impl VisitMut for Renumber<'_> {
    fn ty(&mut self, ty: &mut TypeId) {
        *ty = self.types.types[*ty];
    }
    fn record(&mut self, record: &mut RecordId) {
        *record = self.types.records[*record];
    }
    fn global(&mut self, global: &mut GlobalId) {
        *global = self.globals[global.0 as usize];
    }
    fn function(&mut self, function: &mut FuncId) {
        *function = self.functions[function.0 as usize];
    }
    fn span(&mut self, span: &mut clew_base::source::Span) {
        self.spans.apply(span);
    }
}
