// SPDX-License-Identifier: MIT OR Apache-2.0
//! The assumptions in force: the defaults, with what `--assume` and `--no-assume` say.

use std::collections::BTreeSet;

use clew_absint::Analysis;
use clew_ir::obligation::CheckKind;
use clew_ir::verdict::{ASSUMPTIONS, Polarity};

/// The assumptions in force.
pub struct Assumed {
    names: BTreeSet<&'static str>,
}

impl Assumed {
    /// The defaults, changed as the user says.
    pub fn new(on: &[String], off: &[String]) -> Result<Assumed, String> {
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
                    (_, true) if assumption.name == "loops-bounded" => {
                        return Err("`loops-bounded` is not supported yet".to_owned());
                    }
                    (_, true) => drop(names.insert(assumption.name)),
                    (false, false) => drop(names.remove(assumption.name)),
                }
            }
        }
        if let Some(name) = on.iter().find(|name| off.contains(name)) {
            return Err(format!("`{name}` is both assumed and not assumed"));
        }
        Ok(Assumed { names })
    }

    /// Whether an assumption is in force.
    pub fn holds(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// The names, in the order they are listed.
    pub fn names(&self) -> Vec<String> {
        ASSUMPTIONS.iter().filter(|a| self.holds(a.name)).map(|a| a.name.to_owned()).collect()
    }

    /// What a proof of a check from these entries rests on.
    pub fn of_proof(&self, check: CheckKind, entries: &[&str], analyses: &[Analysis]) -> Vec<String> {
        let is_float = matches!(
            check,
            CheckKind::FloatOverflow
                | CheckKind::FloatUnderflow
                | CheckKind::FloatDivisionByZero
                | CheckKind::FloatInvalid
                | CheckKind::FloatToInt
        );
        let rests_on = |name: &str| match name {
            "params-not-aliased" => entries.iter().any(|e| *e != "main"),
            "missing-functions-leave-globals" => analyses.iter().any(|a| !a.missing.is_empty()),
            "round-to-nearest" | "no-fma" => is_float,
            _ => true,
        };
        let restricting = ASSUMPTIONS.iter().filter(|a| a.polarity == Polarity::Restricting && !a.fixed);
        restricting.filter(|a| self.holds(a.name) && rests_on(a.name)).map(|a| a.name.to_owned()).collect()
    }
}
