// SPDX-License-Identifier: MIT OR Apache-2.0
//! `assertion`: an assertion fails.

use clew_ir::obligation::{CheckKind, Condition};
use clew_ir::syntax::ExprId;

use crate::{After, Check, Group, Page, Property, Sink};

/// The check.
pub const CHECK: Check = Check {
    kind: CheckKind::Assertion,
    after: After::Stop,
    on_by_default: true,
    cwe: 617,
    group: Group::Assert,
    properties: &[Property::UnreachCall],
    title: "an assertion fails",
    page: Page {
        what: "The condition of an assert is false.",
        why: "The author of the program wrote down something that must hold, and it does not. With \
               assertions compiled out the program goes on in a state it was not made for.",
        bad: include_str!("../../../tests/c/checks/assertion.c"),
        fixed: include_str!("../../../tests/c/checks/assertion_ok.c"),
        advice: "Find out which of the two is wrong, the assertion or the code before it. Do not assert what \
               a user's input can make false.",
        how: "assert of the C library, `__VERIFIER_assert` and `__CPROVER_assert` are understood.",
    },
};

/// A call that says that an assertion failed is never reached; a call that asserts has a true argument.
pub(crate) fn call(name: &str, arguments: &[Option<ExprId>], out: Sink<'_>) {
    match name {
        "__assert_fail" | "__assert" | "__assert_rtn" | "__assert_perror_fail" => {
            out(CheckKind::Assertion, Condition::Never);
        }
        "__VERIFIER_assert" | "__CPROVER_assert" => {
            if let Some(Some(condition)) = arguments.first() {
                out(CheckKind::Assertion, Condition::Holds(*condition));
            }
        }
        _ => {}
    }
}
