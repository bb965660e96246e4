// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lossy-conversion`: a conversion changes a value.

use clew_ir::obligation::{CheckKind, Condition, Raise};
use clew_ir::syntax::ExprId;

use crate::operation::Scalar;
use crate::{After, Check, Group, Page, Sink};

/// The check.
pub const CHECK: Check = Check {
    kind: CheckKind::LossyConversion,
    after: After::Continue,
    on_by_default: false,
    cwe: 197,
    group: Group::Integer,
    properties: &[],
    title: "a conversion changes a value",
    page: Page {
        what: "A conversion that nobody wrote makes a number into another one: an int stored in an unsigned \
               char, a negative int used as size_t, a double stored in a float, an int that a float cannot \
               represent.",
        why: "It is well defined, but the program goes on with a number that is not the one it computed.",
        bad: include_str!("../../../tests/c/checks/lossy-conversion.c"),
        fixed: include_str!("../../../tests/c/checks/lossy-conversion_ok.c"),
        advice: "Use a type that holds all values, test the range first, or write the cast if the change is \
               meant.",
        how: "Implicit conversions between integers and to narrower floats, and conversions from integers \
               to floats with too few digits, carry the condition that the value stays the same. \
               Conversions that cannot change a value carry nothing. The check is off unless it is asked \
               for.",
    },
};

/// The conversion keeps the value, where the two types do not promise it.
pub(crate) fn convert(expr: ExprId, from: Scalar, to: Scalar, explicit: bool, out: Sink<'_>) {
    let may_change = match (from, to) {
        (Scalar::Int { .. }, Scalar::Int { .. }) => !explicit && !contains(to, from),
        (Scalar::Float(from), Scalar::Float(to)) => !explicit && to.precision() < from.precision(),
        (Scalar::Float(_), Scalar::Int { .. }) => !explicit,
        (Scalar::Int { bits, signed }, Scalar::Float(to)) => {
            u32::from(bits - u16::from(signed)) > to.precision()
        }
        _ => false,
    };
    if may_change {
        out(CheckKind::LossyConversion, Condition::NotRaised(Raise::LossyConversion, expr));
    }
}

/// Whether an integer type holds all values of another.
fn contains(outer: Scalar, inner: Scalar) -> bool {
    let (
        Scalar::Int { bits: outer, signed: outer_signed },
        Scalar::Int { bits: inner, signed: inner_signed },
    ) = (outer, inner)
    else {
        return false;
    };
    match (outer_signed, inner_signed) {
        (true, true) | (false, false) => outer >= inner,
        (true, false) => outer > inner,
        (false, true) => false,
    }
}
