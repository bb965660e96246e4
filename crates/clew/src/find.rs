// SPDX-License-Identifier: MIT OR Apache-2.0
//! Asks the engines that look for violations about what is open, and turns what they find into rows and messages.
//!
//! Every witness comes through [`Finder::believe`], whoever found it.

use std::collections::{BTreeMap, BTreeSet};

use clew_base::source::SourceMap;
use clew_checks::{After, CheckSet, Stops};
use clew_frontend::library::Linked;
use clew_interpreter::Options;
use clew_ir::head::Heads;
use clew_ir::location::Location;
use clew_ir::obligation::{CheckKind, StableId};
use clew_ir::out_parameters::out_parameters;
use clew_ir::stable::stable_ids;
use clew_ir::syntax::{FuncId, ObligationId, Program};
use clew_ir::total_division::{SUBSTITUTES, with_total_division};
use clew_ir::verdict::{Confirmed, Proof, Verdict};
use clew_ir::witness::{Input, InputKind, VARIABLES, Witness};
use clew_report::{Effort as Effected, Level, Message, Note, Row, Style, text};
use clew_search::{Found, Key, Request, Unfinished};

use crate::assumed::{Arithmetic, Assumed};
use crate::confirm::{Claim, Confirming, said, target_of, verdict_of};
use crate::flags::Part;
use crate::guard::{self, guarded, worse};
use crate::library::{CallRow, call_rows};
use crate::messages::finding_message;
use crate::rows;
use crate::scout::scout;
use crate::solve::{Allowance, Effort, Question, Solved, obligations, solve};
use crate::solvers::Outside;
use crate::watch::{CANCEL, is_cancelled};

/// Steps of the interpreter for one program: about half a second.
const BUDGET: u64 = 4_000_000;

/// How many inputs a message shows; the rest is counted.
const SHOWN: usize = 8;

const WRONG_MODEL: &str = "a fault of clew's own: values of the built-in solver do not satisfy what it was asked: nothing \
                           that it proves of this program counts\n\
                           This is never your program's fault. Please report it with the file and the flags that led here.";

const NOT_ASKED: &str = "the compiled program could not be asked, which is a fault of clew's own";

/// What was violated, for people.
#[derive(Default)]
pub struct Violations {
    messages: Vec<(Message, SourceMap)>,
    /// What was proved and violated: never the program's fault.
    pub faults: Vec<String>,
    /// Witnesses that the compiled program does not follow, and tests that could not be kept.
    pub notes: Vec<String>,
    /// How far the search for them came.
    pub search: Effected,
    /// And the solver, for what was open then.
    pub solver: Effected,
}

impl Violations {
    /// Of an entry on which the engines failed.
    pub fn failed() -> Violations {
        Violations { search: Effected::Failed, solver: Effected::Failed, ..Violations::default() }
    }

    /// Adds those of another program.
    pub fn extend(&mut self, other: Violations) {
        self.messages.extend(other.messages);
        self.faults.extend(other.faults);
        self.notes.extend(other.notes);
        self.search = worse(std::mem::take(&mut self.search), other.search);
        self.solver = worse(std::mem::take(&mut self.solver), other.solver);
    }

    /// Draws them, at most so many.
    pub fn render(&self, limit: Option<usize>, style: Style) -> String {
        let shown = limit.unwrap_or(usize::MAX).min(self.messages.len());
        let drawn = self.messages[..shown].iter();
        let mut out: String =
            drawn.map(|(message, sources)| text::render(message, sources, style) + "\n").collect();
        if shown < self.messages.len() {
            out += &format!("... and {} more violations\n\n", self.messages.len() - shown);
        }
        out
    }
}

