// SPDX-License-Identifier: MIT OR Apache-2.0
//! Open obligations as questions for people.
//!
//! One pointer that nothing is known of leaves half a dozen obligations open at each place that uses it: null, invalid,
//! freed, out of bounds, misaligned, never written. That is one question. Those come first whose answer settles most:
//! every proof that was made on condition of one of its obligations.

use std::collections::HashMap;
use std::sync::Arc;

use clew_base::source::Place;
use clew_ir::obligation::{CheckKind, StableId};
use clew_ir::verdict::{Reason, Verdict};

use crate::model::{Counts, Report, Row};

/// What is open at one place.
#[derive(Debug)]
pub struct Question<'r> {
    /// Its obligations, in the order of the checks.
    pub rows: Vec<&'r Row>,
    /// How many proofs are conditional on one of them.
    pub settles: usize,
}

impl<'r> Question<'r> {
    /// Where.
    pub fn place(&self) -> &'r Place {
        &self.rows[0].place
    }

    /// The function it stands in.
    pub fn function(&self) -> &'r str {
        &self.rows[0].function
    }

    /// The C text of the operation, without which argument of it is meant.
    pub fn text(&self) -> &'r str {
        let text = &*self.rows[0].text;
        match text.strip_prefix("argument ").and_then(|rest| rest.split_once(": ")) {
            Some((_, operation)) => operation,
            None => text,
        }
    }

    /// The checks, each once.
    pub fn checks(&self) -> Vec<CheckKind> {
        let mut checks: Vec<CheckKind> = self.rows.iter().map(|row| row.check).collect();
        checks.dedup();
        checks
    }

    /// Why it is open: what says most.
    pub fn reason(&self) -> Option<&'r Reason> {
        // Among equals the first check counts, and `max_by` takes the last.
        self.reasons().rev().max_by_key(|reason| telling(reason))
    }

    fn reasons(&self) -> impl DoubleEndedIterator<Item = &'r Reason> + '_ {
        self.rows.iter().filter_map(|row| match &row.verdict {
            Verdict::Open(reason) => Some(reason),
            _ => None,
        })
    }
}

/// How much a reason tells a person.
fn telling(reason: &Reason) -> u8 {
    match reason {
        Reason::Unsupported(_) => 3,
        Reason::Imprecise(Some(_)) => 2,
        Reason::Limit(_) => 1,
        Reason::Imprecise(None) | Reason::NotAnalysed => 0,
    }
}

/// The place of a row, as a key: the function too, since two programs may share a text.
type Key<'r> = (&'r Place, &'r Arc<str>);

fn key(row: &Row) -> Key<'_> {
    (&row.place, &row.function)
}

/// The questions of a report, those first that settle most, else by place.
pub fn questions(report: &Report) -> Vec<Question<'_>> {
    let conditional = conditional_on(&report.rows);
    let mut questions: Vec<Question<'_>> = Vec::new();
    let open = report.rows.iter().filter(|row| matches!(row.verdict, Verdict::Open(_)));
    let open = open.filter(|row| report.counts_for(row));
    let mut at: HashMap<Key<'_>, usize> = HashMap::new();
    for row in open {
        let index = *at.entry(key(row)).or_insert(questions.len());
        if index == questions.len() {
            questions.push(Question { rows: Vec::new(), settles: 0 });
        }
        questions[index].rows.push(row);
    }
    for question in &mut questions {
        // A proof on condition of several of them counts once, as far as the largest of them tells.
        let counted = question.rows.iter().map(|row| conditional.get(&row.id).copied().unwrap_or(0));
        question.settles = counted.max().unwrap_or(0);
    }
    questions.sort_by_key(|question| std::cmp::Reverse(question.settles));
    questions
}

/// For each obligation how many verdicts are conditional on it.
fn conditional_on(rows: &[Row]) -> HashMap<&StableId, usize> {
    let mut lists: HashMap<*const StableId, (&[StableId], usize)> = HashMap::new();
    for row in rows {
        if let Verdict::Proved(proof) | Verdict::Unreachable(proof) = &row.verdict {
            lists.entry(proof.given.as_ptr()).or_insert((&proof.given, 0)).1 += 1;
        }
    }
    let mut counts = HashMap::new();
    for (ids, proofs) in lists.into_values() {
        ids.iter().for_each(|id| *counts.entry(id).or_insert(0) += proofs);
    }
    counts
}

/// How many places have which verdict: of what is known of a place, the worst counts.
pub fn count_places(rows: &[Row]) -> Counts {
    let mut worst: HashMap<Key<'_>, &Verdict> = HashMap::new();
    for row in rows {
        let verdict = worst.entry(key(row)).or_insert(&row.verdict);
        if row.verdict.rank() < verdict.rank() {
            *verdict = &row.verdict;
        }
    }
    let mut counts = Counts::default();
    worst.values().for_each(|verdict| counts.add(verdict));
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Program;
    use clew_ir::verdict::Proof;

    fn row(id: &str, check: CheckKind, line: u32, verdict: Verdict) -> Row {
        Row {
            id: StableId(id.into()),
            check,
            function: "f".into(),
            place: Place { file: "a.c".into(), line, column: 1 },
            text: "*p".to_owned(),
            verdict,
            assumptions: Vec::new(),
            slice: None,
        }
    }

    fn open(question: Option<&str>) -> Verdict {
        Verdict::Open(Reason::Imprecise(question.map(str::to_owned)))
    }

    fn given(ids: &[&str]) -> Verdict {
        let given = ids.iter().map(|id| StableId((*id).into())).collect();
        Verdict::Proved(Proof { by: "absint".to_owned(), given })
    }

    fn report(rows: Vec<Row>) -> Report {
        Report { rows, ..Report::of(Program::default()) }
    }

    #[test]
    fn one_place_is_one_question_and_what_settles_most_comes_first() {
        let report = report(vec![
            row("a", CheckKind::NullDeref, 1, open(None)),
            row("b", CheckKind::OutOfBounds, 1, open(Some("it may be at offset 8"))),
            row("c", CheckKind::NullDeref, 2, open(None)),
            row("d", CheckKind::OutOfBounds, 2, given(&["c"])),
            row("e", CheckKind::SignedOverflow, 3, given(&["c", "a"])),
        ]);
        let questions = questions(&report);
        let lines: Vec<(u32, usize)> = questions.iter().map(|q| (q.place().line, q.settles)).collect();
        assert_eq!(lines, [(2, 2), (1, 1)]);
        assert_eq!(questions[1].checks(), [CheckKind::NullDeref, CheckKind::OutOfBounds]);
        assert_eq!(questions[1].reason().unwrap().to_string(), "not decided: it may be at offset 8");
    }

    #[test]
    fn a_place_counts_once_with_the_worst_that_is_known_of_it() {
        let rows = vec![
            row("a", CheckKind::NullDeref, 1, given(&[])),
            row("b", CheckKind::OutOfBounds, 1, open(None)),
            row("c", CheckKind::NullDeref, 2, given(&[])),
        ];
        let counts = count_places(&rows);
        assert_eq!((counts.open, counts.proved, counts.total()), (1, 1, 2));
    }
}
