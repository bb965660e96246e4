// SPDX-License-Identifier: MIT OR Apache-2.0
//! How far a run was from taking another path: zero there, and smaller the nearer it was (branch distance).
//!
//! Integers are as far apart as they are; floats as there are floats between them, so that one step leads from the
//! smallest to the largest in as many doublings as there are bits.

use clew_base::float::{Float, Format, Rounding};
use clew_base::int::IntType;
use clew_interpreter::value::Value;
use clew_ir::obligation::{Condition, Raise};
use clew_ir::syntax::{BinaryOp, Body, CompareOp, ExprKind, ObligationId, Program, UnaryOp};
use clew_ir::types::Class;

/// Farther than anything that has a measure.
pub const FAR: f64 = 1e30;

/// The place of a float among all floats of its format.
pub fn rank(value: Float) -> i128 {
    let bits = value.abs().to_bits() as i128;
    if value.is_negative() { -bits } else { bits }
}

/// How far two values are from making `op` true.
pub fn compare(op: CompareOp, left: Value, right: Value) -> f64 {
    match (left, right) {
        (Value::Float(left), _) if left.is_nan() => {
            if op == CompareOp::Ne {
                0.0
            } else {
                FAR
            }
        }
        (_, Value::Float(right)) if right.is_nan() => {
            if op == CompareOp::Ne {
                0.0
            } else {
                FAR
            }
        }
        (Value::Float(left), Value::Float(right)) => integers(op, rank(left), rank(right)),
        // Addresses are not what inputs decide.
        (Value::Ptr(_), _) | (_, Value::Ptr(_)) => {
            if integers(op, left.as_int(), right.as_int()) == 0.0 {
                0.0
            } else {
                1.0
            }
        }
        _ => integers(op, left.as_int(), right.as_int()),
    }
}

fn integers(op: CompareOp, left: i128, right: i128) -> f64 {
    let gap = left.saturating_sub(right) as f64;
    match op {
        CompareOp::Eq => gap.abs(),
        CompareOp::Ne => {
            if gap == 0.0 {
                1.0
            } else {
                0.0
            }
        }
        CompareOp::Lt => (gap + 1.0).max(0.0),
        CompareOp::Le => gap.max(0.0),
        CompareOp::Gt => (1.0 - gap).max(0.0),
        CompareOp::Ge => (-gap).max(0.0),
    }
}

/// How far an operation with these operands is from violating the obligation that speaks of it, where that has a
/// measure. Never zero: the run itself says what is violated.
pub fn violation(
    program: &Program,
    body: &Body,
    obligation: ObligationId,
    left: Value,
    right: Value,
) -> Option<f64> {
    let distance = match &body.obligations[obligation].condition {
        Condition::Holds(expr) => match body.exprs[*expr].kind {
            ExprKind::Compare(op, ..) => compare(op.negated(), left, right),
            _ => return None,
        },
        Condition::NotRaised(raise, expr) => {
            let node = &body.exprs[*expr];
            let class = program.types().class(node.ty);
            match (raise, class) {
                (Raise::DivisionByZero, _) => right.as_int().unsigned_abs() as f64,
                (Raise::FloatDivisionByZero, _) => match right {
                    Value::Float(divisor) => rank(divisor).unsigned_abs() as f64,
                    _ => return None,
                },
                (Raise::ShiftRange, Class::Int(int)) => shift(int, left.as_int(), right.as_int()),
                (Raise::SignedOverflow | Raise::UnsignedWrap, Class::Int(int)) => {
                    let exact = match node.kind {
                        ExprKind::Binary(BinaryOp::Mul, ..) => left.as_int() as f64 * right.as_int() as f64,
                        ExprKind::Binary(BinaryOp::Add, ..) => left.as_int() as f64 + right.as_int() as f64,
                        ExprKind::Binary(BinaryOp::Sub, ..) => left.as_int() as f64 - right.as_int() as f64,
                        ExprKind::Unary(UnaryOp::Neg, _) => -(left.as_int() as f64),
                        ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, ..) => {
                            let from_least = left.as_int().saturating_sub(int.min()) as f64;
                            return Some(from_least + (right.as_int() as f64 + 1.0).abs());
                        }
                        _ => return None,
                    };
                    outside(int, exact)
                }
                (Raise::LossyConversion, Class::Int(int)) if !matches!(left, Value::Float(_)) => {
                    outside(int, left.as_int() as f64)
                }
                (Raise::FloatToInt, Class::Int(int)) => match left {
                    Value::Float(value) if value.is_nan() => 0.0,
                    Value::Float(value) => to_integer(value, int),
                    _ => return None,
                },
                (Raise::FloatOverflow, Class::Float(format)) => {
                    let result = result(&node.kind, format, left, right)?;
                    (rank(Float::largest(format, false)) - rank(result.abs())) as f64
                }
                (Raise::FloatUnderflow, Class::Float(format)) => {
                    let result = result(&node.kind, format, left, right)?;
                    (rank(result.abs()) - rank(Float::smallest_normal(format, false))) as f64
                }
                _ => return None,
            }
        }
        _ => return None,
    };
    Some(distance.max(0.5))
}

