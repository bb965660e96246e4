// SPDX-License-Identifier: MIT OR Apache-2.0
//! Numbers that are known: what the machine has, and what it stands for.
//!
//! A literal such as `0.1` is a float and a decimal fraction, and their difference is exact and signed. What is
//! computed from literals alone is so known as well. A fraction that grows long is replaced by two short ones that it
//! lies between: the machine's number stays exact, and its error is known to hundreds of digits.

use std::cmp::Ordering;

use clew_base::exact::{BitTest, Integer, Rational};
use clew_base::float::{Float, Format, Rounding};

use crate::interval::Interval;

/// Larger fractions are replaced by two that they lie between, of so many bits each.
const MAX_BITS: usize = 20_000;
const SHORT_BITS: i64 = 1_200;

/// A real number that is known exactly.
#[derive(Clone, PartialEq, Debug)]
pub enum Real {
    /// A number that `f64` holds; most are, and sums of them are fast.
    Double(f64),
    /// Any other fraction.
    Ratio(Box<Rational>),
    /// Some number from the first to the second.
    Between(Box<(Rational, Rational)>),
}

impl Real {
    /// An integer.
    pub fn integer(value: i128) -> Real {
        Real::ratio(Rational::from(Integer::from(value)))
    }

    /// What a finite float stands for.
    pub fn of_float(value: Float) -> Option<Real> {
        match value.format() {
            Format::F64 | Format::F32 | Format::F16 => {
                value.is_finite().then(|| Real::Double(value.to_f64()))
            }
            _ => Some(Real::ratio(value.exact()?)),
        }
    }

    fn ratio(value: Rational) -> Real {
        let double = Float::from_exact(Format::F64, &value, Rounding::NearestEven).0;
        match double.exact() {
            Some(back) if back == value => Real::Double(double.to_f64()),
            _ => Real::Ratio(Box::new(value)),
        }
    }

    /// The fraction; of one that is only enclosed, a number between.
    pub fn to_ratio(&self) -> Rational {
        match self {
            Real::Double(x) => Float::from_f64(*x).exact().unwrap_or(Rational::ZERO),
            Real::Ratio(ratio) => (**ratio).clone(),
            Real::Between(ends) => (&ends.0 + &ends.1) / Rational::from(Integer::from(2)),
        }
    }

    /// The ends of what it may be.
    fn ends(&self) -> (Rational, Rational) {
        match self {
            Real::Between(ends) => (**ends).clone(),
            _ => (self.to_ratio(), self.to_ratio()),
        }
    }

    /// Whether it is known to the last digit.
    pub fn is_exact(&self) -> bool {
        !matches!(self, Real::Between(_))
    }

    /// The least interval that holds it.
    pub fn enclosure(&self) -> Interval {
        let end = |ratio, rounding| Float::from_exact(Format::F64, ratio, rounding).0.to_f64();
        match self {
            Real::Double(x) => Interval::point(*x),
            Real::Ratio(ratio) => Interval::new(end(ratio, Rounding::Down), end(ratio, Rounding::Up)),
            Real::Between(ends) => Interval::new(end(&ends.0, Rounding::Down), end(&ends.1, Rounding::Up)),
        }
    }

    /// The sum.
    pub fn add(&self, other: &Real) -> Option<Real> {
        if let (Real::Double(a), Real::Double(b)) = (self, other) {
            let s = a + b;
            let bb = s - a;
            if s.is_finite() && (a - (s - bb)) + (b - bb) == 0.0 {
                return Some(Real::Double(s));
            }
        }
        if self.is_exact() && other.is_exact() {
            return Some(bounded(self.to_ratio() + other.to_ratio()));
        }
        let ((a, b), (c, d)) = (self.ends(), other.ends());
        Some(between([a + c, b + d]))
    }

    /// The difference.
    pub fn sub(&self, other: &Real) -> Option<Real> {
        self.add(&other.neg())
    }

    /// The product.
    pub fn mul(&self, other: &Real) -> Option<Real> {
        if self.is_exact() && other.is_exact() {
            return Some(bounded(self.to_ratio() * other.to_ratio()));
        }
        let ((a, b), (c, d)) = (self.ends(), other.ends());
        Some(between([&a * &c, &a * &d, &b * &c, &b * &d]))
    }

    /// The quotient; none by what may be zero.
    pub fn div(&self, other: &Real) -> Option<Real> {
        let ((a, b), (c, d)) = (self.ends(), other.ends());
        if c <= Rational::ZERO && d >= Rational::ZERO {
            return None;
        }
        match self.is_exact() && other.is_exact() {
            true => Some(bounded(a / c)),
            false => Some(between([&a / &c, &a / &d, &b / &c, &b / &d])),
        }
    }

    /// The negated number.
    pub fn neg(&self) -> Real {
        match self {
            Real::Double(x) => Real::Double(-x),
            Real::Ratio(ratio) => Real::Ratio(Box::new(-(**ratio).clone())),
            Real::Between(ends) => Real::Between(Box::new((-ends.1.clone(), -ends.0.clone()))),
        }
    }

    /// The order of two numbers, if it is known.
    pub fn compare(&self, other: &Real) -> Option<Ordering> {
        match (self, other) {
            (Real::Double(a), Real::Double(b)) => a.partial_cmp(b),
            _ if self.is_exact() && other.is_exact() => Some(self.to_ratio().cmp(&other.to_ratio())),
            _ => {
                let ((a, b), (c, d)) = (self.ends(), other.ends());
                match () {
                    () if b < c => Some(Ordering::Less),
                    () if a > d => Some(Ordering::Greater),
                    () => None,
                }
            }
        }
    }

