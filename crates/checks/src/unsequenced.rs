// SPDX-License-Identifier: MIT OR Apache-2.0
//! `unsequenced`: one expression changes an object twice, or changes and reads it, without an order.

use clew_ir::obligation::{CheckKind, Condition};
use clew_ir::syntax::ExprId;

use crate::{After, Check, Group, Page, Sink};

/// The check.
pub const CHECK: Check = Check {
    kind: CheckKind::Unsequenced,
    after: After::Stop,
    on_by_default: true,
    cwe: 758,
    group: Group::Assert,
    properties: &[],
    title: "one expression changes an object twice, or changes and reads it, without an order",
    page: Page {
        what: "An expression such as `i = i++ + 1` or `a[i] = i++` has two effects on one object, and C \
               does not say which comes first.",
        why: "It is undefined behaviour. Compilers really do disagree, and one compiler disagrees with \
               itself at different levels of optimisation.",
        bad: include_str!("../../../tests/c/checks/unsequenced.c"),
        fixed: include_str!("../../../tests/c/checks/unsequenced_ok.c"),
        advice: "Split the expression into two statements.",
        how: "For variables whose address is not taken the conflict can be seen in the text, and reaching \
               it is the violation. For memory the expression carries the condition that the two places \
               share no byte.",
    },
};

/// Two effects on one variable have an order.
pub(crate) fn local(out: Sink<'_>) {
    out(CheckKind::Unsequenced, Condition::Never);
}

/// Two effects in memory without order touch different bytes. Each is `(pointer, size)`.
pub(crate) fn memory((p, n): (ExprId, ExprId), (q, m): (ExprId, ExprId), out: Sink<'_>) {
    out(CheckKind::Unsequenced, Condition::Disjoint { p, n, q, m });
}
