// SPDX-License-Identifier: MIT OR Apache-2.0
//! `clew fixed` on the C files of `tests/fixed`, whose comments say what is to come out.
//!
//! `// error NAME: LOW..HIGH` is where the bound of a variable's error at the end lies, `// error NAME AI: LOW..HIGH` that of
//! one of the paper's three; `// reached NAME:` what runs reach; `// value NAME AI: LOW..HIGH` the value's two ends; `// no bound:`
//! a part of the reason, `// why NAME:` that of one row; `// says:` a part of a message; `// status:` and `// flags:` what they say. Behind a line, `//
//! overflow: confirmed` or `may` and `// test: parts` are about that line; every other line is proved to fit.

mod common;

use common::{c_files, clew, root};
use serde_json::Value;

#[test]
fn what_the_comments_say_comes_out() {
    let mut failures = Vec::new();
    for file in c_files(&root().join("tests/fixed")) {
        let name = file.to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&file).expect("the test can be read");
        let flags = marked(&text, "flags").next().map_or(String::new(), |(_, flags)| flags.to_owned());
        let mut arguments = vec!["fixed", "--format", "json", &name];
        arguments.extend(flags.split_whitespace());
        let ran = clew(&arguments);
        let report: Value = serde_json::from_str(&ran.stdout).unwrap_or(Value::Null);
        let mut fail = |line: usize, what: String| failures.push(format!("{name}:{line}: {what}"));
        for (line, status) in marked(&text, "status") {
            if ran.status.map(|s| s.to_string()).as_deref() != Some(status) {
                fail(line, format!("the status is {:?}: {}", ran.status, ran.stderr));
            }
        }
        for (line, part) in marked(&text, "says").filter(|(_, part)| !ran.stderr.contains(part)) {
            fail(line, format!("`{part}` is not said: {}", ran.stderr));
        }
        for (line, part) in marked(&text, "no bound") {
            let why = report["analysis"]["no_bound"].as_str().unwrap_or("there is a bound");
            if !why.contains(part) {
                fail(line, format!("no bound for another reason: {why}"));
            }
        }
        if report.is_null() {
            continue;
        }
        for (line, text) in text.lines().enumerate() {
            if let Err(what) = number(text, &report) {
                fail(line + 1, what);
            }
        }
        if let Err((line, what)) = places(&text, &report["analysis"]) {
            fail(line, what);
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn marked<'a>(text: &'a str, mark: &'a str) -> impl Iterator<Item = (usize, &'a str)> {
    let lines = text.lines().enumerate();
    lines.filter_map(move |(i, line)| {
        Some((i + 1, line.strip_prefix("// ")?.strip_prefix(mark)?.strip_prefix(": ")?))
    })
}

/// Checks a line about a number.
fn number(line: &str, report: &Value) -> Result<(), String> {
    let Some((head, tail)) = line.strip_prefix("// ").and_then(|line| line.split_once(": ")) else {
        return Ok(());
    };
    let words: Vec<&str> = head.split(' ').collect();
    let rows = report["analysis"]["rows"].as_array().ok_or("there are no rows")?;
    let row = |name: &str| {
        let is_it = |row: &&Value| row["place"].is_null() && row["variable"] == name;
        rows.iter().find(is_it).ok_or(format!("there is no row `{name}`"))
    };
    let by = |name: &str, by: &str| {
        let row = row(name)?;
        let list = row["by"].as_array().into_iter().flatten();
        list.clone().find(|one| one["name"] == by).ok_or(format!("no {by} for `{name}`"))
    };
    let size = |ends: &Value| {
        let end = |which: &str| ends[which].as_f64().unwrap_or(f64::NAN).abs();
        end("low").max(end("high"))
    };
    match words[..] {
        ["error", name] => between(row(name)?["bound"].as_f64().unwrap_or(f64::NAN), tail),
        ["reached", name] => between(row(name)?["reached"].as_f64().unwrap_or(f64::NAN), tail),
        ["error", name, which] => between(size(&by(name, which)?["error"]), tail),
        ["value", name, which] => {
            let (low, high) = ends(tail)?;
            let value = &by(name, which)?["value"];
            let near =
                |which: &str, x: f64| (value[which].as_f64().unwrap_or(f64::NAN) - x).abs() < 1e-9 * x.abs();
            if near("low", low) && near("high", high) { Ok(()) } else { Err(format!("the value is {value}")) }
        }
        ["why", name] => {
            let why = row(name)?["why"].as_str().unwrap_or("there is a bound");
            if why.contains(tail) { Ok(()) } else { Err(format!("no bound for another reason: {why}")) }
        }
        ["within", name] => {
            let answer = &report["within"]["answers"][name];
            if answer == tail { Ok(()) } else { Err(format!("the answer is {answer}")) }
        }
        _ => Ok(()),
    }
}

fn ends(text: &str) -> Result<(f64, f64), String> {
    let (low, high) = text.split_once("..").ok_or("no range")?;
    let number = |text: &str| text.parse::<f64>().map_err(|e| e.to_string());
    Ok((number(low)?, number(high)?))
}

fn between(x: f64, range: &str) -> Result<(), String> {
    let (low, high) = ends(range)?;
    if low <= x && x <= high { Ok(()) } else { Err(format!("it is {x}")) }
}

/// Checks what is said behind lines.
fn places(text: &str, analysis: &Value) -> Result<(), (usize, String)> {
    let empty = Vec::new();
    let overflows = analysis["overflows"].as_array().unwrap_or(&empty);
    for (line, text) in text.lines().enumerate().map(|(i, text)| (i + 1, text)) {
        let here: Vec<&Value> = overflows.iter().filter(|row| row["line"] == line).collect();
        let is_confirmed = here.iter().any(|row| row["confirmed"] == true);
        match text.split_once("// overflow: ").map(|(_, what)| what) {
            Some("confirmed") if !is_confirmed => {
                return Err((line, format!("no confirmed overflow: {here:?}")));
            }
            Some("may") if here.is_empty() => return Err((line, "it is proved to fit".to_owned())),
            None if !here.is_empty() => return Err((line, format!("not proved to fit: {here:?}"))),
            _ => {}
        }
        if text.contains("// test: parts") {
            let tests = analysis["tests"].as_array().unwrap_or(&empty);
            let place = format!(":{line}:");
            let parts = tests
                .iter()
                .any(|t| t["may_part"] == true && t["place"].as_str().is_some_and(|p| p.contains(&place)));
            if !parts {
                return Err((line, "rounding is said not to turn it".to_owned()));
            }
        }
    }
    Ok(())
}
