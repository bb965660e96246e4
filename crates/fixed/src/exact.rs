// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rounding of exact numbers: the definition that constants, inputs and single runs of the machine follow.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use clew_base::exact::{Integer, Rational};
use clew_base::float::{Float, Format as FloatFormat};

use clew_ir::syntax::BinaryOp;

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
    // Twos and fives alone in the denominator make a decimal number; how many digits, the larger count says.
    let mut rest = Integer::from(value.denominator().clone());
    let twos = u16::try_from(rest.trailing_zeros()?).ok()?;
    rest >>= usize::from(twos);
    let (five, mut fives) = (Integer::from(5), 0);
    while fives <= MOST / 2 && (&rest % &five).is_zero() {
        rest /= &five;
        fives += 1;
    }
    let digits = twos.max(fives);
    (rest.is_one() && digits <= MOST / 2).then_some(Grid { base: 10, digits })
}

/// A constant with its grid, and what it is on the grids that it met: reading and rounding are slow, and walks are many.
#[derive(Clone, Debug)]
pub struct Known {
    /// The number.
    pub value: Arc<Rational>,
    /// Where it lies.
    pub grid: Option<Grid>,
}

type Literal = (u128, Option<Arc<str>>);
type OnGrid = (usize, Grid, Rounding);

thread_local! {
    static LITERALS: RefCell<HashMap<Literal, Option<Known>>> = RefCell::default();
    static ROUNDED: RefCell<HashMap<OnGrid, Known>> = RefCell::default();
}

/// [`literal`], remembered.
pub fn known_literal(bits: u128, format: FloatFormat, text: Option<&Arc<str>>) -> Option<Known> {
    let key = (bits, text.cloned());
    if let Some(known) = LITERALS.with_borrow(|all| all.get(&key).cloned()) {
        return known;
    }
    let value = literal(bits, format, text.map(|text| &**text));
    let known = value.map(|value| Known { grid: grid_of(&value), value: Arc::new(value) });
    LITERALS.with_borrow_mut(|all| all.insert(key, known.clone()));
    known
}

/// [`rounded`], remembered for constants of the source, which live as long as the thread.
pub fn known_rounded(value: &Arc<Rational>, grid: Grid, mode: Rounding) -> Known {
    let key = (Arc::as_ptr(value) as usize, grid, mode);
    let is_literal =
        LITERALS.with_borrow(|all| all.values().flatten().any(|known| Arc::ptr_eq(&known.value, value)));
    if is_literal && let Some(known) = ROUNDED.with_borrow(|all| all.get(&key).cloned()) {
        return known;
    }
    let on = rounded(value, grid, mode);
    let known = Known { grid: grid_of(&on).or(Some(grid)), value: Arc::new(on) };
    if is_literal {
        ROUNDED.with_borrow_mut(|all| all.insert(key, known.clone()));
    }
    known
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

/// An operation on constants.
pub(crate) fn fold(op: BinaryOp, x: &Rational, y: &Rational) -> Option<Rational> {
    Some(match op {
        BinaryOp::Add => x + y,
        BinaryOp::Sub => x - y,
        BinaryOp::Mul => x * y,
        BinaryOp::Div if !y.is_zero() => x / y,
        _ => return None,
    })
}

/// The integer that a number is.
pub(crate) fn small_integer(value: &Rational) -> Option<i128> {
    let units = Rational::from(value.floor());
    (units == *value).then(|| i128::try_from(&value.floor()).ok()).flatten()
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
