// SPDX-License-Identifier: MIT OR Apache-2.0
//! Loops and blocks whose runs are worth telling apart (paper 004, 7.1.4), found before the analysis.

use clew_ir::syntax::{
    BinaryOp, BlockId, Body, ExprId, ExprKind, GlobalId, LocalId, Place, PlaceBase, Projection, StatementKind,
};
use rustc_hash::FxHashMap;

use crate::effort::partitioning::MOST_STATEMENTS;
use crate::program::flow::assigned;

/// Registers that the tests in each loop read, by its head.
pub fn tested(body: &Body, loops: &FxHashMap<BlockId, Vec<BlockId>>) -> FxHashMap<BlockId, Vec<LocalId>> {
    let compared = |kind: &StatementKind| match kind {
        StatementKind::Assign { value, .. } => {
            matches!(body.exprs[*value].kind, ExprKind::Compare(..)).then_some(*value)
        }
        _ => None,
    };
    let in_loop = |blocks: &Vec<BlockId>| {
        let mut roots: Vec<ExprId> = Vec::new();
        for block in blocks.iter().map(|block| &body.blocks[*block]) {
            block.terminator.exprs(|expr| roots.push(expr));
            roots.extend(block.statements.iter().filter_map(|s| compared(&s.kind)));
        }
        let nodes = roots.into_iter().flat_map(|root| body.expr_nodes(root));
        let local = |node: ExprId| match body.exprs[node].kind {
            ExprKind::Local(local) => Some(local),
            _ => None,
        };
        let mut read: Vec<LocalId> = nodes.filter_map(local).collect();
        read.sort_unstable();
        read.dedup();
        read
    };
    loops.iter().map(|(head, blocks)| (*head, in_loop(blocks))).collect()
}

/// The loops that may be taken apart, by head: the registers that count in them and that arrays are read by.
pub fn searches(
    body: &Body,
    loops: &FxHashMap<BlockId, Vec<BlockId>>,
    loads: &FxHashMap<(BlockId, u32), Vec<LocalId>>,
) -> FxHashMap<BlockId, LocalId> {
    let mut found = FxHashMap::default();
    for (head, blocks) in loops {
        let inner = blocks.iter().any(|block| block != head && loops.contains_key(block));
        let statements = || blocks.iter().flat_map(|block| &body.blocks[*block].statements);
        let calls = |kind: &StatementKind| matches!(kind, StatementKind::Call(_));
        if inner || statements().count() > MOST_STATEMENTS || statements().any(|s| calls(&s.kind)) {
            continue;
        }
        let counts = |kind: &StatementKind| match kind {
            StatementKind::Assign { local, value } => {
                // `i++` keeps the old value.
                let from = counted(body, *value)?;
                let copies = |kind: &StatementKind| match kind {
                    StatementKind::Assign { local: to, value } if *to == from => {
                        matches!(body.exprs[*value].kind, ExprKind::Local(l) if l == *local)
                    }
                    _ => false,
                };
                (from == *local || statements().any(|s| copies(&s.kind))).then_some(*local)
            }
            _ => None,
        };
        let once = |local: &LocalId| statements().filter(|s| assigned(s) == Some(*local)).count() == 1;
        let reads = |local: &LocalId| {
            let inside = loads.iter().filter(|((block, _), _)| blocks.contains(block));
            inside.into_iter().any(|(_, read)| read.contains(local))
        };
        let index = statements().filter_map(|s| counts(&s.kind)).find(|local| once(local) && reads(local));
        found.extend(index.map(|local| (*head, local)));
    }
    found
}

/// The loads of tables by an index that other tables are read by in the same block, each with a node that is the index:
/// for each block and index the first.
pub fn parallel(body: &Body) -> FxHashMap<(BlockId, u32), ExprId> {
    let mut found = FxHashMap::default();
    for (id, block) in body.blocks.iter_enumerated() {
        // By index: where it is first used, on which table, and whether on others.
        let mut open: Vec<(LocalId, GlobalId, u32, ExprId)> = Vec::new();
        for (at, statement) in (0u32..).zip(&block.statements) {
            if let StatementKind::Load { place, .. } = &statement.kind
                && let Some((local, table, node)) = table_read(body, place)
            {
                match open.iter().find(|(l, ..)| *l == local) {
                    Some((_, first, first_at, node)) if *first != table => {
                        found.insert((id, *first_at), *node);
                    }
                    Some(_) => {}
                    None => open.push((local, table, at, node)),
                }
            }
            if let Some(local) = assigned(statement) {
                open.retain(|(l, ..)| *l != local);
            }
        }
    }
    found
}

/// The register by which an element of a global is read, and where the register stands in its expression.
fn table_read(body: &Body, place: &Place) -> Option<(LocalId, GlobalId, ExprId)> {
    let (PlaceBase::Global(table), [Projection::Index { index, .. }, ..]) =
        (&place.base, &place.projections[..])
    else {
        return None;
    };
    let mut node = *index;
    loop {
        node = match body.exprs[node].kind {
            ExprKind::Local(local) => return Some((local, *table, node)),
            ExprKind::Cast(inner) => inner,
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, left, right)
                if matches!(body.exprs[right].kind, ExprKind::Int(_)) =>
            {
                left
            }
            _ => return None,
        };
    }
}

/// The register that a constant is added to.
fn counted(body: &Body, value: ExprId) -> Option<LocalId> {
    match body.exprs[value].kind {
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, left, right) => {
            let by = matches!(body.exprs[right].kind, ExprKind::Int(_));
            match body.exprs[left].kind {
                ExprKind::Local(local) if by => Some(local),
                _ => None,
            }
        }
        _ => None,
    }
}
