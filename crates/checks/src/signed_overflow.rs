// SPDX-License-Identifier: MIT OR Apache-2.0
//! `signed-overflow`: a signed integer operation overflows.

use clew_ir::obligation::{CheckKind, Condition, Raise};
use clew_ir::syntax::{BinaryOp, ExprId};

use crate::{After, Check, Group, Page, Property, Sink};

/// The check.
pub const CHECK: Check = Check {
    kind: CheckKind::SignedOverflow,
    after: After::Stop,
    on_by_default: true,
    cwe: 190,
    group: Group::Integer,
    properties: &[Property::NoOverflow],
    title: "a signed integer operation overflows",
    page: Page {
        what: "The exact result of `+`, `-`, `*`, `/`, `%`, unary `-`, `++` or `--` does not fit the signed \
               type it is computed in.",
        why: "It is undefined behaviour. The machine usually wraps around, but compilers assume that it \
               does not happen and remove tests for it.",
        bad: include_str!("../../../tests/c/checks/signed-overflow.c"),
        fixed: include_str!("../../../tests/c/checks/signed-overflow_ok.c"),
        advice: "Compute in a wider type, test the operands before the operation, or use \
               `__builtin_add_overflow` and its siblings. With `-fwrapv` the operation wraps, and clew only \
               counts it.",
        how: "Every signed operation carries the condition that its exact result fits. Division and \
               remainder of the least value by -1 count as overflow.",
    },
};

/// The result of a signed operation fits its type. `None` is negation.
pub(crate) fn arithmetic(expr: ExprId, op: Option<BinaryOp>, out: Sink<'_>) {
    use BinaryOp::{Add, Div, Mul, Rem, Sub};
    if matches!(op, None | Some(Add | Sub | Mul | Div | Rem)) {
        out(CheckKind::SignedOverflow, Condition::NotRaised(Raise::SignedOverflow, expr));
    }
}
