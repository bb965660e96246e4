// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arithmetic on the walk: known numbers are computed, twice, and the rest becomes expression.

use std::rc::Rc;

use clew_base::exact::Integer;
use clew_base::float::{Float, Format, Rounding};
use clew_base::int::IntType;
use clew_ir::syntax::{BinaryOp, CompareOp};

use super::{Number, State, Step, Stop, Value, Walk, refused};
use crate::constant::{Constant, Real};
use crate::dag::{NodeId, Op, Sort, Whole};
use crate::interval::Interval;
use crate::kernel::{Test, holds};

const NEAREST: Rounding = Rounding::NearestEven;

impl Walk<'_> {
    /// The node of an operation, with its range over all inputs.
    pub(super) fn node(&mut self, op: Op, sort: Sort) -> NodeId {
        let node = self.dag.node(op, sort, self.span);
        self.ranges.extend(&self.dag, &self.inputs);
        node
    }

    /// A value as a node of the expression.
    pub(super) fn as_node(&mut self, value: &Value) -> Step<NodeId> {
        match value {
            Value::Float(number) => Ok(self.number_node(number)),
            Value::Whole(node) => Ok(*node),
            Value::Int(value) => Ok(self.integer_node(*value, *value)),
            Value::Pointer(_) | Value::Function(_) => refused("an address is used as a number"),
        }
    }

    pub(super) fn number_node(&mut self, number: &Number) -> NodeId {
        match number {
            Number::Node(node) => *node,
            Number::Known(constant) => {
                let node = self.dag.constant(constant, self.span);
                self.ranges.extend(&self.dag, &self.inputs);
                node
            }
        }
    }

    /// An integer that the machine and the reals may know differently.
    pub(super) fn integer_node(&mut self, machine: i128, real: i128) -> NodeId {
        let wide = Float::from_int(Format::F128, machine, IntType::signed(128), NEAREST).0;
        let id = self.dag.integer(&Constant { machine: wide, real: Real::integer(real) }, self.span);
        self.ranges.extend(&self.dag, &self.inputs);
        id
    }

    pub(super) fn zero_of(&self, format: Format) -> Step<Constant> {
        Constant::exact(Float::zero(format, false)).ok_or(Stop::Dead)
    }

    /// `a op b` on floats.
    pub(super) fn arithmetic(
        &mut self,
        op: BinaryOp,
        a: &Number,
        b: &Number,
        format: Format,
    ) -> Step<Number> {
        if let (Number::Known(x), Number::Known(y)) = (a, b)
            && !self.options.keeps_operations
            && let Some(folded) = fold(op, x, y)
        {
            return Ok(Number::Known(Rc::new(folded)));
        }
        let (a, b) = (self.number_node(a), self.number_node(b));
        let op = match op {
            BinaryOp::Add => Op::Add(a, b),
            BinaryOp::Sub => Op::Sub(a, b),
            BinaryOp::Mul => Op::Mul(a, b),
            BinaryOp::Div => Op::Div(a, b),
            _ => return refused("an operation that floats do not have"),
        };
        Ok(Number::Node(self.node(op, Sort::Float(format))))
    }

    /// The value with its sign flipped.
    pub(super) fn negated(&mut self, a: &Number) -> Number {
        match a {
            Number::Known(c) => Number::Known(Rc::new(Constant { machine: -c.machine, real: c.real.neg() })),
            Number::Node(node) => {
                let sort = self.dag.nodes[*node].sort;
                Number::Node(self.node(Op::Neg(*node), sort))
            }
        }
    }

    /// The magnitude.
    pub(super) fn magnitude(&mut self, a: &Number) -> Number {
        if let Number::Known(c) = a
            && let Some(real) = c.real.magnitude()
        {
            return Number::Known(Rc::new(Constant { machine: c.machine.abs(), real }));
        }
        let node = self.number_node(a);
        let sort = self.dag.nodes[node].sort;
        Number::Node(self.node(Op::Abs(node), sort))
    }

    /// The float in another format.
    pub(super) fn converted(&mut self, a: &Number, from: Format, to: Format) -> Number {
        if from == to {
            return a.clone();
        }
        match a {
            Number::Known(c) => {
                let machine = c.machine.convert(to, NEAREST).0;
                Number::Known(Rc::new(Constant { machine, real: c.real.clone() }))
            }
            Number::Node(node) => Number::Node(self.node(Op::Convert(*node), Sort::Float(to))),
        }
    }

    /// An integer as a float.
    pub(super) fn float_of(&mut self, value: &Value, ty: IntType, to: Format) -> Step<Number> {
        match value {
            Value::Int(value) if self.options.keeps_operations && *value != 0 => {
                let node = self.integer_node(*value, *value);
                Ok(Number::Node(self.node(Op::Convert(node), Sort::Float(to))))
            }
            Value::Int(value) => {
                let machine = Float::from_int(to, *value, ty, NEAREST).0;
                Ok(Number::Known(Rc::new(Constant { machine, real: Real::integer(*value) })))
            }
            Value::Whole(node) => Ok(Number::Node(self.node(Op::Convert(*node), Sort::Float(to)))),
            _ => refused("an address is used as a number"),
        }
    }

    /// A float as an integer, towards zero.
    pub(super) fn integer_of(&mut self, number: &Number, ty: IntType) -> Step<Value> {
        let outside = || refused("a conversion to an integer may be out of range");
        match number {
            Number::Known(c) => {
                let Ok(machine) = c.machine.to_int(ty) else { return outside() };
                let Some(real) = c.real.trunc() else {
                    return refused("a conversion to an integer of what may be below or above one");
                };
                if real == Integer::from(machine) {
                    return Ok(Value::Int(machine));
                }
                let Ok(real) = i128::try_from(real) else { return outside() };
                Ok(Value::Whole(self.integer_node(machine, real)))
            }
            Number::Node(node) => {
                let range = self.ranges.value(*node);
                let (lo, hi) = (range.lo.trunc(), range.hi.trunc());
                if !range.is_finite() || (lo as i128) < ty.min() || (hi as i128) > ty.max() {
                    return outside();
                }
                let whole = self.node(Op::Whole(Whole::Trunc, *node), Sort::Integer);
                Ok(if lo == hi { Value::Int(lo as i128) } else { Value::Whole(whole) })
            }
        }
    }

    /// `a op b` on integers of which one depends on inputs.
    pub(super) fn whole(&mut self, op: BinaryOp, a: &Value, b: &Value, ty: IntType) -> Step<Value> {
        let (a, b) = (self.as_node(a)?, self.as_node(b)?);
        let op = match op {
            BinaryOp::Add => Op::Add(a, b),
            BinaryOp::Sub => Op::Sub(a, b),
            BinaryOp::Mul => Op::Mul(a, b),
            _ => return refused("an integer operation on inputs other than +, - and *"),
        };
        let node = self.node(op, Sort::Integer);
        self.fitting(node, ty)
    }

    /// A whole number that must not wrap.
    pub(super) fn fitting(&mut self, node: NodeId, ty: IntType) -> Step<Value> {
        let range = self.ranges.value(node);
        // The ends of 64-bit types are not exact as doubles: the upper one rounds up.
        if range.is_finite() && range.lo >= ty.min() as f64 && (range.hi as i128) <= ty.max() {
            return Ok(Value::Whole(node));
        }
        refused("an integer that depends on inputs may overflow")
    }

    /// Compares two numbers, for both runs.
    pub(super) fn decide(&mut self, state: &State, op: CompareOp, a: &Value, b: &Value) -> Step<bool> {
        if let (Value::Int(a), Value::Int(b)) = (a, b) {
            return Ok(holds(op, Some(a.cmp(b))));
        }
        let known = match (a, b) {
            (Value::Float(Number::Known(x)), Value::Float(Number::Known(y))) => {
                let real = x.real.compare(&y.real);
                real.map(|real| (holds(op, x.machine.compare(y.machine)), holds(op, Some(real))))
            }
            _ => None,
        };
        if let Some((machine, real)) = known
            && machine == real
        {
            self.kernel.settled.insert(self.span);
            return Ok(machine);
        }
        let test = Test { op, left: self.as_node(a)?, right: self.as_node(b)?, span: self.span };
        let is_same = |decision: &&crate::kernel::Decision| {
            let known = &decision.test;
            (known.op, known.left, known.right) == (op, test.left, test.right)
        };
        if let Some(decision) = state.decisions.iter().rev().find(is_same) {
            return Ok(decision.taken);
        }
        if let Some((machine, real)) = known {
            return match (state.runs.machine, state.runs.real) {
                (true, false) => Ok(machine),
                (false, true) => Ok(real),
                _ => Err(Stop::Part(test, machine)),
            };
        }
        if let Some(answer) = test.over(&self.ranges) {
            self.kernel.settled.insert(self.span);
            return Ok(answer);
        }
        Err(Stop::Fork(test))
    }

    /// The numbers of a type.
    pub(super) fn all_of(&self, sort: Sort, ty: Option<IntType>) -> Interval {
        match (sort, ty) {
            (Sort::Float(format), _) => Interval::symmetric(crate::rounding::largest(format)),
            (Sort::Integer, Some(ty)) => Interval::new(ty.min() as f64, ty.max() as f64),
            (Sort::Integer, None) => Interval::WHOLE,
        }
    }
}

/// Both runs of an operation on known numbers; none if either has no value.
fn fold(op: BinaryOp, x: &Constant, y: &Constant) -> Option<Constant> {
    let (machine, real) = match op {
        BinaryOp::Add => (x.machine.add(y.machine, NEAREST).0, x.real.add(&y.real)?),
        BinaryOp::Sub => (x.machine.sub(y.machine, NEAREST).0, x.real.sub(&y.real)?),
        BinaryOp::Mul => (x.machine.mul(y.machine, NEAREST).0, x.real.mul(&y.real)?),
        BinaryOp::Div => (x.machine.div(y.machine, NEAREST).0, x.real.div(&y.real)?),
        _ => return None,
    };
    machine.is_finite().then_some(Constant { machine, real })
}
