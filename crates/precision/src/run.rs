// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs of a kernel on one input: the machine's, bit by bit, and the one in the reals, to many digits.
//!
//! The machine's run uses `base`'s floats and the host's libm. The real run is a shadow in high precision; nothing here
//! is shared with the code that bounds errors, so either can judge the other.

use astro_float_num::{BigFloat, Consts, RoundingMode};
use clew_base::exact::{BitTest, Rational};
use clew_base::float::{Float, Format, Rounding};
use clew_hostmath::libm::{Arguments, Function};
use clew_ir::syntax::CompareOp;

use crate::dag::{Dag, Node, NodeId, Op, Sort, Whole};
use crate::functions::{Binary, Unary};
use crate::kernel::{Decision, Kernel, Path, Runs, holds};

const NEAREST: Rounding = Rounding::NearestEven;
const EVEN: RoundingMode = RoundingMode::ToEven;

/// One input: what the machine gets, and the real number behind it.
#[derive(Clone, Debug)]
pub struct Given {
    /// The machine's number; an integer as binary128.
    pub machine: Float,
    /// The real one.
    pub real: BigFloat,
}

impl Given {
    /// A float that stands for itself.
    pub fn exact(machine: Float, precision: usize) -> Given {
        Given { machine, real: big(machine, precision) }
    }
}

/// A float as a number of many digits.
pub fn big(value: Float, precision: usize) -> BigFloat {
    match value.format() {
        Format::F16 | Format::F32 | Format::F64 => big_double(value.to_f64(), precision),
        _ => value.exact().map_or_else(|| BigFloat::nan(None), |exact| big_ratio(&exact, precision)),
    }
}

/// A double as a number of many digits.
pub fn big_double(value: f64, precision: usize) -> BigFloat {
    if value == 0.0 || value.is_normal() || !value.is_finite() {
        return BigFloat::from_f64(value, precision);
    }
    // astro-float takes a subnormal number for half of what it is.
    let up = 2f64.powi(200);
    BigFloat::from_f64(value * up, precision).div(&BigFloat::from_f64(up, precision), precision, EVEN)
}

/// A fraction as a number of many digits.
pub fn big_ratio(value: &Rational, precision: usize) -> BigFloat {
    let whole = |text: String, bits: usize| {
        let mut consts = Consts::new().unwrap_or_else(|_| unreachable!("constants need little memory"));
        BigFloat::parse(&text, astro_float_num::Radix::Dec, bits.max(precision) + 64, EVEN, &mut consts)
    };
    let numerator = whole(value.numerator().to_string(), value.numerator().bit_len());
    let denominator = whole(value.denominator().to_string(), value.denominator().bit_len());
    numerator.div(&denominator, precision, EVEN)
}

/// Whether the compiler fuses multiplications into the sums they are for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Contraction {
    /// Every operation rounds.
    None,
    /// `a * b + c` rounds once.
    Fused,
}

/// All nodes of a kernel on the machine, rounding to nearest.
pub fn machine(dag: &Dag, inputs: &[Given], until: NodeId) -> Vec<Float> {
    machine_in(dag, inputs, until, NEAREST, Contraction::None)
}

/// All nodes of a kernel on the machine.
pub fn machine_in(
    dag: &Dag,
    inputs: &[Given],
    until: NodeId,
    rounding: Rounding,
    contraction: Contraction,
) -> Vec<Float> {
    let mut values: Vec<Float> = Vec::with_capacity(until.0 as usize + 1);
    for node in dag.nodes.iter().take(until.0 as usize + 1) {
        let value = match node.op {
            Op::Input(input) => inputs[input.0 as usize].machine,
            _ => machine_node(dag, node, &values, rounding, contraction),
        };
        values.push(value);
    }
    values
}

