// SPDX-License-Identifier: MIT OR Apache-2.0
//! `--solver`, with solvers that answer well, wrongly, badly or never: small scripts in the place of z3.
//!
//! What the built-in solver knows is never lost to a solver outside, except where that one objects.

mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

use common::{Ran, clew, command, root};

const EASY: &str = "tests/cli/solvers/easy.c";
const HARD: &str = "tests/cli/solvers/hard.c";
const FACTORS: &str = "tests/cli/solvers/factors.c";

/// What is said of an assertion that holds in every run.
const OWN: (&str, &[&str]) = ("proved", &[]);
const OPEN: (&str, &[&str]) = ("open", &[]);

/// A script with this body, called `z3`, in a folder of its own.
fn fake(name: &str, body: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("solvers").join(name);
    fs::create_dir_all(&folder).expect("a folder can be made");
    let path = folder.join("z3");
    fs::write(&path, format!("#!/bin/sh\n{body}\n")).expect("a script can be written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it is ours");
    path.to_str().expect("a plain path").to_owned()
}

/// clew on a file, with a solver and more arguments.
fn check(file: &str, solver: &str, more: &[&str]) -> Ran {
    let arguments = ["check", "--check", "assertion", "--no-replay", "--format", "json", "--solver", solver];
    clew(&[&arguments[..], more, &[file]].concat())
}

/// The verdict on the assertion, and what it rests on.
fn verdict(ran: &Ran) -> (String, Vec<String>) {
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("a report");
    let rows = report["obligations"].as_array().expect("obligations").iter();
    let mut rows = rows.filter(|row| row["check"] == "assertion" && row["verdict"] != "unreachable");
    let row = rows.next().expect("an assertion");
    let names = row["assumptions"].as_array().expect("names").iter();
    let names = names.filter_map(|name| name.as_str()).filter(|name| name.starts_with("solver"));
    (row["verdict"].as_str().expect("a word").to_owned(), names.map(str::to_owned).collect())
}

fn is(ran: &Ran, (expected, rests_on): (&str, &[&str])) {
    let (verdict, assumptions) = verdict(ran);
    assert_eq!(
        (verdict.as_str(), assumptions),
        (expected, rests_on.iter().map(|s| (*s).to_owned()).collect())
    );
}

#[test]
fn without_another_solver() {
    is(&check(EASY, "cadical", &[]), OWN);
    is(&check(HARD, "cadical", &[]), OPEN);
    is(&check(FACTORS, "cadical", &[]), OPEN);
}

#[test]
fn an_unsat_is_taken_where_ours_gives_up_and_said() {
    let solver = fake("unsat", "cat > /dev/null; echo unsat; echo '(error \"no model\")'; exit 1");
    is(&check(EASY, &solver, &[]), OWN);
    is(&check(HARD, &solver, &[]), ("proved", &["solver-correct=z3"]));
    // It is wrong here, and nothing of ours knows: so the report says whose word it is, and one may do without.
    is(&check(FACTORS, &solver, &[]), ("proved", &["solver-correct=z3"]));
    is(&check(FACTORS, &solver, &["--no-assume", "solver-correct"]), OPEN);
    let text = clew(&["check", "--check", "assertion", "--no-replay", "--solver", &solver, HARD]);
    assert!(text.stdout.contains("1 obligation is proved by the word of z3"), "{}", text.stdout);
    assert_eq!((text.stderr.as_str(), text.status), ("", Some(0)));
}

#[test]
fn a_sat_is_taken_with_values_that_hold() {
    let values = "((a #x00000000ada7d4b5) (b #x00000000daed3fdd))";
    let solver = fake("right", &format!("cat > /dev/null; echo sat; echo '{values}'"));
    let ran = check(FACTORS, &solver, &[]);
    assert_eq!((verdict(&ran).0.as_str(), ran.status), ("violated", Some(1)));
    assert!(ran.stdout.contains("2913457333") && ran.stdout.contains("3672981469"), "{}", ran.stdout);
}

#[test]
fn a_sat_without_values_that_hold_is_not_believed() {
    let said = "note: z3 said `sat` to a question without values for which it is so: that is not believed, and what it \
                speaks against stays open\n";
    for (name, values) in [("bare", ""), ("wrong", "((a #x00) (b #x00))"), ("garbled", "((a #x00")] {
        let solver = fake(name, &format!("cat > /dev/null; echo sat; echo '{values}'"));
        let ran = check(EASY, &solver, &[]);
        is(&ran, OPEN);
        assert_eq!((ran.stderr.as_str(), ran.status), (said, Some(0)), "{name}");
        for file in [HARD, FACTORS] {
            let ran = check(file, &solver, &[]);
            is(&ran, OPEN);
            assert!(
                ran.stderr.contains("that is not believed") && ran.status == Some(0),
                "{name}: {}",
                ran.stderr
            );
        }
    }
}

