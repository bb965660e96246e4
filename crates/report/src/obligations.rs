// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every obligation as text, by check: for those who ask for all.

use clew_checks::check;
use clew_ir::verdict::{Confirmed, Proof, Verdict};

use crate::model::{Report, Row, count};
use crate::summary::count_words;
use crate::text::Style;

/// Lists the obligations of a report, at most `limit` places for one check; none is no limit.
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
    out
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

pub(crate) fn verdict(row: &Row) -> String {
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
