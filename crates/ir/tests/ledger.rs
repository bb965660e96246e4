// SPDX-License-Identifier: MIT OR Apache-2.0
//! Engines tell the ledger in any order and as often as they like; a violation of what is proved is a contradiction, whoever
//! comes first.

use clew_ir::fact::ledger::{Ledger, Told, Violation};
use clew_ir::obligation::StableId;
use clew_ir::verdict::{Confirmed, Proof, Reason, Verdict};
use proptest::prelude::*;

fn id(name: &str) -> StableId {
    StableId(name.into())
}

fn ids(names: &[String]) -> Vec<StableId> {
    names.iter().map(|name| id(name)).collect()
}

fn proved(given: &[&str]) -> Verdict {
    let given = given.iter().map(|name| id(name)).collect();
    Verdict::Proved(Proof { by: "absint".to_owned(), given })
}

fn violation(before: &[&str]) -> Violation {
    let verdict = Verdict::Violated { witness: None, confirmed: Confirmed::Native };
    Violation::new(verdict, before.iter().map(|name| id(name)).collect(), Vec::new())
}

/// Something that an engine says of an obligation.
#[derive(Clone, Debug)]
enum Word {
    Claim(Verdict, Vec<String>),
    Violation(Violation),
}

fn words() -> impl Strategy<Value = Vec<(String, Word)>> {
    let names = || proptest::collection::vec("[abc]", 0..3);
    let proof = (prop_oneof![Just("absint"), Just("symbolic")], names())
        .prop_map(|(by, given)| Proof { by: by.to_owned(), given: ids(&given).into() });
    let of_all = prop_oneof![
        proof.clone().prop_map(Verdict::Proved),
        proof.prop_map(Verdict::Unreachable),
        (0u64..3).prop_map(|limit| Verdict::Open(Reason::Limit(limit))),
    ];
    let confirmed =
        prop_oneof![Just(Confirmed::Native), proptest::option::of("[xy]").prop_map(Confirmed::Interpreter),];
    let word = prop_oneof![
        (of_all, proptest::collection::vec("[pq]", 0..2)).prop_map(|(verdict, on)| Word::Claim(verdict, on)),
        (confirmed, names(), proptest::collection::vec("[pq]", 0..2)).prop_map(|(confirmed, before, on)| {
            let verdict = Verdict::Violated { witness: None, confirmed };
            Word::Violation(Violation::new(verdict, ids(&before), on))
        }),
    ];
    proptest::collection::vec(("[abc]", word), 0..8)
}

fn told<'w>(words: impl IntoIterator<Item = &'w (String, Word)>) -> Ledger {
    let mut ledger = Ledger::default();
    for (name, word) in words {
        match word.clone() {
            Word::Claim(verdict, assumptions) => ledger.claim(&id(name), verdict, assumptions),
            Word::Violation(violation) => drop(ledger.violate(&id(name), violation)),
        }
    }
    ledger
}

proptest! {
    #[test]
    fn the_order_of_engines_does_not_matter(words in words(), at in 0usize..8) {
        let (first, last) = words.split_at(at.min(words.len()));
        let all = told(&words);
        prop_assert_eq!(&all, &told(words.iter().rev()));
        prop_assert_eq!(&all, &told(last.iter().chain(first)));
        prop_assert_eq!(&all, &told(words.iter().chain(first)));
    }

    #[test]
    fn a_contradiction_is_found_whoever_comes_first(words in words()) {
        let all = told(&words);
        let back = told(words.iter().rev());
        for name in ["a", "b", "c"] {
            let found = |ledger: &Ledger| ledger.get(&id(name)).and_then(|e| e.contradicted().cloned());
            prop_assert_eq!(found(&all), found(&back));
        }
    }
}

#[test]
fn a_run_that_violates_what_is_proved_is_a_contradiction() {
    let tell = |known: Verdict, before: &[&str]| {
        let mut ledger = Ledger::default();
        ledger.claim(&id("x"), known, Vec::new());
        match ledger.violate(&id("x"), violation(before)) {
            Told::News => "news",
            Told::Nothing => "nothing",
            Told::Contradiction(_) => "contradiction",
        }
    };
    assert_eq!(tell(proved(&[]), &["a"]), "contradiction");
    assert_eq!(tell(proved(&["b"]), &["a"]), "contradiction");
    assert_eq!(tell(proved(&["a", "b"]), &["a"]), "nothing", "the proof says nothing of such runs");
    assert_eq!(tell(Verdict::Open(Reason::NotAnalysed), &[]), "news");
    let mut ledger = Ledger::default();
    assert_eq!(ledger.violate(&id("x"), violation(&[])), Told::News);
    assert_eq!(ledger.violate(&id("x"), violation(&["a"])), Told::Nothing, "it was known");
    ledger.claim(&id("x"), proved(&[]), Vec::new());
    assert!(ledger.get(&id("x")).is_some_and(|entry| entry.contradicted().is_some()));
    assert!(matches!(ledger.verdict(&id("x")), Verdict::Violated { .. }), "the run counts");
}

/// What the proofs are given when everything has been said, in the order of the names; `-` for what is not proved.
fn settled(entries: &[(&str, Verdict)]) -> Vec<Vec<String>> {
    let mut ledger = Ledger::default();
    entries.iter().for_each(|(name, verdict)| ledger.claim(&id(name), verdict.clone(), Vec::new()));
    ledger.settle();
    let given = |name: &str| match ledger.verdict(&id(name)) {
        Verdict::Proved(proof) => proof.given.iter().map(|id| id.0.to_string()).collect(),
        _ => vec!["-".to_owned()],
    };
    entries.iter().map(|(name, _)| given(name)).collect()
}

#[test]
fn what_is_proved_later_is_no_condition_any_more() {
    let all = settled(&[("a", proved(&["b", "c"])), ("b", proved(&[])), ("c", proved(&["b"]))]);
    assert_eq!(all, [[""; 0]; 3]);
}

#[test]
fn proofs_that_are_given_each_other_hold() {
    assert_eq!(settled(&[("a", proved(&["b"])), ("b", proved(&["a"]))]), [[""; 0]; 2]);
}

#[test]
fn what_rests_on_something_open_stays_so() {
    let all = settled(&[
        ("a", proved(&["b", "d"])),
        ("b", proved(&["o"])),
        ("d", proved(&[])),
        ("e", proved(&["gone"])),
        ("o", Verdict::Open(Reason::Limit(1))),
    ]);
    assert_eq!(all, [vec!["b"], vec!["o"], vec![], vec!["gone"], vec!["-"]]);
}
