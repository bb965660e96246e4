// SPDX-License-Identifier: MIT OR Apache-2.0
//! From the obligations of programs to the rows of a report.

use std::collections::{BTreeSet, HashMap, HashSet};

use clew_base::index::IndexVec;
use clew_base::source::Span;
use clew_checks::CheckSet;
use clew_interpreter::Outcome;
use clew_interpreter::outcome::Finding;
use clew_ir::fact::ledger::settle;
use clew_ir::hash::StableHasher;
use clew_ir::obligation::{CheckKind, Obligation, StableId};
use clew_ir::stable::Stable;
use clew_ir::syntax::{FuncId, Function, ObligationId, Program};
use clew_ir::verdict::{ASSUMPTIONS, Confirmed, Verdict};
use clew_ir::witness::Witness;
use clew_report::{Report, Row};

use crate::knowledge::Title;
use crate::load::Loaded;

/// A report about what was loaded, without rows.
pub fn empty_report(loaded: &Loaded) -> Report {
    let target = loaded.programs.first().map(|p| p.target.triple.to_string());
    let in_force = ASSUMPTIONS.iter().filter(|a| a.by_default).map(|a| a.name.to_owned());
    let program = clew_report::Program {
        files: loaded.files.clone(),
        target: target.unwrap_or_default(),
        entries: Vec::new(),
    };
    Report {
        assumptions: in_force.collect(),
        coverage: clew_report::Coverage { rejected: loaded.rejected.clone(), ..Default::default() },
        ..Report::of(program)
    }
}

/// The stable names of a program's obligations.
pub type Ids = IndexVec<FuncId, IndexVec<ObligationId, StableId>>;

/// The obligations of a program without its models.
pub fn titles(program: &Program, ids: &Ids, models: &BTreeSet<FuncId>) -> Vec<Title> {
    let mut titles = Vec::new();
    for ((id, function), ids) in program.functions.iter_enumerated().zip(ids.iter()) {
        let Some(body) = function.body.as_ref().filter(|_| !models.contains(&id)) else { continue };
        let open = body.obligations.iter().zip(ids.iter());
        titles.extend(open.map(|(o, id)| title(program, function, o, id)));
    }
    titles
}

/// The obligations that a run violated.
pub fn violated_rows(program: &Program, outcome: &Outcome, witness: Option<&Witness>) -> Vec<Row> {
    let found = outcome.findings.iter().map(|f| (f.check, f.obligation, f.span));
    let counted = outcome.counted.iter().map(|c| (c.check, c.obligation, c.span));
    let stable = Stable::new(program);
    let rows = found.chain(counted).map(|(check, obligation, span)| {
        let id = obligation.map(|(function, obligation)| stable.ids(function)[obligation].clone());
        let verdict =
            Verdict::Violated { witness: witness.cloned(), confirmed: Confirmed::Interpreter(None) };
        let title = title_of(program, check, obligation.map(|(function, _)| function), id, span);
        title.with(verdict, Vec::new())
    });
    rows.collect()
}

/// The title of a finding that has none: of what a library function found about its arguments.
pub fn title_of_finding(program: &Program, finding: &Finding) -> Title {
    let function = finding.obligation.map(|(function, _)| function);
    let function = function.or(finding.call.map(|call| call.function));
    title_of(program, finding.check, function, None, finding.span)
}

fn title_of(
    program: &Program,
    check: CheckKind,
    function: Option<FuncId>,
    id: Option<StableId>,
    span: Span,
) -> Title {
    let place = program.sources.place(span);
    let function = function.map(|function| &program.functions[function]);
    Title {
        id: id.unwrap_or_else(|| library_id(program, check, span)),
        check,
        function: function.map_or_else(|| "".into(), |f| f.source_name.clone()),
        place,
        text: excerpt(program.sources.text(span)),
        slice: None,
    }
}

