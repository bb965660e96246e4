// SPDX-License-Identifier: MIT OR Apache-2.0
//! Numbers that are known: what the machine has, and what it stands for.
//!
//! A literal such as `0.1` is a float and a decimal fraction, and their difference is exact and signed. What is
//! computed from literals alone is so known as well, as long as the fraction stays small.

use clew_base::exact::{BitTest, Integer, Rational};
use clew_base::float::{Float, Format, Rounding};

use crate::interval::Interval;

/// Larger fractions are no longer folded.
const MAX_BITS: usize = 20_000;

/// A real number that is known exactly.
#[derive(Clone, PartialEq, Debug)]
pub enum Real {
    /// A number that `f64` holds; most are, and sums of them are fast.
    Double(f64),
    /// Any other fraction.
    Ratio(Box<Rational>),
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

    /// The fraction.
    pub fn to_ratio(&self) -> Rational {
        match self {
            Real::Double(x) => Float::from_f64(*x).exact().unwrap_or(Rational::ZERO),
            Real::Ratio(ratio) => (**ratio).clone(),
        }
    }

    /// The least interval that holds it.
    pub fn enclosure(&self) -> Interval {
        match self {
            Real::Double(x) => Interval::point(*x),
            Real::Ratio(ratio) => {
                let end = |rounding| Float::from_exact(Format::F64, ratio, rounding).0.to_f64();
                Interval::new(end(Rounding::Down), end(Rounding::Up))
            }
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
        bounded(self.to_ratio() + other.to_ratio())
    }

    /// The difference.
    pub fn sub(&self, other: &Real) -> Option<Real> {
        self.add(&other.neg())
    }

    /// The product.
    pub fn mul(&self, other: &Real) -> Option<Real> {
        bounded(self.to_ratio() * other.to_ratio())
    }

    /// The quotient; none by zero.
    pub fn div(&self, other: &Real) -> Option<Real> {
        let divisor = other.to_ratio();
        if divisor == Rational::ZERO {
            return None;
        }
        bounded(self.to_ratio() / divisor)
    }

    /// The negated number.
    pub fn neg(&self) -> Real {
        match self {
            Real::Double(x) => Real::Double(-x),
            Real::Ratio(ratio) => Real::Ratio(Box::new(-(**ratio).clone())),
        }
    }

    /// The order of two numbers.
    pub fn compare(&self, other: &Real) -> std::cmp::Ordering {
        match (self, other) {
            (Real::Double(a), Real::Double(b)) => a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal),
            _ => self.to_ratio().cmp(&other.to_ratio()),
        }
    }

    /// Whether it is below zero.
    pub fn is_negative(&self) -> bool {
        self.compare(&Real::Double(0.0)).is_lt()
    }

    /// Without its fraction.
    pub fn trunc(&self) -> Integer {
        self.to_ratio().trunc()
    }
}

fn bounded(value: Rational) -> Option<Real> {
    let bits = value.numerator().bit_len() + value.denominator().bit_len();
    (bits <= MAX_BITS).then(|| Real::ratio(value))
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
        let machine = Real::of_float(self.machine)?;
        // A fraction that is too long to go on with is still one whose ends are known.
        let exact = machine.sub(&self.real);
        Some(exact.unwrap_or_else(|| Real::ratio(machine.to_ratio() - self.real.to_ratio())).enclosure())
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
}
