// SPDX-License-Identifier: MIT OR Apache-2.0
//! The meaning of terms: a value for every term, given values of the variables.
//!
//! This is the definition. Simplification, bit-blasting and printing are tested against it, and a model from a
//! solver is believed only after it has been evaluated here. The arithmetic is `clew_base`'s.

use std::collections::BTreeMap;
use std::sync::Arc;

use clew_base::exact::{Integer, Rational};
use clew_base::float::{Float, Format, Rounding};
use clew_base::int::{ArithOp, DivError, IntType};
use rustc_hash::FxHashMap;

use crate::term::{
    BinaryOp, ExactRelation, FloatBinary, FloatRelation, FloatUnary, Sort, Term, TermId, Terms, VarId, mask,
};

/// The value of a term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// A bit-vector, zero-extended.
    Bits(u128),
    /// An array.
    Array(Arc<ArrayValue>),
    /// An integer or a real.
    Exact(Rational),
}

/// An array: a default, and where it differs.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ArrayValue {
    /// The element at all indices without an entry.
    pub default: u128,
    /// The other elements.
    pub entries: BTreeMap<u128, u128>,
}

impl ArrayValue {
    /// The element at an index.
    pub fn get(&self, index: u128) -> u128 {
        self.entries.get(&index).copied().unwrap_or(self.default)
    }
}

impl Value {
    /// The bits, if it is a bit-vector. Others have none; asking is a bug of the caller.
    pub fn bits(&self) -> u128 {
        match self {
            Value::Bits(bits) => *bits,
            other => unreachable!("{other:?} where a bit-vector was expected"),
        }
    }

    fn array(&self) -> &Arc<ArrayValue> {
        match self {
            Value::Array(array) => array,
            other => unreachable!("{other:?} where an array was expected"),
        }
    }

    fn exact(&self) -> &Rational {
        match self {
            Value::Exact(value) => value,
            other => unreachable!("{other:?} where an exact number was expected"),
        }
    }

    /// Zero, or the array of zeros.
    pub fn zero(sort: Sort) -> Value {
        match sort {
            Sort::Bits(_) => Value::Bits(0),
            Sort::Array { .. } => Value::Array(Arc::default()),
            Sort::Integer | Sort::Real => Value::Exact(Rational::ZERO),
        }
    }
}

/// Values of variables. One without a value is zero, or the array of zeros.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Model {
    values: FxHashMap<VarId, Value>,
}

impl Model {
    /// Sets a variable.
    pub fn set(&mut self, variable: VarId, value: Value) {
        self.values.insert(variable, value);
    }

    /// A variable's value, if it has one.
    pub fn get(&self, variable: VarId) -> Option<&Value> {
        self.values.get(&variable)
    }
}

/// The values of some terms under a model, in the order asked for.
pub fn evaluate(terms: &Terms, model: &Model, roots: &[TermId]) -> Vec<Value> {
    let mut values: FxHashMap<TermId, Value> = FxHashMap::default();
    for term in terms.reachable(roots) {
        let sort = terms.sort(term);
        let value = match terms.get(term) {
            Term::Var(variable) => model.get(variable).cloned().unwrap_or(Value::zero(sort)),
            Term::Number(number) => Value::Exact(terms.number_at(number).clone()),
            shape => {
                let operands: Vec<(Value, Sort)> =
                    shape.operands().iter().map(|id| (values[id].clone(), terms.sort(*id))).collect();
                apply(shape, sort, &operands)
            }
        };
        values.insert(term, value);
    }
    roots.iter().map(|root| values[root].clone()).collect()
}