/// One operation on the machine, on the values before it.
pub(crate) fn machine_node(
    dag: &Dag,
    node: &Node,
    values: &[Float],
    rounding: Rounding,
    contraction: Contraction,
) -> Float {
    let at = |id: NodeId| values[id.0 as usize];
    let format = match node.sort {
        Sort::Float(format) => format,
        Sort::Integer => Format::F128,
    };
    match node.op {
        Op::Input(_) => Float::nan(format, false, 0),
        // In another mode, reading a literal rounds in that mode, too.
        Op::Constant(constant) if rounding != NEAREST && node.sort != Sort::Integer => {
            Float::from_exact(format, &dag.constants[constant].real.to_ratio(), rounding).0
        }
        Op::Constant(constant) => dag.constants[constant].machine,
        Op::Neg(a) => -at(a),
        Op::Abs(a) => at(a).abs(),
        Op::Add(..) | Op::Sub(..) if contraction == Contraction::Fused => {
            fused(dag, node.op, values, rounding)
        }
        Op::Add(a, b) => at(a).add(at(b), rounding).0,
        Op::Sub(a, b) => at(a).sub(at(b), rounding).0,
        Op::Mul(a, b) => at(a).mul(at(b), rounding).0,
        Op::Div(a, b) => at(a).div(at(b), rounding).0,
        Op::Sqrt(a) => at(a).sqrt(rounding).0,
        Op::Fma(a, b, c) => at(a).fma(at(b), at(c), rounding).0,
        Op::Convert(a) => at(a).convert(format, rounding).0,
        Op::Min(a, b) => lesser(at(a), at(b), CompareOp::Le),
        Op::Max(a, b) => lesser(at(a), at(b), CompareOp::Ge),
        Op::Whole(whole, a) => host(whole_name(whole), &Arguments::unary(at(a))).convert(format, NEAREST).0,
        Op::Unary(function, a) => host(function.name(), &Arguments::unary(at(a))),
        Op::Binary(function, a, b) => host(function.name(), &Arguments::binary(at(a), at(b))),
    }
}

/// A sum whose left operand, or else right one, is a product: gcc fuses the left one.
fn fused(dag: &Dag, op: Op, values: &[Float], rounding: Rounding) -> Float {
    let at = |id: NodeId| values[id.0 as usize];
    let (a, b, subtracts) = match op {
        Op::Add(a, b) => (a, b, false),
        Op::Sub(a, b) => (a, b, true),
        _ => return Float::nan(Format::F64, false, 0),
    };
    let addend = |x: Float| if subtracts { -x } else { x };
    match (dag.nodes[a].op, dag.nodes[b].op) {
        (Op::Mul(x, y), _) => at(x).fma(at(y), addend(at(b)), rounding).0,
        (_, Op::Mul(x, y)) => addend(at(x)).fma(at(y), at(a), rounding).0,
        _ if subtracts => at(a).sub(at(b), rounding).0,
        _ => at(a).add(at(b), rounding).0,
    }
}

pub(crate) fn lesser(a: Float, b: Float, op: CompareOp) -> Float {
    if holds(op, a.compare(b)) { a } else { b }
}

pub(crate) fn whole_name(whole: Whole) -> &'static str {
    match whole {
        Whole::Floor => "floor",
        Whole::Ceil => "ceil",
        Whole::Trunc => "trunc",
        Whole::Round => "round",
        Whole::Even => "rint",
    }
}

pub(crate) fn host(name: &str, arguments: &Arguments) -> Float {
    let nan = Float::nan(arguments.x.format(), false, 0);
    Function::named(name).and_then(|function| function.call(arguments)).map_or(nan, |outcome| outcome.value)
}

/// The run in the reals, to a number of bits.
pub struct Shadow {
    precision: usize,
    consts: Consts,
    constants: Vec<BigFloat>,
}

impl Shadow {
    /// For one kernel.
    pub fn new(dag: &Dag, precision: usize) -> Option<Shadow> {
        let constants = dag.constants.iter().map(|c| big_ratio(&c.real.to_ratio(), precision)).collect();
        Some(Shadow { precision, consts: Consts::new().ok()?, constants })
    }

    /// All nodes of the kernel.
    pub fn run(&mut self, dag: &Dag, inputs: &[Given], until: NodeId) -> Vec<BigFloat> {
        let mut values: Vec<BigFloat> = Vec::with_capacity(until.0 as usize + 1);
        for node in dag.nodes.iter().take(until.0 as usize + 1) {
            let value = self.node(node.op, inputs, &values);
            values.push(value);
        }
        values
    }

