// SPDX-License-Identifier: MIT OR Apache-2.0
//! The road a program takes through clew, on one page.
//!
//! ```text
//! files and flags -> units -> IR with obligations -> linked programs -> absint -> search -> confirm -> report
//!                                                                    -> run
//! ```
//!
//! Each arrow is a plain type: [`Units`] says what to read, [`Loaded`] is the linked programs with what could not be
//! read, [`Report`] is what is known of them.

use std::collections::BTreeSet;

use clew_base::source::Span;
use clew_base::stack::try_with_large_stack;
use clew_base::workers::{cores, in_order};
use clew_checks::{CheckSet, Stops};
use clew_frontend::library::{Linked, with_models};
use clew_frontend::{Command, Diagnostic, Diagnostics, DiskFiles, Severity, parse_unit};
use clew_interpreter::Outcome;
use clew_ir::hardware::uses_registers;
use clew_ir::interrupt::share;
use clew_ir::stable::stable_ids;
use clew_ir::syntax::{FuncId, Function, Program};
use clew_ir::witness::Witness;
use clew_report::{Effort, Report, Tried};

use crate::assumed::Assumed;
use crate::entries::Looked;
use crate::find::Violations;
use crate::guard::guarded;
use crate::input::Units;
use crate::messages::{first_error, show_diagnostics, show_rejection};
use crate::programs::programs;
use crate::prove::{self, Limits, Proved};
use crate::remember::{Learned, Memory};
use crate::terminal::Progress;
use crate::watch::{self, is_cancelled};
use crate::{coverage, entries, escalate, going_on, hardware, level, rows};

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
            errors.iter().for_each(|error| crate::commands::complain(&error.to_string()));
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

/// What `check` has to say.
pub struct Checked {
    /// What is known of the programs.
    pub report: Report,
    /// What was violated, for people.
    pub violations: Violations,
}

/// What is known of the programs. They are taken: each is joined with the library.
pub fn check(
    loaded: &mut Loaded,
    given_entries: &[String],
    shown: CheckSet,
    assumed: &Assumed,
    limits: &Limits,
    mut memory: Option<&mut Memory>,
) -> Result<Checked, String> {
    let mut report = rows::empty_report(loaded);
    let mut violations = Violations::default();
    report.assumptions = assumed.names();
    tell_registers(&mut report, &loaded.programs);
    report.level = Some(level::shown(limits.level));
    let ticks = |program: &Program| prove::waiting(program, &limits.clock).next().is_some();
    if assumed.max_clock().is_some() && !loaded.programs.iter().any(ticks) {
        return Err(format!(
            "--max-clock: there is no function `{}`; --clock names the one that waits for the clock",
            limits.clock
        ));
    }
    let is_missing =
        |name: &&String| loaded.programs.iter().all(|program| coverage::named(program, name).is_empty());
    if let Some(missing) = given_entries.iter().find(is_missing) {
        return Err(format!("there is no function `{missing}` with a body"));
    }
    for (number, mut program) in std::mem::take(&mut loaded.programs).into_iter().enumerate() {
        let mut entries = coverage::entries(&program, given_entries);
        // What may interrupt the rest is an entry, too, and all that it may write is anything to the rest.
        let handlers = hardware::handlers(&program)?;
        let handler_names: Vec<String> =
            handlers.iter().map(|handler| program.functions[*handler].name.to_string()).collect();
        let more = handler_names.iter().filter(|name| !entries.contains(name)).cloned().collect::<Vec<_>>();
        entries.extend(more);
        let is_root =
            |(_, function): &(FuncId, &Function)| entries.iter().any(|name| **name == *function.name);
        let roots: Vec<FuncId> =
            program.functions.iter_enumerated().filter(is_root).map(|(id, _)| id).collect();
        share(&mut program, &handlers, &roots, false);
        let mut coverage = coverage::coverage(&program, &entries, clew_frontend::library::is_known);
        // The interpreter has a library of its own: it runs the program as it was before the models came.
        let plain = limits.searches.then(|| program.clone());
        let Some(mut linked) = guarded("library", || with_models(program)) else {
            coverage.tried = entries.iter().map(|entry| failed(entry)).collect();
            report.coverage = coverage::merge(report.coverage, coverage);
            let rows = plain.map(|plain| rows::open_rows(&plain, &stable_ids(&plain), &BTreeSet::new()));
            report.rows.extend(rows.unwrap_or_default());
            report.program.entries.extend(entries);
            continue;
        };
        share(&mut linked.program, &handlers, &roots, true);
        let proved = guarded("proofs", || match memory.as_deref_mut() {
            Some(memory) => prove_again(&linked, &entries, assumed, limits, (number, memory)),
            None if limits.escalates => escalate::prove_escalating(&linked, &entries, assumed, limits),
            None => prove::prove(&linked, &entries, assumed, limits, None),
        });
        let mut proved = proved.unwrap_or_else(|| prove::unproved(&linked, &entries, assumed));
        if let Some(plain) = &plain {
            let search = |proved: &mut Proved, stops: Stops| {
                let search = entries::Search {
                    program: plain,
                    linked: &linked,
                    heads: &proved.heads,
                    rests_on: &proved.rests_on,
                    costs_without: limits.costs_without.as_deref(),
                    commands: &loaded.commands,
                    keep: limits.keep.as_deref(),
                    assumed,
                    solver: limits.solver.as_ref(),
                    shown,
                    stops,
                    is_implicit: given_entries.is_empty(),
                    handlers: &handler_names,
                };
                search.run(&entries, &mut proved.rows)
            };
            let (found, looked) = search(&mut proved, limits.stops)?;
            violations.extend(found);
            coverage.tried = tried(&entries, &proved.efforts, Some(looked));
            // What comes behind a violation that the machine has a value for: again, going on with that value. Each
            // time there is one more such check, of which there are few.
            let mut stops = limits.stops;
            while let Some(behind) = going_on::behind(&mut proved.rows, stops).filter(|_| !is_cancelled()) {
                stops = behind.stops;
                let limits = Limits { stops, ..limits.clone() };
                let again = guarded("proofs", || prove::prove(&linked, &entries, assumed, &limits, None));
                let Some(mut again) = again else { break };
                behind.open(&proved.rows, &mut again.rows);
                violations.extend(search(&mut again, stops)?.0);
                behind.take_over(&mut proved.rows, again.rows);
            }
            let divisions = going_on::behind_divisions(&mut proved.rows, stops);
            if let Some(behind) = divisions.filter(|_| !is_cancelled()) {
                let reopened = behind.reopened(&proved.rows);
                let mut known = std::mem::replace(&mut proved.rows, reopened);
                violations.extend(search(&mut proved, behind.stops)?.0);
                behind.take_violated(&mut known, std::mem::take(&mut proved.rows));
                proved.rows = known;
            }
        } else {
            coverage.tried = tried(&entries, &proved.efforts, None);
        }
        coverage.truncated = proved.truncated || is_cancelled() || coverage.tried.iter().any(is_cut_short);
        // What the analysis saw of calls through pointers is more exact than what the text says.
        if let Some(unreached) = proved.unreached {
            coverage.unreached = unreached;
        }
        report.coverage = coverage::merge(report.coverage, coverage);
        report.rows.extend(proved.rows);
        report.invariants.extend(proved.invariants);
        report.program.entries.extend(entries);
    }
    report.coverage.functions = loaded.functions;
    rows::tidy(&mut report, shown);
    Ok(Checked { report, violations })
}