/// The name of a rule that a call of the library broke: a hash of the check and of what is written there, and of where
/// among equals of its file it stands, so that lines above do not change it.
pub fn library_id(program: &Program, check: CheckKind, span: Span) -> StableId {
    let mut hasher = StableHasher::new();
    hasher.text(check.id());
    if let Some(function) = function_around(program, span) {
        hasher.text(&function.name);
    }
    let text = program.sources.text(span);
    hasher.text(&excerpt(text));
    hasher.number(equals_before(program, span));
    let hash = hasher.finish();
    StableId(format!("{:016x}", (hash >> 64) as u64 ^ hash as u64).into())
}

/// The function whose text a place is in: the last of its file that begins before it.
fn function_around(program: &Program, span: Span) -> Option<&Function> {
    let defined = program.functions.iter().filter(|f| f.body.is_some() && f.span.file == span.file);
    defined.filter(|f| f.span.start <= span.start).max_by_key(|f| f.span.start)
}

/// How often the same text stands in the function before this place.
fn equals_before(program: &Program, span: Span) -> u128 {
    let Some(file) = program.sources.files.get(span.file).filter(|_| !span.is_none()) else { return 0 };
    let start = function_around(program, span).map_or(0, |f| f.span.start);
    let (Some(before), Some(text)) = (
        file.text.get(start as usize..span.start as usize),
        file.text.get(span.start as usize..span.end as usize).filter(|text| !text.is_empty()),
    ) else {
        return 0;
    };
    before.windows(text.len()).filter(|window| *window == text).count() as u128
}

fn title(program: &Program, function: &Function, obligation: &Obligation, id: &StableId) -> Title {
    Title {
        id: id.clone(),
        check: obligation.check,
        function: function.source_name.clone(),
        place: program.sources.place(obligation.span),
        text: excerpt(program.sources.text(obligation.span)),
        slice: None,
    }
}

/// The C text of an operation in one short line.
pub fn excerpt(text: &[u8]) -> String {
    const LONGEST: usize = 60;
    let text = String::from_utf8_lossy(&text[..text.len().min(4 * LONGEST)]);
    // Nearly all are short, and there may be a million of them.
    if text.len() <= LONGEST && !text.contains(['\n', '\t']) && !text.contains("  ") {
        return text.into_owned();
    }
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}...", &words[..at]),
        None => words,
    }
}

/// Of the rows that are not shown, those that the others rest on, also by way of each other.
fn rested_on(shown: &[Row], others: Vec<Row>) -> Vec<Row> {
    fn given(row: &Row) -> &[StableId] {
        match &row.verdict {
            Verdict::Proved(proof) | Verdict::Unreachable(proof) => &proof.given,
            Verdict::Violated { .. } | Verdict::Open(_) => &[],
        }
    }
    let by_id: HashMap<&StableId, &Row> = others.iter().map(|row| (&row.id, row)).collect();
    let mut needed: BTreeSet<StableId> = BTreeSet::new();
    // Proofs share what they rest on.
    let mut seen: HashSet<*const StableId> = HashSet::new();
    let mut left: Vec<&[StableId]> = shown.iter().map(given).collect();
    while let Some(list) = left.pop() {
        if !seen.insert(list.as_ptr()) {
            continue;
        }
        for id in list {
            if let Some(row) = by_id.get(id)
                && needed.insert(id.clone())
            {
                left.push(given(row));
            }
        }
    }
    others.into_iter().filter(|row| needed.contains(&row.id)).collect()
}

/// Puts rows in order, each once although several programs may share a unit, and counts those of checks that
/// are not shown. Of what the programs say of one, the worst counts.
pub fn tidy(report: &mut Report, shown: CheckSet) {
    settle(report.rows.iter_mut().map(|row| (&row.id, &mut row.verdict, false)).collect());
    report.rows.sort_by_key(|row| row.verdict.rank());
    report.sort();
    report.rows.dedup_by(|a, b| a.id == b.id && a.place == b.place && a.check == b.check);
    let (rows, others): (Vec<Row>, Vec<Row>) =
        std::mem::take(&mut report.rows).into_iter().partition(|row| shown.contains(row.check));
    report.rows = rows;
    let unselected = others.len();
    report.rests_on = rested_on(&report.rows, others);
    report.hidden = (unselected - report.rests_on.len()) as u64;
    report.program.entries.sort();
    report.program.entries.dedup();
}
