// SPDX-License-Identifier: MIT OR Apache-2.0
//! The paper's pairs (Definitions 2, 10, 11): a range of the number and a range of its round-off error, both in one of the
//! three representations.
//!
//! Deviations. The paper's first component is the fixed-point value, without the rounding that the value suffers: a sum of
//! rounded products may then lie outside. Here the first component is the *real* value; the machine's is the first minus
//! the second, and the laws are those of Definition 2 with the sign of the last product turned: for `x = xm + xr`,
//! `xy - xm ym = xr y + x yr - xr yr`. Bounds of errors are the same numbers. The quotient's error is
//! `(xr - (x/y) yr) / ym`, which keeps what the difference of two quotients forgets.
//!
//! Tests narrow intervals, not forms: `clip` is what they leave, carried along by classical arithmetic from there on.

use clew_base::exact::Rational;
use clew_ir::syntax::CompareOp;

use crate::algebra::{Algebra, Computed, Fault, Limits, Seen, Source, Substituted, Verdict, verdict};
use crate::format::{Format, Grid, Overflow, Rounding};
use crate::interval::Interval;
use crate::range::{Range, Renamed, Symbols};

/// A number and its error.
#[derive(Clone, Debug)]
pub struct Pair<R> {
    real: R,
    error: R,
    clip: Option<Seen>,
    /// Bounds, by forms and clip.
    seen: Seen,
}

impl<R: Range> Pair<R> {
    fn new(real: R, error: R, clip: Option<Seen>) -> Pair<R> {
        let (reals, errors) = (real.bounds(), error.bounds());
        let machine = if errors == Interval::ZERO { reals } else { real.sub(&error).bounds() };
        let seen = match clip {
            None => Seen { real: reals, machine, error: errors },
            Some(clip) => Seen {
                real: reals.and(clip.real),
                machine: machine.and(clip.machine),
                error: errors.and(clip.error),
            },
        };
        Pair { real, error, clip, seen }
    }
}

/// The algebra of pairs over one range representation.
#[derive(Clone, Debug, Default)]
pub struct Pairs<R> {
    symbols: Symbols,
    kind: std::marker::PhantomData<R>,
}

impl<R: Range> Pairs<R> {
    /// With no symbols yet.
    pub fn new() -> Self {
        Pairs { symbols: Symbols::default(), kind: std::marker::PhantomData }
    }

    /// A result: finite, and clipped by what classical arithmetic says of clipped operands.
    fn made(&self, real: R, error: R, clip: Option<Seen>) -> Computed<Pair<R>> {
        let pair = Pair::new(real, error, clip);
        if pair.seen.is_finite() { Ok(pair) } else { Err(Fault::TooLarge) }
    }

    /// Classical arithmetic, where an operand is clipped.
    fn clipped(&self, a: &Pair<R>, b: &Pair<R>, law: impl Fn(Seen, Seen) -> Option<Seen>) -> Option<Seen> {
        if a.clip.is_none() && b.clip.is_none() {
            return None;
        }
        law(self.seen(a), self.seen(b))
    }

    fn machine(&self, a: &Pair<R>) -> R {
        a.real.sub(&a.error)
    }

    fn noisy(&mut self, error: R, noise: Interval) -> R {
        if noise == Interval::ZERO { error } else { error.add(&R::noise(noise, &mut self.symbols)) }
    }

    /// Sum or difference of intervals, and of forms.
    fn linear(
        &self,
        a: &Pair<R>,
        b: &Pair<R>,
        law: impl Fn(Interval, Interval) -> Interval,
        form: impl Fn(&R, &R) -> R,
    ) -> Computed<Pair<R>> {
        let all = |a: Seen, b: Seen| {
            let (real, machine) = (law(a.real, b.real), law(a.machine, b.machine));
            Some(Seen { real, machine, error: law(a.error, b.error) })
        };
        let clip = self.clipped(a, b, all);
        self.made(form(&a.real, &b.real), form(&a.error, &b.error), clip)
    }
}

/// Product of intervals: `xr y + xm yr`.
pub fn product(a: Seen, b: Seen) -> Seen {
    let error = a.error * b.real + a.machine * b.error;
    Seen { real: a.real * b.real, machine: a.machine * b.machine, error }
}

/// Quotient of intervals.
pub fn quotient(a: Seen, b: Seen) -> Option<Seen> {
    let real = a.real.checked_div(b.real)?;
    let error = (a.error - real * b.error).checked_div(b.machine)?;
    Some(Seen { real, machine: a.machine.checked_div(b.machine)?, error })
}

