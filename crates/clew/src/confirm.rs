// SPDX-License-Identifier: MIT OR Apache-2.0
//! Findings and the compiler: what the compiled program says of a witness, and the test that is kept of it.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clew_base::workers::{cores, in_order};
use clew_confirm::kept::{Kept, Violated, keep};
use clew_confirm::scout::{Errand, Sighting};
use clew_confirm::{Confirmation, Confirmer, Request, Target, Unit};
use clew_frontend::command::{Command, IncludeKind, Language, MacroFlag};
use clew_frontend::library::with_models;
use clew_interpreter::outcome::{Counted, Finding};
use clew_interpreter::{Options, Outcome, run_witness};
use clew_ir::hardware::uses_registers;
use clew_ir::location::Location;
use clew_ir::obligation::{CheckKind, StableId};
use clew_ir::stable::Stable;
use clew_ir::syntax::{FuncId, Program};
use clew_ir::verdict;
use clew_ir::witness::{Input, InputKind, Witness};

use crate::driver::Driver;
use crate::library::{CallRow, call_rows};
use crate::rows;
use crate::watch::is_cancelled;

/// How many violations of one check in one function the compiled program is asked about.
const MOST_ASKED: usize = 32;

/// Where tests are kept unless the user says otherwise.
pub const OUT: &str = "clew-out";

/// Confirms the witnesses of one program and keeps their tests.
pub struct Confirming<'p> {
    program: &'p Program,
    missing: Vec<FuncId>,
    commands: Vec<Command>,
    driver: Option<Driver>,
    confirmer: Confirmer,
    out: Option<PathBuf>,
}

/// What came of one.
pub struct Confirmed {
    /// What the compiled program says.
    pub confirmation: Confirmation,
    /// Where the test is.
    pub kept: Option<PathBuf>,
    /// Why it is nowhere.
    pub not_kept: Option<String>,
}

