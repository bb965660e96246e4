// SPDX-License-Identifier: MIT OR Apache-2.0
//! How far rounding to nearest may move a number, by format and magnitude.
//!
//! The half ulp is a step function of the magnitude, and all that is known of a magnitude is a bound. The greatest
//! error over all numbers up to the bound is what stands here, subnormal ones included: so sums of these need no
//! underflow terms of their own.

use clew_base::float::{Float, Format, Rounding};

/// `2^exponent`; below the range of `f64` its least positive number, which is more.
pub fn power_of_two(exponent: i32) -> f64 {
    match exponent {
        1024.. => f64::INFINITY,
        -1022.. => f64::from_bits(((exponent + 1023) as u64) << 52),
        -1074.. => f64::from_bits(1u64 << (exponent + 1074)),
        _ => f64::from_bits(1),
    }
}

/// The `e` with `2^e <= |x| < 2^(e+1)`, for `x` finite and not zero.
pub fn exponent(x: f64) -> i32 {
    let field = ((x.to_bits() >> 52) & 0x7ff) as i32;
    if field != 0 {
        return field - 1023;
    }
    let significand = x.to_bits() & ((1 << 52) - 1);
    63 - significand.leading_zeros() as i32 - 1074
}

/// Half of the distance of neighbours at exponent `e`.
fn half_ulp(format: Format, e: i32) -> f64 {
    power_of_two(e.max(format.min_exponent()) - format.precision() as i32)
}

/// The greatest finite number of a format, or a lower bound of it.
pub fn largest(format: Format) -> f64 {
    match Float::largest(format, false).convert(Format::F64, Rounding::TowardZero).0 {
        value if value.is_finite() => value.to_f64(),
        _ => f64::MAX,
    }
}

/// The greatest error of rounding a real of magnitude at most `mag` to nearest; infinite if it may overflow.
pub fn rounding_error(format: Format, mag: f64) -> f64 {
    if mag == 0.0 {
        return 0.0;
    }
    if mag.is_nan() || mag > largest(format) {
        return f64::INFINITY;
    }
    let e = exponent(mag);
    if e < format.min_exponent() {
        return half_ulp(format, e).min(mag);
    }
    // Just above a power of two the power itself is near.
    let above = mag - power_of_two(e);
    half_ulp(format, e - 1).max(above.min(half_ulp(format, e)))
}

/// The greatest error of a function that is right up to `ulps` units in the last place.
pub fn ulps_error(format: Format, mag: f64, ulps: f64) -> f64 {
    if mag.is_nan() || mag > largest(format) {
        return f64::INFINITY;
    }
    let e = if mag == 0.0 { format.min_exponent() } else { exponent(mag) };
    2.0 * half_ulp(format, e) * ulps
}

/// The least unit in the last place of numbers of magnitude `mag` and more.
pub fn ulp_at(format: Format, mag: f64) -> f64 {
    let e = if mag == 0.0 { format.min_exponent() } else { exponent(mag) };
    2.0 * half_ulp(format, e)
}

/// The relative error of rounding a normal number to nearest.
pub fn unit_roundoff(format: Format) -> f64 {
    power_of_two(-(format.precision() as i32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_an_ulp_steps_at_powers_of_two() {
        let error = |mag| rounding_error(Format::F64, mag);
        assert_eq!(error(1.0), 2f64.powi(-54));
        assert_eq!(error(1.0 + f64::EPSILON), 2f64.powi(-53));
        assert_eq!(error(1.9), 2f64.powi(-53));
        assert_eq!(error(2.0), 2f64.powi(-53));
        assert_eq!(rounding_error(Format::F32, 1.0), 2f64.powi(-25));
        assert_eq!(rounding_error(Format::F32, 1e39), f64::INFINITY);
        assert_eq!(error(0.0), 0.0);
        assert_eq!(rounding_error(Format::F32, 1e-45), 2f64.powi(-150));
    }
}
