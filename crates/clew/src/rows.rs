// SPDX-License-Identifier: MIT OR Apache-2.0
//! From the obligations of programs to the rows of a report.

use std::collections::HashMap;
use std::sync::Arc;

use clew_checks::CheckSet;
use clew_ir::obligation::{Obligation, StableId};
use clew_ir::syntax::{Function, Program, StatementKind};
use clew_ir::verdict::{ASSUMPTIONS, Reason, Verdict};
use clew_report::{Report, Row};

use crate::pipeline::Loaded;

/// A report about what was loaded, without rows.
pub fn empty_report(loaded: &Loaded) -> Report {
    let target = loaded.programs.first().map(|p| p.target.triple.to_string());
    let in_force = ASSUMPTIONS.iter().filter(|a| a.by_default).map(|a| a.name.to_owned());
    Report {
        program: clew_report::Program {
            files: loaded.files.clone(),
            target: target.unwrap_or_default(),
            entries: Vec::new(),
        },
        rows: Vec::new(),
        hidden: 0,
        assumptions: in_force.collect(),
        coverage: clew_report::Coverage { rejected: loaded.rejected.clone(), ..Default::default() },
    }
}

/// The obligations of the selected checks, all open, and how many others there are.
pub fn open_rows(program: &Program, shown: CheckSet) -> (Vec<Row>, u64) {
    let mut rows = Vec::new();
    let mut hidden = 0;
    for function in program.functions.iter() {
        let Some(body) = &function.body else { continue };
        let reason = open_reason(function);
        for (obligation, id) in body.obligations.iter().zip(ids(function)) {
            match shown.contains(obligation.check) {
                true => rows.push(row(program, function, obligation, id, Verdict::Open(reason.clone()))),
                false => hidden += 1,
            }
        }
    }
    (rows, hidden)
}

fn ids(function: &Function) -> Vec<StableId> {
    let obligations = function.body.iter().flat_map(|body| body.obligations.iter());
    let mut seen: HashMap<_, usize> = HashMap::new();
    let id = |o: &Obligation| {
        let ordinal = seen.entry(o.check).and_modify(|n| *n += 1).or_insert(0);
        StableId(Arc::from(format!("{}.{}.{ordinal}", function.name, o.check)))
    };
    obligations.map(id).collect()
}

/// One row.
pub fn row(
    program: &Program,
    function: &Function,
    obligation: &Obligation,
    id: StableId,
    verdict: Verdict,
) -> Row {
    Row {
        id,
        check: obligation.check,
        function: function.source_name.to_string(),
        place: program.sources.place(obligation.span),
        text: excerpt(program.sources.text(obligation.span)),
        verdict,
        assumptions: Vec::new(),
    }
}

/// What stands in the way in a function: code that clew does not support, or only that nobody has looked.
fn open_reason(function: &Function) -> Reason {
    let blocks = function.body.iter().flat_map(|body| body.blocks.iter());
    let what = blocks.flat_map(|block| block.statements.iter()).find_map(|s| match &s.kind {
        StatementKind::Unsupported { what } => Some(what.to_string()),
        _ => None,
    });
    what.map_or(Reason::NotAnalysed, Reason::Unsupported)
}

/// The C text of an operation in one short line.
fn excerpt(text: &[u8]) -> String {
    const LONGEST: usize = 60;
    let text = String::from_utf8_lossy(&text[..text.len().min(4 * LONGEST)]).into_owned();
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}...", &words[..at]),
        None => words,
    }
}

/// Puts rows in order. A unit that several programs share gives each of its rows once.
pub fn sort_and_deduplicate(report: &mut Report) {
    report.sort();
    report.rows.dedup_by(|a, b| a.id == b.id && a.place == b.place && a.check == b.check);
    report.program.entries.sort();
    report.program.entries.dedup();
}
