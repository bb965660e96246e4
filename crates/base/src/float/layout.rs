// SPDX-License-Identifier: MIT OR Apache-2.0
//! Encodings: where sign, exponent and significand sit, and what the bits mean.
//!
//! The software arithmetic works on a [`Layout`], not on a `Format`, so that tests can run it on an 8-bit
//! format and compare every pair of operands with exact rationals.

use super::Class;
use super::nan::NanRule;

/// The shape of a format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    /// Significant bits, the leading one included.
    pub precision: u32,
    /// Bits of the exponent field.
    pub exponent_bits: u32,
    /// Whether the leading bit of the significand is stored.
    pub explicit_integer_bit: bool,
    /// Which NaN an operation returns.
    pub nan_rule: NanRule,
}

/// A magnitude, unpacked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    Zero,
    /// `significand / 2^127 * 2^exponent`, with the top bit of `significand` set.
    Finite {
        exponent: i32,
        significand: u128,
    },
    Infinite,
    Nan,
    /// An 80-bit pattern that the x87 takes for an invalid operand: the integer bit contradicts the exponent.
    Unsupported,
}

impl Layout {
    pub const F16: Layout = Layout::ieee(11, 5, NanRule::First);
    pub const F32: Layout = Layout::ieee(24, 8, NanRule::First);
    pub const F64: Layout = Layout::ieee(53, 11, NanRule::First);
    pub const X87: Layout =
        Layout { precision: 64, exponent_bits: 15, explicit_integer_bit: true, nan_rule: NanRule::X87 };
    pub const F128: Layout = Layout::ieee(113, 15, NanRule::Libgcc);

    pub const fn ieee(precision: u32, exponent_bits: u32, nan_rule: NanRule) -> Layout {
        Layout { precision, exponent_bits, explicit_integer_bit: false, nan_rule }
    }

    /// Bits of the significand field.
    #[inline]
    pub const fn field_bits(self) -> u32 {
        if self.explicit_integer_bit { self.precision } else { self.precision - 1 }
    }

    #[inline]
    pub const fn width(self) -> u32 {
        1 + self.exponent_bits + self.field_bits()
    }

    #[inline]
    pub const fn mask(self) -> u128 {
        u128::MAX >> (128 - self.width())
    }

    #[inline]
    pub const fn sign_bit(self) -> u128 {
        1 << (self.width() - 1)
    }

    #[inline]
    pub const fn sign(self, bits: u128) -> bool {
        bits & self.sign_bit() != 0
    }

    #[inline]
    pub const fn max_exponent(self) -> i32 {
        (1 << (self.exponent_bits - 1)) - 1
    }

    #[inline]
    pub const fn min_exponent(self) -> i32 {
        1 - self.max_exponent()
    }

    #[inline]
    const fn exponent_field(self, bits: u128) -> u32 {
        (bits >> self.field_bits()) as u32 & self.special_exponent()
    }

    /// The exponent field of infinities and NaNs.
    #[inline]
    const fn special_exponent(self) -> u32 {
        (1 << self.exponent_bits) - 1
    }

    #[inline]
    pub const fn significand_field(self, bits: u128) -> u128 {
        bits & ((1 << self.field_bits()) - 1)
    }

    /// The stored leading bit of a format that stores it, else nothing.
    #[inline]
    const fn integer_bit(self) -> u128 {
        if self.explicit_integer_bit { 1 << (self.precision - 1) } else { 0 }
    }

    #[inline]
    pub const fn quiet_bit(self) -> u128 {
        1 << (self.precision - 2)
    }

    #[inline]
    const fn assemble(self, negative: bool, exponent_field: u32, significand_field: u128) -> u128 {
        self.zero(negative) | ((exponent_field as u128) << self.field_bits()) | significand_field
    }

    #[inline]
    pub const fn zero(self, negative: bool) -> u128 {
        if negative { self.sign_bit() } else { 0 }
    }

    pub const fn infinity(self, negative: bool) -> u128 {
        self.assemble(negative, self.special_exponent(), self.integer_bit())
    }

    pub const fn largest(self, negative: bool) -> u128 {
        self.assemble(negative, self.special_exponent() - 1, (1 << self.field_bits()) - 1)
    }

    pub const fn smallest_normal(self, negative: bool) -> u128 {
        self.assemble(negative, 1, self.integer_bit())
    }

    pub const fn quiet_nan(self, negative: bool, payload: u128) -> u128 {
        let payload = payload & (self.quiet_bit() - 1);
        self.assemble(negative, self.special_exponent(), self.integer_bit() | self.quiet_bit() | payload)
    }

    pub const fn signaling_nan(self, negative: bool, payload: u128) -> u128 {
        let payload = payload & (self.quiet_bit() - 1);
        let payload = if payload == 0 { 1 } else { payload };
        self.assemble(negative, self.special_exponent(), self.integer_bit() | payload)
    }

    /// What an operation without a result returns on x86: negative, quiet, no payload.
    pub const fn default_nan(self) -> u128 {
        self.quiet_nan(true, 0)
    }

    /// The encoding of a finite value: `significand` has the leading bit at `precision - 1`, or a lower one if
    /// `exponent` is the smallest.
    #[inline]
    pub const fn pack(self, negative: bool, exponent: i32, significand: u128) -> u128 {
        let leading = 1 << (self.precision - 1);
        if significand < leading {
            return self.assemble(negative, 0, significand);
        }
        let field = if self.explicit_integer_bit { significand } else { significand ^ leading };
        self.assemble(negative, (exponent + self.max_exponent()) as u32, field)
    }

    /// Sign and value of an encoding.
    #[inline]
    pub fn unpack(self, bits: u128) -> (bool, Value) {
        let (field, exponent) = (self.significand_field(bits), self.exponent_field(bits));
        let value = if exponent == self.special_exponent() {
            self.unpack_special(field)
        } else if exponent == 0 {
            if field == 0 { Value::Zero } else { self.normalise(field, self.min_exponent()) }
        } else if !self.explicit_integer_bit {
            self.normalise(field | (1 << (self.precision - 1)), exponent as i32 - self.max_exponent())
        } else if field & self.integer_bit() != 0 {
            self.normalise(field, exponent as i32 - self.max_exponent())
        } else {
            Value::Unsupported
        };
        (self.sign(bits), value)
    }

    fn unpack_special(self, field: u128) -> Value {
        if field & self.integer_bit() != self.integer_bit() {
            Value::Unsupported
        } else if field == self.integer_bit() {
            Value::Infinite
        } else {
            Value::Nan
        }
    }

    /// A value whose significand has its unit at bit `precision - 1`.
    #[inline]
    fn normalise(self, significand: u128, exponent: i32) -> Value {
        let zeros = significand.leading_zeros();
        let exponent = exponent - (zeros as i32 - (128 - self.precision) as i32);
        Value::Finite { exponent, significand: significand << zeros }
    }

    pub fn classify(self, bits: u128) -> Class {
        match self.unpack(bits).1 {
            Value::Zero => Class::Zero,
            Value::Finite { exponent, .. } if exponent < self.min_exponent() => Class::Subnormal,
            Value::Finite { .. } => Class::Normal,
            Value::Infinite => Class::Infinite,
            Value::Nan | Value::Unsupported => Class::Nan,
        }
    }

    pub fn is_signaling(self, bits: u128) -> bool {
        match self.unpack(bits).1 {
            Value::Nan => bits & self.quiet_bit() == 0,
            Value::Unsupported => true,
            _ => false,
        }
    }
}
