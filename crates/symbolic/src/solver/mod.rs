// SPDX-License-Identifier: MIT OR Apache-2.0
//! Satisfiability of terms: circuits to clauses, CaDiCaL for the search, and no model believed unchecked.
//!
//! A solver is incremental. What is asserted stays; assumptions hold for one query. Only the gates that a
//! query needs are given to CaDiCaL, each once. Work is counted in conflicts, not in seconds, so that answers
//! are the same on every machine; a hook ends a search from outside.

pub mod external;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustc_hash::FxHashMap;

use crate::blast::Blaster;
use crate::blast::gates::{Lit, solver_literal};
use crate::blast::word::Word;
use crate::effort::{MOST_PATIENCE, SMALL_CIRCUIT};
use crate::term::evaluate::{ArrayValue, Model, Value, evaluate};
use crate::term::{TermId, Terms, VarId};

/// What a query may cost.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Conflicts of the search in a large circuit, if there is a limit. They cost the less the smaller it is, so in small
    /// ones there are more.
    pub conflicts: Option<u32>,
    /// Gates of all circuits of the solver together.
    pub gates: usize,
    /// Ends the search soon after it is set.
    pub cancelled: Option<Arc<AtomicBool>>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { conflicts: None, gates: 20_000_000, cancelled: None }
    }
}

/// An answer.
#[derive(Clone, Debug)]
pub enum Answer {
    /// There are values for which everything holds; these, evaluated to be sure. Variables without a value may
    /// have any.
    Sat(Model),
    /// There are none. These assumptions alone (with what is asserted) suffice for that.
    Unsat(Vec<TermId>),
    /// Not known.
    Unknown(Reason),
}

/// Why there is no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The conflicts were used up.
    Conflicts,
    /// The circuit is too large.
    Gates,
    /// Ended from outside.
    Cancelled,
    /// The solver's model does not satisfy the terms: a bug of ours, and nothing to build on.
    WrongModel,
}

impl Reason {
    /// Whether the query was too hard for us.
    pub fn is_limit(self) -> bool {
        matches!(self, Reason::Conflicts | Reason::Gates)
    }
}

/// What CaDiCaL asks now and then.
struct Hook {
    cancelled: Option<Arc<AtomicBool>>,
}

impl cadical::Callbacks for Hook {
    fn terminate(&mut self) -> bool {
        self.cancelled.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

/// An incremental solver for the terms of one arena.
#[derive(Default)]
pub struct Solver {
    blaster: Blaster,
    sat: cadical::Solver<Hook>,
    /// Gates that the solver knows.
    emitted: Vec<bool>,
    /// Reads of array variables that it knows.
    reads: usize,
    /// Terms demanded for all queries, and how many of them CaDiCaL knows.
    asserted: Vec<TermId>,
    demanded: usize,
    size: Size,
}

/// What CaDiCaL was given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Size {
    /// Variables.
    pub variables: u64,
    /// Clauses.
    pub clauses: u64,
}

impl Solver {
    /// A solver that knows nothing yet.
    pub fn new() -> Solver {
        Solver::default()
    }

    /// Demands a one-bit term for all queries to come.
    pub fn assert(&mut self, term: TermId) {
        self.asserted.push(term);
    }

    /// How many gates there are, known to CaDiCaL or not.
    pub fn gates(&self) -> usize {
        self.blaster.gates.len()
    }

    /// What CaDiCaL was given so far.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Whether all asserted terms and all assumptions can hold at once.
    pub fn check(&mut self, terms: &Terms, assumptions: &[TermId], limits: &Limits) -> Answer {
        let Some(lits) = self.encode(terms, assumptions, limits) else {
            return Answer::Unknown(Reason::Gates);
        };
        if let Some(at) = lits.iter().position(|&lit| lit == Lit::FALSE) {
            return Answer::Unsat(vec![assumptions[at]]);
        }
        self.emit_reads();
        self.sat.set_callbacks(Some(Hook { cancelled: limits.cancelled.clone() }));
        if let Some(conflicts) = limits.conflicts {
            let patience = (SMALL_CIRCUIT / self.gates().max(1)).clamp(1, MOST_PATIENCE);
            let conflicts = (conflicts as usize).saturating_mul(patience);
            // The name is one of CaDiCaL's own; a limit that was refused would only mean a longer search.
            let _ = self.sat.set_limit("conflicts", i32::try_from(conflicts).unwrap_or(i32::MAX));
        }
        match self.sat.solve_with(lits.iter().map(|&lit| solver_literal(lit))) {
            Some(true) => self.checked_model(terms, assumptions),
            Some(false) => Answer::Unsat(
                assumptions
                    .iter()
                    .zip(&lits)
                    .filter(|(_, lit)| self.sat.failed(solver_literal(**lit)))
                    .map(|(&assumption, _)| assumption)
                    .collect(),
            ),
            None if limits.cancelled.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) => {
                Answer::Unknown(Reason::Cancelled)
            }
            None => Answer::Unknown(Reason::Conflicts),
        }
    }

