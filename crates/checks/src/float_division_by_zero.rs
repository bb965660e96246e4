// SPDX-License-Identifier: MIT OR Apache-2.0
//! `float-division-by-zero`: a float is divided by zero.

use clew_ir::obligation::{CheckKind, Condition, Raise};
use clew_ir::syntax::{BinaryOp, ExprId};

use crate::{After, Check, Group, Page, Sink};

/// The check.
pub const CHECK: Check = Check {
    kind: CheckKind::FloatDivisionByZero,
    after: After::Continue,
    on_by_default: true,
    cwe: 369,
    group: Group::Float,
    properties: &[],
    title: "a float is divided by zero",
    page: Page {
        what: "A finite number that is not zero is divided by zero (0/0 is float-invalid).",
        why: "The result is an infinity, whose sign depends on the sign of the zero, and what is computed \
               from it is rarely meant.",
        bad: include_str!("../../../tests/c/checks/float-division-by-zero.c"),
        fixed: include_str!("../../../tests/c/checks/float-division-by-zero_ok.c"),
        advice: "Test the divisor. A test `x != y` before `1 / (x - y)` is enough only where subnormal \
               numbers are not flushed to zero.",
        how: "Every float division carries the condition. A run goes on with the infinity.",
    },
};

/// A float divisor is not zero.
pub(crate) fn arithmetic(expr: ExprId, op: BinaryOp, out: Sink<'_>) {
    if op == BinaryOp::Div {
        out(CheckKind::FloatDivisionByZero, Condition::NotRaised(Raise::FloatDivisionByZero, expr));
    }
}
