// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the events of a walk say together: which obligations some run violates first, and which none does.
//!
//! A run ends at the first obligation that it violates (if that one stops runs) and does not count once an assumption
//! fails. Events are in the order of every run, so "this one is the first" is a chain: nothing before it happened.
//! One question asks for all open obligations at once; a model is one run, which says by itself what it violates.

use std::collections::{BTreeMap, BTreeSet};

use clew_ir::syntax::{FuncId, ObligationId};
use clew_ir::witness::{Input, InputKind, VERSION, Witness};

use super::engine::{EventKind, Exec, Read, Reason};
use super::{Found, Place};
use crate::evaluate::{Model, evaluate};
use crate::solver::{Answer, Limits, Reason as Unknown, Solver};
use crate::term::{TermId, Terms};

/// How much less a question about one obligation may cost than one about all.
const FEWER: u32 = 10;

/// How many obligations may go without an answer before no more is asked.
const MOST_UNANSWERED: usize = 8;

/// An obligation with the call of the library that it stands in.
pub(super) type Subject = (FuncId, ObligationId, Option<Place>);

/// What one walk says.
#[derive(Default)]
pub(super) struct Verdicts {
    /// Obligations that a run violates.
    pub violated: Vec<Found>,
    /// Open obligations that no run of the walk violates.
    pub held: BTreeSet<(FuncId, ObligationId)>,
    /// Why runs were not followed or not exactly; empty if there is none that is possible.
    pub cuts: BTreeSet<Reason>,
    /// Questions that the solver did not answer.
    pub unanswered: u64,
}

/// A check that may be the first to be violated.
struct Candidate {
    subject: Subject,
    /// One bit: it is violated, and nothing before it ended the run.
    first: TermId,
}

/// Asks about everything that a walk noted down.
pub(super) fn ask(exec: &mut Exec<'_>, known: &BTreeSet<Subject>) -> Verdicts {
    let (candidates, cuts) = chain(exec);
    let mut asking = Asking {
        terms: &mut exec.terms,
        inputs: &exec.inputs,
        solver: Solver::new(),
        limits: Limits {
            conflicts: Some(exec.options.conflicts),
            gates: exec.options.most_gates,
            cancelled: exec.options.cancelled.clone(),
        },
        done: known.clone(),
        verdicts: Verdicts::default(),
    };
    asking.violations(&candidates);
    let open = exec.options.open.iter().filter(|id| !exec.unjudged.contains(id)).copied();
    asking.conclude(open, &candidates, cuts, &exec.unjudged);
    asking.verdicts
}

/// The open checks and the cuts, each with the condition that a run comes to it.
fn chain(exec: &mut Exec<'_>) -> (Vec<Candidate>, Vec<(Reason, TermId)>) {
    let terms = &mut exec.terms;
    let mut going = terms.bool(true);
    let (mut candidates, mut cuts) = (Vec::new(), Vec::new());
    for event in &exec.events {
        let first = terms.and(going, event.happens);
        if terms.is_false(first) {
            continue;
        }
        let ends = match &event.kind {
            EventKind::Check { function, obligation, call, stops, is_open } => {
                if *is_open {
                    candidates.push(Candidate { subject: (*function, *obligation, *call), first });
                }
                *stops
            }
            EventKind::Assume => true,
            EventKind::Cut(why) => {
                cuts.push((*why, first));
                false
            }
        };
        if ends {
            let not = terms.not(event.happens);
            going = terms.and(going, not);
        }
    }
    (candidates, cuts)
}

struct Asking<'a> {
    terms: &'a mut Terms,
    inputs: &'a [Read],
    solver: Solver,
    limits: Limits,
    done: BTreeSet<Subject>,
    verdicts: Verdicts,
}

