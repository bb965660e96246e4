// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arithmetic in software, for every format and rounding mode.
//!
//! Operands are unpacked to 128-bit significands with the top bit set. Each operation computes a 128-bit
//! significand whose lowest bit is sticky (set if anything nonzero was cut off), and `round_pack` rounds it
//! once. The widest format has 113 bits of precision, so at least 15 bits stand below the rounded ones and
//! the sticky bit never decides alone what a round bit should.

use std::cmp::Ordering;

use super::layout::{Layout, Value};
use super::nan::{NanRule, Tie, propagate, propagate_one};
use super::round::{Flags, Rounding, round_pack, shift_right_sticky};
use crate::int::widening_mul;

type Result = (u128, Flags);

fn invalid(layout: Layout) -> Result {
    (layout.default_nan(), Flags::INVALID)
}

fn exact(bits: u128) -> Result {
    (bits, Flags::NONE)
}

pub(crate) fn add(layout: Layout, a: u128, b: u128, rounding: Rounding) -> Result {
    propagate(layout, a, b, Tie::First).unwrap_or_else(|| add_numbers(layout, a, b, rounding))
}

pub(crate) fn sub(layout: Layout, a: u128, b: u128, rounding: Rounding) -> Result {
    // A NaN keeps its sign under subtraction, so it must not meet the negation.
    propagate(layout, a, b, Tie::Second)
        .unwrap_or_else(|| add_numbers(layout, a, b ^ layout.sign_bit(), rounding))
}

/// The sign of an exact zero sum of two numbers with these signs.
fn zero_sum(layout: Layout, sign_a: bool, sign_b: bool, rounding: Rounding) -> Result {
    exact(layout.zero(if sign_a == sign_b { sign_a } else { rounding == Rounding::Down }))
}

fn add_numbers(layout: Layout, a: u128, b: u128, rounding: Rounding) -> Result {
    let ((sign_a, value_a), (sign_b, value_b)) = (layout.unpack(a), layout.unpack(b));
    match (value_a, value_b) {
        (Value::Infinite, Value::Infinite) if sign_a != sign_b => invalid(layout),
        (Value::Infinite, _) => exact(a),
        (_, Value::Infinite) => exact(b),
        (Value::Zero, Value::Zero) => zero_sum(layout, sign_a, sign_b, rounding),
        (Value::Finite { exponent, significand }, Value::Zero) => {
            round_pack(layout, sign_a, exponent, significand, rounding)
        }
        (Value::Zero, Value::Finite { exponent, significand }) => {
            round_pack(layout, sign_b, exponent, significand, rounding)
        }
        (
            Value::Finite { exponent: exponent_a, significand: significand_a },
            Value::Finite { exponent: exponent_b, significand: significand_b },
        ) => {
            let a = (sign_a, exponent_a, significand_a);
            let b = (sign_b, exponent_b, significand_b);
            let (large, small) =
                if (exponent_a, significand_a) >= (exponent_b, significand_b) { (a, b) } else { (b, a) };
            // One bit of room for the carry; significands end in zeros, so nothing is lost.
            let far = (large.1 - small.1) as u32;
            let small_part = shift_right_sticky(small.2 >> 1, far);
            let sum =
                if sign_a == sign_b { (large.2 >> 1) + small_part } else { (large.2 >> 1) - small_part };
            if sum == 0 {
                return zero_sum(layout, sign_a, sign_b, rounding);
            }
            let zeros = sum.leading_zeros();
            round_pack(layout, large.0, large.1 + 1 - zeros as i32, sum << zeros, rounding)
        }
        _ => unreachable!("NaNs were handled by the caller"),
    }
}

