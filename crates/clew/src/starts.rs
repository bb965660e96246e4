// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where runs start that engines look for: at `main`, and at each other entry by way of a driver.

use clew_checks::Stops;
use clew_frontend::Command;
use clew_frontend::library::{Linked, with_models};
use clew_ir::syntax::Program;
use clew_report::Effort;

use crate::confirm::Confirming;
use crate::driver::{Driven, Driver, driven};
use crate::falsify::{BUDGET, Falsifier, Start};
use crate::guard::guarded;
use crate::knowledge::Knowledge;
use crate::prove::Proved;
use crate::settings::Settings;
use crate::solve::Allowance;
use crate::violations::Violations;

/// What came of looking for violations from one entry.
pub struct Looked {
    /// The entry.
    pub entry: String,
    /// The search.
    pub search: Effort,
    /// The solver.
    pub solver: Effort,
}

impl Looked {
    fn skipped(entry: &str, why: &str) -> Looked {
        let skipped = || Effort::Skipped(why.to_owned());
        Looked { entry: entry.to_owned(), search: skipped(), solver: skipped() }
    }

    fn failed(entry: &str) -> Looked {
        Looked { entry: entry.to_owned(), search: Effort::Failed, solver: Effort::Failed }
    }
}

/// More entries than this are not looked at one by one.
const ENTRIES: usize = 64;

/// A program whose entries runs start at.
pub struct Starts<'a> {
    /// The program.
    pub program: &'a Program,
    /// The program with the models of the library.
    pub linked: &'a Linked,
    /// How it was read.
    pub commands: &'a [Command],
    /// What the user asked for.
    pub settings: &'a Settings,
    /// Which checks end runs.
    pub stops: Stops,
    /// The entries.
    pub entries: &'a [String],
    /// Those of them that are handlers of interrupts.
    pub handlers: &'a [String],
}

/// What a start is of: the program, perhaps with a driver.
struct Started<'a> {
    program: &'a Program,
    linked: &'a Linked,
    commands: &'a [Command],
    driver: Option<&'a Driver>,
}

impl Starts<'_> {
    /// Has violations looked for from each entry.
    pub fn each(
        &self,
        proved: &mut Proved,
        falsify: impl Fn(Falsifier<'_, '_>) -> Violations + Sync,
    ) -> Result<(Violations, Vec<Looked>), String> {
        let Proved { known, heads, rests_on, .. } = proved;
        let mut violations = Violations::default();
        let mut looked = Vec::new();
        let mut note = |entry: &str, found: Violations| {
            let (search, solver) = (found.search.clone(), found.solver.clone());
            looked.push(Looked { entry: entry.to_owned(), search, solver });
            violations.extend(found);
        };
        if self.entries.iter().any(|entry| entry == "main") {
            let start = Start {
                entry: "main",
                is_implicit: false,
                budget: BUDGET,
                may_prove: self.entries.len() == 1,
                heads: Some(heads),
                rests_on,
                solver: self.settings.solver.as_ref(),
                allowance: None,
            };
            let Starts { program, linked, commands, .. } = *self;
            let started = Started { program, linked, commands, driver: None };
            note("main", self.one(&started, start, known, &falsify)?);
        }
        // From which memory a handler starts is for the rest to say: no run of it alone is one of the program.
        let is_other = |entry: &&String| *entry != "main" && !self.handlers.contains(entry);
        let others: Vec<&String> = self.entries.iter().filter(is_other).collect();
        let share = BUDGET / (others.len() as u64).max(1);
        let allowance = Allowance::new();
        let handlers = self.entries.iter().filter(|entry| self.handlers.contains(entry));
        let mut left_out: Vec<Looked> =
            handlers.map(|entry| Looked::skipped(entry, "a handler of interrupts is not run")).collect();
        for (number, entry) in others.into_iter().enumerate() {
            if !known.has_open() {
                note(entry, Violations::default());
                continue;
            }
            // An entry that cannot be called this way stays as the proofs leave it.
            let driven = match number < ENTRIES {
                true => {
                    guarded("driver", || driven(self.program, self.commands, entry, &self.settings.contracts))
                }
                false => Some(Err(format!("there are more than {ENTRIES} entries"))),
            };
            let driven = match driven {
                Some(Ok(driven)) => driven,
                Some(Err(why)) => {
                    left_out.push(Looked::skipped(entry, &why));
                    continue;
                }
                None => {
                    left_out.push(Looked::failed(entry));
                    continue;
                }
            };
            let Some(linked) = guarded("library", || with_models(driven.program.clone())) else {
                left_out.push(Looked::failed(entry));
                continue;
            };
            let is_implicit = self.settings.is_implicit();
            // A driver leaves out some of what callers may do, so it proves nothing.
            let start = Start {
                entry,
                is_implicit,
                budget: share,
                may_prove: false,
                heads: None,
                rests_on: &[],
                // Whole processes for what nobody asked for would take too long.
                solver: self.settings.solver.as_ref().filter(|_| !is_implicit),
                allowance: is_implicit.then_some(&allowance),
            };
            let Driven { program, driver, commands } = &driven;
            let started = Started { program, linked: &linked, commands, driver: Some(driver) };
            note(entry, self.one(&started, start, known, &falsify)?);
        }
        looked.extend(left_out);
        Ok((violations, looked))
    }

    fn one(
        &self,
        started: &Started<'_>,
        start: Start<'_>,
        known: &mut Knowledge,
        falsify: &(impl Fn(Falsifier<'_, '_>) -> Violations + Sync),
    ) -> Result<Violations, String> {
        let Started { program, linked, commands, driver } = *started;
        let mut confirming = match self.settings.keep.clone() {
            Some(out) => Some(Confirming::new(program, commands, driver, Some(out))?),
            None => None,
        };
        let found = guarded("judge", || {
            let at = (start, self.stops);
            falsify(Falsifier::new((program, linked), known, self.settings, at, confirming.as_mut()))
        });
        Ok(found.unwrap_or_else(Violations::failed))
    }
}
