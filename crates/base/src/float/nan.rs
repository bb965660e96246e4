// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which NaN comes out of an operation that a NaN goes into. IEEE leaves it open; the machines do not.

use super::layout::{Layout, Value};
use super::round::Flags;

/// How a result is chosen among NaN operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NanRule {
    /// SSE: the first operand that is a NaN, made quiet.
    First,
    /// x87: a quiet NaN before a signalling one, then the larger significand, then the positive one.
    X87,
    /// libgcc's software floats: the larger significand; on a tie the first for `+` and `*`, else the second.
    Libgcc,
}

/// What an operation does when two NaNs tie, see [`NanRule::Libgcc`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tie {
    First,
    Second,
}

/// The result of an operation on operands of which at least one may be a NaN; none if none is.
#[inline]
pub(crate) fn propagate(layout: Layout, a: u128, b: u128, tie: Tie) -> Option<(u128, Flags)> {
    let (class_a, class_b) = (layout.unpack(a).1, layout.unpack(b).1);
    let (nan_a, nan_b) = (class_a == Value::Nan, class_b == Value::Nan);
    if class_a == Value::Unsupported || class_b == Value::Unsupported {
        return Some((layout.default_nan(), Flags::INVALID));
    }
    if !nan_a && !nan_b {
        return None;
    }
    let signals = layout.is_signaling(a) || layout.is_signaling(b);
    let chosen = if nan_a && nan_b {
        choose(layout, a, b, tie)
    } else if nan_a {
        a
    } else {
        b
    };
    Some((chosen | layout.quiet_bit(), if signals { Flags::INVALID } else { Flags::NONE }))
}

/// The result of an operation on one operand if it is a NaN.
#[inline]
pub(crate) fn propagate_one(layout: Layout, a: u128) -> Option<(u128, Flags)> {
    match layout.unpack(a).1 {
        Value::Unsupported => Some((layout.default_nan(), Flags::INVALID)),
        Value::Nan => {
            let flags = if layout.is_signaling(a) { Flags::INVALID } else { Flags::NONE };
            Some((a | layout.quiet_bit(), flags))
        }
        _ => None,
    }
}

fn choose(layout: Layout, a: u128, b: u128, tie: Tie) -> u128 {
    let (field_a, field_b) = (layout.significand_field(a), layout.significand_field(b));
    let first = match layout.nan_rule {
        NanRule::First => true,
        NanRule::X87 => {
            let (quiet_a, quiet_b) = (!layout.is_signaling(a), !layout.is_signaling(b));
            (quiet_a, field_a, !layout.sign(a)) >= (quiet_b, field_b, !layout.sign(b))
        }
        NanRule::Libgcc => field_a > field_b || (field_a == field_b && tie == Tie::First),
    };
    if first { a } else { b }
}
