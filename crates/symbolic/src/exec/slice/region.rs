// SPDX-License-Identifier: MIT OR Apache-2.0
//! Segments of a function that every run leaves at one place, if it leaves them by going on.
//!
//! From the *head* of a region on, a run stays in its blocks until it comes to the *join*, unless it ends there or
//! never does. So an execution that goes from the head straight to the join, and forgets what the region may have
//! changed, follows every run that comes out. Nothing is asked of how runs come in: who enters beside the head is
//! executed as ever.

use std::collections::BTreeSet;

use clew_base::index::Idx;
use clew_ir::analysis::dominators::post_dominators;
use clew_ir::analysis::graph::{control_flow, reached, successors};
use clew_ir::analysis::order::loops;
use clew_ir::syntax::{BlockId, Body, Terminator};

/// A loop or a branch.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    /// Where it begins: with the block itself if that is one of its own, else behind its statements.
    pub head: BlockId,
    /// Where runs go on.
    pub join: BlockId,
    /// The blocks that runs may come to between the two.
    pub blocks: BTreeSet<BlockId>,
}

impl Region {
    /// Whether the head's own statements belong to it: it is a loop.
    pub fn has_head(&self) -> bool {
        self.blocks.contains(&self.head)
    }
}

/// The regions of a function, larger ones of a head first.
pub(crate) fn regions(body: &Body) -> Vec<Region> {
    let next = next_joins(body);
    let loops = loops(body);
    let mut found = Vec::new();
    for head in body.blocks.indices() {
        let branch = next[head.index()].filter(|_| successors(&body.blocks[head].terminator).len() > 1);
        let around = loops.get(&head).and_then(|inside| {
            let mut chain = std::iter::successors(next[head.index()], |block| next[block.index()]);
            chain.find(|block| !inside.contains(block))
        });
        let joins = around.into_iter().chain(branch.filter(|join| Some(*join) != around));
        found.extend(joins.map(|join| Region { head, join, blocks: between(body, head, join) }));
    }
    found
}

/// The branches of a function, each with the blocks of which it decides whether a run comes to them.
pub(crate) fn decided(body: &Body) -> Vec<(BlockId, BTreeSet<BlockId>)> {
    let next = next_joins(body);
    let heads = body.blocks.indices();
    let branches = heads.filter(|head| successors(&body.blocks[*head].terminator).len() > 1);
    let decided = branches.map(|head| {
        let blocks = match next[head.index()] {
            Some(join) => between(body, head, join),
            None => {
                let next = successors(&body.blocks[head].terminator);
                next.into_iter().flat_map(|to| reached(body, to)).collect()
            }
        };
        (head, blocks)
    });
    decided.collect()
}

/// The blocks that runs may come to behind a head and before a join.
fn between(body: &Body, head: BlockId, join: BlockId) -> BTreeSet<BlockId> {
    let mut found = BTreeSet::new();
    let mut waiting = successors(&body.blocks[head].terminator);
    while let Some(block) = waiting.pop() {
        if block != join && found.insert(block) {
            waiting.extend(successors(&body.blocks[block].terminator));
        }
    }
    found
}

/// For each block the first that every run from there comes to, if it returns. None: no run from there returns, or nothing
/// is shared but that.
fn next_joins(body: &Body) -> Vec<Option<BlockId>> {
    let returns =
        body.blocks.iter_enumerated().filter(|(_, block)| matches!(block.terminator, Terminator::Return(_)));
    let returns: Vec<usize> = returns.map(|(id, _)| id.index()).collect();
    let next = post_dominators(&control_flow(body), &returns);
    next.into_iter().map(|to| to.filter(|to| *to != body.blocks.len()).map(BlockId::new)).collect()
}
