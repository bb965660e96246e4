// SPDX-License-Identifier: MIT OR Apache-2.0
//! `nan-compare`: not-a-number is ordered.

use clew_ir::obligation::{CheckKind, Condition, Raise};
use clew_ir::syntax::{CompareOp, ExprId};

use crate::{After, Check, Group, Page, Sink};

/// The check.
pub const CHECK: Check = Check {
    kind: CheckKind::NanCompare,
    after: After::Continue,
    on_by_default: false,
    cwe: 682,
    group: Group::Float,
    properties: &[],
    title: "not-a-number is ordered",
    page: Page {
        what: "Not-a-number is compared with `<`, `<=`, `>` or `>=`.",
        why: "All ordered comparisons with it are false, so that loops end early or never, and range tests \
               let it through. But comparing is also how people reject it: the check is off by default.",
        bad: include_str!("../../../tests/c/checks/nan-compare.c"),
        fixed: include_str!("../../../tests/c/checks/nan-compare_ok.c"),
        advice: "Test with `isnan` first, or write range tests so that not-a-number fails them: \
               `if (!(x >= lo && x <= hi)) reject();`. `isless` and its like compare without raising anything.",
        how: "Ordered comparisons of floats carry the condition that neither operand is a NaN. `==` and `!=` \
               are always fine.",
    },
};

/// Floats that are ordered are numbers.
pub(crate) fn compare(expr: ExprId, op: CompareOp, out: Sink<'_>) {
    if !matches!(op, CompareOp::Eq | CompareOp::Ne) {
        out(CheckKind::NanCompare, Condition::NotRaised(Raise::FloatInvalid, expr));
    }
}
