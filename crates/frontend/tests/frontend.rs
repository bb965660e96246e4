// SPDX-License-Identifier: MIT OR Apache-2.0
//! The front end from the outside: text in, units and messages out.

use clew_base::source::{SourceMap, Span};
use clew_frontend::{Command, CommandLine, Diagnostics, DiskFiles, Unit, parse_unit};
use rucc_sema::{ExprKind, Stmt, StmtId};

const FILE: &str = "virtual/test.c";

fn read_with(flags: &str, text: &[u8]) -> Result<Unit, Diagnostics> {
    let mut files = DiskFiles::new();
    files.overlay(FILE, text);
    files.overlay("virtual/broken.h", *b"int before;\nint oops = ;\n");
    let flags: Vec<String> = flags.split_whitespace().map(str::to_owned).collect();
    let line = CommandLine::parse(&flags, None, &files).expect("good flags");
    parse_unit(&line.command_for(FILE.as_ref()), &files)
}

fn accept(text: &str) -> Unit {
    read_with("", text.as_bytes()).unwrap_or_else(|errors| panic!("{errors}"))
}

/// The lines of the messages of a rejected text.
fn reject(text: impl AsRef<[u8]>) -> Vec<String> {
    match read_with("", text.as_ref()) {
        Ok(_) => panic!("accepted"),
        Err(errors) => errors.to_string().lines().map(str::to_owned).collect(),
    }
}

/// The expression of the last `return` of the last function.
fn returned(unit: &Unit) -> rucc_sema::ExprId {
    let function = unit.tast.top_level().iter().rev().find_map(|d| unit.tast[*d].body).expect("a function");
    fn last(unit: &Unit, stmt: StmtId) -> Option<rucc_sema::ExprId> {
        match unit.tast[stmt] {
            Stmt::Return(value) => value,
            Stmt::Block(list) => unit.tast[list].iter().rev().find_map(|s| last(unit, *s)),
            _ => None,
        }
    }
    last(unit, function).expect("a return")
}

fn span_of_returned(unit: &Unit) -> (Span, SourceMap) {
    let span = unit.span(unit.tast.expr_span(returned(unit)));
    (span, unit.source_map())
}

fn text(map: &SourceMap, span: Span) -> &str {
    std::str::from_utf8(map.text(span)).expect("UTF-8")
}

#[test]
fn spans_cover_the_text_of_an_expression() {
    let unit = accept("int f(int a)\n{\n    return a /* plus */ + 0x1p3;\n}\n");
    let (span, map) = span_of_returned(&unit);
    assert_eq!(text(&map, span), "a /* plus */ + 0x1p3");
    assert_eq!(map.place(span).to_string(), "virtual/test.c:3:12");
    assert_eq!(span.expansion, None);
}

#[test]
fn operands_keep_their_parentheses() {
    for expression in ["(a) + ((a))", "(a + 1)", "((a)) - f((a))"] {
        let unit = accept(&format!("int f(int a) {{ return {expression}; }}\n"));
        let (span, map) = span_of_returned(&unit);
        let expected = if expression == "(a + 1)" { "a + 1" } else { expression };
        assert_eq!(text(&map, span), expected);
    }
}

#[test]
fn text_of_a_macro_body_is_shown_where_the_macro_is_used() {
    let unit = accept("#define TWICE(x) ((x) * 2.50)\ndouble f(void) { return TWICE( 3 ); }\n");
    let (span, map) = span_of_returned(&unit);
    assert_eq!(text(&map, span), "TWICE( 3 )");
    let use_ = map.macro_use(span).expect("a macro");
    assert_eq!(&*use_.name, "TWICE");
    assert_eq!(text(&map, use_.spelling), "(x) * 2.50");
    assert!(use_.parent.is_none());
}

#[test]
fn a_macro_inside_a_macro_names_both() {
    let unit = accept("#define INNER 1.25f\n#define OUTER INNER\nfloat f(void) { return OUTER; }\n");
    let (span, map) = span_of_returned(&unit);
    assert_eq!(text(&map, span), "OUTER");
    let inner = map.macro_use(span).expect("a macro");
    assert_eq!((&*inner.name, text(&map, inner.spelling)), ("INNER", "1.25f"));
    assert_eq!(unit.spelled_text(span), b"1.25f");
    let outer = &map.macros[inner.parent.expect("a parent")];
    assert_eq!(&*outer.name, "OUTER");
}