    fn node(&mut self, op: Op, inputs: &[Given], values: &[BigFloat]) -> BigFloat {
        let p = self.precision;
        let at = |id: NodeId| &values[id.0 as usize];
        match op {
            Op::Input(input) => inputs[input.0 as usize].real.clone(),
            Op::Constant(constant) => self.constants[constant.0 as usize].clone(),
            Op::Neg(a) => at(a).neg(),
            Op::Abs(a) => at(a).abs(),
            Op::Add(a, b) => at(a).add(at(b), p, EVEN),
            Op::Sub(a, b) => at(a).sub(at(b), p, EVEN),
            Op::Mul(a, b) => at(a).mul(at(b), p, EVEN),
            Op::Div(a, b) => at(a).div(at(b), p, EVEN),
            Op::Sqrt(a) => at(a).sqrt(p, EVEN),
            Op::Fma(a, b, c) => at(a).mul(at(b), 2 * p, EVEN).add(at(c), p, EVEN),
            Op::Convert(a) => at(a).clone(),
            Op::Min(a, b) => {
                if at(a) <= at(b) {
                    at(a).clone()
                } else {
                    at(b).clone()
                }
            }
            Op::Max(a, b) => {
                if at(a) >= at(b) {
                    at(a).clone()
                } else {
                    at(b).clone()
                }
            }
            Op::Whole(whole, a) => whole_of(whole, at(a), p),
            Op::Unary(function, a) => unary(function, at(a), p, &mut self.consts),
            Op::Binary(function, a, b) => binary(function, at(a), at(b), p, &mut self.consts),
        }
    }
}

pub(crate) fn whole_of(whole: Whole, x: &BigFloat, p: usize) -> BigFloat {
    let half = BigFloat::from_f64(0.5, p);
    match whole {
        Whole::Floor => x.floor(),
        Whole::Ceil => x.ceil(),
        Whole::Trunc => x.int(),
        Whole::Round if x.is_negative() => x.sub(&half, p, EVEN).ceil(),
        Whole::Round => x.add(&half, p, EVEN).floor(),
        Whole::Even => {
            let down = x.floor();
            let rest = x.sub(&down, p, EVEN);
            let up = down.add(&BigFloat::from_f64(1.0, p), p, EVEN);
            let is_even = down.mul(&half, p, EVEN).fract().is_zero();
            match rest.cmp(&half) {
                Some(order) if order < 0 => down,
                Some(0) if is_even => down,
                _ => up,
            }
        }
    }
}

/// More bits where the result is a small difference.
const GUARD: usize = 256;

pub(crate) fn unary(function: Unary, x: &BigFloat, p: usize, consts: &mut Consts) -> BigFloat {
    let one = BigFloat::from_f64(1.0, p);
    let more = p + GUARD;
    match function {
        Unary::Sin => x.sin(p, EVEN, consts),
        Unary::Cos => x.cos(p, EVEN, consts),
        Unary::Tan => x.tan(p, EVEN, consts),
        Unary::Asin => x.asin(p, EVEN, consts),
        Unary::Acos => x.acos(p, EVEN, consts),
        Unary::Atan => x.atan(p, EVEN, consts),
        Unary::Sinh => x.sinh(p, EVEN, consts),
        Unary::Cosh => x.cosh(p, EVEN, consts),
        Unary::Tanh => x.tanh(p, EVEN, consts),
        Unary::Asinh => x.asinh(p, EVEN, consts),
        Unary::Acosh => x.acosh(p, EVEN, consts),
        Unary::Atanh => x.atanh(p, EVEN, consts),
        Unary::Exp => x.exp(p, EVEN, consts),
        Unary::Exp2 => BigFloat::from_f64(2.0, p).pow(x, p, EVEN, consts),
        Unary::Expm1 => {
            // exp(x) - 1 has about x of the digits of exp(x) left.
            let tiny = x.exponent().map_or(0, |e| (-i64::from(e)).clamp(0, 4000)) as usize;
            x.exp(more + tiny, EVEN, consts).sub(&one, p, EVEN)
        }
        Unary::Log => x.ln(p, EVEN, consts),
        Unary::Log2 => x.log2(p, EVEN, consts),
        Unary::Log10 => x.log10(p, EVEN, consts),
        Unary::Log1p => {
            let tiny = x.exponent().map_or(0, |e| (-i64::from(e)).clamp(0, 4000)) as usize;
            x.add(&one, more + tiny, EVEN).ln(p, EVEN, consts)
        }
        Unary::Cbrt => x.cbrt(p, EVEN),
    }
}

