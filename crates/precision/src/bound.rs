// SPDX-License-Identifier: MIT OR Apache-2.0
//! The mean-value bound: the error of a result is the sum of each operation's error times the result's derivative by it.
//!
//! With `F(e)` the program in which operation `i` has error `e_i`, `F(e) - F(0)` is the sum of `e_i` times the partial
//! derivative of `F` at a point between (mean value theorem; for `fabs`, `fmin`, `fmax` in Lebourg's form). Reverse-mode
//! differentiation over the ranges of `ranges`, which hold all runs between, encloses the derivatives. There is no
//! second-order term, and every sum is rounded upwards.

use crate::dag::{Dag, NodeId};
use crate::interval::{Interval, add_up, mul_up};
use crate::ranges::Ranges;

/// Derivatives of one result by all nodes.
#[derive(Clone, Default, Debug)]
pub struct Slopes {
    by: Vec<Interval>,
}

impl Slopes {
    /// Of `root`, over the box that the ranges are of.
    pub fn of(&mut self, dag: &Dag, ranges: &Ranges, root: NodeId) {
        self.by.clear();
        self.by.resize(root.0 as usize + 1, Interval::ZERO);
        self.by[root.0 as usize] = Interval::ONE;
        for index in (0..=root.0).rev() {
            let slope = self.by[index as usize];
            if slope == Interval::ZERO {
                continue;
            }
            let id = NodeId(index);
            let reach = ranges.get(id);
            for (operand, part) in dag.nodes[id].op.operands().zip(reach.slopes) {
                let by = &mut self.by[operand.0 as usize];
                *by = by.add(slope.mul(part));
            }
        }
    }

    /// By the error of a node.
    pub fn get(&self, node: NodeId) -> Interval {
        self.by.get(node.0 as usize).copied().unwrap_or(Interval::ZERO)
    }

    /// The share of each node in the bound, those of known numbers signed and summed.
    pub fn error(&self, ranges: &Ranges) -> f64 {
        let mut sum = 0.0;
        let mut signed = Interval::ZERO;
        for (index, slope) in self.by.iter().enumerate() {
            if *slope == Interval::ZERO {
                continue;
            }
            let reach = ranges.get(NodeId(index as u32));
            sum = add_up(sum, mul_up(slope.mag(), reach.error));
            if reach.signed != Interval::ZERO {
                signed = signed.add(slope.mul(reach.signed));
            }
        }
        add_up(sum, signed.mag())
    }
}

/// How far the machine's `root` may be from the real one over a box.
pub fn error_of(dag: &Dag, ranges: &Ranges, slopes: &mut Slopes, root: NodeId) -> f64 {
    slopes.of(dag, ranges, root);
    // Where a slope explodes, what is summed from operand to result may still be finite.
    slopes.error(ranges).min(ranges.get(root).total)
}