/// The value of a term from its operands' values and sorts. Variables and exact constants are the caller's.
pub(crate) fn apply(term: Term, sort: Sort, operands: &[(Value, Sort)]) -> Value {
    let bits = |at: usize| operands[at].0.bits();
    let operand = |at: usize| Operand { bits: operands[at].0.bits(), width: width_of(operands[at].1) };
    match term {
        Term::Ite(..) => return operands[if bits(0) == 1 { 1 } else { 2 }].0.clone(),
        Term::ConstArray(_) => {
            return Value::Array(Arc::new(ArrayValue { default: bits(0), entries: BTreeMap::new() }));
        }
        Term::Store(..) => {
            let mut array = ArrayValue::clone(operands[0].0.array());
            array.entries.insert(bits(1), bits(2));
            return Value::Array(Arc::new(array));
        }
        Term::IntegerOf { signed, .. } => return Value::Exact(operand(0).integer(signed).into()),
        Term::RealOf { format, .. } => {
            return Value::Exact(Float::from_bits(format, bits(0)).exact().unwrap_or(Rational::ZERO));
        }
        Term::ToReal(_) => return operands[0].0.clone(),
        Term::Exact(op, ..) => return Value::Exact(exact(op, operands[0].0.exact(), operands[1].0.exact())),
        _ => {}
    }
    let width = width_of(sort);
    let float = |format: Format, at: usize| Float::from_bits(format, bits(at));
    let value = match term {
        Term::Const(value) => value,
        Term::Not(_) => !bits(0),
        Term::Binary(op, ..) => binary(op, operand(0), operand(1)),
        Term::Extract { low, .. } => bits(0) >> low,
        Term::Zext(_) => bits(0),
        Term::Sext(_) => operand(0).signed() as u128,
        Term::ExactCompare(relation, ..) => {
            let (a, b) = (operands[0].0.exact(), operands[1].0.exact());
            u128::from(match relation {
                ExactRelation::Eq => a == b,
                ExactRelation::Lt => a < b,
            })
        }
        Term::FloatUnary(FloatUnary::Sqrt, format, rounding, _) => {
            float(format, 0).sqrt(rounding).0.to_bits()
        }
        Term::FloatUnary(FloatUnary::Integral, format, rounding, _) => {
            integral(float(format, 0), rounding).to_bits()
        }
        Term::FloatBinary(op, format, rounding, ..) => {
            float_binary(op, float(format, 0), float(format, 1), rounding).to_bits()
        }
        Term::Fma(format, rounding, ..) => {
            float(format, 0).fma(float(format, 1), float(format, 2), rounding).0.to_bits()
        }
        Term::FloatCompare(relation, format, ..) => {
            let order = float(format, 0).compare(float(format, 1));
            u128::from(order.is_some_and(|order| match relation {
                FloatRelation::Eq => order.is_eq(),
                FloatRelation::Lt => order.is_lt(),
                FloatRelation::Le => order.is_le(),
            }))
        }
        Term::FloatToFloat { from, to, rounding, .. } => float(from, 0).convert(to, rounding).0.to_bits(),
        Term::FloatToInt { from, signed, .. } => {
            float(from, 0).to_int(IntType { bits: width as u16, signed }).unwrap_or(0) as u128
        }
        Term::IntToFloat { to, signed, rounding, .. } => {
            let ty = operand(0).int_type(signed);
            Float::from_int(to, ty.wrap(bits(0) as i128), ty, rounding).0.to_bits()
        }
        Term::Select(..) => operands[0].0.array().get(bits(1)),
        Term::Var(_)
        | Term::Number(_)
        | Term::Ite(..)
        | Term::ConstArray(_)
        | Term::Store(..)
        | Term::IntegerOf { .. }
        | Term::RealOf { .. }
        | Term::ToReal(_)
        | Term::Exact(..) => {
            unreachable!("variables and constants are the caller's; the others were handled above")
        }
    };
    Value::Bits(value & mask(width))
}

fn width_of(sort: Sort) -> u32 {
    match sort {
        Sort::Bits(width) => width,
        Sort::Array { .. } | Sort::Integer | Sort::Real => 1,
    }
}

#[derive(Clone, Copy)]
struct Operand {
    bits: u128,
    width: u32,
}

impl Operand {
    fn int_type(self, signed: bool) -> IntType {
        IntType { bits: self.width as u16, signed }
    }

    fn signed(self) -> i128 {
        self.int_type(true).wrap(self.bits as i128)
    }

    fn integer(self, signed: bool) -> Integer {
        if signed { Integer::from(self.signed()) } else { Integer::from(self.bits) }
    }
}

