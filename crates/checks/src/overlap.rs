// SPDX-License-Identifier: MIT OR Apache-2.0
//! `overlap`: a copy between regions that overlap.

use clew_ir::obligation::{CheckKind, Condition};
use clew_ir::syntax::ExprId;

use crate::{After, Check, Group, Page, Sink};

/// The check.
pub const CHECK: Check = Check {
    kind: CheckKind::Overlap,
    after: After::Stop,
    on_by_default: true,
    cwe: 475,
    group: Group::Memory,
    properties: &[],
    title: "a copy between regions that overlap",
    page: Page {
        what: "memcpy, strcpy, sprintf and the like get a source and a destination that share bytes, or a record is assigned to one that it partly \
               lies in.",
        why: "These copies may be made in any order and in any chunk. With overlapping regions the result \
               depends on the machine and the library's version.",
        bad: include_str!("../../../tests/c/checks/overlap.c"),
        fixed: include_str!("../../../tests/c/checks/overlap_ok.c"),
        advice: "Use memmove, which is defined for overlapping regions.",
        how: "Calls of copying functions carry the condition that the two regions share no byte. A copy of a \
               region onto itself, `memcpy(p, p, n)`, is let pass: compilers themselves make such calls of \
               assignments. The condition comes from the models of the library functions. \
               Assignments of records through pointers or members of unions carry the condition that both \
               sides are the same object or share no byte.",
    },
};

/// The two records are one, or share no byte.
pub(crate) fn assign(p: ExprId, q: ExprId, n: ExprId, out: Sink<'_>) {
    out(CheckKind::Overlap, Condition::SameOrDisjoint { p, q, n });
}