/// How far a value inside a type's range is from leaving it.
fn outside(int: IntType, value: f64) -> f64 {
    (int.max() as f64 - value).min(value - int.min() as f64) + 1.0
}

fn shift(int: IntType, value: i128, count: i128) -> f64 {
    let by_count = (i128::from(int.bits) - count).min(count + 1) as f64;
    let lost = |count| (int.max() >> count) as f64 - value as f64 + 1.0;
    let by_value = (int.signed && (0..127).contains(&count)).then(|| lost(count).min(value as f64 + 1.0));
    by_value.map_or(by_count, |by_value| by_value.min(by_count))
}

fn to_integer(value: Float, int: IntType) -> f64 {
    let edge =
        |bound: i128| rank(Float::from_f64(bound as f64).convert(value.format(), Rounding::NearestEven).0);
    let place = rank(value);
    (edge(int.max()) - place).min(place - edge(int.min())) as f64 + 1.0
}

fn result(kind: &ExprKind, format: Format, left: Value, right: Value) -> Option<Float> {
    let (left, right) = (left.as_float(format), right.as_float(format));
    let nearest = Rounding::NearestEven;
    let result = match kind {
        ExprKind::Binary(BinaryOp::Add, ..) => left.add(right, nearest).0,
        ExprKind::Binary(BinaryOp::Sub, ..) => left.sub(right, nearest).0,
        ExprKind::Binary(BinaryOp::Mul, ..) => left.mul(right, nearest).0,
        ExprKind::Binary(BinaryOp::Div, ..) => left.div(right, nearest).0,
        ExprKind::Cast(_) => left,
        _ => return None,
    };
    result.is_finite().then_some(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_is_zero_exactly_where_the_comparison_holds() {
        let ops = [CompareOp::Eq, CompareOp::Ne, CompareOp::Lt, CompareOp::Le, CompareOp::Gt, CompareOp::Ge];
        for op in ops {
            for a in -3..=3 {
                for b in -3..=3 {
                    let holds = match op {
                        CompareOp::Eq => a == b,
                        CompareOp::Ne => a != b,
                        CompareOp::Lt => a < b,
                        CompareOp::Le => a <= b,
                        CompareOp::Gt => a > b,
                        CompareOp::Ge => a >= b,
                    };
                    let ints = compare(op, Value::Int(a), Value::Int(b));
                    let floats = compare(op, Value::f64(a as f64), Value::f64(b as f64));
                    assert_eq!((ints == 0.0, floats == 0.0), (holds, holds), "{a} {op:?} {b}");
                    assert_eq!(compare(op.negated(), Value::Int(a), Value::Int(b)) == 0.0, !holds);
                }
            }
        }
    }

    #[test]
    fn nearer_values_are_nearer() {
        let far = compare(CompareOp::Eq, Value::Int(1), Value::Int(100));
        assert!(compare(CompareOp::Eq, Value::Int(50), Value::Int(100)) < far);
        let far = compare(CompareOp::Lt, Value::f64(1e9), Value::f64(0.5));
        assert!(compare(CompareOp::Lt, Value::f64(3.0), Value::f64(0.5)) < far);
    }
}
