// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lowering, seen as text: small C functions and the IR they become, and rules that hold for every C file we have.
//! `cargo xtask bless` accepts changed snapshots.

use std::path::{Path, PathBuf};

use clew_frontend::{Command, DiskFiles, lower, parse_unit};
use clew_ir::syntax::{Program, StatementKind};
use clew_ir::text::{Options, print_with};

fn lowered(text: &str) -> Program {
    let mut files = DiskFiles::new();
    files.overlay("test.c", text.as_bytes());
    let unit = parse_unit(&Command::new("test.c"), &files).unwrap_or_else(|errors| panic!("{errors}"));
    let program = lower::lower(&unit);
    let faults: Vec<String> = clew_ir::verify::verify(&program).iter().map(ToString::to_string).collect();
    assert_eq!(faults, Vec::<String>::new(), "{text}");
    program
}

fn ir(text: &str) -> String {
    print_with(&lowered(text), Options::READABLE)
}

#[test]
fn checks_stand_before_their_operation() {
    insta::assert_snapshot!(ir("int f(int *p, int i) { return p[i] / (i + 1); }"));
}

#[test]
fn conditions_become_control_flow() {
    insta::assert_snapshot!(ir("int f(int a, double b) { return a && (b || !a) ? a : 3; }"));
}

#[test]
fn loops_have_a_head_and_a_step() {
    insta::assert_snapshot!(ir("int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }"));
}

#[test]
fn members_keep_their_names() {
    insta::assert_snapshot!(ir("struct s { int a; unsigned b : 3; int c[4]; };
        void f(struct s *p, struct s v) { p->b = v.a; p->c[2]++; *p = v; }"));
}

#[test]
fn a_goto_out_of_a_scope_ends_its_storage() {
    insta::assert_snapshot!(ir("void g(int *);
        void f(int n) { again: { int x; g(&x); if (n--) goto again; } }"));
}

#[test]
fn a_register_is_checked_only_where_it_may_be_empty() {
    insta::assert_snapshot!(ir("int f(int c) { int x, y; x = 1; if (c) y = 2; return x + y; }"));
}

#[test]
fn unsequenced_effects_are_obligations() {
    let both = ir("int f(int i) { i = i++; return i; } int g(int *p, int *q) { return (*p)++ + *q; }");
    assert!(both.contains("unsequenced: never"), "{both}");
    assert!(both.contains("unsequenced: disjoint"), "{both}");
    let fine = ir("int f(int i, int *p, int *q) { i = (i++, i); *p++ = *q++; return i && i++; }");
    assert!(!fine.contains("unsequenced"), "{fine}");
}

#[test]
fn unsupported_code_is_said_and_the_rest_is_lowered() {
    let program = lowered("int f(int x) { _Complex double c = x; return x / x; }");
    let body = program.functions.iter().find_map(|f| f.body.as_ref()).unwrap();
    let said = body
        .blocks
        .iter()
        .flat_map(|b| &b.statements)
        .any(|s| matches!(&s.kind, StatementKind::Unsupported { what } if &**what == "complex numbers"));
    assert!(said);
    assert!(body.obligations.iter().any(|o| o.check.id() == "division-by-zero"));
}

#[test]
fn every_c_file_of_the_tests_lowers_verifies_and_prints_back() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    let mut files = Vec::new();
    collect(&root, &mut files);
    assert!(files.len() > 60, "{} files", files.len());
    for file in files {
        let Ok(unit) = parse_unit(&Command::new(&file), &DiskFiles::new()) else { continue };
        let program = lower::lower(&unit);
        let faults = clew_ir::verify::verify(&program);
        assert!(faults.is_empty(), "{}: {}", file.display(), faults[0]);
        let text = clew_ir::text::print(&program);
        let back = clew_ir::text::parse(&text).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        assert!(clew_ir::text::print(&back) == text, "{}: the text form does not round-trip", file.display());
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|e| e == "c") {
            files.push(path);
        }
    }
}
