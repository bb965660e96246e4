// SPDX-License-Identifier: MIT OR Apache-2.0
//! Single runs: the machine's, in exact integers, and the one in the reals, in intervals that are a few floats wide.
//!
//! They say what an error reaches and where a value overflows; what they find is then asked of a compiled program.

use clew_base::exact::{Integer, Rational};
use clew_ir::syntax::CompareOp;

use crate::algebra::{Algebra, Computed, Fault, Limits, Seen, Source, Verdict, verdict};
use crate::exact;
use crate::format::{Format, Grid, Overflow, Rounding};
use crate::interval::Interval;

/// `units / base^digits`
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Number {
    /// How many steps.
    pub units: i128,
    /// Of which grid.
    pub grid: Grid,
}

/// The machine's run.
#[derive(Clone, Debug, Default)]
pub struct Machine {
    /// Whether formats have no ends: values that do not fit stay as they are, as bounds of errors take them to.
    pub is_endless: bool,
}

impl Number {
    /// The exact value.
    pub fn value(self) -> Rational {
        Rational::from(Integer::from(self.units)) * self.grid.step()
    }

    /// The same number on a finer grid.
    fn on(self, grid: Grid) -> Computed<Number> {
        if self.grid == grid {
            return Ok(self);
        }
        let base = i128::from(grid.base);
        let factor = if self.grid.digits == 0 || self.grid.base == grid.base {
            base.checked_pow(u32::from(grid.digits - self.grid.digits)).ok_or(Fault::TooLarge)?
        } else {
            // From binary to decimal: 2^-k is 5^k / 10^k.
            let fives = 5i128.checked_pow(u32::from(self.grid.digits)).ok_or(Fault::TooLarge)?;
            let tens = base.checked_pow(u32::from(grid.digits - self.grid.digits)).ok_or(Fault::TooLarge)?;
            fives.checked_mul(tens).ok_or(Fault::TooLarge)?
        };
        Ok(Number { units: self.units.checked_mul(factor).ok_or(Fault::TooLarge)?, grid })
    }

    fn aligned(self, other: Number) -> Computed<(Number, Number)> {
        let grid = self.grid.join(other.grid);
        Ok((self.on(grid)?, other.on(grid)?))
    }
}

/// The mode's choice between the multiples of `by` (positive) around `units`, as how many times `by`.
fn divided(units: i128, by: i128, mode: Rounding) -> i128 {
    let (floor, rest) = (units.div_euclid(by), units.rem_euclid(by));
    let up = match mode {
        Rounding::Truncate => false,
        Rounding::TowardZero => floor < 0 && rest != 0,
        Rounding::HalfUp => rest >= by - rest,
        Rounding::HalfEven => rest > by - rest || (rest == by - rest && floor % 2 != 0),
    };
    floor + i128::from(up)
}

fn exactly(value: &Rational) -> Option<Number> {
    let grid = exact::grid_of(value)?;
    let units = exact::rounded_units(value, grid, Rounding::Truncate);
    Some(Number { units: i128::try_from(&units).ok()?, grid })
}

impl Algebra for Machine {
    type Value = Number;

    fn known(&mut self, _: &Rational, machine: &Rational) -> Number {
        // Constants are on a grid by now, or of no format: then as near as 60 digits come.
        let fallback = Grid { base: 2, digits: 60 };
        exactly(machine).unwrap_or_else(|| {
            let units = exact::rounded_units(machine, fallback, Rounding::HalfUp);
            Number { units: i128::try_from(&units).unwrap_or(i128::MAX), grid: fallback }
        })
    }

    fn source(&mut self, source: &Source) -> Computed<Number> {
        let value = Rational::try_from(source.range.lo).map_err(|_| Fault::TooLarge)?;
        let mode = source.rounding.unwrap_or(Rounding::HalfUp);
        let units = exact::rounded_units(&value, source.grid, mode);
        Ok(Number { units: i128::try_from(&units).map_err(|_| Fault::TooLarge)?, grid: source.grid })
    }

