// SPDX-License-Identifier: MIT OR Apache-2.0
//! What `emit_c` prints compiles with gcc and does what the IR says.

use std::process::Command;

use clew_ir::emit_c::{FLAGS, Options, emit_c};
use clew_ir::text::parse;
use clew_ir::verify::verify;

/// Compiles the program and returns what it prints.
fn run(ir: &str, options: Options) -> (Option<i32>, String) {
    run_with(ir, options, "")
}

/// The same with more C behind it.
fn run_with(ir: &str, options: Options, more: &str) -> (Option<i32>, String) {
    let program = parse(ir).unwrap_or_else(|e| panic!("{e}"));
    let faults = verify(&program);
    assert!(faults.is_empty(), "{faults:#?}");
    let emitted = emit_c(&program, options);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (source, binary) = (folder.path().join("a.c"), folder.path().join("a"));
    std::fs::write(&source, format!("{}{more}", emitted.text)).expect("the text is written");
    let compiled =
        Command::new("gcc").args(FLAGS).arg("-O1").arg(&source).arg("-o").arg(&binary).arg("-lm").output();
    let compiled = compiled.expect("gcc runs");
    assert!(compiled.status.success(), "{}\n{}", String::from_utf8_lossy(&compiled.stderr), emitted.text);
    let output = Command::new(&binary).output().expect("the program runs");
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

const HEAD: &str = r#"clew-ir 1
target "x86_64-linux-gnu" pointer 8 char signed int 32 long 64 long_double x87

record r0 struct "S" size 16 align 8 {
  at 0 "a": i32
  at 4 bits 3 7 "b": i32
  at 8 "d": f64
}
record r1 struct "V" size 24 align 8 {
  at 0 "gp": u32
  at 4 "fp": u32
  at 8 "overflow": *void
  at 16 "save": *void
}
record r2 struct "F" size 16 align 8 {
  at 0 "f": f32
  at 8 "d": f64
}
record r3 struct "Gap" size 6 align 1 {
  at 0 "c": u8
  at 4 bits 0 9 "b": i32
}

global @g0 ".str.0" ".str.0": [30 i8] size 30 align 1 internal string = "%d %d %.3f %Lf %d %llu %d\0a\00"
global @g1 "table" "table": [3 i64] size 24 align 8 internal = "\07" {
  at 8 bytes 8: @g0 plus 3
  at 16 bytes 8: @f0.printf
}
global @g2 "jumps" "main.jumps": [2 i32] size 8 align 4 internal = "" {
  at 0 bytes 4: @f2.main b1 minus @f2.main b2
  at 4 bytes 4: @f2.main b2 minus @f2.main b2
}
global @g3 "thread" "thread": i32 size 4 align 4 internal thread_local = "\05"
global @g4 "environ" "environ": **i8 size 8 align 8 external

function @f0 "printf" "printf": fn(*i8, ...) -> i32 external
"#;

#[test]
fn records_bit_fields_variadics_and_computed_gotos_work() {
    let ir = format!(
        "{HEAD}{}",
        r#"
function @f1 "sum" "sum": fn(r0, i32, ...) -> r0 internal {
  %0 "s": r0 memory align 8
  %1 "n": i32 register
  %2 "list": [1 r1] memory align 8
  %3 "x": i32 register
  %4 "b": i32 register
  parameters 2
b0:
  live %2.list
  intrinsic va_start (&%2.list[0 by 24]:*r1)
  goto b1
b1:
  branch (%1.n > 0) ? b2 : b3
b2:
  intrinsic local %3.x = va_arg i32 (&%2.list[0 by 24]:*r1)
  %4.b = load %0.s/r0.1.b
  store %0.s/r0.1.b = (%4.b - %3.x)
  %1.n = (%1.n - 1)
  goto b1
b3:
  intrinsic va_end (&%2.list[0 by 24]:*r1)
  store %0.s/r0.2.d = fp(f64 0x4009000000000000)
  dead %2.list
  return object %0.s
}

function @f2 "main" "main": fn(i32, **i8) -> i32 external {
  %0 "argc": i32 register
  %1 "argv": **i8 register
  %2 "s": r0 memory align 8
  %3 "b": i32 register
  %4 "d": f64 register
  %5 "j": i32 register
  %6 "a": i32 register
  %7 "t": i32 register
  %8 "wide": u128 register
  %9 "vla": [? i32] memory align 4
  %10 "q": *i8 register
  parameters 2
b0:
  zero %2.s
  store %2.s/r0.0.a = -7
  call place %2.s = @f1.sum(object %2.s, 3, 1, 2, 3)
  %3.b = load %2.s/r0.1.b
  %4.d = load %2.s/r0.2.d
  %6.a = load %2.s/r0.0.a
  %5.j = load @g2.jumps[0:i64 by 4 of 2]
  live %9.vla bytes ((%0.argc as u64) * 4:u64)
  store %9.vla[0 by 4]{i32} = 42
  %7.t = load %9.vla[0 by 4]{i32}
  dead %9.vla
  goto *ptradd(&&b2, %5.j, 1) (b1, b2)
b1:
  %8.wide = (1:u128 << 100)
  %8.wide = ((%8.wide >> 65) + (%0.argc as u128))
  %5.j = load @g3.thread
  %10.q = load @g1.table[1 by 8 of 3]{*i8}
  %6.a = (%6.a + (ptrdiff(%10.q, &@g0{i8}, 1) as i32))
  call @f0.printf(&@g0{i8}, %6.a, %3.b, %4.d, fp(x87 0x4000c90fdaa22168c235), %7.t, (%8.wide as u64), %5.j)
  return 3
b2:
  return 1
}
"#
    );
    let (code, output) = run(&ir, Options::default());
    assert_eq!(output, "-4 -6 3.125 3.141593 42 34359738369 5\n");
    assert_eq!(code, Some(3));
}

#[test]
fn padding_does_not_change_how_a_record_is_passed() {
    // {float; double} travels in two SSE registers: `ldexp`-like externals would see garbage otherwise. The
    // callee is compiled from a plain C struct by way of the layout of `r2`.
    let ir = format!(
        "{HEAD}{}",
        r#"
function @f1 "pick" "pick": fn(r2) -> f64 external {
  %0 "s": r2 memory align 8
  %1: f64 register
  %2: f32 register
  parameters 1
b0:
  %1 = load %0.s/r2.1.d
  %2 = load %0.s/r2.0.f
  return (%1 + (%2 as f64))
}

function @f2 "main" "main": fn() -> i32 external {
  %0 "s": r2 memory align 8
  %1: f64 register
b0:
  store %0.s/r2.0.f = fp(f32 0x3fc00000)
  store %0.s/r2.1.d = fp(f64 0x4000000000000000)
  call local %1 = *@f1.pick(object %0.s) : fn(r2) -> f64
  goto b1
b1:
  return ((%1 * fp(f64 0x4024000000000000)) as i32)
b2:
  return 0
}
"#
    );
    assert_eq!(run(&ir, Options::default()).0, Some(35));
}

#[test]
fn checks_can_trap() {
    let ir = format!(
        "{HEAD}{}",
        r#"
function @f1 "unused" "unused": fn() -> void external
function @f2 "main" "main": fn(i32, **i8) -> i32 external {
  %0 "argc": i32 register
  %1 "argv": **i8 register
  parameters 2
b0:
  e0 = (2147483647 + %0.argc)
  check
    o0 signed-overflow: not_raised signed_overflow e0
  goto b1
b1:
  return (e0 < 0)
b2:
  return 0
}
"#
    );
    assert_eq!(run(&ir, Options::default()).0, Some(1));
    assert_eq!(run(&ir, Options { checks: true, ..Options::default() }).0, None);
}

#[test]
fn objects_that_begin_to_live_are_told() {
    let ir = format!(
        "{HEAD}{}",
        r#"
function @f1 "unused" "unused": fn() -> void external
function @f2 "main" "main": fn() -> i32 external {
  %0 "text": [4 i8] memory align 1
  %1 "n": i32 register
  %2 "p": *i8 register
  %3: i8 register
b0:
  live %0.text
  live %1.n
  live %2.p
  check
    o0 uninitialised-read: initialised_local %1.n
    o1 uninitialised-read: initialised_local %2.p
  %3 = load %0.text[1 by 1 of 4]
  goto b1
b1:
  return (%1.n + (%3 as i32))
b2:
  return 0
}
"#
    );
    // A register that nobody asks about is always written, and a pointer is null.
    let tells = r#"
void clew_begins(const char *name, void *place, u64 size) {
  extern int printf(const char *, ...);
  printf("%s %d %d\n", name, (int)size, place != 0);
  for (u64 i = 0; i < size; i++) ((char *)place)[i] = size == 4 && name[5] == 'n' ? (i == 0) * 30 : 5;
}
"#;
    let (status, said) = run_with(&ir, Options { begins: true, ..Options::default() }, tells);
    assert_eq!((status, &*said), (Some(35), "main.text 4 1\nmain.n 4 1\nmain.p 0 0\n"));
}