    /// The magnitude, if the sign is known.
    pub fn magnitude(&self) -> Option<Real> {
        let order = self.compare(&Real::Double(0.0))?;
        Some(if order.is_lt() { self.neg() } else { self.clone() })
    }

    /// Without its fraction, if that is known.
    pub fn trunc(&self) -> Option<Integer> {
        let (low, high) = self.ends();
        let whole = low.trunc();
        (whole == high.trunc()).then_some(whole)
    }
}

/// A fraction, or what it lies between if it is long.
fn bounded(value: Rational) -> Real {
    let bits = value.numerator().bit_len() + value.denominator().bit_len();
    if bits <= MAX_BITS { Real::ratio(value) } else { between([value]) }
}

/// Short fractions that all of these lie between.
fn between<const N: usize>(values: [Rational; N]) -> Real {
    let zero = || Rational::ZERO;
    let low = values.iter().min().map_or_else(zero, |low| shortened(low, Rounding::Down));
    let high = values.iter().max().map_or_else(zero, |high| shortened(high, Rounding::Up));
    Real::Between(Box::new((low, high)))
}

/// A fraction of a power of two next to this one, with few bits.
fn shortened(value: &Rational, rounding: Rounding) -> Rational {
    let size = value.numerator().bit_len() as i64 - value.denominator().bit_len() as i64;
    let shift = SHORT_BITS - size;
    let power = Rational::from(Integer::from(2).pow(shift.unsigned_abs() as usize));
    let scaled = if shift >= 0 { value * &power } else { value / &power };
    let whole = if rounding == Rounding::Down { scaled.floor() } else { scaled.ceil() };
    let whole = Rational::from(whole);
    if shift >= 0 { whole / power } else { whole * power }
}

/// A number that both runs know.
#[derive(Clone, PartialEq, Debug)]
pub struct Constant {
    /// What the machine has.
    pub machine: Float,
    /// What it would be in the reals.
    pub real: Real,
}

impl Constant {
    /// A float that stands for itself.
    pub fn exact(machine: Float) -> Option<Constant> {
        Some(Constant { machine, real: Real::of_float(machine)? })
    }

    /// A literal: its text, if it is a decimal or hexadecimal number, is the real.
    pub fn literal(machine: Float, text: Option<&str>) -> Option<Constant> {
        match text.and_then(parse) {
            Some(real) => Some(Constant { machine, real: Real::ratio(real) }),
            None => Constant::exact(machine),
        }
    }

    /// The machine's number minus the real one.
    pub fn error(&self) -> Option<Interval> {
        Some(Real::of_float(self.machine)?.sub(&self.real)?.enclosure())
    }
}

/// The double nearest to what a literal of C spells.
pub fn double_of(text: &str) -> Option<f64> {
    Some(Float::from_exact(Format::F64, &parse(text)?, Rounding::NearestEven).0.to_f64())
}

/// The number that a literal of C spells.
fn parse(text: &str) -> Option<Rational> {
    let lower = text.trim().to_ascii_lowercase().replace(['\'', '_'], "");
    let (body, base, marker) = match lower.strip_prefix("0x") {
        Some(body) => (body, 16u32, 'p'),
        None => (lower.as_str(), 10, 'e'),
    };
    let (digits, rest) = match body.split_once(marker) {
        Some((digits, rest)) => (digits, rest),
        None => (body, "0"),
    };
    let exponent: i64 = rest.trim_end_matches(['f', 'l']).parse().ok()?;
    let digits = if base == 10 { digits.trim_end_matches(['f', 'l']) } else { digits };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if exponent.abs() > 6000 || whole.len() + fraction.len() > 2000 || whole.len() + fraction.len() == 0 {
        return None;
    }
    let number = Integer::from_str_radix(&format!("0{whole}{fraction}"), base).ok()?;
    let scale = |base: u32, n: usize| Rational::from(Integer::from(base).pow(n));
    let unit = if base == 16 { 2 } else { 10 };
    let mut value = Rational::from(number) / scale(base, fraction.len());
    let by = scale(unit, exponent.unsigned_abs() as usize);
    value = if exponent < 0 { value / by } else { value * by };
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_decimal_fractions() {
        let ratio = |text| parse(text).map(|r| r.to_string());
        assert_eq!(ratio("0.1f").as_deref(), Some("1/10"));
        assert_eq!(ratio("1e-3").as_deref(), Some("1/1000"));
        assert_eq!(ratio("0x1.8p1").as_deref(), Some("3"));
        assert_eq!(ratio("12.5E+1L").as_deref(), Some("125"));
        assert_eq!(ratio("NAN"), None);
        let tenth = Constant::literal(Float::from_f64(0.1), Some("0.1")).and_then(|c| c.error());
        assert!(tenth.is_some_and(|e| e.lo > 5.5e-18 && e.hi < 5.6e-18));
    }

    /// Sums of many fractions are enclosed, and what they are still tells order and parts.
    #[test]
    fn long_fractions_are_enclosed() {
        let mut sum = Real::Double(0.0);
        for n in 1..9000i128 {
            sum = Real::Double(1.0).div(&Real::integer(n)).and_then(|part| sum.add(&part)).unwrap_or(sum);
        }
        assert!(!sum.is_exact());
        let range = sum.enclosure();
        assert!(range.lo > 9.682_139_964_63 && range.hi < 9.682_139_964_64, "{range:?}");
        assert_eq!(sum.compare(&Real::Double(9.0)), Some(Ordering::Greater));
        assert_eq!(sum.compare(&sum), None);
        assert_eq!(sum.trunc(), Some(Integer::from(9)));
        let zero = sum.sub(&sum).unwrap_or(sum);
        assert_eq!(zero.magnitude(), None);
        assert_eq!(Real::Double(1.0).div(&zero), None);
    }
}
