// SPDX-License-Identifier: MIT OR Apache-2.0
//! `float-overflow`: a float operation overflows to infinity.

use clew_ir::obligation::{CheckKind, Condition, Raise};
use clew_ir::syntax::ExprId;

use crate::operation::Scalar;
use crate::{After, Check, Group, Page, Sink};

/// The check.
pub const CHECK: Check = Check {
    kind: CheckKind::FloatOverflow,
    after: After::Continue,
    on_by_default: true,
    cwe: 682,
    group: Group::Float,
    properties: &[],
    title: "a float operation overflows to infinity",
    page: Page {
        what: "The result of an operation on finite floats is too large for its type and becomes infinity \
               (or the largest finite value, by the rounding mode).",
        why: "Everything computed from it is infinity or not a number, although the exact result of the \
               whole formula may well be representable.",
        bad: include_str!("../../../tests/c/checks/float-overflow.c"),
        fixed: include_str!("../../../tests/c/checks/float-overflow_ok.c"),
        advice: "Rearrange the formula so that intermediate results stay small (`hypot` instead of `sqrt(x*x \
               + y*y)`), scale, or test the inputs.",
        how: "Additions, subtractions, multiplications, divisions and conversions to narrower floats carry \
               the condition that finite operands do not give an overflow. A run goes on with the value the \
               machine gives.",
    },
};

/// A float operation does not overflow.
pub(crate) fn arithmetic(expr: ExprId, out: Sink<'_>) {
    out(CheckKind::FloatOverflow, Condition::NotRaised(Raise::FloatOverflow, expr));
}

/// A conversion to a float type with a smaller range does not overflow.
pub(crate) fn convert(expr: ExprId, from: Scalar, to: Scalar, out: Sink<'_>) {
    let may_overflow = match (from, to) {
        (Scalar::Float(from), Scalar::Float(to)) => to.precision() < from.precision(),
        (Scalar::Int { bits, signed }, Scalar::Float(to)) => value_bits(bits, signed) > to.max_exponent(),
        _ => false,
    };
    if may_overflow {
        out(CheckKind::FloatOverflow, Condition::NotRaised(Raise::FloatOverflow, expr));
    }
}

/// Every integer of the type is below two to this power.
fn value_bits(bits: u16, signed: bool) -> i32 {
    i32::from(bits) - i32::from(signed)
}
