// SPDX-License-Identifier: MIT OR Apache-2.0
//! `clew fixed`: what becomes of a computation in fixed point.

use std::ffi::OsString;

use clew_base::source::{SourceMap, Span};
use clew_base::stack::try_with_large_stack;
use clew_fixed::analysis::{Analysis, analyse};
use clew_fixed::annotation::{self, Problem, Said, Wish};
use clew_fixed::bound::Effort;
use clew_fixed::reach::Tries;
use clew_fixed::resolve::resolve;
use clew_fixed::setup::Setup;
use clew_frontend::DiskFiles;
use clew_ir::syntax::{FuncId, Program};
use clew_report::fixed as report;
use clew_report::{Level, Message, text};

use crate::commands::fail;
use crate::exit::Exit;
use crate::fixed::{confirm, shown};
use crate::flags::{FixedFlags, Format};
use crate::input;
use crate::load;
use crate::messages::show_rejection;
use crate::terminal::{eprint, print, stderr_style};

/// Bounds round-off, finds overflow.
pub fn fixed(flags: &FixedFlags, compiler_flags: &[OsString]) -> Exit {
    let is_size = |x: f64| x.is_finite() && x >= 0.0;
    for (flag, size) in [("--within", flags.within), ("--fit", flags.fit)] {
        if let Some(size) = size.filter(|size| !is_size(*size)) {
            return fail(&format!("{flag} {size}: an error is a number, and not negative"));
        }
    }
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
        return fail("the files have several functions `main`: look at them one at a time");
    };
    let setup = match asked(program, flags) {
        Ok(setup) => setup,
        Err(problems) => {
            problems.iter().for_each(|problem| complain_at(&program.sources, problem));
            return Exit::BadInput;
        }
    };
    if let Some(error) = flags.fit {
        return fit(program, &setup, error, flags);
    }
    // Walks nest as deep as the program's calls and undecided tests do.
    let Some(mut analysis) = try_with_large_stack(|| answer(program, &setup, flags)) else {
        return Exit::Fault;
    };
    if !flags.no_replay {
        confirm::confirm(program, &setup, &mut analysis);
    }
    if let Some(file) = &flags.plot
        && let Err(message) = plot(program, &setup, file)
    {
        return fail(&message);
    }
    let analysis = shown::analysis(&analysis);
    let asked = report::Asked { compare: flags.compare, lines: flags.lines, within: flags.within };
    let out = match flags.output.format {
        Format::Text => report::text(&analysis, asked),
        Format::Json => report::json(&analysis, asked),
    };
    if let Err(message) = put(&out, flags) {
        return fail(&message);
    }
    if report::is_violated(&analysis, flags.within) { Exit::Violated } else { Exit::Clean }
}

fn put(out: &str, flags: &FixedFlags) -> Result<(), String> {
    match &flags.output.output {
        Some(file) => {
            std::fs::write(file, out).map_err(|error| format!("cannot write {}: {error}", file.display()))
        }
        None => {
            print(out);
            Ok(())
        }
    }
}

/// Draws the error along the first input.
fn plot(program: &Program, setup: &Setup, file: &std::path::Path) -> Result<(), String> {
    const SLICES: usize = 64;
    let profile = try_with_large_stack(|| clew_fixed::profile::profile(program, setup, SLICES)).flatten();
    let function = &program.functions[setup.entry].source_name;
    let drawn = profile.and_then(|profile| report::plot(&shown::profile(function, &profile)));
    let nothing = "--plot: there is nothing to draw: no result with an error, or no input with a range";
    std::fs::write(file, drawn.ok_or(nothing)?).map_err(|error| format!("{}: {error}", file.display()))
}

/// Chooses a format.
fn fit(program: &Program, setup: &Setup, error: f64, flags: &FixedFlags) -> Exit {
    let effort = Effort { most: flags.boxes.min(200), ..Effort::default() };
    let tries = Tries { runs: flags.runs.min(1000), ..Tries::default() };
    match try_with_large_stack(|| clew_fixed::fit::fit(program, setup, error, effort, tries)) {
        None => Exit::Fault,
        Some(Err(why)) => fail(&format!("no format: {why}")),
        Some(Ok(fitted)) => {
            let fit = shown::fit(&fitted, error);
            let out = match flags.output.format {
                Format::Text => report::fit_text(&fit),
                Format::Json => report::fit_json(&fit),
            };
            match put(&out, flags) {
                Ok(()) => Exit::Clean,
                Err(message) => fail(&message),
            }
        }
    }
}

fn answer(program: &Program, setup: &Setup, flags: &FixedFlags) -> Analysis {
    let effort = Effort { most: flags.boxes, ..Effort::default() };
    let tries = Tries { runs: flags.runs, ..Tries::default() };
    analyse(program, setup, effort, tries)
}

/// What comments and flags ask for; flags win.
fn asked(program: &Program, flags: &FixedFlags) -> Result<Setup, Vec<Problem>> {
    let (mut said, mut problems) = annotation::read(&program.sources);
    let mut add = |wish: Result<Wish, String>| match wish {
        Ok(wish) => said.push(Said { wish, span: Span::NONE }),
        Err(message) => problems.push(Problem { span: Span::NONE, message }),
    };
    flags.fixed.iter().for_each(|text| add(annotation::fixed(text)));
    flags.range.iter().for_each(|text| add(annotation::range(text)));
    flags.round.iter().for_each(|text| add(annotation::rounding(text).map(Wish::Round)));
    flags.overflow.iter().for_each(|text| add(annotation::overflow(text).map(Wish::Overflow)));
    if !problems.is_empty() {
        return Err(problems);
    }
    let entry = entry(program, flags.function.as_deref())
        .map_err(|message| vec![Problem { span: Span::NONE, message }])?;
    resolve(program, entry, &said)
}

/// The function that was named, else `main`, else the only one.
fn entry(program: &Program, name: Option<&str>) -> Result<FuncId, String> {
    let bodies: Vec<FuncId> =
        program.functions.iter_enumerated().filter(|(_, f)| f.body.is_some()).map(|(id, _)| id).collect();
    let called = |name: &str| bodies.iter().copied().find(|id| &*program.functions[*id].source_name == name);
    match name {
        Some(name) => called(name).ok_or_else(|| format!("there is no function `{name}` with a body")),
        None => match (called("main"), &bodies[..]) {
            (Some(main), _) => Ok(main),
            (None, [only]) => Ok(*only),
            (None, []) => Err("there is no function to look at".to_owned()),
            (None, _) => {
                Err("there are several functions and no `main`: --function NAME says which".to_owned())
            }
        },
    }
}

fn complain_at(sources: &SourceMap, problem: &Problem) {
    let mut message = Message::plain(Level::Error, &problem.message);
    message.span = problem.span;
    eprint(&text::render(&message, sources, stderr_style()));
}
