// SPDX-License-Identifier: MIT OR Apache-2.0
//! C files whose comments say what is violated: `// violated: CHECK ...` behind a line. Nothing else may be.
//! A line `// flags: ...` gives more arguments of `clew check`, `// status: ...` another status than 1.

mod common;

use std::collections::BTreeSet;

use common::{c_files, clew, root};

#[test]
fn what_the_comments_say_is_violated_and_nothing_else() {
    let mut failures = Vec::new();
    for file in c_files(&root().join("tests/find")) {
        let name = file.to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&file).expect("the test can be read");
        let lines = text.lines().zip(1u64..).filter_map(|(line, number)| {
            let (_, checks) = line.split_once("// violated:")?;
            Some(checks.split_whitespace().map(move |check| (number, check.to_owned())))
        });
        let expected: BTreeSet<(u64, String)> = lines.flatten().collect();
        let flags = text.lines().find_map(|line| line.strip_prefix("// flags:")).unwrap_or("");
        let arguments: Vec<&str> = ["check", "--format", "json"]
            .into_iter()
            .chain(flags.split_whitespace())
            .chain([&*name])
            .collect();
        let ran = clew(&arguments);
        let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("a report");
        let rows = report["obligations"].as_array().expect("obligations").iter();
        let violated = rows.filter(|row| row["verdict"] == "violated");
        let found: BTreeSet<(u64, String)> = violated
            .map(|row| (row["line"].as_u64().unwrap_or(0), row["check"].as_str().unwrap_or("").to_owned()))
            .collect();
        let status = text.lines().find_map(|line| line.strip_prefix("// status:")).unwrap_or("1");
        assert_eq!(ran.status, status.trim().parse().ok(), "{name}: {}", ran.stderr);
        failures.extend(
            expected.difference(&found).map(|(l, check)| format!("{name}:{l}: {check} is not violated")),
        );
        failures
            .extend(found.difference(&expected).map(|(l, check)| format!("{name}:{l}: {check} is violated")));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
