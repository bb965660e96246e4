// SPDX-License-Identifier: MIT OR Apache-2.0
//! `clew-env.c`: contracts and stubs beside the source, in plain C with ACSL comments.
//!
//! A contract is a comment `/*@ requires CONDITION; */` before a declaration. What stands in `//` behind a condition says where it
//! came from, and is kept. Functions with a body are stubs, for the front end to read.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// Something wrong in the file, by the byte.
pub use crate::read::Complaint;

/// The usual name of the file.
pub const NAME: &str = "clew-env.c";

/// One condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Requirement {
    /// Its text.
    pub text: String,
    /// Where that begins.
    pub at: usize,
    /// Where it came from, as the file says.
    pub origin: Option<String>,
}

/// What the file says of one function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its name.
    pub function: String,
    /// Where that stands.
    pub at: usize,
    /// The names of the parameters in this declaration.
    pub parameters: Vec<String>,
    /// What it asks of callers.
    pub requires: Vec<Requirement>,
    /// Whether it has a body here: a stub.
    pub has_body: bool,
}

/// Reads what a file says of functions.
pub fn entries(text: &str) -> Result<Vec<Entry>, Complaint> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = text[from..].find("/*@").map(|at| from + at) {
        let inside = start + 3;
        let Some(length) = text[inside..].find("*/") else {
            return Err(Complaint { at: start, what: "this comment does not end".to_owned() });
        };
        let end = inside + length;
        let requires = requirements(text, inside, end)?;
        from = end + 2;
        found.push(declared(text, from, requires)?);
    }
    Ok(found)
}

/// The clauses of a comment.
fn requirements(text: &str, start: usize, end: usize) -> Result<Vec<Requirement>, Complaint> {
    let mut all: Vec<Requirement> = Vec::new();
    let mut at = start;
    while at < end {
        let rest = &text[at..end];
        let word = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '@');
        at = end - word.len();
        if word.is_empty() {
            break;
        }
        if let Some(said) = word.strip_prefix("//") {
            let line = said.lines().next().unwrap_or_default();
            if let Some(last) = all.last_mut() {
                last.origin = Some(line.trim().trim_end_matches('@').trim().to_owned());
            }
            at += 2 + line.len();
            continue;
        }
        let Some(condition) = word.strip_prefix("requires") else {
            let what = word.split(|c: char| !c.is_alphanumeric() && c != '\\').next().unwrap_or_default();
            return Err(Complaint { at, what: format!("`{what}`: only `requires` is understood here") });
        };
        let begin = end - condition.len();
        let Some(length) = condition.find(';') else {
            return Err(Complaint { at: begin, what: "`;` is missing behind this condition".to_owned() });
        };
        let condition = &condition[..length];
        let lead = condition.len() - condition.trim_start().len();
        all.push(Requirement { text: condition.trim().to_owned(), at: begin + lead, origin: None });
        at = begin + length + 1;
    }
    Ok(all)
}

/// The declaration behind a comment.
fn declared(text: &str, from: usize, requires: Vec<Requirement>) -> Result<Entry, Complaint> {
    let rest = &text[from..];
    let lead = rest.len() - rest.trim_start().len();
    let complaint = |at: usize, what: &str| Err(Complaint { at, what: what.to_owned() });
    let Some(open) = rest.find('(') else {
        return complaint(from + lead, "a declaration of a function should follow the contract");
    };
    let before = rest[..open].trim_end();
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let name = before.rsplit(|c: char| !is_word(c)).next().unwrap_or_default();
    if name.is_empty()
        || before[..before.len() - name.len()].trim().is_empty()
        || before.contains([';', '{', '}'])
    {
        return complaint(from + lead, "a declaration of a function should follow the contract");
    }
    let at = from + before.len() - name.len();
    let mut depth = 0;
    let close = rest[open..].char_indices().find(|(_, c)| {
        depth += i32::from(*c == '(') - i32::from(*c == ')');
        depth == 0
    });
    let Some((close, _)) = close else { return complaint(from + open, "this bracket is not closed") };
    let inside = &rest[open + 1..open + close];
    let parameters = parameter_names(inside);
    let behind = rest[open + close + 1..].trim_start();
    let has_body = match behind.chars().next() {
        Some(';') => false,
        Some('{') => true,
        _ => return complaint(from + open + close + 1, "`;` or a body should stand here"),
    };
    Ok(Entry { function: name.to_owned(), at, parameters, requires, has_body })
}

