// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the events of an execution say together: which obligations some run violates first, and which none does.
//!
//! A run ends at the first obligation that it violates (if that one stops runs) and does not count once an assumption
//! fails. Events are in the order of every run, so "this one is the first" is a chain: nothing before it happened.
//! One query asks for all open obligations at once; a model is one run, which says by itself what it violates.
//!
//! Witnesses are sought among the runs that the execution followed exactly from their start to their end, none of whose
//! assumptions fails: the interpreter does the same. What only other runs violate is a guess, which nobody hears of
//! unless the judge confirms it. Proofs are about all runs.

mod chain;
pub(crate) mod second_opinion;
mod witness;

use std::collections::{BTreeMap, BTreeSet};

use clew_ir::location::ObligationRef;
use clew_ir::syntax::{FuncId, ObligationId};
use clew_ir::witness::InputKind;

use crate::effort::{MOST_UNANSWERED, SINGLE_QUERY_SHARE};
use crate::exec::context::Exec;
use crate::exec::query::second_opinion::{Excluded, Means, second_opinion};
use crate::exec::record::event::{Reason, Shows};
use crate::exec::record::input::Read;
use crate::exec::request::{Found, Judge};
use crate::solver::external::Settled;
use crate::solver::{Answer, Limits, Reason as Unknown, Solver};
use crate::term::evaluate::{Model, evaluate};
use crate::term::{TermId, Terms};
use chain::{Candidate, Chain, chain};
use witness::witness;

/// What one execution says.
#[derive(Default)]
pub(crate) struct Verdicts {
    /// Obligations that a run violates.
    pub violated: Vec<Found>,
    /// Violations that the judge does not confirm, though they were followed exactly.
    pub refuted: Vec<Found>,
    /// Open obligations that no run of the execution violates.
    pub held: BTreeSet<(FuncId, ObligationId)>,
    /// Those of them for which only the solver outside vouches.
    pub borrowed: BTreeSet<(FuncId, ObligationId)>,
    /// Why runs were not followed or not exactly; empty if there is none that is possible.
    pub cuts: BTreeSet<Reason>,
    /// Queries that the solver did not answer.
    pub unanswered: u64,
}

/// An answer of our solver, or of the one outside.
enum SolverAnswer {
    Sat(Model),
    Unsat { borrowed: bool },
    Unknown(Unknown),
}

/// How far the models of a query are to be believed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trust {
    /// They are runs.
    Exact,
    /// They are runs up to the violation; behind it an assumption may fail.
    Likely,
    /// They may be runs.
    Guess,
    /// They show what is not proved.
    Proof,
}

impl Trust {
    fn term(self, candidate: &Candidate) -> TermId {
        match self {
            Trust::Likely => candidate.sure,
            _ => candidate.first,
        }
    }
}

/// Asks about everything that an execution noted down.
pub(crate) fn ask(exec: &mut Exec<'_>, known: &BTreeSet<ObligationRef>, means: &mut Means<'_>) -> Verdicts {
    ask_forked(exec, known, means, &[]).0
}

/// The same of an execution that takes one side of some branches, and which of the sides that it missed a run can take.
pub(crate) fn ask_forked(
    exec: &mut Exec<'_>,
    known: &BTreeSet<ObligationRef>,
    means: &mut Means<'_>,
    missed: &[TermId],
) -> (Verdicts, Vec<bool>) {
    let chain = chain(exec);
    let open = exec.eval.encoder.facts.options.open;
    let mut asking = Asking::new(exec, known, means);
    asking.violations(&chain);
    asking.conclude(&chain, open);
    asking.cuts(&chain);
    let possible = missed.iter().map(|side| asking.is_possible(*side)).collect();
    asking.confirm();
    (asking.close(), possible)
}

/// Asks what runs of an execution violate, and nothing else.
pub(crate) fn ask_violated(
    exec: &mut Exec<'_>,
    known: &BTreeSet<ObligationRef>,
    means: &mut Means<'_>,
) -> Vec<Found> {
    let chain = chain(exec);
    let mut asking = Asking::new(exec, known, means);
    asking.violations(&chain);
    asking.close().violated
}

