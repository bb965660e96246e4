// SPDX-License-Identifier: MIT OR Apache-2.0
//! C files whose comments say what is proved and what must not be.
//!
//! Behind a line, `// proved: CHECK ...` says that all obligations of these checks on it are proved, resting on nothing,
//! and `// open: CHECK ...` that one of each is not: the second keeps the first honest. `// given: CHECK ...` says that
//! they are proved, or unreachable, and rest on something; `// unreachable: CHECK ...` that they are unreachable,
//! whatever goes wrong before; `// undecided: CHECK ...` that they are neither; `// violated: CHECK ...` that they are
//! violated. A line `// flags: ...` is what `clew check` is told beyond that.
//!
//! `tests/prove` is for the abstract interpreter alone, `tests/solve` for what the solver adds.

mod common;

use common::{c_files, clew, root};

#[test]
fn what_the_comments_say_is_proved_or_not() {
    is_as_the_comments_say("tests/prove", "--no-search");
}

#[test]
fn what_the_comments_say_is_solved_or_not() {
    is_as_the_comments_say("tests/solve", "--no-replay");
}

/// A mark, the verdicts it stands for, whether they rest on something, and whether all are so or not all.
const MARKS: [(&str, &[&str], Option<bool>, bool); 6] = [
    ("proved", &["proved"], Some(false), true),
    ("open", &["proved"], Some(false), false),
    ("undecided", &["open"], None, true),
    ("given", &["proved", "unreachable"], Some(true), true),
    ("unreachable", &["unreachable"], Some(false), true),
    ("violated", &["violated"], None, true),
];

/// A mark behind code, and the checks that it names: `x = 1; // proved: CHECK ...`. A comment of its own line is prose.
fn mark_of(line: &str) -> Option<(&str, &str)> {
    let (code, comment) = line.split_once("// ")?;
    let (mark, checks) = comment.split_once(": ")?;
    let is_word = !mark.is_empty() && mark.chars().all(|c| c.is_ascii_lowercase());
    let is_check = |word: &str| word.contains('-') || matches!(word, "assertion" | "overlap" | "unsequenced");
    let names_checks = checks.split_whitespace().all(is_check);
    (is_word && names_checks && !code.trim().is_empty()).then_some((mark, checks))
}

fn is_as_the_comments_say(folder: &str, flag: &str) {
    let mut failures = Vec::new();
    for file in c_files(&root().join(folder)) {
        let name = file.to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&file).expect("the test can be read");
        let flags = text.lines().find_map(|line| line.strip_prefix("// flags: ")).unwrap_or_default();
        let mut arguments = vec!["check", "--format", "json", flag, &name];
        arguments.extend(flags.split_whitespace());
        let ran = clew(&arguments);
        let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("a report");
        let obligations = report["obligations"].as_array().expect("obligations");
        for (index, line) in text.lines().enumerate() {
            let Some((mark, checks)) = mark_of(line) else { continue };
            let Some((_, verdicts, conditional, all)) = MARKS.iter().find(|(known, ..)| *known == mark)
            else {
                failures.push(format!("{name}:{}: no such mark: {mark}", index + 1));
                continue;
            };
            for check in checks.split_whitespace() {
                let mut here = obligations.iter().filter(|o| o["line"] == index + 1 && o["check"] == check);
                let is_so = |o: &serde_json::Value| {
                    let given = o["given"].as_array().is_some_and(|given| !given.is_empty());
                    o["verdict"].as_str().is_some_and(|verdict| verdicts.contains(&verdict))
                        && conditional.is_none_or(|conditional| conditional == given)
                };
                if here.clone().next().is_none() {
                    failures.push(format!("{name}:{}: no obligation of {check}", index + 1));
                } else if here.all(is_so) != *all {
                    failures.push(format!("{name}:{}: {check} is not {mark}", index + 1));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