pub(crate) fn mul(layout: Layout, a: u128, b: u128, rounding: Rounding) -> Result {
    if let Some(nan) = propagate(layout, a, b, Tie::First) {
        return nan;
    }
    let ((sign_a, value_a), (sign_b, value_b)) = (layout.unpack(a), layout.unpack(b));
    let negative = sign_a != sign_b;
    match (value_a, value_b) {
        (Value::Infinite, Value::Zero) | (Value::Zero, Value::Infinite) => invalid(layout),
        (Value::Infinite, _) | (_, Value::Infinite) => exact(layout.infinity(negative)),
        (
            Value::Finite { exponent: exponent_a, significand: significand_a },
            Value::Finite { exponent: exponent_b, significand: significand_b },
        ) => {
            let (low, high) = widening_mul(significand_a, significand_b);
            // The product of two numbers in [1, 2) is in [1, 4): its unit is bit 126 of the high half.
            let zeros = high.leading_zeros();
            let top = if zeros == 0 { high } else { (high << 1) | (low >> 127) };
            let rest = if zeros == 0 { low } else { low << 1 };
            let exponent = exponent_a + exponent_b + 1 - zeros as i32;
            round_pack(layout, negative, exponent, top | u128::from(rest != 0), rounding)
        }
        _ => exact(layout.zero(negative)),
    }
}

pub(crate) fn div(layout: Layout, a: u128, b: u128, rounding: Rounding) -> Result {
    if let Some(nan) = propagate(layout, a, b, Tie::Second) {
        return nan;
    }
    let ((sign_a, value_a), (sign_b, value_b)) = (layout.unpack(a), layout.unpack(b));
    let negative = sign_a != sign_b;
    match (value_a, value_b) {
        (Value::Infinite, Value::Infinite) | (Value::Zero, Value::Zero) => invalid(layout),
        (Value::Infinite, _) => exact(layout.infinity(negative)),
        (_, Value::Zero) => (layout.infinity(negative), Flags::DIV_BY_ZERO),
        (
            Value::Finite { exponent: exponent_a, significand: significand_a },
            Value::Finite { exponent: exponent_b, significand: significand_b },
        ) => {
            let below_one = significand_a < significand_b;
            let quotient = if layout.precision <= 64 {
                narrow_quotient((significand_a >> 64) as u64, (significand_b >> 64) as u64)
            } else {
                wide_quotient(significand_a, significand_b, layout.precision)
            };
            round_pack(layout, negative, exponent_a - exponent_b - i32::from(below_one), quotient, rounding)
        }
        _ => exact(layout.zero(negative)),
    }
}

/// `a / b` for two significands of 64 bits, scaled to have its top bit set; the lowest bit is sticky.
fn narrow_quotient(a: u64, b: u64) -> u128 {
    let dividend = if a < b { u128::from(a) << 64 } else { u128::from(a) << 63 };
    let b = u128::from(b);
    let (first, rest) = (dividend / b, dividend % b);
    let (second, rest) = ((rest << 63) / b, (rest << 63) % b);
    (first << 64) | (second << 1) | u128::from(rest != 0)
}

/// The same for 128 bits, by long division, to a little more than `precision` bits.
fn wide_quotient(a: u128, b: u128, precision: u32) -> u128 {
    let mut rest = a;
    let mut quotient = 0;
    let mut carry = false;
    // The quotient's leading bit comes in the first or the second step.
    let steps = precision + 4;
    for _ in 0..steps {
        let take = carry || rest >= b;
        if take {
            rest = rest.wrapping_sub(b);
        }
        quotient = (quotient << 1) | u128::from(take);
        carry = rest >> 127 != 0;
        rest <<= 1;
    }
    (quotient << quotient.leading_zeros()) | u128::from(rest != 0 || carry)
}

pub(crate) fn sqrt(layout: Layout, a: u128, rounding: Rounding) -> Result {
    if let Some(nan) = propagate_one(layout, a) {
        return nan;
    }
    match layout.unpack(a) {
        (_, Value::Zero) => exact(a),
        (true, _) => invalid(layout),
        (false, Value::Finite { exponent, significand }) => {
            let root = square_root(significand, exponent & 1 != 0, layout.precision + 2);
            round_pack(layout, false, exponent >> 1, root, rounding)
        }
        (false, _) => exact(a),
    }
}

