// SPDX-License-Identifier: MIT OR Apache-2.0
//! How what search and solver speak of maps to obligations, and what they say to the ledger.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use clew_checks::{CheckSet, Stops};
use clew_frontend::library::Linked;
use clew_ir::location::Location;
use clew_ir::obligation::{CheckKind, StableId};
use clew_ir::stable::stable_ids;
use clew_ir::syntax::{FuncId, ObligationId, Program};
use clew_ir::verdict::{Proof, Verdict};
use clew_search::{Found, Key};

use crate::knowledge::{Knowledge, Title};
use crate::library::{CallRow, call_rows};
use crate::rows;
use crate::solve::obligations;

/// The obligations of a program, by the names that engines have for them.
pub struct Store<'a> {
    /// The program as it was before the models came.
    pub program: &'a Program,
    /// The program with the models of the library, which the rows speak of.
    pub linked: &'a Linked,
    /// What is known.
    pub known: &'a mut Knowledge,
    /// Which checks end runs.
    pub stops: Stops,
    index: BTreeMap<StableId, usize>,
    ids: rows::Ids,
    calls: BTreeMap<Location, Vec<CallRow>>,
}

impl<'a> Store<'a> {
    /// Of these obligations.
    pub fn new(
        program: &'a Program,
        linked: &'a Linked,
        known: &'a mut Knowledge,
        stops: Stops,
    ) -> Store<'a> {
        let index = known.titles.iter().enumerate().map(|(at, title)| (title.id.clone(), at)).collect();
        let mut calls: BTreeMap<Location, Vec<CallRow>> = BTreeMap::new();
        for call in call_rows(linked) {
            let CallRow { function, block, statement, .. } = call;
            calls.entry(Location { function, block, statement }).or_default().push(call);
        }
        Store { program, linked, known, stops, index, ids: stable_ids(&linked.program), calls }
    }

    /// What is open and worth looking at: nothing, if all that is shown is settled; else that and, of what is not shown,
    /// what ends runs, since proofs of others rest on it. Checks that are off by default are not among them.
    pub fn wanted(&self, shown: CheckSet) -> BTreeSet<Key> {
        let is_unsettled = |verdict: &Verdict| match verdict {
            Verdict::Open(_) => true,
            Verdict::Proved(proof) | Verdict::Unreachable(proof) => !proof.given.is_empty(),
            Verdict::Violated { .. } => false,
        };
        if !self.known.verdicts().any(|(title, v)| shown.contains(title.check) && is_unsettled(v)) {
            return BTreeSet::new();
        }
        let semantics = self.program.semantics;
        let stops = self.stops;
        let is_wanted = |check: &CheckKind| shown.contains(*check) || stops.at(*check, semantics);
        self.goals(CheckSet::by_default().iter().filter(is_wanted).collect())
    }

    /// What is open of some checks.
    pub fn goals(&self, checks: CheckSet) -> BTreeSet<Key> {
        let is_open = |id: &StableId| self.index.get(id).is_some_and(|at| self.is_open(*at));
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
            let verdict = self.index.get(id).map(|at| self.verdict(*at));
            matches!(verdict, Some(Verdict::Proved(proof) | Verdict::Unreachable(proof)) if proof.given.is_empty() == is_whole)
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
        rows.filter(|at| self.is_open(*at)).collect()
    }

    /// Says that open obligations are proved by the symbolic engine: given everything that still is not. For those that are not its
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
        let is_left = |(at, (title, verdict)): &(usize, (&Title, &Verdict))| {
            stops.at(title.check, semantics)
                && !rows.contains(at)
                && !matches!(verdict, Verdict::Proved(_) | Verdict::Unreachable(_))
        };
        let left = self.known.verdicts().enumerate().filter(is_left);
        let given: Arc<[StableId]> = left.map(|(_, (title, _))| title.id.clone()).collect();
        for at in rows {
            let word = solver.as_ref().filter(|_| !own.contains(at));
            let by = word.map_or_else(|| "symbolic".to_owned(), |(name, _)| format!("symbolic by {name}"));
            // The engine leaves out what the abstract interpreter has proved, and so rests on what that rests on.
            let word = word.map(|(_, assumption)| assumption.clone());
            let assumptions = rests_on.iter().cloned().chain(word).collect();
            let proof = Proof { by, given: given.clone() };
            self.known.ledger.claim(&self.known.titles[*at].id, Verdict::Proved(proof), assumptions);
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
                let is_open = |at: &usize| self.is_open(*at);
                let is_told = |at: &usize| self.is_violated(*at);
                let exact = of_check.iter().find(blamed).and_then(at);
                let open = of_check.iter().filter_map(at).find(is_open);
                let told = of_check.iter().filter_map(at).find(is_told);
                exact.filter(is_open).or(open).or(told).or(exact)
            }
        }
    }

    /// What is known of an obligation.
    pub fn verdict(&self, at: usize) -> &Verdict {
        self.known.ledger.verdict(&self.known.titles[at].id)
    }

    fn is_open(&self, at: usize) -> bool {
        matches!(self.verdict(at), Verdict::Open(_))
    }

    /// Whether it is known to be violated.
    pub fn is_violated(&self, at: usize) -> bool {
        matches!(self.verdict(at), Verdict::Violated { .. })
    }

    /// The obligation of a violation, or the rule of the library that it broke; a new one where nothing speaks of it.
    pub fn row_or_new(&mut self, found: &Found) -> usize {
        // Several engines may find what no row speaks of: the first makes the row of it.
        let of_library = || rows::library_id(self.program, found.finding.check, found.finding.span);
        if let Some(at) = self.row_of(found).or_else(|| self.index.get(&of_library()).copied()) {
            return at;
        }
        let title = rows::title_of_finding(self.program, &found.finding);
        let at = self.known.titles.len();
        self.index.insert(title.id.clone(), at);
        self.known.titles.push(title);
        at
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
