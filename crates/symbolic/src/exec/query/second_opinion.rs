// SPDX-License-Identifier: MIT OR Apache-2.0
//! A second opinion on what proofs rest on: each answer of our solver that excludes runs is put to the one outside.
//!
//! It is asked at the end of an execution, and only if something is proved by then: most executions are cut and prove
//! nothing.

use std::collections::BTreeSet;

use clew_ir::syntax::{FuncId, ObligationId};

use crate::exec::query::Verdicts;
use crate::exec::record::event::Reason;
use crate::exec::request::Costs;
use crate::solver::external::{Opinion, Outside};
use crate::term::{TermId, Terms};

/// What queries may cost, and who else is asked.
pub(crate) struct Means<'a> {
    /// Gates of all queries, each counted as often as it is asked about.
    pub work: u64,
    /// A solver outside.
    pub outside: Option<Outside<'a>>,
    /// What they did cost.
    pub costs: Costs,
}

/// That there is no such run: what a proof rests on.
pub(crate) struct Excluded {
    /// One-bit terms that do not hold at once.
    pub query: Vec<TermId>,
    /// What it proves.
    pub about: BTreeSet<(FuncId, ObligationId)>,
    /// Or that runs do not come to such a cut, on which all proofs rest.
    pub cut: Option<Reason>,
    /// Whether the solver outside said so, and ours did not.
    pub borrowed: bool,
}

/// Asks the solver outside about what ours excluded. What it objects to is not proved; what only it vouches for is
/// marked.
pub(crate) fn second_opinion(
    verdicts: &mut Verdicts,
    excluded: Vec<Excluded>,
    terms: &Terms,
    outside: &mut Outside<'_>,
) {
    for Excluded { query, about, cut, borrowed } in excluded {
        let held = &mut verdicts.held;
        let is_used = cut.is_some() || !held.is_disjoint(&about);
        if !is_used || !verdicts.cuts.is_empty() {
            continue;
        }
        if borrowed {
            match cut {
                Some(_) => verdicts.borrowed.extend(&*held),
                None => verdicts.borrowed.extend(held.intersection(&about)),
            }
            continue;
        }
        let opinion = outside.opinion(terms, &query);
        if opinion == Opinion::NoObjection {
            continue;
        }
        if opinion == Opinion::Contradicted {
            outside.contradict(about.clone());
        }
        match cut {
            Some(why) => drop(verdicts.cuts.insert(why)),
            None => held.retain(|id| !about.contains(id)),
        }
    }
}

#[cfg(test)]
mod tests {
    use clew_base::index::Idx;

    use super::*;
    use crate::term::Sort;

    const VALUE: &str = "sat\n((a #x05))";

    /// What is left of a proof that `a` is not 5, which is wrong, where another solver says this.
    fn left(reply: &'static str, cut: Option<Reason>, borrowed: bool) -> (Verdicts, usize) {
        let mut terms = Terms::new();
        let a = terms.fresh("a", Sort::Bits(8));
        let five = terms.constant(8, 5);
        let query = vec![terms.eq(a, five)];
        let id = (FuncId::new(0), ObligationId::new(0));
        let mut verdicts = Verdicts { held: BTreeSet::from([id]), ..Verdicts::default() };
        let about = if cut.is_some() { BTreeSet::new() } else { BTreeSet::from([id]) };
        let ask = |_: &str| Ok(reply.to_owned());
        let mut outside = Outside::new(&ask);
        let excluded = vec![Excluded { query, about, cut, borrowed }];
        second_opinion(&mut verdicts, excluded, &terms, &mut outside);
        (verdicts, outside.into_log().contradicted.len())
    }

    #[test]
    fn values_that_hold_contradict_a_proof() {
        let (verdicts, contradicted) = left(VALUE, None, false);
        assert!(verdicts.held.is_empty() && contradicted == 1);
        let (verdicts, contradicted) = left(VALUE, Some(Reason::Depth), false);
        assert!(verdicts.cuts.contains(&Reason::Depth) && contradicted == 1);
    }

    #[test]
    fn a_claim_without_values_leaves_it_open() {
        for reply in ["sat\n", "sat\n((a #x06))"] {
            let (verdicts, contradicted) = left(reply, None, false);
            assert!(verdicts.held.is_empty() && contradicted == 0, "{reply}");
        }
    }

    #[test]
    fn who_does_not_know_has_no_objection() {
        for reply in ["unknown\n", "unsat\n", "nonsense\n"] {
            let (verdicts, contradicted) = left(reply, None, false);
            assert!(verdicts.held.len() == 1 && verdicts.borrowed.is_empty() && contradicted == 0, "{reply}");
        }
    }

    #[test]
    fn what_is_borrowed_is_marked() {
        for cut in [None, Some(Reason::Depth)] {
            let (verdicts, _) = left("unsat\n", cut, true);
            assert_eq!(verdicts.borrowed, verdicts.held);
            assert_eq!(verdicts.held.len(), 1);
        }
    }
}
