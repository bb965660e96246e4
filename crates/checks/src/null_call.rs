// SPDX-License-Identifier: MIT OR Apache-2.0
//! `null-call`: a null function pointer is called.

use clew_ir::obligation::{CheckKind, Condition};
use clew_ir::syntax::ExprId;

use crate::{After, Check, Group, Page, Sink};

/// The check.
pub const CHECK: Check = Check {
    kind: CheckKind::NullCall,
    after: After::Stop,
    on_by_default: true,
    cwe: 476,
    group: Group::Memory,
    properties: &[],
    title: "a null function pointer is called",
    page: Page {
        what: "The program calls a function through a pointer that is null.",
        why: "It is undefined behaviour; the program is killed, or jumps to address zero where something \
               is mapped there.",
        bad: include_str!("../../../tests/c/checks/null-call.c"),
        fixed: include_str!("../../../tests/c/checks/null-call_ok.c"),
        advice: "Test the pointer before the call, or install a function that does nothing as the default.",
        how: "Every call through a pointer carries the condition that the pointer is not null.",
    },
};

/// A pointer that is called is not null.
pub(crate) fn call(pointer: ExprId, out: Sink<'_>) {
    out(CheckKind::NullCall, Condition::NotNull(pointer));
}