/// Looks for runs of `program` that violate what is open of it. `linked` is the same program with the models of the
/// library, which the rows speak of.
pub fn find(
    program: &Program,
    linked: &Linked,
    rows: &mut Vec<Row>,
    assumed: &Assumed,
    shown: CheckSet,
    start: Start<'_>,
    mut confirming: Option<&mut Confirming<'_>>,
) -> Violations {
    let mut finder = Finder::new(program, linked, rows, start);
    let usual = CheckSet::by_default();
    let unusual: CheckSet = shown.iter().filter(|check| !usual.contains(*check)).collect();
    let mut request = Request {
        goals: finder.wanted(shown),
        malloc_succeeds: assumed.holds("malloc-succeeds"),
        count_all: !unusual.is_empty(),
        goes_on_after: start.stops.goes_on_after.iter().collect(),
        budget: start.budget,
        // Of entries that nobody named there may be many.
        is_patient: !start.is_implicit,
        cancelled: CANCEL.clone(),
    };
    let mut violations = Violations::default();
    let (found, unfinished) = look(program, &request, &mut violations);
    finder.tell(&found, shown, confirming.as_deref_mut(), &mut violations);
    // Builds and long runs are for those of them that have one run only.
    let unfinished: Vec<Unfinished> =
        unfinished.into_iter().filter(|run| run.is_only || !start.is_implicit).collect();
    let open = finder.wanted(shown);
    let found = guarded("scout", || scout(program, &open, &unfinished, confirming.as_deref_mut()));
    let found = found.unwrap_or_default();
    finder.tell(&found, shown, confirming.as_deref_mut(), &mut violations);
    // Much of what is off by default happens in runs that are made anyway, and much is meant: the rest is looked for
    // last, and with less effort.
    request.goals = finder.goals(unusual);
    request.budget /= 4;
    request.is_patient = false;
    let (found, _) = look(program, &request, &mut violations);
    finder.tell(&found, shown, confirming.as_deref_mut(), &mut violations);
    let effort = if start.is_implicit { Effort::SLIGHT } else { Effort::WHOLE };
    let asking = Asking { linked, assumed, shown, request: &request, start, effort };
    let open = finder.wanted(shown);
    asking.solve(&mut finder, &open, confirming.as_deref_mut(), &mut violations);
    let effort = if start.is_implicit { Effort::SLIGHT } else { Effort::MODEST };
    let open = finder.goals(unusual);
    Asking { effort, ..asking }.solve(&mut finder, &open, confirming, &mut violations);
    violations
}

/// How the symbolic engine is asked.
struct Asking<'a> {
    linked: &'a Linked,
    assumed: &'a Assumed,
    shown: CheckSet,
    request: &'a Request,
    start: Start<'a>,
    effort: Effort,
}

impl Asking<'_> {
    /// Asks about what is open, and makes rows and messages of the answer.
    fn solve(
        &self,
        finder: &mut Finder<'_>,
        open: &BTreeSet<Key>,
        confirming: Option<&mut Confirming<'_>>,
        violations: &mut Violations,
    ) {
        // The solver has no value for a division by zero.
        if open.is_empty() || self.start.stops.goes_on_after.contains(CheckKind::DivisionByZero) {
            return;
        }
        let Asking { linked, start, request, effort, .. } = *self;
        let (proved, given) = (finder.proved(true), finder.proved(false));
        let question = Question {
            program: finder.program,
            linked,
            open,
            proved: &proved,
            given: &given,
            heads: start.heads,
            solver: start.solver,
            stops: start.stops,
            effort,
            allowance: start.allowance,
            costs_without: start.costs_without,
            malloc_succeeds: request.malloc_succeeds,
            unwritten_stays: self.assumed.holds("uninitialised-values-stay"),
            count_all: request.count_all,
        };
        let solved = guarded("symbolic", || if is_cancelled() { None } else { Some(solve(&question)) });
        let is_done = solved.is_some();
        let solved = solved.flatten().unwrap_or_default();
        violations.solver = worse(std::mem::take(&mut violations.solver), guard::effort(is_done));
        violations.solver = worse(std::mem::take(&mut violations.solver), solved.effort.clone());
        solved.costs.iter().for_each(|costs| crate::commands::note(costs));
        finder.tell(&solved.found, self.shown, confirming, violations);
        for check in &solved.refuted {
            crate::commands::note(&format!(
                "a witness for {check} was not confirmed by a run: it stays open"
            ));
        }
        if solved.wrong_models > 0 {
            violations.faults.push(WRONG_MODEL.to_owned());
        }
        if let Some(solver) = start.solver {
            violations.notes.extend(solver.notes(&solved.outside));
            let wrong = solved.outside.contradicted.iter();
            violations.faults.extend(wrong.map(|about| finder.wrong_proof(linked, about, solver.name())));
        }
        if start.may_prove {
            self.prove(finder, open, &solved);
        }
    }

    /// Makes rows of what is proved.
    fn prove(&self, finder: &mut Finder<'_>, open: &BTreeSet<Key>, solved: &Solved) {
        let Asking { linked, assumed, start, .. } = *self;
        let word = "solver-correct";
        let may_borrow = assumed.holds(word);
        let is_believed = |id: &&(FuncId, ObligationId)| may_borrow || !solved.borrowed.contains(id);
        let proved: BTreeSet<_> = solved.proved.iter().filter(is_believed).copied().collect();
        let own: BTreeSet<_> = proved.difference(&solved.borrowed).copied().collect();
        let solver = start.solver.map(|solver| (solver.name(), assumed.label(word)));
        let (own, all) = (finder.settled(linked, open, &own), finder.settled(linked, open, &proved));
        finder.prove(&own, &all, solver);
    }
}

