// SPDX-License-Identifier: MIT OR Apache-2.0
//! `bad-array-length`: a variable-length array has no elements.

use clew_ir::obligation::{CheckKind, Condition};
use clew_ir::syntax::ExprId;

use crate::{After, Check, Group, Page, Sink};

/// The check.
pub const CHECK: Check = Check {
    kind: CheckKind::BadArrayLength,
    after: After::Stop,
    on_by_default: true,
    cwe: 131,
    group: Group::Memory,
    properties: &[],
    title: "a variable-length array has no elements",
    page: Page {
        what: "The length of a variable-length array is zero or negative where its type is declared.",
        why: "C leaves this undefined (6.7.6.2). A negative length becomes a huge size: the stack pointer moves \
               the wrong way, and the array lies over other objects.",
        bad: include_str!("../../../tests/c/checks/bad-array-length.c"),
        fixed: include_str!("../../../tests/c/checks/bad-array-length_ok.c"),
        advice: "Test the length before the declaration, or allocate with malloc.",
        how: "Every length of a variable-length array type, of an object, a pointer or a typedef, carries the \
               condition that it is more than zero, where it is evaluated. Lengths too large are stack-exhausted.",
    },
};

/// The comparison of the length with zero holds.
pub(crate) fn length(positive: ExprId, out: Sink<'_>) {
    out(CheckKind::BadArrayLength, Condition::Holds(positive));
}
