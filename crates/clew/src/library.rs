// SPDX-License-Identifier: MIT OR Apache-2.0
//! What library functions ask of their callers, as rows at each call.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use clew_base::source::Span;
use clew_frontend::library::{Requirement, requirements};
use clew_ir::hash::StableHasher;
use clew_ir::obligation::StableId;
use clew_ir::syntax::{Callee, Function, Program, StatementKind};
use clew_ir::verdict::{Reason, Verdict};
use clew_report::Row;

use crate::rows::excerpt;

/// The requirements at each call of a library function, all open.
pub fn open_rows(program: &Program) -> Vec<Row> {
    let names: BTreeSet<&str> = calls(program).map(|(_, callee, _)| &*callee.name).collect();
    let asked: BTreeMap<String, Vec<Requirement>> = requirements(&names);
    let mut ordinals: HashMap<u128, u32> = HashMap::new();
    let mut rows = Vec::new();
    for (function, callee, span) in calls(program) {
        for requirement in asked.get(&*callee.name).into_iter().flatten() {
            let id = name(function, callee, requirement, &mut ordinals);
            rows.push(row(program, function, callee, requirement, span, id));
        }
    }
    rows
}

/// Every call by name of a function that no file of the program defines.
fn calls(program: &Program) -> impl Iterator<Item = (&Function, &Function, Span)> {
    let bodies = program.functions.iter().filter_map(|f| f.body.as_ref().map(|body| (f, body)));
    let statements =
        bodies.flat_map(|(f, body)| body.blocks.iter().flat_map(|b| &b.statements).map(move |s| (f, s)));
    statements.filter_map(|(function, statement)| {
        let StatementKind::Call(call) = &statement.kind else { return None };
        let Callee::Direct(callee) = call.callee else { return None };
        let callee = &program.functions[callee];
        callee.body.is_none().then_some((function, callee, statement.span))
    })
}

fn name(
    function: &Function,
    callee: &Function,
    asked: &Requirement,
    ordinals: &mut HashMap<u128, u32>,
) -> StableId {
    let mut hasher = StableHasher::new();
    hasher.text(&function.name);
    hasher.text(asked.check.id());
    hasher.text(&callee.name);
    hasher.number(asked.argument.map_or(u128::MAX, u128::from));
    let ordinal = ordinals.entry(hasher.finish()).or_default();
    hasher.number(u128::from(*ordinal));
    *ordinal += 1;
    let hash = hasher.finish();
    StableId(format!("{:016x}", (hash >> 64) as u64 ^ hash as u64).into())
}

fn row(
    program: &Program,
    function: &Function,
    callee: &Function,
    asked: &Requirement,
    span: Span,
    id: StableId,
) -> Row {
    let argument = match asked.argument {
        Some(number) => format!("argument {} of {}: ", number + 1, callee.source_name),
        None => String::new(),
    };
    Row {
        id,
        check: asked.check,
        function: function.source_name.clone(),
        place: program.sources.place(span),
        text: format!("{argument}{}", excerpt(program.sources.text(span))),
        verdict: Verdict::Open(Reason::NotAnalysed),
        assumptions: Vec::new(),
    }
}
