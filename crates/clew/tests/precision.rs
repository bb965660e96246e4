// SPDX-License-Identifier: MIT OR Apache-2.0
//! `clew precision` on the C files of `tests/precision`, whose first comments say what it must show.
//!
//! `run:` gives the flags; `shows:` a text that must be there, `hides:` one that must not; `first cancellation:` what
//! is ranked first; `bound: M <= X`, `reached: M >= X` and `ratio: M <= X` judge numbers; `found: found >= X` an error that the search without
//! ranges found; `exit:` the status, 0 if not given.

use std::path::{Path, PathBuf};
use std::process::Command;

fn clew(arguments: &[&str]) -> (String, String, i32) {
    let output = Command::new(env!("CARGO_BIN_EXE_clew")).arg("precision").args(arguments).output();
    let output = output.unwrap_or_else(|error| panic!("clew does not start: {error}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr), output.status.code().unwrap_or(-1))
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/precision")
}

fn programs(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())).flatten() {
        let path = entry.path();
        if path.is_dir() {
            programs(&path, all);
        } else if path.extension().is_some_and(|e| e == "c") {
            all.push(path);
        }
    }
    all.sort();
}

/// The number in the column of a measure's line: 1 is the bound, 2 what was reached.
fn number(text: &str, measure: &str, column: usize) -> f64 {
    let line = text.lines().find(|line| line.trim_start().starts_with(measure));
    line.and_then(|line| line.split_whitespace().nth(column))
        .and_then(|word| word.parse().ok())
        .unwrap_or(f64::NAN)
}

fn wrong(file: &Path) -> Vec<String> {
    let source = std::fs::read_to_string(file).unwrap_or_default();
    let comment = source.split("*/").next().unwrap_or_default().trim_start_matches("/*");
    let lines: Vec<&str> = comment.lines().map(str::trim).collect();
    let all = |key: &'static str| lines.iter().filter_map(move |line| line.strip_prefix(key)).map(str::trim);
    let Some(flags) = all("run:").next() else { return Vec::new() };
    let name = file.display().to_string();
    let mut arguments = vec![name.as_str()];
    arguments.extend(flags.split_whitespace());
    let (out, errors, status) = clew(&arguments);
    let mut wrong = Vec::new();
    let wanted: i32 = all("exit:").next().and_then(|status| status.parse().ok()).unwrap_or(0);
    if status != wanted {
        wrong.push(format!("status {status}, not {wanted}: {errors}"));
    }
    wrong.extend(
        all("shows:").filter(|text| !out.contains(text)).map(|text| format!("does not show: {text}")),
    );
    wrong.extend(all("hides:").filter(|text| out.contains(text)).map(|text| format!("shows: {text}")));
    for site in all("first cancellation:") {
        let first = out.lines().find(|line| line.trim_start().starts_with("cancellation"));
        if !first.is_some_and(|line| line.contains(site)) {
            wrong.push(format!("{site} is not the first cancellation"));
        }
    }
    for (key, column, above) in
        [("bound:", 1, false), ("reached:", 2, true), ("ratio:", 3, false), ("found:", 3, true)]
    {
        for claim in all(key) {
            let words: Vec<&str> = claim.split_whitespace().collect();
            let limit: f64 = words[2].parse().unwrap_or(f64::NAN);
            let value = number(&out, words[0], column);
            let holds = if above { value >= limit } else { value <= limit };
            if !holds {
                wrong.push(format!("{claim}: it is {value:e}"));
            }
        }
    }
    if wrong.is_empty() { wrong } else { vec![format!("{name}:\n{}\n{out}", wrong.join("\n"))] }
}

#[test]
fn programs_show_what_their_comments_say() {
    let mut files = Vec::new();
    programs(&folder(), &mut files);
    let filter = std::env::var("CLEW_TEST").unwrap_or_default();
    let failures: Vec<String> = files
        .iter()
        .filter(|file| file.display().to_string().contains(&filter))
        .flat_map(|file| wrong(file))
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// What is wrong with the input is said, and the status is 2.
#[test]
fn bad_input_is_named() {
    let file = folder().join("quotient.c").display().to_string();
    let cases: [(&[&str], &str); 10] = [
        (&["--range", "t=3..2"], "the range is empty: 3 is above 2"),
        (&["--range", "t="], "write NAME=LO..HI"),
        (&["--range", "t=nan..1"], "NaN is no end of a range"),
        (&["--range", "t=0..inf"], "the ends must be finite"),
        (&["--range", "t=a..b"], "are no two numbers"),
        (&["--range", "=0..1"], "the name is missing"),
        (&["--range", "u=0..1"], "there is no input `u`"),
        (&["--range", "t=0..1", "--range", "t=2..3"], "contradicts itself"),
        (&["--function", "nobody"], "there is no function `nobody`"),
        (&["--input-error", "-1"], "is no error"),
    ];
    for (flags, message) in cases {
        let mut arguments = vec![file.as_str()];
        arguments.extend(flags);
        let (_, errors, status) = clew(&arguments);
        assert_eq!(status, 2, "{flags:?}: {errors}");
        assert!(errors.contains(message), "{flags:?}: {errors}");
    }
}

/// Four cells of Table III of paper 000 by way of the flags; `crates/precision/tests/tables.rs` has them all.
#[test]
fn the_delta_of_the_model_is_a_flag() {
    let file = folder().join("paper0/sum.c").display().to_string();
    for (length, delta, wanted) in [(10, "2^-8", 1), (20, "2^-9", 0), (25, "2^-9", 1), (35, "2^-10", 0)] {
        let define = format!("-DN={length}");
        let (out, errors, status) = clew(&[&file, "--function", "main", "--delta", delta, "--", &define]);
        assert_eq!(status, wanted, "n = {length}, delta = {delta}: {out}{errors}");
    }
}
