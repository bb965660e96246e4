// SPDX-License-Identifier: MIT OR Apache-2.0
//! The interval-real model of paper 000 (F-Soft FP, sections III-C and III-D).
//!
//! Every float is two reals, its least and greatest value, each with a status: NaN, Inf, -Inf or Number. An operation
//! rounds its ends outwards by a relative `delta` and an absolute `epsilon`, whatever the rounding mode: so the model
//! holds for all of them. A number is stable if its relative width stays below a threshold, its status is Number and
//! its sign is certain.
//!
//! The paper unrolls this into SMT; here it is evaluated. At one input the ends are numbers. Over all inputs an end is
//! a factor of the exact value (`Factors`): sums of one sign take the worse factor, products multiply them. A literal
//! is a conversion and rounds, too.

use clew_base::float::Format;

use crate::dag::{Dag, NodeId, Op, Sort};
use crate::exact;
use crate::interval::{Interval, add_up, div_up, mul_down, mul_up, sub_down, sub_up};
use crate::kernel::Kernel;
use crate::rounding::{largest, power_of_two};

/// What an end of a number is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Not a number.
    Nan,
    /// Above all numbers of the type.
    Inf,
    /// Below them.
    MinusInf,
    /// A number.
    Number,
}

/// A float in the model.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Enclosed {
    /// Its ends, where they are numbers.
    pub range: Interval,
    /// The status of the lower end.
    pub low: Status,
    /// The status of the upper end.
    pub high: Status,
}

/// What the model assumes of a type, and which of the paper's simplifications it uses.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Model {
    /// The relative error of an operation; none is the type's own, for any rounding mode.
    pub delta: Option<f64>,
    /// Simplifications by invariants.
    pub simplified: Simplified,
}

/// What invariants spare the model (Tables I and II).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Simplified {
    /// A status that is always Number needs no variable.
    pub status: bool,
    /// A sign that is known needs no case in rounding and multiplying.
    pub updates: bool,
    /// Results that are known to be normal need no epsilon.
    pub normal: bool,
}

impl Default for Model {
    fn default() -> Model {
        Model { delta: None, simplified: Simplified { status: true, updates: true, normal: true } }
    }
}

/// The exact value times these are the ends, for a value of known sign.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Factors {
    least: f64,
    most: f64,
}

impl Model {
    pub(crate) fn delta(&self, format: Format) -> f64 {
        self.delta.unwrap_or_else(|| power_of_two(1 - format.precision() as i32))
    }

    pub(crate) fn epsilon(&self, format: Format) -> f64 {
        power_of_two(format.min_exponent() - format.precision() as i32 + 1)
    }

    /// All nodes over a box of inputs.
    pub fn run(&self, dag: &Dag, inputs: &[Interval]) -> Vec<Enclosed> {
        let mut values: Vec<Enclosed> = Vec::with_capacity(dag.len());
        for node in dag.nodes.iter() {
            let value = self.node(dag, node.op, node.sort, inputs, &values);
            values.push(value);
        }
        values
    }

    fn node(&self, dag: &Dag, op: Op, sort: Sort, inputs: &[Interval], values: &[Enclosed]) -> Enclosed {
        let at = |id: NodeId| values[id.0 as usize];
        let exact = match op {
            Op::Input(input) => return Enclosed::number(inputs[input.0 as usize]),
            Op::Constant(constant) => {
                let exact = dag.constants[constant].real.enclosure();
                return if exact == Interval::ZERO {
                    Enclosed::number(exact)
                } else {
                    self.rounded(exact, sort, 1.0)
                };
            }
            Op::Neg(a) => return at(a).negated(),
            Op::Convert(a) if widens(dag, a, sort) => return at(a),
            _ => exact::over(op, |id| at(id).range),
        };
        // The status rules of III-C: NaN first, then infinities of the operands, then the range of the type.
        let operands: Vec<Enclosed> = op.operands().map(at).collect();
        if operands.iter().any(|x| x.low == Status::Nan || x.high == Status::Nan) {
            return Enclosed::nan();
        }
        let Some(exact) = exact else { return Enclosed::anything() };
        if operands.iter().any(|x| !x.is_number()) {
            return Enclosed::anything();
        }
        let times = ulps(op, sort);
        if sort == Sort::Integer { Enclosed::number(exact) } else { self.rounded(exact, sort, times) }
    }

