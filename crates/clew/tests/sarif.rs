// SPDX-License-Identifier: MIT OR Apache-2.0
//! The fingerprints of SARIF logs survive edits. That logs follow the official schema is seen to by `xtask/schema`.

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use common::clew_in;
use serde_json::Value;

fn fingerprints(folder: &Path, file: &str) -> BTreeSet<String> {
    let ran = clew_in(folder, &["check", "--format", "sarif", "--no-replay", "--with-open", file]);
    let log: Value = serde_json::from_str(&ran.stdout).expect("a log");
    let results = log["runs"][0]["results"].as_array().expect("results").iter();
    results.map(|r| r["partialFingerprints"]["clewObligation/v1"].to_string()).collect()
}

#[test]
fn fingerprints_survive_blank_lines_moved_functions_and_renamed_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let first = "static int half(int a, int b) { return a / b; }\n";
    let second = "static int twice(int *p) { return *p + *p; }\n";
    let main = "int main(int argc, char **argv) { (void)argv; return half(8, argc - 1) + twice(argc > 2 ? 0 : &argc); }\n";
    let write =
        |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("it can be written");
    write("a.c", &format!("{first}{second}{main}"));
    let before = fingerprints(folder.path(), "a.c");
    assert!(before.len() >= 2, "{before:?}");
    write("a.c", &format!("\n\n/* new */\n{second}\n\n{first}\n{main}"));
    assert_eq!(fingerprints(folder.path(), "a.c"), before);
    write("renamed.c", &format!("{first}{second}{main}"));
    assert_eq!(fingerprints(folder.path(), "renamed.c"), before);
}