/// The square root of `significand`, read as a number in [1, 2), doubled first if `double`: digit by digit,
/// to `bits` bits, with the rest in the sticky bit. The top bit of the result is set.
fn square_root(significand: u128, double: bool, bits: u32) -> u128 {
    // The radicand's bits are consumed in pairs, the first pair being its integer part.
    let mut radicand = significand;
    let (mut root, mut rest): (u128, u128) = (0, 0);
    let mut pair = if double { radicand >> 126 } else { radicand >> 127 };
    radicand <<= if double { 2 } else { 1 };
    for _ in 0..bits {
        rest = (rest << 2) | pair;
        let trial = (root << 2) | 1;
        let take = rest >= trial;
        if take {
            rest -= trial;
        }
        root = (root << 1) | u128::from(take);
        pair = radicand >> 126;
        radicand <<= 2;
    }
    let cut = rest != 0 || pair != 0 || radicand != 0;
    (root << root.leading_zeros()) | u128::from(cut)
}

pub(crate) fn fma(layout: Layout, a: u128, b: u128, c: u128, rounding: Rounding) -> Result {
    if let Some(nan) = fma_nan(layout, a, b, c) {
        return nan;
    }
    let ((sign_a, value_a), (sign_b, value_b)) = (layout.unpack(a), layout.unpack(b));
    let negative = sign_a != sign_b;
    let (sign_c, value_c) = layout.unpack(c);
    match (value_a, value_b) {
        (Value::Infinite, _) | (_, Value::Infinite) => {
            add_numbers(layout, layout.infinity(negative), c, rounding)
        }
        (
            Value::Finite { exponent: exponent_a, significand: significand_a },
            Value::Finite { exponent: exponent_b, significand: significand_b },
        ) => {
            let product = Wide::product(negative, exponent_a + exponent_b, significand_a, significand_b);
            match value_c {
                Value::Infinite => exact(c),
                Value::Finite { exponent, significand } => {
                    let addend = Wide { negative: sign_c, exponent, high: significand >> 1, low: 0 };
                    product.add(addend).round(layout, rounding, sign_c)
                }
                _ => product.round(layout, rounding, sign_c),
            }
        }
        _ => add_numbers(layout, layout.zero(negative), c, rounding),
    }
}

/// The NaN that a fused operation returns, if it does. The hardware looks at the second factor first (as glibc
/// calls it) and lets a NaN addend hide a product without value; glibc's software multiplies, then adds.
fn fma_nan(layout: Layout, a: u128, b: u128, c: u128) -> Option<Result> {
    let no_product = matches!(
        (layout.unpack(a).1, layout.unpack(b).1),
        (Value::Infinite, Value::Zero) | (Value::Zero, Value::Infinite)
    );
    let product = if layout.nan_rule == NanRule::First {
        propagate(layout, b, a, Tie::First).or_else(|| propagate_one(layout, c))
    } else {
        propagate(layout, a, b, Tie::First)
    };
    let product = product.or_else(|| no_product.then(|| invalid(layout)));
    match product {
        Some((product, flags)) => {
            let (sum, more) = propagate(layout, product, c, Tie::First).unwrap_or((product, Flags::NONE));
            Some((sum, flags | more))
        }
        None => propagate_one(layout, c),
    }
}

/// A number with 256 bits of significand, the unit at bit 254 (so one bit of room for a carry); the lowest
/// bit may be sticky.
#[derive(Clone, Copy)]
struct Wide {
    negative: bool,
    exponent: i32,
    high: u128,
    low: u128,
}

impl Wide {
    fn product(negative: bool, exponent: i32, a: u128, b: u128) -> Wide {
        let (low, high) = widening_mul(a, b);
        // The product's unit is bit 254 already, but it may reach 4: then halve it (it ends in zeros).
        if high >> 127 != 0 {
            Wide { negative, exponent: exponent + 1, high: high >> 1, low: (high << 127) | (low >> 1) }
        } else {
            Wide { negative, exponent, high, low }
        }
    }

    fn magnitude(self) -> (i32, u128, u128) {
        (self.exponent, self.high, self.low)
    }

    fn shift_right_sticky(self, count: u32) -> (u128, u128) {
        match count {
            0 => (self.high, self.low),
            1..=127 => {
                let low = (self.high << (128 - count)) | (self.low >> count);
                (self.high >> count, low | u128::from(self.low << (128 - count) != 0))
            }
            _ => (0, shift_right_sticky(self.high, count - 128) | u128::from(self.low != 0)),
        }
    }