pub(crate) fn binary(
    function: Binary,
    x: &BigFloat,
    y: &BigFloat,
    p: usize,
    consts: &mut Consts,
) -> BigFloat {
    match function {
        Binary::Pow => power(x, y, p, consts),
        Binary::Hypot => x.mul(x, p + 64, EVEN).add(&y.mul(y, p + 64, EVEN), p + 64, EVEN).sqrt(p, EVEN),
        Binary::Atan2 => {
            // The angle of (y, x) in C's order: first the ordinate.
            let angle = x.div(y, p + 64, EVEN).atan(p, EVEN, consts);
            match (y.is_negative(), y.is_zero()) {
                (_, true) => {
                    let right = consts.pi(p, EVEN).mul(&BigFloat::from_f64(0.5, p), p, EVEN);
                    if x.is_negative() { right.neg() } else { right }
                }
                (false, _) => angle,
                (true, _) => {
                    let pi = consts.pi(p, EVEN);
                    if x.is_negative() { angle.sub(&pi, p, EVEN) } else { angle.add(&pi, p, EVEN) }
                }
            }
        }
    }
}

fn power(x: &BigFloat, y: &BigFloat, p: usize, consts: &mut Consts) -> BigFloat {
    if !x.is_negative() {
        return x.pow(y, p, EVEN, consts);
    }
    let is_whole = y.fract().is_zero();
    let is_odd = !y.mul(&BigFloat::from_f64(0.5, p), p, EVEN).fract().is_zero();
    let magnitude = x.abs().pow(y, p, EVEN, consts);
    match (is_whole, is_odd) {
        (false, _) => BigFloat::nan(None),
        (true, true) => magnitude.neg(),
        (true, false) => magnitude,
    }
}

/// The path that the machine takes.
pub fn machine_path<'k>(kernel: &'k Kernel, values: &[Float]) -> Option<&'k Path> {
    find(kernel, |runs| runs.machine, |a, b| machine_order(values, a, b))
}

/// Whether the machine decides so.
pub(crate) fn takes(decisions: &[Decision], values: &[Float]) -> bool {
    decisions.iter().all(|decision| {
        let test = &decision.test;
        holds(test.op, machine_order(values, test.left, test.right)) == decision.taken
    })
}

fn machine_order(values: &[Float], a: NodeId, b: NodeId) -> Option<std::cmp::Ordering> {
    let (a, b) = (values[a.0 as usize], values[b.0 as usize]);
    // Integers are compared with constants that were widened as they are.
    if a.format() == b.format() {
        a.compare(b)
    } else {
        a.convert(Format::F128, NEAREST).0.compare(b.convert(Format::F128, NEAREST).0)
    }
}

/// The path that the real run takes.
pub fn real_path<'k>(kernel: &'k Kernel, values: &[BigFloat]) -> Option<&'k Path> {
    let order =
        |a: NodeId, b: NodeId| values[a.0 as usize].cmp(&values[b.0 as usize]).map(|order| order.cmp(&0));
    find(kernel, |runs| runs.real, order)
}

fn find(
    kernel: &Kernel,
    is_of: impl Fn(Runs) -> bool,
    order: impl Fn(NodeId, NodeId) -> Option<std::cmp::Ordering>,
) -> Option<&Path> {
    let is_taken = |path: &&Path| {
        path.decisions.iter().all(|decision| {
            let test = &decision.test;
            holds(test.op, order(test.left, test.right)) == decision.taken
        })
    };
    kernel.paths.iter().filter(|path| is_of(path.runs)).find(is_taken)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::to_f64;

    #[test]
    fn subnormal_numbers_are_what_they_are() {
        for x in [4.2e-322, 5e-324, -1e-310, 2.2250738585072014e-308, 1.5, 0.0, f64::MAX] {
            assert_eq!(to_f64(&big_double(x, 192)), x);
            let twice = big_double(x, 192).add(&big_double(x, 192), 192, EVEN);
            let half = twice.div(&BigFloat::from_f64(2.0, 192), 192, EVEN);
            assert_eq!(half.cmp(&big_double(x, 192)), Some(0));
        }
    }
}
