// SPDX-License-Identifier: MIT OR Apache-2.0
//! The story of a run that fails: its inputs, the branches that led to the fault, and what happened there.
//!
//! A branch is told if it could have led away: in a function that was running at the fault, its other side has a way
//! out that does not come to the place (control dependence). Of a branch that was taken often the last time is told.

use std::collections::{BTreeMap, BTreeSet};

use clew_base::source::Span;
use clew_base::stack::with_large_stack;
use clew_interpreter::closed::Closed;
use clew_interpreter::outcome::Finding;
use clew_interpreter::probe::{Comparison, Probe, Wanted};
use clew_interpreter::value::Value;
use clew_interpreter::{Options, Session};
use clew_ir::analysis::control::deciding_branches;
use clew_ir::syntax::{
    BlockId, Body, CompareOp, ExprKind, FuncId, ObligationId, Program, StatementKind, Terminator,
};
use clew_ir::witness::Witness;
use clew_report::Step;

use crate::describe::shown_input;
use crate::rows::excerpt;

/// More branches than this are not told: the last ones say most.
const BRANCHES: usize = 16;

/// More inputs than this are counted.
const INPUTS: usize = 20;

/// The story of a run that ends in this finding.
pub fn story(program: &Program, witness: &Witness, finding: &Finding) -> Result<String, String> {
    let mut text = String::from("inputs\n");
    for input in witness.inputs.iter().take(INPUTS) {
        text += &format!("  {}\n", shown_input(input));
    }
    match witness.inputs.len() {
        0 => text += "  none\n",
        n if n > INPUTS => text += &format!("  ... and {} more\n", n - INPUTS),
        _ => {}
    }
    let mut told = steps(program, witness, finding)?;
    if !told.is_empty() {
        text += "the way there\n";
    }
    if let Some(more) = told.len().checked_sub(BRANCHES).filter(|more| *more > 0) {
        text += &format!("  ... {more} branches before\n");
        told.drain(..more);
    }
    told.iter().for_each(|step| text += &format!("  {}: {}  ({})\n", step.place, step.text, step.values));
    let place = program.sources.place(finding.span);
    let code = excerpt(program.sources.text(finding.span));
    text += &format!("the fault\n  {place}: {code}\n  {}: {}\n", finding.check, finding.message);
    for entry in finding.stack.iter().skip(1) {
        text += &format!("  called from {} in {}\n", program.sources.place(entry.span), entry.function);
    }
    Ok(text)
}

/// The branches that led to the finding, in the order in which they were taken.
pub fn steps(program: &Program, witness: &Witness, finding: &Finding) -> Result<Vec<Step>, String> {
    Ok(told(program, finding, &branches(program, witness)?))
}

/// A branch as it was taken the last time.
#[derive(Clone, Copy)]
struct Taken {
    /// When, among all branches.
    number: u64,
    /// How often in all.
    times: u64,
    left: Value,
    right: Value,
}

/// Remembers the last time of every branch.
#[derive(Default)]
struct Recorder {
    count: u64,
    taken: BTreeMap<(FuncId, BlockId), Taken>,
}

impl Recorder {
    fn note(&mut self, at: (FuncId, BlockId), left: Value, right: Value) {
        self.count += 1;
        let times = self.taken.get(&at).map_or(0, |taken| taken.times) + 1;
        self.taken.insert(at, Taken { number: self.count, times, left, right });
    }
}

impl Probe for Recorder {
    fn compare(&mut self, at: Comparison, _: CompareOp, left: Value, right: Value) {
        if at.statement.is_none() {
            self.note((at.function, at.block), left, right);
        }
    }

    fn switch(&mut self, function: FuncId, block: BlockId, value: i128) {
        self.note((function, block), Value::Int(value), Value::Unit);
    }

    fn operands(&mut self, _: FuncId, _: ObligationId, _: Value, _: Value) {}

    fn access(&mut self, _: FuncId, _: ObligationId, _: i64, _: i64) {}
}

