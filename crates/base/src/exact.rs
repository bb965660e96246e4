// SPDX-License-Identifier: MIT OR Apache-2.0
//! Exact numbers, for what is said of results before they are rounded or wrapped.

pub use dashu_int::IBig as Integer;
pub use dashu_int::ops::BitTest;
pub use dashu_ratio::RBig as Rational;

/// The exponent of the largest power of two that divides a number, where that is one; none for zero, which all divide,
/// and for numbers like a third, which none does.
pub fn unit(value: &Rational) -> Option<i64> {
    let denominator = value.denominator();
    let down = denominator.trailing_zeros()?;
    if denominator.bit_len() != down + 1 {
        return None;
    }
    let up = value.numerator().trailing_zeros()?;
    Some(up as i64 - down as i64)
}

/// `2^exponent`
pub fn power_of_two(exponent: i64) -> Rational {
    let scale = dashu_int::UBig::ONE << exponent.unsigned_abs() as usize;
    if exponent < 0 {
        Rational::from_parts(Integer::ONE, scale)
    } else {
        Rational::from(Integer::from(scale))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units() {
        let ratio = |a: i32, b: u32| Rational::from_parts(a.into(), b.into());
        assert_eq!(unit(&ratio(12, 1)), Some(2));
        assert_eq!(unit(&ratio(-3, 8)), Some(-3));
        assert_eq!(unit(&ratio(1, 3)), None);
        assert_eq!(unit(&Rational::ZERO), None);
        for exponent in [-70, -1, 0, 1, 70] {
            assert_eq!(unit(&power_of_two(exponent)), Some(exponent));
        }
    }
}
