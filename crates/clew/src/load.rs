// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads, lowers and links: from files and flags to programs.

use clew_base::source::Span;
use clew_base::stack::try_with_large_stack;
use clew_base::workers::{cores, in_order};
use clew_frontend::{Command, Diagnostic, Diagnostics, DiskFiles, Severity, parse_unit};
use clew_ir::syntax::Program;

use crate::input::Units;
use crate::messages::{first_error, show_diagnostics, show_rejection};
use crate::programs::programs;
use crate::terminal::{Progress, complain};

/// Linked programs, and what could not be read of them.
pub struct Loaded {
    /// The programs: one, unless there are several mains.
    pub programs: Vec<Program>,
    /// The files that were read, as the user names them.
    pub files: Vec<String>,
    /// How each of them was read.
    pub commands: Vec<Command>,
    /// How many functions they define.
    pub functions: u64,
    /// Files that were not read, with the reason.
    pub rejected: Vec<(String, String)>,
    /// Whether one of them is wrong, not merely in another language.
    pub bad_input: bool,
    /// Whether the front end itself failed on a file.
    pub fault: bool,
}

/// Reads, lowers and links. Messages go to standard error, in the order of the files.
pub fn load(units: Units, disk: DiskFiles) -> Loaded {
    show_diagnostics(&units.notes, &Default::default());
    let mut loaded = Loaded {
        programs: Vec::new(),
        files: Vec::new(),
        commands: Vec::new(),
        functions: 0,
        rejected: units.skipped.iter().map(|s| (s.file.display().to_string(), s.reason.clone())).collect(),
        bad_input: units.skipped.iter().any(|s| s.is_error),
        fault: false,
    };
    let mut lowered = Vec::new();
    for (command, result) in units.commands.iter().zip(read_all(&units.commands, &disk)) {
        let name = command.file.display().to_string();
        match result {
            Ok((program, warnings)) => {
                if !units.no_warnings {
                    show_diagnostics(&warnings, &program.sources);
                }
                loaded.functions += program.functions.iter().filter(|f| f.body.is_some()).count() as u64;
                lowered.push(program);
                loaded.files.push(name);
                loaded.commands.push(command.clone());
            }
            Err(rejection) => {
                show_rejection(&rejection);
                loaded.fault |= rejection.is_internal();
                loaded.bad_input |= !rejection.is_internal();
                loaded.rejected.push((name, first_error(&rejection)));
            }
        }
    }
    match programs(lowered) {
        Ok(programs) => loaded.programs = programs,
        Err(errors) => {
            errors.iter().for_each(|error| complain(&error.to_string()));
            loaded.bad_input = true;
        }
    }
    loaded
}

/// Reads and lowers each unit, on all cores; results are in the order of the commands.
fn read_all(commands: &[Command], disk: &DiskFiles) -> Vec<Lowered> {
    let progress = Progress::new(commands.len());
    in_order(cores(), commands, |index, command| {
        progress.at(index, &command.file.display().to_string());
        read_one(command, disk)
    })
}

/// A unit's program and its warnings, or why it could not be read.
pub type Lowered = Result<(Program, Vec<Diagnostic>), Diagnostics>;

/// Reads and lowers one unit.
pub fn read_one(command: &Command, disk: &DiskFiles) -> Lowered {
    let mut unit = parse_unit(command, disk)?;
    let warnings = std::mem::take(&mut unit.warnings);
    // Trees are as deep as the user likes, and lowering follows them.
    match try_with_large_stack(move || clew_frontend::lower::lower(&unit)) {
        Some(program) => Ok((program, warnings)),
        None => {
            let message = format!("internal error while lowering {}", command.file.display());
            let internal = Diagnostic::new(Severity::Internal, "lowering-failure", message, Span::NONE);
            Err(Diagnostics::one(internal))
        }
    }
}
