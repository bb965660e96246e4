// SPDX-License-Identifier: MIT OR Apache-2.0
//! A report as text: obligations by check, capped, and what they add up to.

use clew_checks::check;
use clew_ir::nondet::is_input_name;
use clew_ir::verdict::{Confirmed, Proof, Reason, Verdict};

use crate::model::{Counts, Effort, Level, Report, Row, Tried, count};
use crate::text::Style;

/// Renders a report. At most `limit` places are shown for one check; none is no limit.
pub fn render(report: &Report, limit: Option<usize>, style: Style) -> String {
    let mut out = String::new();
    for (kind, rows) in report.by_check() {
        // What is the same for all of them is said once.
        let common = rows.iter().all(|row| row.verdict == rows[0].verdict).then(|| verdict(rows[0]));
        let counted = match &common {
            Some(verdict) => format!("{} {verdict}", rows.len()),
            None => count_words(&count(rows.iter().copied())),
        };
        out += &format!("{}: {} ({counted})\n", style.bold(kind.id()), check(kind).title);
        let shown = most_telling(&rows, limit.unwrap_or(usize::MAX));
        for row in &shown {
            let verdict = if common.is_some() { String::new() } else { format!("  {}", verdict(row)) };
            out += &format!("  {}  in {}  `{}`{verdict}\n", row.place, row.function, row.text);
        }
        if shown.len() < rows.len() {
            out += &format!("  ... and {} more\n", rows.len() - shown.len());
        }
        out.push('\n');
    }
    for invariant in &report.invariants {
        out += &format!(
            "{} in {}, from {}: on every turn\n",
            style.bold(&format!("loop at {}", invariant.place)),
            invariant.function,
            invariant.entry
        );
        invariant.facts.iter().for_each(|fact| out += &format!("  {fact}\n"));
        out.push('\n');
    }
    let slices = crate::slice::render(report.rows.iter().filter(|row| row.slice.is_some()), style);
    if !slices.is_empty() {
        out += &slices;
        out.push('\n');
    }
    out += &rests_on(report, limit);
    let level = report.level.as_ref().map_or(String::new(), level);
    out + &coverage(report) + &level + &summary(report) + hint(report)
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

/// The rows that matter most to a reader, at most so many, in their order: what is violated or open before what is proved.
fn most_telling<'r>(rows: &[&'r Row], limit: usize) -> Vec<&'r Row> {
    /// What holds without a condition; such rows are alike.
    const SETTLED: u8 = 3;
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|at| rows[*at].verdict.rank().min(SETTLED));
    order.truncate(limit);
    order.sort_unstable();
    order.into_iter().map(|at| rows[at]).collect()
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

fn verdict(row: &Row) -> String {
    match &row.verdict {
        Verdict::Proved(proof) => {
            let by = proof.on_word_of().map_or_else(String::new, |solver| format!(" by {solver}"));
            format!("proved{by}{}", given(proof))
        }
        Verdict::Unreachable(proof) => format!("unreachable{}", given(proof)),
        Verdict::Violated { confirmed: Confirmed::Native, .. } => {
            "violated, seen by the compiled program".to_owned()
        }
        Verdict::Violated { confirmed: Confirmed::Interpreter(why), .. } => {
            let why = why.as_ref().map_or_else(String::new, |why| format!(" only: {why}"));
            format!("violated, seen by the interpreter{why}")
        }
        Verdict::Open(reason) => format!("open, {reason}"),
    }
}

/// What a proof sets aside.
fn given(proof: &Proof) -> String {
    match proof.given.len() {
        0 => String::new(),
        1 => ", given 1 other".to_owned(),
        given => format!(", given {given} others"),
    }
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

fn summary(report: &Report) -> String {
    let counts = report.counts();
    let hidden = match report.hidden {
        0 => String::new(),
        n => format!("; {n} of checks that are not selected"),
    };
    let functions = plural(report.coverage.functions, "function");
    let obligations = plural(counts.total(), "obligation");
    match counts.total() {
        0 => format!("{functions}, no obligations{hidden}\n"),
        _ => format!("{functions}, {obligations}: {}{hidden}\n", count_words(&counts)),
    }
}

/// How to see more.
fn hint(report: &Report) -> &'static str {
    let is_imprecise = |row: &Row| matches!(row.verdict, Verdict::Open(Reason::Imprecise(_)));
    match report.rows.iter().any(|row| row.slice.is_none() && is_imprecise(row)) {
        true => "--slice FILE:LINE says where an open one comes from\n",
        false => "",
    }
}

fn plural(n: u64, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

fn count_words(counts: &Counts) -> String {
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
