// SPDX-License-Identifier: MIT OR Apache-2.0
//! Each rule of the verifier is broken once.

use clew_ir::text::parse;
use clew_ir::verify::verify;

/// A small program with `%s` in place of a body's code; the verifier's complaints about it.
fn faults(code: &str) -> Vec<String> {
    let text = format!(
        "clew-ir 1
        record r0 struct \"S\" size 8 align 4 {{\n at 0 \"a\": i32\n at 4 bits 0 3 \"b\": u32\n}}
        global @g0 \"g\" \"g\": [4 i32] size 16 align 4 external tentative \"\"
        function @f0 \"h\" \"h\": fn(i32, ...) -> i32 external
        function @f1 \"f\" \"f\": fn(i32) -> i32 external {{
          %0 \"n\": i32 register
          %1 \"s\": r0 memory align 4
          %2 \"d\": f64 register
          %3 \"p\": *i32 register
          parameters 1
        b0:
          {code}
        }}"
    );
    let program = parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    verify(&program).iter().map(|f| f.to_string()).collect()
}

#[track_caller]
fn breaks(code: &str, message: &str) {
    let faults = faults(code);
    assert!(faults.iter().any(|f| f.contains(message)), "`{message}` not in {faults:#?}");
}

#[test]
fn good_code_passes() {
    let code = "%0 = (%0 + 1)\n call local %0 = @f0(%0, fp(f64 0x0))\n store %1/r0.1 = 3:u32\n return %0";
    assert_eq!(faults(code), Vec::<String>::new());
}

#[test]
fn expressions_are_typed() {
    breaks("%0 = (%0 + 1:i64)\n return", "the right operand has another type");
    breaks("%0 = 4294967296\n return", "not canonical");
    breaks("%2 = fp(f64 0x10000000000000000)\n return", "do not fit the format");
    breaks("%2 = (%2 % %2)\n return", "floats do not have");
    breaks("%3 = (%2 as *i32)\n return", "between float and pointer");
    breaks("%0 = (%0 == %3)\n return", "values of two types");
    breaks("%0 = (%0 == %0):i64\n return", "comparison is `int`");
    breaks("%3 = (%3 + %3)\n return", "on pointers");
    breaks("%0 = clz(%2)\n return", "gets a float");
    breaks("%0 = isunordered(%2)\n return", "number of operands");
    breaks("%0 = %1:i32\n return", "reads a memory local");
    breaks("%3 = &%1/r0.1:*i32\n return", "address of a bit-field");
}

#[test]
fn places_and_statements_are_typed() {
    breaks("%2 = load %1/r0.0\n return", "not the type of the local");
    breaks("%0 = load %0{i32}\n return", "a place in a register local");
    breaks("%0 = load %1/r0.7{i32}\n return", "no such member");
    breaks("%0 = load @g0[%2 by 4]\n return", "no integer");
    breaks("%0 = load @g0[1 by 8]\n return", "the size of an element");
    breaks("store @g0[1 by 4] = %2\n return", "another type than the place");
    breaks("copy %1 = @g0\n return", "differ in size");
    breaks("live %1 bytes 3\n return", "a size for a local whose type has one");
    breaks("call @f0()\n return", "wrong number of arguments");
    breaks("call @f0(%2)\n return", "another type than its parameter");
    breaks("call local %2 = @f0(1)\n return", "not the type of the local");
    breaks("call *%0(1) : fn(i32) -> i32\n return", "calls what is no pointer");
    breaks("assume %2\n return", "no integer");
    breaks("intrinsic trap (1)\n return", "number of operands");
    breaks("return %2", "a value of another type");
    breaks("branch %3 ? b1 : b1\nb1:\n return", "no integer");
}

#[test]
fn blocks_and_obligations_are_sound() {
    breaks("goto b0", "leads to the entry block");
    breaks("goto b7", "b7 does not exist");
    breaks("switch %0 {1: b1, 1 .. 2: b1} default b1\nb1:\n return", "overlap");
    breaks("switch %0 {3: b1, 1: b1} default b1\nb1:\n return", "do not ascend");
    breaks("switch %0 {3 .. 2: b1} default b1\nb1:\n return", "empty case range");
    breaks("return\n orphan o0 assertion: never", "no check names it");
    breaks("check\n o0 order-dependent: commutes\n return", "belongs to regions");
    breaks("unordered begin o0 assertion: never ,\n return", "not `commutes`");
    breaks("check\n o0 signed-overflow: not_raised signed_overflow %0\n return", "cannot raise that");
    breaks("check\n o0 null-deref: not_null %0\n return", "no pointer");
    breaks("goto *&&b0 (b1)\nb1:\n return", "address of the entry block");
}

#[test]
fn tables_are_sound() {
    let check = |text: &str, message: &str| {
        let program = parse(&format!("clew-ir 1\n{text}")).unwrap_or_else(|e| panic!("{e}"));
        let faults: Vec<String> = verify(&program).iter().map(|f| f.to_string()).collect();
        assert!(faults.iter().any(|f| f.contains(message)), "`{message}` not in {faults:#?}");
    };
    check("record r0 struct size 4 align 4 {\n at 2 \"a\": i32\n}", "outside its record");
    check("record r0 struct size 4 align 3 {\n}", "no power of two");
    check("record r0 struct size 4 align 4 {\n at 0 bits 9 3 \"a\": i32\n}", "does not fit its type");
    check(
        "global @g0 \"x\" \"x\": *i8 size 8 align 8 external = \"\" {\n at 4 bytes 8: @g0\n}",
        "outside the object",
    );
    check("global @g0 \"x\" \"x\": i32 size 2 align 2 external", "smaller than its type");
    check(
        "global @g0 \"x\" \"x\": i32 size 4 align 4 external\nfunction @f0 \"x\" \"x\": fn() -> void external",
        "not unique",
    );
    check("global @g0 \"x\" \"x\": *r9 size 8 align 8 external", "r9 does not exist");
    check("function @f0 \"x\" \"x\": i32 external", "not a function type");
}
