// SPDX-License-Identifier: MIT OR Apache-2.0
//! What proofs are given in the end: one that came after may have settled it.

use std::collections::HashMap;

use clew_ir::obligation::StableId;
use clew_ir::verdict::Verdict;
use clew_report::Row;

/// Leaves of what each proof is given only what counts: obligations that are not proved, and those proved given such.
///
/// Proofs that are given each other hold, too. Take a run and the first obligation of such a group that it violates:
/// its proof is about runs that have violated none of the others before.
pub fn settle(rows: &mut [Row]) {
    let mut numbers: HashMap<StableId, usize> = HashMap::new();
    for row in rows.iter() {
        let next = numbers.len();
        numbers.entry(row.id.clone()).or_insert(next);
    }
    let unsettled = unsettled(rows, &numbers);
    for row in rows {
        if let Verdict::Proved(proof) | Verdict::Unreachable(proof) = &mut row.verdict {
            proof.given.retain(|id| numbers.get(id).is_none_or(|given| unsettled[*given]));
        }
    }
}

/// The obligations that are not proved, and all whose proofs lead there.
fn unsettled(rows: &[Row], numbers: &HashMap<StableId, usize>) -> Vec<bool> {
    let mut unsettled = vec![false; numbers.len()];
    let mut resting: Vec<Vec<usize>> = vec![Vec::new(); numbers.len()];
    let mut queue = Vec::new();
    for row in rows {
        let own = numbers[&row.id];
        match &row.verdict {
            Verdict::Proved(proof) | Verdict::Unreachable(proof) => {
                for id in &proof.given {
                    match numbers.get(id) {
                        Some(given) => resting[*given].push(own),
                        // Nobody lists it, so nobody says that it holds.
                        None => queue.push(own),
                    }
                }
            }
            Verdict::Violated { .. } | Verdict::Open(_) => queue.push(own),
        }
    }
    while let Some(next) = queue.pop() {
        if !std::mem::replace(&mut unsettled[next], true) {
            queue.append(&mut resting[next]);
        }
    }
    unsettled
}

#[cfg(test)]
mod tests {
    use clew_base::source::Place;
    use clew_ir::obligation::CheckKind;
    use clew_ir::verdict::{Proof, Reason};

    use super::*;

    fn row(id: &str, verdict: Verdict) -> Row {
        let place = Place { file: "a.c".into(), line: 1, column: 1 };
        let (text, assumptions) = (String::new(), Vec::new());
        let check = CheckKind::SignedOverflow;
        Row {
            id: StableId(id.into()),
            check,
            function: "f".into(),
            place,
            text,
            verdict,
            assumptions,
            slice: None,
        }
    }

    fn proved(id: &str, given: &[&str]) -> Row {
        let given = given.iter().map(|id| StableId((*id).into())).collect();
        row(id, Verdict::Proved(Proof { by: "absint".into(), given }))
    }

    fn given(rows: &[Row]) -> Vec<Vec<&str>> {
        rows.iter()
            .map(|row| match &row.verdict {
                Verdict::Proved(proof) => proof.given.iter().map(|id| &*id.0).collect(),
                _ => vec!["-"],
            })
            .collect()
    }

    #[test]
    fn what_is_proved_later_is_no_condition_any_more() {
        let mut rows = [proved("a", &["b", "c"]), proved("b", &[]), proved("c", &["b"])];
        settle(&mut rows);
        assert_eq!(given(&rows), [[""; 0]; 3]);
    }

    #[test]
    fn proofs_that_are_given_each_other_hold() {
        let mut rows = [proved("a", &["b"]), proved("b", &["a"])];
        settle(&mut rows);
        assert_eq!(given(&rows), [[""; 0]; 2]);
    }

    #[test]
    fn what_rests_on_something_open_stays_so() {
        let open = row("o", Verdict::Open(Reason::Limit(1)));
        let mut rows =
            [proved("a", &["b", "d"]), proved("b", &["o"]), open, proved("d", &[]), proved("e", &["gone"])];
        settle(&mut rows);
        assert_eq!(given(&rows), [vec!["b"], vec!["o"], vec!["-"], vec![], vec!["gone"]]);
    }
}
