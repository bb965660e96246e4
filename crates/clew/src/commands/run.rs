// SPDX-License-Identifier: MIT OR Apache-2.0
//! `clew run`: the program in the interpreter.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use clew_checks::{After, CheckSet};
use clew_frontend::{Command, DiskFiles};
use clew_interpreter::host::System;
use clew_interpreter::outcome::{End, Finding, Options, Outcome, RunError};
use clew_ir::obligation::CheckKind;
use clew_ir::stable::Stable;
use clew_ir::syntax::Program;
use clew_ir::witness::Witness;
use clew_report::{Level, Message, Report, json, text};

use crate::commands::fail;
use crate::confirm::{Claim, Confirming, reads_unwritten, said, target_of, violation, witness_of_run};
use crate::exit::Exit;
use crate::flags::{Format, RunFlags};
use crate::hardware;
use crate::input;
use crate::load;
use crate::messages::{show_counted, show_finding, show_rejection};
use crate::pipeline;
use crate::rows::library_id;
use crate::terminal::{complain, eprint, note, stderr_style};

/// Runs a program. Its output goes where it sends it; what clew has to say goes to standard error.
pub fn run(flags: &RunFlags, compiler_flags: &[OsString]) -> Exit {
    let (files, arguments) = match flags.source.is_empty() {
        true => input::split_words(&flags.words),
        false => (flags.source.clone(), flags.words.clone()),
    };
    let Some(first) = files.first() else {
        return fail("name the C files of a program: clew run FILES... [ARGUMENTS]... [-- COMPILER FLAGS]");
    };
    let witness = match flags.inputs.as_deref().map(read_witness).transpose() {
        Ok(witness) => witness,
        Err(message) => return fail(&message),
    };
    let (options, mut host) = match prepare(flags, witness.as_ref(), first, arguments) {
        Ok(prepared) => prepared,
        Err(message) => return fail(&message),
    };
    if let Err(message) = hardware::settle(&flags.hardware, &[], true) {
        return fail(&message);
    }
    let disk = DiskFiles::new();
    let units = match input::named_files(&files, compiler_flags, &disk) {
        Ok(units) => units,
        Err(rejection) => {
            show_rejection(&rejection);
            return Exit::BadInput;
        }
    };
    let commands = units.commands.clone();
    let loaded = load::load(units, disk);
    if loaded.fault {
        return Exit::CannotRun;
    }
    if loaded.bad_input {
        return Exit::BadInput;
    }
    let [program] = &loaded.programs[..] else {
        return fail("the files have several functions `main`");
    };
    let outcome = clew_interpreter::run(program, &options, &mut host);
    let stops = Stops::new(program, &options);
    match flags.output.format {
        Format::Text => show(program, &outcome, stops, flags.quiet),
        Format::Json => {
            let report = pipeline::run_report(&loaded, program, &outcome, witness.as_ref());
            if let Err(message) = write_report(&report, flags.output.output.as_deref()) {
                return fail(&message);
            }
        }
    }
    if let Some(out) = &flags.keep
        && let Err(message) = keep(program, &commands, &outcome, witness.as_ref(), (&options, flags, out))
    {
        return fail(&message);
    }
    status(program, &outcome, stops)
}

/// Asks the compiled program about the findings, and keeps the tests.
fn keep(
    program: &Program,
    commands: &[Command],
    outcome: &Outcome,
    witness: Option<&Witness>,
    (options, flags, out): (&Options, &RunFlags, &Path),
) -> Result<(), String> {
    if outcome.findings.is_empty() {
        return Ok(());
    }
    let read = |path: &PathBuf| std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()));
    let stdin = flags.stdin.as_ref().map(read).transpose()?;
    let witness = witness_of_run(witness, &options.args, stdin.as_deref());
    let mut confirming = Confirming::new(program, commands, None, Some(out.to_owned()))?;
    let stable = Stable::new(program);
    for finding in &outcome.findings {
        let id = match finding.obligation {
            Some((function, obligation)) => stable.ids(function)[obligation].clone(),
            None => library_id(program, finding.check, finding.span),
        };
        // A test has nothing but the inputs; this run had the files and clocks of the machine, too.
        if violation(program, &witness, &id)?.is_err() {
            note("the finding depends on more than arguments and inputs: no test is kept");
            continue;
        }
        let claim = Claim {
            target: target_of(program, id, finding),
            witness: &witness,
            entry: "main",
            reads_unwritten: reads_unwritten(outcome),
        };
        let confirmed = confirming.confirm(&[claim]).pop().ok_or("nothing was confirmed")??;
        note(&said(&confirmed.confirmation));
        match (confirmed.kept, confirmed.not_kept) {
            (Some(folder), _) => note(&format!("the test is kept: sh {}/run.sh", folder.display())),
            (None, Some(why)) => note(&format!("the test is not kept: {why}")),
            (None, None) => {}
        }
    }
    Ok(())
}

