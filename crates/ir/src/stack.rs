// SPDX-License-Identifier: MIT OR Apache-2.0
//! Objects of variable size that pile up on the stack: one of them fits, and many need not.
//!
//! `alloca` gives its bytes back when the function returns, so in a loop they add up; so do variable-length arrays and
//! `alloca` in a function that calls itself.

use std::collections::BTreeSet;

use clew_base::index::Idx as _;

use crate::analysis::calls::calls;
use crate::analysis::graph::reached_behind;
use crate::reach::reach;
use crate::syntax::{Body, Callee, FuncId, Intrinsic, ObligationId, Program, StatementKind};

/// Whether the object that an obligation is about may be made again while the last one is still there.
pub fn piles_up(program: &Program, function: FuncId, obligation: ObligationId) -> bool {
    let Some(body) = &program.functions[function].body else { return false };
    is_alloca_in_a_loop(body, obligation) || is_recursive(program, function, body)
}

fn is_alloca_in_a_loop(body: &Body, obligation: ObligationId) -> bool {
    let asks = |kind: &StatementKind| match kind {
        StatementKind::Check { first, count } => {
            (first.index()..first.index() + *count as usize).contains(&obligation.index())
        }
        _ => false,
    };
    let is_alloca =
        |kind: &StatementKind| matches!(kind, StatementKind::Intrinsic(call) if call.op == Intrinsic::Alloca);
    body.blocks.iter_enumerated().any(|(id, block)| {
        let mut behind = block.statements.iter().skip_while(|statement| !asks(&statement.kind)).skip(1);
        behind.any(|statement| is_alloca(&statement.kind)) && reached_behind(body, id).contains(&id)
    })
}

/// Whether what a function calls leads back to it. Calls through pointers may lead anywhere that is named.
fn is_recursive(program: &Program, function: FuncId, body: &Body) -> bool {
    let mut direct = BTreeSet::new();
    for callee in calls(body) {
        match callee {
            Callee::Direct(callee) => drop(direct.insert(callee)),
            Callee::Indirect(_) => return true,
        }
    }
    reach(program, direct, []).functions.contains(&function)
}
