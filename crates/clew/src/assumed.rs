// SPDX-License-Identifier: MIT OR Apache-2.0
//! The assumptions in force: the defaults, with what `--assume` and `--no-assume` say.

use std::collections::BTreeSet;

use clew_absint::Analysis;
use clew_ir::hardware::uses_registers;
use clew_ir::syntax::{Expr, Program};
use clew_ir::types::Class;
use clew_ir::verdict::{ASSUMPTIONS, Polarity};

/// Those that have a switch and that no analysis can do without so far.
const NEEDED: [&str; 4] = ["round-to-nearest", "no-fma", "no-excess-precision", "evaluation-order"];

/// What a program computes with.
#[derive(Clone, Copy, Debug)]
pub struct Arithmetic {
    /// Whether it has floats.
    floats: bool,
    /// Whether the compiler keeps more of a result than its type has, unless it is told otherwise.
    excess: bool,
    /// Whether it talks to hardware registers.
    registers: bool,
}

impl Arithmetic {
    /// Of a program.
    pub fn of(program: &Program) -> Arithmetic {
        let types = program.types();
        let is_float = |expr: &Expr| matches!(types.class(expr.ty), Class::Float(_));
        let bodies = program.functions.iter().filter_map(|function| function.body.as_ref());
        let floats = bodies.flat_map(|body| body.exprs.iter()).any(is_float);
        let excess = floats && program.target.pointer_bytes == 4;
        Arithmetic { floats, excess, registers: uses_registers(program) }
    }

    /// Whether the results of its runs rest on an assumption about floats or registers.
    pub fn rests_on(self, name: &str) -> bool {
        match name {
            "no-excess-precision" => self.excess,
            "registers-apart" => self.registers,
            _ => self.floats,
        }
    }
}

/// The assumptions in force.
#[derive(Clone)]
pub struct Assumed {
    names: BTreeSet<&'static str>,
    /// The most ticks of the clock.
    max_clock: Option<u64>,
    /// The solver whose word is taken.
    solver: Option<&'static str>,
}

impl Assumed {
    /// The defaults, changed as the user says.
    pub fn new(on: &[String], off: &[String], max_clock: Option<u64>) -> Result<Assumed, String> {
        let mut names: BTreeSet<&'static str> =
            ASSUMPTIONS.iter().filter(|a| a.by_default).map(|a| a.name).collect();
        for (list, make) in [(on, true), (off, false)] {
            for name in list {
                let known = ASSUMPTIONS.iter().find(|a| a.name == name);
                let Some(assumption) = known else {
                    return Err(format!("there is no assumption `{name}`; `clew assumptions` lists them"));
                };
                match (assumption.fixed, make) {
                    (true, false) => return Err(format!("`{name}` is always assumed")),
                    (_, false) if NEEDED.contains(&assumption.name) => {
                        return Err(format!(
                            "no analysis of clew does without `{name}` yet; a proof that rests on it says so"
                        ));
                    }
                    (_, true) if assumption.name == "loops-bounded" => {
                        return Err("`loops-bounded` is not supported yet".to_owned());
                    }
                    (_, true) if assumption.name == "max-clock" => {
                        return Err("`max-clock` needs a number: --max-clock N".to_owned());
                    }
                    (_, true) if assumption.name == "solver-correct" => {
                        return Err("`solver-correct` needs a solver: --solver NAME".to_owned());
                    }
                    (_, true) => drop(names.insert(assumption.name)),
                    (false, false) => drop(names.remove(assumption.name)),
                }
            }
        }
        if let Some(name) = on.iter().find(|name| off.contains(name)) {
            return Err(format!("`{name}` is both assumed and not assumed"));
        }
        if max_clock.is_some() && off.iter().any(|name| name == "max-clock") {
            return Err("`max-clock` is both assumed and not assumed".to_owned());
        }
        names.extend(max_clock.map(|_| "max-clock"));
        Ok(Assumed { names, max_clock, solver: None })
    }

    /// With the word of a solver, unless the user does not take it.
    pub fn with_solver(mut self, solver: &'static str, off: &[String]) -> Assumed {
        if !off.iter().any(|name| name == "solver-correct") {
            self.names.insert("solver-correct");
            self.solver = Some(solver);
        }
        self
    }

    /// The most ticks of the clock, if the user says so.
    pub fn max_clock(&self) -> Option<u64> {
        self.max_clock
    }

    /// As reports name it: with its number, if it has one.
    pub fn label(&self, name: &str) -> String {
        match (name, self.max_clock, self.solver) {
            ("max-clock", Some(most), _) => format!("{name}={most}"),
            ("solver-correct", _, Some(solver)) => format!("{name}={solver}"),
            _ => name.to_owned(),
        }
    }

    /// Whether an assumption is in force.
    pub fn holds(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// The names, in the order they are listed.
    pub fn names(&self) -> Vec<String> {
        ASSUMPTIONS.iter().filter(|a| self.holds(a.name)).map(|a| self.label(a.name)).collect()
    }

    /// What a proof from these entries rests on.
    pub fn of_proof(&self, entries: &[&str], analyses: &[Analysis], arithmetic: Arithmetic) -> Vec<String> {
        let rests_on = |name: &str| match name {
            "params-not-aliased" | "params-valid-or-null" | "params-lead-apart" => {
                entries.iter().any(|e| *e != "main")
            }
            "missing-functions-leave-globals" => analyses.iter().any(|a| !a.missing.is_empty()),
            "missing-functions-free-nothing" => {
                analyses.iter().any(|a| !a.missing.is_empty() || a.calls_unknown)
            }
            // Whatever is proved may hang on a float that was compared or made an index.
            "round-to-nearest" | "no-fma" | "no-excess-precision" | "registers-apart" => {
                arithmetic.rests_on(name)
            }
            // The abstract interpreter asks no solver.
            "solver-correct" => false,
            _ => true,
        };
        let restricting = ASSUMPTIONS.iter().filter(|a| a.polarity != Polarity::Widening && !a.fixed);
        restricting.filter(|a| self.holds(a.name) && rests_on(a.name)).map(|a| self.label(a.name)).collect()
    }
}
