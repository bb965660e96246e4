// SPDX-License-Identifier: MIT OR Apache-2.0
//! The road a program takes through clew, on one page.
//!
//! ```text
//! files and flags -> load -> IR with obligations, linked -> prove -> search -> scout -> solve -> confirm -> report
//!                                                        -> run
//! ```
//!
//! Each arrow is a plain type: [`Loaded`] is the linked programs with what could not be read, [`Proved`] what the
//! abstract interpreter says of one, [`Violations`] what the other engines found, [`Report`] what is known of all.

use std::collections::BTreeSet;

use clew_checks::Stops;
use clew_frontend::library::{Linked, with_models};
use clew_interpreter::Outcome;
use clew_ir::hardware::uses_registers;
use clew_ir::interrupt::share;
use clew_ir::stable::stable_ids;
use clew_ir::syntax::{FuncId, Function, Program};
use clew_ir::witness::Witness;
use clew_report::{Coverage, Effort, Report, Tried};

use crate::falsify::Falsifier;
use crate::guard::guarded;
use crate::knowledge::Knowledge;
use crate::load::Loaded;
use crate::prove::{self, Proved};
use crate::remember::{Learned, Memory};
use crate::settings::Settings;
use crate::starts::{Looked, Starts};
use crate::terminal::note;
use crate::violations::Violations;
use crate::watch::{self, is_cancelled};
use crate::{coverage, going_on, hardware, level, rows};

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
    settings: &Settings,
    mut memory: Option<&mut Memory>,
) -> Result<Checked, String> {
    let mut report = rows::empty_report(loaded);
    let mut violations = Violations::default();
    report.assumptions = settings.assumed.names();
    drop_registers(&mut report, &loaded.programs);
    report.level = Some(level::shown(settings.level));
    refuse_unknown_names(&loaded.programs, settings)?;
    for (number, program) in std::mem::take(&mut loaded.programs).into_iter().enumerate() {
        let mut work = Work::begin(program, settings)?;
        if let Some(linked) = work.linked.take() {
            let memory = memory.as_deref_mut().map(|memory| (number, memory));
            let mut proved = work.prove(&linked, memory);
            if let Some(plain) = &work.plain {
                let starts = |stops: Stops| Starts {
                    program: plain,
                    linked: &linked,
                    commands: &loaded.commands,
                    settings,
                    stops,
                    entries: &work.entries,
                    handlers: &work.handlers,
                };
                let (found, looked) = starts(settings.stops).each(&mut proved, falsify)?;
                violations.extend(found);
                violations.extend(go_on(&mut proved, starts)?);
                work.coverage.tried = tried(&work.entries, &proved.efforts, Some(looked));
            } else {
                work.coverage.tried = tried(&work.entries, &proved.efforts, None);
            }
            work.finish(proved, &mut report);
        } else {
            work.give_up(&mut report);
        }
    }
    report.coverage.functions = loaded.functions;
    rows::tidy(&mut report, settings.shown);
    Ok(Checked { report, violations })
}

/// The engines that find, the cheapest first. Each witness is confirmed and recorded before the next engine is asked.
fn falsify(mut falsifier: Falsifier<'_, '_>) -> Violations {
    let unfinished = falsifier.search();
    falsifier.scout(unfinished);
    falsifier.search_unusual();
    falsifier.solve();
    falsifier.solve_unusual();
    falsifier.into_violations()
}

/// What comes behind a violation that the machine has a value for: again, going on with that value. Each time there is
/// one more such check, of which there are few.
fn go_on<'a>(proved: &mut Proved, starts: impl Fn(Stops) -> Starts<'a>) -> Result<Violations, String> {
    let mut violations = Violations::default();
    let mut stops = starts(Stops::default()).settings.stops;
    while !is_cancelled()
        && let Some(behind) = going_on::behind(&mut proved.known, stops)
    {
        stops = behind.stops;
        let starts = starts(stops);
        let settings = Settings { stops, ..starts.settings.clone() };
        let again = guarded("proofs", || prove::prove(starts.linked, starts.entries, &settings, None));
        let Some(mut again) = again else { break };
        behind.open(&proved.known, &mut again.known);
        violations.extend(starts.each(&mut again, falsify)?.0);
        behind.take_over(&mut proved.known, again.known);
    }
    if !is_cancelled()
        && let Some(behind) = going_on::behind_divisions(&mut proved.known, stops)
    {
        let reopened = behind.reopened(&proved.known);
        let mut known = std::mem::replace(&mut proved.known, reopened);
        violations.extend(starts(behind.stops).each(proved, falsify)?.0);
        behind.take_violated(&mut known, &proved.known);
        proved.known = known;
    }
    Ok(violations)
}

/// One program under way.
struct Work<'a> {
    settings: &'a Settings,
    /// The program as it is, for the interpreter, which has a library of its own; none if nothing is searched for.
    plain: Option<Program>,
    /// The program with the models of the library; none if those failed.
    linked: Option<Linked>,
    entries: Vec<String>,
    /// The entries that are handlers of interrupts.
    handlers: Vec<String>,
    coverage: Coverage,
}