/// After rounding: the machine's number moves by at most the error, and not past what its ends are rounded to.
pub fn rounded(a: Seen, noise: Interval) -> Seen {
    Seen { real: a.real, machine: a.machine - noise, error: a.error + noise }
}

/// What saturation takes away from a machine's number.
pub fn cut(machine: Interval, format: &Format) -> Interval {
    let ends = format.range();
    let below = (machine - Interval::point(ends.lo)).lo.min(0.0);
    let above = (machine - Interval::point(ends.hi)).hi.max(0.0);
    Interval::new(below, above)
}

impl<R: Range> Algebra for Pairs<R> {
    type Value = Pair<R>;

    fn known(&mut self, real: &Rational, machine: &Rational) -> Pair<R> {
        let error = Interval::around(&(real - machine));
        Pair::new(R::constant(Interval::around(real)), R::constant(error), None)
    }

    fn source(&mut self, source: &Source) -> Computed<Pair<R>> {
        let real = R::source(source.range, &mut self.symbols);
        let lost = match source.rounding {
            Some(mode) if !source.range.is_point() => source.grid.rounding_error(mode, None, source.range),
            Some(mode) => point_error(source, mode),
            None => Interval::ZERO,
        };
        let error = R::source(lost, &mut self.symbols);
        self.made(real, error, None)
    }

    fn add(&mut self, a: &Pair<R>, b: &Pair<R>) -> Computed<Pair<R>> {
        self.linear(a, b, |x, y| x + y, R::add)
    }

    fn sub(&mut self, a: &Pair<R>, b: &Pair<R>) -> Computed<Pair<R>> {
        self.linear(a, b, |x, y| x - y, R::sub)
    }

    fn mul(&mut self, a: &Pair<R>, b: &Pair<R>) -> Computed<Pair<R>> {
        let clip = self.clipped(a, b, |a, b| Some(product(a, b)));
        let symbols = &mut self.symbols;
        let real = a.real.mul(&b.real, symbols);
        let (left, right) = (a.error.mul(&b.real, symbols), a.real.mul(&b.error, symbols));
        let error = left.add(&right).sub(&a.error.mul(&b.error, symbols));
        self.made(real, error, clip)
    }

    fn div(&mut self, a: &Pair<R>, b: &Pair<R>, to: Grid, mode: Rounding) -> Computed<Pair<R>> {
        let zero = || Fault::Undefined("the divisor may be zero");
        let seen = quotient(self.seen(a), self.seen(b)).ok_or_else(zero)?;
        let noise = to.rounding_error(mode, None, seen.machine);
        let clip = self.clipped(a, b, |_, _| Some(rounded(seen, noise)));
        let machine = self.machine(b);
        let by_real = b.real.reciprocal(&mut self.symbols).ok_or_else(zero)?;
        let by_machine = machine.reciprocal(&mut self.symbols).ok_or_else(zero)?;
        let real = a.real.mul(&by_real, &mut self.symbols);
        let top = a.error.sub(&real.mul(&b.error, &mut self.symbols));
        let error = top.mul(&by_machine, &mut self.symbols);
        let error = self.noisy(error, noise);
        self.made(real, error, clip)
    }

    fn sqrt(&mut self, a: &Pair<R>, to: Grid, mode: Rounding) -> Computed<Pair<R>> {
        let negative = || Fault::Undefined("the radicand may be negative");
        let steep =
            || Fault::Undefined("the square root of a value with an error is taken where it may be 0");
        let seen = self.seen(a);
        let machine = self.machine(a);
        let (roots, machine_roots) = (seen.real.sqrt(), seen.machine.sqrt());
        let (roots, machine_roots) = (roots.ok_or_else(negative)?, machine_roots.ok_or_else(negative)?);
        let noise = to.rounding_error(mode, None, machine_roots);
        let real = a.real.sqrt(&mut self.symbols).ok_or_else(negative)?;
        let error = if seen.error == Interval::ZERO {
            R::constant(Interval::ZERO)
        } else {
            let sum = real.add(&machine.sqrt(&mut self.symbols).ok_or_else(negative)?);
            let below = sum.reciprocal(&mut self.symbols).ok_or_else(steep)?;
            a.error.mul(&below, &mut self.symbols)
        };
        let error = self.noisy(error, noise);
        let bounds = error.bounds();
        let clip = a.clip.map(|_| Seen { real: roots, machine: machine_roots - noise, error: bounds });
        self.made(real, error, clip)
    }