/// Asks what holds in every run of an execution that follows more than there are. Nothing, if one may be cut.
pub(crate) fn prove(exec: &mut Exec<'_>, known: &BTreeSet<ObligationRef>, means: &mut Means<'_>) -> Verdicts {
    let chain = chain(exec);
    let open = exec.eval.encoder.facts.options.open;
    let mut asking = Asking::new(exec, known, means);
    asking.cuts(&chain);
    if asking.verdicts.cuts.is_empty() {
        let all: Vec<&Candidate> = chain.candidates.iter().collect();
        let everything = asking.terms.bool(true);
        asking.ask(&all, everything, Trust::Proof);
        asking.conclude(&chain, open);
        asking.confirm();
    }
    asking.close()
}

struct Asking<'a, 'o> {
    terms: &'a mut Terms,
    inputs: &'a [Read],
    solver: Solver,
    limits: Limits,
    judge: Option<Judge<'a>>,
    means: &'a mut Means<'o>,
    /// One bit: the run is a likely one.
    wished: TermId,
    /// One bit: it starts as most runs do.
    usual: TermId,
    /// What proofs rest on.
    excluded: Vec<Excluded>,
    /// What needs no more queries.
    done: BTreeSet<ObligationRef>,
    /// What may be violated, whether or not a run shows it.
    unproved: BTreeSet<(FuncId, ObligationId)>,
    verdicts: Verdicts,
}

impl<'a, 'o> Asking<'a, 'o> {
    fn new(
        exec: &'a mut Exec<'_>,
        known: &BTreeSet<ObligationRef>,
        means: &'a mut Means<'o>,
    ) -> Asking<'a, 'o> {
        means.costs.pruned += exec.eval.record.pruned;
        Asking {
            limits: Limits {
                conflicts: Some(exec.eval.encoder.facts.options.conflicts),
                gates: exec.eval.encoder.facts.options.most_gates,
                cancelled: exec.eval.encoder.facts.options.cancelled.clone(),
            },
            judge: exec.eval.encoder.facts.options.judge,
            unproved: exec.eval.record.unjudged.clone(),
            wished: exec.eval.encoder.terms.all(&exec.eval.record.wishes),
            usual: exec.eval.encoder.terms.all(&exec.eval.record.usual),
            terms: &mut exec.eval.encoder.terms,
            inputs: &exec.eval.record.inputs,
            solver: Solver::new(),
            means,
            excluded: Vec::new(),
            done: known.clone(),
            verdicts: Verdicts::default(),
        }
    }

    /// What was found out, with what it cost.
    fn close(self) -> Verdicts {
        let size = self.solver.size();
        let costs = &mut self.means.costs;
        costs.executions += 1;
        costs.terms += self.terms.len() as u64;
        costs.variables += size.variables;
        costs.clauses += size.clauses;
        self.verdicts
    }

    /// Finds violations: first those of runs that are followed exactly, start as usual, and in which every allocation
    /// succeeds.
    fn violations(&mut self, chain: &Chain) {
        let mut calm = self.usual;
        for read in self.inputs.iter().filter(|read| read.kind == InputKind::Allocation) {
            let succeeds = self.terms.implies(read.guard, read.terms[0]);
            calm = self.terms.and(calm, succeeds);
        }
        let exact = self.terms.and(chain.counts, chain.exact);
        let calm = self.terms.and(exact, calm);
        let everything = self.terms.bool(true);
        let all: Vec<&Candidate> = chain.candidates.iter().collect();
        let shown: Vec<&Candidate> = chain.candidates.iter().filter(|c| c.shows == Shows::Always).collect();
        let guessed: Vec<&Candidate> = chain.candidates.iter().filter(|c| c.shows != Shows::Never).collect();
        let is_exact = self.terms.is_true(chain.exact) && guessed.len() == shown.len();
        let fitting = self.terms.and(chain.counts, self.wished);
        let fitting = self.terms.and(fitting, self.usual);
        let phases = [
            (calm, Trust::Exact),
            (exact, Trust::Exact),
            (chain.counts, Trust::Likely),
            (fitting, Trust::Guess),
            (chain.counts, Trust::Guess),
        ];
        let (mut asked, mut gave_up) = (None, false);
        for (condition, trust) in phases {
            let is_new = match trust {
                Trust::Exact => !self.terms.is_false(condition),
                Trust::Guess => self.judge.is_some() && !is_exact,
                _ => self.judge.is_some() && !self.terms.is_true(chain.exact),
            };
            if !is_new || asked == Some((condition, trust)) {
                continue;
            }
            asked = Some((condition, trust));
            // Where the solver gives up, weaker queries are no easier.
            let asked = if trust == Trust::Guess { &guessed } else { &shown };
            if !self.ask(asked, condition, trust) {
                gave_up = true;
                break;
            }
        }
        if gave_up {
            let mut noted = self.done.clone();
            self.one_by_one(&all, everything, Trust::Proof, &mut noted);
        } else if asked.is_none_or(|(condition, trust)| condition != everything || trust == Trust::Likely)
            || shown.len() < all.len()
        {
            self.ask(&all, everything, Trust::Proof);
        }
    }

