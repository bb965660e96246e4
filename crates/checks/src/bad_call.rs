// SPDX-License-Identifier: MIT OR Apache-2.0
//! `bad-call`: a call does not fit the function that it reaches.

use clew_ir::obligation::{CheckKind, Condition};
use clew_ir::syntax::ExprId;

use crate::{After, Check, Group, Page, Sink};

/// The check.
pub const CHECK: Check = Check {
    kind: CheckKind::BadCall,
    after: After::Stop,
    on_by_default: true,
    cwe: 628,
    group: Group::Memory,
    properties: &[],
    title: "a call does not fit the function that it reaches",
    page: Page {
        what: "A function is called through a pointer of another type, with the wrong number or types of \
               arguments, or the pointer does not point to a function.",
        why: "It is undefined behaviour. Arguments are read from registers that nobody filled, and the \
               stack may be left in disorder.",
        bad: include_str!("../../../tests/c/checks/bad-call.c"),
        fixed: include_str!("../../../tests/c/checks/bad-call_ok.c"),
        advice: "Give the pointer the function's own type, and include the header that declares the function.",
        how: "Calls through pointers, and calls of functions without a prototype in scope, carry the \
               condition that the function reached has a type compatible with the call's.",
    },
};

/// What is called is a function that takes these arguments.
pub(crate) fn call(function: ExprId, out: Sink<'_>) {
    out(CheckKind::BadCall, Condition::Callable(function));
}
