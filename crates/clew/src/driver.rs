// SPDX-License-Identifier: MIT OR Apache-2.0
//! Entries other than `main`: the program with a `main` behind it that calls the entry as its callers may
//! ([`clew_confirm::driver`]), which engines and tests run like any other. Obligations keep their names, since those
//! are by function and operation.

use std::path::PathBuf;

use clew_base::source::{FileId, Span};
use clew_confirm::driver::driver;
use clew_frontend::command::{Language, MacroFlag};
use clew_frontend::{Command, DiskFiles};
use clew_ir::reach::reach;
use clew_ir::syntax::{Function, GlobalId, GlobalKind, Linkage, Program};
use serde::{Deserialize, Serialize};

use crate::contracts::Contracts;
use crate::load::read_one;
use crate::programs::programs;

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
    /// How its units are read: one with a `main` of its own has that under another name.
    pub commands: Vec<Command>,
}

/// The name of the program's own `main` where clew adds one.
const OWN_MAIN: &str = "main_of_the_program";

/// The program that calls this entry, or why there is none.
pub fn driven(
    program: &Program,
    commands: &[Command],
    entry: &str,
    contracts: &Contracts,
) -> Result<Driven, String> {
    let mut functions = program.functions.iter_enumerated();
    let found = functions.find(|(_, f)| *f.name == *entry && f.body.is_some());
    let (id, function) = found.ok_or_else(|| format!("there is no function `{entry}`"))?;
    if function.attributes.demanding {
        return Err("callers promise more of its arguments than a driver knows: `[static n]`".to_owned());
    }
    let is_part = |command: &&Command| {
        let name = command.file.display().to_string();
        program.sources.files.iter().any(|file| *file.name == *name)
    };
    let mut commands: Vec<Command> = commands.iter().filter(is_part).cloned().collect();
    let home = unit_of(program, &commands, function).ok_or("no file defines it")?;
    let renamed = rename_main(program, &mut commands)?;
    let reached = reach(program, [id], []);
    let promised = contracts.promised(program, entry);
    if promised.is_partial {
        return Err("its contract speaks of what a driver does not make".to_owned());
    }
    let text = driver(program, id, &inputs(program, reached.globals.into_iter()), &promised)?;
    let text = if renamed == Some(home) { format!("\n#undef main{text}") } else { text };
    let driver = Driver { file: commands[home].file.clone(), text };
    let program = with_driver(&commands, &driver)?;
    // Behind another unit the driver would call another function, if one of that name is there.
    match program.functions.iter().any(|f| *f.name == *entry && f.body.is_some()) {
        true => Ok(Driven { program, driver, commands }),
        false => Err("no file defines it".to_owned()),
    }
}

/// The number of the unit that defines a function. A header may be part of several: that of the function's own name, if it
/// has one, else the first.
fn unit_of(program: &Program, commands: &[Command], function: &Function) -> Option<usize> {
    let file = program.sources.files.get(home(function))?.name.clone();
    let named = |command: &Command| command.file.display().to_string();
    if let Some(at) = commands.iter().position(|command| named(command) == *file) {
        return Some(at);
    }
    let suffix = function.name.split_once('@').map(|(_, file)| file);
    let is_own = |at: &usize| suffix.is_some_and(|suffix| named(&commands[*at]).ends_with(suffix));
    let defines = |at: &usize| {
        let Ok((unit, _)) = read_one(&commands[*at], &DiskFiles::new()) else { return false };
        unit.functions.iter().any(|f| f.source_name == function.source_name && f.body.is_some())
    };
    let numbers = 0..commands.len();
    numbers.clone().filter(is_own).find(defines).or_else(|| numbers.clone().find(defines))
}

/// Gives the program's `main` another name, in the unit with that number, so that there may be another one.
fn rename_main(program: &Program, commands: &mut [Command]) -> Result<Option<usize>, String> {
    let Some(main) = program.functions.iter().find(|f| &*f.name == "main" && f.body.is_some()) else {
        return Ok(None);
    };
    let at = unit_of(program, commands, main).ok_or("no file defines `main`")?;
    if commands[at].language == Language::PreprocessedC {
        return Err("it stands beside a `main` in text that is preprocessed already".to_owned());
    }
    commands[at].macros.push(MacroFlag::Define(format!("main={OWN_MAIN}")));
    Ok(Some(at))
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