/// What a search finds that can be shown again, and runs that are too long for it. What cannot be shown again is not
/// told, and stays open.
fn look(program: &Program, request: &Request, violations: &mut Violations) -> (Vec<Found>, Vec<Unfinished>) {
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
    /// Which checks end runs.
    pub stops: Stops,
    /// What holds at loop heads, if proofs are wanted.
    pub heads: Option<&'a Heads>,
    /// The assumptions that proofs rest on.
    pub rests_on: &'a [String],
    /// The second solver.
    pub solver: Option<&'a Outside>,
    /// What solving for all entries may cost that nobody named, if this is one of them.
    pub allowance: Option<&'a Allowance>,
    /// Whether to say what solving costs, without these parts.
    pub costs_without: Option<&'a [Part]>,
}

impl Start<'_> {
    /// At `main`.
    pub const MAIN: Start<'static> = Start {
        entry: "main",
        is_implicit: false,
        budget: BUDGET,
        may_prove: false,
        stops: Stops { goes_on_after: CheckSet::EMPTY },
        heads: None,
        rests_on: &[],
        solver: None,
        allowance: None,
        costs_without: None,
    };

    fn is_main(self) -> bool {
        self.entry == "main"
    }
}

/// Whether the interpreter, given nothing but the witness, comes to the same violation.
fn replays(program: &Program, found: &Found, count_all: bool) -> bool {
    // A run that goes on after it need not be run to its end.
    const FIRST_ELEMENTS: u64 = 20_000;
    [FIRST_ELEMENTS, clew_search::LONGEST_RUN]
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

/// What the compiled program says of a violation.
struct Word {
    confirmed: Confirmed,
    note: Option<String>,
}

impl Default for Word {
    fn default() -> Word {
        Word { confirmed: Confirmed::Interpreter(None), note: None }
    }
}

/// The rows of a program and how what engines find maps to them.
struct Finder<'a> {
    program: &'a Program,
    rows: &'a mut Vec<Row>,
    index: BTreeMap<StableId, usize>,
    ids: rows::Ids,
    calls: BTreeMap<Location, Vec<CallRow>>,
    start: Start<'a>,
    arithmetic: Arithmetic,
}