    /// The literals of the assumptions, with all gates that they and what is asserted need; none if there are too
    /// many.
    fn encode(&mut self, terms: &Terms, assumptions: &[TermId], limits: &Limits) -> Option<Vec<Lit>> {
        while let Some(&term) = self.asserted.get(self.demanded) {
            let lit = self.blaster.word(terms, term, limits.gates)?[0];
            self.demand(lit);
            self.demanded += 1;
        }
        let mut lits = Vec::with_capacity(assumptions.len());
        for &assumption in assumptions {
            let lit = self.blaster.word(terms, assumption, limits.gates)?[0];
            self.emit(lit);
            lits.push(lit);
        }
        Some(lits)
    }

    fn demand(&mut self, lit: Lit) {
        self.emit(lit);
        self.sat.add_clause([solver_literal(lit)]);
    }

    /// Gives CaDiCaL the gates that a literal depends on.
    fn emit(&mut self, lit: Lit) {
        self.emitted.resize(self.blaster.gates.len(), false);
        let mut pending = vec![lit.gate()];
        while let Some(gate) = pending.pop() {
            if std::mem::replace(&mut self.emitted[gate], true) {
                continue;
            }
            self.size.variables += 1;
            self.blaster.gates.clauses(gate, |clause| {
                self.size.clauses += 1;
                self.sat.add_clause(clause.iter().copied());
            });
            pending.extend(self.blaster.gates.operands(gate).map(Lit::gate));
        }
    }

    /// Ties reads of array variables together. Their indices must have values in a model, whatever depends on them.
    fn emit_reads(&mut self) {
        for constraint in self.blaster.take_constraints() {
            self.demand(constraint);
        }
        let reads: Vec<Lit> =
            self.blaster.elements().skip(self.reads).flat_map(|(_, index, _)| index).copied().collect();
        self.reads = self.blaster.elements().count();
        reads.into_iter().for_each(|lit| self.emit(lit));
    }

    /// The model, if the terms' own meaning confirms it.
    fn checked_model(&self, terms: &Terms, assumptions: &[TermId]) -> Answer {
        let model = self.model();
        let demanded = [assumptions, &self.asserted].concat();
        if evaluate(terms, &model, &demanded).iter().all(|value| *value == Value::Bits(1)) {
            Answer::Sat(model)
        } else {
            Answer::Unknown(Reason::WrongModel)
        }
    }

    fn model(&self) -> Model {
        let mut model = Model::default();
        for (variable, word) in self.blaster.variables() {
            model.set(*variable, Value::Bits(self.value(word)));
        }
        let mut arrays: FxHashMap<VarId, BTreeMap<u128, u128>> = FxHashMap::default();
        for (variable, index, element) in self.blaster.elements() {
            arrays.entry(variable).or_default().insert(self.value(index), self.value(element));
        }
        for (variable, entries) in arrays {
            model.set(variable, Value::Array(Arc::new(ArrayValue { default: 0, entries })));
        }
        model
    }

    fn is_emitted(&self, lit: Lit) -> bool {
        self.emitted.get(lit.gate()).copied().unwrap_or(false)
    }

    fn value(&self, word: &Word) -> u128 {
        let bit = |lit: Lit| match lit.as_constant() {
            Some(value) => value,
            None => self.is_emitted(lit) && self.sat.value(solver_literal(lit)) == Some(true),
        };
        word.iter().enumerate().fold(0, |value, (place, &lit)| value | u128::from(bit(lit)) << place)
    }
}
