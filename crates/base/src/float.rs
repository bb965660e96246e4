// SPDX-License-Identifier: MIT OR Apache-2.0
//! IEEE floats as C programs on x86-64 meet them: value, sign and payload of NaN, and exception flags.
//!
//! A [`Float`] is a format and a bit pattern. Every rounding operation takes the rounding mode and returns
//! the flags it raises. One software implementation (`soft`) serves all formats; the usual case, binary32
//! and binary64 rounded to nearest, takes a short cut through the host's own arithmetic ([`native`]) and
//! falls back to software wherever a NaN or a tiny result makes the host's answer depend on the host.
//!
//! NaN results follow the machine that computes the format: SSE for binary32 and binary64, the x87 for
//! 80-bit floats, libgcc for binary128 (see `nan`).

mod convert;
mod exact;
#[cfg(test)]
mod exhaustive;
mod layout;
mod nan;
pub mod native;
mod round;
mod soft;
pub mod text;

pub use convert::NotRepresentable;
pub use round::{Flags, Rounding};

use std::cmp::Ordering;
use std::fmt;
use std::ops::Neg;

use serde::{Deserialize, Serialize};

use layout::{Layout, Value};

/// A floating-point format.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Format {
    /// binary16, `_Float16`
    F16,
    /// binary32, `float`
    F32,
    /// binary64, `double`
    F64,
    /// The 80-bit format of the x87 with its explicit integer bit, `long double` on x86.
    X87,
    /// binary128, `_Float128`
    F128,
}

impl Format {
    pub(crate) const fn layout(self) -> Layout {
        match self {
            Format::F16 => Layout::F16,
            Format::F32 => Layout::F32,
            Format::F64 => Layout::F64,
            Format::X87 => Layout::X87,
            Format::F128 => Layout::F128,
        }
    }

    /// Bits of the encoding (80 for the x87 format, whatever its size in memory).
    pub const fn bits(self) -> u32 {
        self.layout().width()
    }

    /// Bits of precision, the leading one included (`FLT_MANT_DIG`).
    pub const fn precision(self) -> u32 {
        self.layout().precision
    }

    /// The largest exponent `e` of a finite value `1.x * 2^e` (`FLT_MAX_EXP - 1`).
    pub const fn max_exponent(self) -> i32 {
        self.layout().max_exponent()
    }

    /// The smallest exponent `e` of a normal value `1.x * 2^e` (`FLT_MIN_EXP - 1`).
    pub const fn min_exponent(self) -> i32 {
        self.layout().min_exponent()
    }
}

/// What kind of value a float is, as `fpclassify` sorts them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Class {
    /// Not a number. The 80-bit patterns that the x87 refuses (unnormals and the like) are here too.
    Nan,
    /// Infinite.
    Infinite,
    /// Zero.
    Zero,
    /// Below the smallest normal value.
    Subnormal,
    /// Everything else.
    Normal,
}

/// A floating-point value: a format and its bits. Equality is of bits; see [`Float::compare`] for C's `==`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Float {
    format: Format,
    bits: u128,
}

impl Float {
    /// The value with this encoding; bits beyond the format's width are dropped.
    #[inline]
    pub const fn from_bits(format: Format, bits: u128) -> Float {
        Float { format, bits: bits & format.layout().mask() }
    }

    /// A `float`.
    #[inline]
    pub const fn from_f32(value: f32) -> Float {
        Float { format: Format::F32, bits: value.to_bits() as u128 }
    }

    /// A `double`.
    #[inline]
    pub const fn from_f64(value: f64) -> Float {
        Float { format: Format::F64, bits: value.to_bits() as u128 }
    }

    /// The nearest `float`.
    #[inline]
    pub fn to_f32(self) -> f32 {
        f32::from_bits(self.convert(Format::F32, Rounding::NearestEven).0.bits as u32)
    }

    /// The nearest `double`.
    #[inline]
    pub fn to_f64(self) -> f64 {
        f64::from_bits(self.convert(Format::F64, Rounding::NearestEven).0.bits as u64)
    }

    /// Positive or negative zero.
    pub const fn zero(format: Format, negative: bool) -> Float {
        Float { format, bits: format.layout().zero(negative) }
    }

    /// An infinity.
    pub const fn infinity(format: Format, negative: bool) -> Float {
        Float { format, bits: format.layout().infinity(negative) }
    }

