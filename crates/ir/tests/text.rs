// SPDX-License-Identifier: MIT OR Apache-2.0
//! The text form prints and parses back.

use clew_ir::syntax::Program;
use clew_ir::text::{Options, parse, print, print_with};
use clew_ir::verify::verify;

const SAMPLE: &str = include_str!("ir/sample.ir");

fn json(program: &Program) -> String {
    serde_json::to_string(program).expect("a program serialises")
}

#[test]
fn the_sample_parses_verifies_and_prints_back() {
    let program = parse(SAMPLE).unwrap_or_else(|e| panic!("{e}"));
    let faults = verify(&program);
    assert!(faults.is_empty(), "{faults:#?}");
    let text = print(&program);
    let again = parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(json(&program), json(&again), "{text}");
    assert_eq!(text, print(&again));
}

#[test]
fn text_without_spans_parses_too() {
    let program = parse(SAMPLE).unwrap_or_else(|e| panic!("{e}"));
    let text = print_with(&program, Options::READABLE);
    let again = parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(text.lines().count(), print_with(&again, Options::READABLE).lines().count());
}

#[test]
fn errors_name_the_line_and_column() {
    let error = parse("clew-ir 1\nglobal @g0 5").expect_err("must fail");
    assert_eq!(error.to_string(), "2:12: a string was expected");
}

#[test]
fn programs_survive_json() {
    let program = parse(SAMPLE).unwrap_or_else(|e| panic!("{e}"));
    let again: Program = serde_json::from_str(&json(&program)).expect("it reads back");
    assert_eq!(print(&program), print(&again));
}
