// SPDX-License-Identifier: MIT OR Apache-2.0
//! `clew exceptions`: which operations raise floating-point exceptions, on which inputs.

use std::ffi::OsString;

use clew_exceptions::{Programs, Settings, census, entries};
use clew_frontend::DiskFiles;
use clew_report::exceptions::{Exceptions, json, text};

use crate::commands::fail;
use crate::exit::Exit;
use crate::flags::{ExceptionsFlags, Format};
use crate::input;
use crate::load;
use crate::messages::show_rejection;
use crate::raised;
use crate::terminal::print;
use crate::watch::is_cancelled;

/// Looks for inputs that raise exceptions.
pub fn exceptions(flags: &ExceptionsFlags, compiler_flags: &[OsString]) -> Exit {
    let disk = DiskFiles::new();
    let units = match input::named_files(&flags.files, compiler_flags, &disk) {
        Ok(units) => units,
        Err(rejection) => {
            show_rejection(&rejection);
            return Exit::BadInput;
        }
    };
    let loaded = load::load(units, disk);
    if loaded.fault {
        return Exit::Fault;
    }
    if loaded.bad_input {
        return Exit::BadInput;
    }
    let [program] = &loaded.programs[..] else {
        return fail("the files have several functions `main`: name them one at a time");
    };
    let launcher = match std::env::current_exe() {
        Ok(launcher) => launcher,
        Err(error) => return fail(&format!("clew cannot find itself: {error}")),
    };
    let settings = Settings {
        budget: flags.effort.saturating_mul(1_000_000),
        seed: flags.seed,
        underflow: !flags.no_underflow,
        told_by: flags.told_by.clone(),
        launcher,
    };
    let (mut all, mut skipped) =
        entries(program, |function| raised::unit_of(program, &loaded.commands, function));
    if !flags.function.is_empty() {
        let known: Vec<&String> =
            all.iter().map(|entry| &entry.name).chain(skipped.iter().map(|s| &s.name)).collect();
        if let Some(missing) = flags.function.iter().find(|name| !known.contains(name)) {
            return fail(&format!("there is no function `{missing}` with a body"));
        }
        all.retain(|entry| flags.function.contains(&entry.name));
        skipped.retain(|one| flags.function.contains(&one.name));
    }
    if all.is_empty() && skipped.is_empty() {
        return fail("no function is defined that could be called");
    }
    let units: Vec<_> = loaded.commands.iter().map(crate::confirm::unit).collect();
    let programs = match Programs::build(program, &units, &all, &settings) {
        Ok(programs) => programs,
        Err(why) => return fail(&format!("the compiler does not build the program: {why}")),
    };
    let census = census(&programs, &all, &settings, &is_cancelled);
    if let Some(folder) = &flags.emit_tests
        && let Err(why) = raised::emit_tests(folder, &units, &all, &census)
    {
        return fail(&format!("--emit-tests: {why}"));
    }
    let report = raised::report(program, &all, &skipped, &census);
    finish(&report, flags)
}

fn finish(report: &Exceptions, flags: &ExceptionsFlags) -> Exit {
    let out = match flags.output.format {
        Format::Text => text(report, flags.all),
        Format::Json => json(report),
    };
    match &flags.output.output {
        None => print(&out),
        Some(file) => {
            if let Err(error) = std::fs::write(file, out) {
                return fail(&format!("{}: {error}", file.display()));
            }
        }
    }
    if report.sites.is_empty() { Exit::Clean } else { Exit::Violated }
}
