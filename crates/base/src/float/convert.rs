// SPDX-License-Identifier: MIT OR Apache-2.0
//! Conversions between formats and to and from integers.

mod x86;

use super::layout::{Layout, Value};
use super::nan::propagate_one;
use super::round::{Flags, Rounding, round_pack};
use super::{Float, Format};
use crate::int::IntType;

/// Why C gives a conversion to an integer no meaning (C11 6.3.1.4).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotRepresentable {
    /// The operand is a NaN.
    Nan,
    /// The truncated value does not fit the type, or is infinite.
    OutOfRange,
}

impl Float {
    /// The value in another format. A conversion to the same format changes and raises nothing.
    #[inline]
    pub fn convert(self, to: Format, rounding: Rounding) -> (Float, Flags) {
        if self.format == to {
            return (self, Flags::NONE);
        }
        let nearest = rounding == Rounding::NearestEven;
        if self.format == Format::F32 && to == Format::F64 {
            let value = f32::from_bits(self.bits as u32);
            if !value.is_nan() {
                return (Float::from_f64(f64::from(value)), Flags::NONE);
            }
        } else if self.format == Format::F64 && to == Format::F32 && nearest {
            let value = f64::from_bits(self.bits as u64);
            let narrow = value as f32;
            // Tiny and overflowing results, and NaNs, have more to say than whether they are exact.
            if narrow.abs() > f32::MIN_POSITIVE && narrow.abs() < f32::INFINITY {
                return (Float::from_f32(narrow), Flags::inexact_if(f64::from(narrow) != value));
            }
        }
        let (bits, flags) = convert_bits(self.layout(), self.bits, to.layout(), rounding);
        (Float { format: to, bits }, flags)
    }

    /// An integer as a float. `value` is canonical for `ty`.
    #[inline]
    pub fn from_int(format: Format, value: i128, ty: IntType, rounding: Rounding) -> (Float, Flags) {
        let negative = ty.signed && value < 0;
        let magnitude = if negative { value.unsigned_abs() } else { value as u128 };
        if magnitude == 0 {
            return (Float::zero(format, false), Flags::NONE);
        }
        if let (Ok(small), Rounding::NearestEven) = (u64::try_from(magnitude), rounding) {
            let significant = 64 - small.leading_zeros() - small.trailing_zeros();
            let flags = Flags::inexact_if(significant > format.precision());
            match format {
                Format::F64 => return (Float::from_f64(signed(small as f64, negative)), flags),
                Format::F32 => return (Float::from_f32(signed(small as f32, negative)), flags),
                _ => {}
            }
        }
        let zeros = magnitude.leading_zeros();
        let (bits, flags) =
            round_pack(format.layout(), negative, 127 - zeros as i32, magnitude << zeros, rounding);
        (Float { format, bits }, flags)
    }

    /// The value truncated toward zero, canonical for `ty`, if C defines it. Conversion to `_Bool` is not
    /// this: it compares with zero.
    #[inline]
    pub fn to_int(self, ty: IntType) -> Result<i128, NotRepresentable> {
        let machine = match self.format {
            Format::F64 => f64::from_bits(self.bits as u64),
            Format::F32 => f64::from(f32::from_bits(self.bits as u32)),
            _ => f64::NAN,
        };
        if machine.abs() < 9_223_372_036_854_775_808.0 {
            let truncated = i128::from(machine as i64);
            let fits = ty.is_canonical(truncated) && (ty.signed || truncated >= 0);
            return if fits { Ok(truncated) } else { Err(NotRepresentable::OutOfRange) };
        }
        self.to_int_wide(ty)
    }

    /// [`Float::to_int`] for every format and magnitude.
    fn to_int_wide(self, ty: IntType) -> Result<i128, NotRepresentable> {
        let (negative, value) = self.layout().unpack(self.bits);
        let magnitude = match value {
            Value::Zero => 0,
            Value::Finite { exponent, .. } if exponent < 0 => 0,
            Value::Finite { exponent, significand } if exponent < 128 => significand >> (127 - exponent),
            Value::Finite { .. } | Value::Infinite => return Err(NotRepresentable::OutOfRange),
            Value::Nan | Value::Unsupported => return Err(NotRepresentable::Nan),
        };
        let limit = if negative { ty.min().unsigned_abs() } else { ty.to_bits(ty.max()) };
        if magnitude > limit {
            return Err(NotRepresentable::OutOfRange);
        }
        Ok(if negative { (magnitude as i128).wrapping_neg() } else { magnitude as i128 })
    }

    /// Whether a finite value has no fraction.
    pub fn is_integral(self) -> bool {
        match self.layout().unpack(self.bits).1 {
            Value::Zero => true,
            Value::Finite { exponent, significand } => exponent + significand.trailing_zeros() as i32 >= 127,
            Value::Infinite | Value::Nan | Value::Unsupported => false,
        }
    }
}

fn signed<F: std::ops::Neg<Output = F>>(magnitude: F, negative: bool) -> F {
    if negative { -magnitude } else { magnitude }
}

pub(crate) fn convert_bits(from: Layout, bits: u128, to: Layout, rounding: Rounding) -> (u128, Flags) {
    let (negative, value) = from.unpack(bits);
    match value {
        Value::Zero => (to.zero(negative), Flags::NONE),
        Value::Infinite => (to.infinity(negative), Flags::NONE),
        Value::Finite { exponent, significand } => round_pack(to, negative, exponent, significand, rounding),
        Value::Nan | Value::Unsupported => convert_nan(from, bits, to),
    }
}

/// The payload keeps its leading bits.
fn convert_nan(from: Layout, bits: u128, to: Layout) -> (u128, Flags) {
    let (quiet, flags) = propagate_one(from, bits).unwrap_or((bits, Flags::NONE));
    let payload = from.significand_field(quiet) & (from.quiet_bit() - 1);
    let payload = if to.precision >= from.precision {
        payload << (to.precision - from.precision)
    } else {
        payload >> (from.precision - to.precision)
    };
    (to.quiet_nan(from.sign(quiet), payload), flags)
}
