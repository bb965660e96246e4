// SPDX-License-Identifier: MIT OR Apache-2.0
//! The order in which the blocks of a function run: every block after those that lead to it, loops apart.
//!
//! This is Bourdoncle's weak topological order ("Efficient chaotic iteration strategies with widenings", 1993): an
//! edge that leads back leads to the head of a loop around it. Who follows it, and repeats a loop for each iteration,
//! meets the blocks of every run in the order of that run, and joins every state before it goes on.

use std::collections::{BTreeMap, BTreeSet};

use clew_base::index::{Idx, IndexVec};

use super::graph::successors;
use crate::syntax::{BlockId, Body};

/// A block, or a loop with its head first.
#[derive(Clone, Debug, PartialEq)]
pub enum Component {
    /// A block outside all loops of this level.
    Block(BlockId),
    /// A loop: the head, then the rest.
    Loop(BlockId, Vec<Component>),
}

/// The order of a function's blocks that can be reached.
pub fn weak_topological_order(body: &Body) -> Vec<Component> {
    order_of(body.blocks.iter().map(|block| successors(&block.terminator)).collect())
}

/// The order of the blocks that the first one leads to. Which of several orders it is depends on that of the successors.
pub fn order_of(successors: IndexVec<BlockId, Vec<BlockId>>) -> Vec<Component> {
    let mut components = Vec::new();
    if !successors.is_empty() {
        let number = successors.iter().map(|_| 0).collect();
        let mut search = Search { successors, number, stack: Vec::new(), count: 0 };
        search.visit(BlockId::new(0), &mut components);
    }
    components.reverse();
    components
}

/// The loops of a function: the blocks of each by its head.
pub fn loops(body: &Body) -> BTreeMap<BlockId, BTreeSet<BlockId>> {
    let mut found = BTreeMap::new();
    add_loops(&weak_topological_order(body), &mut found);
    found
}

fn add_loops(order: &[Component], found: &mut BTreeMap<BlockId, BTreeSet<BlockId>>) -> BTreeSet<BlockId> {
    let mut all = BTreeSet::new();
    for component in order {
        match component {
            Component::Block(block) => drop(all.insert(*block)),
            Component::Loop(head, rest) => {
                let mut blocks = add_loops(rest, found);
                blocks.insert(*head);
                all.extend(&blocks);
                found.insert(*head, blocks);
            }
        }
    }
    all
}

/// Tarjan's search for strongly connected components, which starts again inside each. Only the nesting of loops is
/// followed by calls of our own.
struct Search {
    successors: IndexVec<BlockId, Vec<BlockId>>,
    /// 0: not seen. `DONE`: in the order already.
    number: IndexVec<BlockId, u32>,
    stack: Vec<BlockId>,
    count: u32,
}

const DONE: u32 = u32::MAX;

/// A block whose successors are being followed.
struct Open {
    block: BlockId,
    next: usize,
    /// The least number of a block that it leads to.
    low: u32,
    is_loop: bool,
}

impl Search {
    fn enter(&mut self, block: BlockId) -> Open {
        self.stack.push(block);
        self.count += 1;
        self.number[block] = self.count;
        Open { block, next: 0, low: self.count, is_loop: false }
    }

    /// Components come out last first.
    fn visit(&mut self, root: BlockId, components: &mut Vec<Component>) {
        let mut open = vec![self.enter(root)];
        while let Some(here) = open.last_mut() {
            if let Some(&next) = self.successors[here.block].get(here.next) {
                here.next += 1;
                match self.number[next] {
                    0 => {
                        let entered = self.enter(next);
                        open.push(entered);
                    }
                    low => here.lead_to(low),
                }
                continue;
            }
            let Some(left) = open.pop() else { break };
            if left.low == self.number[left.block] {
                components.push(self.close(&left));
            }
            if let Some(parent) = open.last_mut() {
                parent.lead_to(left.low);
            }
        }
    }

    /// All that a block leads to is known, and nothing of it leads further back.
    fn close(&mut self, left: &Open) -> Component {
        self.number[left.block] = DONE;
        while let Some(other) = self.stack.pop().filter(|other| *other != left.block) {
            // Its place inside the loop is looked for again, now that the head is out of the way.
            self.number[other] = 0;
        }
        if !left.is_loop {
            return Component::Block(left.block);
        }
        let mut rest = Vec::new();
        for next in self.successors[left.block].clone() {
            if self.number[next] == 0 {
                self.visit(next, &mut rest);
            }
        }
        rest.reverse();
        Component::Loop(left.block, rest)
    }
}

impl Open {
    fn lead_to(&mut self, low: u32) {
        if low <= self.low {
            self.low = low;
            self.is_loop = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(graph: &[&[usize]]) -> String {
        let blocks = |list: &&[usize]| list.iter().map(|to| BlockId::new(*to)).collect();
        show(&order_of(graph.iter().map(blocks).collect()))
    }

    fn show(components: &[Component]) -> String {
        let text = components.iter().map(|component| match component {
            Component::Block(block) => block.index().to_string(),
            Component::Loop(head, rest) if rest.is_empty() => format!("({})", head.index()),
            Component::Loop(head, rest) => format!("({} {})", head.index(), show(rest)),
        });
        text.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_example_of_the_paper() {
        // Bourdoncle's figure 1, its blocks 1 to 8 from 0 on.
        let graph: [&[usize]; 8] = [&[1], &[2, 7], &[3], &[4, 6], &[5], &[4, 6], &[2, 7], &[]];
        assert_eq!(order(&graph), "0 1 (2 3 (4 5) 6) 7");
    }

    #[test]
    fn branches_and_blocks_that_lead_to_themselves() {
        assert_eq!(order(&[]), "");
        assert_eq!(order(&[&[1, 2], &[3], &[3], &[]]), "0 2 1 3");
        assert_eq!(order(&[&[1], &[1, 2], &[]]), "0 (1) 2");
        assert_eq!(order(&[&[0]]), "(0)");
    }

    #[test]
    fn a_hundred_thousand_blocks_need_no_stack() {
        let count = 100_000;
        let graph: IndexVec<BlockId, Vec<BlockId>> = (0..count)
            .map(|block| if block + 1 < count { vec![BlockId::new(block + 1)] } else { vec![] })
            .collect();
        assert_eq!(order_of(graph).len(), count);
    }
}