fn binary(op: BinaryOp, a: Operand, b: Operand) -> u128 {
    let (x, y) = (a.bits, b.bits);
    let shift = |in_range: &dyn Fn(u32) -> u128, beyond: u128| {
        if y < u128::from(a.width) { in_range(y as u32) } else { beyond }
    };
    match op {
        BinaryOp::And => x & y,
        BinaryOp::Or => x | y,
        BinaryOp::Xor => x ^ y,
        BinaryOp::Add => x.wrapping_add(y),
        BinaryOp::Sub => x.wrapping_sub(y),
        BinaryOp::Mul => x.wrapping_mul(y),
        BinaryOp::Udiv => x.checked_div(y).unwrap_or(u128::MAX),
        BinaryOp::Urem => x.checked_rem(y).unwrap_or(x),
        BinaryOp::Sdiv => {
            let ty = a.int_type(true);
            match ty.div(a.signed(), b.signed()) {
                Ok(quotient) => quotient as u128,
                Err(DivError::Overflow) => ty.min() as u128,
                Err(DivError::DivisionByZero) => (if a.signed() < 0 { 1i128 } else { -1 }) as u128,
            }
        }
        BinaryOp::Srem => match a.int_type(true).rem(a.signed(), b.signed()) {
            Ok(remainder) => remainder as u128,
            Err(DivError::Overflow) => 0,
            Err(DivError::DivisionByZero) => x,
        },
        BinaryOp::Shl => shift(&|count| x << count, 0),
        BinaryOp::Lshr => shift(&|count| x >> count, 0),
        BinaryOp::Ashr => {
            shift(&|count| (a.signed() >> count) as u128, if a.signed() < 0 { u128::MAX } else { 0 })
        }
        BinaryOp::Eq => u128::from(x == y),
        BinaryOp::Ult => u128::from(x < y),
        BinaryOp::Slt => u128::from(a.signed() < b.signed()),
        BinaryOp::Concat => (x << b.width) | y,
    }
}

fn exact(op: ArithOp, a: &Rational, b: &Rational) -> Rational {
    match op {
        ArithOp::Add => a + b,
        ArithOp::Sub => a - b,
        ArithOp::Mul => a * b,
    }
}

fn float_binary(op: FloatBinary, a: Float, b: Float, rounding: Rounding) -> Float {
    match op {
        FloatBinary::Add => a.add(b, rounding).0,
        FloatBinary::Sub => a.sub(b, rounding).0,
        FloatBinary::Mul => a.mul(b, rounding).0,
        FloatBinary::Div => a.div(b, rounding).0,
        FloatBinary::Rem => a.fmod(b).0,
    }
}

/// The nearest integral value: what is already integral, infinite or a NaN stays (a NaN made quiet), the rest is
/// below 2^precision, so its truncation and the distance to it are exact in the format.
fn integral(a: Float, rounding: Rounding) -> Float {
    let format = a.format();
    let zero = Float::zero(format, false);
    if !a.is_finite() {
        // The sum with zero makes a NaN quiet and leaves an infinity alone.
        return a.add(zero, Rounding::NearestEven).0;
    }
    let Ok(truncated) = a.to_int(IntType::I128) else { return a };
    if a.is_integral() {
        return a.add(Float::zero(format, a.is_negative()), Rounding::NearestEven).0;
    }
    let as_float =
        |value: i128| Float::from_int(format, value, IntType::I128, Rounding::NearestEven).0.copysign(a);
    let negative = a.is_negative();
    let away = truncated + if negative { -1 } else { 1 };
    let half = {
        let two = Float::from_int(format, 2, IntType::I128, Rounding::NearestEven).0;
        let one = Float::from_int(format, 1, IntType::I128, Rounding::NearestEven).0;
        one.div(two, Rounding::NearestEven).0
    };
    let distance = a.sub(as_float(truncated), Rounding::NearestEven).0.abs();
    let order = distance.compare(half);
    let goes_away = match rounding {
        Rounding::TowardZero => false,
        Rounding::Up => !negative,
        Rounding::Down => negative,
        Rounding::NearestAway => order.is_some_and(|order| order.is_ge()),
        Rounding::NearestEven => {
            order.is_some_and(|order| order.is_gt() || (order.is_eq() && truncated & 1 != 0))
        }
    };
    as_float(if goes_away { away } else { truncated })
}