    /// The rounding functions of III-D, and the status that the range of the type gives.
    fn rounded(&self, exact: Interval, sort: Sort, times: f64) -> Enclosed {
        let Sort::Float(format) = sort else { return Enclosed::number(exact) };
        let delta = mul_up(self.delta(format), times);
        let is_normal = exact.mig() >= power_of_two(format.min_exponent());
        let epsilon = if self.simplified.normal && is_normal { 0.0 } else { self.epsilon(format) };
        let (less, more) = (sub_down(1.0, delta), add_up(1.0, delta));
        let down = mul_down(exact.lo, if exact.lo >= 0.0 { less } else { more });
        let up = mul_up(exact.hi, if exact.hi >= 0.0 { more } else { less });
        let range = Interval::new(sub_down(down, epsilon), add_up(up, epsilon));
        let most = largest(format);
        let status = |end: f64| match () {
            () if end < -most => Status::MinusInf,
            () if end > most => Status::Inf,
            () => Status::Number,
        };
        Enclosed { range, low: status(range.lo), high: status(range.hi) }
    }

    /// The widest relative width that a node has at any input; none if a sign is not certain.
    pub fn relative_width(&self, kernel: &Kernel, root: NodeId) -> Option<f64> {
        let dag = &kernel.dag;
        let mut all: Vec<Option<(Interval, Factors)>> = Vec::with_capacity(root.0 as usize + 1);
        for node in dag.nodes.iter().take(root.0 as usize + 1) {
            let one = self.factors(dag, node.op, node.sort, &all);
            all.push(one);
        }
        let (_, factors) = all.pop()??;
        (factors.least > 0.0).then(|| div_up(sub_up(factors.most, factors.least), factors.least))
    }

    fn factors(
        &self,
        dag: &Dag,
        op: Op,
        sort: Sort,
        all: &[Option<(Interval, Factors)>],
    ) -> Option<(Interval, Factors)> {
        let at = |id: NodeId| all[id.0 as usize];
        let one = Factors { least: 1.0, most: 1.0 };
        let alike = |x: Interval, y: Interval| (x.lo >= 0.0 && y.lo >= 0.0) || (x.hi <= 0.0 && y.hi <= 0.0);
        let worse =
            |a: Factors, b: Factors| Factors { least: a.least.min(b.least), most: a.most.max(b.most) };
        let (exact, factors) = match op {
            Op::Input(input) => return Some((dag.inputs[input].range, one)),
            Op::Constant(constant) => (dag.constants[constant].real.enclosure(), one),
            Op::Neg(a) => return at(a).map(|(x, factors)| (x.neg(), factors)),
            Op::Abs(a) => return at(a).filter(|(x, _)| alike(*x, *x)).map(|(x, factors)| (x.abs(), factors)),
            Op::Convert(a) if widens(dag, a, sort) => return at(a),
            Op::Convert(a) => at(a)?,
            Op::Add(a, b) | Op::Sub(a, b) => {
                let ((x, by_x), (y, by_y)) = (at(a)?, at(b)?);
                let y = if matches!(op, Op::Sub(..)) { y.neg() } else { y };
                if !alike(x, y) {
                    return None;
                }
                // Zero adds nothing, whatever its factor.
                let factors = match () {
                    () if x == Interval::ZERO => by_y,
                    () if y == Interval::ZERO => by_x,
                    () => worse(by_x, by_y),
                };
                (x.add(y), factors)
            }
            Op::Mul(a, b) => {
                let ((x, by_x), (y, by_y)) = (at(a)?, at(b)?);
                let least = mul_down(by_x.least, by_y.least);
                (x.mul(y), Factors { least, most: mul_up(by_x.most, by_y.most) })
            }
            Op::Div(a, b) => {
                let ((x, by_x), (y, by_y)) = (at(a)?, at(b)?);
                if y.contains(0.0) || by_y.least <= 0.0 {
                    return None;
                }
                let least = crate::interval::div_down(by_x.least, by_y.most);
                (x.div(y), Factors { least, most: div_up(by_x.most, by_y.least) })
            }
            _ => return None,
        };
        let Sort::Float(format) = sort else { return Some((exact, factors)) };
        if exact == Interval::ZERO {
            return Some((exact, factors));
        }
        let mig = exact.mig();
        if mig == 0.0 || exact.mag() * factors.most * 2.0 > largest(format) {
            return None;
        }
        let is_normal = mig * factors.least >= 2.0 * power_of_two(format.min_exponent());
        let epsilon =
            if self.simplified.normal && is_normal { 0.0 } else { div_up(self.epsilon(format), mig) };
        let delta = self.delta(format);
        let least = sub_down(mul_down(factors.least, sub_down(1.0, delta)), epsilon);
        let most = add_up(mul_up(factors.most, add_up(1.0, delta)), epsilon);
        Some((exact, Factors { least, most }))
    }

