// SPDX-License-Identifier: MIT OR Apache-2.0
//! Units become one program as a linker would make it.

use clew_ir::link::{LinkError, link};
use clew_ir::syntax::*;
use clew_ir::text::{parse, print};
use clew_ir::verify::verify;

fn unit(file: &str, text: &str) -> Program {
    let text = format!("clew-ir 1\n{text}\nfile 0 \"{file}\"\n");
    parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn linked(units: Vec<Program>) -> Program {
    let program = link(units).unwrap_or_else(|e| panic!("{e:?}"));
    let faults = verify(&program);
    assert!(faults.is_empty(), "{faults:#?}\n{}", print(&program));
    program
}

fn function<'p>(program: &'p Program, name: &str) -> &'p Function {
    program
        .functions
        .iter()
        .find(|f| &*f.name == name)
        .unwrap_or_else(|| panic!("no {name}\n{}", print(program)))
}

fn global<'p>(program: &'p Program, name: &str) -> &'p Global {
    program
        .globals
        .iter()
        .find(|g| &*g.name == name)
        .unwrap_or_else(|| panic!("no {name}\n{}", print(program)))
}

const POINT: &str =
    "record r0 struct \"Point\" size 16 align 8 {\n at 0 \"x\": f64\n at 8 \"next\": *r0\n}\n";

#[test]
fn a_definition_wins_and_shared_records_are_one() {
    let main = unit(
        "main.c",
        &format!(
            "{POINT}
            global @g0 \"limit\" \"limit\": [? i32] size 0 align 4 external
            global @g1 \".str.0\" \".str.0\": [2 i8] size 2 align 1 internal string = \"a\"
            function @f0 \"scale\" \"scale\": fn(r0) -> r0 external
            function @f1 \"helper\" \"helper\": fn() -> i32 internal {{
            b0:
              return 1
            }}
            function @f2 \"main\" \"main\": fn() -> i32 external #0:5-9 {{
              %0 \"p\": r0 memory align 8
              %1: i32 register
            b0:
              call place %0.p = @f0.scale(object %0.p) #0:20-30
              call local %1 = @f1.helper()
              %1 = load @g0.limit[0 by 4]
              return %1
            }}"
        ),
    );
    let other = unit(
        "lib/other.c",
        &format!(
            "record r0 union \"Unrelated\" size 4 align 4 {{\n at 0 \"i\": i32\n}}\n{}
            global @g0 \"limit\" \"limit\": [3 i32] size 12 align 4 external = \"\\05\"
            global @g1 \".str.0\" \".str.0\": [2 i8] size 2 align 1 internal string = \"b\"
            function @f0 \"helper\" \"helper\": fn() -> i32 internal {{
            b0:
              return 2
            }}
            function @f1 \"scale\" \"scale\": fn(r1) -> r1 external {{
              %0 \"p\": r1 memory align 8
              parameters 1
            b0:
              return object %0.p
            }}",
            POINT.replace("r0", "r1")
        ),
    );
    let program = linked(vec![main, other]);
    assert_eq!(program.records.len(), 2);
    assert_eq!(global(&program, "limit").size, 12);
    assert!(function(&program, "scale").body.is_some());
    assert!(function(&program, "helper@main.c").body.is_some());
    assert!(function(&program, "helper@other.c").body.is_some());
    assert_eq!(&*global(&program, ".str.1").init.as_ref().expect("defined").bytes, b"b");
    assert_eq!(program.sources.files.len(), 2);
    assert_eq!(program.sources.place(function(&program, "main").span).file.as_ref(), "main.c");
}

