// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a walk leaves: the paths of a function over one shared expression.

use std::collections::BTreeSet;

use clew_base::source::Span;
use clew_ir::syntax::{CompareOp, FuncId, ObligationId};
use rustc_hash::FxHashMap;

use crate::dag::{Dag, InputId, NodeId, Op, Sort};
use crate::interval::Interval;
use crate::ranges::Ranges;
use crate::rounding::power_of_two;

/// A comparison of two values.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Test {
    /// How they are compared.
    pub op: CompareOp,
    /// The left one.
    pub left: NodeId,
    /// The right one.
    pub right: NodeId,
    /// Where.
    pub span: Span,
}

/// A test and its outcome on a path.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Decision {
    /// The test.
    pub test: Test,
    /// Whether it held.
    pub taken: bool,
}

/// Whose run may take a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Runs {
    /// The machine's.
    pub machine: bool,
    /// The one in the reals.
    pub real: bool,
}

/// One way through the function.
#[derive(Clone, Debug)]
pub struct Path {
    /// What was decided on it, in order.
    pub decisions: Vec<Decision>,
    /// Whose run it may be.
    pub runs: Runs,
    /// What it computes, by name.
    pub outputs: Vec<(String, NodeId)>,
}

/// `__clew_stable(x, threshold)`: the relative width of x stays below the threshold.
#[derive(Clone, PartialEq, Debug)]
pub struct Stable {
    /// What.
    pub node: NodeId,
    /// How stable.
    pub threshold: f64,
    /// Where.
    pub span: Span,
    /// The obligation that says so; none for what a flag asks for.
    pub obligation: Option<(FuncId, ObligationId)>,
    /// What was decided on the way there.
    pub decisions: Vec<Decision>,
}

/// A function as the paths through it.
#[derive(Clone, Default, Debug)]
pub struct Kernel {
    /// The expression that the paths share.
    pub dag: Dag,
    /// The paths.
    pub paths: Vec<Path>,
    /// Properties asked for in the code.
    pub stable: Vec<Stable>,
    /// Tests of known numbers that the machine and the reals decide differently.
    pub parted: BTreeSet<Span>,
    /// Ranges that the program itself gives its inputs.
    pub narrowed: FxHashMap<String, Interval>,
    /// Tests behind which ways were joined, and at which the runs may part.
    pub unsettled: BTreeSet<Span>,
    /// Tests that were decided alike for both runs on the way, by ranges or known numbers.
    pub settled: BTreeSet<Span>,
}

impl Kernel {
    /// Whether numbers stand for several ways: those are no inputs that a run could be given.
    pub fn is_joined(&self) -> bool {
        self.dag.inputs.iter().any(|input| input.is_joined)
    }
}

impl Test {
    /// What is known of it over a box: both runs agree on the answer. None if it may go either way.
    pub fn over(&self, ranges: &Ranges) -> Option<bool> {
        let (x, y) = (ranges.value(self.left), ranges.value(self.right));
        if !x.is_finite() || !y.is_finite() {
            return None;
        }
        if self.left == self.right {
            return Some(matches!(self.op, CompareOp::Eq | CompareOp::Le | CompareOp::Ge));
        }
        let below = x.hi < y.lo;
        let above = x.lo > y.hi;
        let equal = x.is_point() && x == y;
        match self.op {
            CompareOp::Lt => {
                if below {
                    Some(true)
                } else if x.lo >= y.hi {
                    Some(false)
                } else {
                    None
                }
            }
            CompareOp::Le => {
                if x.hi <= y.lo {
                    Some(true)
                } else if above {
                    Some(false)
                } else {
                    None
                }
            }
            CompareOp::Gt => {
                if above {
                    Some(true)
                } else if x.hi <= y.lo {
                    Some(false)
                } else {
                    None
                }
            }
            CompareOp::Ge => {
                if x.lo >= y.hi {
                    Some(true)
                } else if below {
                    Some(false)
                } else {
                    None
                }
            }
            CompareOp::Eq => {
                if equal {
                    Some(true)
                } else if below || above {
                    Some(false)
                } else {
                    None
                }
            }
            CompareOp::Ne => {
                if equal {
                    Some(false)
                } else if below || above {
                    Some(true)
                } else {
                    None
                }
            }
        }
    }

    /// Whether neither operand has an error: the runs cannot disagree.
    pub fn is_exact(&self, ranges: &Ranges) -> bool {
        ranges.get(self.left).total == 0.0 && ranges.get(self.right).total == 0.0
    }
}

