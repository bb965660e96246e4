// SPDX-License-Identifier: MIT OR Apache-2.0
//! `float-underflow`: the result of a float operation is tiny.

use clew_ir::obligation::{CheckKind, Condition, Raise};
use clew_ir::syntax::ExprId;

use crate::operation::Scalar;
use crate::{After, Check, Group, Page, Sink};

/// The check.
pub const CHECK: Check = Check {
    kind: CheckKind::FloatUnderflow,
    after: After::Continue,
    on_by_default: false,
    cwe: 1339,
    group: Group::Float,
    properties: &[],
    title: "the result of a float operation is tiny",
    page: Page {
        what: "The result of an operation is not zero and smaller than the smallest normal number of its \
               type, so that it has fewer digits or becomes zero.",
        why: "Digits are lost silently, and a later division by the result may overflow or divide by zero.",
        bad: include_str!("../../../tests/c/checks/float-underflow.c"),
        fixed: include_str!("../../../tests/c/checks/float-underflow_ok.c"),
        advice: "Scale the computation, or test for small operands and take another formula.",
        how: "Additions, subtractions, multiplications, divisions and conversions to narrower floats carry \
               the condition that the result is not tiny. The check is off unless it is asked for.",
    },
};

/// A float operation's result is not tiny.
pub(crate) fn arithmetic(expr: ExprId, out: Sink<'_>) {
    out(CheckKind::FloatUnderflow, Condition::NotRaised(Raise::FloatUnderflow, expr));
}

/// The result of a conversion to a narrower float type is not tiny.
pub(crate) fn convert(expr: ExprId, from: Scalar, to: Scalar, out: Sink<'_>) {
    if let (Scalar::Float(from), Scalar::Float(to)) = (from, to)
        && to.precision() < from.precision()
    {
        out(CheckKind::FloatUnderflow, Condition::NotRaised(Raise::FloatUnderflow, expr));
    }
}
