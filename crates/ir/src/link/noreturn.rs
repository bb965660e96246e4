// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions that some file declares not to return.
//!
//! One that has a body may return all the same: that is an obligation at its ends, and the machine goes on behind the
//! call, so that the front end lets calls go on, too. One without a body does not come back.

use crate::obligation::{CheckKind, Condition, Obligation};
use crate::syntax::*;

/// Those of the library, which the front end knows to end a run.
const STANDARD: [&str; 10] = [
    "abort",
    "exit",
    "_exit",
    "_Exit",
    "quick_exit",
    "longjmp",
    "siglongjmp",
    "_longjmp",
    "__assert_fail",
    "pthread_exit",
];

/// Whether calls of this name never come back.
pub fn never_returns(name: &str) -> bool {
    STANDARD.contains(&name)
}

/// Asks for what files declare of a function that another one defines, and ends calls that do not come back.
pub(super) fn settle(program: &mut Program) {
    let resolved = |function: &Function| function.body.is_none() && function.alias.is_none();
    let gone: Vec<bool> = program.functions.iter().map(|f| f.attributes.noreturn && resolved(f)).collect();
    for function in program.functions.iter_mut() {
        let noreturn = function.attributes.noreturn;
        let Some(body) = &mut function.body else { continue };
        if noreturn && never_returns(&function.name) {
            refuse_return(body);
        } else if noreturn {
            demand_no_return(body);
        }
        for block in body.blocks.iter_mut().filter(|block| ends_with_call(block, &gone)) {
            block.terminator = Terminator::Unreachable;
        }
    }
}

fn ends_with_call(block: &Block, of: &[bool]) -> bool {
    let Some(Statement { kind: StatementKind::Call(call), .. }) = block.statements.last() else {
        return false;
    };
    matches!(call.callee, Callee::Direct(callee) if of[callee.0 as usize])
}

/// Calls do not go on, so that nothing is known behind the end of such a function that the program defines itself.
fn refuse_return(body: &mut Body) {
    for block in body.blocks.iter_mut().filter(|block| matches!(block.terminator, Terminator::Return(_))) {
        let what = "a function of the library that is defined here, must not return, and returns";
        let span = block.span;
        block.statements.push(Statement { kind: StatementKind::Unsupported { what: what.into() }, span });
    }
}

/// Where the function returns has an obligation, unless it has it already.
fn demand_no_return(body: &mut Body) {
    for block in body.blocks.iter_mut().filter(|block| matches!(block.terminator, Terminator::Return(_))) {
        let span = block.span;
        let asked = block.statements.iter().any(|statement| match statement.kind {
            StatementKind::Check { first, count } => (first.0..first.0 + count)
                .any(|id| body.obligations[ObligationId(id)].check == CheckKind::UnreachableReached),
            _ => false,
        });
        if asked {
            continue;
        }
        let check = CheckKind::UnreachableReached;
        let first = body.obligations.push(Obligation { check, condition: Condition::Never, span });
        let kind = StatementKind::Check { first, count: 1 };
        block.statements.push(Statement { kind, span });
    }
}
