// SPDX-License-Identifier: MIT OR Apache-2.0
//! Strongly connected components of a graph, by Tarjan's algorithm without recursion.

/// The components, each before those that lead to it. Nodes are the indices of `successors`.
pub(crate) fn components(successors: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let count = successors.len();
    let (mut index, mut low) = (vec![0usize; count], vec![0usize; count]);
    let (mut on_stack, mut stack) = (vec![false; count], Vec::new());
    let mut result = Vec::new();
    let mut counter = 0;
    for root in 0..count {
        if index[root] != 0 {
            continue;
        }
        let mut work = vec![(root, 0usize)];
        while let Some((node, next)) = work.pop() {
            if next == 0 {
                counter += 1;
                (index[node], low[node]) = (counter, counter);
                stack.push(node);
                on_stack[node] = true;
            }
            if let Some(&successor) = successors[node].get(next) {
                work.push((node, next + 1));
                if index[successor] == 0 {
                    work.push((successor, 0));
                } else if on_stack[successor] {
                    low[node] = low[node].min(index[successor]);
                }
                continue;
            }
            if low[node] == index[node] {
                let mut members = Vec::new();
                while let Some(member) = stack.pop() {
                    on_stack[member] = false;
                    members.push(member);
                    if member == node {
                        break;
                    }
                }
                result.push(members);
            }
            if let Some((parent, _)) = work.last() {
                low[*parent] = low[*parent].min(low[node]);
            }
        }
    }
    result
}

/// Whether a component is a cycle.
pub(crate) fn is_cycle(members: &[usize], successors: &[Vec<usize>]) -> bool {
    members.len() > 1 || members.iter().any(|node| successors[*node].contains(node))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_come_before_what_leads_to_them() {
        // 0 -> 1 <-> 2 -> 3, 4 -> 4
        let graph = vec![vec![1], vec![2], vec![1, 3], vec![], vec![4]];
        let mut found = components(&graph);
        found.iter_mut().for_each(|c| c.sort_unstable());
        assert_eq!(found, vec![vec![3], vec![1, 2], vec![0], vec![4]]);
        let cycles: Vec<bool> = found.iter().map(|c| is_cycle(c, &graph)).collect();
        assert_eq!(cycles, [false, true, false, true]);
    }
}
