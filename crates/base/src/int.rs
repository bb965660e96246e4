// SPDX-License-Identifier: MIT OR Apache-2.0
//! C integers of 1 to 128 bits: what the machine computes, and whether that is what mathematics says.
//!
//! A value is an `i128` in *canonical* form for its [`IntType`]: signed types are sign-extended, unsigned
//! types are zero-extended. A 128-bit unsigned value does not fit an `i128`, so it is stored as its bit
//! pattern: values from 2^127 on look negative. Everything here knows that; code elsewhere must compare
//! with [`IntType::compare`] and print with [`IntType::display`] rather than look at the `i128`.
//!
//! Every operation expects canonical operands and returns canonical results. What C calls undefined is
//! returned beside the wrapped value, never instead of a decision: the caller knows the language mode.

mod bits;
mod exact;
#[cfg(test)]
mod tests;

pub(crate) use exact::widening_mul;
pub use exact::{ArithOp, overflows};

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};

/// An integer type: a width and a signedness.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct IntType {
    /// Width in bits, 1 to 128.
    pub bits: u16,
    /// Two's complement if set, else plain binary.
    pub signed: bool,
}

/// Why a division has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DivError {
    /// The divisor is zero.
    DivisionByZero,
    /// The most negative value divided by -1; C makes the remainder undefined as well.
    Overflow,
}

/// The shift count is negative or not less than the width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShiftOutOfRange;

/// A left shift by a count in range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shl {
    /// The low bits, as the machine keeps them.
    pub value: i128,
    /// A signed left operand was negative: undefined before C23.
    pub negative: bool,
    /// `a * 2^count` does not fit the type. For unsigned types that is defined; for signed ones it is
    /// undefined (C99, C11 6.5.7), and shifting a one into the sign bit counts.
    pub lost: bool,
}

impl IntType {
    /// `_Bool` as a bit pattern. Note that converting *to* `_Bool` in C tests against zero, see [`IntType::wrap`].
    pub const BOOL: IntType = IntType::unsigned(1);
    /// `signed char`
    pub const I8: IntType = IntType::signed(8);
    /// `unsigned char`
    pub const U8: IntType = IntType::unsigned(8);
    /// 16 bits, signed
    pub const I16: IntType = IntType::signed(16);
    /// 16 bits, unsigned
    pub const U16: IntType = IntType::unsigned(16);
    /// 32 bits, signed
    pub const I32: IntType = IntType::signed(32);
    /// 32 bits, unsigned
    pub const U32: IntType = IntType::unsigned(32);
    /// 64 bits, signed
    pub const I64: IntType = IntType::signed(64);
    /// 64 bits, unsigned
    pub const U64: IntType = IntType::unsigned(64);
    /// `__int128`
    pub const I128: IntType = IntType::signed(128);
    /// `unsigned __int128`
    pub const U128: IntType = IntType::unsigned(128);

    /// The two's complement type of `bits` bits.
    pub const fn signed(bits: u16) -> IntType {
        IntType { bits, signed: true }
    }

    /// The unsigned type of `bits` bits.
    pub const fn unsigned(bits: u16) -> IntType {
        IntType { bits, signed: false }
    }

    /// How far a value sits from the top of an `i128`.
    #[inline]
    const fn slack(self) -> u32 {
        debug_assert!(self.bits >= 1 && self.bits <= 128);
        128 - self.bits as u32
    }

    /// The value modulo 2^bits, canonical. This is C's conversion to every type but `_Bool`, if the operand
    /// is congruent to the mathematical value modulo 2^128, as all canonical values are.
    #[inline]
    pub const fn wrap(self, value: i128) -> i128 {
        let slack = self.slack();
        if self.signed { (value << slack) >> slack } else { (((value as u128) << slack) >> slack) as i128 }
    }

    /// Whether `value` is in canonical form for this type.
    #[inline]
    pub const fn is_canonical(self, value: i128) -> bool {
        self.wrap(value) == value
    }

    /// The bits of a canonical value, zero-extended.
    #[inline]
    pub const fn to_bits(self, value: i128) -> u128 {
        ((value as u128) << self.slack()) >> self.slack()
    }

    /// The smallest value.
    #[inline]
    pub const fn min(self) -> i128 {
        if self.signed { i128::MIN >> self.slack() } else { 0 }
    }

    /// The largest value, canonical (so -1, all ones, for the unsigned type of 128 bits).
    #[inline]
    pub const fn max(self) -> i128 {
        if self.signed { i128::MAX >> self.slack() } else { (u128::MAX >> self.slack()) as i128 }
    }

    /// The unsigned type for which an `i128` is only a bit pattern.
    #[inline]
    const fn is_u128(self) -> bool {
        self.bits == 128 && !self.signed
    }

    /// Sum, and whether it had to be wrapped.
    #[inline]
    pub const fn add(self, a: i128, b: i128) -> (i128, bool) {
        let value = self.wrap(a.wrapping_add(b));
        let overflowed = if !self.signed {
            (value as u128) < a as u128
        } else if self.bits == 128 {
            a.checked_add(b).is_none()
        } else {
            value != a + b
        };
        (value, overflowed)
    }

