// SPDX-License-Identifier: MIT OR Apache-2.0
//! Operations on ranges of reals, without any rounding of the machine's.

use crate::dag::{Dag, NodeId, Op};
use crate::interval::Interval;

/// The results of an operation on numbers of these ranges; none where it may be infinite or undefined.
pub fn over(op: Op, range: impl Fn(NodeId) -> Interval) -> Option<Interval> {
    match op {
        Op::Neg(a) => Some(range(a).neg()),
        Op::Abs(a) => Some(range(a).abs()),
        Op::Add(a, b) => Some(range(a).add(range(b))),
        Op::Sub(a, b) => Some(range(a).sub(range(b))),
        Op::Mul(a, b) if a == b => Some(range(a).square()),
        Op::Mul(a, b) => Some(range(a).mul(range(b))),
        Op::Div(_, b) if range(b).contains(0.0) => None,
        Op::Div(a, b) => Some(range(a).div(range(b))),
        Op::Sqrt(a) => (range(a).lo >= 0.0).then(|| range(a).sqrt()),
        Op::Fma(a, b, c) => Some(range(a).mul(range(b)).add(range(c))),
        Op::Convert(a) => Some(range(a)),
        Op::Min(a, b) => Some(range(a).min(range(b))),
        Op::Max(a, b) => Some(range(a).max(range(b))),
        Op::Whole(whole, a) => {
            let x = range(a);
            x.is_finite().then(|| Interval::new(whole.of(x.lo), whole.of(x.hi)))
        }
        Op::Unary(function, a) => function.range(range(a)),
        Op::Binary(function, a, b) => function.range(range(a), range(b)),
        Op::Input(_) | Op::Constant(_) => None,
    }
}

/// All nodes up to `root` in the reals, over a box of inputs.
pub fn reals(dag: &Dag, inputs: &[Interval], root: NodeId, values: &mut Vec<Interval>) {
    values.clear();
    for node in dag.nodes.iter().take(root.0 as usize + 1) {
        let value = match node.op {
            Op::Input(input) => inputs[input.0 as usize],
            Op::Constant(constant) => dag.constants[constant].real.enclosure(),
            op => {
                let known = op.operands().all(|operand| values[operand.0 as usize].is_finite());
                let value = if known { over(op, |id| values[id.0 as usize]) } else { None };
                value.unwrap_or(Interval::WHOLE)
            }
        };
        values.push(value);
    }
}
