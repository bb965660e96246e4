// SPDX-License-Identifier: MIT OR Apache-2.0
//! Fixed-point formats (Definition 1 of the paper): sign, integer digits, fraction digits, base, and what happens to
//! what does not fit.
//!
//! A number of a format is `m / base^fraction` for an integer `m`. With a sign, base 2 is two's complement
//! (`[-2^i, 2^i - 2^-f]`), base 10 is sign and magnitude.

use std::fmt;

use clew_base::exact::{Integer, Rational};

use crate::interval::Interval;

/// How a value that lies between two numbers of a format becomes one of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Rounding {
    /// To the nearest, halves upward.
    #[default]
    HalfUp,
    /// To the nearest, halves to the even neighbour.
    HalfEven,
    /// Digits are dropped as a shift drops them: downward.
    Truncate,
    /// Digits are dropped from sign and magnitude: towards zero, as C divides.
    TowardZero,
}

/// What a value beyond the ends of a format becomes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Overflow {
    /// The high digits are lost.
    #[default]
    Wrap,
    /// The nearest end.
    Saturate,
}

/// The numbers `m / base^digits`. Grids of one base are nested.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Grid {
    /// 2 or 10.
    pub base: u8,
    /// Digits behind the point.
    pub digits: u16,
}

impl Grid {
    /// The integers.
    pub const INTEGERS: Grid = Grid { base: 2, digits: 0 };

    /// Whether all of the other's numbers are numbers of this one.
    pub fn holds(self, other: Grid) -> bool {
        other.digits == 0
            || (self.base == other.base && other.digits <= self.digits)
            || (self.base == 10 && other.base == 2 && other.digits <= self.digits)
    }

    /// The coarsest grid known to hold both.
    pub fn join(self, other: Grid) -> Grid {
        if self.holds(other) {
            self
        } else if other.holds(self) {
            other
        } else {
            Grid { base: 10, digits: self.digits.max(other.digits) }
        }
    }

    /// A grid that holds products.
    pub fn product(self, other: Grid) -> Grid {
        let base = if self.digits == 0 {
            other.base
        } else if other.digits == 0 {
            self.base
        } else {
            self.base.max(other.base)
        };
        Grid { base, digits: self.digits.saturating_add(other.digits) }
    }

    /// The distance of neighbours.
    pub fn step(self) -> Rational {
        Rational::from_parts_signed(Integer::ONE, Integer::from(self.base).pow(usize::from(self.digits)))
    }

    /// The same, enclosed.
    pub fn step_interval(self) -> Interval {
        if self.base == 2 && self.digits <= 1000 {
            return Interval::point(2f64.powi(-i32::from(self.digits)));
        }
        Interval::around(&self.step())
    }

    /// What rounding to this grid takes away: value before minus value after. `source` is the grid the value is on,
    /// if it is on one; what is on this grid already loses nothing.
    pub fn rounding_error(self, mode: Rounding, source: Option<Grid>, value: Interval) -> Interval {
        if source.is_some_and(|source| self.holds(source)) {
            return Interval::ZERO;
        }
        let step = self.step_interval();
        // Dropped digits are at most all nines: a whole step is never reached from a finite grid.
        let dropped = match source {
            Some(source) => Interval::new(0.0, (step - source.step_interval()).hi.max(0.0)),
            None => Interval::new(0.0, step.hi),
        };
        match mode {
            Rounding::HalfUp | Rounding::HalfEven => Interval::symmetric(step.hi / 2.0),
            Rounding::Truncate => dropped,
            Rounding::TowardZero if value.lo >= 0.0 => dropped,
            Rounding::TowardZero if value.hi <= 0.0 => -dropped,
            Rounding::TowardZero => dropped.hull(-dropped),
        }
    }
}

/// A fixed-point format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    /// Whether there is a sign.
    pub signed: bool,
    /// Digits before the point.
    pub integer: u16,
    /// Digits behind it.
    pub fraction: u16,
    /// 2 or 10.
    pub base: u8,
    /// How values between become numbers of the format.
    pub rounding: Rounding,
    /// What becomes of values beyond the ends.
    pub overflow: Overflow,
}

