// SPDX-License-Identifier: MIT OR Apache-2.0
//! `double-free`: an object is freed twice.

use clew_ir::obligation::{CheckKind, Condition};
use clew_ir::syntax::ExprId;

use crate::{After, Check, Group, Page, Property, Sink};

/// The check.
pub const CHECK: Check = Check {
    kind: CheckKind::DoubleFree,
    after: After::Stop,
    on_by_default: true,
    cwe: 415,
    group: Group::Memory,
    properties: &[Property::ValidMemsafety],
    title: "an object is freed twice",
    page: Page {
        what: "free or realloc gets a pointer to a heap object that was freed before.",
        why: "The second call corrupts the allocator's lists: two later allocations may share one piece of \
               memory.",
        bad: include_str!("../../../tests/c/checks/double-free.c"),
        fixed: include_str!("../../../tests/c/checks/double-free_ok.c"),
        advice: "Let one place own each object and free it there. Setting the pointer to null after free \
               makes a second free harmless.",
        how: "A call of free or realloc carries the condition that the object its argument was derived \
               from is alive; null is accepted. It is evaluated before invalid-free.",
    },
};

/// What is released has not been released before.
pub(crate) fn release(pointer: ExprId, out: Sink<'_>) {
    out(CheckKind::DoubleFree, Condition::Live(pointer));
}
