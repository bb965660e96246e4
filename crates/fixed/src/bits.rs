// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parts of numbers: low bits, remainders, integer parts.
//!
//! `x & ~15` drops digits, as a shift does: in the reals it is `x`. `x & 15` and `x % 16` are remainders, and `(int)x` of a
//! float is an integer part, in the reals as in the machine. Both jump. Where machine and reals are surely on the same
//! side of every jump the result is as good as the operand, where they may be on different sides the error is as large
//! as the jump.

use clew_base::exact::{Rational, power_of_two};
use clew_base::int::IntType;
use clew_base::source::Span;
use clew_ir::syntax::BinaryOp;

use crate::algebra::{Algebra, Fault, Seen, Source};
use crate::eval::of_integer;
use crate::exact::small_integer;
use crate::format::{Grid, Rounding};
use crate::interval::Interval;
use crate::store::{Scalar, Shaped, constant, integer};
use crate::walk::{Walk, Walked};

/// Beyond this, floats do not tell integers apart.
const LARGE: f64 = 4_503_599_627_370_496.0;

impl<'a, A: Algebra> Walk<'a, A> {
    /// `x & mask` and `x % n` of an integer that stands for a number.
    pub(crate) fn remainder(
        &mut self,
        op: BinaryOp,
        a: &Shaped<A::Value>,
        b: &Shaped<A::Value>,
        int: IntType,
        span: Span,
    ) -> Walked<Scalar<A::Value>> {
        let known = |x: &Shaped<A::Value>| x.constant.as_deref().and_then(small_integer);
        let (x, by) = match (op, known(a), known(b)) {
            (_, _, Some(by)) => (a, by),
            (BinaryOp::And, Some(by), _) => (b, by),
            _ => return Ok(Scalar::unclear("a remainder, or bits, by what is not one known integer")),
        };
        match op {
            BinaryOp::Rem if by != 0 => self.modulo(x, by.abs(), f64::trunc, span),
            BinaryOp::And if by >= 0 && (by + 1) & by == 0 => self.modulo(x, by + 1, f64::floor, span),
            // All bits but the lowest: as a signed integer, minus a power of two.
            BinaryOp::And if is_power_of_two(-by) => self.without_low_bits(x, -by, span),
            BinaryOp::And if is_power_of_two(int.max() - by + 1) && !int.signed => {
                self.without_low_bits(x, int.max() - by + 1, span)
            }
            _ => Ok(Scalar::unclear("an operation on the bits of a number")),
        }
    }

    /// `x - n * quotient(x / n)`
    fn modulo(
        &mut self,
        x: &Shaped<A::Value>,
        by: i128,
        quotient: fn(f64) -> f64,
        span: Span,
    ) -> Walked<Scalar<A::Value>> {
        let seen = self.algebra.seen(&x.value);
        let period = by as f64;
        if seen.real.magnitude().max(seen.machine.magnitude()) > LARGE || period > LARGE {
            return Ok(Scalar::unclear("a remainder of a large number"));
        }
        // A quotient that was rounded to an integer is none that counts.
        let is_exact = |end: f64, times: f64| match end - times * period {
            rest if rest < 0.0 => quotient(-0.5) == 0.0 && end <= 0.0,
            rest => rest == 0.0 || end > 0.0 || quotient(-0.5) < 0.0,
        };
        let whole = |end: f64| Some(quotient(end / period)).filter(|times| is_exact(end, *times));
        if let Some(times) = agreed(seen, whole) {
            if times == 0.0 {
                return Ok(Scalar::Number(Shaped { format: None, ..x.clone() }));
            }
            let multiple = integer(&mut self.algebra, times as i128 * by);
            let value = self.algebra.sub(&x.value, &multiple.value);
            return Ok(Scalar::Number(Shaped::new(self.computed(value, span)?, None, x.grid)));
        }
        if self.algebra.is_run() {
            return Err(self.fault(Fault::Undecided, span));
        }
        let least =
            if quotient(-0.5) < 0.0 || seen.real.lo.min(seen.machine.lo) >= 0.0 { 0.0 } else { 1.0 - period };
        let most = Interval::new(least, period - 1.0);
        let machine = self.any(most, span)?;
        if seen.error == Interval::ZERO {
            return Ok(Scalar::Number(machine));
        }
        let real = Interval::new(if least < 0.0 { -period } else { 0.0 }, period);
        let real = self.any(real, span)?;
        let value = self.algebra.cross(&real.value, &machine.value);
        Ok(Scalar::Number(Shaped::new(value, None, Some(Grid::INTEGERS))))
    }

