// SPDX-License-Identifier: MIT OR Apache-2.0
//! `--escalate`: what is open at one level is asked again at the next ones, as long as there is time.
//!
//! A low level decides most obligations at a fraction of the cost; the rest is worth more work. The higher level is for the functions
//! in which something is open, for those that lead to them and for what they call; the rest of the program stays as it was, and entries
//! from which all is decided are not looked at again. Each time is an analysis of its own, so that what it proves is proved. Of a later
//! one only proofs without conditions are taken over: those of two analyses might rest on each other.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use clew_absint::level::{Level, Raised};
use clew_frontend::library::Linked;
use clew_ir::obligation::StableId;
use clew_ir::syntax::{FuncId, Program};
use clew_ir::verdict::Verdict;
use clew_report::Row;

use crate::prove::{Proved, prove};
use crate::settings::Settings;

/// Proves at the level that the limits ask for, then at higher ones what is still open.
pub fn prove_escalating(linked: &Linked, entries: &[String], settings: &Settings) -> Proved {
    let mut proved = prove(linked, entries, settings, None);
    let mut level = settings.level;
    while let Some(next) = next(level).filter(|_| is_worth_while(&proved, settings)) {
        level = next;
        let open = functions_of(&linked.program, proved.rows.iter().filter(|row| is_open(row)));
        let functions = clew_absint::around(&linked.program, &open);
        let raised = Some(Arc::new(Raised { level, functions }));
        let concerned = concerned(&linked.program, entries, &proved.rows);
        let more = prove(linked, &concerned, &Settings { raised, ..settings.clone() }, None);
        take_over(&mut proved.rows, more.rows);
        if more.truncated {
            break;
        }
    }
    discharge(&mut proved.rows);
    proved
}

fn is_open(row: &Row) -> bool {
    matches!(row.verdict, Verdict::Open(_))
}

/// The functions of some rows. Rows have names, which static functions may share.
fn functions_of<'r>(program: &Program, rows: impl Iterator<Item = &'r Row>) -> BTreeSet<FuncId> {
    let names: BTreeSet<&str> = rows.map(|row| &*row.function).collect();
    let functions = program.functions.iter_enumerated();
    functions.filter(|(_, f)| names.contains(&*f.source_name)).map(|(id, _)| id).collect()
}

/// The entries that may come to a function of which not everything is known. A row that is not settled is asked again from
/// every entry that it may be reached from.
fn concerned(program: &Program, entries: &[String], rows: &[Row]) -> Vec<String> {
    let functions = functions_of(program, rows.iter().filter(|row| !is_settled(row)));
    let is_concerned = |name: &&String| {
        let mut started = program.functions.iter_enumerated().filter(|(_, f)| *f.name == ***name);
        started.any(|(id, _)| !clew_absint::may_reach(program, id).is_disjoint(&functions))
    };
    entries.iter().filter(is_concerned).cloned().collect()
}

/// The level after this one, without what was left out of this one.
fn next(level: Level) -> Option<Level> {
    let at = |number: u8| Level::ALL.into_iter().find(|other| other.number == number);
    let whole = at(level.number)?;
    let left_out = whole.domains.iter().filter(|domain| !level.domains.has(*domain));
    Some(at(level.number + 1)?.without(left_out))
}

/// Whether something is left to do, and time to do it.
fn is_worth_while(proved: &Proved, settings: &Settings) -> bool {
    let is_in_time = settings.deadline.is_none_or(|deadline| Instant::now() < deadline);
    is_in_time && !proved.truncated && !proved.rows.iter().all(is_settled)
}

/// Whether nothing is left to be known of it.
fn is_settled(row: &Row) -> bool {
    match &row.verdict {
        Verdict::Proved(proof) | Verdict::Unreachable(proof) => proof.given.is_empty(),
        Verdict::Violated { .. } => true,
        Verdict::Open(_) => false,
    }
}

/// What is settled among the others is settled.
fn take_over(rows: &mut [Row], others: Vec<Row>) {
    let others = others.into_iter().filter(is_settled);
    let mut by_id: BTreeMap<StableId, Row> = others.map(|row| (row.id.clone(), row)).collect();
    for row in rows.iter_mut().filter(|row| !is_settled(row)) {
        if let Some(other) = by_id.remove(&row.id) {
            *row = other;
        }
    }
}

/// Proofs need no word of what is proved itself.
fn discharge(rows: &mut [Row]) {
    loop {
        let (settled, open): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|row| is_settled(row));
        let open: BTreeSet<StableId> = open.into_iter().map(|row| row.id.clone()).collect();
        let holds = |row: &&Row| matches!(row.verdict, Verdict::Proved(_) | Verdict::Unreachable(_));
        let settled = settled.into_iter().filter(holds).map(|row| row.id.clone());
        let settled: BTreeSet<StableId> = settled.filter(|id| !open.contains(id)).collect();
        let mut is_less = false;
        for row in rows.iter_mut() {
            if let Verdict::Proved(proof) | Verdict::Unreachable(proof) = &mut row.verdict {
                let before = proof.given.len();
                proof.given.retain(|id| !settled.contains(id));
                is_less |= proof.given.is_empty() && before > 0;
            }
        }
        if !is_less {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use clew_base::source::Place;
    use clew_ir::obligation::CheckKind;
    use clew_ir::verdict::{Proof, Reason};

    use super::*;

    fn row(name: &str, verdict: Verdict) -> Row {
        Row {
            id: StableId(name.into()),
            check: CheckKind::DivisionByZero,
            function: "f".into(),
            place: Place { file: "f.c".into(), line: 1, column: 1 },
            slice: None,
            text: String::new(),
            verdict,
            assumptions: Vec::new(),
        }
    }

    fn given(names: &[&str]) -> Verdict {
        let given = names.iter().map(|name| StableId((*name).into())).collect();
        Verdict::Proved(Proof { by: "x".to_owned(), given })
    }

    fn open() -> Verdict {
        Verdict::Open(Reason::NotAnalysed)
    }

    #[test]
    fn only_proofs_without_conditions_are_taken_over() {
        let mut rows =
            vec![row("a", open()), row("b", open()), row("c", given(&["a"])), row("d", given(&[]))];
        take_over(
            &mut rows,
            vec![row("a", given(&["b"])), row("b", given(&[])), row("c", open()), row("d", open())],
        );
        let verdicts: Vec<Verdict> = rows.into_iter().map(|row| row.verdict).collect();
        assert_eq!(verdicts, [open(), given(&[]), given(&["a"]), given(&[])]);
    }

    #[test]
    fn what_is_proved_is_no_condition() {
        let mut rows =
            vec![row("a", given(&["b"])), row("b", given(&["c"])), row("c", given(&[])), row("d", open())];
        rows.push(row("e", given(&["c", "d"])));
        discharge(&mut rows);
        let verdicts: Vec<Verdict> = rows.into_iter().map(|row| row.verdict).collect();
        assert_eq!(verdicts, [given(&[]), given(&[]), given(&[]), open(), given(&["d"])]);
    }

    #[test]
    fn the_next_level_leaves_out_what_was_left_out() {
        use clew_absint::level::Domain;
        let without = Level::LIGHT.without([Domain::Bits]);
        assert_eq!(next(without), Some(Level::USUAL.without([Domain::Bits])));
        assert_eq!(next(Level::THOROUGH), None);
    }
}