    /// Difference, and whether it had to be wrapped.
    #[inline]
    pub const fn sub(self, a: i128, b: i128) -> (i128, bool) {
        let value = self.wrap(a.wrapping_sub(b));
        let overflowed = if !self.signed {
            (a as u128) < b as u128
        } else if self.bits == 128 {
            a.checked_sub(b).is_none()
        } else {
            value != a - b
        };
        (value, overflowed)
    }

    /// Product, and whether it had to be wrapped.
    #[inline]
    pub fn mul(self, a: i128, b: i128) -> (i128, bool) {
        if self.bits > 64 {
            return overflows(ArithOp::Mul, (a, self), (b, self), self);
        }
        if self.signed {
            let exact = i128::from(a as i64) * i128::from(b as i64);
            let value = self.wrap(exact);
            (value, value != exact)
        } else {
            let exact = u128::from(a as u64) * u128::from(b as u64);
            let value = self.wrap(exact as i128);
            (value, value as u128 != exact)
        }
    }

    /// `-a`, and whether it had to be wrapped (for an unsigned type: whenever `a` is not zero).
    #[inline]
    pub const fn neg(self, a: i128) -> (i128, bool) {
        self.sub(0, a)
    }

    /// Quotient, truncated toward zero.
    #[inline]
    pub const fn div(self, a: i128, b: i128) -> Result<i128, DivError> {
        match self.division_error(a, b) {
            Some(error) => Err(error),
            None if self.is_u128() => Ok((a as u128 / b as u128) as i128),
            None => Ok(a / b),
        }
    }

    /// Remainder, with the sign of the dividend. Fails exactly when the quotient does (C11 6.5.5p6).
    #[inline]
    pub const fn rem(self, a: i128, b: i128) -> Result<i128, DivError> {
        match self.division_error(a, b) {
            Some(error) => Err(error),
            None if self.is_u128() => Ok((a as u128 % b as u128) as i128),
            None => Ok(a % b),
        }
    }

    #[inline]
    const fn division_error(self, a: i128, b: i128) -> Option<DivError> {
        if b == 0 {
            Some(DivError::DivisionByZero)
        } else if self.signed && b == -1 && a == self.min() {
            Some(DivError::Overflow)
        } else {
            None
        }
    }

    #[inline]
    const fn shift_count(self, count: i128) -> Result<u32, ShiftOutOfRange> {
        if count >= 0 && count < self.bits as i128 { Ok(count as u32) } else { Err(ShiftOutOfRange) }
    }

    /// Left shift. `self` is the promoted type of the left operand; the count may have any type.
    #[inline]
    pub const fn shl(self, a: i128, count: i128) -> Result<Shl, ShiftOutOfRange> {
        let count = match self.shift_count(count) {
            Ok(count) => count,
            Err(error) => return Err(error),
        };
        let value = self.wrap(a << count);
        let back = if self.signed { value >> count } else { (value as u128 >> count) as i128 };
        Ok(Shl { value, negative: self.signed && a < 0, lost: back != a })
    }

    /// Right shift: arithmetic for signed types (as every compiler we follow defines it), logical for unsigned.
    #[inline]
    pub const fn shr(self, a: i128, count: i128) -> Result<i128, ShiftOutOfRange> {
        match self.shift_count(count) {
            Err(error) => Err(error),
            Ok(count) if self.signed => Ok(a >> count),
            Ok(count) => Ok((a as u128 >> count) as i128),
        }
    }

    /// Bitwise and.
    #[inline]
    pub const fn and(self, a: i128, b: i128) -> i128 {
        a & b
    }

    /// Bitwise or.
    #[inline]
    pub const fn or(self, a: i128, b: i128) -> i128 {
        a | b
    }

    /// Bitwise exclusive or.
    #[inline]
    pub const fn xor(self, a: i128, b: i128) -> i128 {
        a ^ b
    }

    /// Bitwise complement.
    #[inline]
    pub const fn not(self, a: i128) -> i128 {
        self.wrap(!a)
    }

    /// Order of two values as numbers.
    #[inline]
    pub fn compare(self, a: i128, b: i128) -> Ordering {
        if self.is_u128() { (a as u128).cmp(&(b as u128)) } else { a.cmp(&b) }
    }

    /// Conversion of a value of this type to another, and whether the number stayed the same.
    #[inline]
    pub const fn convert(self, value: i128, to: IntType) -> (i128, bool) {
        let converted = to.wrap(value);
        // A negative i128 is a negative number, except in the one type where it is a large one.
        let same_reading = value >= 0 || self.is_u128() == to.is_u128();
        (converted, converted == value && same_reading)
    }

    /// Prints a canonical value as the number it stands for.
    pub const fn display(self, value: i128) -> DisplayInt {
        DisplayInt { ty: self, value }
    }
}

/// A value that prints as the number it stands for, see [`IntType::display`].
#[derive(Clone, Copy, Debug)]
pub struct DisplayInt {
    ty: IntType,
    value: i128,
}

impl fmt::Display for DisplayInt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ty.is_u128() { (self.value as u128).fmt(f) } else { self.value.fmt(f) }
    }
}

impl fmt::Display for IntType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.signed { 'i' } else { 'u' }, self.bits)
    }
}

impl fmt::Debug for IntType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
