// SPDX-License-Identifier: MIT OR Apache-2.0
//! `null-deref`: a null pointer is dereferenced.

use clew_ir::obligation::{CheckKind, Condition};

use crate::operation::Access;
use crate::{After, Check, Group, Page, Property, Sink};

/// The check.
pub const CHECK: Check = Check {
    kind: CheckKind::NullDeref,
    after: After::Stop,
    on_by_default: true,
    cwe: 476,
    group: Group::Memory,
    properties: &[Property::ValidMemsafety],
    title: "a null pointer is dereferenced",
    page: Page {
        what: "The program reads or writes through a pointer whose value is null.",
        why: "It is undefined behaviour. On most machines the program is killed; a compiler may also \
               conclude that the pointer cannot be null and remove the test that was meant to catch it.",
        bad: include_str!("../../../tests/c/checks/null-deref.c"),
        fixed: include_str!("../../../tests/c/checks/null-deref_ok.c"),
        advice: "Test the pointer before it is used, or make sure that the function it came from cannot \
               return null. Results of malloc, fopen, strchr and the like can always be null.",
        how: "Every access through a pointer carries the condition that the pointer is not null. It is \
               evaluated before the other conditions of the same access, so a null pointer is never \
               reported as out of bounds.",
    },
};

/// An access through a pointer needs one that is not null.
pub(crate) fn access(access: &Access<'_>, out: Sink<'_>) {
    if let Some(pointer) = access.pointer {
        out(CheckKind::NullDeref, Condition::NotNull(pointer));
    }
}