#[test]
fn a_macro_argument_is_shown_where_it_is_written() {
    let unit = accept("#define ID(x) x\nint f(int a) { return ID(a + 1); }\n");
    let (span, map) = span_of_returned(&unit);
    assert_eq!(text(&map, span), "a + 1");
    assert_eq!(&*map.macro_use(span).expect("a macro").name, "ID");
}

#[test]
fn an_expression_around_a_macro_is_not_of_the_macro() {
    let unit = accept("#define N 4\nint f(int a) { return a + N; }\n");
    let (span, map) = span_of_returned(&unit);
    assert_eq!(text(&map, span), "a + N");
    assert_eq!(span.expansion, None);
}

#[test]
fn line_directives_move_the_presumed_place() {
    let lines = reject("int a;\n#line 70 \"other.c\"\nint b;\nint c = d;\n");
    assert_eq!(lines[0], "other.c:71:9: error: 'd' undeclared (first use in this function)");
    let mut files = DiskFiles::new();
    files.overlay(
        "p.i",
        *b"# 1 \"a.c\"\n# 1 \"/usr/include/x.h\" 1 3\nint x;\n# 12 \"a.c\" 2\nint linux = y;\n",
    );
    let error = parse_unit(&Command::new("p.i"), &files).err().expect("an error");
    assert!(error.to_string().starts_with("a.c:12:13: error: 'y' undeclared"), "{error}");
}

#[test]
fn all_errors_of_a_file_are_reported_with_their_macros() {
    let lines =
        reject("#define BAD(x) (x + nowhere)\nint f(void) { return BAD(1); }\nint g(void) { return q; }\n");
    assert!(lines[0].starts_with("virtual/test.c:2:22: error: 'nowhere' undeclared"), "{lines:?}");
    assert!(
        lines.contains(&"virtual/test.c:1:21: note: in expansion of macro `BAD`".to_owned()),
        "{lines:?}"
    );
    assert!(lines.iter().any(|l| l.starts_with("virtual/test.c:3:22: error: 'q' undeclared")), "{lines:?}");
}

#[test]
fn syntax_errors_do_not_hide_each_other() {
    let lines = reject("int f(void) { return 1 }\nint g(void) { return ); }\n");
    assert!(lines[0].starts_with("virtual/test.c:1:23: error: expected `;`"), "{lines:?}");
    assert!(lines.iter().any(|l| l.starts_with("virtual/test.c:2:22: error: ")), "{lines:?}");
}

#[test]
fn an_error_in_a_header_says_who_included_it() {
    let lines = reject("int x;\n#include \"broken.h\"\n");
    assert!(lines[0].starts_with("virtual/broken.h:2:12: error: "), "{lines:?}");
    assert_eq!(lines[1], "virtual/test.c:2:1: note: included from here");
}

#[test]
fn a_missing_header_is_one_error() {
    let lines = reject("#include <no/such/header.h>\nnosuch_t x;\n");
    assert!(
        lines[0].starts_with("virtual/test.c:1:1: error: `no/such/header.h` file not found"),
        "{lines:?}"
    );
    assert!(!lines.iter().any(|l| l.contains("nosuch_t")), "{lines:?}");
}

#[test]
fn old_code_is_accepted_with_warnings() {
    let unit = accept("int f(a, b) int a; char *b; { return g(a) + *b; }\n");
    let messages: Vec<&str> = unit.warnings.iter().map(|w| w.message.as_str()).collect();
    assert!(messages.contains(&"old-style function definition"), "{messages:?}");
    assert!(messages.iter().any(|m| m.contains("implicit declaration")), "{messages:?}");
}

#[test]
fn the_compiler_speaks_for_itself() {
    accept("#if __GNUC__ < 4 || !defined __x86_64__\n#error not this compiler\n#endif\nint linux_;\n");
    accept(
        "#include <stdio.h>\n#include <math.h>\n#include <stdatomic.h>\nint main(void) { return puts(\"x\"); }\n",
    );
    let strict =
        read_with("-std=c99 -DA=3 -UB", b"#if A != 3 || defined B || defined linux\n#error no\n#endif\n");
    assert!(strict.is_ok());
    assert!(read_with("-Dmain=x(a)", b"int y;").is_ok());
}

