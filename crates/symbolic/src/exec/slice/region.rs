// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parts of a function that every run leaves at one place, if it leaves them by going on.
//!
//! From the *head* of a region on, a run stays in its blocks until it comes to the *join*, unless it ends there or never
//! does. So a walk that goes from the head straight to the join, and forgets what the region may have changed, follows
//! every run that comes out. Nothing is asked of how runs come in: who enters beside the head is walked as ever.

use std::collections::{BTreeMap, BTreeSet};

use clew_base::index::Idx;
use clew_ir::syntax::{BlockId, Body, Terminator};

use super::super::order::{Item, order, successors};

/// A loop or a branch.
#[derive(Clone, Debug)]
pub(super) struct Region {
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

/// The loops of a function: the blocks of each by its head.
pub(super) fn loops(body: &Body) -> BTreeMap<BlockId, BTreeSet<BlockId>> {
    let mut found = BTreeMap::new();
    for item in order(body) {
        add_loops(&item, &mut found);
    }
    found
}

fn add_loops(item: &Item, found: &mut BTreeMap<BlockId, BTreeSet<BlockId>>) -> BTreeSet<BlockId> {
    match item {
        Item::Block(block) => BTreeSet::from([*block]),
        Item::Loop(head, rest) => {
            let mut blocks: BTreeSet<BlockId> = rest.iter().flat_map(|item| add_loops(item, found)).collect();
            blocks.insert(*head);
            found.insert(*head, blocks.clone());
            blocks
        }
    }
}

/// The regions of a function, larger ones of a head first.
pub(super) fn regions(body: &Body) -> Vec<Region> {
    let next = postdominators(body);
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
pub(super) fn decided(body: &Body) -> Vec<(BlockId, BTreeSet<BlockId>)> {
    let next = postdominators(body);
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

/// The blocks that runs may come to from a block, itself included.
pub(super) fn reached(body: &Body, from: BlockId) -> BTreeSet<BlockId> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![from];
    while let Some(block) = waiting.pop() {
        if found.insert(block) {
            waiting.extend(successors(&body.blocks[block].terminator));
        }
    }
    found
}

/// For each block the first that every run from there comes to, if it returns (Cooper, Harvey, Kennedy, "A simple, fast
/// dominance algorithm", 2001, on the reversed graph). None: no run from there returns, or nothing is shared but that.
fn postdominators(body: &Body) -> Vec<Option<BlockId>> {
    let exit = body.blocks.len();
    let onward: Vec<Vec<usize>> = body.blocks.iter().map(|block| onward(&block.terminator, exit)).collect();
    let order = from_exit(&onward, exit);
    let mut rank = vec![usize::MAX; exit + 1];
    order.iter().enumerate().for_each(|(at, block)| rank[*block] = at);
    let mut next: Vec<Option<usize>> = vec![None; exit + 1];
    next[exit] = Some(exit);
    let mut is_stable = false;
    while !is_stable {
        is_stable = true;
        for block in order.iter().copied().filter(|block| *block != exit) {
            let known = onward[block].iter().copied().filter(|to| next[*to].is_some());
            let new = known.reduce(|a, b| meet(&next, &rank, a, b));
            is_stable &= next[block] == new;
            next[block] = new;
        }
    }
    next.truncate(exit);
    next.into_iter().map(|to| to.filter(|to| *to != exit).map(BlockId::new)).collect()
}

fn onward(terminator: &Terminator, exit: usize) -> Vec<usize> {
    match terminator {
        Terminator::Return(_) => vec![exit],
        _ => successors(terminator).iter().map(|block| block.index()).collect(),
    }
}

/// The blocks from which the exit is reached, that one first, each before those that lead to it by a first search.
fn from_exit(onward: &[Vec<usize>], exit: usize) -> Vec<usize> {
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); exit + 1];
    for (block, to) in onward.iter().enumerate() {
        to.iter().for_each(|to| before[*to].push(block));
    }
    let mut seen = vec![false; exit + 1];
    let mut done = Vec::new();
    let mut stack = vec![(exit, 0)];
    seen[exit] = true;
    while let Some((block, at)) = stack.pop() {
        match before[block].get(at) {
            Some(other) => {
                stack.push((block, at + 1));
                if !std::mem::replace(&mut seen[*other], true) {
                    stack.push((*other, 0));
                }
            }
            None => done.push(block),
        }
    }
    done.reverse();
    done
}

/// Where the chains of two blocks meet.
fn meet(next: &[Option<usize>], rank: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        let later = if rank[a] > rank[b] { &mut a } else { &mut b };
        *later = next[*later].unwrap_or(*later);
    }
    a
}
