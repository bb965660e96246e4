// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which tests decide whether a block runs: control dependence (Ferrante, Ottenstein, Warren 1987), from the
//! post-dominators of the control-flow graph (found as Cooper, Harvey and Kennedy find dominators).

use clew_base::index::{Idx, IndexVec};
use clew_ir::syntax::{BlockId, Body};

/// For each block, the blocks whose tests decide whether it runs, in order.
pub(super) fn controllers(body: &Body) -> IndexVec<BlockId, Vec<BlockId>> {
    let count = body.blocks.len();
    let successors: Vec<Vec<usize>> = body.blocks.iter().map(successors).collect();
    let after = post_dominators(&successors);
    let mut found: IndexVec<BlockId, Vec<BlockId>> = (0..count).map(|_| Vec::new()).collect();
    for (block, next) in successors.iter().enumerate().filter(|(_, next)| next.len() > 1) {
        for start in next {
            let mut runner = *start;
            while runner != after[block] && runner != count {
                let list = &mut found[BlockId::new(runner)];
                if list.last() != Some(&BlockId::new(block)) {
                    list.push(BlockId::new(block));
                }
                runner = after[runner];
            }
        }
    }
    found
}

fn successors(block: &clew_ir::syntax::Block) -> Vec<usize> {
    let mut next = Vec::new();
    block.terminator.successors(|to| next.push(to.index()));
    next.sort_unstable();
    next.dedup();
    next
}

/// For each block the next one that every path from it to the end passes. The end has the number after the last block.
fn post_dominators(successors: &[Vec<usize>]) -> Vec<usize> {
    let end = successors.len();
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); end + 1];
    for (block, next) in successors.iter().enumerate() {
        next.iter().for_each(|to| before[*to].push(block));
        if next.is_empty() {
            before[end].push(block);
        }
    }
    let mut order = Vec::new();
    let mut met = vec![false; end + 1];
    visit(end, &before, &mut met, &mut order);
    // A loop without an end: its last block is taken to leave, so that every block has a path to the end.
    let mut leaves = vec![false; end];
    for block in (0..end).rev() {
        if !met[block] {
            leaves[block] = true;
            visit(block, &before, &mut met, &mut order);
        }
    }
    let mut rank = vec![0; end + 1];
    order.retain(|block| *block != end);
    order.push(end);
    order.iter().enumerate().for_each(|(number, block)| rank[*block] = number);
    let mut after: Vec<Option<usize>> = vec![None; end + 1];
    after[end] = Some(end);
    let mut changed = true;
    while changed {
        changed = false;
        for block in order.iter().rev().copied().filter(|block| *block != end) {
            let leaving = (successors[block].is_empty() || leaves[block]).then_some(end);
            let known =
                successors[block].iter().copied().chain(leaving).filter(|next| after[*next].is_some());
            let new = known.reduce(|a, b| meet(a, b, &after, &rank));
            if new.is_some() && new != after[block] {
                after[block] = new;
                changed = true;
            }
        }
    }
    after.into_iter().map(|next| next.unwrap_or(end)).collect()
}

/// The first block that both chains pass.
fn meet(mut a: usize, mut b: usize, after: &[Option<usize>], rank: &[usize]) -> usize {
    let end = after.len() - 1;
    while a != b {
        if rank[a] < rank[b] {
            a = after[a].unwrap_or(end);
        } else {
            b = after[b].unwrap_or(end);
        }
    }
    a
}

/// The blocks from which one is reached, each behind all that are reached from it.
fn visit(start: usize, before: &[Vec<usize>], met: &mut [bool], order: &mut Vec<usize>) {
    let mut open = vec![(start, 0)];
    met[start] = true;
    while let Some((block, at)) = open.last_mut() {
        match before[*block].get(*at) {
            Some(next) => {
                *at += 1;
                if !std::mem::replace(&mut met[*next], true) {
                    open.push((*next, 0));
                }
            }
            None => {
                order.push(*block);
                open.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decided(edges: &[(usize, usize)], count: usize) -> Vec<usize> {
        let mut successors = vec![Vec::new(); count];
        edges.iter().for_each(|(from, to)| successors[*from].push(*to));
        post_dominators(&successors)
    }

    #[test]
    fn ways_meet_again() {
        // 0 -> 1 | 2, both -> 3.
        assert_eq!(decided(&[(0, 1), (0, 2), (1, 3), (2, 3)], 4), [3, 3, 3, 4, 4]);
    }

    #[test]
    fn loops_with_and_without_an_end() {
        // 0 -> 1 -> 2 -> 1, 1 -> 3.
        assert_eq!(decided(&[(0, 1), (1, 2), (2, 1), (1, 3)], 4), [1, 3, 1, 4, 4]);
        // 0 -> 1 -> 2 -> 1, and nothing else.
        let endless = decided(&[(0, 1), (1, 2), (2, 1)], 3);
        assert_eq!(endless[0], 1);
    }
}