fn branches(program: &Program, witness: &Witness) -> Result<BTreeMap<(FuncId, BlockId), Taken>, String> {
    let mut host = Closed::new(witness).map_err(|e| e.to_string())?;
    let (args, environment) = (host.arguments.clone(), host.environment.clone());
    let options = Options { args, environment, ..Options::default() };
    let work = move || {
        let (wanted, mut recorder) = (Wanted::default(), Recorder::default());
        Session::new(program, Some(&wanted)).run(&options, &mut host, &mut recorder);
        recorder.taken
    };
    with_large_stack(work).map_err(|e| format!("no thread to run in: {e}"))
}

/// The branches that are told, in the order in which they were taken.
fn told(program: &Program, finding: &Finding, taken: &BTreeMap<(FuncId, BlockId), Taken>) -> Vec<Step> {
    let mut lines: Vec<(u64, Step)> = Vec::new();
    for (function, block) in places(program, finding) {
        let Some(body) = &program.functions[function].body else { continue };
        for branch in deciding_branches(body, block) {
            if let Some(taken) = taken.get(&(function, branch)) {
                lines.push((taken.number, line(program, body, branch, taken)));
            }
        }
    }
    lines.sort_by_key(|(number, _)| *number);
    lines.dedup();
    lines.into_iter().map(|(_, line)| line).collect()
}

/// Where the functions that were running at the fault stood.
fn places(program: &Program, finding: &Finding) -> BTreeSet<(FuncId, BlockId)> {
    let mut places = BTreeSet::new();
    let own = finding.obligation.map(|(function, _)| function).or(finding.call.map(|call| call.function));
    if let Some(function) = own {
        let is_meant = |kind: &StatementKind| match (kind, finding.obligation) {
            (StatementKind::Check { first, count }, Some((_, meant))) => {
                (first.0..first.0 + count).contains(&meant.0)
            }
            _ => false,
        };
        places.extend(blocks(program, function, |kind, span| is_meant(kind) || span == finding.span));
    }
    for entry in &finding.stack {
        let named = program.functions.iter_enumerated().filter(|(_, f)| f.source_name == entry.function);
        for (function, _) in named {
            places.extend(blocks(program, function, |kind, span| {
                matches!(kind, StatementKind::Call(_)) && span == entry.span
            }));
        }
    }
    places
}

fn blocks(
    program: &Program,
    function: FuncId,
    is_meant: impl Fn(&StatementKind, Span) -> bool,
) -> Vec<(FuncId, BlockId)> {
    let body = program.functions[function].body.iter();
    let blocks = body.flat_map(|body| body.blocks.iter_enumerated());
    let blocks = blocks.filter(|(_, block)| block.statements.iter().any(|s| is_meant(&s.kind, s.span)));
    blocks.map(|(id, _)| (function, id)).collect()
}

fn line(program: &Program, body: &Body, block: BlockId, taken: &Taken) -> Step {
    let code = &body.blocks[block];
    let (span, condition) = match code.terminator {
        Terminator::Branch { condition, .. } => (body.exprs[condition].span, Some(condition)),
        Terminator::Switch { value, .. } => (body.exprs[value].span, None),
        _ => (code.span, None),
    };
    let span = if span.is_none() { code.span } else { span };
    let values = match condition.map(|condition| &body.exprs[condition].kind) {
        Some(ExprKind::Compare(..)) => {
            format!("{} against {}", shown(taken.left), shown(taken.right))
        }
        _ => shown(taken.left),
    };
    let often = if taken.times > 1 { format!(", the last of {} times", taken.times) } else { String::new() };
    Step {
        place: program.sources.place(span),
        text: excerpt(program.sources.text(span)),
        values: format!("{values}{often}"),
    }
}

fn shown(value: Value) -> String {
    match value {
        Value::Unit => "nothing".to_owned(),
        Value::Int(value) => value.to_string(),
        Value::Float(value) => format!("{:?}", value.to_f64()),
        Value::Ptr(pointer) if pointer.is_null() => "null".to_owned(),
        // Addresses are the interpreter's own and would say nothing to a reader.
        Value::Ptr(_) => "a pointer".to_owned(),
    }
}
