// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a conversion to an integer gives on x86-64 when C gives it no meaning.
//!
//! This follows gcc without optimisation: which instruction or libgcc function it calls for each pair of
//! types. For operands in range the result is C's.

use crate::float::{Flags, Float, Format, Rounding};
use crate::int::IntType;

impl Float {
    /// The conversion as compiled by gcc, with the flags it raises. Equals [`Float::to_int`] where that has
    /// a value.
    pub fn to_int_x86(self, ty: IntType) -> (i128, Flags) {
        match (self.format, ty.bits) {
            (Format::F128, 65..) => self.saturate(ty),
            (Format::F128, 33..) => self.saturate(IntType { bits: 64, ..ty }).wrap_to(ty),
            (Format::F128, _) => self.saturate(IntType { bits: 32, ..ty }).wrap_to(ty),
            (Format::F16, 65..) => self.saturate(ty),
            (Format::F16, _) => self.convert(Format::F32, Rounding::NearestEven).0.to_int_x86(ty),
            (Format::F32 | Format::F64 | Format::X87, 65..) => self.to_128_bits(ty).wrap_to(ty),
            (Format::F32 | Format::F64 | Format::X87, 33..) if ty.signed => self.indefinite(64).wrap_to(ty),
            (Format::F32 | Format::F64 | Format::X87, 33..) => self.to_unsigned_64().wrap_to(ty),
            (Format::X87, ..=8) => self.indefinite(16).wrap_to(ty),
            (Format::X87, ..=16) if ty.signed => self.indefinite(16).wrap_to(ty),
            (Format::F32 | Format::F64 | Format::X87, 17..) if !ty.signed => self.indefinite(64).wrap_to(ty),
            (Format::F32 | Format::F64 | Format::X87, _) => self.indefinite(32).wrap_to(ty),
        }
    }

    /// `INEXACT` if truncation cuts something off.
    fn truncation_flags(self) -> Flags {
        Flags::inexact_if(!self.is_integral())
    }

    /// The instruction for a signed result of 16, 32 or 64 bits: the smallest value stands for failure.
    fn indefinite(self, bits: u16) -> (i128, Flags) {
        let ty = IntType::signed(bits);
        match self.to_int(ty) {
            Ok(value) => (value, self.truncation_flags()),
            Err(_) => (ty.min(), Flags::INVALID),
        }
    }

    /// libgcc's software floats: the nearest value of the type.
    fn saturate(self, ty: IntType) -> (i128, Flags) {
        match self.to_int(ty) {
            Ok(value) => (value, self.truncation_flags()),
            Err(_) => (if self.is_negative() { ty.min() } else { ty.max() }, Flags::INVALID),
        }
    }

    /// Values from 2^63 on are moved down first.
    fn to_unsigned_64(self) -> (i128, Flags) {
        let half = self.constant(1 << 63);
        if self.compare(half).is_none_or(|order| order.is_lt()) {
            return self.indefinite(64).wrap_to(IntType::U64);
        }
        let (moved, flags) = self.sub(half, Rounding::NearestEven);
        let (value, more) = moved.indefinite(64);
        (IntType::U64.wrap(value ^ (1 << 63)), flags | more)
    }

    /// libgcc's `__fixdfti` and its kin: two halves of 64 bits; a signed result by way of the magnitude.
    fn to_128_bits(self, ty: IntType) -> (i128, Flags) {
        let negative = self.compare(Float::zero(self.format, false)).is_some_and(|order| order.is_lt());
        let compared = if self.is_nan() { Flags::INVALID } else { Flags::NONE };
        let (value, flags) = match (self.format, ty.signed && negative) {
            (Format::X87, true) => (-self).to_unsigned_128_x87(),
            (Format::X87, false) => self.to_unsigned_128_x87(),
            (_, true) => (-self).to_unsigned_128(),
            (_, false) => self.to_unsigned_128(),
        };
        (if ty.signed && negative { value.wrapping_neg() } else { value }, flags | compared)
    }

    fn to_unsigned_128(self) -> (i128, Flags) {
        let nearest = Rounding::NearestEven;
        let (wide, mut flags) = self.convert(Format::F64, nearest);
        let scale = wide.constant(1 << 64);
        let mut note = |(value, raised): (Float, Flags)| {
            flags |= raised;
            value
        };
        let (high, high_flags) = note(wide.div(scale, nearest)).to_unsigned_64();
        let back = note(Float::from_int(Format::F64, high, IntType::U64, nearest));
        let back = note(back.mul(scale, nearest));
        let (low, low_flags) = note(wide.sub(back, nearest)).to_unsigned_64();
        ((high << 64) | low, flags | high_flags | low_flags)
    }

    fn to_unsigned_128_x87(self) -> (i128, Flags) {
        let nearest = Rounding::NearestEven;
        let zero = Float::zero(Format::X87, false);
        if self.compare(zero).is_some_and(|order| order.is_lt()) {
            return (0, Flags::NONE);
        }
        let (scaled, mut flags) = self.div(self.constant(1 << 64), nearest);
        let (high, raised) = scaled.to_unsigned_64();
        flags |= raised;
        let value = high << 64;
        let (back, raised) = Float::from_int(Format::X87, value, IntType::U128, nearest);
        flags |= raised;
        let (rest, raised) = self.sub(back, nearest);
        flags |= raised;
        let below = rest.compare(zero).is_some_and(|order| order.is_lt());
        let (low, raised) = if below { (-rest).to_unsigned_64() } else { rest.to_unsigned_64() };
        (if below { value.wrapping_sub(low) } else { value.wrapping_add(low) }, flags | raised)
    }

    /// A small power of two in this format.
    fn constant(self, value: i128) -> Float {
        Float::from_int(self.format, value, IntType::I128, Rounding::NearestEven).0
    }
}

/// Keeps the low bits of a machine integer, as a narrower register does.
trait WrapTo {
    fn wrap_to(self, ty: IntType) -> Self;
}

impl WrapTo for (i128, Flags) {
    fn wrap_to(self, ty: IntType) -> Self {
        (ty.wrap(self.0), self.1)
    }
}