impl<'a> Finder<'a> {
    fn new(program: &'a Program, linked: &'a Linked, rows: &'a mut Vec<Row>, start: Start<'a>) -> Finder<'a> {
        let index = rows.iter().enumerate().map(|(at, row)| (row.id.clone(), at)).collect();
        let mut calls: BTreeMap<Location, Vec<CallRow>> = BTreeMap::new();
        for call in call_rows(linked) {
            let CallRow { function, block, statement, .. } = call;
            calls.entry(Location { function, block, statement }).or_default().push(call);
        }
        let (ids, arithmetic) = (stable_ids(&linked.program), Arithmetic::of(program));
        Finder { program, rows, index, ids, calls, start, arithmetic }
    }

    /// What is open and worth looking at: nothing, if all that is shown is settled; else that and, of what is not shown,
    /// what ends runs, since proofs of others rest on it. Checks that are off by default are not among them.
    fn wanted(&self, shown: CheckSet) -> BTreeSet<Key> {
        let is_unsettled = |row: &&Row| match &row.verdict {
            Verdict::Open(_) => true,
            Verdict::Proved(proof) | Verdict::Unreachable(proof) => !proof.given.is_empty(),
            Verdict::Violated { .. } => false,
        };
        if !self.rows.iter().filter(is_unsettled).any(|row| shown.contains(row.check)) {
            return BTreeSet::new();
        }
        let semantics = self.program.semantics;
        let stops = self.start.stops;
        let is_wanted = |check: &CheckKind| shown.contains(*check) || stops.at(*check, semantics);
        self.goals(CheckSet::by_default().iter().filter(is_wanted).collect())
    }

    /// What is open of some checks.
    fn goals(&self, checks: CheckSet) -> BTreeSet<Key> {
        let is_open = |id: &StableId| {
            self.index.get(id).is_some_and(|at| matches!(self.rows[*at].verdict, Verdict::Open(_)))
        };
        let own = self.program.functions.iter_enumerated().flat_map(|(function, code)| {
            let obligations = code.body.iter().flat_map(|body| body.obligations.iter_enumerated());
            obligations.map(move |(obligation, about)| (function, obligation, about.check))
        });
        let own = own.filter(|(function, obligation, check)| {
            checks.contains(*check) && is_open(&self.ids[*function][*obligation])
        });
        let calls = self.calls.iter().flat_map(|(place, rows)| rows.iter().map(move |row| (place, row)));
        let calls = calls.filter(|(_, row)| checks.contains(row.requirement.check) && is_open(&row.id));
        let calls = calls.map(|(place, row)| Key::Call(*place, row.requirement.check));
        own.map(|(function, obligation, _)| Key::Obligation(function, obligation)).chain(calls).collect()
    }

    /// What is proved, whatever else happens; or what is proved given others.
    fn proved(&self, is_whole: bool) -> BTreeSet<(FuncId, ObligationId)> {
        let is_proved = |id: &StableId| {
            let row = self.index.get(id).map(|at| &self.rows[*at].verdict);
            matches!(row, Some(Verdict::Proved(proof) | Verdict::Unreachable(proof)) if proof.given.is_empty() == is_whole)
        };
        let own = self.program.functions.iter_enumerated().flat_map(|(function, code)| {
            let obligations = code.body.iter().flat_map(|body| body.obligations.indices());
            obligations.map(move |obligation| (function, obligation))
        });
        own.filter(|(function, obligation)| is_proved(&self.ids[*function][*obligation])).collect()
    }

    /// The open rows of what was asked and is proved. What the library asks of a call is proved if the models' obligations
    /// for it are, which speak of all calls.
    fn settled(
        &self,
        linked: &Linked,
        asked: &BTreeSet<Key>,
        proved: &BTreeSet<(FuncId, ObligationId)>,
    ) -> BTreeSet<usize> {
        let is_settled = |key: &&Key| {
            let needed = obligations(linked, key);
            !needed.is_empty() && needed.iter().all(|id| proved.contains(id))
        };
        let ids = asked.iter().filter(is_settled).flat_map(|key| self.names(key));
        let rows = ids.filter_map(|id| self.index.get(&id).copied());
        rows.filter(|at| matches!(self.rows[*at].verdict, Verdict::Open(_))).collect()
    }

    /// Marks open rows as proved by the symbolic engine: given everything that still is not. For those that are not its
    /// own another solver alone vouches, of this name and with this assumption.
    fn prove(&mut self, own: &BTreeSet<usize>, rows: &BTreeSet<usize>, solver: Option<(&str, String)>) {
        // Only what ends a run leaves runs out.
        let (semantics, stops) = (self.program.semantics, self.start.stops);
        let is_left = |(at, row): &(usize, &Row)| {
            stops.at(row.check, semantics)
                && !rows.contains(at)
                && !matches!(row.verdict, Verdict::Proved(_) | Verdict::Unreachable(_))
        };
        let given: Vec<StableId> =
            self.rows.iter().enumerate().filter(is_left).map(|(_, row)| row.id.clone()).collect();
        for at in rows {
            let row = &mut self.rows[*at];
            let word = solver.as_ref().filter(|_| !own.contains(at));
            let by = word.map_or_else(|| "symbolic".to_owned(), |(name, _)| format!("symbolic by {name}"));
            // The engine leaves out what the abstract interpreter has proved, and so rests on what that rests on.
            row.assumptions = self.start.rests_on.to_vec();
            row.assumptions.extend(word.map(|(_, assumption)| assumption.clone()));
            row.verdict = Verdict::Proved(Proof { by, given: given.clone() });
            row.slice = None;
        }
    }

    /// The row that a violation belongs to. A call may have several of one check: that of the argument to blame, unless
    /// only another is open (the model may blame none where the interpreter blames one), or is known to be violated.
    fn row_of(&self, found: &Found) -> Option<usize> {
        match found.key {
            Key::Obligation(function, obligation) => self.index.get(&self.ids[function][obligation]).copied(),
            Key::Call(place, check) => {
                let rows = self.calls.get(&place).into_iter().flatten();
                let of_check: Vec<&CallRow> = rows.filter(|row| row.requirement.check == check).collect();
                let at = |row: &&CallRow| self.index.get(&row.id).copied();
                let blamed = |row: &&&CallRow| {
                    found.finding.argument.is_some() && row.requirement.argument == found.finding.argument
                };
                let is_open = |at: &usize| matches!(self.rows[*at].verdict, Verdict::Open(_));
                let is_told = |at: &usize| matches!(self.rows[*at].verdict, Verdict::Violated { .. });
                let exact = of_check.iter().find(blamed).and_then(at);
                let open = of_check.iter().filter_map(at).find(is_open);
                let told = of_check.iter().filter_map(at).find(is_told);
                exact.filter(is_open).or(open).or(told).or(exact)
            }
        }
    }

    /// Makes rows and messages of violations, after the compiled program was asked, if it is.
    fn tell(
        &mut self,
        found: &[Found],
        shown: CheckSet,
        confirming: Option<&mut Confirming<'_>>,
        violations: &mut Violations,
    ) {
        // What the `main` that clew added does is nobody's fault but clew's: no test of it is kept. What is known to be
        // violated needs no second witness.
        let is_known = |found: &Found| {
            let row = self.row_of(found).map(|at| &self.rows[at].verdict);
            matches!(row, Some(Verdict::Violated { .. }))
        };
        let is_news = |found: &&Found| !self.is_added(found) && !is_known(found);
        let found: Vec<Found> = found.iter().filter(is_news).cloned().collect();
        let said = match confirming {
            Some(confirming) => self.confirm(&found, shown, confirming, violations),
            None => found.iter().map(|_| Some(Word::default())).collect(),
        };
        for (found, word) in found.iter().zip(said) {
            if let Some(word) = word {
                self.believe(found, word, shown, violations);
            }
        }
    }

    /// Asks the compiled program about what is shown. Nothing is said of a witness that it does not follow: that is a
    /// fault of ours, and what the witness speaks of stays open.
    fn confirm(
        &self,
        found: &[Found],
        shown: CheckSet,
        confirming: &mut Confirming<'_>,
        violations: &mut Violations,
    ) -> Vec<Option<Word>> {
        let is_asked = |found: &&Found| shown.contains(found.finding.check);
        let claim = |found: &'_ Found| {
            let id = match self.row_of(found) {
                Some(at) => self.rows[at].id.clone(),
                None => rows::library_id(self.program, found.finding.check, found.finding.span),
            };
            target_of(self.program, id, &found.finding)
        };
        let claims: Vec<Claim<'_>> = found
            .iter()
            .filter(is_asked)
            .map(|found| Claim {
                target: claim(found),
                witness: &found.witness,
                entry: self.start.entry,
                reads_unwritten: self.reads_unwritten(found),
            })
            .collect();
        let answers = match claims.is_empty() {
            true => Some(Vec::new()),
            false => guarded("confirm", || confirming.confirm(&claims)),
        };
        let mut answers =
            answers.unwrap_or_else(|| claims.iter().map(|_| Err(NOT_ASKED.to_owned())).collect()).into_iter();
        let mut word = |found: &Found| {
            if !is_asked(&found) {
                return Some(Word::default());
            }
            let place = self.program.sources.place(found.finding.span);
            let answer = match answers.next()? {
                Ok(answer) => answer,
                Err(why) => {
                    violations.notes.push(format!("{place}: {}: {why}", found.finding.check));
                    return Some(Word::default());
                }
            };
            violations.notes.extend(answer.not_kept.iter().map(|why| format!("a test is not kept: {why}")));
            let Some(confirmed) = verdict_of(&answer.confirmation) else {
                violations.notes.push(format!(
                    "{place}: {}: a witness was {}",
                    found.finding.check,
                    said(&answer.confirmation)
                ));
                return None;
            };
            let kept =
                answer.kept.map_or_else(String::new, |folder| format!(": sh {}/run.sh", folder.display()));
            Some(Word { confirmed, note: Some(said(&answer.confirmation) + &kept) })
        };
        found.iter().map(&mut word).collect()
    }

    /// Whether it happens in what clew added: its `main`, or a function that this hands over.
    fn is_added(&self, found: &Found) -> bool {
        let function = match found.key {
            Key::Obligation(function, _) => function,
            Key::Call(place, _) => place.function,
        };
        let name = &*self.program.functions[function].source_name;
        !self.start.is_main() && (name == "main" || name.starts_with(clew_confirm::driver::PREFIX))
    }

    /// Makes a row of a violation, or a fault of ours where it was proved.
    fn believe(&mut self, found: &Found, word: Word, shown: CheckSet, violations: &mut Violations) {
        let verdict = Verdict::Violated { witness: Some(found.witness.clone()), confirmed: word.confirmed };
        // Several engines may find what no row speaks of: the first makes the row of it.
        let of_library = || rows::library_id(self.program, found.finding.check, found.finding.span);
        let known = self.row_of(found).or_else(|| self.index.get(&of_library()).copied());
        let at = known.unwrap_or_else(|| {
            let row = rows::row_of_finding(self.program, &found.finding, verdict.clone());
            self.index.insert(row.id.clone(), self.rows.len());
            self.rows.push(row);
            self.rows.len() - 1
        });
        let mut message = self.message(found);
        message.notes.extend(word.note.map(Note::plain));
        match &self.rows[at].verdict {
            Verdict::Proved(proof) | Verdict::Unreachable(proof) if !self.is_excused(found, proof) => {
                violations.faults.push(self.contradiction(found, &self.rows[at], proof));
            }
            // What a proof sets aside happened before: the proof says nothing of such runs.
            Verdict::Proved(_) | Verdict::Unreachable(_) => return,
            Verdict::Violated { .. } if known.is_some() => return,
            _ => {}
        }
        let row = &mut self.rows[at];
        row.verdict = verdict;
        row.slice = None;
        row.assumptions = match found.missing.is_empty() {
            true => Vec::new(),
            false => vec!["missing-functions-leave-globals".to_owned()],
        };
        if !self.start.is_main() {
            row.assumptions.push("params-valid-or-null".to_owned());
        }
        let excess = "no-excess-precision";
        if self.arithmetic.rests_on(excess) {
            row.assumptions.push(excess.to_owned());
        }
        if shown.contains(row.check) {
            violations.messages.push((message, self.program.sources.clone()));
        }
    }

    /// Whether the run read memory before that was never written.
    fn reads_unwritten(&self, found: &Found) -> bool {
        let check = |key: &Key| match key {
            Key::Obligation(function, id) => {
                let body = self.program.functions[*function].body.as_ref();
                body.map(|body| body.obligations[*id].check)
            }
            Key::Call(_, check) => Some(*check),
        };
        found.before.iter().any(|key| check(key) == Some(CheckKind::UninitialisedRead))
    }

    /// Whether the run violated before what the proof rests on.
    fn is_excused(&self, found: &Found, proof: &Proof) -> bool {
        let ids = found.before.iter().flat_map(|key| self.names(key));
        ids.into_iter().any(|id| proof.given.contains(&id))
    }

    fn names(&self, key: &Key) -> Vec<StableId> {
        match key {
            Key::Obligation(function, obligation) => vec![self.ids[*function][*obligation].clone()],
            Key::Call(place, check) => {
                let rows = self.calls.get(place).into_iter().flatten();
                rows.filter(|row| row.requirement.check == *check).map(|row| row.id.clone()).collect()
            }
        }
    }

    /// What our solver excludes and another shows to be.
    fn wrong_proof(&self, linked: &Linked, about: &BTreeSet<(FuncId, ObligationId)>, solver: &str) -> String {
        let place = |(function, id): &(FuncId, ObligationId)| {
            let obligation = &linked.program.functions[*function].body.as_ref()?.obligations[*id];
            Some(format!("{}: {}", linked.program.sources.place(obligation.span), obligation.check))
        };
        let places: Vec<String> = about.iter().filter_map(place).take(SHOWN).collect();
        let what = match places.is_empty() {
            true => "that every run is followed".to_owned(),
            false => places.join(", "),
        };
        format!(
            "a fault of clew's own: {what}: {solver} has values for what the built-in solver excludes: nothing that it \
             proves of this program counts\n\
             This is never your program's fault. Please report it with the file and the flags that led here."
        )
    }

    fn contradiction(&self, found: &Found, row: &Row, proof: &Proof) -> String {
        let inputs: Vec<String> = found.witness.inputs.iter().map(shown_input).collect();
        format!(
            "a fault of clew's own: {}: {} was proved by {} (given {} others), and a run violates it: {}; inputs: {}\n\
             This is never your program's fault. Please report it with the file and the flags that led here.",
            row.place,
            row.check,
            proof.by,
            proof.given.len(),
            found.finding.message,
            if inputs.is_empty() { "none".to_owned() } else { inputs.join(", ") }
        )
    }

    fn message(&self, found: &Found) -> Message {
        let stops = clew_checks::after(found.finding.check, self.program.semantics) == After::Stop;
        let level = if stops && !self.start.is_implicit { Level::Error } else { Level::Warning };
        let mut message = finding_message(&found.finding, level, &self.program.sources);
        let mut notes = input_notes(&found.witness);
        let main = self.program.functions.iter().find(|f| &*f.name == "main");
        let takes_some = main.and_then(|f| f.body.as_ref()).is_some_and(|body| body.parameters > 0);
        if takes_some && !found.witness.inputs.iter().any(|input| input.kind == InputKind::Argument) {
            notes.insert(0, Note::plain("with no arguments"));
        }
        notes.extend(found.missing.iter().map(|function| {
            let function = &self.program.functions[*function];
            let writes = if out_parameters(self.program, function).is_empty() { "" } else { " and write" };
            Note::plain(format!(
                "`{}` has no body here and may return{writes} anything",
                function.source_name
            ))
        }));
        if self.start.is_implicit {
            notes.push(Note::plain(format!(
                "callers of `{}` must see to it that this does not happen",
                self.start.entry
            )));
        }
        notes.extend(self.went_on(found));
        notes.append(&mut message.notes);
        Message { notes, ..message }
    }

    /// What the run violated before and went on after, though others end there.
    fn went_on(&self, found: &Found) -> Vec<Note> {
        let passed = found.before.iter().filter_map(|key| {
            let Key::Obligation(function, id) = key else { return None };
            let obligation = &self.program.functions[*function].body.as_ref()?.obligations[*id];
            let is_passed = found.witness.goes_on_after.contains(&obligation.check);
            is_passed.then(|| (obligation.check, self.program.sources.place(obligation.span)))
        });
        let said = passed.map(|(check, place)| {
            let value = match check {
                CheckKind::DivisionByZero => "0",
                CheckKind::SignedOverflow => {
                    "the machine's value: without `-fwrapv` a compiler may do otherwise"
                }
                _ => "the machine's value",
            };
            Note::plain(format!("after {check} at {place}, from where the run goes on with {value}"))
        });
        said.take(SHOWN).collect()
    }
}

