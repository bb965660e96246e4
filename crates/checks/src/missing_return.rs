// SPDX-License-Identifier: MIT OR Apache-2.0
//! `missing-return`: a function ends without the value that its caller uses.

use clew_ir::obligation::{CheckKind, Condition};

use crate::{After, Check, Group, Page, Sink};

/// The check.
pub const CHECK: Check = Check {
    kind: CheckKind::MissingReturn,
    after: After::Stop,
    on_by_default: true,
    cwe: 758,
    group: Group::Assert,
    properties: &[],
    title: "a function ends without the value that its caller uses",
    page: Page {
        what: "A function that promises a value reaches its closing brace, and the caller uses the value.",
        why: "It is undefined behaviour. The caller gets whatever was in the register.",
        bad: include_str!("../../../tests/c/checks/missing-return.c"),
        fixed: include_str!("../../../tests/c/checks/missing-return_ok.c"),
        advice: "Return a value on every path, the unexpected ones too, or make the function void.",
        how: "The end of a function with a result carries the condition that the caller does not use it. \
               main is excepted: its end returns 0.",
    },
};

/// The caller does not use the value that is missing.
pub(crate) fn end(out: Sink<'_>) {
    out(CheckKind::MissingReturn, Condition::ResultUnused);
}
