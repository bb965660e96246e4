// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs of programs in the IR's text form: what the options change, and how runs end. C programs are run by the tests
//! of the binary.

use clew_interpreter::host::Captured;
use clew_interpreter::outcome::{End, RunError};
use clew_interpreter::{Options, Outcome, run};
use clew_ir::obligation::CheckKind;

/// Reads one input; 7 loops for ever, 8 calls a function that nobody defines, everything else is added up.
const PROGRAM: &str = r#"clew-ir 1
target "x86_64-linux-gnu" pointer 8 char signed int 32 long 64 long_double x87

function @f0 "main" "main": fn() -> i32 external {
  %0 "x": i32 register
  %1: i32 register
  %2: i32 register
  %3 "s": i32 register
  %4 "u": u32 register
b0:
  call local %1 = @f1.__VERIFIER_nondet_int()
  %0.x = %1
  branch (%0.x == 7) ? b1 : b2
b1:
  %0.x = 7
  goto b1
b2:
  branch (%0.x == 8) ? b3 : b4
b3:
  call local %2 = @f2.unknown(%0.x)
  return %2
b4:
  e0 = (%0.x + 2147483600)
  check
    o0 signed-overflow: not_raised signed_overflow e0
  %3.s = e0
  e1 = ((%0.x as u32) - 10:u32)
  check
    o1 unsigned-wrap: not_raised unsigned_wrap e1
  %4.u = e1
  e2 = ((%3.s / 100000000) + ((%4.u & 1:u32) as i32))
  check
    o2 signed-overflow: not_raised signed_overflow e2
  return e2
}

function @f1 "__VERIFIER_nondet_int" "__VERIFIER_nondet_int": fn() -> i32 external

function @f2 "unknown" "unknown": fn(i32) -> i32 external
"#;

/// Calls itself for ever.
const RECURSION: &str = r#"clew-ir 1
target "x86_64-linux-gnu" pointer 8 char signed int 32 long 64 long_double x87

function @f0 "main" "main": fn() -> i32 external {
  %0: i32 register
b0:
  call local %0 = @f0.main()
  return %0
}
"#;

fn run_text(text: &str, options: &Options) -> Outcome {
    let program = clew_ir::text::parse(text).expect("the program parses");
    run(&program, options, &mut Captured::default())
}

fn with_input(input: i32) -> Options {
    Options { inputs: vec![input as u32 as u128], ..Options::default() }
}

#[test]
fn a_program_ends_with_its_status() {
    let outcome = run_text(PROGRAM, &with_input(21));
    assert_eq!(outcome.end, End::Exit(22));
    assert!(outcome.findings.is_empty() && outcome.counted.is_empty() && outcome.notes.is_empty());
}

#[test]
fn an_overflow_stops_the_run_and_says_the_values() {
    let outcome = run_text(PROGRAM, &with_input(100));
    assert_eq!(outcome.end, End::Finding);
    let finding = outcome.findings.last().expect("there is a finding");
    assert_eq!(finding.check, CheckKind::SignedOverflow);
    assert_eq!(finding.message, "100 + 2147483600 does not fit int");
    assert_eq!(finding.stack.first().map(|entry| &*entry.function), Some("main"));
    assert!(finding.obligation.is_some());
}

#[test]
fn all_goes_on_with_the_wrapped_value() {
    let outcome = run_text(PROGRAM, &Options { all: true, ..with_input(100) });
    assert_eq!(outcome.findings.len(), 1);
    assert_eq!(outcome.end, End::Exit((-21i32 & 0xff) as _));
}

#[test]
fn a_check_that_is_off_runs_when_it_is_asked_for() {
    assert_eq!(run_text(PROGRAM, &with_input(1)).end, End::Exit(22));
    let options = Options { stop_on: vec![CheckKind::UnsignedWrap], ..with_input(1) };
    let outcome = run_text(PROGRAM, &options);
    assert_eq!(outcome.end, End::Finding);
    assert_eq!(outcome.findings[0].message, "1 - 10 does not fit unsigned int");
}

#[test]
fn inputs_that_run_out_are_noted() {
    let outcome = run_text(PROGRAM, &Options::default());
    assert_eq!(outcome.end, End::Exit(21));
    assert_eq!(outcome.notes.len(), 1);
}

#[test]
fn a_loop_without_end_meets_the_limit_of_steps() {
    let outcome = run_text(PROGRAM, &Options { step_limit: Some(10_000), ..with_input(7) });
    assert!(matches!(outcome.end, End::Error(RunError::Limit(_))), "{:?}", outcome.end);
}

#[test]
fn a_function_that_nobody_defines_is_named() {
    match run_text(PROGRAM, &with_input(8)).end {
        End::Error(RunError::Unsupported { what, .. }) => assert!(what.contains("`unknown`"), "{what}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn endless_recursion_is_a_finding() {
    let outcome = run_text(RECURSION, &Options::default());
    assert_eq!(outcome.end, End::Finding);
    assert_eq!(outcome.findings[0].check, CheckKind::StackExhausted);
}

#[test]
fn a_program_without_main_cannot_run() {
    let text = RECURSION.replace("\"main\"", "\"other\"");
    assert_eq!(run_text(&text, &Options::default()).end, End::Error(RunError::NoMain));
}