fn input_notes(witness: &Witness) -> Vec<Note> {
    let mut notes = Vec::new();
    let mut rest = &witness.inputs[..];
    while let Some(first) = rest.first().filter(|_| notes.len() < SHOWN) {
        let shown = shown_input(first);
        let same = |input: &&Input| input.kind == first.kind && shared(input) == shared(first);
        let count = rest.iter().take_while(same).count();
        let times = match first.kind {
            _ if count == 1 => String::new(),
            InputKind::Written => format!(", and so on to {}", place(&rest[count - 1].name)),
            _ => format!(" ({count} times)"),
        };
        notes.push(Note::plain(format!("with {shown}{times}")));
        rest = &rest[count..];
    }
    if !rest.is_empty() {
        notes.push(Note::plain(format!("... and {} more inputs", rest.len())));
    }
    notes
}

/// What inputs must share to be told in one line: everything, but for elements of the same array.
fn shared(input: &Input) -> (&str, Option<&str>) {
    let name = match input.kind {
        InputKind::Written if place(&input.name).ends_with(']') => input.name.split('[').next(),
        _ => Some(&*input.name),
    };
    (name.unwrap_or_default(), input.value.as_deref())
}

/// The element that a function without a body writes: what stands behind `read(1)`.
fn place(name: &str) -> &str {
    name.split_once(')').map_or("", |(_, place)| place)
}