/// The names of parameters: in each part the last word that is no type, or that of a function pointer.
fn parameter_names(inside: &str) -> Vec<String> {
    if matches!(inside.trim(), "" | "void") {
        return Vec::new();
    }
    let mut parts = vec![String::new()];
    let mut depth = 0;
    for c in inside.chars() {
        depth += i32::from(matches!(c, '(' | '[')) - i32::from(matches!(c, ')' | ']'));
        match (c, depth) {
            (',', 0) => parts.push(String::new()),
            _ => parts.last_mut().into_iter().for_each(|part| part.push(c)),
        }
    }
    let named = |part: &String| {
        let part = match part.find("(*") {
            Some(at) => &part[at + 2..part[at..].find(')').map_or(part.len(), |end| at + end)],
            None => part.split('[').next().unwrap_or_default(),
        };
        let words = part.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        words.filter(|word| !word.is_empty()).next_back().unwrap_or_default().to_owned()
    };
    parts.iter().map(named).collect()
}

/// The text of a file with one more contract.
pub fn with(text: &str, declaration: &str, requires: &[(String, String)]) -> String {
    let mut all = text.to_owned();
    if all.is_empty() {
        all.push_str(
            "/* What clew takes for granted of the callers of these functions, and how missing functions behave: plain C with\n   \
             contracts in ACSL. Everything here is an assumption of the verdicts that rest on it. */\n",
        );
    }
    if !all.ends_with('\n') {
        all.push('\n');
    }
    all.push_str("\n/*@ ");
    for (number, (condition, origin)) in requires.iter().enumerate() {
        let lead = if number == 0 { "" } else { "  @ " };
        all.push_str(&format!("{lead}requires {condition}; // {}\n", origin.replace("*/", "* /")));
    }
    all.push_str("  @*/\n");
    all.push_str(declaration);
    all.push_str(";\n");
    all
}

/// The line and column of a byte, both from 1.
pub fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at.min(text.len())];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |last| last.chars().count()) + 1;
    (line, column)
}

/// Replaces a file as a whole: who reads it at any moment finds the old text or the new one.
pub fn replace(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let beside = folder.join(format!(".{name}.{}.tmp", std::process::id()));
    let written = fs::File::create(&beside).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    written.and_then(|()| fs::rename(&beside, path)).inspect_err(|_| drop(fs::remove_file(&beside)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "/* head */\n/*@ requires p != \\null; // necessary: f.c:3\n  @ requires n >= 1;\n  @*/\nint f(char *p, int n);\n";

    #[test]
    fn contracts_are_read_with_their_origins() {
        let entries = entries(TEXT).expect("a file");
        assert_eq!(entries.len(), 1);
        assert_eq!(entries[0].function, "f");
        assert_eq!(entries[0].parameters, ["p", "n"]);
        let texts: Vec<&str> = entries[0].requires.iter().map(|r| r.text.as_str()).collect();
        assert_eq!(texts, ["p != \\null", "n >= 1"]);
        assert_eq!(entries[0].requires[0].origin.as_deref(), Some("necessary: f.c:3"));
        assert_eq!(line_and_column(TEXT, entries[0].requires[1].at), (3, 14));
    }

    #[test]
    fn what_is_written_is_read_again() {
        let text = with("", "int g(int x)", &[("x <= 3".to_owned(), "necessary".to_owned())]);
        let entries = entries(&text).expect("a file");
        assert_eq!(entries[0].requires[0].text, "x <= 3");
        assert_eq!(entries[0].function, "g");
    }

    #[test]
    fn what_is_wrong_has_a_place() {
        let wrong = |text: &str| entries(text).expect_err("a complaint");
        assert_eq!(
            line_and_column(
                "a\n/*@ ensures x; */ int f(void);",
                wrong("a\n/*@ ensures x; */ int f(void);").at
            ),
            (2, 5)
        );
        assert_eq!(wrong("/*@ requires x").what, "this comment does not end");
        assert_eq!(wrong("/*@ requires x */ int f(int x);").what, "`;` is missing behind this condition");
        assert!(wrong("/*@ requires x; */ 3").what.starts_with("a declaration"));
    }
}
