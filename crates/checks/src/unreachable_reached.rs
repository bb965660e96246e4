// SPDX-License-Identifier: MIT OR Apache-2.0
//! `unreachable-reached`: a place declared unreachable is reached.

use clew_ir::obligation::{CheckKind, Condition};

use crate::{After, Check, Group, Page, Sink};

/// The check.
pub const CHECK: Check = Check {
    kind: CheckKind::UnreachableReached,
    after: After::Stop,
    on_by_default: true,
    cwe: 758,
    group: Group::Assert,
    properties: &[],
    title: "a place declared unreachable is reached",
    page: Page {
        what: "The program arrives at `__builtin_unreachable()`, or a function that is declared `noreturn` returns.",
        why: "The compiler was promised that this does not happen and removed code on the strength of it. \
               The program runs on into whatever comes next in memory.",
        bad: include_str!("../../../tests/c/checks/unreachable-reached.c"),
        fixed: include_str!("../../../tests/c/checks/unreachable-reached_ok.c"),
        advice: "Handle the case, or put an abort there until it is certain that it cannot occur.",
        how: "Reaching the place is the violation.",
    },
};

/// The place is never reached.
pub(crate) fn reached(out: Sink<'_>) {
    out(CheckKind::UnreachableReached, Condition::Never);
}
