// SPDX-License-Identifier: MIT OR Apache-2.0
//! `invalid-free`: something that is not the start of a heap object is freed.

use clew_ir::obligation::{CheckKind, Condition};
use clew_ir::syntax::ExprId;

use crate::{After, Check, Group, Page, Property, Sink};

/// The check.
pub const CHECK: Check = Check {
    kind: CheckKind::InvalidFree,
    after: After::Stop,
    on_by_default: true,
    cwe: 590,
    group: Group::Memory,
    properties: &[Property::ValidMemsafety],
    title: "something that is not the start of a heap object is freed",
    page: Page {
        what: "free or realloc gets a pointer to a variable, to the middle of a heap object, or to nothing \
               at all.",
        why: "The allocator reads its bookkeeping from beside the pointer. With a wrong one it corrupts \
               the heap, which shows much later and far away.",
        bad: include_str!("../../../tests/c/checks/invalid-free.c"),
        fixed: include_str!("../../../tests/c/checks/invalid-free_ok.c"),
        advice: "Free exactly what malloc, calloc, realloc or a function documented to allocate returned. \
               Keep the first pointer if another one walks through the object.",
        how: "A call of free or realloc carries the condition that its argument is null or the first byte \
               of a live heap object.",
    },
};

/// What is released is null or the start of a heap object.
pub(crate) fn release(pointer: ExprId, out: Sink<'_>) {
    out(CheckKind::InvalidFree, Condition::AllocBase(pointer));
}
