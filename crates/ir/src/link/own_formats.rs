// SPDX-License-Identifier: MIT OR Apache-2.0
//! A `printf` that another file of the program defines reads its formats as it likes. The front end, which sees one file,
//! took it for the library's.

use crate::obligation::{CheckKind, Condition};
use crate::renumber::renumber_obligations;
use crate::syntax::*;

/// Takes back what was asked of formats before calls of functions that the program defines.
pub(super) fn forget(program: &mut Program) {
    let own: Vec<bool> = program.functions.iter().map(|f| f.body.is_some() || f.alias.is_some()).collect();
    for function in program.functions.iter_mut() {
        let Some(body) = &mut function.body else { continue };
        let mut dropped = false;
        for block in body.blocks.iter_mut() {
            let obligations = &body.obligations;
            let is_format = |statement: &Statement| {
                let StatementKind::Check { first, count: 1 } = statement.kind else { return false };
                let asked = &obligations[first];
                asked.check == CheckKind::BadArgument && asked.condition == Condition::Never
            };
            let calls_own = |statement: &Statement| match &statement.kind {
                StatementKind::Call(call) => {
                    matches!(call.callee, Callee::Direct(callee) if own[callee.0 as usize])
                }
                _ => false,
            };
            let needless: Vec<bool> = { block.statements.windows(2) }
                .map(|pair| is_format(&pair[0]) && calls_own(&pair[1]))
                .collect();
            if needless.contains(&true) {
                dropped = true;
                let mut at = 0;
                block.statements.retain(|_| {
                    at += 1;
                    !needless.get(at - 1).copied().unwrap_or(false)
                });
            }
        }
        if dropped {
            renumber_obligations(body);
        }
    }
}
