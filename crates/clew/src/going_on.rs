// SPDX-License-Identifier: MIT OR Apache-2.0
//! After a violation whose machine behaviour is known the analysis goes on with it.
//!
//! Proofs set aside the runs that violate something. Where it *is* violated, and the machine has a value there (a shift,
//! a sum that wraps, a conversion), what was proved of the code behind it is not what a person wants to know. So those
//! verdicts are made again with runs that go on after such checks, and what was known without them is kept.

use std::collections::{HashMap, HashSet};

use clew_checks::{CheckSet, Stops, leaves_a_value};
use clew_ir::obligation::{CheckKind, StableId};
use clew_ir::verdict::{Reason, Verdict};
use clew_report::Row;

use crate::settle::settle;

/// What lies behind violations after which the machine goes on.
pub struct Behind {
    /// Which checks end runs of the second analysis.
    pub stops: Stops,
    /// The obligations whose verdicts rest on the violations.
    rows: HashSet<StableId>,
}

/// What lies behind such violations; none if there is nothing.
pub fn behind(rows: &mut [Row], stops: Stops) -> Option<Behind> {
    let is_passed = |row: &&Row| {
        let violated = matches!(row.verdict, Verdict::Violated { .. });
        violated && leaves_a_value(row.check) && !stops.goes_on_after.contains(row.check)
    };
    // To look at what all proofs rest on takes long.
    if !rows.iter().any(|row| is_passed(&row)) {
        return None;
    }
    settle(rows);
    let passed: Vec<&Row> = rows.iter().filter(is_passed).collect();
    let goes_on_after: CheckSet =
        passed.iter().map(|row| row.check).chain(stops.goes_on_after.iter()).collect();
    let found = all_resting(rows, &passed);
    (!found.is_empty()).then_some(Behind { stops: Stops { goes_on_after }, rows: found })
}

/// What lies behind divisions by zero. Here the machine stops; others go on with 0, and a person who mends the division
/// wants to know what comes next. No proof is made of such runs: they are only looked for.
pub fn behind_divisions(rows: &mut [Row], stops: Stops) -> Option<Behind> {
    let is_division = |row: &&Row| {
        row.check == CheckKind::DivisionByZero && matches!(row.verdict, Verdict::Violated { .. })
    };
    if !rows.iter().any(|row| is_division(&row)) {
        return None;
    }
    settle(rows);
    let divisions: Vec<&Row> = rows.iter().filter(is_division).collect();
    let found = all_resting(rows, &divisions);
    let goes_on_after = stops.goes_on_after.iter().chain([CheckKind::DivisionByZero]).collect();
    (!found.is_empty()).then_some(Behind { stops: Stops { goes_on_after }, rows: found })
}

/// What rests on these, and what rests on that.
fn all_resting(rows: &[Row], on: &[&Row]) -> HashSet<StableId> {
    let mut resting = resting(rows);
    let mut found = HashSet::new();
    let mut left: Vec<StableId> = on.iter().map(|row| row.id.clone()).collect();
    while let Some(next) = left.pop() {
        for id in resting.remove(&next).unwrap_or_default() {
            if found.insert(id.clone()) {
                left.push(id);
            }
        }
    }
    found
}

/// By obligation, those whose proofs rest on it.
fn resting(rows: &[Row]) -> HashMap<StableId, Vec<StableId>> {
    let mut resting: HashMap<StableId, Vec<StableId>> = HashMap::new();
    for row in rows {
        if let Verdict::Proved(proof) | Verdict::Unreachable(proof) = &row.verdict {
            for id in proof.given.iter() {
                resting.entry(id.clone()).or_default().push(row.id.clone());
            }
        }
    }
    resting
}

impl Behind {
    /// Before the second search: what does not lie behind is as it was.
    pub fn open(&self, before: &[Row], again: &mut [Row]) {
        let known: HashMap<&StableId, &Row> = before.iter().map(|row| (&row.id, row)).collect();
        for row in again.iter_mut().filter(|row| !self.rows.contains(&row.id)) {
            if let Some(known) = known.get(&row.id) {
                *row = (*known).clone();
            }
        }
    }

    /// The rows, with what lies behind open.
    pub fn reopened(&self, rows: &[Row]) -> Vec<Row> {
        let reopen = |row: &Row| match self.rows.contains(&row.id) {
            true => Row { verdict: Verdict::Open(Reason::NotAnalysed), ..row.clone() },
            false => row.clone(),
        };
        rows.iter().map(reopen).collect()
    }

    /// After a search alone: what was found.
    pub fn take_violated(&self, rows: &mut [Row], again: Vec<Row>) {
        let mut found: HashMap<StableId, Row> = again
            .into_iter()
            .filter(|row| matches!(row.verdict, Verdict::Violated { .. }))
            .map(|row| (row.id.clone(), row))
            .collect();
        for row in rows.iter_mut().filter(|row| self.rows.contains(&row.id)) {
            if let Some(violated) = found.remove(&row.id) {
                *row = violated;
            }
        }
    }

    /// After it: what was found and proved. A proof that sets such runs aside still says more than an open question;
    /// that nothing comes there does not.
    pub fn take_over(&self, rows: &mut Vec<Row>, again: Vec<Row>) {
        let mut index: HashMap<StableId, usize> =
            rows.iter().enumerate().map(|(at, row)| (row.id.clone(), at)).collect();
        for row in again {
            let Some(&at) = index.get(&row.id) else {
                index.insert(row.id.clone(), rows.len());
                rows.push(row);
                continue;
            };
            let keeps = matches!((&rows[at].verdict, &row.verdict), (Verdict::Proved(_), Verdict::Open(_)));
            if !keeps {
                rows[at] = row;
            }
        }
    }
}
