// SPDX-License-Identifier: MIT OR Apache-2.0
//! `error-call`: an error function is called.

use clew_ir::obligation::{CheckKind, Condition};

use crate::{After, Check, Group, Page, Property, Sink};

/// The check.
pub const CHECK: Check = Check {
    kind: CheckKind::ErrorCall,
    after: After::Stop,
    on_by_default: true,
    cwe: 617,
    group: Group::Assert,
    properties: &[Property::UnreachCall],
    title: "an error function is called",
    page: Page {
        what: "The program calls abort, `reach_error` or `__VERIFIER_error`.",
        why: "A program that aborts has met a state that its author thought impossible or hopeless. What \
               it was doing is lost.",
        bad: include_str!("../../../tests/c/checks/error-call.c"),
        fixed: include_str!("../../../tests/c/checks/error-call_ok.c"),
        advice: "Look at the conditions that lead to the call: handle the case, or make it impossible.",
        how: "Reaching the call is the violation.",
    },
};

/// An error function is never called.
pub(crate) fn call(name: &str, out: Sink<'_>) {
    if matches!(name, "abort" | "reach_error" | "__VERIFIER_error") {
        out(CheckKind::ErrorCall, Condition::Never);
    }
}