impl<'a> Work<'a> {
    /// Chooses the entries and joins the program with the library.
    fn begin(mut program: Program, settings: &'a Settings) -> Result<Work<'a>, String> {
        let mut entries = coverage::entries(&program, &settings.entries);
        // What may interrupt the rest is an entry, too, and all that it may write is anything to the rest.
        let interrupting = hardware::handlers(&program)?;
        let name = |handler: &FuncId| program.functions[*handler].name.to_string();
        let handlers: Vec<String> = interrupting.iter().map(name).collect();
        let more: Vec<String> = handlers.iter().filter(|name| !entries.contains(name)).cloned().collect();
        entries.extend(more);
        let is_root =
            |(_, function): &(FuncId, &Function)| entries.iter().any(|name| **name == *function.name);
        let roots: Vec<FuncId> =
            program.functions.iter_enumerated().filter(is_root).map(|(id, _)| id).collect();
        share(&mut program, &interrupting, &roots, false);
        let coverage = coverage::coverage(&program, &entries, clew_frontend::library::is_known);
        let plain = settings.searches.then(|| program.clone());
        let mut linked = guarded("library", || with_models(program));
        if let Some(linked) = &mut linked {
            share(&mut linked.program, &interrupting, &roots, true);
        }
        Ok(Work { settings, plain, linked, entries, handlers, coverage })
    }

    /// Asks the abstract interpreter, with what is remembered of the program of that number.
    fn prove(&self, linked: &Linked, memory: Option<(usize, &mut Memory)>) -> Proved {
        let (entries, settings) = (&self.entries, self.settings);
        let proved = guarded("proofs", || match memory {
            Some(memory) => prove_again(linked, entries, settings, memory),
            None => prove::prove(linked, entries, settings, None),
        });
        proved.unwrap_or_else(|| prove::unproved(linked, entries, settings))
    }

    /// Adds what is known to the report.
    fn finish(mut self, proved: Proved, report: &mut Report) {
        let is_cut = proved.truncated || is_cancelled() || self.coverage.tried.iter().any(is_cut_short);
        self.coverage.truncated = is_cut;
        // What the analysis saw of calls through pointers is more exact than what the text says.
        if let Some(unreached) = proved.unreached {
            self.coverage.unreached = unreached;
        }
        report.coverage = coverage::merge(std::mem::take(&mut report.coverage), self.coverage);
        report.rows.extend(proved.known.rows());
        report.invariants.extend(proved.invariants);
        report.program.entries.extend(self.entries);
    }

    /// Where the library could not be joined nothing can be asked: all is open.
    fn give_up(mut self, report: &mut Report) {
        self.coverage.tried = self.entries.iter().map(|entry| failed(entry)).collect();
        report.coverage = coverage::merge(std::mem::take(&mut report.coverage), self.coverage);
        if let Some(plain) = &self.plain {
            let titles = rows::titles(plain, &stable_ids(plain), &BTreeSet::new());
            report.rows.extend(Knowledge::open(titles).rows());
        }
        report.program.entries.extend(self.entries);
    }
}

/// Names that the user gave and no program has.
fn refuse_unknown_names(programs: &[Program], settings: &Settings) -> Result<(), String> {
    let ticks = |program: &Program| prove::waiting(program, &settings.clock).next().is_some();
    if settings.assumed.max_clock().is_some() && !programs.iter().any(ticks) {
        return Err(format!(
            "--max-clock: there is no function `{}`; --clock names the one that waits for the clock",
            settings.clock
        ));
    }
    let is_missing =
        |name: &&String| programs.iter().all(|program| coverage::named(program, name).is_empty());
    match settings.entries.iter().find(is_missing) {
        Some(missing) => Err(format!("there is no function `{missing}` with a body")),
        None => Ok(()),
    }
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
fn drop_registers(report: &mut Report, programs: &[Program]) {
    if !programs.iter().any(uses_registers) {
        report.assumptions.retain(|name| name != "registers-apart");
    }
}

/// Proves with what is remembered of the program of that number, and remembers.
fn prove_again(
    linked: &Linked,
    entries: &[String],
    settings: &Settings,
    (number, memory): (usize, &mut Memory),
) -> Proved {
    let mut plan = memory.plan(number, linked, entries);
    let mut proved = prove::prove(linked, entries, settings, plan.as_ref());
    if plan.is_some() && proved.useful.is_some() && memory.is_worse(number, linked, &proved.known) {
        note("more is open than in the run that is remembered: again, with everything");
        let whole = prove::prove(linked, entries, settings, None);
        if whole.useful.is_some() {
            proved = whole;
            plan = None;
        }
    }
    match &proved.useful {
        Some(useful) => {
            memory.learn(number, &Learned { linked, useful, known: &proved.known, plan: plan.as_ref() });
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
    drop_registers(&mut report, std::slice::from_ref(program));
    let entries = vec!["main".to_owned()];
    let is_known = |name: &str| clew_interpreter::libc::lookup(name).is_some();
    report.coverage = coverage::merge(report.coverage, coverage::coverage(program, &entries, is_known));
    report.rows = rows::violated_rows(program, outcome, witness);
    report.program.entries = entries;
    report.sort();
    report
}
