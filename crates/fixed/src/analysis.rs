// SPDX-License-Identifier: MIT OR Apache-2.0
//! The whole question, answered: bounds, reached errors, overflows, as plain data for reports.

use std::sync::Arc;

use clew_base::source::{Place, Span};
use clew_ir::syntax::{FuncId, Program};

use crate::algebra::Seen;
use crate::begin::{Cell, cells};
use crate::bound::{Bounds, Effort, bounds};
use crate::interval::Interval;
use crate::journal::{Journal, RowKey};
use crate::pushdown::procedures;
use crate::reach::{Runs, Tries, runs};
use crate::setup::Setup;
use crate::walk::{Stop, Walked};

/// Inputs by name, in the order in which they were given.
pub type Point = Vec<(String, f64)>;

/// An interval, for reports.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ends {
    /// Least.
    pub low: f64,
    /// Greatest.
    pub high: f64,
}

impl From<Interval> for Ends {
    fn from(interval: Interval) -> Ends {
        Ends { low: interval.lo, high: interval.hi }
    }
}

/// A bound of an error by one way of counting.
#[derive(Clone, PartialEq, Debug)]
pub struct By {
    /// `CI`, `AI`, `EAI`.
    pub name: &'static str,
    /// The error; none: no bound, and why.
    pub error: Option<Ends>,
    /// The value in the reals.
    pub value: Option<Ends>,
    /// Why there is none.
    pub why: Option<String>,
}

/// A variable, at an assignment or at the end.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// Its name.
    pub variable: String,
    /// `file:line:column` of the assignment; none: at the end.
    pub place: Option<String>,
    /// The line of the assignment.
    pub line: Option<u32>,
    /// Its value in the reals.
    pub value: Option<Ends>,
    /// What the machine computes.
    pub machine: Option<Ends>,
    /// The real value minus the machine's.
    pub error: Option<Ends>,
    /// The largest size of the error.
    pub bound: Option<f64>,
    /// Why there is no bound.
    pub why: Option<String>,
    /// What a run reached, at the end.
    pub reached: Option<f64>,
    /// With these inputs.
    pub reached_with: Option<Point>,
    /// The paper's three.
    pub by: Vec<By>,
}

/// An operation whose result may not fit.
#[derive(Clone, PartialEq, Debug)]
pub struct OverflowRow {
    /// `file:line:column`.
    pub place: String,
    /// The line.
    pub line: u32,
    /// The text of the operation.
    pub operation: String,
    /// The variable that gets it.
    pub variable: Option<String>,
    /// What it has to fit.
    pub format: String,
    /// The values that the machine may have.
    pub values: Ends,
    /// A run in which it does not fit: its inputs.
    pub inputs: Option<Point>,
    /// The value in that run.
    pub value: Option<f64>,
    /// Whether the compiled emulation shows it.
    pub confirmed: Option<bool>,
    /// Why it was not asked.
    pub unconfirmed: Option<String>,
    /// The emulation that shows it, as C.
    pub emulation: Option<String>,
    /// Where, for the emulation.
    pub span: Span,
    /// The inputs in order, for the emulation.
    pub point: Vec<f64>,
}

/// A test that was not decided.
#[derive(Clone, PartialEq, Debug)]
pub struct TestRow {
    /// `file:line:column`.
    pub place: String,
    /// Its text.
    pub test: String,
    /// Whether rounding may turn it: the machine takes one branch and the real computation the other.
    pub may_part: bool,
}

/// An answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Analysis {
    /// The function.
    pub function: String,
    /// Rows at the end, then by place.
    pub rows: Vec<Row>,
    /// Operations whose result may not fit.
    pub overflows: Vec<OverflowRow>,
    /// How many operations were proved to fit.
    pub proved: usize,
    /// Tests that were not decided.
    pub tests: Vec<TestRow>,
    /// Why there is no bound at all.
    pub no_bound: Option<String>,
    /// Boxes of inputs that were looked at.
    pub boxes: usize,
    /// Whether every run of the machine was looked at.
    pub exhaustive: bool,
    /// Runs that were made.
    pub runs: u64,
}

/// Answers.
pub fn analyse(program: &Program, setup: &Setup, effort: Effort, tries: Tries) -> Analysis {
    if let Some(why) = endless(program, setup) {
        return no_answer(program, setup, why);
    }
    let bounds = bounds(program, setup, effort);
    let runs = runs(program, setup, tries);
    let cells = cells(program, setup);
    let answer = Answer { program, bounds: &bounds, runs: &runs, cells: &cells };
    let function = program.functions[setup.entry].source_name.to_string();
    let (rows, overflows, proved, tests) = match &bounds.best {
        Ok(journal) => {
            let proved = journal.sites.values().filter(|site| !site.may).count();
            (answer.rows(journal), answer.overflows(Some(journal)), proved, answer.tests(journal))
        }
        Err(_) => (Vec::new(), answer.overflows(None), 0, Vec::new()),
    };
    let no_bound = bounds.best.as_ref().err().map(|stop| said(program, stop));
    Analysis {
        function,
        rows,
        overflows,
        proved,
        tests,
        no_bound,
        boxes: bounds.boxes,
        exhaustive: bounds.is_exhaustive,
        runs: runs.count,
    }
}

