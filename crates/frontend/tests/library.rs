// SPDX-License-Identifier: MIT OR Apache-2.0
//! A program is joined with the models it needs, and with no more.

use std::collections::BTreeSet;

use clew_frontend::library::{Linked, Requirement, with_models};
use clew_frontend::{CommandLine, DiskFiles, lower, parse_unit};
use clew_ir::obligation::CheckKind;
use clew_ir::stable::stable_ids;
use clew_ir::syntax::{Callee, FuncId, Linkage, Program, StatementKind};

fn read(flags: &[&str], text: &str) -> Program {
    let mut files = DiskFiles::new();
    files.overlay("virtual/program.c", text.as_bytes());
    let flags: Vec<String> = flags.iter().map(|flag| (*flag).to_owned()).collect();
    let line = CommandLine::parse(&flags, None, &files).expect("good flags");
    let unit = parse_unit(&line.command_for("virtual/program.c".as_ref()), &files)
        .unwrap_or_else(|errors| panic!("{errors}"));
    lower::lower(&unit)
}

/// Joins, and holds the result to what is promised of every one.
fn linked_with(flags: &[&str], text: &str) -> Linked {
    let program = read(flags, text);
    let before = program.clone();
    let linked = with_models(program);
    let faults: Vec<String> =
        clew_ir::verify::verify(&linked.program).iter().map(ToString::to_string).collect();
    assert!(faults.is_empty(), "{faults:#?}");
    assert_eq!(before.types, linked.program.types.iter().take(before.types.len()).cloned().collect());
    assert_eq!(before.records, linked.program.records.iter().take(before.records.len()).cloned().collect());
    let (old_ids, new_ids) = (stable_ids(&before), stable_ids(&linked.program));
    for (id, function) in before.functions.iter_enumerated() {
        let now = &linked.program.functions[id];
        assert_eq!((&function.name, function.span), (&now.name, now.span));
        if function.body.is_some() {
            assert_eq!(function, now);
            assert_eq!(old_ids[id], new_ids[id]);
            assert!(!linked.models.contains(&id));
        }
    }
    for (id, global) in before.globals.iter_enumerated() {
        assert_eq!(global.name, linked.program.globals[id].name);
    }
    linked
}

fn linked(text: &str) -> Linked {
    linked_with(&[], text)
}

fn find(linked: &Linked, name: &str) -> FuncId {
    let mut all = linked.program.functions.iter_enumerated();
    all.find(|(_, f)| &*f.name == name).unwrap_or_else(|| panic!("no {name}")).0
}

fn asks(linked: &Linked, name: &str, check: CheckKind, argument: Option<u32>) -> bool {
    linked.asked[&find(linked, name)].contains_key(&Requirement { check, argument })
}

fn notes(linked: &Linked) -> Vec<String> {
    linked.notes.iter().map(ToString::to_string).collect()
}

fn callees(program: &Program, function: FuncId) -> BTreeSet<FuncId> {
    let body = program.functions[function].body.as_ref().expect("a body");
    let statements = body.blocks.iter().flat_map(|block| &block.statements);
    let calls = statements.filter_map(|s| match &s.kind {
        StatementKind::Call(call) => Some(call.callee),
        _ => None,
    });
    calls.filter_map(|c| if let Callee::Direct(f) = c { Some(f) } else { None }).collect()
}

#[test]
fn nothing_is_added_where_nothing_is_needed() {
    let text = "int other(void); int main(void) { return other(); }";
    let (before, linked) = (read(&[], text), linked(text));
    assert_eq!(linked.program.functions.len(), 2);
    assert_eq!(linked.program.sources.files.len(), before.sources.files.len());
    assert!(linked.models.is_empty() && linked.asked.is_empty() && linked.notes.is_empty());
}

#[test]
fn a_model_brings_what_it_needs_and_no_more() {
    let linked = linked("#include <stdlib.h>\nint main(void) { return malloc(3) != 0; }");
    let names: Vec<&str> = linked.models.iter().map(|id| &*linked.program.functions[*id].name).collect();
    let expected = ["malloc", "__errno_location", "__clew_allocation_fails", "exhausted@stdlib.c"];
    assert_eq!(names.iter().collect::<BTreeSet<_>>(), expected.iter().collect::<BTreeSet<_>>());
    assert!(linked.program.globals.iter().any(|g| &*g.name == "__errno_location.error@errno.c"));
    assert!(linked.program.functions.iter().all(|f| f.body.is_some()));
}

