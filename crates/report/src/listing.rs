// SPDX-License-Identifier: MIT OR Apache-2.0
//! A report for the terminal: the important first, and little of it.
//!
//! Violations, then the open questions that would settle most, then what was not looked at and what it adds up to. What
//! is proved is counted, and listed only for who asks.

use crate::finding::{Finding, in_order};
use crate::model::Report;
use crate::question::{Question, questions};
use crate::text::Style;
use crate::{findings, obligations, slice, summary};

/// What is shown of a report.
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    /// How many open questions at most, and whether violations are drawn on a screen; none is no limit.
    pub limit: Option<usize>,
    /// Whether every obligation is listed, those that are proved too.
    pub all: bool,
}

/// How many lines a report has where nobody asks for more: a screen or two.
const LINES: usize = 60;
/// How many of them are left to questions, if there are some.
const FOR_QUESTIONS: usize = 18;

/// Renders a report with the violations that the engines have messages of.
pub fn render(report: &Report, violations: &[Finding], shown: Shown, style: Style) -> String {
    let details = details(report, style);
    let questions = questions(report);
    let worst = in_order(violations).first().map(|finding| finding.check.id());
    let end = summary::render(report, worst, &questions, shown.limit);
    let questions = if shown.all {
        obligations::render(report, shown.limit, style)
    } else {
        open_questions(&questions, shown.limit, style)
    };
    let room = LINES.saturating_sub(end.lines().count() + questions.lines().count().min(FOR_QUESTIONS));
    let lines = (shown.limit.is_some() && !shown.all).then_some(room);
    findings::render(violations, lines, style) + &questions + &details + &end
}

/// What was asked for besides: invariants, slices.
fn details(report: &Report, style: Style) -> String {
    let mut out = String::new();
    for invariant in &report.invariants {
        out += &format!(
            "{} in {}, from {}: on every iteration\n",
            style.bold(&format!("loop at {}", invariant.place)),
            invariant.function,
            invariant.entry
        );
        invariant.facts.iter().for_each(|fact| out += &format!("  {fact}\n"));
        out.push('\n');
    }
    let slices = slice::render(report.rows.iter().filter(|row| row.slice.is_some()), style);
    if !slices.is_empty() {
        out += &slices;
        out.push('\n');
    }
    out
}

fn open_questions(questions: &[Question<'_>], limit: Option<usize>, style: Style) -> String {
    if questions.is_empty() {
        return String::new();
    }
    let shown = limit.unwrap_or(usize::MAX).min(questions.len());
    let open = if questions.len() == 1 {
        "1 open question".to_owned()
    } else {
        format!("{} open questions", questions.len())
    };
    let first = if shown < questions.len() {
        format!(", {shown} of them, what would settle most first")
    } else {
        String::new()
    };
    let mut out = format!("{}{first}:\n", style.bold(&open));
    questions[..shown].iter().for_each(|question| out += &lines(question));
    if shown < questions.len() {
        out += &format!("  ... and {} more; --limit 0 shows all\n", questions.len() - shown);
    }
    out.push('\n');
    out
}

fn lines(question: &Question<'_>) -> String {
    let settles = match question.settles {
        0 => String::new(),
        1 => "  (1 proof rests on it)".to_owned(),
        n => format!("  ({n} proofs rest on it)"),
    };
    let reason = question.reason().map_or_else(String::new, |reason| format!(": {reason}"));
    format!(
        "  {}  in {}  `{}`{settles}\n      {}{reason}\n",
        question.place(),
        question.function(),
        question.text(),
        checks(question)
    )
}

/// Its checks; more than three are counted.
fn checks(question: &Question<'_>) -> String {
    const NAMED: usize = 3;
    let checks = question.checks();
    let named: Vec<&str> = checks.iter().take(NAMED).map(|check| check.id()).collect();
    match checks.len().saturating_sub(NAMED) {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}
