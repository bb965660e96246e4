// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs that are too long for the search: what is left when nobody can finish them, and what is found without a compiler.

mod common;

use common::{command, root};

/// A file of `tests/find`.
fn file(name: &str) -> String {
    root().join("tests/find").join(name).display().to_string()
}

/// Whether some process was started from a folder.
fn runs_from(folder: &str) -> bool {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let mut lines = processes.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
    lines.any(|line| String::from_utf8_lossy(&line).contains(folder))
}

#[test]
fn an_endless_program_is_given_up_and_leaves_nothing() {
    let (work, temporary) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let mut clew = command(work.path());
    clew.env("TMPDIR", temporary.path()).args(["check", &file("endless.c")]);
    let output = clew.output().expect("the binary starts");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let left: Vec<_> = std::fs::read_dir(temporary.path()).expect("a folder").flatten().collect();
    assert!(left.is_empty(), "{left:?}");
    assert!(!runs_from(&temporary.path().display().to_string()));
    assert!(std::fs::read_dir(work.path()).expect("a folder").next().is_none());
}

#[test]
fn the_interpreter_goes_alone_where_the_compiled_program_is_not_asked() {
    let work = tempfile::tempdir().expect("a folder");
    let mut clew = command(work.path());
    let output =
        clew.args(["check", "--no-replay", &file("long_alone.c")]).output().expect("the binary starts");
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("error[out-of-bounds]"), "{said}");
}

#[test]
fn a_budget_ends_the_interpreters_long_run() {
    let work = tempfile::tempdir().expect("a folder");
    let mut clew = command(work.path());
    let started = std::time::Instant::now();
    let output = clew.args(["check", "--no-replay", "--budget", "1", &file("endless.c")]).output();
    assert!(output.expect("the binary starts").status.code().is_some());
    // Without an end from outside it takes many times as long where nothing is optimised.
    assert!(started.elapsed() < std::time::Duration::from_secs(20));
}
