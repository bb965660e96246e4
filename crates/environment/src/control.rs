// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which sides of branches lead to a block: control dependence, with the side.

use std::collections::{BTreeMap, BTreeSet};

use clew_base::index::Idx;
use clew_ir::analysis::dominators::{ends_of_all, immediate_dominators, post_dominators};
use clew_ir::analysis::order::loops;
use clew_ir::syntax::{BlockId, Body};

/// What decides whether blocks run.
pub struct Control {
    /// For each block the branches that it depends on, each with the successor that leads there. Those that
    /// only decide whether a loop around the block begins again are left out.
    deciding: Vec<Vec<(BlockId, BlockId)>>,
}

impl Control {
    /// Of a body with this graph.
    pub fn new(body: &Body, graph: &[Vec<usize>]) -> Control {
        let exit = graph.len();
        let after = post_dominators(graph, &ends_of_all(graph));
        let dominators = immediate_dominators(graph, 0);
        let heads: BTreeMap<BlockId, BTreeSet<BlockId>> = loops(body);
        let mut deciding: Vec<BTreeSet<(BlockId, BlockId)>> = vec![BTreeSet::new(); graph.len()];
        for (block, next) in graph.iter().enumerate().filter(|(_, next)| next.len() > 1) {
            for start in next {
                let mut runner = *start;
                while Some(runner) != after[block] && runner != exit {
                    deciding[runner].insert((BlockId::new(block), BlockId::new(*start)));
                    match after[runner] {
                        Some(next) => runner = next,
                        None => break,
                    }
                }
            }
        }
        let dominates = |a: usize, b: usize| {
            let mut at = b;
            loop {
                if at == a {
                    return true;
                }
                match dominators[at] {
                    Some(next) if next != at => at = next,
                    _ => return false,
                }
            }
        };
        // A branch in a loop that decides whether the loop's head, or what runs before the branch, runs again.
        let is_again = |block: usize, branch: BlockId| {
            let branch_at = branch.index();
            block == branch_at
                || (dominates(block, branch_at)
                    && heads
                        .values()
                        .any(|inside| inside.contains(&branch) && inside.contains(&BlockId::new(block))))
        };
        let deciding = deciding
            .into_iter()
            .enumerate()
            .map(|(block, list)| list.into_iter().filter(|(branch, _)| !is_again(block, *branch)).collect());
        Control { deciding: deciding.collect() }
    }

    /// The branches that decide whether a block runs, each with the successor that leads there.
    pub fn deciding(&self, block: BlockId) -> &[(BlockId, BlockId)] {
        &self.deciding[block.index()]
    }
}
