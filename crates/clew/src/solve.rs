// SPDX-License-Identifier: MIT OR Apache-2.0
//! Asks the symbolic engine about what is open: violations come as witnesses, which the interpreter judges.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use clew_checks::Stops;
use clew_frontend::library::Linked;
use clew_ir::head::Heads;
use clew_ir::location::Location;
use clew_ir::obligation::CheckKind;
use clew_ir::syntax::{FuncId, ObligationId, Program, Semantics};
use clew_ir::witness::Witness;
use clew_report::Effort as Effected;
use clew_search::{Found, Key, LONGEST_RUN, passed, replayed, simplest};
use clew_symbolic::exec::{self, Options};
use clew_symbolic::solver::external::{Ask, Log};
use rustix::time::{ClockId, clock_gettime};

use crate::flags::Part;
use crate::solvers::Outside;
use crate::watch::CANCEL;

/// How hard the engine tries: the bounds of [`Options`], and steps of the interpreter for each of its witnesses.
#[derive(Clone, Copy)]
pub struct Effort {
    steps: u64,
    terms: usize,
    gates: usize,
    conflicts: u32,
    work: u64,
    depth: u32,
    judged: u64,
}

impl Effort {
    /// For an entry that somebody asked for.
    pub const WHOLE: Effort = Effort {
        steps: 30_000,
        terms: 300_000,
        gates: 1_000_000,
        conflicts: 2_000,
        work: 2_000_000,
        depth: 64,
        judged: LONGEST_RUN,
    };
    /// For checks that are off by default.
    pub const MODEST: Effort = Effort {
        steps: 10_000,
        terms: 100_000,
        gates: 300_000,
        conflicts: 1_000,
        work: 200_000,
        depth: 16,
        judged: 200_000,
    };
    /// For an entry that nobody named, of which there may be many.
    pub const SLIGHT: Effort = Effort {
        steps: 4_000,
        terms: 20_000,
        gates: 30_000,
        conflicts: 200,
        work: 60_000,
        depth: 8,
        judged: 200_000,
    };
}

/// What all entries of a program that nobody named may cost together, in statements, terms and clauses: numbers that
/// are the same on every machine.
pub struct Allowance {
    left: AtomicU64,
}

impl Allowance {
    /// For one program: about a second.
    pub fn new() -> Allowance {
        Allowance { left: AtomicU64::new(500_000) }
    }

    fn is_spent(&self) -> bool {
        self.left.load(Ordering::Relaxed) == 0
    }

    fn spend(&self, answer: &exec::Answer) {
        let cost = answer.steps + answer.costs.terms + answer.costs.clauses;
        let left = self.left.load(Ordering::Relaxed).saturating_sub(cost);
        self.left.store(left, Ordering::Relaxed);
    }
}

/// What is asked.
pub struct Question<'a> {
    /// The program as it was before the models came.
    pub program: &'a Program,
    /// The program with its models.
    pub linked: &'a Linked,
    /// What is open.
    pub open: &'a BTreeSet<Key>,
    /// What is proved without conditions.
    pub proved: &'a BTreeSet<(FuncId, ObligationId)>,
    /// What holds at loop heads, if proofs are wanted.
    pub heads: Option<&'a Heads>,
    /// The second solver.
    pub solver: Option<&'a Outside>,
    /// What is proved given others. In no run is it the first to be violated, so it ends none.
    pub given: &'a BTreeSet<(FuncId, ObligationId)>,
    /// Which checks end runs.
    pub stops: Stops,
    /// How hard to try.
    pub effort: Effort,
    /// What the engine may still use up where nobody named the entry.
    pub allowance: Option<&'a Allowance>,
    /// Whether to say what it costs, without these parts.
    pub costs_without: Option<&'a [Part]>,
    /// Whether allocations succeed.
    pub malloc_succeeds: bool,
    /// Whether what was never written stays what it is.
    pub unwritten_stays: bool,
    /// Whether the checks that are off by default are looked at too.
    pub count_all: bool,
}

