// SPDX-License-Identifier: MIT OR Apache-2.0
//! The end of a report as text: what was not looked at, what verdicts rest on, what they add up to, and what to do next.

use std::collections::BTreeMap;

use clew_base::source::Place;
use clew_ir::nondet::is_input_name;
use clew_ir::verdict::{Reason, Verdict};

use crate::model::{Counts, Effort, Level, Report, Row, Tried};
use crate::obligations::verdict;
use crate::question::{Question, count_places};

/// What a report ends with; `worst` is the check of the violation that is shown first.
pub fn render(
    report: &Report,
    worst: Option<&str>,
    questions: &[Question<'_>],
    limit: Option<usize>,
) -> String {
    let level = report.level.as_ref().map_or(String::new(), level);
    rests_on(report, limit)
        + &coverage(report)
        + &by_word(report)
        + &level
        + &counted(report)
        + &next(worst, questions)
}

/// What verdicts rest on that nobody selected.
fn rests_on(report: &Report, limit: Option<usize>) -> String {
    let rows = &report.rests_on;
    if rows.is_empty() {
        return String::new();
    }
    let mut out = "these rest on checks that are not selected:\n".to_owned();
    let shown = limit.unwrap_or(usize::MAX).min(rows.len());
    for row in &rows[..shown] {
        out += &format!(
            "  {}  in {}  `{}`  {}: {}\n",
            row.place,
            row.function,
            row.text,
            row.check,
            verdict(row)
        );
    }
    if shown < rows.len() {
        out += &format!("  ... and {} more\n", rows.len() - shown);
    }
    out + "\n"
}

/// Said where it is not the usual: what is open may then be proved otherwise.
fn level(level: &Level) -> String {
    let mut said = Vec::new();
    if !level.is_default {
        said.push(format!("at level {} ({})", level.number, level.name));
    }
    if !level.without.is_empty() {
        said.push(format!("without {}", level.without.join(", ")));
    }
    if said.is_empty() { String::new() } else { format!("analysed {}\n", said.join(", ")) }
}

fn coverage(report: &Report) -> String {
    let coverage = &report.coverage;
    let mut out = String::new();
    let mut named = |what: &str, names: &[String]| {
        if !names.is_empty() {
            out += &format!("{what}: {}\n", capped(names));
        }
    };
    named("not reached from any entry", &coverage.unreached);
    named("called, but without a body here", &coverage.missing);
    let assumed = "missing-functions-leave-globals";
    if coverage.missing.iter().any(|name| !is_input_name(name))
        && report.assumptions.iter().any(|name| name == assumed)
    {
        out += &format!("  taken to touch what they are handed and nothing else: --no-assume {assumed}\n");
    }
    for (place, what) in &coverage.unsupported {
        out += &format!("{place}: not supported: {what}\n");
    }
    for (file, reason) in &coverage.rejected {
        out += &format!("{file}: not analysed: {reason}\n");
    }
    out += &tried(&coverage.tried);
    if coverage.truncated {
        out += "a limit cut the work short: what is open may be decided with a higher one\n";
    }
    out
}

/// What engines did not do, or not to the end, with the entries for which it is so.
fn tried(tried: &[Tried]) -> String {
    type Part = fn(&Tried) -> &Effort;
    let engines: [(&str, Part); 3] =
        [("proofs", |t| &t.proofs), ("search", |t| &t.search), ("solver", |t| &t.solver)];
    let mut out = String::new();
    for (engine, effort) in engines {
        let mut said: Vec<(String, Vec<String>)> = Vec::new();
        for one in tried {
            let what = match effort(one) {
                Effort::Done | Effort::NotNeeded => continue,
                Effort::Skipped(why) => format!("not asked ({why})"),
                Effort::GaveUp(why) => format!("not to the end ({why})"),
                Effort::CutShort => "cut short".to_owned(),
                Effort::Failed => "failed, a fault of clew's own".to_owned(),
            };
            match said.iter_mut().find(|(other, _)| *other == what) {
                Some((_, entries)) => entries.push(one.entry.clone()),
                None => said.push((what, vec![one.entry.clone()])),
            }
        }
        for (what, entries) in said {
            out += &format!("{engine} from {}: {what}\n", capped(&entries));
        }
    }
    out
}

/// Names in a row; more than a dozen are counted.
fn capped(names: &[String]) -> String {
    const SHOWN: usize = 12;
    match names.len().checked_sub(SHOWN) {
        Some(more) if more > 0 => format!("{} and {more} more", names[..SHOWN].join(", ")),
        _ => names.join(", "),
    }
}

/// Proofs that another solver alone vouches for.
fn by_word(report: &Report) -> String {
    let mut solvers: BTreeMap<&str, u64> = BTreeMap::new();
    for row in &report.rows {
        if let Verdict::Proved(proof) = &row.verdict
            && let Some(solver) = proof.on_word_of()
        {
            *solvers.entry(solver).or_insert(0) += 1;
        }
    }
    let line = |(solver, n): (&str, u64)| {
        let are = if n == 1 { "is" } else { "are" };
        format!("{} {are} proved by the word of {solver}\n", plural(n, "obligation"))
    };
    solvers.into_iter().map(line).collect()
}

/// One line: functions, places and obligations.
fn counted(report: &Report) -> String {
    let counts = report.counts();
    let hidden = match report.hidden {
        0 => String::new(),
        n => format!("; {n} of checks that are not selected"),
    };
    let mut hidden = hidden;
    if !report.suppressed.is_empty() {
        hidden += &format!("; {} suppressed", report.suppressed.len());
    }
    if !report.elsewhere.is_empty() {
        hidden += &format!("; {} violated that touch no changed line", report.elsewhere.len());
    }
    let functions = plural(report.coverage.functions, "function");
    if counts.total() == 0 {
        return format!("{functions}, no obligations{hidden}\n");
    }
    let places = count_places(&report.rows);
    format!(
        "{functions}, {}, {}: {}{hidden}\n",
        plural(counts.total(), "obligation"),
        plural(places.total(), "place"),
        count_words(&places)
    )
}

/// What to do next: read what the worst finding means, or see where the first question comes from.
fn next(worst: Option<&str>, questions: &[Question<'_>]) -> String {
    if let Some(check) = worst {
        return format!("next: `clew explain {check}` says what it means\n");
    }
    let is_imprecise =
        |row: &&&Row| row.slice.is_none() && matches!(row.verdict, Verdict::Open(Reason::Imprecise(_)));
    match questions.iter().flat_map(|question| &question.rows).find(is_imprecise) {
        Some(row) => {
            let Place { file, line, .. } = &row.place;
            format!("next: --slice {file}:{line} says where it comes from\n")
        }
        None => String::new(),
    }
}

fn plural(n: u64, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// Counts in words, those that are none left out.
pub(crate) fn count_words(counts: &Counts) -> String {
    let words = [
        (counts.violated, "violated"),
        (counts.open, "open"),
        (counts.proved, "proved"),
        (counts.proved_given, "proved given others"),
        (counts.unreachable, "unreachable"),
        (counts.unreachable_given, "unreachable given others"),
    ];
    let present = words.iter().filter(|(n, _)| *n > 0).map(|(n, word)| format!("{n} {word}"));
    present.collect::<Vec<_>>().join(", ")
}