/// Most digits a part may have: exact integers of 128 bits hold products of two such numbers.
const MOST_DIGITS: u16 = 40;

impl Format {
    /// A binary format with the usual rounding.
    pub fn binary(signed: bool, integer: u16, fraction: u16) -> Format {
        Format { signed, integer, fraction, base: 2, rounding: Rounding::HalfUp, overflow: Overflow::Wrap }
    }

    /// Reads `s7.8`, `u0.16`, `s5.3d` (decimal) or `q15`, `q(16,16)`, `q16.16` (signed, the sign beside the digits).
    ///
    /// # Errors
    /// A sentence that says what is wrong.
    pub fn parse(text: &str) -> Result<Format, String> {
        let wrong = || {
            format!(
                "`{text}` is no format: one is like s7.8 (sign, 7 integer bits, 8 fraction bits), u8.8, s5.3d (decimal) or q15"
            )
        };
        let (body, base) = match text.strip_suffix('d') {
            Some(body) => (body, 10),
            None => (text, 2),
        };
        let long = |digits: &str| digits.trim().parse::<u64>().is_ok_and(|n| n > u64::from(MOST_DIGITS));
        if body.get(1..).is_some_and(|rest| rest.split(['.', ',', '(', ')']).any(long)) {
            return Err(format!("`{text}` is too long: a part has at most {MOST_DIGITS} digits"));
        }
        let number = |digits: &str| digits.trim().parse::<u16>().ok().filter(|n| *n <= MOST_DIGITS);
        let (kind, rest) = body.split_at_checked(1).ok_or_else(wrong)?;
        let rest = rest.strip_prefix('(').and_then(|r| r.strip_suffix(')')).unwrap_or(rest);
        let parts = rest.split_once(['.', ',']);
        let (integer, fraction) = match (kind, parts) {
            ("s" | "u" | "q" | "Q", Some((integer, fraction))) => (number(integer), number(fraction)),
            ("q" | "Q", None) => (Some(0), number(rest)),
            _ => (None, None),
        };
        let (Some(integer), Some(fraction)) = (integer, fraction) else { return Err(wrong()) };
        if integer + fraction == 0 && !kind.eq_ignore_ascii_case("q") {
            return Err(wrong());
        }
        Ok(Format { base, ..Format::binary(kind != "u", integer, fraction) })
    }

    /// The numbers of the format, its ends left out of account.
    pub fn grid(&self) -> Grid {
        Grid { base: self.base, digits: self.fraction }
    }

    /// Least and greatest number, as multiples of the step.
    pub fn ends(&self) -> (i128, i128) {
        let all = i128::from(self.base).saturating_pow(u32::from(self.integer + self.fraction));
        let low = match (self.signed, self.base) {
            (false, _) => 0,
            (true, 2) => -all,
            (true, _) => 1 - all,
        };
        (low, all - 1)
    }

    /// Least and greatest number, enclosed from inside: what is in here fits.
    pub fn range(&self) -> Interval {
        let (low, high) = self.ends();
        if self.base == 2 && self.integer + self.fraction <= 52 {
            // Exact in floats, and asked for at every operation.
            let step = 2f64.powi(-i32::from(self.fraction));
            return Interval::new(low as f64 * step, high as f64 * step);
        }
        let step = self.step_ratio();
        let low = Interval::around(&(Rational::from(Integer::from(low)) * &step));
        let high = Interval::around(&(Rational::from(Integer::from(high)) * &step));
        Interval::new(low.hi.min(high.lo), high.lo)
    }

    fn step_ratio(&self) -> Rational {
        self.grid().step()
    }

    /// The format of an operation on two: enough digits for either.
    pub fn join(&self, other: &Format) -> Format {
        let wider = if other.fraction > self.fraction { other } else { self };
        Format {
            signed: self.signed || other.signed,
            integer: self.integer.max(other.integer),
            fraction: self.fraction.max(other.fraction),
            ..*wider
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.signed { 's' } else { 'u' };
        let base = if self.base == 10 { "d" } else { "" };
        write!(f, "{sign}{}.{}{base}", self.integer, self.fraction)
    }
}