#[test]
fn a_solver_that_fails_changes_nothing() {
    let garbage = "its output is no answer: `Segmentation violation`";
    for (name, body, said) in [
        ("garbage", "cat > /dev/null; echo 'Segmentation violation'; echo unsat", garbage),
        ("binary", "cat > /dev/null; printf '\\377\\376'", "its output is no text"),
        (
            "complaint",
            "cat > /dev/null; echo '(error \"line 3\")'; echo unsat",
            "its output is no answer: `(error \\\"line 3\\\")`",
        ),
        ("silent", "cat > /dev/null", "it ended without an answer, with exit status 0"),
        ("early", "exit 3", "it ended without an answer, with exit status 3"),
        ("killed", "echo unsat; kill -SEGV $$", "it ended without an answer, with signal 11"),
    ] {
        let solver = fake(name, body);
        for (file, expected) in [(EASY, OWN), (HARD, OPEN)] {
            let ran = check(file, &solver, &[]);
            is(&ran, expected);
            let said = format!("note: z3 is not asked any more: {said}\n");
            assert_eq!((ran.stderr, ran.status), (said, Some(0)), "{name} {file}");
        }
    }
}

#[test]
fn a_solver_that_does_not_know_changes_nothing() {
    let solver = fake("unknown", "cat > /dev/null; echo unknown");
    for (file, expected) in [(EASY, OWN), (HARD, OPEN), (FACTORS, OPEN)] {
        let ran = check(file, &solver, &[]);
        is(&ran, expected);
        assert_eq!((ran.stderr.as_str(), ran.status), ("", Some(0)));
    }
}

#[test]
fn a_solver_that_hangs_is_ended_with_its_children() {
    // A length that nobody else sleeps.
    let solver = fake("hangs", "sleep 86397 & sleep 86397");
    let ran = check(EASY, &solver, &["--solver-time", "1"]);
    is(&ran, OWN);
    assert_eq!(ran.stderr, "note: z3 is not asked any more: it did not end within 3 s, and was ended\n");
    let processes = fs::read_dir("/proc").expect("the processes").flatten();
    let lines = processes.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    let left = lines.filter(|line| line == b"sleep\x0086397\x00").count();
    assert_eq!(left, 0, "a child is left behind");
}

#[test]
fn a_solver_that_is_not_there() {
    let refused = |arguments: &[&str], path: &str| {
        let output = command(root()).env("PATH", path).args(arguments).output().expect("the binary starts");
        assert_eq!((output.stdout.len(), output.status.code()), (0, Some(2)));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let z3 = fake("unsat_too", "cat > /dev/null; echo unsat");
    let folder = z3.strip_suffix("/z3").expect("the script's name");
    let with = |solver: &'static str| ["check", "--solver", solver, EASY];
    assert_eq!(refused(&with("cvc5"), folder), "error: --solver: cvc5 is not on PATH; there is z3\n");
    let nobody = "error: --solver: z3 is not on PATH, nor is another solver that clew knows\n";
    assert_eq!(refused(&with("z3"), "/nowhere"), nobody);
    assert_eq!(refused(&with("./z3"), folder), "error: --solver: ./z3: there is no such program\n");
    let unknown =
        "error: --solver: there is no solver `yices`: cadical, z3, cvc5, bitwuzla, or the path of one\n";
    assert_eq!(refused(&with("yices"), folder), unknown);
    let nameless =
        "error: --solver: /bin/sh: the name must begin with z3, cvc5 or bitwuzla, to say how it is asked\n";
    assert_eq!(refused(&with("/bin/sh"), folder), nameless);
    let assumed = clew(&["check", "--assume", "solver-correct", EASY]);
    assert_eq!(assumed.stderr, "error: `solver-correct` needs a solver: --solver NAME\n");
}

#[test]
fn the_solvers_that_are_there() {
    let z3 = fake("version", "echo 'Z3 version 1.2.3'");
    let folder = z3.strip_suffix("/z3").expect("the script's name");
    // What starts it is the shell of the system, and nothing else of the system is to be seen.
    let _ = std::os::unix::fs::symlink("/bin/sh", format!("{folder}/sh"));
    let output = command(root()).env("PATH", folder).arg("solvers").output().expect("the binary starts");
    let expected = format!(
        "cadical    built in, the default\nz3         {z3}: Z3 version 1.2.3\ncvc5       not on PATH\n\
         bitwuzla   not on PATH\n"
    );
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
}

#[test]
fn the_real_ones() {
    for solver in ["z3", "cvc5", "bitwuzla"] {
        if Command::new(solver).arg("--version").output().is_err() {
            println!("skipped: {solver} is not on PATH");
            continue;
        }
        let ran = check(EASY, solver, &[]);
        is(&ran, OWN);
        assert_eq!(ran.stderr, "", "{solver}");
        assert_eq!(check(EASY, solver, &[]).whole(), ran.whole());
        // cvc5 needs longer than it may take.
        if solver != "cvc5" {
            is(&check(HARD, solver, &[]), ("proved", &[&format!("solver-correct={solver}")]));
        }
    }
}
