// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is known of a program's obligations: the rows of its report, and how what engines speak of maps to them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use clew_checks::{CheckSet, Stops};
use clew_frontend::library::Linked;
use clew_ir::location::Location;
use clew_ir::obligation::{CheckKind, StableId};
use clew_ir::stable::stable_ids;
use clew_ir::syntax::{FuncId, ObligationId, Program};
use clew_ir::verdict::{Proof, Verdict};
use clew_report::Row;
use clew_search::{Found, Key};

use crate::library::{CallRow, call_rows};
use crate::rows;
use crate::solve::obligations;

/// The rows of a program.
pub struct Store<'a> {
    /// The program as it was before the models came.
    pub program: &'a Program,
    /// The program with the models of the library, which the rows speak of.
    pub linked: &'a Linked,
    /// The rows.
    pub rows: &'a mut Vec<Row>,
    /// Which checks end runs.
    pub stops: Stops,
    index: BTreeMap<StableId, usize>,
    ids: rows::Ids,
    calls: BTreeMap<Location, Vec<CallRow>>,
}

impl<'a> Store<'a> {
    /// Of these rows.
    pub fn new(program: &'a Program, linked: &'a Linked, rows: &'a mut Vec<Row>, stops: Stops) -> Store<'a> {
        let index = rows.iter().enumerate().map(|(at, row)| (row.id.clone(), at)).collect();
        let mut calls: BTreeMap<Location, Vec<CallRow>> = BTreeMap::new();
        for call in call_rows(linked) {
            let CallRow { function, block, statement, .. } = call;
            calls.entry(Location { function, block, statement }).or_default().push(call);
        }
        Store { program, linked, rows, stops, index, ids: stable_ids(&linked.program), calls }
    }

    /// What is open and worth looking at: nothing, if all that is shown is settled; else that and, of what is not shown,
    /// what ends runs, since proofs of others rest on it. Checks that are off by default are not among them.
    pub fn wanted(&self, shown: CheckSet) -> BTreeSet<Key> {
        let is_unsettled = |row: &&Row| match &row.verdict {
            Verdict::Open(_) => true,
            Verdict::Proved(proof) | Verdict::Unreachable(proof) => !proof.given.is_empty(),
            Verdict::Violated { .. } => false,
        };
        if !self.rows.iter().filter(is_unsettled).any(|row| shown.contains(row.check)) {
            return BTreeSet::new();
        }
        let semantics = self.program.semantics;
        let stops = self.stops;
        let is_wanted = |check: &CheckKind| shown.contains(*check) || stops.at(*check, semantics);
        self.goals(CheckSet::by_default().iter().filter(is_wanted).collect())
    }

    /// What is open of some checks.
    pub fn goals(&self, checks: CheckSet) -> BTreeSet<Key> {
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
    pub fn proved(&self, is_whole: bool) -> BTreeSet<(FuncId, ObligationId)> {
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
    pub fn settled(
        &self,
        asked: &BTreeSet<Key>,
        proved: &BTreeSet<(FuncId, ObligationId)>,
    ) -> BTreeSet<usize> {
        let is_settled = |key: &&Key| {
            let needed = obligations(self.linked, key);
            !needed.is_empty() && needed.iter().all(|id| proved.contains(id))
        };
        let ids = asked.iter().filter(is_settled).flat_map(|key| self.names(key));
        let rows = ids.filter_map(|id| self.index.get(&id).copied());
        rows.filter(|at| matches!(self.rows[*at].verdict, Verdict::Open(_))).collect()
    }

    /// Marks open rows as proved by the symbolic engine: given everything that still is not. For those that are not its
    /// own another solver alone vouches, of this name and with this assumption.
    pub fn record_proofs(
        &mut self,
        own: &BTreeSet<usize>,
        rows: &BTreeSet<usize>,
        solver: Option<(&str, String)>,
        rests_on: &[String],
    ) {
        // Only what ends a run leaves runs out.
        let (semantics, stops) = (self.program.semantics, self.stops);
        let is_left = |(at, row): &(usize, &Row)| {
            stops.at(row.check, semantics)
                && !rows.contains(at)
                && !matches!(row.verdict, Verdict::Proved(_) | Verdict::Unreachable(_))
        };
        let given: Arc<[StableId]> =
            self.rows.iter().enumerate().filter(is_left).map(|(_, row)| row.id.clone()).collect();
        for at in rows {
            let row = &mut self.rows[*at];
            let word = solver.as_ref().filter(|_| !own.contains(at));
            let by = word.map_or_else(|| "symbolic".to_owned(), |(name, _)| format!("symbolic by {name}"));
            // The engine leaves out what the abstract interpreter has proved, and so rests on what that rests on.
            row.assumptions = rests_on.to_vec();
            row.assumptions.extend(word.map(|(_, assumption)| assumption.clone()));
            row.verdict = Verdict::Proved(Proof { by, given: given.clone() });
            row.slice = None;
        }
    }

    /// The row that a violation belongs to. A call may have several of one check: that of the argument to blame, unless
    /// only another is open (the model may blame none where the interpreter blames one), or is known to be violated.
    pub fn row_of(&self, found: &Found) -> Option<usize> {
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

    /// The row of a violation, or of the rule of the library that it broke; a new one where nothing speaks of it. And
    /// whether it was there before.
    pub fn row_or_new(&mut self, found: &Found, verdict: &Verdict) -> (usize, bool) {
        // Several engines may find what no row speaks of: the first makes the row of it.
        let of_library = || rows::library_id(self.program, found.finding.check, found.finding.span);
        if let Some(at) = self.row_of(found).or_else(|| self.index.get(&of_library()).copied()) {
            return (at, true);
        }
        let row = rows::row_of_finding(self.program, &found.finding, verdict.clone());
        self.index.insert(row.id.clone(), self.rows.len());
        self.rows.push(row);
        (self.rows.len() - 1, false)
    }

    /// The names of the rows that a key stands for.
    pub fn names(&self, key: &Key) -> Vec<StableId> {
        match key {
            Key::Obligation(function, obligation) => vec![self.ids[*function][*obligation].clone()],
            Key::Call(place, check) => {
                let rows = self.calls.get(place).into_iter().flatten();
                rows.filter(|row| row.requirement.check == *check).map(|row| row.id.clone()).collect()
            }
        }
    }
}
