// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tests/exceptions`: C files whose lines say what they raise. Nothing else may be told, and proofs are by `clew check`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/exceptions").join(name)
}

fn clew(words: &[&str], name: &str) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_clew")).args(words).arg(file(name)).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{name}: {error}\n{said}"))
}

/// What the lines of a file say that they raise.
fn expected(name: &str) -> BTreeSet<(u64, String)> {
    let text = std::fs::read_to_string(file(name)).unwrap();
    let mut all = BTreeSet::new();
    for (number, line) in text.lines().enumerate() {
        let Some((_, kinds)) = line.split_once("// raises: ") else { continue };
        all.extend(kinds.split_whitespace().map(|kind| (number as u64 + 1, kind.to_owned())));
    }
    all
}

fn raises_what_it_says(name: &str) {
    let report = clew(&["exceptions", "--no-underflow", "--effort", "4", "--format", "json"], name);
    let sites = report["sites"].as_array().unwrap();
    let told: BTreeSet<(u64, String)> = sites
        .iter()
        .filter(|site| site["operation"] != "comparison")
        .map(|site| (site["line"].as_u64().unwrap(), site["kind"].as_str().unwrap().to_owned()))
        .collect();
    assert_eq!(told, expected(name), "{name}");
}

#[test]
fn behind_conditions() {
    raises_what_it_says("conditions.c");
}

#[test]
fn behind_loops() {
    raises_what_it_says("loops.c");
}

#[test]
fn behind_calls() {
    raises_what_it_says("calls.c");
}

#[test]
fn the_same_twice() {
    let words = ["exceptions", "--effort", "1", "--format", "json"];
    assert_eq!(clew(&words, "conditions.c"), clew(&words, "conditions.c"));
}

/// The verdicts of a check.
fn verdicts(name: &str, entry: &str, check: &str) -> BTreeSet<String> {
    let words = ["check", "--check", "float", "--entry", entry, "--no-replay", "--format", "json"];
    let report = clew(&words, name);
    let rows = report["obligations"].as_array().unwrap();
    let of = rows.iter().filter(|row| row["check"] == check);
    of.map(|row| row["verdict"].as_str().or(row["verdict"]["is"].as_str()).unwrap_or("?").to_owned())
        .collect()
}

#[test]
fn sterbenz_does_not_overflow() {
    let all = verdicts("average.c", "average", "float-overflow");
    assert!(
        all.contains("proved") && all.iter().all(|verdict| verdict == "proved" || verdict == "unreachable"),
        "{all:?}"
    );
}

#[test]
fn numbers_that_differ_have_a_difference() {
    assert_eq!(
        verdicts("difference.c", "inverse_difference", "float-division-by-zero"),
        BTreeSet::from(["proved".to_owned()])
    );
    assert!(verdicts("difference.c", "inverse_difference", "float-overflow").contains("violated"));
}
