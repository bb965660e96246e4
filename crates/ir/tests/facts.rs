// SPDX-License-Identifier: MIT OR Apache-2.0
//! Facts are put together in any order, grouping and number; the stronger of two proofs of the same runs counts, the weaker of two
//! of different runs.

use std::sync::Arc;

use clew_ir::fact::{Claim, Conditions, Facts, Known, Names, Written};
use clew_ir::obligation::StableId;
use clew_ir::verdict::{Proof, Reason, Verdict};
use proptest::prelude::*;

fn known() -> impl Strategy<Value = Known> {
    // Words have 64 bits: some sets have one of them, some two, some the second alone.
    let given = || proptest::collection::vec(prop_oneof![0usize..3, 63usize..66], 0..3);
    let given = move || given().prop_map(|list| Arc::new(list.into_iter().collect::<Conditions>()));
    let reasons = prop_oneof![
        Just(Reason::NotAnalysed),
        (0u64..3).prop_map(Reason::Limit),
        "[ab]".prop_map(Reason::Unsupported),
        proptest::option::of("[ab]").prop_map(Reason::Imprecise),
    ];
    let claims = prop_oneof![
        given().prop_map(Claim::Proved),
        given().prop_map(Claim::Unreachable),
        reasons.prop_map(Claim::Open),
    ];
    (0u8..3, claims).prop_map(|(effort, claim)| Known { effort, claim })
}

fn facts() -> impl Strategy<Value = Facts> {
    proptest::collection::vec((0usize..4, known()), 0..6).prop_map(|list| {
        let mut facts = Facts::default();
        list.into_iter().for_each(|(number, known)| facts.add(number, known));
        facts
    })
}

fn joined(a: &Facts, b: &Facts) -> Facts {
    let mut all = a.clone();
    all.join(b.clone());
    all
}

fn met(a: &Facts, b: &Facts) -> Facts {
    let mut all = a.clone();
    all.meet(b.clone());
    all
}

/// How much a fact leaves open: nothing, where no run comes there.
fn weakness(known: Option<&Known>, names: &Names, id: &StableId) -> (u8, usize) {
    let mut facts = Facts::default();
    known.into_iter().for_each(|known| facts.add(0, known.clone()));
    match names.verdict(Some(&facts), id, "absint", &mut Written::default()) {
        Verdict::Unreachable(proof) => (0, proof.given.len()),
        Verdict::Proved(proof) => (0, proof.given.len()),
        _ => (1, 0),
    }
}

proptest! {
    #[test]
    fn both_ways_of_putting_facts_together_are_semilattices(a in known(), b in known(), c in known()) {
        for way in [Known::join as fn(Known, Known) -> Known, Known::meet] {
            prop_assert_eq!(way(a.clone(), a.clone()), a.clone());
            prop_assert_eq!(way(a.clone(), b.clone()), way(b.clone(), a.clone()));
            prop_assert_eq!(way(way(a.clone(), b.clone()), c.clone()), way(a.clone(), way(b.clone(), c.clone())));
        }
    }

    #[test]
    fn so_are_sets_of_facts(a in facts(), b in facts(), c in facts()) {
        for way in [joined as fn(&Facts, &Facts) -> Facts, met] {
            prop_assert_eq!(&way(&a, &a), &a);
            prop_assert_eq!(way(&a, &b), way(&b, &a));
            prop_assert_eq!(way(&way(&a, &b), &c), way(&a, &way(&b, &c)));
        }
    }

    #[test]
    fn another_analysis_of_the_same_runs_never_costs_a_proof(a in facts(), b in facts()) {
        let names = Names::new((0..70).map(|n| StableId(format!("{n:02}").into())).collect());
        let both = met(&a, &b);
        for number in 0..4 {
            let id = StableId(format!("{number:02}").into());
            let weak = |facts: &Facts| weakness(facts.get(number), &names, &id);
            prop_assert_eq!(weak(&both), weak(&a).min(weak(&b)));
            prop_assert!(weak(&joined(&a, &b)) >= weak(&a).max(weak(&b)));
        }
    }
}

#[test]
fn of_equals_the_one_of_more_effort_counts() {
    let open =
        |effort, text: &str| Known { effort, claim: Claim::Open(Reason::Imprecise(Some(text.to_owned()))) };
    assert_eq!(open(0, "z").meet(open(2, "a")), open(2, "a"));
    let given = |numbers: &[usize]| Arc::new(numbers.iter().copied().collect::<Conditions>());
    let proved = |effort, numbers: &[usize]| Known { effort, claim: Claim::Proved(given(numbers)) };
    assert_eq!(proved(0, &[1]).meet(proved(2, &[3])), proved(2, &[3]));
    assert_eq!(proved(0, &[1]).meet(proved(2, &[3, 4])), proved(0, &[1]));
}

#[test]
fn what_nobody_was_asked_about_is_not_analysed() {
    let id = StableId("a".into());
    let names = Names::new(vec![id.clone()]);
    assert_eq!(
        names.verdict(None, &id, "absint", &mut Written::default()),
        Verdict::Open(Reason::NotAnalysed)
    );
    let nothing = Proof { by: "absint".to_owned(), given: [].into() };
    let unreached = names.verdict(Some(&Facts::default()), &id, "absint", &mut Written::default());
    assert_eq!(unreached, Verdict::Unreachable(nothing));
}
