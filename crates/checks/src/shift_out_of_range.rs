// SPDX-License-Identifier: MIT OR Apache-2.0
//! `shift-out-of-range`: a shift by too much, or of a negative value to the left.

use clew_ir::obligation::{CheckKind, Condition, Raise};
use clew_ir::syntax::{BinaryOp, ExprId};

use crate::{After, Check, Group, Page, Sink};

/// The check.
pub const CHECK: Check = Check {
    kind: CheckKind::ShiftOutOfRange,
    after: After::Stop,
    on_by_default: true,
    cwe: 1335,
    group: Group::Integer,
    properties: &[],
    title: "a shift by too much, or of a negative value to the left",
    page: Page {
        what: "The right operand of `<<` or `>>` is negative or not below the width of the left one, or a \
               signed value is shifted left so that the result does not fit.",
        why: "It is undefined behaviour. Machines differ: x86 takes the count modulo 32 or 64, others give \
               zero.",
        bad: include_str!("../../../tests/c/checks/shift-out-of-range.c"),
        fixed: include_str!("../../../tests/c/checks/shift-out-of-range_ok.c"),
        advice: "Test the count, shift unsigned values, and write `1u << n` or `1ull << n` for bit masks.",
        how: "Every shift carries the condition that its count is in range and, for signed left shifts, \
               that no set bit is lost beyond the sign.",
    },
};

/// The count of a shift is in range, and a signed left shift loses nothing.
pub(crate) fn arithmetic(expr: ExprId, op: Option<BinaryOp>, out: Sink<'_>) {
    if matches!(op, Some(BinaryOp::Shl | BinaryOp::Shr)) {
        out(CheckKind::ShiftOutOfRange, Condition::NotRaised(Raise::ShiftRange, expr));
    }
}
