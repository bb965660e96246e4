// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which branches decide whether a block runs: control dependence (Ferrante, Ottenstein, Warren, "The program dependence
//! graph and its use in optimization", 1987), from the post-dominators.

use std::collections::BTreeSet;

use clew_base::index::{Idx, IndexVec};

use super::dominators::{ends_of_all, post_dominators};
use super::graph::control_flow;
use crate::syntax::{BlockId, Body, Terminator};

/// For each block, the blocks whose branches decide whether it runs, in order. A loop without a way out is taken to end
/// at its last block, so that every block is decided by something.
pub fn controllers(body: &Body) -> IndexVec<BlockId, Vec<BlockId>> {
    let graph = control_flow(body);
    let exit = graph.len();
    let after = post_dominators(&graph, &ends_of_all(&graph));
    let after = |block: usize| after[block].unwrap_or(exit);
    let mut found: IndexVec<BlockId, Vec<BlockId>> = graph.iter().map(|_| Vec::new()).collect();
    for (block, next) in graph.iter().enumerate().filter(|(_, next)| next.len() > 1) {
        for start in next {
            let mut runner = *start;
            while runner != after(block) && runner != exit {
                let list = &mut found[BlockId::new(runner)];
                if list.last() != Some(&BlockId::new(block)) {
                    list.push(BlockId::new(block));
                }
                runner = after(runner);
            }
        }
    }
    found
}

/// The branches that could have led a run away from a block: each leads there, and one of its sides has a path to an end
/// of the function past it. Other than by [`controllers`], those that decide about these are among them.
pub fn deciding_branches(body: &Body, to: BlockId) -> Vec<BlockId> {
    let leads_there = leading_to(body, vec![to], None);
    let ends = body.blocks.iter_enumerated().filter(|(id, block)| {
        *id != to && matches!(block.terminator, Terminator::Return(_) | Terminator::Unreachable)
    });
    let leads_away = leading_to(body, ends.map(|(id, _)| id).collect(), Some(to));
    let decides = |id: &BlockId| {
        let terminator = &body.blocks[*id].terminator;
        let mut away = false;
        terminator.successors(|next| away |= next != to && leads_away.contains(&next));
        away && *id != to && matches!(terminator, Terminator::Branch { .. } | Terminator::Switch { .. })
    };
    leads_there.into_iter().filter(decides).collect()
}

/// The blocks from which paths lead to some, these included, without passing another.
fn leading_to(body: &Body, starts: Vec<BlockId>, except: Option<BlockId>) -> BTreeSet<BlockId> {
    let predecessors = body.predecessors();
    let mut found: BTreeSet<BlockId> = starts.iter().copied().collect();
    let mut waiting = starts;
    while let Some(block) = waiting.pop() {
        for before in &predecessors[block] {
            if Some(*before) != except && found.insert(*before) {
                waiting.push(*before);
            }
        }
    }
    found
}
