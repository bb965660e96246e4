// SPDX-License-Identifier: MIT OR Apache-2.0
//! What every path passes: dominators, and post-dominators with the ends given (Cooper, Harvey, Kennedy, "A simple,
//! fast dominance algorithm", 2001).

use super::graph::{post_order, reversed};

/// For each node the last one before it that every path from the root passes. The root is its own; a node that the root
/// does not lead to has none.
pub fn immediate_dominators(graph: &[Vec<usize>], root: usize) -> Vec<Option<usize>> {
    let before = reversed(graph);
    let mut order = post_order(graph, [root]);
    order.reverse();
    let mut rank = vec![usize::MAX; graph.len()];
    order.iter().enumerate().for_each(|(at, node)| rank[*node] = at);
    let mut dominator: Vec<Option<usize>> = vec![None; graph.len()];
    dominator[root] = Some(root);
    let mut is_stable = false;
    while !is_stable {
        is_stable = true;
        for node in order.iter().copied().skip(1) {
            let known = before[node].iter().copied().filter(|from| dominator[*from].is_some());
            let new = known.reduce(|a, b| meet(&dominator, &rank, a, b));
            is_stable &= dominator[node] == new;
            dominator[node] = new;
        }
    }
    dominator
}

/// Where the chains of two nodes meet.
fn meet(dominator: &[Option<usize>], rank: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        let later = if rank[a] > rank[b] { &mut a } else { &mut b };
        *later = dominator[*later].unwrap_or(*later);
    }
    a
}

/// For each node the next one that every path from it to an end passes. The number of nodes stands for what comes behind
/// all ends; a node that leads to no end has none.
pub fn post_dominators(graph: &[Vec<usize>], ends: &[usize]) -> Vec<Option<usize>> {
    let exit = graph.len();
    let mut backwards = reversed(graph);
    backwards.push(ends.to_vec());
    let mut next = immediate_dominators(&backwards, exit);
    next.truncate(exit);
    next
}

/// Ends of which every node leads to one: the nodes that lead nowhere, and of each loop without a way out its last node.
pub fn ends_of_all(graph: &[Vec<usize>]) -> Vec<usize> {
    let backwards = reversed(graph);
    let mut ends: Vec<usize> = (0..graph.len()).filter(|node| graph[*node].is_empty()).collect();
    let mut is_led = vec![false; graph.len()];
    post_order(&backwards, ends.iter().copied()).into_iter().for_each(|node| is_led[node] = true);
    for node in (0..graph.len()).rev() {
        if !is_led[node] {
            ends.push(node);
            post_order(&backwards, [node]).into_iter().for_each(|node| is_led[node] = true);
        }
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(edges: &[(usize, usize)], count: usize) -> Vec<Vec<usize>> {
        let mut graph = vec![Vec::new(); count];
        edges.iter().for_each(|(from, to)| graph[*from].push(*to));
        graph
    }

    #[test]
    fn paths_meet_again() {
        // 0 -> 1 | 2, both -> 3.
        let graph = graph(&[(0, 1), (0, 2), (1, 3), (2, 3)], 4);
        assert_eq!(immediate_dominators(&graph, 0), [Some(0), Some(0), Some(0), Some(0)]);
        assert_eq!(post_dominators(&graph, &[3]), [Some(3), Some(3), Some(3), Some(4)]);
    }

    #[test]
    fn only_given_ends_count() {
        // 0 -> 1 | 2, which ends the program and does not return.
        let graph = graph(&[(0, 1), (0, 2)], 3);
        assert_eq!(post_dominators(&graph, &[1]), [Some(1), Some(3), None]);
        assert_eq!(post_dominators(&graph, &ends_of_all(&graph)), [Some(3), Some(3), Some(3)]);
    }

    #[test]
    fn loops_with_and_without_an_end() {
        // 0 -> 1 -> 2 -> 1, 1 -> 3.
        let ends = graph(&[(0, 1), (1, 2), (2, 1), (1, 3)], 4);
        assert_eq!(ends_of_all(&ends), [3]);
        assert_eq!(post_dominators(&ends, &[3]), [Some(1), Some(3), Some(1), Some(4)]);
        // 0 -> 1 -> 2 -> 1, and nothing else.
        let endless = graph(&[(0, 1), (1, 2), (2, 1)], 3);
        assert_eq!(ends_of_all(&endless), [2]);
        assert_eq!(post_dominators(&endless, &[2]), [Some(1), Some(2), Some(3)]);
    }
}