    /// Any number of an interval, from a source of its own.
    fn any(&mut self, range: Interval, span: Span) -> Walked<Shaped<A::Value>> {
        let value = self.algebra.source(&Source { range, grid: Grid::INTEGERS, rounding: None });
        Ok(Shaped::new(self.computed(value, span)?, None, Some(Grid::INTEGERS)))
    }

    /// The next multiple of a power of two below.
    fn without_low_bits(&mut self, x: &Shaped<A::Value>, unit: i128, span: Span) -> Walked<Scalar<A::Value>> {
        let digits = i64::from(unit.trailing_zeros());
        let down = constant(&mut self.algebra, power_of_two(-digits));
        let up = constant(&mut self.algebra, power_of_two(digits));
        let scaled = self.algebra.mul(&x.value, &down.value);
        let scaled = self.computed(scaled, span)?;
        let from = x.grid.zip(down.grid).map(|(a, b)| a.product(b));
        let whole = self.algebra.round(&scaled, from, Grid::INTEGERS, Rounding::Truncate);
        let whole = self.computed(whole, span)?;
        let value = self.algebra.mul(&whole, &up.value);
        Ok(Scalar::Number(Shaped::new(self.computed(value, span)?, None, Some(Grid::INTEGERS))))
    }

    /// The integer part of a float.
    pub(crate) fn cut_to_integer(
        &mut self,
        number: &Shaped<A::Value>,
        int: IntType,
        span: Span,
    ) -> Walked<Scalar<A::Value>> {
        let seen = self.algebra.seen(&number.value);
        let ends = [seen.machine.lo, seen.machine.hi, seen.real.lo, seen.real.hi].map(f64::trunc);
        if ends.iter().any(|end| end.abs() > 1e15) {
            return Ok(Scalar::unclear("the integer part of a large number"));
        }
        if seen.error == Interval::ZERO || ends.iter().all(|end| *end == ends[0]) {
            return Ok(Scalar::Int(ends[0].min(ends[2]) as i128, ends[1].max(ends[3]) as i128));
        }
        if self.algebra.is_run() {
            return Err(self.fault(Fault::Undecided, span));
        }
        if self.setup.facts.numbers.is_integer_c {
            // Integers are divided in the reals there, and this one is an integer in the reals as well.
            return Ok(Scalar::unclear("the integer part of a number that rounding may change"));
        }
        let whole = self.algebra.round(&number.value, number.grid, Grid::INTEGERS, Rounding::TowardZero);
        let whole = self.computed(whole, span)?;
        // What the real number loses is another part of it than what the machine's loses.
        let lost = Interval::new(
            if seen.real.lo < 0.0 { -1.0 } else { 0.0 },
            if seen.real.hi > 0.0 { 1.0 } else { 0.0 },
        );
        let lost = self.any(lost, span)?;
        let nothing = self.algebra.known(&Rational::ZERO, &Rational::ZERO);
        let lost = self.algebra.cross(&lost.value, &nothing);
        let value = self.algebra.sub(&whole, &lost);
        let part = Shaped::new(self.computed(value, span)?, None, Some(Grid::INTEGERS));
        Ok(Scalar::Number(self.fit(part, &of_integer(int, Rounding::TowardZero), span)?))
    }
}

fn is_power_of_two(n: i128) -> bool {
    n > 0 && n & (n - 1) == 0
}

/// What a step function is of machine and reals alike, if it is surely one number.
fn agreed(seen: Seen, step: impl Fn(f64) -> Option<f64>) -> Option<f64> {
    let ends = [seen.machine.lo, seen.machine.hi, seen.real.lo, seen.real.hi].map(step);
    ends[0].filter(|_| ends.iter().all(|end| *end == ends[0]))
}
