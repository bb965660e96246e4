// SPDX-License-Identifier: MIT OR Apache-2.0
//! `stack-exhausted`: the stack is exhausted.

use clew_ir::obligation::{CheckKind, Condition};
use clew_ir::syntax::ExprId;

use crate::{After, Check, Group, Page, Sink};

/// The check.
pub const CHECK: Check = Check {
    kind: CheckKind::StackExhausted,
    after: After::Stop,
    on_by_default: true,
    cwe: 674,
    group: Group::Memory,
    properties: &[],
    title: "the stack is exhausted",
    page: Page {
        what: "The program calls too deep, or makes a local object that is larger than what is left of the \
               stack.",
        why: "The program is killed, or, with a large object, jumps over the guard page into other memory.",
        bad: include_str!("../../../tests/c/checks/stack-exhausted.c"),
        fixed: include_str!("../../../tests/c/checks/stack-exhausted_ok.c"),
        advice: "Bound the recursion or turn it into a loop; put large and variable objects on the heap.",
        how: "Variable-length arrays and alloca carry the condition that their size fits; where they pile up (alloca \
               in a loop, either of them in a recursion) that is not proved. The interpreter counts the bytes of all \
               frames against a limit as large as the usual one of the system. That calls do not go too deep is an \
               assumption of proofs (`stack-suffices`).",
    },
};

/// An object of this many bytes fits the stack.
pub(crate) fn object(bytes: ExprId, out: Sink<'_>) {
    out(CheckKind::StackExhausted, Condition::StackFits(bytes));
}