/// An input in words: `__VERIFIER_nondet_int() = 2147483647 (0x7fffffff)`.
pub fn shown_input(input: &Input) -> String {
    const LONGEST: usize = 60;
    const HEAD: usize = 36;
    const TAIL: usize = 16;
    let value = input.value.as_deref().unwrap_or("?");
    let bits = input.bits.as_deref().unwrap_or("?");
    match input.kind {
        InputKind::Call | InputKind::Time | InputKind::Random => {
            let plain = value.parse::<i128>().is_ok_and(|value| value.unsigned_abs() < 1000);
            let bits = if plain { String::new() } else { format!(" ({bits})") };
            format!("{}() = {value}{bits}", input.name)
        }
        InputKind::Allocation => format!("{}() that {value}", input.name),
        InputKind::Written => written_input(&input.name, value),
        InputKind::Argument
        | InputKind::Stdin
        | InputKind::File
        | InputKind::Environment
        | InputKind::Network
        | InputKind::System
        | InputKind::Unwritten => {
            let bytes = bits.len().saturating_sub(2) / 2;
            let name = match input.kind {
                InputKind::File => format!("the file `{}`", input.name),
                InputKind::Unwritten => unwritten_name(&input.name),
                InputKind::Network => "what every connection sends".to_owned(),
                InputKind::System => format!("the answer to {}()", input.name),
                InputKind::Environment if input.name.starts_with(VARIABLES) => input.name.clone(),
                InputKind::Environment => format!("getenv(\"{}\")", input.name),
                _ => input.name.clone(),
            };
            // Escaped texts are ASCII; of a long one the ends say most.
            match (value.get(..HEAD), value.len().checked_sub(TAIL).and_then(|at| value.get(at..))) {
                (Some(head), Some(tail)) if value.len() > LONGEST => {
                    format!("{name} = {head}...{tail} ({bytes} bytes)")
                }
                _ => format!("{name} = {value}"),
            }
        }
        InputKind::Register => format!("{} that reads as {value} ({bits})", input.name),
        InputKind::Volatile => format!("`{}` that reads as {value} ({bits})", input.name),
        InputKind::Parameter | InputKind::Global => format!("{} = {value} ({bits})", input.name),
    }
}

/// What a function without a body writes, in words: `read(1)` is the number of elements behind its first argument,
/// `read(1)[0].x` a number in one of them.
fn written_input(name: &str, value: &str) -> String {
    let parts = name.split_once('(').and_then(|(function, rest)| Some((function, rest.split_once(')')?)));
    match parts {
        Some((function, (argument, ""))) => {
            let elements = if value == "1" { "element" } else { "elements" };
            format!("{value} {elements} that `{function}` writes through its argument {argument}")
        }
        Some((function, (argument, path))) => {
            format!("{value} that `{function}` writes to {path} of its argument {argument}")
        }
        None => format!("{name} = {value}"),
    }
}

/// What was never written, in words: a local goes by its function, memory of the heap by what allocated it.
fn unwritten_name(name: &str) -> String {
    match name.split_once('.') {
        Some((function, "")) => format!("what is never written of a temporary in `{function}`"),
        Some((function, local)) => format!("what is never written of `{local}` in `{function}`"),
        None => format!("what is never written of the memory from {name}()"),
    }
}
