// SPDX-License-Identifier: MIT OR Apache-2.0
//! The control-flow graph of a function, and where runs may come to in it.

use std::collections::BTreeSet;

use clew_base::index::Idx as _;

use crate::syntax::{BlockId, Body, Terminator};

/// The blocks that may run next, each once and in order.
pub fn successors(terminator: &Terminator) -> Vec<BlockId> {
    let mut found = Vec::new();
    terminator.successors(|next| found.push(next));
    found.sort_unstable();
    found.dedup();
    found
}

/// The same for every block, by number: the form in which graphs are given here.
pub fn control_flow(body: &Body) -> Vec<Vec<usize>> {
    let next = |terminator| successors(terminator).into_iter().map(|block| block.index()).collect();
    body.blocks.iter().map(|block| next(&block.terminator)).collect()
}

/// The blocks that runs may come to from a block, itself included.
pub fn reached(body: &Body, from: BlockId) -> BTreeSet<BlockId> {
    let mut found = BTreeSet::from([from]);
    reach(body, vec![from], &mut found);
    found
}

/// The blocks that runs may come to behind a block: itself only if a loop leads back.
pub fn reached_behind(body: &Body, block: BlockId) -> BTreeSet<BlockId> {
    let mut found = BTreeSet::new();
    reach(body, vec![block], &mut found);
    found
}

fn reach(body: &Body, mut waiting: Vec<BlockId>, found: &mut BTreeSet<BlockId>) {
    while let Some(block) = waiting.pop() {
        body.blocks[block].terminator.successors(|next| {
            if found.insert(next) {
                waiting.push(next);
            }
        });
    }
}

/// The graph with every edge turned round.
pub fn reversed(graph: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut before = vec![Vec::new(); graph.len()];
    for (node, next) in graph.iter().enumerate() {
        next.iter().for_each(|to| before[*to].push(node));
    }
    before
}

/// The nodes that some nodes lead to, themselves included, each behind all that a depth-first search comes to from it.
pub fn post_order(graph: &[Vec<usize>], starts: impl IntoIterator<Item = usize>) -> Vec<usize> {
    let mut is_seen = vec![false; graph.len()];
    let mut order = Vec::new();
    for start in starts {
        if std::mem::replace(&mut is_seen[start], true) {
            continue;
        }
        let mut open = vec![(start, 0)];
        while let Some((node, at)) = open.last_mut() {
            match graph[*node].get(*at) {
                Some(next) => {
                    *at += 1;
                    if !std::mem::replace(&mut is_seen[*next], true) {
                        open.push((*next, 0));
                    }
                }
                None => {
                    order.push(*node);
                    open.pop();
                }
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn post_order_puts_what_is_led_to_first() {
        // 0 -> 1 | 2, both -> 3; 4 leads to 0 and is not reached.
        let graph = [vec![1, 2], vec![3], vec![3], vec![], vec![0]];
        assert_eq!(post_order(&graph, [0]), [3, 1, 2, 0]);
        assert_eq!(post_order(&reversed(&graph), [3]), [4, 0, 1, 2, 3]);
    }
}
