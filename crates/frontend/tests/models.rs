// SPDX-License-Identifier: MIT OR Apache-2.0
//! The models of the library lower like any C: well-formed, nothing unsupported, every intrinsic understood.

use std::path::{Path, PathBuf};

use clew_frontend::{CommandLine, DiskFiles, lower, parse_unit};
use clew_ir::syntax::{Callee, Program, StatementKind};

fn models() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/libc");
    let entries = std::fs::read_dir(folder).expect("the folder of models");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    files
}

fn lowered(file: &Path) -> Program {
    let files = DiskFiles::new();
    let arguments = [file.display().to_string()];
    let line = CommandLine::parse(&arguments, None, &files).expect("good flags");
    let unit = parse_unit(&line.command_for(file), &files).unwrap_or_else(|errors| panic!("{errors}"));
    lower::lower(&unit)
}

/// What is said of a place that went wrong.
fn complaints(program: &Program) -> Vec<String> {
    let mut found: Vec<String> = program.unsupported.iter().map(|place| place.what.to_string()).collect();
    for function in program.functions.iter() {
        for statement in
            function.body.iter().flat_map(|body| body.blocks.iter()).flat_map(|block| &block.statements)
        {
            let place = program.sources.place(statement.span);
            match &statement.kind {
                StatementKind::Unsupported { what } => found.push(format!("{place}: unsupported: {what}")),
                StatementKind::Call(call) => {
                    let Callee::Direct(callee) = call.callee else { continue };
                    let callee = &program.functions[callee];
                    // An intrinsic that lowering does not know, or a predicate outside a requirement, becomes a call.
                    if callee.name.starts_with("__clew_") && !SHARED.contains(&&*callee.name) {
                        found.push(format!("{place}: `{}` is no intrinsic here", callee.name));
                    }
                }
                _ => {}
            }
        }
    }
    found
}

/// Functions that models share; they are no intrinsics.
const SHARED: [&str; 7] = [
    "__clew_allocation_fails",
    "__clew_any_string",
    "__clew_any_error",
    "__clew_maybe_error",
    "__clew_foreign_locale",
    "__clew_reallocate",
    "__clew_streams_used",
];

#[test]
fn models_lower_and_verify() {
    let models = models();
    assert!(models.len() >= 14, "models are missing: {models:?}");
    for file in models {
        let program = lowered(&file);
        let faults: Vec<String> = clew_ir::verify::verify(&program).iter().map(ToString::to_string).collect();
        assert!(faults.is_empty(), "{}: {faults:#?}", file.display());
        let complaints = complaints(&program);
        assert!(complaints.is_empty(), "{}: {complaints:#?}", file.display());
    }
}

#[test]
fn requirements_become_obligations() {
    let file = models().into_iter().find(|file| file.ends_with("string.c")).expect("string.c");
    let program = lowered(&file);
    let function = program.functions.iter().find(|f| &*f.name == "stpcpy").expect("stpcpy");
    let body = function.body.as_ref().expect("a body");
    let mut checks: Vec<&str> = body.obligations.iter().map(|obligation| obligation.check.id()).collect();
    checks.sort_unstable();
    checks.dedup();
    for check in [
        "null-deref",
        "use-after-free",
        "out-of-bounds",
        "write-to-const",
        "string-not-terminated",
        "overlap",
    ] {
        assert!(checks.contains(&check), "{check} is not among {checks:?}");
    }
}

/// A program that sees the functions through the system's own headers.
const PROGRAM: &str = "
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    char line[80], *copy = strdup(argv[0]);
    int number = 0;
    div_t halves = div(argc, 2);
    time_t now = time(NULL);
    if (copy == NULL || errno != 0 || fgets(line, sizeof line, stdin) == NULL || sscanf(line, \"%d\", &number) != 1)
        exit(EXIT_FAILURE);
    printf(\"%s %d %f %d\\n\", copy, halves.quot, sqrt(isdigit('1') ? 4 : 9), gmtime(&now)->tm_year);
    free(copy);
    fprintf(stderr, \"%ld\", (long)write(1, line, strtoul(line, NULL, 10)));
    return 0;
}
";

#[test]
fn models_link_with_a_program_that_includes_the_headers() {
    let mut files = DiskFiles::new();
    files.overlay("virtual/program.c", PROGRAM.as_bytes());
    let line = CommandLine::parse(&[], None, &files).expect("good flags");
    let command = line.command_for("virtual/program.c".as_ref());
    let unit = parse_unit(&command, &files).unwrap_or_else(|errors| panic!("{errors}"));
    let mut units: Vec<Program> = models().iter().map(|file| lowered(file)).collect();
    units.push(lower::lower(&unit));
    let program = clew_ir::link::link(units).unwrap_or_else(|errors| panic!("{errors:#?}"));
    let faults: Vec<String> = clew_ir::verify::verify(&program).iter().map(ToString::to_string).collect();
    assert!(faults.is_empty(), "{faults:#?}");
    // Only the end of a run is left to the engines.
    let missing: Vec<&str> =
        program.functions.iter().filter(|f| f.body.is_none()).map(|f| &*f.name).collect();
    assert_eq!(missing, ["_exit"]);
}