    /// The sum of two numbers that are not zero; may be zero.
    fn add(self, other: Wide) -> Wide {
        let (large, small) =
            if self.magnitude() >= other.magnitude() { (self, other) } else { (other, self) };
        let (high, low) = small.shift_right_sticky((large.exponent - small.exponent) as u32);
        let (low, carry) = if large.negative == small.negative {
            let (low, carry) = large.low.overflowing_add(low);
            return Wide { high: large.high + high + u128::from(carry), low, ..large };
        } else {
            large.low.overflowing_sub(low)
        };
        Wide { high: large.high - high - u128::from(carry), low, ..large }
    }

    /// Rounds; `sign_c` is the addend's sign, for the sign of an exact zero.
    fn round(self, layout: Layout, rounding: Rounding, sign_c: bool) -> Result {
        if self.high == 0 && self.low == 0 {
            // Cancellation: the terms had opposite signs.
            return zero_sum(layout, !sign_c, sign_c, rounding);
        }
        let (top, rest, zeros) = match self.high.leading_zeros() {
            128 => (self.low << self.low.leading_zeros(), 0, 128 + self.low.leading_zeros()),
            0 => (self.high, self.low, 0),
            zeros => ((self.high << zeros) | (self.low >> (128 - zeros)), self.low << zeros, zeros),
        };
        let exponent = self.exponent + 1 - zeros as i32;
        round_pack(layout, self.negative, exponent, top | u128::from(rest != 0), rounding)
    }
}

pub(crate) fn fmod(layout: Layout, a: u128, b: u128) -> Result {
    if let Some(nan) = propagate(layout, a, b, Tie::First) {
        return nan;
    }
    let ((sign, value_a), (_, value_b)) = (layout.unpack(a), layout.unpack(b));
    match (value_a, value_b) {
        (Value::Infinite, _) | (_, Value::Zero) => invalid(layout),
        (Value::Zero, _) => exact(a),
        // The dividend itself, in its proper encoding.
        (Value::Finite { exponent, significand }, Value::Infinite) => {
            exact(round_pack(layout, sign, exponent, significand, Rounding::TowardZero).0)
        }
        (
            Value::Finite { exponent: exponent_a, significand: significand_a },
            Value::Finite { exponent: exponent_b, significand: significand_b },
        ) => {
            let (exponent, rest) = if exponent_a < exponent_b {
                (exponent_a, significand_a)
            } else {
                (exponent_b, remainder(significand_a, (exponent_a - exponent_b) as u32, significand_b))
            };
            if rest == 0 {
                return exact(layout.zero(sign));
            }
            let zeros = rest.leading_zeros();
            exact(round_pack(layout, sign, exponent - zeros as i32, rest << zeros, Rounding::TowardZero).0)
        }
        _ => unreachable!("NaNs were handled above"),
    }
}

/// `(a * 2^shift) mod b` for `a, b` with the top bit set.
fn remainder(a: u128, shift: u32, b: u128) -> u128 {
    // Significands have at least 15 zeros at the end, and removing them makes room to shift.
    let room = (a | b).trailing_zeros();
    let (mut rest, divisor) = ((a >> room) % (b >> room), b >> room);
    let mut left = shift;
    while left > 0 && rest != 0 {
        let step = left.min(room);
        rest = (rest << step) % divisor;
        left -= step;
    }
    rest << room
}

pub(crate) fn compare(layout: Layout, a: u128, b: u128) -> Option<Ordering> {
    let key = |bits| -> Option<(bool, i32, u128)> {
        let (negative, value) = layout.unpack(bits);
        match value {
            Value::Zero => Some((negative, i32::MIN, 0)),
            Value::Finite { exponent, significand } => Some((negative, exponent, significand)),
            Value::Infinite => Some((negative, i32::MAX, 0)),
            Value::Nan | Value::Unsupported => None,
        }
    };
    let ((negative_a, exponent_a, significand_a), (negative_b, exponent_b, significand_b)) =
        (key(a)?, key(b)?);
    let magnitudes = (exponent_a, significand_a).cmp(&(exponent_b, significand_b));
    Some(match (negative_a, negative_b) {
        _ if exponent_a == i32::MIN && exponent_b == i32::MIN => Ordering::Equal,
        (false, false) => magnitudes,
        (true, true) => magnitudes.reverse(),
        (false, true) => Ordering::Greater,
        (true, false) => Ordering::Less,
    })
}
