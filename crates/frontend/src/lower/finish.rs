// SPDX-License-Identifier: MIT OR Apache-2.0
//! The end of a function: jumps get their storage, blocks that nothing reaches and that hold nothing go away, and
//! obligations are numbered anew.

use clew_base::index::{Idx, IndexVec};
use clew_ir::renumber::renumber_obligations;
use clew_ir::syntax::{Block, BlockId, Body, ExprKind, StatementKind, Terminator};

use super::build::{FunctionLowering, OpenBlock};
use super::definite::drop_needless_checks;

impl FunctionLowering<'_, '_> {
    pub(super) fn finish(mut self) -> Body {
        self.finish_jumps();
        let suspicious = std::mem::take(&mut self.suspicious);
        drop_needless_checks(&mut self.blocks, &mut self.body, &suspicious);
        let FunctionLowering { unit, mut body, blocks, landings, labels, function, .. } = self;
        let kept = kept_blocks(&blocks, landings.values().copied());
        let map = renumbering(&kept);
        body.blocks = take_blocks(blocks, &kept, &map);
        for expr in body.exprs.iter_mut() {
            if let ExprKind::Label(block) = &mut expr.kind {
                *block = map[block.index()].unwrap_or(BlockId(0));
            }
        }
        renumber_obligations(&mut body);
        for (label, block) in labels {
            let block = landings.get(&block).copied().unwrap_or(block);
            if let Some(block) = map[block.index()] {
                unit.label_targets.insert(label, (function, block));
            }
        }
        body
    }
}

/// Blocks that are reached from the entry or from dead code worth keeping.
fn kept_blocks(blocks: &IndexVec<BlockId, OpenBlock>, labels: impl Iterator<Item = BlockId>) -> Vec<bool> {
    let mut kept = vec![false; blocks.len()];
    let mut work: Vec<BlockId> = vec![BlockId(0)];
    work.extend(labels);
    // Unreached code with statements stays: its obligations are unreachable, not absent.
    let worth_keeping = |b: &OpenBlock| {
        b.statements
            .iter()
            .any(|s| !matches!(s.kind, StatementKind::StorageDead { .. } | StatementKind::StorageLive { .. }))
    };
    work.extend(blocks.iter_enumerated().filter(|(_, b)| worth_keeping(b)).map(|(id, _)| id));
    while let Some(block) = work.pop() {
        if std::mem::replace(&mut kept[block.index()], true) {
            continue;
        }
        if let Some((terminator, _)) = &blocks[block].terminator {
            terminator.successors(|next| work.push(next));
        }
    }
    kept
}

fn renumbering(kept: &[bool]) -> Vec<Option<BlockId>> {
    let mut next = 0;
    kept.iter()
        .map(|keep| {
            keep.then(|| {
                next += 1;
                BlockId(next - 1)
            })
        })
        .collect()
}

fn take_blocks(
    blocks: IndexVec<BlockId, OpenBlock>,
    kept: &[bool],
    map: &[Option<BlockId>],
) -> IndexVec<BlockId, Block> {
    let renumber = |block: &mut BlockId| *block = map[block.index()].unwrap_or(BlockId(0));
    let mut out = Vec::new();
    for (block, keep) in blocks.into_iter().zip(kept) {
        if !keep {
            continue;
        }
        let mut block: Block = block.into();
        match &mut block.terminator {
            Terminator::Goto(to) => renumber(to),
            Terminator::Branch { then, otherwise, .. } => {
                renumber(then);
                renumber(otherwise);
            }
            Terminator::Switch { cases, default, .. } => {
                cases.iter_mut().for_each(|(_, _, to)| renumber(to));
                renumber(default);
            }
            Terminator::ComputedGoto { targets, .. } => targets.iter_mut().for_each(renumber),
            Terminator::Return(_) | Terminator::Unreachable => {}
        }
        out.push(block);
    }
    out.into()
}
