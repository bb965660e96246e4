// SPDX-License-Identifier: MIT OR Apache-2.0
//! binary32 and binary64, rounded to nearest, through the host's own arithmetic.
//!
//! The host's result is taken where IEEE leaves no choice: normal numbers, infinities from overflow excepted.
//! NaNs (whose sign and payload differ between hosts), overflow and tiny results go to the software, which
//! also gives their flags. What remains is to find out whether a normal result is exact, which integer
//! arithmetic on the significands decides without touching the host's flags.

use super::layout::Layout;
use super::round::{Flags, Rounding};
use super::soft;

/// The odd part of the significand of a finite number that is not zero: `x = odd_part(x) * 2^k`.
#[inline]
fn odd_part_f64(x: f64) -> u64 {
    let bits = x.to_bits();
    let field = bits & ((1 << 52) - 1);
    let significand = if (bits >> 52) & 0x7ff == 0 { field } else { field | 1 << 52 };
    significand >> significand.trailing_zeros()
}

/// Whether a result is one that only the software judges: NaN, infinite, subnormal, zero, or the smallest
/// normal number (to which a tiny one may have been rounded).
#[inline]
fn is_delicate_f64(x: f64) -> bool {
    !(x.abs() > f64::MIN_POSITIVE && x.abs() < f64::INFINITY)
}

#[inline]
fn is_delicate_f32(x: f32) -> bool {
    !(x.abs() > f32::MIN_POSITIVE && x.abs() < f32::INFINITY)
}

type Soft = fn(Layout, u128, u128, Rounding) -> (u128, Flags);

#[cold]
fn soft_f64(op: Soft, a: f64, b: f64) -> (f64, Flags) {
    let (bits, flags) =
        op(Layout::F64, u128::from(a.to_bits()), u128::from(b.to_bits()), Rounding::NearestEven);
    (f64::from_bits(bits as u64), flags)
}

#[cold]
fn soft_f32(op: Soft, a: f32, b: f32) -> (f32, Flags) {
    let (bits, flags) =
        op(Layout::F32, u128::from(a.to_bits()), u128::from(b.to_bits()), Rounding::NearestEven);
    (f32::from_bits(bits as u32), flags)
}

/// The rounding error of `sum = a + b` is not zero (Knuth's TwoSum; all numbers finite).
macro_rules! sum_is_inexact {
    ($a:expr, $b:expr, $sum:expr) => {{
        let b_part = $sum - $a;
        let a_part = $sum - b_part;
        ($a - a_part) + ($b - b_part) != 0.0
    }};
}

/// `a + b`
#[inline]
pub fn add_f64(a: f64, b: f64) -> (f64, Flags) {
    let sum = a + b;
    if sum == 0.0 {
        // A zero sum is exact, and its sign is IEEE's.
        return (sum, Flags::NONE);
    }
    // From 2^1022 on the error terms themselves may overflow.
    if is_delicate_f64(sum) || sum.abs() >= f64::MAX / 4.0 || a.abs() >= f64::MAX / 4.0 {
        return soft_f64(soft::add, a, b);
    }
    (sum, Flags::inexact_if(sum_is_inexact!(a, b, sum)))
}

/// `a + b`
#[inline]
pub fn add_f32(a: f32, b: f32) -> (f32, Flags) {
    let sum = a + b;
    if sum == 0.0 {
        return (sum, Flags::NONE);
    }
    if is_delicate_f32(sum) || sum.abs() >= f32::MAX / 4.0 || a.abs() >= f32::MAX / 4.0 {
        return soft_f32(soft::add, a, b);
    }
    (sum, Flags::inexact_if(sum_is_inexact!(a, b, sum)))
}

/// `a - b`
#[inline]
pub fn sub_f64(a: f64, b: f64) -> (f64, Flags) {
    // Negation is exact for numbers; a NaN operand must keep its sign.
    if b.is_nan() { soft_f64(soft::sub, a, b) } else { add_f64(a, -b) }
}

/// `a - b`
#[inline]
pub fn sub_f32(a: f32, b: f32) -> (f32, Flags) {
    if b.is_nan() { soft_f32(soft::sub, a, b) } else { add_f32(a, -b) }
}

/// `a * b`
#[inline]
pub fn mul_f64(a: f64, b: f64) -> (f64, Flags) {
    let product = a * b;
    if is_delicate_f64(product) {
        let exact_zero = (a == 0.0 || b == 0.0) && product == 0.0;
        return if exact_zero { (product, Flags::NONE) } else { soft_f64(soft::mul, a, b) };
    }
    let exact = u128::from(odd_part_f64(a)) * u128::from(odd_part_f64(b));
    (product, Flags::inexact_if(exact >> 53 != 0))
}

/// `a * b`
#[inline]
pub fn mul_f32(a: f32, b: f32) -> (f32, Flags) {
    let product = a * b;
    if is_delicate_f32(product) {
        let exact_zero = (a == 0.0 || b == 0.0) && product == 0.0;
        return if exact_zero { (product, Flags::NONE) } else { soft_f32(soft::mul, a, b) };
    }
    // 24 bits times 24 bits fit the 53 of a double.
    (product, Flags::inexact_if(f64::from(product) != f64::from(a) * f64::from(b)))
}

/// `a / b`
#[inline]
pub fn div_f64(a: f64, b: f64) -> (f64, Flags) {
    let quotient = a / b;
    if is_delicate_f64(quotient) {
        let exact_zero = a == 0.0 && quotient == 0.0;
        return if exact_zero { (quotient, Flags::NONE) } else { soft_f64(soft::div, a, b) };
    }
    // The quotient is exact iff it gives back the dividend; the exponents agree of themselves.
    let back = u128::from(odd_part_f64(quotient)) * u128::from(odd_part_f64(b));
    (quotient, Flags::inexact_if(back != u128::from(odd_part_f64(a))))
}

/// `a / b`
#[inline]
pub fn div_f32(a: f32, b: f32) -> (f32, Flags) {
    let quotient = a / b;
    if is_delicate_f32(quotient) {
        let exact_zero = a == 0.0 && quotient == 0.0;
        return if exact_zero { (quotient, Flags::NONE) } else { soft_f32(soft::div, a, b) };
    }
    (quotient, Flags::inexact_if(f64::from(quotient) * f64::from(b) != f64::from(a)))
}

/// `sqrt(a)`
#[inline]
pub fn sqrt_f64(a: f64) -> (f64, Flags) {
    let root = a.sqrt();
    if is_delicate_f64(root) {
        return soft_f64(|layout, a, _, rounding| soft::sqrt(layout, a, rounding), a, a);
    }
    let square = u128::from(odd_part_f64(root)) * u128::from(odd_part_f64(root));
    (root, Flags::inexact_if(square != u128::from(odd_part_f64(a))))
}

/// `sqrt(a)`
#[inline]
pub fn sqrt_f32(a: f32) -> (f32, Flags) {
    let root = a.sqrt();
    if is_delicate_f32(root) {
        return soft_f32(|layout, a, _, rounding| soft::sqrt(layout, a, rounding), a, a);
    }
    (root, Flags::inexact_if(f64::from(root) * f64::from(root) != f64::from(a)))
}