#[test]
fn flags_change_types_and_layout() {
    let assert = |flags: &str, condition: &str| {
        let text =
            format!("enum e {{ A }}; struct s {{ char c; int i; }};\n_Static_assert({condition}, \"\");\n");
        if let Err(errors) = read_with(flags, text.as_bytes()) {
            panic!("{flags} {condition}: {errors}");
        }
    };
    assert("", "(char)-1 < 0 && sizeof(struct s) == 8 && sizeof(enum e) == 4 && sizeof(void *) == 8");
    assert("-funsigned-char", "(char)-1 > 0");
    assert("-fpack-struct", "sizeof(struct s) == 5");
    assert("-fpack-struct=2", "sizeof(struct s) == 6");
    assert("-fshort-enums", "sizeof(enum e) == 1");
    assert("-fshort-wchar", "sizeof(L' ') == 2");
    assert("-m32", "sizeof(void *) == 4 && sizeof(long double) == 12 && sizeof(long) == 4");
}

#[test]
fn junk_ends_in_an_error_with_a_place() {
    let deep = format!("int main(void) {{ return {}1{}; }}", "(".repeat(100_000), ")".repeat(100_000));
    let comment: &[u8] = b"int x; /* never ends\n";
    let cases: [(&[u8], &str); 7] = [
        (comment, "virtual/test.c:1:8: error: unterminated comment"),
        (deep.as_bytes(), "virtual/test.c:1:2024: error: brackets nested more deeply"),
        (b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0", "virtual/test.c:1:5: error: this is not text"),
        (b"int \xff = 3;\n", "virtual/test.c:1:5: error: source is not valid UTF-8 here"),
        (b"#include \"test.c\"\n", "virtual/test.c:1:1: error: `#include` nested too deeply"),
        (b"int x = 'a\n;", "virtual/test.c:1:9: "),
        (b"#if 1\nint x;\n", "virtual/test.c:1:1: error: unterminated `#if`"),
    ];
    for (text, expected) in cases {
        let lines = reject(text);
        assert!(lines[0].starts_with(expected), "{expected:?} is not in {:?}", lines[0]);
    }
    let many = format!("int a{};", "[1]".repeat(100_000));
    assert!(reject(many)[0].contains("more than 256 dimensions"));
}

#[test]
fn deep_trees_do_not_overflow_the_stack() {
    let sum = vec!["1"; 100_000].join("+");
    accept(&format!("int f(void) {{ return {sum}; }}\n"));
    accept(&format!("int f(int a) {{ return {}1; }}\n", "- ".repeat(50_000)));
    accept(&format!("int f(void) {{ {}; return 0; }}\n", "if (1) ".repeat(50_000)));
}

#[test]
fn files_that_cannot_be_read_say_why() {
    let message = |name: &str| match parse_unit(&Command::new(name), &DiskFiles::new()) {
        Ok(_) => panic!("accepted"),
        Err(errors) => errors.to_string(),
    };
    assert_eq!(message("no/such/file.c"), "error: no/such/file.c: no such file");
    assert_eq!(message("src"), "error: src: is a folder, not a file");
}

#[test]
fn conversions_are_nodes_and_names_resolve() {
    let unit = accept("long f(char c) { return c; }\n");
    let value = returned(&unit);
    assert!(matches!(unit.tast[value].kind, ExprKind::Convert { .. }));
    assert_eq!(rucc_types::spell(&unit.types, &unit.names, unit.tast[value].ty), "long");
}

#[test]
fn names_that_a_condition_declares_are_refused() {
    for text in [
        "int f(void) { if (sizeof(enum { K = 8 })) ; return 0; }",
        "int f(int x) { if (x) x = sizeof(struct s { int a; }); return x; }",
        "int f(int x) { while (x) case_of: return (int)sizeof(union u { int a; }); return x; }",
        "int f(int x) { switch (x) default: x = (enum { A } __attribute__((packed)))x; return x; }",
    ] {
        assert!(reject(text)[0].contains("its scope ends there"), "{text}");
    }
    accept(
        "int f(int x) { if (x) { enum { K = 8 }; return K; } return ({ struct s { int a; } s = {1}; s.a; }); }",
    );
    accept(
        "int f(int x) { if (({ enum { Q = 2 }; Q; })) while (x < (int)sizeof(struct { int a; })) x++; return x; }",
    );
}