impl Test {
    /// Whether rounding, being monotone, keeps the answer: `x * y` against `x`, or their difference against zero.
    ///
    /// For floats `x` and `y`, `fl(x * y)` is above, at or below `x` as `x * y` is: with `y < 1` the product is at least
    /// `2^-p` of `x` below it, more than half the distance to the next float, and likewise above. A product that is
    /// subnormal needs a square (`x * x` is far from such `x`), or an `x` well above the subnormal numbers. The
    /// difference of floats is zero only for equal ones.
    pub fn is_monotone(&self, dag: &Dag, ranges: &Ranges) -> bool {
        let is_zero = |node: NodeId| ranges.value(node) == Interval::ZERO && ranges.get(node).total == 0.0;
        let (left, right) = match (dag.nodes[self.left].op, dag.nodes[self.right].op) {
            (Op::Sub(a, b), _) if is_zero(self.right) => (a, b),
            (_, Op::Sub(a, b)) if is_zero(self.left) => (a, b),
            _ => (self.left, self.right),
        };
        keeps_order(dag, ranges, left, right) || keeps_order(dag, ranges, right, left)
    }
}

/// Whether the first node is a product of the second one, which is a float that stands for itself.
fn keeps_order(dag: &Dag, ranges: &Ranges, product: NodeId, factor: NodeId) -> bool {
    let Op::Mul(a, b) = dag.nodes[product].op else { return false };
    let Sort::Float(format) = dag.nodes[product].sort else { return false };
    let other = match () {
        () if a == factor => b,
        () if b == factor => a,
        () => return false,
    };
    let is_float =
        |node: NodeId| ranges.get(node).total == 0.0 && dag.nodes[node].sort == Sort::Float(format);
    let least = power_of_two(format.min_exponent() + 2);
    is_float(factor) && is_float(other) && (other == factor || ranges.value(factor).mig() >= least)
}

impl Decision {
    /// What it demands of an input that it compares with a known number.
    pub fn half(&self, dag: &Dag, ranges: &Ranges, id: InputId) -> Option<Interval> {
        let is_input = |node: NodeId| dag.nodes[node].op == Op::Input(id);
        let is_known = |node: NodeId| matches!(dag.nodes[node].op, Op::Constant(_));
        let test = &self.test;
        let (op, limit) = match () {
            () if is_input(test.left) && is_known(test.right) => (test.op, ranges.value(test.right)),
            () if is_input(test.right) && is_known(test.left) => (mirrored(test.op), ranges.value(test.left)),
            () => return None,
        };
        // Above a whole number is at least the next.
        let next = if dag.inputs[id].sort == Sort::Integer { 1.0 } else { 0.0 };
        match if self.taken { op } else { negated(op) } {
            CompareOp::Lt => Some(Interval::new(f64::NEG_INFINITY, limit.hi - next)),
            CompareOp::Le => Some(Interval::new(f64::NEG_INFINITY, limit.hi)),
            CompareOp::Gt => Some(Interval::new(limit.lo + next, f64::INFINITY)),
            CompareOp::Ge => Some(Interval::new(limit.lo, f64::INFINITY)),
            CompareOp::Eq => Some(limit),
            CompareOp::Ne => None,
        }
    }
}

/// The comparison with its sides exchanged.
pub(crate) fn mirrored(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Lt => CompareOp::Gt,
        CompareOp::Le => CompareOp::Ge,
        CompareOp::Gt => CompareOp::Lt,
        CompareOp::Ge => CompareOp::Le,
        same => same,
    }
}

fn negated(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Lt => CompareOp::Ge,
        CompareOp::Le => CompareOp::Gt,
        CompareOp::Gt => CompareOp::Le,
        CompareOp::Ge => CompareOp::Lt,
        CompareOp::Eq => CompareOp::Ne,
        CompareOp::Ne => CompareOp::Eq,
    }
}

/// The order of two values under a comparison.
pub fn holds(op: CompareOp, order: Option<std::cmp::Ordering>) -> bool {
    use std::cmp::Ordering::{Equal, Greater, Less};
    match op {
        CompareOp::Eq => order == Some(Equal),
        CompareOp::Ne => order != Some(Equal),
        CompareOp::Lt => order == Some(Less),
        CompareOp::Le => matches!(order, Some(Less | Equal)),
        CompareOp::Gt => order == Some(Greater),
        CompareOp::Ge => matches!(order, Some(Greater | Equal)),
    }
}