    /// Asks the solver, within what is left of the work, and where it gives up the one outside. A query may cost so
    /// many times less than others.
    fn check(&mut self, assumptions: &[TermId], less: u32) -> SolverAnswer {
        let why = match self.check_ourselves(assumptions, less) {
            Answer::Sat(model) => return SolverAnswer::Sat(model),
            Answer::Unsat(_) => return SolverAnswer::Unsat { borrowed: false },
            Answer::Unknown(why) => why,
        };
        let outside = self.means.outside.as_mut().filter(|_| why.is_limit());
        match outside.map(|outside| outside.settle(self.terms, assumptions)) {
            Some(Settled::Sat(model)) => SolverAnswer::Sat(model),
            Some(Settled::Unsat) => SolverAnswer::Unsat { borrowed: true },
            Some(Settled::Unknown) | None => SolverAnswer::Unknown(why),
        }
    }

    fn check_ourselves(&mut self, assumptions: &[TermId], less: u32) -> Answer {
        if self.means.work == 0 {
            return Answer::Unknown(Unknown::Gates);
        }
        let limits = Limits {
            conflicts: self.limits.conflicts.map(|conflicts| conflicts / less + 1),
            ..self.limits.clone()
        };
        let answer = self.solver.check(self.terms, assumptions, &limits);
        let cost = 1 + self.solver.gates() as u64 / u64::from(less);
        self.means.work = self.means.work.saturating_sub(cost);
        self.means.costs.queries += 1;
        self.means.costs.wrong_models += u64::from(matches!(answer, Answer::Unknown(Unknown::WrongModel)));
        answer
    }

    /// Asks until there are no more violations, or the solver gives up: `false`.
    fn ask(&mut self, candidates: &[&Candidate], condition: TermId, trust: Trust) -> bool {
        let mut noted = self.done.clone();
        loop {
            let open: Vec<&Candidate> =
                candidates.iter().filter(|c| !noted.contains(&c.subject)).copied().collect();
            if open.is_empty() {
                return true;
            }
            let firsts: Vec<TermId> = open.iter().map(|candidate| trust.term(candidate)).collect();
            let any = self.terms.any(&firsts);
            match self.check(&[any, condition], 1) {
                SolverAnswer::Sat(model) => self.note(&open, &model, trust, &mut noted),
                SolverAnswer::Unsat { borrowed } => {
                    self.hold([any, condition], trust, borrowed, open.iter().map(|c| c.subject));
                    return true;
                }
                SolverAnswer::Unknown(why) => {
                    self.verdicts.unanswered += 1;
                    if why == Unknown::Conflicts {
                        self.one_by_one(&open, condition, trust, &mut noted);
                    }
                    return false;
                }
            }
        }
    }

    /// Each obligation by itself, where all together are too hard.
    fn one_by_one(
        &mut self,
        candidates: &[&Candidate],
        condition: TermId,
        trust: Trust,
        noted: &mut BTreeSet<ObligationRef>,
    ) {
        let mut subjects: BTreeMap<ObligationRef, Vec<TermId>> = BTreeMap::new();
        for candidate in candidates {
            subjects.entry(candidate.subject).or_default().push(trust.term(candidate));
        }
        let mut unsure = 0;
        for (subject, firsts) in subjects {
            if noted.contains(&subject) {
                continue;
            }
            if unsure >= MOST_UNANSWERED {
                self.unproved.insert(subject.at_any_call());
                continue;
            }
            let any = self.terms.any(&firsts);
            match self.check(&[any, condition], SINGLE_QUERY_SHARE) {
                SolverAnswer::Sat(model) => self.note(candidates, &model, trust, noted),
                SolverAnswer::Unsat { borrowed } => {
                    self.hold([any, condition], trust, borrowed, std::iter::once(subject));
                }
                SolverAnswer::Unknown(_) => {
                    self.verdicts.unanswered += 1;
                    unsure += 1;
                    self.unproved.insert(subject.at_any_call());
                }
            }
        }
    }