    fn add(&mut self, a: &Number, b: &Number) -> Computed<Number> {
        let (a, b) = a.aligned(*b)?;
        Ok(Number { units: a.units.checked_add(b.units).ok_or(Fault::TooLarge)?, grid: a.grid })
    }

    fn sub(&mut self, a: &Number, b: &Number) -> Computed<Number> {
        let (a, b) = a.aligned(*b)?;
        Ok(Number { units: a.units.checked_sub(b.units).ok_or(Fault::TooLarge)?, grid: a.grid })
    }

    fn mul(&mut self, a: &Number, b: &Number) -> Computed<Number> {
        let grid = a.grid.product(b.grid);
        let (mut a, mut b) = (*a, *b);
        if grid.base == 10 {
            a = a.on(Grid { base: 10, digits: a.grid.digits })?;
            b = b.on(Grid { base: 10, digits: b.grid.digits })?;
        }
        Ok(Number { units: a.units.checked_mul(b.units).ok_or(Fault::TooLarge)?, grid })
    }

    fn div(&mut self, a: &Number, b: &Number, to: Grid, mode: Rounding) -> Computed<Number> {
        let (a, b) = a.aligned(*b)?;
        if b.units == 0 {
            return Err(Fault::Undefined("the divisor is zero"));
        }
        let scale = i128::from(to.base).checked_pow(u32::from(to.digits)).ok_or(Fault::TooLarge)?;
        let top = a.units.checked_mul(scale).ok_or(Fault::TooLarge)?;
        let top = if b.units < 0 { -top } else { top };
        Ok(Number { units: divided(top, b.units.abs(), mode), grid: to })
    }

    fn sqrt(&mut self, a: &Number, to: Grid, mode: Rounding) -> Computed<Number> {
        if a.units < 0 {
            return Err(Fault::Undefined("the radicand is negative"));
        }
        // On a grid with twice the digits of `to` the root of the units is in units of `to`.
        let square = Grid { base: to.base, digits: 2 * to.digits };
        let squared = if square.holds(a.grid) { a.on(square)? } else { return Err(Fault::TooLarge) };
        let floor = squared.units.isqrt();
        // A half is never met: (n + 1/2)^2 is not an integer.
        let up = match mode {
            Rounding::Truncate | Rounding::TowardZero => false,
            Rounding::HalfUp | Rounding::HalfEven => squared.units - floor * floor > floor,
        };
        Ok(Number { units: floor + i128::from(up), grid: to })
    }

    fn abs(&mut self, a: &Number) -> Computed<Number> {
        Ok(Number { units: a.units.abs(), grid: a.grid })
    }

    fn round(&mut self, a: &Number, _: Option<Grid>, to: Grid, mode: Rounding) -> Computed<Number> {
        if to.holds(a.grid) {
            return a.on(to);
        }
        let fine = a.on(a.grid.join(to))?;
        let one = Number { units: 1, grid: to }.on(fine.grid)?;
        Ok(Number { units: divided(fine.units, one.units, mode), grid: to })
    }

    fn fit(&mut self, a: &Number, format: &Format) -> (Number, bool) {
        let (low, high) = format.ends();
        let Ok(on) = a.on(a.grid.join(format.grid())) else { return (*a, true) };
        let finer = u32::from(on.grid.digits - format.fraction);
        let unit = i128::from(on.grid.base).saturating_pow(finer);
        let (low, high) = (low.saturating_mul(unit), high.saturating_mul(unit));
        if (low..=high).contains(&on.units) {
            return (*a, false);
        }
        if self.is_endless && format.overflow == Overflow::Wrap {
            return (*a, true);
        }
        let units = match format.overflow {
            Overflow::Saturate => on.units.clamp(low, high),
            Overflow::Wrap => {
                let size = high - low + unit;
                (on.units - low).rem_euclid(size) + low
            }
        };
        (Number { units, grid: on.grid }, true)
    }

