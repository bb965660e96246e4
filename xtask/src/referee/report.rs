// SPDX-License-Identifier: MIT OR Apache-2.0
//! What clew says of a program, and which of it is a claim that a run can refute.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clew_native::Status;
use serde_json::Value;

use super::runs::{Event, Run, Violation};
use crate::clew::{Clew, crashed, first_line};

/// The status of `clew check` for a fault of its own.
const OWN_FAULT: i32 = 3;

/// An obligation as the report lists it.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    pub id: String,
    pub check: String,
    pub line: u32,
    pub column: u32,
    pub verdict: String,
    pub confirmed: Option<String>,
    pub given: Vec<String>,
    pub witness: Value,
    /// Checks that the witness violates on its way.
    pub goes_on_after: Vec<String>,
}

impl Row {
    /// From the report, with its lists of what proofs rest on.
    pub fn read(row: &Value, lists: &Value) -> Row {
        let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
        let number = |name: &str| row[name].as_u64().unwrap_or_default() as u32;
        let texts = |list: &Value| -> Vec<String> {
            list.as_array()
                .into_iter()
                .flatten()
                .filter_map(|text| text.as_str().map(str::to_owned))
                .collect()
        };
        Row {
            id: text("id"),
            check: text("check"),
            line: number("line"),
            column: number("column"),
            verdict: text("verdict"),
            confirmed: row["confirmed"].as_str().map(str::to_owned),
            given: given(&row["given"], lists),
            witness: row["witness"].clone(),
            goes_on_after: texts(&row["witness"]["goes_on_after"]),
        }
    }

    /// It says that nothing can go wrong here, perhaps unless something else does.
    fn is_safe(&self) -> bool {
        matches!(self.verdict.as_str(), "proved" | "unreachable")
    }

    /// It says that nothing can go wrong here, whatever else does.
    pub fn is_claim(&self) -> bool {
        self.is_safe() && self.given.is_empty()
    }

    pub fn is_violated(&self) -> bool {
        self.verdict == "violated"
    }
}

impl std::fmt::Display for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{} {} {}", self.line, self.column, self.check, self.verdict)?;
        if !self.given.is_empty() {
            write!(f, " given {}", self.given.len())?;
        }
        Ok(())
    }
}

/// What a proof rests on, written out: a number is that of a list.
fn given(parts: &Value, lists: &Value) -> Vec<String> {
    let one = |part: &Value| match part.as_u64() {
        Some(number) => given(&lists[number as usize], lists),
        None => vec![part.as_str().unwrap_or_default().to_owned()],
    };
    parts.as_array().into_iter().flatten().flat_map(one).collect()
}

/// A report.
pub struct Report {
    pub rows: Vec<Row>,
    /// Obligations that were not asked for and on which some that were rest.
    pub rests_on: Vec<Row>,
    /// Functions that no entry reaches.
    pub unreached: Vec<String>,
    /// What clew says of a fault of its own.
    pub own_fault: Option<String>,
}

impl Report {
    /// What clew says of a file with these flags.
    pub fn of(clew: &Clew, file: &Path, flags: &[&str]) -> Result<Report> {
        let child = clew.child("check", Duration::from_secs(120)).args(["--format", "json"]).args(flags);
        let outcome = child.arg(file).args(["--", "-w"]).run()?;
        let message = || format!("{}: {}", file.display(), first_line(&outcome.stderr_text()));
        if let Some(crash) = crashed(&outcome) {
            bail!("{}: {crash}", file.display());
        }
        let report: Value = serde_json::from_slice(&outcome.stdout).with_context(message)?;
        let lists = &report["given_lists"];
        let rows = |name: &str| {
            report[name].as_array().into_iter().flatten().map(|row| Row::read(row, lists)).collect()
        };
        let unreached = report["coverage"]["unreached"].as_array().into_iter().flatten();
        Ok(Report {
            rows: rows("obligations"),
            rests_on: rows("rests_on"),
            unreached: unreached.filter_map(|name| name.as_str().map(str::to_owned)).collect(),
            own_fault: (outcome.status == Status::Exited(OWN_FAULT)).then(message),
        })
    }

