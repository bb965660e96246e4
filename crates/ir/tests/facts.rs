// SPDX-License-Identifier: MIT OR Apache-2.0
//! Facts merge in any order, grouping and number; verdicts over entries join the same way.

use clew_ir::fact::{Facts, Key, Known, join};
use clew_ir::obligation::StableId;
use clew_ir::verdict::{Confirmed, Proof, Reason, Verdict};
use clew_ir::witness::{self, Input, InputKind, Witness};
use proptest::prelude::*;

fn id(name: &str) -> StableId {
    StableId(name.into())
}

fn proofs() -> impl Strategy<Value = Proof> {
    let given = proptest::collection::btree_set("[ab]", 0..3);
    ("absint|symbolic", given)
        .prop_map(|(by, given)| Proof { by, given: given.iter().map(|g| id(g)).collect() })
}

fn verdicts() -> impl Strategy<Value = Verdict> {
    let input = |value: u8| Input {
        kind: InputKind::Parameter,
        name: "x".into(),
        bits: Some(format!("{value:#x}")),
        value: None,
    };
    let witnesses = proptest::option::of(any::<u8>().prop_map(move |v| Witness {
        version: witness::VERSION,
        inputs: vec![input(v)],
        goes_on_after: Vec::new(),
    }));
    let confirmed = prop_oneof![
        Just(Confirmed::Native),
        Just(Confirmed::Interpreter(None)),
        Just(Confirmed::Interpreter(Some("a reason".to_owned())))
    ];
    let reasons = prop_oneof![
        Just(Reason::NotAnalysed),
        (0u64..3).prop_map(Reason::Limit),
        "[ab]".prop_map(Reason::Unsupported),
        proptest::option::of("[ab]").prop_map(Reason::Imprecise),
    ];
    prop_oneof![
        proofs().prop_map(Verdict::Proved),
        proofs().prop_map(Verdict::Unreachable),
        (witnesses, confirmed).prop_map(|(witness, confirmed)| Verdict::Violated { witness, confirmed }),
        reasons.prop_map(Verdict::Open),
    ]
}

fn facts() -> impl Strategy<Value = Facts> {
    let fact = ("[ab]", "main|f", verdicts());
    proptest::collection::vec(fact, 0..6).prop_map(|list| {
        let mut facts = Facts::default();
        for (obligation, entry, verdict) in list {
            facts.add(Key { obligation: id(&obligation), entry }, verdict);
        }
        facts
    })
}

fn merged(a: &Facts, b: &Facts) -> Facts {
    let mut all = a.clone();
    all.merge(b.clone());
    all
}

proptest! {
    #[test]
    fn joining_verdicts_is_a_semilattice(a in verdicts(), b in verdicts(), c in verdicts()) {
        prop_assert_eq!(join(a.clone(), a.clone()), a.clone());
        prop_assert_eq!(join(a.clone(), b.clone()), join(b.clone(), a.clone()));
        prop_assert_eq!(join(join(a.clone(), b.clone()), c.clone()), join(a, join(b, c)));
    }

    #[test]
    fn merging_facts_is_a_semilattice(a in facts(), b in facts(), c in facts()) {
        prop_assert_eq!(&merged(&a, &a), &a);
        prop_assert_eq!(merged(&a, &b), merged(&b, &a));
        prop_assert_eq!(merged(&merged(&a, &b), &c), merged(&a, &merged(&b, &c)));
    }

    #[test]
    fn facts_survive_storage(a in facts()) {
        let stored = serde_json::to_string(&a).expect("facts serialise");
        prop_assert_eq!(serde_json::from_str::<Facts>(&stored).expect("and read back"), a);
    }

    #[test]
    fn one_verdict_says_itself(a in verdicts()) {
        prop_assert_eq!(Known::new(a.clone()).verdict(), a);
    }
}

#[test]
fn an_entry_without_facts_keeps_an_obligation_open() {
    let mut facts = Facts::default();
    let proof = Verdict::Proved(Proof { by: "absint".into(), given: vec![] });
    facts.add(Key { obligation: id("a"), entry: "main".into() }, proof.clone());
    assert_eq!(facts.verdict(&id("a"), ["main"]), proof);
    assert_eq!(facts.verdict(&id("a"), ["main", "f"]), Verdict::Open(Reason::NotAnalysed));
}

#[test]
fn proved_and_violated_is_a_fault() {
    let mut facts = Facts::default();
    let key = Key { obligation: id("a"), entry: "main".into() };
    facts.add(key.clone(), Verdict::Proved(Proof { by: "absint".into(), given: vec![] }));
    assert!(facts.contradictions().is_empty());
    facts.add(key.clone(), Verdict::Violated { witness: None, confirmed: Confirmed::Native });
    assert_eq!(facts.contradictions().len(), 1);
    assert_eq!(facts.contradictions()[0].key, key);
}

#[test]
fn another_version_is_refused() {
    let error = serde_json::from_str::<Facts>("{\"version\": 99, \"facts\": []}").expect_err("must fail");
    assert!(error.to_string().contains("version 99"), "{error}");
}
