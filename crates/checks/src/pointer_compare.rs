// SPDX-License-Identifier: MIT OR Apache-2.0
//! `pointer-compare`: pointers into different objects are ordered or subtracted.

use clew_ir::obligation::{CheckKind, Condition};
use clew_ir::syntax::{CompareOp, ExprId};

use crate::{After, Check, Group, Page, Sink};

/// The check.
pub const CHECK: Check = Check {
    kind: CheckKind::PointerCompare,
    after: After::Continue,
    on_by_default: true,
    cwe: 469,
    group: Group::Memory,
    properties: &[],
    title: "pointers into different objects are ordered or subtracted",
    page: Page {
        what: "Two pointers are compared with `<`, `<=`, `>` or `>=`, or subtracted, and do not point into \
               the same object.",
        why: "The result means nothing: objects have no order. Code that tests whether a pointer lies \
               inside a buffer this way may be optimised into something else.",
        bad: include_str!("../../../tests/c/checks/pointer-compare.c"),
        fixed: include_str!("../../../tests/c/checks/pointer-compare_ok.c"),
        advice: "Compare indices instead of pointers, or convert to uintptr_t if addresses are really meant.",
        how: "Relational comparisons and subtractions of pointers carry the condition that both were \
               derived from one object, or that both are null. `==` and `!=` are always fine.",
    },
};

/// Pointers that are ordered point into one object.
pub(crate) fn compare(op: CompareOp, (left, right): (ExprId, ExprId), out: Sink<'_>) {
    if !matches!(op, CompareOp::Eq | CompareOp::Ne) {
        out(CheckKind::PointerCompare, Condition::SameObject(left, right));
    }
}

/// Pointers that are subtracted point into one object.
pub(crate) fn difference(left: ExprId, right: ExprId, out: Sink<'_>) {
    out(CheckKind::PointerCompare, Condition::SameObject(left, right));
}
