// SPDX-License-Identifier: MIT OR Apache-2.0
//! `invalid-bool`: a `_Bool` is read that is neither 0 nor 1.

use clew_ir::obligation::{CheckKind, Condition};
use clew_ir::syntax::ExprId;

use crate::{After, Check, Group, Page, Sink};

/// The check.
pub const CHECK: Check = Check {
    kind: CheckKind::InvalidBool,
    after: After::Stop,
    on_by_default: true,
    cwe: 704,
    group: Group::Memory,
    properties: &[],
    title: "a `_Bool` is read that is neither 0 nor 1",
    page: Page {
        what: "The byte of a `_Bool` object was written in another way than by an assignment to it: through a union, \
               by memcpy from a message, through a character pointer. It is read as a `_Bool` while it holds \
               another value than 0 or 1.",
        why: "C leaves this undefined (6.2.6.1p5), and compilers rely on it: gcc computes `!b` as `b ^ 1`, so that with \
               2 there both `b` and `!b` are true.",
        bad: include_str!("../../../tests/c/checks/invalid-bool.c"),
        fixed: include_str!("../../../tests/c/checks/invalid-bool_ok.c"),
        advice: "Keep bytes from outside in an unsigned char, and compare that with 0.",
        how: "Every read of a `_Bool` in memory carries the condition that its byte is 0 or 1. Bit-fields have one bit \
               and carry nothing.",
    },
};

/// The comparison of the byte with 1 holds.
pub(crate) fn read(at_most_one: ExprId, out: Sink<'_>) {
    out(CheckKind::InvalidBool, Condition::Holds(at_most_one));
}
