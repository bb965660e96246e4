// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is asked: formats of variables, ranges of inputs, and where to start, resolved against a program.

use std::collections::BTreeMap;
use std::sync::Arc;

use clew_base::exact::Rational;
use clew_ir::syntax::{FuncId, GlobalId, LocalId, Program, Type, TypeId};

use crate::facts::Facts;
use crate::format::Format;

/// A variable of the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Variable {
    /// With static storage.
    Global(GlobalId),
    /// A local or parameter.
    Local(FuncId, LocalId),
}

/// How numbers of a variable are kept.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Kept {
    /// A float of the source that becomes a number of the format.
    Fixed(Format),
    /// An integer of the source that stands for itself divided by `2^fraction`.
    Quantity { fraction: u16 },
}

/// An input: a variable whose numbers are any of a range.
#[derive(Clone, PartialEq, Debug)]
pub struct Input {
    /// The variable, all of its elements.
    pub variable: Variable,
    /// Least and greatest value, as the user gave them.
    pub range: (Rational, Rational),
    /// For a pointer parameter: how many elements it points to.
    pub length: Option<u64>,
}

/// What to analyse.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Where to start.
    pub entry: FuncId,
    /// For floats without a format of their own.
    pub all: Option<Format>,
    /// Formats by variable.
    pub kept: BTreeMap<Variable, Kept>,
    /// Inputs, in the order in which they were given.
    pub inputs: Vec<Input>,
    /// Fraction bits of what the entry returns, if it is an integer that stands for a number.
    pub result: Option<u16>,
    /// What is known of the program with all this.
    pub(crate) facts: Arc<Facts>,
}

impl Setup {
    /// How numbers of a variable of this scalar type are kept, if that is said.
    pub fn kept(&self, program: &Program, variable: Variable, ty: TypeId) -> Option<Kept> {
        let is_float = matches!(program.types[ty], Type::Float(_));
        match self.kept.get(&variable) {
            Some(Kept::Fixed(format)) if is_float => Some(Kept::Fixed(*format)),
            Some(Kept::Quantity { fraction }) if !is_float => Some(Kept::Quantity { fraction: *fraction }),
            Some(_) => None,
            None if is_float => self.all.map(Kept::Fixed),
            None => None,
        }
    }

    /// What one unit of the machine's integers is worth.
    pub fn unit(&self, variable: Variable) -> f64 {
        match self.kept.get(&variable) {
            Some(Kept::Quantity { fraction }) => 2f64.powi(-i32::from(*fraction)),
            _ => 1.0,
        }
    }
}

/// Its name in the source.
pub fn name_of(program: &Program, variable: Variable) -> String {
    match variable {
        Variable::Global(global) => program.globals[global].source_name.to_string(),
        Variable::Local(function, local) => {
            let body = program.functions[function].body.as_ref();
            let name = body.and_then(|body| body.locals.get(local)).and_then(|local| local.name.clone());
            name.map_or_else(|| local.to_string(), |name| name.to_string())
        }
    }
}