/// The checks that make a run a failed one: those that stop it, and those that the user named.
#[derive(Clone, Copy)]
struct Stops(CheckSet);

impl Stops {
    fn new(program: &Program, options: &Options) -> Stops {
        let all = CheckKind::ALL.iter().copied();
        let stop = all.filter(|kind| clew_checks::after(*kind, program.semantics) == After::Stop);
        Stops(stop.chain(options.stop_on.iter().copied()).collect())
    }

    /// A leak, say, is found when the program has ended: it is shown, but the program's status stands.
    fn on(self, finding: &Finding) -> bool {
        self.0.contains(finding.check)
    }
}

/// What the flags say about the run.
fn prepare(
    flags: &RunFlags,
    witness: Option<&Witness>,
    first: &Path,
    arguments: Vec<OsString>,
) -> Result<(Options, System), String> {
    let stop_on = CheckSet::parse(flags.stop_on.as_deref().unwrap_or("")).map_err(|e| e.to_string())?;
    let inputs = match witness {
        Some(witness) => witness.bits().map_err(|e| e.to_string())?,
        None => Vec::new(),
    };
    let open = |path: &PathBuf| std::fs::File::open(path).map_err(|e| format!("{}: {e}", path.display()));
    let name = first.with_extension("").into_os_string();
    let environment =
        std::env::vars_os().map(|(name, value)| [name.as_bytes(), b"=", value.as_bytes()].concat());
    let options = Options {
        args: std::iter::once(name).chain(arguments).map(OsString::into_vec).collect(),
        environment: environment.collect(),
        stop_on: stop_on.iter().collect(),
        all: flags.all,
        inputs,
        step_limit: flags.steps,
        ..Options::default()
    };
    let registers = match witness {
        Some(witness) => witness.registers().map_err(|e| e.to_string())?,
        None => Vec::new(),
    };
    let stdin = flags.stdin.as_ref().map(open).transpose()?;
    Ok((options, System { stdin, registers: registers.into() }))
}

fn read_witness(path: &Path) -> Result<Witness, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    serde_json::from_str(&text).map_err(|e| format!("{}: not a witness: {e}", path.display()))
}

fn show(program: &Program, outcome: &Outcome, stops: Stops, quiet: bool) {
    let style = stderr_style();
    for finding in outcome.findings.iter().filter(|f| !quiet || stops.on(f)) {
        let level = if stops.on(finding) { Level::Error } else { Level::Warning };
        show_finding(finding, level, &program.sources);
    }
    if !quiet {
        show_counted(&outcome.counted, &program.sources);
    }
    for note in &outcome.notes {
        eprint(&text::render(&Message::plain(Level::Note, note), &program.sources, style));
    }
}

fn write_report(report: &Report, file: Option<&Path>) -> Result<(), String> {
    let json = json::to_json(report, &[]);
    match file {
        None => eprint(&json),
        Some(file) => std::fs::write(file, json).map_err(|e| format!("{}: {e}", file.display()))?,
    }
    Ok(())
}

fn status(program: &Program, outcome: &Outcome, stops: Stops) -> Exit {
    if let End::Error(error) = &outcome.end {
        return show_error(program, error);
    }
    if outcome.findings.iter().any(|finding| stops.on(finding)) {
        return Exit::Finding;
    }
    match &outcome.end {
        End::Exit(status) => Exit::Program(*status as u8),
        // As a shell tells of it.
        End::Signal(signal) => Exit::Program((128 + signal) as u8),
        End::Finding => Exit::Finding,
        End::Assumed => {
            eprint(
                "note: an assumption of the program does not hold for these inputs: the run does not count\n",
            );
            Exit::Clean
        }
        End::Error(_) => Exit::CannotRun,
    }
}

fn show_error(program: &Program, error: &RunError) -> Exit {
    match error {
        RunError::NoMain => return fail("the program has no function `main`"),
        RunError::Limit(what) => complain(what),
        RunError::Fault(what) => complain(&format!("a fault of clew's own, please report it: {what}")),
        RunError::Unsupported { what, span } => {
            let title = format!("clew does not support this: {what}");
            let message = Message { span: *span, ..Message::plain(Level::Error, title) };
            eprint(&text::render(&message, &program.sources, stderr_style()));
        }
    }
    Exit::CannotRun
}
