// SPDX-License-Identifier: MIT OR Apache-2.0
//! Entries without `main`: the program with a `main` behind it that calls the entry as its callers may
//! ([`clew_confirm::driver`]), which engines and tests run like any other. Obligations keep their names, since those
//! are by function and operation.

use std::path::{Path, PathBuf};

use clew_base::source::{FileId, Span};
use clew_checks::CheckSet;
use clew_confirm::driver::driver;
use clew_frontend::library::{Linked, with_models};
use clew_frontend::{Command, DiskFiles};
use clew_ir::head::Heads;
use clew_ir::reach::reach;
use clew_ir::syntax::{Function, GlobalId, GlobalKind, Linkage, Program};
use clew_ir::verdict::Verdict;
use clew_report::Row;
use serde::{Deserialize, Serialize};

use crate::assumed::Assumed;
use crate::confirm::Confirming;
use crate::find::{Start, Violations, find};
use crate::flags::Part;
use crate::pipeline::read_one;
use crate::programs::programs;
use crate::solve::Allowance;
use crate::solvers::Outside;

/// Text behind a unit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Driver {
    /// The unit.
    pub file: PathBuf,
    /// The text.
    pub text: String,
}

/// A program that calls an entry.
pub struct Driven {
    /// The program, with its new `main`.
    pub program: Program,
    /// What was added.
    pub driver: Driver,
}

/// More entries than this are not looked at one by one.
const ENTRIES: usize = 64;

/// What is needed to look for violations of a program.
pub struct Search<'a> {
    /// The program.
    pub program: &'a Program,
    /// The program with the models of the library.
    pub linked: &'a Linked,
    /// What holds at its loop heads, of runs from `main`.
    pub heads: &'a Heads,
    /// The assumptions that its proofs rest on.
    pub rests_on: &'a [String],
    /// Whether to say what solving costs, without these parts.
    pub costs_without: Option<&'a [Part]>,
    /// How it was read.
    pub commands: &'a [Command],
    /// Where tests are kept; none: the compiled program is not asked.
    pub keep: Option<&'a Path>,
    /// What may be assumed.
    pub assumed: &'a Assumed,
    /// The second solver.
    pub solver: Option<&'a Outside>,
    /// The checks that are shown.
    pub shown: CheckSet,
    /// Whether the user named no entries.
    pub is_implicit: bool,
}

impl Search<'_> {
    /// Looks for violations from all entries.
    pub fn run(&self, entries: &[String], rows: &mut Vec<Row>) -> Result<Violations, String> {
        let mut violations = Violations::default();
        if entries.iter().any(|entry| entry == "main") {
            let start = Start {
                may_prove: entries.len() == 1,
                heads: Some(self.heads),
                rests_on: self.rests_on,
                solver: self.solver,
                costs_without: self.costs_without,
                ..Start::MAIN
            };
            violations.extend(self.run_from(self.program, self.linked, rows, start, None)?);
        }
        let others: Vec<&String> = entries.iter().filter(|entry| *entry != "main").collect();
        let share = Start::MAIN.budget / (others.len() as u64).max(1);
        let allowance = Allowance::new();
        for entry in others.into_iter().take(ENTRIES) {
            if !rows.iter().any(|row| matches!(row.verdict, Verdict::Open(_))) {
                break;
            }
            // An entry that cannot be called this way stays as the proofs leave it.
            let Ok(driven) = driven(self.program, self.commands, entry) else { continue };
            let linked = with_models(driven.program.clone());
            // A driver leaves out some of what callers may do, so it proves nothing.
            let start = Start {
                entry,
                is_implicit: self.is_implicit,
                budget: share,
                may_prove: false,
                heads: None,
                rests_on: &[],
                // Whole processes for what nobody asked for would take too long.
                solver: self.solver.filter(|_| !self.is_implicit),
                allowance: self.is_implicit.then_some(&allowance),
                costs_without: self.costs_without,
            };
            violations.extend(self.run_from(&driven.program, &linked, rows, start, Some(&driven.driver))?);
        }
        Ok(violations)
    }

    fn run_from(
        &self,
        program: &Program,
        linked: &Linked,
        rows: &mut Vec<Row>,
        start: Start<'_>,
        driver: Option<&Driver>,
    ) -> Result<Violations, String> {
        let out = self.keep.map(Path::to_owned);
        let mut confirming = match out {
            Some(out) => Some(Confirming::new(program, self.commands, driver, Some(out))?),
            None => None,
        };
        Ok(find(program, linked, rows, self.assumed, self.shown, start, confirming.as_mut()))
    }
}

/// The program that calls this entry, or why there is none.
pub fn driven(program: &Program, commands: &[Command], entry: &str) -> Result<Driven, String> {
    let mut functions = program.functions.iter_enumerated();
    let found = functions.find(|(_, f)| *f.name == *entry && f.body.is_some());
    let (id, function) = found.ok_or_else(|| format!("there is no function `{entry}`"))?;
    let name = program.sources.files.get(home(function)).map(|file| file.name.clone());
    let is_home = |command: &&Command| Some(command.file.display().to_string().as_str()) == name.as_deref();
    let home = commands.iter().find(is_home).ok_or_else(|| format!("`{entry}` stands in a header"))?;
    let reached = reach(program, [id], []);
    let text = driver(program, id, &inputs(program, reached.globals.into_iter()))?;
    let driver = Driver { file: home.file.clone(), text };
    Ok(Driven { program: with_driver(commands, &driver)?, driver })
}

/// The file of a function's body. The function itself stands where it was declared first, which may be a header.
fn home(function: &Function) -> FileId {
    let body = function.body.iter().flat_map(|body| body.blocks.iter().map(|block| block.span));
    body.chain([function.span]).find(|span| *span != Span::NONE).unwrap_or(function.span).file
}

/// The program that the commands read, with a driver behind one of its units.
pub fn with_driver(commands: &[Command], driver: &Driver) -> Result<Program, String> {
    let mut text = std::fs::read(&driver.file).map_err(|e| format!("{}: {e}", driver.file.display()))?;
    text.extend(driver.text.as_bytes());
    let mut disk = DiskFiles::new();
    disk.overlay(&driver.file, text);
    let mut units = Vec::new();
    for command in commands {
        match read_one(command, &disk) {
            Ok((unit, _)) => units.push(unit),
            Err(why) => return Err(crate::messages::first_error(&why)),
        }
    }
    let file = driver.file.display().to_string();
    let has_main = |program: &Program| {
        let mut functions = program.functions.iter().filter(|f| f.body.is_some());
        let is_ours = |place: clew_base::source::FileId| {
            program.sources.files.get(place).is_some_and(|f| *f.name == *file)
        };
        functions.any(|f| &*f.name == "main" && is_ours(f.span.file))
    };
    let mut linked = programs(units).map_err(|_| "the units do not go together".to_owned())?.into_iter();
    linked.find(has_main).ok_or_else(|| "the program has no `main`".to_owned())
}

/// The variables that may begin with any value and that everybody sees. Static ones keep their first value, which is one
/// that they may have.
fn inputs(program: &Program, globals: impl Iterator<Item = GlobalId>) -> Vec<GlobalId> {
    let is_input = |id: &GlobalId| {
        let global = &program.globals[*id];
        global.kind == GlobalKind::Variable
            && global.linkage != Linkage::Internal
            && global.init.is_some()
            && !global.is_const
    };
    globals.filter(is_input).collect()
}
