// SPDX-License-Identifier: MIT OR Apache-2.0
//! `unstable`: a number that is said to be stable is not.

use clew_ir::obligation::{CheckKind, Condition};
use clew_ir::syntax::ExprId;

use crate::{After, Check, Group, Page, Sink};

/// The check.
pub const CHECK: Check = Check {
    kind: CheckKind::Unstable,
    after: After::Continue,
    on_by_default: true,
    cwe: 1339,
    group: Group::Float,
    properties: &[],
    title: "a number is not as stable as the program says",
    page: Page {
        what: "`__clew_stable(x, 0.001)` says that rounding, in whatever mode, cannot change `x` by more than a thousandth: \
               it is a number, its sign is certain, and its relative width stays below the threshold.",
        why: "A number that depends on how its operands were rounded says more about the machine than about the world. \
              Tests of it take one way here and another there.",
        bad: include_str!("../../../tests/c/checks/unstable.c"),
        fixed: include_str!("../../../tests/c/checks/unstable_ok.c"),
        advice: "Look for a subtraction of nearly equal numbers before it, or a division by one: compute in a wider type, or \
                 rewrite it so that nothing cancels. `clew precision` says which operation the error comes from.",
        how: "In the interval-real model every operation rounds its least and greatest value outwards, so that all rounding \
              modes are covered. A run shows the violation where the number is infinite or a NaN.",
    },
};

/// A call that says so.
pub(crate) fn call(name: &str, arguments: &[Option<ExprId>], out: Sink<'_>) {
    if let ("__clew_stable", [Some(value), Some(threshold)]) = (name, arguments) {
        out(CheckKind::Unstable, Condition::Stable(*value, *threshold));
    }
}