impl<'p> Confirming<'p> {
    /// For a program that these commands read. Tests are kept under `out`.
    pub fn new(
        program: &'p Program,
        commands: &[Command],
        driver: Option<&Driver>,
        out: Option<PathBuf>,
    ) -> Result<Confirming<'p>, String> {
        let is_part = |command: &&Command| {
            let name = command.file.display().to_string();
            program.sources.files.iter().any(|file| *file.name == *name)
        };
        let commands: Vec<Command> = commands.iter().filter(is_part).cloned().collect();
        let launcher = std::env::current_exe().map_err(|e| format!("clew cannot find itself: {e}"))?;
        let unit = |command: &Command| Unit {
            appended: driver.filter(|driver| driver.file == command.file).map(|driver| driver.text.clone()),
            ..unit(command)
        };
        let confirmer = Confirmer::new(commands.iter().map(unit).collect(), launcher)
            .map_err(|e| format!("no temporary folder: {e}"))?
            .with_registers(uses_registers(program));
        Ok(Confirming {
            program,
            missing: missing(program),
            commands,
            driver: driver.cloned(),
            confirmer,
            out,
        })
    }

    /// Confirms witnesses, on all cores, and keeps the tests of those that do not show a fault of ours.
    ///
    /// What the sanitizers do not see is asked of a second build, in which the conditions are written out.
    pub fn confirm(&mut self, claims: &[Claim<'_>]) -> Vec<Result<Confirmed, String>> {
        let is_asked = few_of_a_kind(claims);
        let asked = claims.iter().zip(&is_asked).filter(|(_, is_asked)| **is_asked);
        let asked: Vec<&Claim<'_>> = asked.map(|(claim, _)| claim).collect();
        let mut answers = self.confirm_all(&asked).into_iter();
        let unasked = || {
            let why = format!("it was asked about {MOST_ASKED} others of this check in this function");
            Confirmed { confirmation: Confirmation::NotSeen { why }, kept: None, not_kept: None }
        };
        let answer = |is_asked: bool| match is_asked {
            true => answers.next().unwrap_or_else(|| Err("nothing was confirmed".to_owned())),
            false => Ok(unasked()),
        };
        is_asked.into_iter().map(answer).collect()
    }

    fn confirm_all(&mut self, claims: &[&Claim<'_>]) -> Vec<Result<Confirmed, String>> {
        self.confirmer
            .prepare(claims.iter().map(|claim| (claim.target.check, &claim.witness.goes_on_after[..])));
        let seen = in_order(cores(), claims, |_, claim| self.ask(claim));
        let is_asked = |claim: &Claim<'_>, seen: &Result<Confirmation, String>| {
            seen.as_ref().is_ok_and(|seen| Self::is_asked_again(claim, seen))
        };
        let unseen = claims.iter().zip(&seen).filter(|(claim, seen)| is_asked(claim, seen));
        let unseen: Vec<_> = unseen.map(|(claim, _)| &claim.target).collect();
        self.confirmer.prepare_written(self.program, unseen);
        let asked: Vec<_> = claims.iter().zip(seen).collect();
        let known = in_order(cores(), &asked, |_, (claim, seen)| self.ask_again(claim, seen.clone()?));
        // One after the other: they share a folder, which the first of them makes.
        claims.iter().zip(known).map(|(claim, known)| Ok(self.kept(claim, known?))).collect()
    }

    /// What the compiled program does on inputs, for each of them; none where it cannot be asked. Runs end after so
    /// many blocks of the program.
    pub fn scout(&mut self, witnesses: &[&Witness], leaks: bool, blocks: u64) -> Vec<Option<Sighting>> {
        if !self.confirmer.prepare_scout() {
            return vec![None; witnesses.len()];
        }
        in_order(cores(), witnesses, |_, witness| {
            if is_cancelled() {
                return None;
            }
            let (program, missing) = (self.program, &self.missing);
            self.confirmer.scout(&Errand { program, missing, witness, leaks, blocks }).ok().flatten()
        })
    }

    fn request<'c>(&'c self, claim: &'c Claim<'_>) -> Request<'c> {
        Request {
            program: self.program,
            missing: &self.missing,
            witness: claim.witness,
            target: &claim.target,
        }
    }

    fn ask(&self, claim: &Claim<'_>) -> Result<Confirmation, String> {
        self.confirmer.confirm(&self.request(claim)).map_err(not_run)
    }

    /// Whether the program as clew reads it may tell more. Zeros that nobody wrote are there, and seldom elsewhere.
    fn is_asked_again(claim: &Claim<'_>, seen: &Confirmation) -> bool {
        match seen {
            Confirmation::Native | Confirmation::Written => false,
            Confirmation::NotSeen { .. } => true,
            Confirmation::Mismatch { .. } => claim.reads_unwritten,
        }
    }

    fn ask_again(&self, claim: &Claim<'_>, seen: Confirmation) -> Result<Confirmation, String> {
        if !Self::is_asked_again(claim, &seen) {
            return Ok(seen);
        }
        let again = self.confirmer.confirm_written(&self.request(claim)).map_err(not_run)?;
        Ok(match (seen, again) {
            (_, Some(Confirmation::Native | Confirmation::Written)) => Confirmation::Written,
            (Confirmation::NotSeen { why }, Some(Confirmation::NotSeen { why: instead }))
                if instead != why =>
            {
                let why = format!("{why}; and as clew reads the program: {instead}");
                Confirmation::NotSeen { why }
            }
            (Confirmation::NotSeen { .. }, Some(mismatch @ Confirmation::Mismatch { .. })) => mismatch,
            (seen, _) => seen,
        })
    }

    fn kept(&self, claim: &Claim<'_>, confirmation: Confirmation) -> Confirmed {
        let Claim { target, witness, entry, .. } = claim;
        let mut done = Confirmed { confirmation, kept: None, not_kept: None };
        let Some(out) = self.out.as_deref() else { return done };
        if matches!(done.confirmation, Confirmation::Mismatch { .. }) {
            return done;
        }
        let kept = Kept {
            witness: (*witness).clone(),
            violates: Violated {
                obligation: target.id.clone(),
                check: target.check,
                function: target.function.clone(),
                entry: (*entry).to_owned(),
            },
            commands: self.commands.clone(),
            driver: self.driver.clone(),
        };
        let test = self.confirmer.test(&self.request(claim), &done.confirmation);
        match test.and_then(|test| keep(out, &test, &kept).map_err(|e| e.to_string())) {
            Ok(place) => done.kept = Some(place),
            Err(why) => done.not_kept = Some(why),
        }
        done
    }
}

fn not_run(error: std::io::Error) -> String {
    format!("the test cannot be run: {error}")
}

/// Which claims the compiled program is asked about: each test is built by itself, and one long sum that overflows
/// anywhere is thousands of them.
fn few_of_a_kind(claims: &[Claim<'_>]) -> Vec<bool> {
    let mut counts: BTreeMap<(&str, CheckKind), usize> = BTreeMap::new();
    let mut is_asked = Vec::new();
    for claim in claims {
        let count = counts.entry((&*claim.target.function, claim.target.check)).or_default();
        *count += 1;
        is_asked.push(*count <= MOST_ASKED);
    }
    is_asked
}

/// A witness and what it is said to violate.
pub struct Claim<'a> {
    /// What is violated.
    pub target: Target,
    /// The inputs.
    pub witness: &'a Witness,
    /// The function that the run starts in.
    pub entry: &'a str,
    /// Whether the run reads memory that was never written.
    pub reads_unwritten: bool,
}

/// Functions that are called or named, have no body, and that the C library does not have.
fn missing(program: &Program) -> Vec<FuncId> {
    let without_body =
        program.functions.iter_enumerated().filter(|(_, f)| f.body.is_none() && f.alias.is_none());
    let unknown = without_body.filter(|(_, f)| {
        clew_interpreter::libc::lookup(&f.name).is_none() && !f.name.starts_with("__builtin_")
    });
    unknown.map(|(id, _)| id).collect()
}

