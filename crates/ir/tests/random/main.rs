// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random well-formed programs: they verify, print and parse back, keep their ids and content through a round
//! trip and a link, and become C that gcc accepts.

mod generate;

use clew_ir::emit_c::{FLAGS, Options, emit_c};
use clew_ir::link::link;
use clew_ir::stable::{Stable, stable_ids};
use clew_ir::syntax::Program;
use clew_ir::text::{parse, print, print_with};
use clew_ir::verify::verify;
use generate::program;
use proptest::prelude::*;

fn json(program: &Program) -> String {
    serde_json::to_string(program).expect("a program serialises")
}

fn contents(program: &Program) -> Vec<(String, u128)> {
    let stable = Stable::new(program);
    let mut all: Vec<_> =
        program.functions.iter_enumerated().map(|(id, f)| (f.name.to_string(), stable.content(id))).collect();
    all.sort();
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn they_are_well_formed(seed in any::<u64>()) {
        let program = program(seed);
        let faults = verify(&program);
        prop_assert!(faults.is_empty(), "{:#?}\n{}", faults, print(&program));
    }

    #[test]
    fn they_print_and_parse_back(seed in any::<u64>()) {
        let program = program(seed);
        let text = print(&program);
        let canonical = parse(&text).map_err(|e| TestCaseError::fail(format!("{e}\n{text}")))?;
        prop_assert_eq!(&text, &print(&canonical));
        prop_assert_eq!(contents(&program), contents(&canonical));
        prop_assert_eq!(stable_ids(&program), stable_ids(&canonical));
        prop_assert_eq!(&program.types, &canonical.types);
        let again = parse(&print(&canonical)).map_err(|e| TestCaseError::fail(e.to_string()))?;
        prop_assert_eq!(json(&canonical), json(&again));
    }

    #[test]
    fn they_parse_without_spans_and_tables(seed in any::<u64>()) {
        let readable = print_with(&program(seed), clew_ir::text::Options::READABLE);
        let parsed = parse(&readable).map_err(|e| TestCaseError::fail(format!("{e}\n{readable}")))?;
        prop_assert!(verify(&parsed).is_empty());
    }

    #[test]
    fn linking_one_unit_changes_nothing(seed in any::<u64>()) {
        let unit = program(seed);
        let linked = link(vec![unit.clone()]).map_err(|e| TestCaseError::fail(format!("{e:?}")))?;
        prop_assert!(verify(&linked).is_empty());
        prop_assert_eq!(contents(&unit), contents(&linked));
        prop_assert_eq!(print_with(&unit, clew_ir::text::Options::READABLE),
            print_with(&linked, clew_ir::text::Options::READABLE));
    }

    #[test]
    fn damaged_texts_are_refused_and_nothing_panics(seed in any::<u64>(), cut in any::<usize>(), byte in any::<u8>()) {
        let mut text = print(&program(seed)).into_bytes();
        let at = cut % text.len();
        text[at] = byte;
        if let Ok(parsed) = parse(&String::from_utf8_lossy(&text)) {
            verify(&parsed);
        }
    }
}

#[test]
fn gcc_accepts_what_is_emitted() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for seed in 0..8 {
        let emitted = emit_c(&program(seed), Options::default());
        let source = folder.path().join(format!("{seed}.c"));
        std::fs::write(&source, &emitted.text).expect("the text is written");
        let mut gcc = std::process::Command::new("gcc");
        let output = gcc.args(FLAGS).args(["-c", "-o", "/dev/null"]).arg(&source).output().expect("gcc runs");
        assert!(output.status.success(), "{}\n{}", String::from_utf8_lossy(&output.stderr), emitted.text);
    }
}