impl Asking<'_> {
    /// Finds violations: first those of runs in which every allocation succeeds.
    fn violations(&mut self, candidates: &[Candidate]) {
        let mut calm = self.terms.bool(true);
        for read in self.inputs.iter().filter(|read| read.kind == InputKind::Allocation) {
            let succeeds = self.terms.implies(read.guard, read.terms[0]);
            calm = self.terms.and(calm, succeeds);
        }
        if !self.terms.is_true(calm) {
            self.violations_if(candidates, calm);
        }
        self.verdicts.held.clear();
        let always = self.terms.bool(true);
        self.violations_if(candidates, always);
    }

    /// Finds violations until there are no more, or the solver gives up.
    fn violations_if(&mut self, candidates: &[Candidate], condition: TermId) {
        loop {
            let open: Vec<&Candidate> =
                candidates.iter().filter(|c| !self.done.contains(&c.subject)).collect();
            if open.is_empty() {
                return;
            }
            let firsts: Vec<TermId> = open.iter().map(|candidate| candidate.first).collect();
            let any = self.terms.any(&firsts);
            match self.solver.check(self.terms, &[any, condition], &self.limits) {
                Answer::Sat(model) => self.note(&open, &model),
                Answer::Unsat(_) => {
                    self.verdicts.held.extend(open.iter().map(|c| (c.subject.0, c.subject.1)));
                    return;
                }
                Answer::Unknown(why) => {
                    self.verdicts.unanswered += 1;
                    if why == Unknown::Conflicts {
                        self.one_by_one(&open, condition);
                    }
                    return;
                }
            }
        }
    }

    /// Each obligation by itself, where all together are too hard.
    fn one_by_one(&mut self, candidates: &[&Candidate], condition: TermId) {
        let mut subjects: BTreeMap<Subject, Vec<TermId>> = BTreeMap::new();
        for candidate in candidates {
            subjects.entry(candidate.subject).or_default().push(candidate.first);
        }
        let mut unsure = BTreeSet::new();
        let mut held = BTreeSet::new();
        let limits = Limits {
            conflicts: self.limits.conflicts.map(|conflicts| conflicts / FEWER + 1),
            ..self.limits.clone()
        };
        for (subject, firsts) in subjects {
            if self.done.contains(&subject) {
                continue;
            }
            if unsure.len() >= MOST_UNANSWERED {
                unsure.insert((subject.0, subject.1));
                continue;
            }
            let any = self.terms.any(&firsts);
            match self.solver.check(self.terms, &[any, condition], &limits) {
                Answer::Sat(model) => self.note(candidates, &model),
                Answer::Unsat(_) => {
                    held.insert((subject.0, subject.1));
                }
                Answer::Unknown(_) => {
                    self.verdicts.unanswered += 1;
                    unsure.insert((subject.0, subject.1));
                }
            }
        }
        self.verdicts.held.extend(held.difference(&unsure));
    }

    /// What the run of a model violates.
    fn note(&mut self, candidates: &[&Candidate], model: &Model) {
        let roots: Vec<TermId> = candidates.iter().map(|candidate| candidate.first).collect();
        let truths = evaluate(self.terms, model, &roots);
        let witness = self.witness(model);
        for (candidate, truth) in candidates.iter().zip(&truths) {
            if truth.bits() == 1 && self.done.insert(candidate.subject) {
                let (function, obligation, call) = candidate.subject;
                self.verdicts.violated.push(Found { function, obligation, call, witness: witness.clone() });
            }
        }
    }

    /// The inputs that a run reads, in its order.
    fn witness(&self, model: &Model) -> Witness {
        let terms = self.inputs.iter().flat_map(|read| std::iter::once(&read.guard).chain(&read.terms));
        let roots: Vec<TermId> = terms.copied().collect();
        let values = evaluate(self.terms, model, &roots);
        let mut values = values.iter().map(|value| value.bits());
        let mut inputs = Vec::new();
        for read in self.inputs {
            let is_read = values.next() == Some(1);
            let own: Vec<u128> = values.by_ref().take(read.terms.len()).collect();
            if is_read {
                let (bits, value) = read.shape.show(&own);
                let (kind, name) = (read.kind, read.name.clone());
                inputs.push(Input { kind, name, bits: Some(bits), value: Some(value) });
            }
        }
        Witness { version: VERSION, inputs, trace: Vec::new() }
    }

    /// Which cuts a run can come to, and what holds if none can.
    fn conclude(
        &mut self,
        open: impl Iterator<Item = (FuncId, ObligationId)>,
        candidates: &[Candidate],
        cuts: Vec<(Reason, TermId)>,
        unjudged: &BTreeSet<(FuncId, ObligationId)>,
    ) {
        // An obligation without a candidate is violated by no run of the walk.
        let asked: BTreeSet<_> = candidates.iter().map(|c| (c.subject.0, c.subject.1)).collect();
        self.verdicts.held.extend(open.filter(|id| !asked.contains(id)));
        self.verdicts.held.retain(|id| !unjudged.contains(id));
        for found in &self.verdicts.violated {
            self.verdicts.held.remove(&(found.function, found.obligation));
        }
        let mut reasons: BTreeMap<Reason, Vec<TermId>> = BTreeMap::new();
        for (why, first) in cuts {
            reasons.entry(why).or_default().push(first);
        }
        for (why, firsts) in reasons {
            let any = self.terms.any(&firsts);
            // A solver that gave up on the questions is not asked whether the answers would have been exact.
            let is_hopeless = self.verdicts.unanswered > 0;
            if is_hopeless || !matches!(self.solver.check(self.terms, &[any], &self.limits), Answer::Unsat(_))
            {
                self.verdicts.cuts.insert(why);
            }
        }
    }
}
