// SPDX-License-Identifier: MIT OR Apache-2.0
//! Infinite precision, as far as two 128-bit operands of different types can need it.

use super::IntType;

/// The operations with a `__builtin_*_overflow` form.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArithOp {
    /// `a + b`
    Add,
    /// `a - b`
    Sub,
    /// `a * b`
    Mul,
}

/// A mathematical integer below 2^256 in magnitude.
#[derive(Clone, Copy)]
struct Exact {
    negative: bool,
    high: u128,
    low: u128,
}

impl Exact {
    fn new(value: i128, ty: IntType) -> Exact {
        let negative = ty.signed && value < 0;
        Exact { negative, high: 0, low: if negative { value.unsigned_abs() } else { value as u128 } }
    }

    fn negate(self) -> Exact {
        Exact { negative: !self.negative, ..self }
    }

    /// Sum of two numbers below 2^128 in magnitude.
    fn add(self, other: Exact) -> Exact {
        if self.negative == other.negative {
            let (low, carry) = self.low.overflowing_add(other.low);
            Exact { negative: self.negative, high: u128::from(carry), low }
        } else if self.low >= other.low {
            Exact { negative: self.negative, high: 0, low: self.low - other.low }
        } else {
            Exact { negative: other.negative, high: 0, low: other.low - self.low }
        }
    }

    /// Product of two numbers below 2^128 in magnitude.
    fn mul(self, other: Exact) -> Exact {
        let (low, high) = widening_mul(self.low, other.low);
        Exact { negative: self.negative != other.negative, high, low }
    }

    fn fits(self, ty: IntType) -> bool {
        let limit = if self.negative { ty.min().unsigned_abs() } else { ty.to_bits(ty.max()) };
        self.high == 0 && self.low <= limit
    }
}

/// The full product of two 128-bit numbers: low half, high half.
pub(crate) const fn widening_mul(a: u128, b: u128) -> (u128, u128) {
    const LOW: u128 = u64::MAX as u128;
    let (a1, a0, b1, b0) = (a >> 64, a & LOW, b >> 64, b & LOW);
    let (ll, lh, hl, hh) = (a0 * b0, a0 * b1, a1 * b0, a1 * b1);
    let middle = (ll >> 64) + (lh & LOW) + (hl & LOW);
    let low = (middle << 64) | (ll & LOW);
    (low, hh + (lh >> 64) + (hl >> 64) + (middle >> 64))
}

/// The meaning of `__builtin_add_overflow` and its kin: the operands are taken as mathematical numbers
/// whatever their types, the exact result is converted to `dest`, and the flag says whether that changed it.
#[inline]
pub fn overflows(op: ArithOp, a: (i128, IntType), b: (i128, IntType), dest: IntType) -> (i128, bool) {
    // Canonical values are congruent to the numbers they stand for modulo 2^128, so wrapping is exact here.
    let (wrapped, exact): (i128, fn(Exact, Exact) -> Exact) = match op {
        ArithOp::Add => (a.0.wrapping_add(b.0), Exact::add),
        ArithOp::Sub => (a.0.wrapping_sub(b.0), |a, b| a.add(b.negate())),
        ArithOp::Mul => (a.0.wrapping_mul(b.0), Exact::mul),
    };
    let exact = exact(Exact::new(a.0, a.1), Exact::new(b.0, b.1));
    (dest.wrap(wrapped), !exact.fits(dest))
}