    /// No run of a query, under a condition, violates these: a proof, if it was about all runs.
    fn hold(
        &mut self,
        [any, condition]: [TermId; 2],
        trust: Trust,
        borrowed: bool,
        subjects: impl Iterator<Item = ObligationRef>,
    ) {
        if trust != Trust::Likely && self.terms.is_true(condition) {
            let about: BTreeSet<_> = subjects.map(|subject| subject.at_any_call()).collect();
            self.verdicts.held.extend(&about);
            self.excluded.push(Excluded { query: vec![any, condition], about, cut: None, borrowed });
        }
    }

    /// Has the solver outside look at what proofs rest on.
    fn confirm(&mut self) {
        if let Some(outside) = &mut self.means.outside {
            second_opinion(&mut self.verdicts, std::mem::take(&mut self.excluded), self.terms, outside);
        }
    }

    /// What the run of a model violates.
    fn note(
        &mut self,
        candidates: &[&Candidate],
        model: &Model,
        trust: Trust,
        noted: &mut BTreeSet<ObligationRef>,
    ) {
        let roots: Vec<TermId> = candidates.iter().map(|candidate| trust.term(candidate)).collect();
        let truths = evaluate(self.terms, model, &roots);
        let violated = candidates.iter().zip(&truths).filter(|(_, truth)| truth.bits() == 1);
        let subjects: Vec<ObligationRef> = violated
            .map(|(candidate, _)| candidate.subject)
            .filter(|subject| noted.insert(*subject))
            .collect();
        self.unproved.extend(subjects.iter().map(|subject| subject.at_any_call()));
        if trust == Trust::Proof {
            return;
        }
        let witness = witness(self.terms, self.inputs, model);
        let found = |subject| Found { subject, witness: witness.clone() };
        let found: Vec<Found> = subjects.iter().copied().map(found).collect();
        let happens = self.judge.map_or_else(|| vec![true; found.len()], |judge| judge(&found));
        for ((found, happens), subject) in found.into_iter().zip(happens).zip(subjects) {
            if happens {
                self.verdicts.violated.push(found);
            } else if trust == Trust::Exact {
                self.verdicts.refuted.push(found);
            }
            if happens || trust == Trust::Exact {
                self.done.insert(subject);
            }
        }
    }

    /// What no run of the execution violates.
    fn conclude(&mut self, chain: &Chain, open: &BTreeSet<(FuncId, ObligationId)>) {
        // An obligation without a candidate is violated by no run of the execution.
        let asked: BTreeSet<_> = chain.candidates.iter().map(|c| c.subject.at_any_call()).collect();
        self.verdicts.held.extend(open.iter().filter(|id| !asked.contains(id)));
        self.verdicts.held.retain(|id| !self.unproved.contains(id));
    }

    /// Whether a run may take a side of a branch. That none does is something that all proofs rest on.
    fn is_possible(&mut self, side: TermId) -> bool {
        if !matches!(self.check_ourselves(&[side], SINGLE_QUERY_SHARE), Answer::Unsat(_)) {
            return true;
        }
        let (query, about, cut) = (vec![side], BTreeSet::new(), Some(Reason::Budget));
        self.excluded.push(Excluded { query, about, cut, borrowed: false });
        false
    }

    /// Which cuts a run can come to.
    fn cuts(&mut self, chain: &Chain) {
        let mut reasons: BTreeMap<Reason, Vec<TermId>> = BTreeMap::new();
        for (why, first) in &chain.cuts {
            reasons.entry(*why).or_default().push(*first);
        }
        for (why, firsts) in reasons {
            let any = self.terms.any(&firsts);
            // A solver that gave up on the queries is not asked whether the answers would have been exact.
            let is_hopeless = self.verdicts.unanswered > 0;
            match if is_hopeless { None } else { Some(self.check(&[any], 1)) } {
                Some(SolverAnswer::Unsat { borrowed }) => {
                    let query = vec![any];
                    self.excluded.push(Excluded { query, about: BTreeSet::new(), cut: Some(why), borrowed });
                }
                _ => drop(self.verdicts.cuts.insert(why)),
            }
        }
    }
}