    /// The largest finite value.
    pub const fn largest(format: Format, negative: bool) -> Float {
        Float { format, bits: format.layout().largest(negative) }
    }

    /// The smallest normal value.
    pub const fn smallest_normal(format: Format, negative: bool) -> Float {
        Float { format, bits: format.layout().smallest_normal(negative) }
    }

    /// The quiet NaN with this sign and payload (what fits of it). `(false, 0)` is glibc's `NAN`;
    /// the default NaN of x86 operations has its sign set.
    pub const fn nan(format: Format, negative: bool, payload: u128) -> Float {
        Float { format, bits: format.layout().quiet_nan(negative, payload) }
    }

    /// The signalling NaN with this sign and payload; a payload of zero becomes one, since zero would be infinity.
    pub const fn signaling_nan(format: Format, negative: bool, payload: u128) -> Float {
        Float { format, bits: format.layout().signaling_nan(negative, payload) }
    }

    /// The format.
    #[inline]
    pub const fn format(self) -> Format {
        self.format
    }

    /// The encoding.
    #[inline]
    pub const fn to_bits(self) -> u128 {
        self.bits
    }

    #[inline]
    const fn layout(self) -> Layout {
        self.format.layout()
    }

    /// Whether the sign bit is set, also of zeros and NaNs.
    #[inline]
    pub const fn is_negative(self) -> bool {
        self.layout().sign(self.bits)
    }

    /// What kind of value this is.
    pub fn classify(self) -> Class {
        self.layout().classify(self.bits)
    }

    /// Whether this is a NaN of any kind.
    #[inline]
    pub fn is_nan(self) -> bool {
        self.classify() == Class::Nan
    }

    /// Whether this is a NaN that raises invalid when used (or an 80-bit pattern that does).
    pub fn is_signaling(self) -> bool {
        self.layout().is_signaling(self.bits)
    }

    /// Whether this is infinite.
    pub fn is_infinite(self) -> bool {
        self.classify() == Class::Infinite
    }

    /// Whether this is a number and not infinite.
    pub fn is_finite(self) -> bool {
        !matches!(self.classify(), Class::Nan | Class::Infinite)
    }

    /// Whether this is zero of either sign.
    #[inline]
    pub fn is_zero(self) -> bool {
        self.bits & !self.layout().sign_bit() == 0
    }

    /// The value of a finite number: sign, and `(m, e)` with the magnitude `m * 2^e`, `m` odd or zero.
    pub fn decompose(self) -> Option<(bool, u128, i32)> {
        let negative = self.is_negative();
        match self.layout().unpack(self.bits).1 {
            Value::Zero => Some((negative, 0, 0)),
            Value::Finite { exponent, significand } => {
                let zeros = significand.trailing_zeros();
                Some((negative, significand >> zeros, exponent - 127 + zeros as i32))
            }
            Value::Infinite | Value::Nan | Value::Unsupported => None,
        }
    }

    /// The magnitude. Raises nothing, not even on NaN.
    #[inline]
    pub const fn abs(self) -> Float {
        Float { bits: self.bits & !self.layout().sign_bit(), ..self }
    }

    /// This magnitude with the sign of `sign`. Raises nothing.
    #[inline]
    pub const fn copysign(self, sign: Float) -> Float {
        let bits = self.bits & !self.layout().sign_bit();
        Float { bits: if sign.is_negative() { bits | self.layout().sign_bit() } else { bits }, ..self }
    }

    /// `self + other`
    #[inline]
    pub fn add(self, other: Float, rounding: Rounding) -> (Float, Flags) {
        self.binary(other, rounding, native::add_f32, native::add_f64, soft::add)
    }

    /// `self - other`
    #[inline]
    pub fn sub(self, other: Float, rounding: Rounding) -> (Float, Flags) {
        self.binary(other, rounding, native::sub_f32, native::sub_f64, soft::sub)
    }

    /// `self * other`
    #[inline]
    pub fn mul(self, other: Float, rounding: Rounding) -> (Float, Flags) {
        self.binary(other, rounding, native::mul_f32, native::mul_f64, soft::mul)
    }

    /// `self / other`
    #[inline]
    pub fn div(self, other: Float, rounding: Rounding) -> (Float, Flags) {
        self.binary(other, rounding, native::div_f32, native::div_f64, soft::div)
    }