/// What the engine found out.
#[derive(Default)]
pub struct Solved {
    /// Violations that the interpreter confirmed.
    pub found: Vec<Found>,
    /// Obligations that no run violates, given that those before them hold.
    pub proved: Vec<(FuncId, ObligationId)>,
    /// Those of them for which only the second solver vouches.
    pub borrowed: BTreeSet<(FuncId, ObligationId)>,
    /// What came of asking it.
    pub outside: Log,
    /// What it cost, if that was asked for.
    pub costs: Option<String>,
    /// How often the solver's values did not satisfy what was asked: a fault of ours, which leaves nothing proved.
    pub wrong_models: u64,
    /// Witnesses that the interpreter did not confirm: the check, for a log.
    pub refuted: Vec<CheckKind>,
    /// How far it came.
    pub effort: Effected,
}

impl Solved {
    fn skipped(why: &str) -> Solved {
        Solved { effort: Effected::Skipped(why.to_owned()), ..Solved::default() }
    }
}

/// Walks the program from `main`.
pub fn solve(question: &Question<'_>) -> Solved {
    let Question { linked, open, .. } = question;
    let functions = linked.program.functions.iter_enumerated();
    let Some((main, _)) = { functions }.find(|(_, f)| &*f.name == "main" && f.body.is_some()) else {
        return Solved::skipped("there is no `main`");
    };
    if question.allowance.is_some_and(Allowance::is_spent) {
        return Solved::skipped("entries that nobody names share a limit, which is used up");
    }
    let effort = question.effort;
    let has = |part: Part| question.costs_without.is_none_or(|parts| !parts.contains(&part));
    let mut asked: BTreeSet<(FuncId, ObligationId)> =
        open.iter().flat_map(|key| obligations(linked, key)).collect();
    let mut proved = BTreeSet::new();
    for (part, set) in [(Part::Proved, question.proved), (Part::Given, question.given)] {
        if has(part) { proved.extend(set) } else { asked.extend(set) }
    }
    let judged = Mutex::new(Judged { found: Vec::new(), seen: BTreeSet::new() });
    let judge = |claimed: &[exec::Found]| judge(question, &judged, claimed);
    let ask = question.solver.map(|solver| move |script: &str| solver.ask(script));
    let stops = |check: CheckKind, semantics: Semantics| question.stops.at(check, semantics);
    let options = Options {
        models: &linked.models,
        open: &asked,
        proved: &proved,
        stops: &stops,
        is_answered: |name| clew_interpreter::libc::lookup_closed(name).is_some(),
        // That the stack suffices is assumed of every run.
        is_silent: |check| check == CheckKind::StackExhausted,
        judge: Some(&judge),
        heads: question.heads.filter(|_| has(Part::Invariants)),
        forks: has(Part::Forks),
        summaries: has(Part::Summaries),
        // They only prove.
        slices: has(Part::Slices) && question.heads.is_some() && question.allowance.is_none(),
        narrows: has(Part::Narrowing),
        prunes: has(Part::Pointers),
        malloc_succeeds: question.malloc_succeeds,
        unwritten_stays: question.unwritten_stays,
        most_steps: effort.steps,
        most_terms: effort.terms,
        most_gates: effort.gates,
        conflicts: effort.conflicts,
        most_work: effort.work,
        most_depth: effort.depth,
        cancelled: Some(CANCEL.clone()),
        outside: ask.as_ref().map(|ask| ask as Ask<'_>),
    };
    let before = clock_gettime(ClockId::ProcessCPUTime);
    let answer = exec::find(&linked.program, main, &options);
    let spent = clock_gettime(ClockId::ProcessCPUTime) - before;
    if let Some(allowance) = question.allowance {
        allowance.spend(&answer);
    }
    let costs = question.costs_without.map(|_| {
        let exec::Costs { executions, terms, queries, variables, clauses, pruned, .. } = answer.costs;
        format!(
            "solving took {executions} walks, {} steps, {terms} terms, {queries} questions, {variables} variables, \
             {clauses} clauses, {} ms; depth {}, {} unanswered, cut {:?}, {} violated, {} proved of {}, {} by slices \
             that stepped over {} parts, {pruned} cases of pointers dropped",
            answer.steps,
            spent.tv_sec * 1000 + spent.tv_nsec / 1_000_000,
            answer.depth,
            answer.unanswered,
            answer.cut,
            answer.violated.len(),
            answer.proved.len(),
            asked.len(),
            answer.sliced,
            answer.stepped_over
        )
    });
    let refuted = answer
        .refuted
        .iter()
        .filter_map(|found| check_of(linked, found.subject.function, found.subject.obligation))
        .collect();
    let found = judged.into_inner().unwrap_or_else(PoisonError::into_inner).found;
    let is_decided = answer.violated.len() + answer.proved.len() >= asked.len();
    Solved {
        effort: if is_decided { Effected::Done } else { left_out(&answer) },
        found,
        proved: answer.proved,
        borrowed: answer.borrowed,
        outside: answer.outside,
        costs,
        wrong_models: answer.costs.wrong_models,
        refuted,
    }
}

/// Why the engine left something open.
fn left_out(answer: &exec::Answer) -> Effected {
    let mut why: Vec<&str> = answer.cut.iter().map(|reason| reason.in_words()).collect();
    if answer.unanswered > 0 {
        why.push("questions that are too hard");
    }
    if why.is_empty() { Effected::Done } else { Effected::GaveUp(why.join(", ")) }
}

/// What runs have shown so far.
struct Judged {
    found: Vec<Found>,
    seen: BTreeSet<Key>,
}

/// Runs the inputs of violations in the interpreter, and keeps all that happens there.
fn judge(question: &Question<'_>, judged: &Mutex<Judged>, claimed: &[exec::Found]) -> Vec<bool> {
    let Some(first) = claimed.first() else { return Vec::new() };
    let effort = clew_search::Effort {
        count_all: question.count_all,
        steps: question.effort.judged,
        cancelled: CANCEL.clone(),
    };
    let goes_on_after: Vec<CheckKind> = question.stops.goes_on_after.iter().collect();
    let witness = Witness { goes_on_after: goes_on_after.clone(), ..first.witness.clone() };
    let mut found = replayed(question.program, &witness, &effort);
    for found in &mut found {
        found.witness.goes_on_after = passed(question.program, &goes_on_after, &found.before);
    }
    let happens = |claim: &exec::Found| found.iter().any(|found| found.key == key_of(question.linked, claim));
    let happens = claimed.iter().map(happens).collect();
    let Judged { found: all, seen } = &mut *judged.lock().unwrap_or_else(PoisonError::into_inner);
    let news = found.into_iter().filter(|found| seen.insert(found.key));
    all.extend(news.map(|found| simplest(question.program, found, &effort)));
    happens
}

/// What the interpreter calls a violation.
fn key_of(linked: &Linked, violation: &exec::Found) -> Key {
    let exec::Found { subject, .. } = violation;
    match (subject.call, check_of(linked, subject.function, subject.obligation)) {
        (Some(Location { function, block, statement }), Some(check)) => {
            Key::Call(Location { function, block, statement }, check)
        }
        _ => Key::Obligation(subject.function, subject.obligation),
    }
}

fn check_of(linked: &Linked, function: FuncId, id: ObligationId) -> Option<CheckKind> {
    linked.program.functions[function].body.as_ref().map(|body| body.obligations[id].check)
}

/// The obligations that stand for what is open: a call's are those of the models that it may lead into.
pub fn obligations(linked: &Linked, key: &Key) -> Vec<(FuncId, ObligationId)> {
    match key {
        Key::Obligation(function, obligation) => vec![(*function, *obligation)],
        Key::Call(place, check) => linked.asked_at((place.function, place.block, place.statement), *check),
    }
}
