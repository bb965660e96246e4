// SPDX-License-Identifier: MIT OR Apache-2.0
//! Looks for runs that violate what is open, from one entry: the engines that find, each a step of the road.
//!
//! Every witness comes through `record`, whoever found it.

mod message;
mod record;

use std::collections::BTreeSet;

use clew_checks::{CheckSet, Stops};
use clew_frontend::library::Linked;
use clew_interpreter::Options;
use clew_ir::head::Heads;
use clew_ir::obligation::CheckKind;
use clew_ir::syntax::Program;
use clew_ir::total_division::{SUBSTITUTES, with_total_division};
use clew_search::{Found, Key, Request, Unfinished};

use crate::assumed::Arithmetic;
use crate::confirm::Confirming;
use crate::guard::{self, guarded, worse};
use crate::knowledge::Knowledge;
use crate::scout::scout;
use crate::settings::Settings;
use crate::solve::{Allowance, Effort, Question, Solved, solve};
use crate::solvers::Outside;
use crate::store::Store;
use crate::terminal::note;
use crate::violations::Violations;
use crate::watch::{CANCEL, is_cancelled};

/// Steps of the interpreter for one program: about half a second.
pub const BUDGET: u64 = 4_000_000;

const WRONG_MODEL: &str = "a fault of clew's own: values of the built-in solver do not satisfy what it was asked: nothing \
                           that it proves of this program counts\n\
                           This is never your program's fault. Please report it with the file and the flags that led here.";

/// Where runs start.
#[derive(Clone, Copy)]
pub struct Start<'a> {
    /// The function; for others than `main` the program has a `main` that calls it.
    pub entry: &'a str,
    /// Whether nobody asked for it: then callers may see to it that nothing happens.
    pub is_implicit: bool,
    /// Steps of the interpreter.
    pub budget: u64,
    /// Whether what no run from here violates is proved: there is no other entry, and nothing is left out of this one.
    pub may_prove: bool,
    /// What holds at loop heads, if proofs are wanted.
    pub heads: Option<&'a Heads>,
    /// The assumptions that proofs rest on.
    pub rests_on: &'a [String],
    /// The second solver.
    pub solver: Option<&'a Outside>,
    /// What solving for all entries may cost that nobody named, if this is one of them.
    pub allowance: Option<&'a Allowance>,
}

impl Start<'_> {
    fn is_main(self) -> bool {
        self.entry == "main"
    }
}

/// The engines at work on one program, from one start.
pub struct Falsifier<'a, 'c> {
    store: Store<'a>,
    settings: &'a Settings,
    start: Start<'a>,
    confirming: Option<&'c mut Confirming<'a>>,
    request: Request,
    /// The checks that are shown and off by default.
    unusual: CheckSet,
    arithmetic: Arithmetic,
    violations: Violations,
}