    /// Case distinctions in the paper's encoding of a kernel: what its simplifications spare a solver.
    pub fn cases(&self, kernel: &Kernel) -> u64 {
        let whole: Vec<Interval> = kernel.dag.inputs.iter().map(|input| input.range).collect();
        let values = self.run(&kernel.dag, &whole);
        let mut cases = 0;
        for (id, node) in kernel.dag.nodes.iter_enumerated() {
            let rounds =
                !matches!(node.op, Op::Input(_) | Op::Neg(_) | Op::Abs(_)) && node.sort != Sort::Integer;
            if !rounds {
                continue;
            }
            let value = values[id.0 as usize];
            let sign = value.range.lo >= 0.0 || value.range.hi <= 0.0;
            let knows_sign = self.simplified.updates && value.is_number() && sign;
            let is_product = matches!(node.op, Op::Mul(..) | Op::Div(..));
            // Seven cases of a status at each end, one of a sign, six of a minimum and a maximum of four products.
            cases += if self.simplified.status && value.is_number() { 0 } else { 14 };
            cases += if knows_sign { 0 } else { 2 };
            cases += if is_product && !knows_sign { 6 } else { 0 };
            cases += if self.simplified.normal { 0 } else { 2 };
        }
        cases
    }
}

/// How many times `delta` an operation may be wrong by: functions of libm are not rounded correctly.
pub(crate) fn ulps(op: Op, sort: Sort) -> f64 {
    match (op, sort) {
        (Op::Unary(function, _), Sort::Float(format)) => function.ulps(format).max(1.0),
        (Op::Binary(function, ..), Sort::Float(format)) => function.ulps(format).max(1.0),
        _ => 1.0,
    }
}

/// A conversion to a format with more digits loses nothing.
pub(crate) fn widens(dag: &Dag, from: NodeId, to: Sort) -> bool {
    match (dag.nodes[from].sort, to) {
        (Sort::Float(from), Sort::Float(to)) => from.precision() <= to.precision(),
        _ => false,
    }
}

impl Enclosed {
    fn number(range: Interval) -> Enclosed {
        Enclosed { range, low: Status::Number, high: Status::Number }
    }

    fn nan() -> Enclosed {
        Enclosed { range: Interval::WHOLE, low: Status::Nan, high: Status::Nan }
    }

    /// A division by what may be zero, in a setting without disjunctions.
    fn anything() -> Enclosed {
        Enclosed { range: Interval::WHOLE, low: Status::MinusInf, high: Status::Inf }
    }

    fn negated(self) -> Enclosed {
        let flip = |status| match status {
            Status::Inf => Status::MinusInf,
            Status::MinusInf => Status::Inf,
            same => same,
        };
        Enclosed { range: self.range.neg(), low: flip(self.high), high: flip(self.low) }
    }

    /// Whether both ends are numbers.
    pub fn is_number(self) -> bool {
        self.low == Status::Number && self.high == Status::Number
    }

    /// The width over the least magnitude; none if the sign is not certain or an end is no number.
    pub fn relative_width(self) -> Option<f64> {
        let mig = self.range.mig();
        (self.is_number() && mig > 0.0).then(|| div_up(self.range.width(), mig))
    }
}
