// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an engine must answer to be judged.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::Result;
use clap::ValueEnum;
use clew_absint::level::Level;
use clew_interpreter::observe::{Blocks, Register, View};
use clew_interpreter::value::Value;
use clew_ir::location::Location;
use clew_ir::obligation::CheckKind;
use clew_ir::syntax::{BlockId, FuncId, ObligationId, Program};

use super::absint::Absint;
use super::symbolic::Symbolic;

/// An engine that proves.
pub trait Engine: Sync {
    /// Analyses a program from `main` on.
    fn analyse<'p>(&self, program: &'p Program) -> Result<Box<dyn Analysis + 'p>>;
}

/// What an engine says of a program.
pub trait Analysis: Send + Sync {
    /// Why it claims nothing, if it did not go over the whole program.
    fn given_up(&self) -> Option<String> {
        None
    }
    /// Whether it claims without a condition that no run violates an obligation: proved, or no run comes there.
    fn claims(&self, function: FuncId, obligation: ObligationId) -> bool;
    /// Whether it claims without a condition that a call of the library keeps a rule of the library's.
    fn claims_call(&self, call: Location, check: CheckKind) -> bool;
    /// The blocks that it has an invariant for.
    fn loop_heads(&self) -> Blocks;
    /// The function whose calls are ticks of the clock, if there is one.
    fn clock(&self) -> Option<FuncId> {
        None
    }
    /// Whether a state after so many ticks lies in the invariant; if not, what of it does not.
    fn contains(&self, function: FuncId, block: BlockId, view: &View<'_>, ticks: u64) -> Result<(), String>;
}

/// The engines by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Choice {
    /// The abstract interpreter.
    Absint,
    /// The same, giving up the contexts of functions from the first call on.
    Hurried,
    /// The same after a run that is remembered: the second round alone, and not all octagons.
    Planned,
    /// The same at the lowest level: next to no domain, functions analysed once.
    Quick,
    /// The same at the level above that.
    Light,
    /// The same at the highest level.
    Thorough,
    /// The lowest level, and the highest for every other function.
    Raised,
    /// The usual level for the first statements, and the lowest one for the rest.
    Spent,
    /// The symbolic engine.
    Symbolic,
    /// The same with so little effort for a question that branches are forked.
    Pressed,
    /// The same for a few obligations at a time, each with slices of their own.
    Sliced,
    /// Claims that everything holds, and that no `int` in a register is above 10: a test of the test.
    Reckless,
    /// Claims nothing: a test of the programs.
    Silent,
}

impl Choice {
    /// The engine that is meant when none is named.
    pub const DEFAULT: Choice = Choice::Absint;

    /// The engine, with so much time for a program.
    pub fn engine(self, limit: Duration) -> Box<dyn Engine> {
        let usual = Absint {
            share: None,
            level: Level::USUAL,
            is_planned: false,
            raises: false,
            careful: None,
            limit,
        };
        let at = |level: Level| -> Box<dyn Engine> { Box::new(Absint { level, ..usual }) };
        match self {
            Choice::Absint => at(Level::USUAL),
            Choice::Hurried => Box::new(Absint { share: Some(0), ..usual }),
            Choice::Planned => Box::new(Absint { is_planned: true, ..usual }),
            Choice::Quick => at(Level::QUICK),
            Choice::Light => at(Level::LIGHT),
            Choice::Thorough => at(Level::THOROUGH),
            Choice::Raised => Box::new(Absint { level: Level::QUICK, raises: true, ..usual }),
            Choice::Spent => Box::new(Absint { careful: Some(150), ..usual }),
            Choice::Symbolic => Box::new(Symbolic::new(limit)),
            Choice::Pressed => Box::new(Symbolic::pressed(limit)),
            Choice::Sliced => Box::new(Symbolic::sliced(limit)),
            Choice::Reckless => Box::new(Reckless),
            Choice::Silent => Box::new(Silent),
        }
    }
}

/// Claims nothing.
struct Silent;

impl Engine for Silent {
    fn analyse<'p>(&self, program: &'p Program) -> Result<Box<dyn Analysis + 'p>> {
        Ok(Box::new(Quiet(back_edges(program))))
    }
}

struct Quiet(Blocks);

impl Analysis for Quiet {
    fn claims(&self, _: FuncId, _: ObligationId) -> bool {
        false
    }

    fn claims_call(&self, _: Location, _: CheckKind) -> bool {
        false
    }

    fn loop_heads(&self) -> Blocks {
        self.0.clone()
    }

    fn contains(&self, _: FuncId, _: BlockId, _: &View<'_>, _: u64) -> Result<(), String> {
        Ok(())
    }
}

/// Claims too much.
struct Reckless;

impl Engine for Reckless {
    fn analyse<'p>(&self, program: &'p Program) -> Result<Box<dyn Analysis + 'p>> {
        let mut registers = BTreeMap::new();
        for (id, function) in program.functions.iter_enumerated() {
            if let Some(body) = &function.body {
                registers.insert(id, body.locals.indices().collect::<Vec<_>>());
            }
        }
        Ok(Box::new(Claims { heads: back_edges(program), registers }))
    }
}

struct Claims {
    heads: Blocks,
    registers: BTreeMap<FuncId, Vec<clew_ir::syntax::LocalId>>,
}

impl Analysis for Claims {
    fn claims(&self, _: FuncId, _: ObligationId) -> bool {
        true
    }

    fn claims_call(&self, _: Location, _: CheckKind) -> bool {
        true
    }

    fn loop_heads(&self) -> Blocks {
        self.heads.clone()
    }

    fn contains(&self, function: FuncId, _: BlockId, view: &View<'_>, _: u64) -> Result<(), String> {
        for local in self.registers.get(&function).into_iter().flatten() {
            if let Some(Register::Value(Value::Int(value))) = view.register(*local)
                && value > 10
            {
                return Err(format!("{local} is {value}, which is above 10"));
            }
        }
        Ok(())
    }
}

/// The blocks that a later or the same block jumps back to: loop heads, in the order that lowering makes blocks in.
fn back_edges(program: &Program) -> Blocks {
    let mut heads = Blocks::default();
    for (id, function) in program.functions.iter_enumerated() {
        for (block, code) in function.body.iter().flat_map(|body| body.blocks.iter_enumerated()) {
            code.terminator.successors(|next| {
                if next <= block {
                    heads.insert((id, next));
                }
            });
        }
    }
    heads
}
