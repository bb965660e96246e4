// SPDX-License-Identifier: MIT OR Apache-2.0
//! The order in which the blocks of a function run: every block after those that lead to it, loops apart.
//!
//! This is Bourdoncle's weak topological order ("Efficient chaotic iteration strategies with widenings", 1993): an
//! edge that leads back leads to the head of a loop around it. So a walk in this order, which repeats a loop for
//! each turn, meets the blocks of every run in the order of that run, and joins every state before it goes on.

use clew_base::index::Idx;
use clew_ir::syntax::{BlockId, Body, Terminator};

/// A block, or a loop with its head first.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Item {
    /// A block outside all loops of this level.
    Block(BlockId),
    /// A loop: the head, then the rest.
    Loop(BlockId, Vec<Item>),
}

/// The blocks that one leads to, each once.
pub(super) fn successors(terminator: &Terminator) -> Vec<BlockId> {
    let mut found = match terminator {
        Terminator::Goto(to) => vec![*to],
        Terminator::Branch { then, otherwise, .. } => vec![*then, *otherwise],
        Terminator::Switch { cases, default, .. } => {
            cases.iter().map(|(_, _, to)| *to).chain([*default]).collect()
        }
        Terminator::ComputedGoto { targets, .. } => targets.clone(),
        Terminator::Return(_) | Terminator::Unreachable => Vec::new(),
    };
    found.sort_unstable();
    found.dedup();
    found
}

/// The order of a function's blocks that can be reached.
pub(super) fn order(body: &Body) -> Vec<Item> {
    let successors = body.blocks.iter().map(|block| successors(&block.terminator)).collect();
    let mut search = Search { successors, number: vec![0; body.blocks.len()], next: 0, stack: Vec::new() };
    let mut items = Vec::new();
    if !body.blocks.is_empty() {
        search.visit(BlockId::new(0), &mut items);
    }
    items.reverse();
    items
}

/// Tarjan's search for strongly connected components, which starts again inside each. Items come out last first.
struct Search {
    successors: Vec<Vec<BlockId>>,
    /// 0: not seen. `DONE`: in the order already.
    number: Vec<usize>,
    next: usize,
    stack: Vec<BlockId>,
}

const DONE: usize = usize::MAX;

impl Search {
    fn visit(&mut self, block: BlockId, items: &mut Vec<Item>) -> usize {
        self.stack.push(block);
        self.next += 1;
        let own = self.next;
        self.number[block.index()] = own;
        let mut head = own;
        let mut is_loop = false;
        for to in self.successors[block.index()].clone() {
            let least = match self.number[to.index()] {
                0 => self.visit(to, items),
                number => number,
            };
            if least <= head {
                head = least;
                is_loop = true;
            }
        }
        if head == own {
            self.number[block.index()] = DONE;
            while let Some(other) = self.stack.pop() {
                if other == block {
                    break;
                }
                if is_loop {
                    self.number[other.index()] = 0;
                }
            }
            let item = if is_loop { self.component(block) } else { Item::Block(block) };
            items.push(item);
        }
        head
    }

    fn component(&mut self, head: BlockId) -> Item {
        let mut items = Vec::new();
        for to in self.successors[head.index()].clone() {
            if self.number[to.index()] == 0 {
                self.visit(to, &mut items);
            }
        }
        items.reverse();
        Item::Loop(head, items)
    }
}