#[test]
fn all_headers_go_with_all_models() {
    let linked = linked(
        "#include <ctype.h>\n#include <errno.h>\n#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>
        #include <string.h>\n#include <time.h>\n#include <unistd.h>\n#include <assert.h>\n#include <strings.h>
        int main(int argc, char **argv) {
            char line[80], *copy = strdup(argv[0]);
            int number = 0;
            div_t halves = div(argc, 2);
            time_t now = time(NULL);
            assert(argc);
            if (copy == NULL || errno || !fgets(line, sizeof line, stdin) || sscanf(line, \"%d\", &number) != 1)
                exit(EXIT_FAILURE);
            printf(\"%s %d %f %d\", copy, halves.quot, sqrt(isdigit('1') ? 4 : 9), gmtime(&now)->tm_year);
            free(copy);
            fprintf(stderr, \"%ld\", (long)write(1, line, strtoul(line, NULL, 10)));
            return index(line, 'c') - line;
        }",
    );
    assert_eq!(notes(&linked), Vec::<String>::new());
    let missing = linked.program.functions.iter().filter(|f| f.body.is_none());
    assert_eq!(missing.map(|f| &*f.name).collect::<Vec<_>>(), ["_exit"]);
    let undefined = linked.program.globals.iter().filter(|g| g.init.is_none());
    assert_eq!(undefined.map(|g| &*g.name).collect::<Vec<_>>(), Vec::<&str>::new());
}

#[test]
fn requirements_come_through_other_files() {
    let linked = linked(
        "#include <strings.h>\n#include <stdio.h>
        int main(int c, char **v) { return *index(v[0], 'a') + printf(\"%.*s\", c, v[0]); }",
    );
    assert!(asks(&linked, "index", CheckKind::NullDeref, Some(0)));
    assert!(asks(&linked, "index", CheckKind::StringNotTerminated, Some(0)));
    // strnlen's, which printf calls for a string with a precision.
    let printf = &linked.asked[&find(&linked, "printf")];
    let strnlen = find(&linked, "length_within@string.c");
    assert!(printf.values().flatten().any(|(function, _)| *function == strnlen), "{printf:?}");
}

#[test]
fn every_requirement_is_an_obligation_of_a_model() {
    let linked = linked("#include <string.h>\nchar b[9];\nint main(int c, char **v) { strcpy(b, v[0]); }");
    let strcpy = find(&linked, "strcpy");
    assert!(asks(&linked, "strcpy", CheckKind::OutOfBounds, Some(0)));
    assert!(asks(&linked, "strcpy", CheckKind::StringNotTerminated, Some(1)));
    // What else stands in a model is no business of the caller's.
    assert!(linked.requirements.values().map(|own| own.len()).sum::<usize>() < 20);
    for (requirement, places) in &linked.asked[&strcpy] {
        assert!(!places.is_empty());
        for (function, obligation) in places {
            assert_eq!(linked.requirements[function][obligation].check, requirement.check);
        }
    }
}

#[test]
fn names_of_the_program_stay_the_programs() {
    // A variable and functions with the names of helpers and of library functions that models call.
    let linked = linked(
        "#include <stdio.h>
        int reserve, index = 2, standard;
        static int print(int x) { return x; }
        char *strchrnul(const char *s, int c) { return (char *)s + c; }
        unsigned long strnlen(const char *s, unsigned long n) { return s[0] + n; }
        int main(void) { char b[9]; return sprintf(b, \"%d\", print(reserve)) + *strchrnul(b, 1) + strnlen(b, 2); }",
    );
    let own = find(&linked, "strchrnul");
    assert!(!linked.models.contains(&own));
    // The model of sprintf goes on with the library's function, as the real one does.
    let print = find(&linked, "print@stdio_printf.c");
    let called = callees(&linked.program, print);
    assert!(called.contains(&find(&linked, "strchrnul@string.c")) && !called.contains(&own));
    assert!(!linked.asked.contains_key(&own));
    assert_eq!(linked.program.functions[find(&linked, "print")].linkage, Linkage::Internal);
}

#[test]
fn a_definition_of_the_program_takes_the_place_of_the_model() {
    let linked = linked(
        "#include <stddef.h>
        void *malloc(size_t n) { static char pool[99]; return pool + n; }
        void *calloc(size_t, size_t);
        int main(void) { return malloc(1) == calloc(1, 1); }",
    );
    assert!(!linked.models.contains(&find(&linked, "malloc")));
    assert!(linked.models.contains(&find(&linked, "calloc")));
    assert!(linked.models.contains(&find(&linked, "malloc@stdlib.c")));
}

#[test]
fn other_pointers_and_missing_prototypes_fit() {
    let linked = linked(
        "typedef struct { char *position; long more[20]; } FILE;
        extern FILE *stdout;
        char *strchr();
        int fputs(char *, FILE *), fclose();
        int main(int c, char **v) { fputs(strchr(*v, c), stdout); return fclose(stdout); }",
    );
    assert_eq!(notes(&linked), Vec::<String>::new());
    for name in ["strchr", "fputs", "fclose"] {
        assert!(linked.models.contains(&find(&linked, name)), "{name}");
    }
}

#[test]
fn what_does_not_fit_stays_without_a_body_and_is_listed() {
    let linked = linked(
        "int strlen();
        long atol(const char *, int);
        void *memset();
        int exit();
        int main(int c, char **v) {
            if (c) exit(c);
            memset(v[0], c, 3);
            return strlen(*v) + atol(*v, 1);
        }",
    );
    for name in ["strlen", "atol", "memset"] {
        let id = find(&linked, name);
        assert!(linked.program.functions[id].body.is_none(), "{name}: {:?}", linked.notes);
        assert!(notes(&linked).iter().any(|note| note.contains(&format!("`{name}`"))), "{name}");
    }
    // The rows are there, for somebody to leave them open.
    assert!(asks(&linked, "strlen", CheckKind::NullDeref, Some(0)));
    assert!(asks(&linked, "memset", CheckKind::OutOfBounds, Some(0)));
    // A result that nobody takes may be of any type.
    assert!(linked.models.contains(&find(&linked, "exit")));
}

#[test]
fn models_are_for_the_machine_of_the_program() {
    let text = "void *malloc(unsigned); int main(void) { return malloc(3) != 0; }";
    let linked = linked_with(&["-m32", "-funsigned-char"], text);
    assert_eq!(notes(&linked), Vec::<String>::new());
    assert!(linked.models.contains(&find(&linked, "malloc")));
}

#[test]
fn another_machine_has_no_models() {
    let mut program = read(&[], "int puts(const char *); int main(void) { return puts(\"\"); }");
    program.target.long_bits = 32;
    let linked = with_models(program);
    assert!(linked.models.is_empty());
    assert_eq!(
        notes(&linked),
        ["the models of the library are not used: the program is for another machine"]
    );
}