/// What the engines did from each entry.
fn tried(entries: &[String], proofs: &[(String, Effort)], looked: Option<Vec<Looked>>) -> Vec<Tried> {
    let off = || Effort::Skipped("switched off".to_owned());
    let one = |entry: &String| {
        let proofs = proofs.iter().find(|(name, _)| name == entry).map(|(_, effort)| effort.clone());
        let looked = looked.as_ref().map(|all| all.iter().find(|one| one.entry == *entry));
        let (search, solver) = match looked {
            None => (off(), off()),
            Some(one) => one.map(|one| (one.search.clone(), one.solver.clone())).unwrap_or_default(),
        };
        Tried { entry: entry.clone(), proofs: proofs.unwrap_or_default(), search, solver }
    };
    entries.iter().map(one).collect()
}

/// Whether an engine was ended from outside, or for lack of memory.
fn is_cut_short(tried: &Tried) -> bool {
    [&tried.proofs, &tried.search, &tried.solver]
        .into_iter()
        .any(|effort| matches!(effort, Effort::CutShort) || effort.why() == Some(watch::RUN_OUT))
}

/// Where nothing could be asked.
fn failed(entry: &str) -> Tried {
    let failed = || Effort::Failed;
    Tried { entry: entry.to_owned(), proofs: failed(), search: failed(), solver: failed() }
}

/// Programs that talk to no hardware register rest on nothing about them.
fn tell_registers(report: &mut Report, programs: &[Program]) {
    if !programs.iter().any(uses_registers) {
        report.assumptions.retain(|name| name != "registers-apart");
    }
}

/// Proves with what is remembered of the program of that number, and remembers.
fn prove_again(
    linked: &Linked,
    entries: &[String],
    assumed: &Assumed,
    limits: &Limits,
    (number, memory): (usize, &mut Memory),
) -> Proved {
    let mut plan = memory.plan(number, linked, entries);
    let mut proved = prove::prove(linked, entries, assumed, limits, plan.as_ref());
    if plan.is_some() && proved.useful.is_some() && memory.is_worse(number, linked, &proved.rows) {
        crate::commands::note("more is open than in the run that is remembered: again, with everything");
        let whole = prove::prove(linked, entries, assumed, limits, None);
        if whole.useful.is_some() {
            proved = whole;
            plan = None;
        }
    }
    match &proved.useful {
        Some(useful) => {
            memory.learn(number, &Learned { linked, useful, rows: &proved.rows, plan: plan.as_ref() });
        }
        None => memory.is_cut_off = true,
    }
    proved
}

/// What a run showed of its program: the obligations that it violated.
pub fn run_report(
    loaded: &Loaded,
    program: &Program,
    outcome: &Outcome,
    witness: Option<&Witness>,
) -> Report {
    let mut report = rows::empty_report(loaded);
    // A run needs no word about callers and missing functions: it has them, or it ends.
    report.assumptions.retain(|name| !name.starts_with("params-") && !name.starts_with("missing-"));
    tell_registers(&mut report, std::slice::from_ref(program));
    let entries = vec!["main".to_owned()];
    let is_known = |name: &str| clew_interpreter::libc::lookup(name).is_some();
    report.coverage = coverage::merge(report.coverage, coverage::coverage(program, &entries, is_known));
    report.rows = rows::violated_rows(program, outcome, witness);
    report.program.entries = entries;
    report.sort();
    report
}
