// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which registers statements write.

use crate::syntax::{CallResult, HavocTarget, LocalId, Statement, StatementKind};

/// The register that a statement gives a value: assembler apart, there is at most one.
pub fn assigned(statement: &Statement) -> Option<LocalId> {
    match &statement.kind {
        StatementKind::Assign { local, .. } | StatementKind::Load { local, .. } => Some(*local),
        StatementKind::Havoc { target: HavocTarget::Local(local) } => Some(*local),
        StatementKind::Call(call) => result_register(call.result.as_ref()),
        StatementKind::Intrinsic(call) => result_register(call.result.as_ref()),
        _ => None,
    }
}

fn result_register(result: Option<&CallResult>) -> Option<LocalId> {
    match result {
        Some(CallResult::Local(local)) => Some(*local),
        _ => None,
    }
}

/// All registers that a statement writes, those of assembler too.
pub fn written(statement: &Statement) -> impl Iterator<Item = LocalId> + '_ {
    let assembler = match &statement.kind {
        StatementKind::Assembler { registers, .. } => registers.as_slice(),
        _ => &[],
    };
    assigned(statement).into_iter().chain(assembler.iter().copied())
}
