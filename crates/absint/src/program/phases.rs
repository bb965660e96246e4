// SPDX-License-Identifier: MIT OR Apache-2.0
//! Loops whose iterations may be told apart by a test of a counter.

use clew_ir::syntax::{BlockId, Body, ExprId, ExprKind, LocalId, StatementKind, Terminator};
use rustc_hash::FxHashMap;

use crate::effort::phases::MOST_STATEMENTS;
use crate::program::flow::assigned;

/// The loops whose iterations may be told apart, by head: the test.
pub fn phases(body: &Body, loops: &FxHashMap<BlockId, Vec<BlockId>>) -> FxHashMap<BlockId, ExprId> {
    let mut found = FxHashMap::default();
    for (head, blocks) in loops {
        let inner = blocks.iter().any(|block| block != head && loops.contains_key(block));
        let statements = || blocks.iter().flat_map(|block| &body.blocks[*block].statements);
        if inner || statements().count() > MOST_STATEMENTS {
            continue;
        }
        let calls = statements().any(|s| matches!(s.kind, StatementKind::Call(_)));
        let changes = |local: LocalId| statements().any(|s| assigned(s) == Some(local));
        let tests = blocks.iter().filter_map(|block| match body.blocks[*block].terminator {
            Terminator::Branch { condition, then, otherwise } => {
                (blocks.contains(&then) && blocks.contains(&otherwise)).then_some(condition)
            }
            _ => None,
        });
        let test = tests.into_iter().find(|test| !calls && is_of_one(body, *test, changes));
        found.extend(test.map(|test| (*head, test)));
    }
    found
}

/// Whether a named register that changes is compared with a constant.
fn is_of_one(body: &Body, test: ExprId, changes: impl Fn(LocalId) -> bool) -> bool {
    let ExprKind::Compare(_, left, right) = body.exprs[test].kind else { return false };
    let is_constant = |node: ExprId| matches!(body.exprs[node].kind, ExprKind::Int(_));
    let is_changed = |node: ExprId| match body.exprs[node].kind {
        ExprKind::Local(local) => body.locals[local].name.is_some() && changes(local),
        _ => false,
    };
    is_constant(left) && is_changed(right) || is_changed(left) && is_constant(right)
}
