// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rounding of exact numbers: the definition that constants, inputs and single runs of the machine follow.

use clew_base::exact::{Integer, Rational};
use clew_base::float::{Float, Format as FloatFormat};

use crate::format::{Grid, Rounding};

/// The number of the grid that the mode chooses, as a multiple of the grid's step.
pub fn rounded_units(value: &Rational, grid: Grid, mode: Rounding) -> Integer {
    let scaled = value / grid.step();
    let floor = scaled.floor();
    let rest = &scaled - Rational::from(floor.clone());
    let half = Rational::from_parts_signed(Integer::ONE, Integer::from(2));
    let up = match mode {
        Rounding::Truncate => false,
        Rounding::TowardZero => floor < Integer::ZERO && rest != Rational::ZERO,
        Rounding::HalfUp => rest >= half,
        Rounding::HalfEven => rest > half || (rest == half && &floor % Integer::from(2) != Integer::ZERO),
    };
    if up { floor + Integer::ONE } else { floor }
}

/// The number of the grid that the mode chooses.
pub fn rounded(value: &Rational, grid: Grid, mode: Rounding) -> Rational {
    Rational::from(rounded_units(value, grid, mode)) * grid.step()
}

/// The coarsest binary or decimal grid with the number on it, if there is one of moderate size.
pub fn grid_of(value: &Rational) -> Option<Grid> {
    const MOST: u16 = 64;
    if value.denominator().is_one() {
        return Some(Grid::INTEGERS);
    }
    if let Some(unit) = clew_base::exact::unit(value) {
        let digits = u16::try_from(-unit).ok()?;
        return (digits <= MOST).then_some(Grid { base: 2, digits });
    }
    (1..=MOST / 2).map(|digits| Grid { base: 10, digits }).find(|grid| {
        let scaled = value / grid.step();
        scaled.denominator().is_one()
    })
}

/// The number that a float constant of the source stands for: what its decimal text says, else what its bits say.
pub fn literal(bits: u128, format: FloatFormat, text: Option<&str>) -> Option<Rational> {
    text.and_then(decimal).or_else(|| Float::from_bits(format, bits).exact())
}

/// The exact value of a decimal number, with a sign, a point, an exponent and C's suffixes.
pub fn decimal(text: &str) -> Option<Rational> {
    let text = text.trim().trim_end_matches(['f', 'F', 'l', 'L']);
    let (negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) || exponent.abs() > 400 {
        return None;
    }
    let digits = digits.bytes().fold(Integer::ZERO, |n, b| n * Integer::from(10) + Integer::from(b - b'0'));
    let power = exponent - i32::try_from(fraction.len()).ok()?;
    let scale = Integer::from(10).pow(power.unsigned_abs() as usize);
    let value =
        if power < 0 { Rational::from_parts_signed(digits, scale) } else { Rational::from(digits * scale) };
    Some(if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Rational {
        decimal(text).unwrap()
    }

    #[test]
    fn decimals() {
        assert_eq!(number("10.0f"), Rational::from(10));
        assert_eq!(number("-1.25e-1"), number("-0.125"));
        assert_eq!(number("5e2"), Rational::from(500));
        assert!(decimal("0x1p3").is_none());
        assert!(decimal("one").is_none());
    }

    #[test]
    fn rounding_modes() {
        let grid = Grid { base: 2, digits: 1 };
        let modes = [Rounding::HalfUp, Rounding::HalfEven, Rounding::Truncate, Rounding::TowardZero];
        let all = |text: &str| modes.map(|mode| rounded(&number(text), grid, mode).to_f64().value());
        assert_eq!(all("0.25"), [0.5, 0.0, 0.0, 0.0]);
        assert_eq!(all("-0.25"), [0.0, 0.0, -0.5, 0.0]);
        assert_eq!(all("0.75"), [1.0, 1.0, 0.5, 0.5]);
        assert_eq!(all("-0.9"), [-1.0, -1.0, -1.0, -0.5]);
    }

    #[test]
    fn grids() {
        assert_eq!(grid_of(&number("3")), Some(Grid::INTEGERS));
        assert_eq!(grid_of(&number("0.375")), Some(Grid { base: 2, digits: 3 }));
        assert_eq!(grid_of(&number("0.1")), Some(Grid { base: 10, digits: 1 }));
        assert_eq!(grid_of(&Rational::from_parts_signed(1.into(), 3.into())), None);
    }
}