impl<'a, 'c> Falsifier<'a, 'c> {
    /// Of `program`; `linked` is the same with the models of the library, which the rows speak of.
    pub fn new(
        (program, linked): (&'a Program, &'a Linked),
        known: &'a mut Knowledge,
        settings: &'a Settings,
        (start, stops): (Start<'a>, Stops),
        confirming: Option<&'c mut Confirming<'a>>,
    ) -> Falsifier<'a, 'c> {
        let store = Store::new(program, linked, known, stops);
        let usual = CheckSet::by_default();
        let unusual: CheckSet = settings.shown.iter().filter(|check| !usual.contains(*check)).collect();
        let request = Request {
            goals: BTreeSet::new(),
            malloc_succeeds: settings.assumed.holds("malloc-succeeds"),
            count_all: !unusual.is_empty(),
            goes_on_after: stops.goes_on_after.iter().collect(),
            budget: start.budget,
            // Of entries that nobody named there may be many.
            is_patient: !start.is_implicit,
            cancelled: CANCEL.clone(),
        };
        let (arithmetic, violations) = (Arithmetic::of(program), Violations::default());
        Falsifier { store, settings, start, confirming, request, unusual, arithmetic, violations }
    }

    /// What was found.
    pub fn into_violations(self) -> Violations {
        self.violations
    }

    /// Runs the interpreter on well-chosen inputs. Gives the runs that are too long for it.
    pub fn search(&mut self) -> Vec<Unfinished> {
        let request = Request { goals: self.store.wanted(self.settings.shown), ..self.request.clone() };
        self.search_for(&request)
    }

    /// Much of what is off by default happens in runs that are made anyway, and much is meant: the rest is looked for
    /// last, and with less effort.
    pub fn search_unusual(&mut self) {
        let goals = self.store.goals(self.unusual);
        let budget = self.request.budget / 4;
        let request = Request { goals, budget, is_patient: false, ..self.request.clone() };
        self.search_for(&request);
    }

    fn search_for(&mut self, request: &Request) -> Vec<Unfinished> {
        let (found, unfinished) = search(self.store.program, request, &mut self.violations);
        self.record(&found);
        unfinished
    }

    /// Has the compiled program make the runs that are too long, and follows those that fail.
    pub fn scout(&mut self, unfinished: Vec<Unfinished>) {
        // Builds and long runs are for those of them that have one run only.
        let is_worth = |run: &Unfinished| run.is_only || !self.start.is_implicit;
        let unfinished: Vec<Unfinished> = unfinished.into_iter().filter(is_worth).collect();
        let (program, open) = (self.store.program, self.store.wanted(self.settings.shown));
        let confirming = self.confirming.as_deref_mut();
        let found = guarded("scout", || scout(program, &open, &unfinished, confirming));
        self.record(&found.unwrap_or_default());
    }

    /// Asks the symbolic engine about what is open still.
    pub fn solve(&mut self) {
        let effort = if self.start.is_implicit { Effort::SLIGHT } else { Effort::WHOLE };
        let open = self.store.wanted(self.settings.shown);
        self.solve_for(&open, effort);
    }

    /// The same for checks that are off by default, with less effort.
    pub fn solve_unusual(&mut self) {
        let effort = if self.start.is_implicit { Effort::SLIGHT } else { Effort::MODEST };
        let open = self.store.goals(self.unusual);
        self.solve_for(&open, effort);
    }

    fn solve_for(&mut self, open: &BTreeSet<Key>, effort: Effort) {
        let (store, start) = (&self.store, self.start);
        // The solver has no value for a division by zero.
        if open.is_empty() || store.stops.goes_on_after.contains(CheckKind::DivisionByZero) {
            return;
        }
        let (proved, given) = (store.proved(true), store.proved(false));
        let question = Question {
            program: store.program,
            linked: store.linked,
            open,
            proved: &proved,
            given: &given,
            heads: start.heads,
            solver: start.solver,
            stops: store.stops,
            effort,
            allowance: start.allowance,
            costs_without: self.settings.costs_without.as_deref(),
            malloc_succeeds: self.request.malloc_succeeds,
            unwritten_stays: self.settings.assumed.holds("uninitialised-values-stay"),
            count_all: self.request.count_all,
        };
        let solved = guarded("symbolic", || if is_cancelled() { None } else { Some(solve(&question)) });
        let is_done = solved.is_some();
        let solved = solved.flatten().unwrap_or_default();
        let so_far = std::mem::take(&mut self.violations.solver);
        self.violations.solver = worse(worse(so_far, guard::effort(is_done)), solved.effort.clone());
        solved.costs.iter().for_each(|costs| note(costs));
        self.record(&solved.found);
        for check in &solved.refuted {
            note(&format!("a witness for {check} was not confirmed by a run: it stays open"));
        }
        if solved.wrong_models > 0 {
            self.violations.faults.push(WRONG_MODEL.to_owned());
        }
        if let Some(solver) = start.solver {
            self.violations.notes.extend(solver.notes(&solved.outside));
            let wrong = solved.outside.contradicted.iter();
            let faults = wrong.map(|about| message::wrong_proof(self.store.linked, about, solver.name()));
            self.violations.faults.extend(faults);
        }
        if start.may_prove {
            self.record_proofs(open, &solved);
        }
    }

    /// Makes rows of what is proved.
    fn record_proofs(&mut self, open: &BTreeSet<Key>, solved: &Solved) {
        let (assumed, start) = (&self.settings.assumed, self.start);
        let name = "solver-correct";
        let may_borrow = assumed.holds(name);
        let is_believed = |id: &&_| may_borrow || !solved.borrowed.contains(id);
        let proved: BTreeSet<_> = solved.proved.iter().filter(is_believed).copied().collect();
        let own: BTreeSet<_> = proved.difference(&solved.borrowed).copied().collect();
        let solver = start.solver.map(|solver| (solver.name(), assumed.label(name)));
        let (own, all) = (self.store.settled(open, &own), self.store.settled(open, &proved));
        self.store.record_proofs(&own, &all, solver, start.rests_on);
    }
}

/// What a search finds that can be shown again, and runs that are too long for it. What cannot be shown again is not
/// told, and stays open.
fn search(
    program: &Program,
    request: &Request,
    violations: &mut Violations,
) -> (Vec<Found>, Vec<Unfinished>) {
    if request.goals.is_empty() {
        return Default::default();
    }
    let searched = guarded("search", || clew_search::search(program, request));
    violations.search = worse(std::mem::take(&mut violations.search), guard::effort(searched.is_some()));
    let searched = searched.unwrap_or_default();
    let usual = CheckSet::by_default();
    // What is off by default is counted only where it is asked for: it makes runs slow.
    let again =
        |found: &Found| replays(program, found, request.count_all && !usual.contains(found.finding.check));
    let (mut found, lost): (Vec<Found>, Vec<Found>) = searched.found.into_iter().partition(again);
    if request.goes_on_after.contains(&CheckKind::DivisionByZero) {
        let mended = SUBSTITUTES.map(|divisor| with_total_division(program, divisor));
        found.retain(|found| mended.iter().all(|program| replays(program, found, false)));
    }
    violations.faults.extend(lost.iter().map(|found| {
        format!(
            "a fault of clew's own: {}: the inputs that were found for {} do not lead there again",
            program.sources.place(found.finding.span),
            found.finding.check
        )
    }));
    (found, searched.unfinished)
}

/// Whether the interpreter, given nothing but the witness, comes to the same violation.
fn replays(program: &Program, found: &Found, count_all: bool) -> bool {
    // A run that goes on after it need not be run to its end.
    const FIRST: u64 = 20_000;
    [FIRST, clew_search::LONGEST_RUN]
        .into_iter()
        .any(|steps| replays_within(program, found, count_all, steps))
}

fn replays_within(program: &Program, found: &Found, count_all: bool, steps: u64) -> bool {
    let options = Options {
        count_all,
        step_limit: Some(steps),
        memory_limit: clew_search::MEMORY,
        counts_once: true,
        ..Options::default()
    };
    let Ok((outcome, _)) = clew_interpreter::run_witness(program, &found.witness, &options) else {
        return false;
    };
    let mut checks = outcome.findings.iter().map(|f| (f.check, f.obligation, f.call));
    let mut counted = outcome.counted.iter().map(|c| (c.check, c.obligation, c.call));
    let same = (found.finding.check, found.finding.obligation, found.finding.call);
    checks.any(|one| one == same) || counted.any(|one| one == same)
}
