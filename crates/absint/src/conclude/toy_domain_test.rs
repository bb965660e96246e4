// SPDX-License-Identifier: MIT OR Apache-2.0
//! A domain that is one file and one line (`domain/parity.rs`, its line in `domain/product.rs`) proves what no other does.

use clew_ir::obligation::CheckKind;
use clew_ir::syntax::FuncId;
use rustc_hash::FxHashSet;

use crate::conclude::rounds::analyse;
use crate::engine::finding::Outcome;
use crate::engine::level::Level;
use crate::engine::options::Options;

/// Either both grow by one or one of them grows by so much; then something is divided by `x + y - 7`.
fn program(step: u32) -> String {
    format!(
        r#"clew-ir 1
target "x86_64-linux-gnu" pointer 8 char signed int 32 long 64 long_double x87

function @f0 "main" "main": fn() -> i32 external {{
  %0 "x": u32 register
  %1 "y": u32 register
  %2: i32 register
  %3: i32 register
  %4 "z": u32 register
b0:
  %0.x = 0:u32
  %1.y = 0:u32
  goto b1
b1:
  call local %2 = @f1.choice()
  branch %2 ? b2 : b3
b2:
  call local %3 = @f1.choice()
  branch %3 ? b4 : b5
b3:
  %4.z = (%0.x + %1.y)
  e2 = (100:u32 / (%4.z - 7:u32))
  check
    o0 division-by-zero: not_raised division_by_zero e2
  return (e2 as i32)
b4:
  %0.x = (%0.x + 1:u32)
  %1.y = (%1.y + 1:u32)
  goto b1
b5:
  %0.x = (%0.x + {step}:u32)
  goto b1
}}

function @f1 "choice" "choice": fn() -> i32 external
"#
    )
}

fn outcome(step: u32) -> Outcome {
    let program = clew_ir::text::parse(&program(step)).expect("a program");
    let options = Options {
        stops: &|_, _| true,
        models: FxHashSet::default(),
        requirements: FxHashSet::default(),
        malloc_succeeds: false,
        parameters_valid: true,
        parameters_lead_apart: false,
        promises: Vec::new(),
        missing_functions_leave_globals: true,
        missing_functions_free_nothing: true,
        no_asynchronous_writes: true,
        ticks: None,
        level: Level::USUAL,
        raised: None,
        plan: None,
        invariants: true,
        all_invariants: true,
        slices: None,
        share: None,
        limit: None,
        deadline: None,
        cancel: None,
        progress: None,
    };
    let analysis = analyse(&program, &options, FuncId(0));
    assert!(!analysis.truncated && analysis.failed.is_none());
    let found = analysis.findings.into_values().find(|finding| finding.check == CheckKind::DivisionByZero);
    found.expect("one obligation").outcome
}

#[test]
fn the_parity_of_a_sum_proves_that_it_is_not_odd() {
    assert_eq!(outcome(2), Outcome::Holds);
    assert!(matches!(outcome(3), Outcome::Open(_)), "nothing is even then");
}
