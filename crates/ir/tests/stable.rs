// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ids and content hashes survive what happens around them, and nothing else.

use clew_ir::stable::{content_hash, stable_ids};
use clew_ir::syntax::*;
use clew_ir::text::parse;

/// A program with `before` in front of the function `f`, whose handles then shift.
fn program(before: &str, function: u32, global: u32, body: &str) -> Program {
    let text = format!(
        "clew-ir 1\n{before}\nglobal @g{global} \"x\" \"x\": i32 size 4 align 4 external tentative \"\"\n\
         function @f{function} \"f\" \"f\": fn(*i32) -> i32 external #0:10-11 {{\n{body}\n}}\nfile 0 \"a.c\"\n"
    );
    parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn body(global: u32, span: u32, extra_line: &str) -> String {
    format!(
        "%0 \"p\": *i32 register\n %1: i32 register\n %2: i32 register\n %3 \"unused\": f64 register\n parameters 1\n\
         b0:\n {extra_line}\n\
         check #{span}-90\n o0 null-deref: not_null %0.p #{span}-80\n\
         %1 = load *%0.p #{span}-99\n\
         %2 = load @g{global}.x\n\
         e0 = (%1 + %2)!{span}-70\n\
         check\n o1 signed-overflow: not_raised signed_overflow e0\n o2 signed-overflow: not_raised signed_overflow e0\n\
         return e0"
    )
}

fn ids(program: &Program) -> Vec<String> {
    stable_ids(program).iter().flat_map(|f| f.iter()).map(|id| id.to_string()).collect()
}

const OTHERS: &str = "record r0 struct \"Other\" size 8 align 8 {\n at 0 \"d\": f64\n}\n\
    global @g0 \"first\" \"first\": r0 size 8 align 8 external tentative \"\"\n\
    function @f0 \"other\" \"other\": fn(r0) -> void external\n";

#[test]
fn other_things_and_other_lines_change_nothing() {
    let plain = program("", 0, 0, &body(0, 20, ""));
    let moved = program(OTHERS, 1, 1, &body(1, 50, ""));
    assert_eq!(ids(&plain), ids(&moved));
    assert_eq!(content_hash(&plain, FuncId(0)), content_hash(&moved, FuncId(1)));
}

#[test]
fn equal_operations_are_told_apart_by_their_order() {
    let ids = ids(&program("", 0, 0, &body(0, 20, "")));
    assert_eq!(ids.len(), 3);
    assert!(ids[0] != ids[1] && ids[1] != ids[2]);
    assert!(ids.iter().all(|id| id.len() == 16));
}

#[test]
fn unrelated_code_of_the_function_keeps_ids_but_not_the_content() {
    let plain = program("", 0, 0, &body(0, 20, ""));
    let more = program("", 0, 0, &body(0, 20, "%3 = fp(f64 0x0)"));
    assert_eq!(ids(&plain), ids(&more));
    assert_ne!(content_hash(&plain, FuncId(0)), content_hash(&more, FuncId(0)));
}

#[test]
fn another_operation_has_another_id() {
    let plain = program("", 0, 0, &body(0, 20, ""));
    let changed = program("", 0, 0, &body(0, 20, "").replace('+', "*"));
    assert_eq!(ids(&plain)[0], ids(&changed)[0]);
    assert_ne!(ids(&plain)[1], ids(&changed)[1]);
}
