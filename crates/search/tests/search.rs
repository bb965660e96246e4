// SPDX-License-Identifier: MIT OR Apache-2.0
//! Searches through programs in the IR's text form: what is found, what its witness says, and what ends a search.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clew_ir::obligation::CheckKind;
use clew_ir::syntax::{FuncId, ObligationId, Program};
use clew_search::{Effort, Key, Request, check_of, passed, replayed, search};

/// `x = nondet(); if (x == 1234567) return 100 / (x - 1234567); return x + 1;`
const PROGRAM: &str = r#"clew-ir 1
target "x86_64-linux-gnu" pointer 8 char signed int 32 long 64 long_double x87

function @f0 "main" "main": fn() -> i32 external {
  %0 "x": i32 register
b0:
  call local %0 = @f1.__VERIFIER_nondet_int()
  branch (%0.x == 1234567) ? b1 : b2
b1:
  e0 = (%0.x - 1234567)
  e1 = (100 / e0)
  check
    o0 division-by-zero: not_raised division_by_zero e1
  return e1
b2:
  e2 = (%0.x + 1)
  check
    o1 signed-overflow: not_raised signed_overflow e2
  return e2
}

function @f1 "__VERIFIER_nondet_int" "__VERIFIER_nondet_int": fn() -> i32 external
"#;

fn program() -> Program {
    clew_ir::text::parse(PROGRAM).expect("the program parses")
}

fn obligation(number: u32) -> Key {
    Key::Obligation(FuncId(0), ObligationId(number))
}

fn request(goals: &[Key]) -> Request {
    Request {
        goals: goals.iter().copied().collect(),
        malloc_succeeds: true,
        count_all: false,
        goes_on_after: Vec::new(),
        budget: 10_000_000,
        is_patient: false,
        cancelled: Arc::new(AtomicBool::new(false)),
    }
}

#[test]
fn edges_of_types_and_constants_of_the_program_are_tried() {
    let searched = search(&program(), &request(&[obligation(0), obligation(1)]));
    let found: BTreeSet<Key> = searched.found.iter().map(|found| found.key).collect();
    assert_eq!(found, BTreeSet::from([obligation(0), obligation(1)]));
    let values = |key: Key| {
        let found = searched.found.iter().find(|found| found.key == key).expect("it was found");
        found.witness.inputs.iter().map(|input| input.value.clone().unwrap_or_default()).collect::<Vec<_>>()
    };
    assert_eq!(values(obligation(0)), ["1234567"]);
    assert_eq!(values(obligation(1)), ["2147483647"]);
}

#[test]
fn the_same_search_finds_the_same() {
    let goals = request(&[obligation(0), obligation(1)]);
    let (one, other) = (search(&program(), &goals), search(&program(), &goals));
    let said = |searched: &clew_search::Searched| {
        searched.found.iter().map(|found| (found.key, found.witness.clone())).collect::<Vec<_>>()
    };
    assert_eq!(said(&one), said(&other));
    assert_eq!((one.runs, one.steps), (other.runs, other.steps));
}

#[test]
fn nothing_is_run_where_nothing_is_open_or_the_work_is_over() {
    assert_eq!(search(&program(), &request(&[])).runs, 0);
    let over = Request { cancelled: Arc::new(AtomicBool::new(true)), ..request(&[obligation(0)]) };
    let searched = search(&program(), &over);
    assert!(searched.found.is_empty() && searched.runs <= 1);
}

#[test]
fn a_witness_violates_the_same_again() {
    let program = program();
    let effort = Effort { count_all: false, steps: 1_000, cancelled: Arc::new(AtomicBool::new(false)) };
    for found in search(&program, &request(&[obligation(0), obligation(1)])).found {
        let again: Vec<Key> =
            replayed(&program, &found.witness, &effort).iter().map(|again| again.key).collect();
        assert_eq!(again, [found.key]);
    }
}

#[test]
fn checks_that_a_run_passed_are_those_it_may_go_on_after() {
    let program = program();
    assert_eq!(check_of(&program, &obligation(0)), Some(CheckKind::DivisionByZero));
    let checks = [CheckKind::SignedOverflow, CheckKind::DivisionByZero];
    assert_eq!(passed(&program, &checks, &[obligation(0)]), [CheckKind::DivisionByZero]);
    assert!(passed(&program, &checks[..1], &[obligation(0)]).is_empty());
}