    /// How the report contradicts a run, if it does.
    ///
    /// Of what a run violates there is an obligation that is not claimed to hold, unless its check was not asked for. A place that a run reaches is not unreachable. What a claim rests on holds as long as
    /// nothing was violated, so that a run refutes all claims up to its first violation.
    pub fn contradicts(&self, run: &Run, asked: impl Fn(&str) -> bool) -> Option<String> {
        let stopped = run.violations().find(|violation| !violation.goes_on).map(|at| at.line);
        let mut violated: Option<u32> = None;
        run.events.iter().find_map(|event| match event {
            Event::Violated(violation) => {
                let what = self.denies(violation, violated.is_none(), &asked);
                violated = violated.or(Some(violation.line));
                what.map(|what| format!("{what}, but line {}: {}", violation.line, violation.message))
            }
            // What is behind the end of a run in the same line is not reached.
            Event::At(line) if stopped == Some(*line) => None,
            Event::At(line) => {
                let dead = self.rows.iter().filter(|row| row.line == *line && row.verdict == "unreachable");
                // The condition of an assertion is reached, its failure is not.
                let mut dead = dead.filter(|row| row.check != "assertion");
                let clean = violated.is_none() && !run.violations().any(|at| at.line == *line);
                let row = dead.find(|row| clean || row.is_claim())?;
                Some(format!("{row}, but the line is reached"))
            }
        })
    }

    /// What the report says against a violation. Before it nothing was violated in the run if it is the `first`.
    fn denies(&self, violation: &Violation, first: bool, asked: &impl Fn(&str) -> bool) -> Option<String> {
        // Nobody knows which of these checks it is.
        if !violation.checks.iter().all(|check| asked(check)) {
            return None;
        }
        let fits = |row: &&Row| row.line == violation.line && violation.checks.contains(&row.check);
        let rows: Vec<&Row> = self.rows.iter().filter(fits).collect();
        if rows.is_empty() {
            return Some(format!("no obligation of {}", violation.checks.join(", ")));
        }
        let claim = |row: &&Row| row.is_claim() || first && row.is_safe();
        rows.iter().all(claim).then(|| {
            let rows: Vec<String> = rows.iter().map(ToString::to_string).collect();
            rows.join("; ")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::referee::runs::Inputs;

    fn row(line: u32, check: &str, verdict: &str, given: &[&str]) -> Row {
        Row {
            id: format!("{check}{line}"),
            check: check.into(),
            line,
            column: 1,
            verdict: verdict.into(),
            confirmed: None,
            given: given.iter().map(|id| (*id).to_owned()).collect(),
            witness: Value::Null,
            goes_on_after: Vec::new(),
        }
    }

    fn report(rows: Vec<Row>) -> Report {
        Report { rows, rests_on: Vec::new(), unreached: Vec::new(), own_fault: None }
    }

    fn run(events: Vec<Event>) -> Run {
        Run { inputs: Inputs::default(), events, end: String::new() }
    }

    fn overflow(line: u32) -> Event {
        let checks = vec!["signed-overflow".to_owned()];
        Event::Violated(Violation { line, checks, goes_on: true, message: "overflow".into() })
    }

    #[test]
    fn a_claim_is_refuted_by_a_violation_of_its_check_at_its_line() {
        let report = report(vec![
            row(3, "signed-overflow", "proved", &[]),
            row(4, "signed-overflow", "proved", &["x"]),
            row(5, "signed-overflow", "proved", &[]),
            row(5, "signed-overflow", "open", &[]),
        ]);
        let says = |line| report.contradicts(&run(vec![overflow(line)]), |_| true);
        assert!(says(3).is_some() && says(5).is_none());
        assert!(says(4).is_some(), "nothing that it rests on was violated");
        assert!(report.contradicts(&run(vec![overflow(5), overflow(4)]), |_| true).is_none());
        assert!(report.contradicts(&run(vec![overflow(5), overflow(3)]), |_| true).is_some());
        assert!(says(6).is_some_and(|what| what.contains("no obligation")));
        assert!(report.contradicts(&run(vec![overflow(6)]), |_| false).is_none());
    }

    #[test]
    fn what_is_reached_is_not_unreachable() {
        let rows =
            vec![row(3, "null-deref", "unreachable", &[]), row(4, "null-deref", "unreachable", &["x"])];
        let report = report(rows);
        assert!(report.contradicts(&run(vec![Event::At(3)]), |_| true).is_some());
        assert!(report.contradicts(&run(vec![Event::At(4)]), |_| true).is_some());
        assert!(report.contradicts(&run(vec![overflow(2), Event::At(4)]), |_| false).is_none());
    }
}
