// SPDX-License-Identifier: MIT OR Apache-2.0
//! `float-invalid`: a float operation has no result.

use clew_ir::obligation::{CheckKind, Condition, Raise};
use clew_ir::syntax::ExprId;

use crate::{After, Check, Group, Page, Sink};

/// The check.
pub const CHECK: Check = Check {
    kind: CheckKind::FloatInvalid,
    after: After::Continue,
    on_by_default: true,
    cwe: 682,
    group: Group::Float,
    properties: &[],
    title: "a float operation has no result",
    page: Page {
        what: "An operation has no mathematical result, such as 0/0 or infinity minus infinity.",
        why: "The result is not a number, and so is everything computed from it. All ordered comparisons \
               with it are false, so that loops end early or never, and range tests let it through.",
        bad: include_str!("../../../tests/c/checks/float-invalid.c"),
        fixed: include_str!("../../../tests/c/checks/float-invalid_ok.c"),
        advice: "Test the operands before the operation, or the result with `isnan`.",
        how: "Float operations and functions of math.h carry the condition that operands which are numbers give a \
               number: what comes of not-a-number, signalling or not, is charged to whoever made it. Ordered \
               comparisons with not-a-number are nan-compare, conversions to integers float-to-int.",
    },
};

/// A float operation on numbers gives a number.
pub(crate) fn arithmetic(expr: ExprId, out: Sink<'_>) {
    out(CheckKind::FloatInvalid, Condition::NotRaised(Raise::FloatInvalid, expr));
}
