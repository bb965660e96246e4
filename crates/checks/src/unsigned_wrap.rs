// SPDX-License-Identifier: MIT OR Apache-2.0
//! `unsigned-wrap`: an unsigned integer operation wraps around.

use clew_ir::obligation::{CheckKind, Condition, Raise};
use clew_ir::syntax::{BinaryOp, ExprId};

use crate::{After, Check, Group, Page, Sink};

/// The check.
pub const CHECK: Check = Check {
    kind: CheckKind::UnsignedWrap,
    after: After::Continue,
    on_by_default: false,
    cwe: 190,
    group: Group::Integer,
    properties: &[],
    title: "an unsigned integer operation wraps around",
    page: Page {
        what: "The exact result of `+`, `-`, `*` or unary `-` does not fit the unsigned type it is computed \
               in and is taken modulo a power of two.",
        why: "It is well defined, and hashes and checksums rely on it. But in a size or an index it is \
               nearly always a mistake, and a frequent cause of buffer overflows.",
        bad: include_str!("../../../tests/c/checks/unsigned-wrap.c"),
        fixed: include_str!("../../../tests/c/checks/unsigned-wrap_ok.c"),
        advice: "Test the operands first: `a - b` only if `a >= b`, `n * size` only if `n <= SIZE_MAX / \
               size`.",
        how: "Every unsigned operation carries the condition that its exact result fits. The check is off \
               unless it is asked for, and a run goes on with the wrapped value.",
    },
};

/// The result of an unsigned operation fits its type. `None` is negation.
pub(crate) fn arithmetic(expr: ExprId, op: Option<BinaryOp>, out: Sink<'_>) {
    use BinaryOp::{Add, Mul, Sub};
    if matches!(op, None | Some(Add | Sub | Mul)) {
        out(CheckKind::UnsignedWrap, Condition::NotRaised(Raise::UnsignedWrap, expr));
    }
}