/// Recursion that no run comes back from.
fn endless(program: &Program, setup: &Setup) -> Option<String> {
    let reached = procedures(program, setup.entry);
    let first = reached.tops.keys().find(|symbol| {
        (**symbol as usize) < program.functions.len() && !reached.summaries.contains_key(symbol)
    })?;
    let function = &program.functions[FuncId(*first)];
    Some(format!("{}: `{}` calls itself without an end", place(program, function.span), function.source_name))
}

fn no_answer(program: &Program, setup: &Setup, why: String) -> Analysis {
    Analysis {
        function: program.functions[setup.entry].source_name.to_string(),
        rows: Vec::new(),
        overflows: Vec::new(),
        proved: 0,
        tests: Vec::new(),
        no_bound: Some(why),
        boxes: 0,
        exhaustive: false,
        runs: 0,
    }
}

fn said(program: &Program, stop: &Stop) -> String {
    format!("{}: {}", place(program, stop.span), stop.why)
}

fn place(program: &Program, span: Span) -> Place {
    program.sources.place(span)
}

struct Answer<'a> {
    program: &'a Program,
    bounds: &'a Bounds,
    runs: &'a Runs,
    cells: &'a [Cell],
}

impl Answer<'_> {
    fn text(&self, span: Span) -> String {
        let text = String::from_utf8_lossy(self.program.sources.text(span)).into_owned();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn inputs(&self, point: &[f64]) -> Point {
        self.cells.iter().zip(point).map(|(cell, x)| (cell.name.clone(), x * cell.unit)).collect()
    }

    fn rows(&self, journal: &Journal) -> Vec<Row> {
        let keys = journal.rows.keys().chain(journal.unclear.keys());
        let mut keys: Vec<&RowKey> = keys.collect();
        keys.sort();
        keys.dedup();
        keys.into_iter().map(|key| self.row(journal, key)).collect()
    }

    fn row(&self, journal: &Journal, key: &RowKey) -> Row {
        let why = journal.unclear.get(key).map(|why| why.to_string());
        let seen: Option<Seen> = journal.rows.get(key).copied().filter(|_| why.is_none());
        let reached = self.runs.reached.get(&key.1).filter(|_| key.0.is_none());
        let at = key.0.map(|span| place(self.program, span));
        let by = |(name, walked): &(&'static str, Walked<Journal>)| match walked {
            Ok(journal) => {
                let seen = journal.rows.get(key);
                let error = seen.map(|seen| seen.error.into());
                By { name, error, value: seen.map(|seen| seen.real.into()), why: None }
            }
            Err(stop) => By { name, error: None, value: None, why: Some(said(self.program, stop)) },
        };
        Row {
            variable: key.1.to_string(),
            place: at.as_ref().map(Place::to_string),
            line: at.map(|at| at.line),
            value: seen.map(|seen| seen.real.into()),
            machine: seen.map(|seen| seen.machine.into()),
            error: seen.map(|seen| seen.error.into()),
            bound: seen.map(|seen| seen.error.magnitude()),
            why,
            reached: reached.map(|reached| reached.error),
            reached_with: reached.map(|reached| self.inputs(&reached.inputs)),
            by: self.bounds.paper.iter().map(by).collect(),
        }
    }

    fn overflows(&self, journal: Option<&Journal>) -> Vec<OverflowRow> {
        let mut spans: Vec<Span> = self.runs.overflowed.keys().copied().collect();
        if let Some(journal) = journal {
            spans.extend(journal.sites.iter().filter(|(_, site)| site.may).map(|(span, _)| *span));
        }
        spans.sort();
        spans.dedup();
        spans.into_iter().map(|span| self.overflow(journal, span)).collect()
    }

    fn overflow(&self, journal: Option<&Journal>, span: Span) -> OverflowRow {
        let site = journal.and_then(|journal| journal.sites.get(&span));
        let found = self.runs.overflowed.get(&span);
        let at = place(self.program, span);
        let value = found.map(|found| found.value);
        let values = site.map_or(Interval::point(value.unwrap_or(0.0)), |site| site.before.machine);
        OverflowRow {
            line: at.line,
            place: at.to_string(),
            operation: self.text(span),
            variable: site.and_then(|site| site.variable.as_ref().map(Arc::to_string)),
            format: site.map_or_else(String::new, |site| site.format.clone()),
            values: values.into(),
            inputs: found.map(|found| self.inputs(&found.inputs)),
            value,
            confirmed: None,
            unconfirmed: None,
            emulation: None,
            span,
            point: found.map(|found| found.inputs.clone()).unwrap_or_default(),
        }
    }

    fn tests(&self, journal: &Journal) -> Vec<TestRow> {
        let row = |(span, may_part): (&Span, &bool)| TestRow {
            place: place(self.program, *span).to_string(),
            test: self.text(*span),
            may_part: *may_part,
        };
        journal.tests.iter().map(row).collect()
    }
}
