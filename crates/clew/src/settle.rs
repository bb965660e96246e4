// SPDX-License-Identifier: MIT OR Apache-2.0
//! What proofs are given in the end: one that came after may have settled it.

use std::collections::HashMap;
use std::sync::Arc;

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
    let left = |given: &Given| {
        let counts = |id: &&StableId| numbers.get(*id).is_none_or(|given| unsettled[*given]);
        given.iter().filter(counts).cloned().collect::<Given>()
    };
    // By address, with the list itself, so that no other gets its address.
    let mut known: HashMap<*const StableId, (Given, Given)> = HashMap::new();
    for row in rows {
        if let Verdict::Proved(proof) | Verdict::Unreachable(proof) = &mut row.verdict {
            let entry = known.entry(proof.given.as_ptr());
            proof.given = entry.or_insert_with(|| (proof.given.clone(), left(&proof.given))).1.clone();
        }
    }
}

/// What proofs rest on.
type Given = Arc<[StableId]>;

/// A list of obligations that some proofs rest on.
struct Shared<'r> {
    ids: &'r [StableId],
    /// What is proved given these.
    proved: Vec<usize>,
}

/// The obligations that are not proved, and all whose proofs lead there.
fn unsettled(rows: &[Row], numbers: &HashMap<StableId, usize>) -> Vec<bool> {
    let mut unsettled = vec![false; numbers.len()];
    let mut queue = Vec::new();
    let mut lists: HashMap<*const StableId, Shared<'_>> = HashMap::new();
    for row in rows {
        let own = numbers[&row.id];
        match &row.verdict {
            Verdict::Proved(proof) | Verdict::Unreachable(proof) => {
                let new = || Shared { ids: &proof.given, proved: Vec::new() };
                lists.entry(proof.given.as_ptr()).or_insert_with(new).proved.push(own);
            }
            Verdict::Violated { .. } | Verdict::Open(_) => queue.push(own),
        }
    }
    let mut lists: Vec<Shared<'_>> = lists.into_values().collect();
    let mut resting: Vec<Vec<usize>> = vec![Vec::new(); numbers.len()];
    for (at, list) in lists.iter().enumerate() {
        for id in list.ids {
            match numbers.get(id) {
                Some(given) => resting[*given].push(at),
                // Nobody lists it, so nobody says that it holds.
                None => queue.extend(&list.proved),
            }
        }
    }
    while let Some(next) = queue.pop() {
        if !std::mem::replace(&mut unsettled[next], true) {
            for at in std::mem::take(&mut resting[next]) {
                queue.append(&mut lists[at].proved);
            }
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
