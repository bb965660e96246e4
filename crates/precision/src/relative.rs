// SPDX-License-Identifier: MIT OR Apache-2.0
//! Relative errors from operand to result.
//!
//! Dividing an absolute bound by the least result is hopeless where results span magnitudes. Here every node carries a
//! bound of `|machine / real - 1|`: products add theirs, sums of one sign take the greater, and only a cancelling sum
//! amplifies. Each node takes the better of this and its absolute bound over its least magnitude.

use clew_base::float::{Float, Format, Rounding};

use crate::dag::{Dag, NodeId, Op, Sort};
use crate::exact;
use crate::functions::Unary;
use crate::interval::{Interval, add_up, div_up, mul_down, mul_up, sub_down};
use crate::ranges::Ranges;
use crate::rounding::{power_of_two, unit_roundoff};

/// Relative errors of all nodes over one box.
#[derive(Clone, Default, Debug)]
pub struct Relative {
    bounds: Vec<f64>,
    reals: Vec<Interval>,
}

impl Relative {
    /// The relative error of a node; infinite where none can be given.
    pub fn of(&mut self, dag: &Dag, inputs: &[Interval], ranges: &Ranges, root: NodeId) -> f64 {
        self.bounds.clear();
        exact::reals(dag, inputs, root, &mut self.reals);
        for index in 0..=root.0 {
            let id = NodeId(index);
            let total = ranges.get(id).total;
            let bound = if total == 0.0 {
                0.0
            } else {
                let mig = self.reals[index as usize].mig();
                let divided = if mig > 0.0 { div_up(total, mig) } else { f64::INFINITY };
                self.node(dag, ranges, id).min(divided)
            };
            self.bounds.push(if bound.is_nan() { f64::INFINITY } else { bound });
        }
        self.bounds[root.0 as usize]
    }

    /// The real values of the node that was asked about last.
    pub fn real(&self) -> Interval {
        self.reals.last().copied().unwrap_or(Interval::WHOLE)
    }

    fn node(&self, dag: &Dag, ranges: &Ranges, id: NodeId) -> f64 {
        let at = |id: NodeId| self.bounds[id.0 as usize];
        // Weights are those of the real operands.
        let value = |id: NodeId| self.reals[id.0 as usize];
        let node = &dag.nodes[id];
        let Sort::Float(format) = node.sort else { return f64::INFINITY };
        let exact = match node.op {
            Op::Neg(a) | Op::Abs(a) => return at(a),
            Op::Mul(a, b) => together(at(a), at(b)),
            Op::Div(a, b) => quotient(at(a), at(b)),
            Op::Sqrt(a) => root(at(a)),
            Op::Add(a, b) => sum(value(a), value(b), at(a), at(b)),
            Op::Sub(a, b) => sum(value(a), value(b).neg(), at(a), at(b)),
            Op::Convert(a) => at(a),
            Op::Min(a, b) | Op::Max(a, b) if value(a).mig() > 0.0 && is_alike(value(a), value(b)) => {
                at(a).max(at(b))
            }
            Op::Unary(function, a) => {
                return self.function(function, ranges.value(a), (at(a), value(id)), format);
            }
            Op::Input(input) if dag.inputs[input].error == 0.0 => 0.0,
            _ => return f64::INFINITY,
        };
        let adds = matches!(node.op, Op::Add(..) | Op::Sub(..) | Op::Sqrt(_));
        match () {
            () if ranges.get(id).error == 0.0 => exact,
            // Sums do not underflow: what is below the normal numbers is exact.
            () if adds || is_normal(format, value(id), exact) => together(exact, unit_roundoff(format)),
            () => f64::INFINITY,
        }
    }

    /// A function of libm: its condition over all arguments between the real one and the machine's.
    fn function(&self, function: Unary, x: Interval, (by_x, real): (f64, Interval), format: Format) -> f64 {
        let Some(y) = function.range(x).filter(|_| real.mig() > 0.0) else { return f64::INFINITY };
        let condition = x.mul(function.slope(x, y)).mag() / real.mig() * (1.0 + 1e-12);
        let exact = mul_up(condition, by_x);
        let own = mul_up(2.0 * function.ulps(format), unit_roundoff(format));
        if is_normal(format, real, exact) { together(exact, own) } else { f64::INFINITY }
    }
}

/// `(1 + a)(1 + b) - 1`
fn together(a: f64, b: f64) -> f64 {
    add_up(add_up(a, b), mul_up(a, b))
}

/// `(1 + a) / (1 - b) - 1`
fn quotient(a: f64, b: f64) -> f64 {
    let below = sub_down(1.0, b);
    if below > 0.0 { div_up(add_up(a, b), below) } else { f64::INFINITY }
}

/// `1 - sqrt(1 - a)`, which is more than `sqrt(1 + a) - 1`, is at most `a / 2 / (1 - a)`.
fn root(a: f64) -> f64 {
    let below = sub_down(1.0, a);
    if below > 0.0 { div_up(a / 2.0, below) } else { f64::INFINITY }
}

fn is_alike(x: Interval, y: Interval) -> bool {
    (x.lo >= 0.0 && y.lo >= 0.0) || (x.hi <= 0.0 && y.hi <= 0.0)
}

fn sum(x: Interval, y: Interval, by_x: f64, by_y: f64) -> f64 {
    if is_alike(x, y) {
        return by_x.max(by_y);
    }
    // The weights of the operands in the sum.
    let weight = |part: Interval, other: Interval| {
        let direct = div_up(part.mag(), part.add(other).mig());
        let ratio = Interval::ONE.add(other.div(part));
        let ratio = if part.contains(0.0) { f64::INFINITY } else { div_up(1.0, ratio.mig()) };
        if direct.is_nan() { ratio } else { direct.min(ratio) }
    };
    let scaled = |weight: f64, error: f64| if error == 0.0 { 0.0 } else { mul_up(weight, error) };
    add_up(scaled(weight(x, y), by_x), scaled(weight(y, x), by_y))
}

/// Whether the machine's result is a normal number, or the exact one is zero as well.
fn is_normal(format: Format, real: Interval, error: f64) -> bool {
    let least = Float::smallest_normal(format, false).convert(Format::F64, Rounding::Up).0.to_f64();
    mul_down(real.mig(), sub_down(1.0, error)) >= least.max(power_of_two(-1021))
}
