// SPDX-License-Identifier: MIT OR Apache-2.0
//! Comparisons, what they teach about their operands, and when an operation overflows.

use clew_base::int::IntType;
use clew_ir::syntax::{BinaryOp, CompareOp};

use super::{Int, UNBOUNDED_ABOVE, UNBOUNDED_BELOW};
use crate::domain::Tri;

/// Whether `a op b` holds for members of the sets.
#[must_use]
pub fn compare(op: CompareOp, a: &Int, b: &Int) -> Tri {
    match op {
        CompareOp::Lt => less(a, b),
        CompareOp::Gt => less(b, a),
        CompareOp::Ge => less(a, b).not(),
        CompareOp::Le => less(b, a).not(),
        CompareOp::Eq => equal(a, b),
        CompareOp::Ne => equal(a, b).not(),
    }
}

fn less(a: &Int, b: &Int) -> Tri {
    // An infinite end is at an extreme, so it is never strictly beyond the other. Only where ends that are
    // equal decide must they be looked at.
    let finite = a.lo != UNBOUNDED_BELOW && b.hi != UNBOUNDED_ABOVE;
    Tri::known(a.hi < b.lo, !(finite && a.lo >= b.hi))
}

fn equal(a: &Int, b: &Int) -> Tri {
    match (a.as_constant(), b.as_constant()) {
        (Some(a), Some(b)) => Tri::from(a == b),
        _ => Tri::known(false, a.meet(b).is_some()),
    }
}

/// The sets restricted to pairs for which `a op b` holds; none if there is no such pair.
#[must_use]
pub fn refine(op: CompareOp, a: &Int, b: &Int) -> Option<(Int, Int)> {
    match op {
        CompareOp::Eq => a.meet(b).map(|both| (both, both)),
        CompareOp::Ne => {
            let without = |set: &Int, other: &Int| match other.as_constant() {
                Some(value) => set.exclude(value),
                None => Some(*set),
            };
            Some((without(a, b)?, without(b, a)?))
        }
        CompareOp::Lt => refine_order(a, b, 1),
        CompareOp::Le => refine_order(a, b, 0),
        CompareOp::Gt => refine_order(b, a, 1).map(|(b, a)| (a, b)),
        CompareOp::Ge => refine_order(b, a, 0).map(|(b, a)| (a, b)),
    }
}

/// `a + distance <= b`.
fn refine_order(a: &Int, b: &Int, distance: i128) -> Option<(Int, Int)> {
    let top = if b.hi == UNBOUNDED_ABOVE { b.hi } else { b.hi.saturating_sub(distance) };
    let bottom = if a.lo == UNBOUNDED_BELOW { a.lo } else { a.lo.saturating_add(distance) };
    let smaller = a.meet(&Int::interval(UNBOUNDED_BELOW, top))?;
    let larger = b.meet(&Int::interval(bottom, UNBOUNDED_ABOVE))?;
    Some((smaller, larger))
}

/// Whether the exact result of an operation on values of the type is no value of the type. For `/` and `%`:
/// whether it is the least value by -1; divisors of zero are not considered. For `<<`: whether
/// `a * 2^b` does not fit; counts out of range may do anything. Other operations never overflow.
#[must_use]
pub fn raises_overflow(op: BinaryOp, a: &Int, b: &Int, ty: IntType) -> Tri {
    match op {
        BinaryOp::Add => a.add(b).fits(ty).not(),
        BinaryOp::Sub => a.sub(b).fits(ty).not(),
        BinaryOp::Mul => a.mul(b).fits(ty).not(),
        BinaryOp::Div | BinaryOp::Rem => {
            let always = a.as_constant() == Some(ty.min()) && b.as_constant() == Some(-1);
            Tri::known(always, ty.signed && a.contains(ty.min()) && b.contains(-1))
        }
        BinaryOp::Shl => match b.power_of_two(ty) {
            Some(factor) => a.mul(&factor).fits(ty).not(),
            None => Tri::Maybe,
        },
        BinaryOp::Shr | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => Tri::False,
    }
}

/// Whether a shift is one that C does not define: a count out of range, or, to the left in a signed type, a
/// negative value or one that does not fit afterwards.
#[must_use]
pub fn raises_shift(op: BinaryOp, value: &Int, count: &Int, ty: IntType) -> Tri {
    let allowed = Int::interval(0, i128::from(ty.bits) - 1);
    let count_bad = match count.meet(&allowed) {
        None => return Tri::True,
        Some(_) => Tri::known(false, !count.is_subset(&allowed)),
    };
    if op != BinaryOp::Shl || !ty.signed {
        return count_bad;
    }
    let negative = less(value, &Int::constant(0));
    count_bad.or(negative).or(raises_overflow(op, value, count, ty))
}