    fn abs(&mut self, a: &Pair<R>) -> Computed<Pair<R>> {
        let seen = self.seen(a);
        if seen.real.lo >= 0.0 && seen.machine.lo >= 0.0 {
            return Ok(a.clone());
        }
        let zero = self.known(&Rational::ZERO, &Rational::ZERO);
        let minus = self.sub(&zero, a)?;
        if seen.real.hi <= 0.0 && seen.machine.hi <= 0.0 {
            return Ok(minus);
        }
        // | |x| - |xm| | is at most |x - xm|.
        let error = R::noise(Interval::symmetric(seen.error.magnitude()), &mut self.symbols);
        let real = a.real.join(&minus.real, &mut self.symbols);
        let size = Interval::symmetric(seen.error.magnitude());
        let clip = Seen { real: seen.real.abs(), machine: seen.machine.abs(), error: size };
        self.made(real, error, Some(clip))
    }

    fn round(&mut self, a: &Pair<R>, from: Option<Grid>, to: Grid, mode: Rounding) -> Computed<Pair<R>> {
        let noise = to.rounding_error(mode, from, self.seen(a).machine);
        if noise == Interval::ZERO {
            return Ok(a.clone());
        }
        let clip = a.clip.map(|clip| rounded(clip, noise));
        let error = self.noisy(a.error.clone(), noise);
        self.made(a.real.clone(), error, clip)
    }

    fn fit(&mut self, a: &Pair<R>, format: &Format) -> (Pair<R>, bool) {
        let seen = self.seen(a);
        let lost = cut(seen.machine, format);
        if lost == Interval::ZERO {
            return (a.clone(), false);
        }
        if format.overflow == Overflow::Wrap {
            return (a.clone(), true);
        }
        let error = self.noisy(a.error.clone(), lost);
        let ends = format.range();
        let machine =
            Interval::new(seen.machine.lo.clamp(ends.lo, ends.hi), seen.machine.hi.clamp(ends.lo, ends.hi));
        let clip = Seen { real: seen.real, machine, error: error.bounds() };
        (Pair::new(a.real.clone(), error, Some(clip)), true)
    }

    fn compare(&mut self, op: CompareOp, a: &Pair<R>, b: &Pair<R>) -> Computed<Verdict> {
        let difference = self.sub(a, b)?;
        let seen = self.seen(&difference);
        Ok(verdict(op, seen.machine, seen.real, seen.error))
    }

    fn restrict(&mut self, a: &Pair<R>, limits: Limits) -> Option<Pair<R>> {
        let seen = self.seen(a);
        let real = seen.real.meet(limits.real)?.meet(limits.machine + seen.error)?;
        let machine = seen.machine.meet(limits.machine)?.meet(limits.real - seen.error)?;
        if real == seen.real && machine == seen.machine {
            return Some(a.clone());
        }
        let clip = Seen { real, machine, error: seen.error };
        Some(Pair { clip: Some(clip), seen: clip, ..a.clone() })
    }

    fn join(&mut self, a: &Pair<R>, b: &Pair<R>) -> Pair<R> {
        let clip = self.clipped(a, b, |a, b| Some(a.hull(b)));
        let real = a.real.join(&b.real, &mut self.symbols);
        let error = a.error.join(&b.error, &mut self.symbols);
        Pair::new(real, error, clip)
    }

    fn cross(&mut self, real: &Pair<R>, machine: &Pair<R>) -> Pair<R> {
        let (r, m) = (self.seen(real), self.seen(machine));
        let error = real.real.sub(&self.machine(machine));
        let clip = Seen { real: r.real, machine: m.machine, error: r.real - m.machine };
        Pair::new(real.real.clone(), error, Some(clip))
    }

    fn formal(&mut self, a: &Pair<R>) -> Option<Pair<R>> {
        let real = R::source(a.seen.real, &mut self.symbols);
        let error = R::source(a.seen.error, &mut self.symbols);
        let pair = Pair::new(real, error, Some(a.seen));
        Some(pair)
    }

    fn instance(&mut self, result: &Pair<R>, by: &[Substituted<'_, Pair<R>>]) -> Pair<R> {
        let mut renamed = Renamed::new();
        let forms: Vec<(&R, &R)> = by
            .iter()
            .flat_map(|(formal, actual)| [(&formal.real, &actual.real), (&formal.error, &actual.error)])
            .collect();
        let real = result.real.substituted(&forms, &mut renamed, &mut self.symbols);
        let error = result.error.substituted(&forms, &mut renamed, &mut self.symbols);
        Pair::new(real, error, Some(result.seen))
    }

    fn seen(&self, a: &Pair<R>) -> Seen {
        a.seen
    }
}

/// What rounding takes away from an input of one value.
fn point_error(source: &Source, mode: Rounding) -> Interval {
    let Ok(exact) = Rational::try_from(source.range.lo) else { return Interval::ALL };
    let after = crate::exact::rounded(&exact, source.grid, mode);
    Interval::around(&(exact - after))
}
