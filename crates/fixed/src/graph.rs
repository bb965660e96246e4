// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where the paths of a test meet again: immediate postdominators of a function's blocks.
//!
//! The dominance algorithm of Cooper, Harvey and Kennedy on the reversed graph, with one exit that all ends lead to.

use clew_ir::syntax::{BlockId, Body, Terminator};

/// The blocks that may follow.
pub fn successors(terminator: &Terminator) -> Vec<BlockId> {
    match terminator {
        Terminator::Goto(to) => vec![*to],
        Terminator::Branch { then, otherwise, .. } => vec![*then, *otherwise],
        Terminator::Switch { cases, default, .. } => {
            cases.iter().map(|(_, _, to)| *to).chain([*default]).collect()
        }
        Terminator::Return(_) | Terminator::Unreachable => Vec::new(),
        Terminator::ComputedGoto { targets, .. } => targets.clone(),
    }
}

/// For each block, the block where all its paths meet again; none: the function's end.
pub fn meeting_points(body: &Body) -> Vec<Option<BlockId>> {
    let count = body.blocks.len();
    let exit = count;
    let next: Vec<Vec<usize>> = body
        .blocks
        .iter()
        .map(|block| {
            let list: Vec<usize> = successors(&block.terminator).iter().map(|b| b.0 as usize).collect();
            if list.is_empty() { vec![exit] } else { list }
        })
        .collect();
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); count + 1];
    for (from, list) in next.iter().enumerate() {
        list.iter().for_each(|to| before[*to].push(from));
    }
    let order = postorder(exit, &before);
    let mut number = vec![usize::MAX; count + 1];
    order.iter().enumerate().for_each(|(i, node)| number[*node] = i);
    let mut idom: Vec<Option<usize>> = vec![None; count + 1];
    idom[exit] = Some(exit);
    let mut changed = true;
    while changed {
        changed = false;
        for &node in order.iter().rev().filter(|node| **node != exit) {
            let mut new = None;
            for &to in next[node].iter().filter(|to| idom[**to].is_some()) {
                new = Some(new.map_or(to, |old| common(old, to, &idom, &number)));
            }
            if new.is_some() && idom[node] != new {
                idom[node] = new;
                changed = true;
            }
        }
    }
    (0..count).map(|b| idom[b].filter(|to| *to != exit).map(|to| BlockId(to as u32))).collect()
}

fn postorder(root: usize, edges: &[Vec<usize>]) -> Vec<usize> {
    let mut seen = vec![false; edges.len()];
    let mut order = Vec::new();
    let mut stack = vec![(root, 0)];
    seen[root] = true;
    while let Some((node, next)) = stack.last_mut() {
        match edges[*node].get(*next) {
            Some(&to) => {
                *next += 1;
                if !std::mem::replace(&mut seen[to], true) {
                    stack.push((to, 0));
                }
            }
            None => {
                order.push(*node);
                stack.pop();
            }
        }
    }
    order
}

fn common(mut a: usize, mut b: usize, idom: &[Option<usize>], number: &[usize]) -> usize {
    while a != b {
        let lower = if number[a] < number[b] { &mut a } else { &mut b };
        match idom[*lower] {
            Some(up) => *lower = up,
            None => return a.max(b),
        }
    }
    a
}