#[test]
fn weak_and_tentative_definitions_yield() {
    let weak = unit(
        "a.c",
        "global @g0 \"t\" \"t\": i8 size 1 align 1 external tentative \"\"
        function @f0 \"f\" \"f\": fn() -> i32 weak {\nb0:\n return 1\n}",
    );
    let strong = unit(
        "b.c",
        "global @g0 \"t\" \"t\": i32 size 4 align 4 external tentative \"\"
        function @f0 \"f\" \"f\": fn() -> i32 external {\nb0:\n return 2\nb1:\n return 3\n}",
    );
    for units in [vec![weak.clone(), strong.clone()], vec![strong, weak]] {
        let program = linked(units);
        assert_eq!(function(&program, "f").body.as_ref().map(|b| b.blocks.len()), Some(2));
        assert_eq!(function(&program, "f").linkage, Linkage::External);
        assert_eq!(global(&program, "t").size, 4);
    }
}

#[test]
fn conflicts_name_both_places() {
    let a = unit("a.c", "function @f0 \"f\" \"f\": fn() -> i32 external #0:0-1 {\nb0:\n return 1\n}");
    let b = unit(
        "b.c",
        "function @f0 \"f\" \"f\": fn() -> i32 external #0:0-1 {\nb0:\n return 1\n}
        function @f1 \"g\" \"g\": fn() -> i32 external alias \"nothing\"",
    );
    let c = unit("c.c", "global @g0 \"f\" \"f\": i32 size 4 align 4 external tentative \"\"");
    let errors = link(vec![a, b, c]).expect_err("these do not go together");
    let texts: Vec<String> = errors.iter().map(LinkError::to_string).collect();
    assert_eq!(
        texts,
        [
            "b.c:1:1: `f` is defined again; it was first defined at a.c:1:1",
            "<built-in>:0:0: `f` is a variable here, but not at a.c:1:1",
            "<built-in>:0:0: `g` is an alias of `nothing`, which is not defined",
        ]
    );
}

const INLINE: &str = "function @f0 \"val\" \"val\": fn() -> i32 weak inline {\nb0:\n  return 1\n}\n";

fn is_unsupported(program: &Program, name: &str) -> bool {
    let body = function(program, name).body.as_ref().expect("a body");
    body.blocks
        .iter()
        .flat_map(|b| &b.statements)
        .any(|s| matches!(s.kind, StatementKind::Unsupported { .. }))
}

#[test]
fn an_inline_definition_that_differs_leaves_calls_open() {
    let external = |value| {
        unit(
            "b.c",
            &format!("function @f0 \"val\" \"val\": fn() -> i32 external {{\nb0:\n  return {value}\n}}\n"),
        )
    };
    for (value, differs) in [(1, false), (2, true)] {
        let inline = || unit("a.c", INLINE);
        assert_eq!(is_unsupported(&linked(vec![inline(), external(value)]), "val"), differs);
        assert_eq!(is_unsupported(&linked(vec![external(value), inline()]), "val"), differs);
    }
}

#[test]
fn what_has_an_external_alias_is_seen_from_elsewhere() {
    let program = linked(vec![unit(
        "a.c",
        "function @f0 \"f\" \"f\": fn() -> i32 internal {\nb0:\n  return 1\n}
        function @f1 \"f_pub\" \"f_pub\": fn() -> i32 external alias \"f\"\n",
    )]);
    assert_eq!(function(&program, "f").linkage, Linkage::External);
}

#[test]
fn weak_definitions_are_open_where_there_is_no_main() {
    let hook = "function @f0 \"hook\" \"hook\": fn() -> i32 weak {\nb0:\n  return 1\n}
        function @f1 \"NAME\" \"NAME\": fn() -> i32 external {
          %0: i32 register
        b0:
          call local %0 = @f0.hook()
          return %0
        }\n";
    for (name, open) in [("user", true), ("main", false)] {
        let mut program = linked(vec![unit("a.c", &hook.replace("NAME", name))]);
        clew_ir::link::open_weak_definitions(&mut program);
        assert!(verify(&program).is_empty());
        assert_eq!(program.functions.iter().any(|f| &*f.name == "hook@elsewhere"), open);
        assert!(function(&program, "hook").body.is_some());
    }
}
