// SPDX-License-Identifier: MIT OR Apache-2.0
//! Floats as the exact numbers that they stand for, and exact numbers rounded to floats.

use dashu_int::ops::BitTest;
use dashu_int::{IBig, UBig};

use super::round::{Flags, Rounding, round_pack};
use super::{Float, Format};
use crate::exact::Rational;

/// Bits of the significand that rounding looks at.
const KEPT: usize = 128;

impl Float {
    /// The number that a finite float stands for.
    pub fn exact(self) -> Option<Rational> {
        let (negative, significand, exponent) = self.decompose()?;
        let mut magnitude = IBig::from(significand);
        if negative {
            magnitude = -magnitude;
        }
        let scale = UBig::ONE << exponent.unsigned_abs() as usize;
        Some(if exponent < 0 {
            Rational::from_parts(magnitude, scale)
        } else {
            Rational::from(magnitude * IBig::from(scale))
        })
    }

    /// A number, rounded. Zero is positive.
    pub fn from_exact(format: Format, value: &Rational, rounding: Rounding) -> (Float, Flags) {
        let negative = value < &Rational::ZERO;
        let (numerator, denominator) = (value.numerator().clone(), value.denominator().clone());
        let numerator = if negative { -numerator } else { numerator };
        let Ok(numerator) = UBig::try_from(numerator) else { unreachable!("a magnitude is not negative") };
        if numerator == UBig::ZERO {
            return (Float::zero(format, false), Flags::NONE);
        }
        // The quotient of these has 128 or 129 bits.
        let shift = KEPT as i64 - (numerator.bit_len() as i64 - denominator.bit_len() as i64);
        let scale = shift.unsigned_abs() as usize;
        let (dividend, divisor) =
            if shift < 0 { (numerator, denominator << scale) } else { (numerator << scale, denominator) };
        let quotient = &dividend / &divisor;
        let mut sticky = &quotient * &divisor != dividend;
        let excess = quotient.bit_len() - KEPT;
        let kept = &quotient >> excess;
        sticky |= &kept << excess != quotient;
        let Ok(kept) = u128::try_from(kept) else { unreachable!("128 bits are kept") };
        let exponent = (KEPT - 1) as i64 + excess as i64 - shift;
        // Beyond the range of every format all exponents are alike.
        let exponent = exponent.clamp(-100_000, 100_000) as i32;
        let (bits, flags) =
            round_pack(format.layout(), negative, exponent, kept | u128::from(sticky), rounding);
        (Float { format, bits }, flags)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_half_is_its_number() {
        for bits in 0..=u128::from(u16::MAX) {
            let float = Float::from_bits(Format::F16, bits);
            let Some(exact) = float.exact() else { continue };
            let (back, flags) = Float::from_exact(Format::F16, &exact, Rounding::Down);
            assert!(flags.without(Flags::TINY).is_empty(), "{float:?}");
            assert!(back.compare(float).is_some_and(|order| order.is_eq()), "{float:?} became {back:?}");
        }
    }

    #[test]
    fn between_two_halves_the_direction_decides() {
        for bits in 0..Float::infinity(Format::F16, false).to_bits() - 1 {
            let float = |bits| Float::from_bits(Format::F16, bits);
            let [Some(low), Some(high)] = [float(bits).exact(), float(bits + 1).exact()] else {
                unreachable!("below infinity")
            };
            let inside = (&low * Rational::from(2) + &high) / Rational::from(3);
            let round = |rounding| Float::from_exact(Format::F16, &inside, rounding).0.to_bits();
            assert_eq!(round(Rounding::Down), bits);
            assert_eq!(round(Rounding::Up), bits + 1);
            assert_eq!(round(Rounding::NearestEven), bits);
            let (down, _) = Float::from_exact(Format::F16, &-inside, Rounding::Down);
            assert_eq!(down.abs().to_bits(), bits + 1);
        }
    }

    #[test]
    fn what_is_out_of_range_is_the_last_number_or_infinite() {
        for format in [Format::F16, Format::F32, Format::F64, Format::X87, Format::F128] {
            let largest = Float::largest(format, false);
            let beyond = largest.exact().map(|value| value * Rational::from(3)).expect("it is finite");
            assert_eq!(Float::from_exact(format, &beyond, Rounding::Down).0, largest);
            assert_eq!(Float::from_exact(format, &beyond, Rounding::Up).0, Float::infinity(format, false));
            let tiny = Rational::from_parts(IBig::ONE, UBig::ONE << 40_000);
            assert!(Float::from_exact(format, &tiny, Rounding::Down).0.is_zero());
            assert!(!Float::from_exact(format, &tiny, Rounding::Up).0.is_zero());
        }
    }
}
