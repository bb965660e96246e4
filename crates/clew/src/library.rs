// SPDX-License-Identifier: MIT OR Apache-2.0
//! What library functions ask of their callers, as rows at each call.

use std::collections::HashMap;
use std::sync::Arc;

use clew_base::source::Span;
use clew_frontend::library::{Linked, Requirement};
use clew_ir::hash::StableHasher;
use clew_ir::obligation::StableId;
use clew_ir::syntax::{BlockId, Callee, FuncId, Function, StatementKind};
use clew_ir::verdict::{Reason, Verdict};
use clew_report::Row;

use crate::rows::excerpt;

/// One requirement of one call of a library function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallRow {
    /// The function of the program that calls.
    pub function: FuncId,
    /// The block of the call.
    pub block: BlockId,
    /// The number of the call among the statements of the block.
    pub statement: u32,
    /// The library function.
    pub callee: FuncId,
    /// Its name in the source.
    pub name: Arc<str>,
    /// What it asks.
    pub requirement: Requirement,
    /// The name of the row, which survives edits elsewhere.
    pub id: StableId,
    /// The text of the call.
    pub span: Span,
}

/// The requirements at each call by name of a library function, in the order of the program.
pub fn call_rows(linked: &Linked) -> Vec<CallRow> {
    let program = &linked.program;
    let mut ordinals: HashMap<u128, u32> = HashMap::new();
    let mut rows = Vec::new();
    let own = program.functions.iter_enumerated().filter(|(id, _)| !linked.models.contains(id));
    for (function, caller) in own {
        for (block, code) in caller.body.iter().flat_map(|body| body.blocks.iter_enumerated()) {
            for (number, statement) in code.statements.iter().enumerate() {
                let StatementKind::Call(call) = &statement.kind else { continue };
                let Callee::Direct(callee) = call.callee else { continue };
                let called = &program.functions[callee];
                for requirement in linked.asked.get(&callee).into_iter().flat_map(|asked| asked.keys()) {
                    rows.push(CallRow {
                        function,
                        block,
                        statement: number as u32,
                        callee,
                        name: called.source_name.clone(),
                        requirement: requirement.clone(),
                        id: stable_id(caller, called, requirement, &mut ordinals),
                        span: statement.span,
                    });
                }
            }
        }
    }
    rows
}

fn stable_id(
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

/// The row of a requirement, not decided yet.
pub fn row_of_call(linked: &Linked, call: &CallRow) -> Row {
    let program = &linked.program;
    let argument = match call.requirement.argument {
        Some(number) => format!("argument {} of {}: ", number + 1, call.name),
        None => String::new(),
    };
    Row {
        id: call.id.clone(),
        check: call.requirement.check,
        function: program.functions[call.function].source_name.clone(),
        place: program.sources.place(call.span),
        text: format!("{argument}{}", excerpt(program.sources.text(call.span))),
        verdict: Verdict::Open(Reason::NotAnalysed),
        assumptions: Vec::new(),
    }
}
