// SPDX-License-Identifier: MIT OR Apache-2.0
//! The programs of the papers, where they are: a folder `shared/cases` beside the repository. Their bugs are found and
//! shown by the compiled program, and their safe twins have none.

mod common;

use common::{clew_in, root};
use serde_json::Value;

/// Bugs by file: the check and the line.
const BUGS: &[(&str, &[(&str, u64)])] = &[
    ("fig2_samate_inputfiltering.c", &[("out-of-bounds", 10)]),
    ("fig3_struct_array_bad.c", &[("out-of-bounds", 4)]),
    ("fig5_validity.c", &[("null-deref", 10), ("out-of-bounds", 9), ("out-of-bounds", 10)]),
    ("fig7_makesentence.c", &[("out-of-bounds", 15), ("string-not-terminated", 18)]),
    (
        "fig7_makesentence_reach.c",
        &[("out-of-bounds", 19), ("string-not-terminated", 22), ("out-of-bounds", 25)],
    ),
    ("fig11_bc_more_arrays.c", &[("null-deref", 25), ("out-of-bounds", 25), ("out-of-bounds", 27)]),
    ("fig12_chain.c", &[("null-deref", 6)]),
    ("fig15_hoisting.c", &[("out-of-bounds", 9), ("null-deref", 16)]),
];

/// Programs without bugs.
const SAFE: &[&str] = &["fig3_struct_array.c", "fig12_chain_ok.c"];

/// A file of the first paper; none if the papers' programs are not here.
fn case(name: &str) -> Option<String> {
    let file = root().parent()?.join("shared/cases/paper1").join(name);
    if !file.is_file() {
        eprintln!("{}: not here, so it is not looked at", file.display());
    }
    file.is_file().then(|| file.display().to_string())
}

/// The violated rows of a file.
fn violated(file: &str) -> Vec<Value> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let ran = clew_in(folder.path(), &["check", "--format", "json", file]);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {}", ran.whole()));
    let rows = report["obligations"].as_array().expect("obligations");
    rows.iter().filter(|row| row["verdict"] == "violated").cloned().collect()
}

#[test]
fn bugs_are_found_and_shown_by_the_compiled_program() {
    for (name, bugs) in BUGS {
        let Some(file) = case(name) else { return };
        let rows = violated(&file);
        for (check, line) in *bugs {
            let is_meant = |row: &&Value| row["check"] == *check && row["line"] == *line;
            let row = rows.iter().find(is_meant).unwrap_or_else(|| panic!("{name}:{line}: no {check}"));
            assert_eq!(row["confirmed"], "native", "{name}:{line}: {check}");
        }
    }
}

#[test]
fn safe_twins_have_no_bugs() {
    for name in SAFE {
        let Some(file) = case(name) else { return };
        assert!(violated(&file).is_empty(), "{name}");
    }
    // What the papers ask of its callers, clew asks, too; the loop that was mended is right.
    let Some(file) = case("fig11_bc_fixed.c") else { return };
    assert!(violated(&file).iter().all(|row| row["line"].as_u64() < Some(28)), "fig11_bc_fixed.c");
}