    fn compare(&mut self, op: CompareOp, a: &Number, b: &Number) -> Computed<Verdict> {
        let (a, b) = a.aligned(*b)?;
        let order = a.units.cmp(&b.units);
        Ok(Verdict::known(match op {
            CompareOp::Eq => order.is_eq(),
            CompareOp::Ne => order.is_ne(),
            CompareOp::Lt => order.is_lt(),
            CompareOp::Le => order.is_le(),
            CompareOp::Gt => order.is_gt(),
            CompareOp::Ge => order.is_ge(),
        }))
    }

    fn restrict(&mut self, a: &Number, _: Limits) -> Option<Number> {
        Some(*a)
    }

    fn join(&mut self, a: &Number, _: &Number) -> Number {
        *a
    }

    fn cross(&mut self, _: &Number, machine: &Number) -> Number {
        *machine
    }

    fn formal(&mut self, a: &Number) -> Option<Number> {
        Some(*a)
    }

    fn is_run(&self) -> bool {
        true
    }

    fn seen(&self, a: &Number) -> Seen {
        let value = match a.grid {
            // Exact in floats, and asked for at every operation.
            Grid { base: 2, digits } if a.units.unsigned_abs() < 1 << 53 && digits < 900 => {
                Interval::point(a.units as f64 * 2f64.powi(-i32::from(digits)))
            }
            _ => Interval::around(&a.value()),
        };
        Seen { real: value, machine: value, error: Interval::ZERO }
    }
}

/// The run in the reals.
#[derive(Clone, Debug, Default)]
pub struct Reals;

impl Algebra for Reals {
    type Value = Interval;

    fn known(&mut self, real: &Rational, _: &Rational) -> Interval {
        Interval::around(real)
    }

    fn source(&mut self, source: &Source) -> Computed<Interval> {
        match source.rounding {
            Some(_) => Ok(source.range),
            // The input is a number of the grid: the one nearest to what was asked for.
            None => Machine::default().source(source).map(|number| Interval::around(&number.value())),
        }
    }

    fn add(&mut self, a: &Interval, b: &Interval) -> Computed<Interval> {
        Ok(*a + *b)
    }

    fn sub(&mut self, a: &Interval, b: &Interval) -> Computed<Interval> {
        Ok(*a - *b)
    }

    fn mul(&mut self, a: &Interval, b: &Interval) -> Computed<Interval> {
        Ok(*a * *b)
    }

    fn div(&mut self, a: &Interval, b: &Interval, _: Grid, _: Rounding) -> Computed<Interval> {
        a.checked_div(*b).ok_or(Fault::Undefined("the divisor is zero"))
    }

    fn sqrt(&mut self, a: &Interval, _: Grid, _: Rounding) -> Computed<Interval> {
        a.sqrt().ok_or(Fault::Undefined("the radicand is negative"))
    }

    fn abs(&mut self, a: &Interval) -> Computed<Interval> {
        Ok(a.abs())
    }

    fn round(&mut self, a: &Interval, _: Option<Grid>, _: Grid, _: Rounding) -> Computed<Interval> {
        Ok(*a)
    }

    fn fit(&mut self, a: &Interval, _: &Format) -> (Interval, bool) {
        (*a, false)
    }

    fn compare(&mut self, op: CompareOp, a: &Interval, b: &Interval) -> Computed<Verdict> {
        let difference = *a - *b;
        let verdict = verdict(op, difference, difference, Interval::ZERO);
        if verdict.decided().is_some() { Ok(verdict) } else { Err(Fault::Undecided) }
    }

    fn restrict(&mut self, a: &Interval, _: Limits) -> Option<Interval> {
        Some(*a)
    }

    fn join(&mut self, a: &Interval, b: &Interval) -> Interval {
        a.hull(*b)
    }

    fn cross(&mut self, real: &Interval, _: &Interval) -> Interval {
        *real
    }

    fn formal(&mut self, a: &Interval) -> Option<Interval> {
        Some(*a)
    }

    fn is_run(&self) -> bool {
        true
    }

    fn seen(&self, a: &Interval) -> Seen {
        Seen { real: *a, machine: *a, error: Interval::ZERO }
    }
}