/// The obligation that a run violated, under the name that reports have for it.
pub fn target_of(program: &Program, id: StableId, finding: &Finding) -> Target {
    let function =
        finding.obligation.map(|(function, _)| function).or(finding.call.map(|call| call.function));
    let function = function.map_or_else(String::new, |f| program.functions[f].source_name.to_string());
    Target { id, check: finding.check, function, span: finding.span, obligation: finding.obligation }
}

/// How the system compiler builds what a command reads.
pub fn unit(command: &Command) -> Unit {
    let mut preprocess: Vec<OsString> = command.probe_flags.iter().map(OsString::from).collect();
    if command.trigraphs {
        preprocess.push("-trigraphs".into());
    }
    for (kind, folder) in &command.includes {
        let flag = match kind {
            IncludeKind::Quote => "-iquote",
            IncludeKind::Normal => "-I",
            IncludeKind::System => "-isystem",
            IncludeKind::After => "-idirafter",
        };
        preprocess.extend([flag.into(), command.resolve(folder).into_os_string()]);
    }
    for flag in &command.macros {
        preprocess.push(match flag {
            MacroFlag::Define(text) => format!("-D{text}").into(),
            MacroFlag::Undefine(name) => format!("-U{name}").into(),
        });
    }
    for file in &command.preincludes {
        let flag = if file.macros_only { "-imacros" } else { "-include" };
        let path = command.resolve(Path::new(&file.name));
        let name =
            if command.directory.is_some() && path.is_file() { path } else { file.name.clone().into() };
        preprocess.extend([flag.into(), name.into_os_string()]);
    }
    Unit {
        file: command.file.clone(),
        compiler: command.compiler.clone(),
        preprocess,
        compile: command.probe_flags.iter().map(OsString::from).collect(),
        is_preprocessed: command.language == Language::PreprocessedC,
        appended: None,
    }
}

/// The witness of a run that the user started: its inputs, arguments and standard input.
pub fn witness_of_run(given: Option<&Witness>, arguments: &[Vec<u8>], stdin: Option<&[u8]>) -> Witness {
    let mut inputs = given.map_or_else(Vec::new, |witness| witness.inputs.clone());
    for (number, argument) in arguments.iter().enumerate().skip(1) {
        inputs.push(Input::text(InputKind::Argument, format!("argv[{number}]"), argument));
    }
    inputs.extend(stdin.map(|bytes| Input::text(InputKind::Stdin, "stdin", bytes)));
    Witness { version: clew_ir::witness::VERSION, inputs, goes_on_after: Vec::new() }
}

/// Whether a run read memory that was never written.
pub fn reads_unwritten(outcome: &Outcome) -> bool {
    outcome.counted.iter().any(|counted| counted.check == CheckKind::UninitialisedRead)
}

/// The violation of the obligation of that name in a run of the interpreter on a witness, and whether that run read
/// memory that was never written; or what the run did instead.
pub fn violation(
    program: &Program,
    witness: &Witness,
    id: &StableId,
) -> Result<Result<(Finding, bool), Outcome>, String> {
    let options = Options { count_all: true, ..Options::default() };
    let (outcome, _) = run_witness(program, witness, &options).map_err(|e| e.to_string())?;
    let stable = Stable::new(program);
    // Rules of the library have their names by the models.
    let of_library = OnceCell::new();
    let is_meant = |finding: &Finding| match finding.obligation {
        Some((function, obligation)) => stable.ids(function)[obligation] == *id,
        None => {
            let calls = of_library.get_or_init(|| call_rows(&with_models(program.clone())));
            let is_row = |row: &CallRow| {
                let place = Location { function: row.function, block: row.block, statement: row.statement };
                row.id == *id && Some(place) == finding.call && row.requirement.check == finding.check
            };
            rows::library_id(program, finding.check, finding.span) == *id || calls.iter().any(is_row)
        }
    };
    let counted = outcome.counted.iter().map(Counted::first_finding);
    let found = outcome.findings.iter().cloned().chain(counted).find(is_meant);
    Ok(found.map(|finding| (finding, reads_unwritten(&outcome))).ok_or(outcome))
}

/// The word of the verdict; none for a fault of ours.
pub fn verdict_of(confirmation: &Confirmation) -> Option<verdict::Confirmed> {
    match confirmation {
        Confirmation::Native | Confirmation::Written => Some(verdict::Confirmed::Native),
        Confirmation::NotSeen { why } => Some(verdict::Confirmed::Interpreter(Some(why.clone()))),
        Confirmation::Mismatch { .. } => None,
    }
}

/// What the compiled program says, in a sentence.
pub fn said(confirmation: &Confirmation) -> String {
    match confirmation {
        Confirmation::Native => {
            "confirmed by the compiled program, which fails in the same statement".to_owned()
        }
        Confirmation::Written => "confirmed by the compiled program with what no sanitizer sees and no test can choose written into it: \
             it fails in the same statement"
            .to_owned(),
        Confirmation::NotSeen { why } => format!("confirmed by the interpreter only: {why}"),
        Confirmation::Mismatch { what } => {
            format!(
                "not confirmed: the compiled program does something else, by what C or the library leaves open, or by a \
                 fault of clew's own: {what}"
            )
        }
    }
}