    #[inline]
    fn binary(
        self,
        other: Float,
        rounding: Rounding,
        native_f32: impl Fn(f32, f32) -> (f32, Flags),
        native_f64: impl Fn(f64, f64) -> (f64, Flags),
        soft: impl Fn(Layout, u128, u128, Rounding) -> (u128, Flags),
    ) -> (Float, Flags) {
        debug_assert_eq!(self.format, other.format);
        match (self.format, rounding) {
            (Format::F64, Rounding::NearestEven) => {
                let (value, flags) =
                    native_f64(f64::from_bits(self.bits as u64), f64::from_bits(other.bits as u64));
                (Float::from_f64(value), flags)
            }
            (Format::F32, Rounding::NearestEven) => {
                let (value, flags) =
                    native_f32(f32::from_bits(self.bits as u32), f32::from_bits(other.bits as u32));
                (Float::from_f32(value), flags)
            }
            _ => {
                let (bits, flags) = soft(self.layout(), self.bits, other.bits, rounding);
                (Float { bits, ..self }, flags)
            }
        }
    }

    /// `sqrt(self)`
    #[inline]
    pub fn sqrt(self, rounding: Rounding) -> (Float, Flags) {
        match (self.format, rounding) {
            (Format::F64, Rounding::NearestEven) => {
                let (value, flags) = native::sqrt_f64(f64::from_bits(self.bits as u64));
                (Float::from_f64(value), flags)
            }
            (Format::F32, Rounding::NearestEven) => {
                let (value, flags) = native::sqrt_f32(f32::from_bits(self.bits as u32));
                (Float::from_f32(value), flags)
            }
            _ => {
                let (bits, flags) = soft::sqrt(self.layout(), self.bits, rounding);
                (Float { bits, ..self }, flags)
            }
        }
    }

    /// `self * factor + addend` with one rounding.
    pub fn fma(self, factor: Float, addend: Float, rounding: Rounding) -> (Float, Flags) {
        debug_assert!(self.format == factor.format && self.format == addend.format);
        let (bits, flags) = soft::fma(self.layout(), self.bits, factor.bits, addend.bits, rounding);
        (Float { bits, ..self }, flags)
    }

    /// C's `fmod`: always exact, so no rounding mode.
    pub fn fmod(self, other: Float) -> (Float, Flags) {
        debug_assert_eq!(self.format, other.format);
        let (bits, flags) = soft::fmod(self.layout(), self.bits, other.bits);
        (Float { bits, ..self }, flags)
    }

    /// The order of two values; none if either is NaN.
    #[inline]
    pub fn compare(self, other: Float) -> Option<Ordering> {
        debug_assert_eq!(self.format, other.format);
        match self.format {
            Format::F64 => f64::from_bits(self.bits as u64).partial_cmp(&f64::from_bits(other.bits as u64)),
            Format::F32 => f32::from_bits(self.bits as u32).partial_cmp(&f32::from_bits(other.bits as u32)),
            _ => soft::compare(self.layout(), self.bits, other.bits),
        }
    }

    /// [`Float::compare`] as `<`, `<=`, `>` and `>=` do it: any NaN raises invalid.
    #[inline]
    pub fn compare_ordered(self, other: Float) -> (Option<Ordering>, Flags) {
        let order = self.compare(other);
        (order, if order.is_none() { Flags::INVALID } else { Flags::NONE })
    }

    /// [`Float::compare`] as `==`, `!=` and `isless` and its kin do it: only a signalling NaN raises invalid.
    #[inline]
    pub fn compare_quiet(self, other: Float) -> (Option<Ordering>, Flags) {
        let order = self.compare(other);
        let signals = order.is_none() && (self.is_signaling() || other.is_signaling());
        (order, if signals { Flags::INVALID } else { Flags::NONE })
    }
}

impl Neg for Float {
    type Output = Float;
    /// The value with its sign flipped. Raises nothing, not even on NaN.
    #[inline]
    fn neg(self) -> Float {
        Float { bits: self.bits ^ self.layout().sign_bit(), ..self }
    }
}

impl fmt::Debug for Float {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}(0x{:0width$x})", self.format, self.bits, width = self.format.bits() as usize / 4)
    }
}
