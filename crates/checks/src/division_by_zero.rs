// SPDX-License-Identifier: MIT OR Apache-2.0
//! `division-by-zero`: an integer is divided by zero.

use clew_ir::obligation::{CheckKind, Condition, Raise};
use clew_ir::syntax::{BinaryOp, ExprId};

use crate::{After, Check, Group, Page, Sink};

/// The check.
pub const CHECK: Check = Check {
    kind: CheckKind::DivisionByZero,
    after: After::Stop,
    on_by_default: true,
    cwe: 369,
    group: Group::Integer,
    properties: &[],
    title: "an integer is divided by zero",
    page: Page {
        what: "The right operand of `/` or `%` on integers is zero.",
        why: "It is undefined behaviour. On x86 the program is killed by SIGFPE; elsewhere it goes on with \
               some number.",
        bad: include_str!("../../../tests/c/checks/division-by-zero.c"),
        fixed: include_str!("../../../tests/c/checks/division-by-zero_ok.c"),
        advice: "Test the divisor before dividing, and decide what the answer should be when it is zero.",
        how: "Every integer division and remainder carries the condition that its right operand is not \
               zero. It is evaluated before overflow.",
    },
};

/// An integer divisor is not zero.
pub(crate) fn arithmetic(expr: ExprId, op: Option<BinaryOp>, out: Sink<'_>) {
    if matches!(op, Some(BinaryOp::Div | BinaryOp::Rem)) {
        out(CheckKind::DivisionByZero, Condition::NotRaised(Raise::DivisionByZero, expr));
    }
}
