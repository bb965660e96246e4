// SPDX-License-Identifier: MIT OR Apache-2.0
//! `order-dependent`: the result depends on the order of calls that C leaves open.

use clew_ir::obligation::{CheckKind, Condition};

use crate::{After, Check, Group, Page, Sink};

/// The check.
pub const CHECK: Check = Check {
    kind: CheckKind::OrderDependent,
    after: After::Continue,
    on_by_default: true,
    cwe: 758,
    group: Group::Assert,
    properties: &[],
    title: "the result depends on the order of calls that C leaves open",
    page: Page {
        what: "Two calls in one expression, as in `f() + g()`, `h(f(), g())`, `a[f()] = g()` or `{ f(), g() }`, \
               touch the same object and at least one writes it.",
        why: "C allows both orders. gcc evaluates arguments from right to left, clang from left to right: \
               the program means different things under different compilers.",
        bad: include_str!("../../../tests/c/checks/order-dependent.c"),
        fixed: include_str!("../../../tests/c/checks/order-dependent_ok.c"),
        advice: "Call the functions in separate statements, in the order that is meant.",
        how: "Calls that C leaves unordered are watched together: if they touch a common byte and one of \
               them writes it, the result may depend on the order. What the library keeps between calls, such as \
               the state behind `rand` or the environment, counts as an object; what other functions without a \
               body keep is not seen. clew itself follows the order of gcc.",
    },
};

/// Calls without order between them do not touch the same bytes.
pub(crate) fn calls(out: Sink<'_>) {
    out(CheckKind::OrderDependent, Condition::Commutes);
}
