// SPDX-License-Identifier: MIT OR Apache-2.0
//! `float-to-int`: a float does not fit the integer type it is converted to.

use clew_ir::obligation::{CheckKind, Condition, Raise};
use clew_ir::syntax::ExprId;

use crate::operation::Scalar;
use crate::{After, Check, Group, Page, Sink};

/// The check.
pub const CHECK: Check = Check {
    kind: CheckKind::FloatToInt,
    after: After::Stop,
    on_by_default: true,
    cwe: 681,
    group: Group::Float,
    properties: &[],
    title: "a float does not fit the integer type it is converted to",
    page: Page {
        what: "A float is converted to an integer type, and its integral part is outside the type's range \
               (or it is infinite or not a number).",
        why: "It is undefined behaviour. x86 gives the least value of the type, ARM the nearest one, and a \
               compiler that folds the conversion may give anything.",
        bad: include_str!("../../../tests/c/checks/float-to-int.c"),
        fixed: include_str!("../../../tests/c/checks/float-to-int_ok.c"),
        advice: "Test the range before converting. `x >= -2147483648.0 && x < 2147483648.0` is the exact test \
               for a 32-bit int; beware of `x <= INT_MAX` with floats, where INT_MAX rounds up.",
        how: "Conversions from floats to integers carry the condition that the truncated value fits: \
               2147483647.9 fits an int, 2147483648.0 does not.",
    },
};

/// The truncated value fits the integer type.
pub(crate) fn convert(expr: ExprId, from: Scalar, to: Scalar, out: Sink<'_>) {
    if matches!((from, to), (Scalar::Float(_), Scalar::Int { .. })) {
        out(CheckKind::FloatToInt, Condition::NotRaised(Raise::FloatToInt, expr));
    }
}
