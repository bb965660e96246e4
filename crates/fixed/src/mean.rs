// SPDX-License-Identifier: MIT OR Apache-2.0
//! Mean-value pairs: the error as a sum of *derivative times source*, one source a rounding.
//!
//! By the mean value theorem the error of a result is the sum over all roundings of the rounding times the derivative of
//! the result by it, somewhere in the box of inputs and errors: there is no second-order term. The derivatives are carried
//! forward as intervals, one for each noise symbol. What makes it exact to the first order as boxes shrink is the identity
//! `xy - xm ym = xr (y + ym)/2 + yr (x + xm)/2`. Where EAI forgets which rounding it was, these remember, and where AI
//! needs a fresh symbol for what is not linear, these need none. Bounds of values are the best of affine and classical
//! arithmetic. [`crate::bound`] cuts the inputs into boxes.

use std::sync::Arc;

use clew_base::exact::Rational;
use clew_ir::syntax::CompareOp;

use crate::algebra::{Algebra, Computed, Fault, Limits, Seen, Source, Substituted, Verdict, verdict};
use crate::directed::add_up;
use crate::format::{Format, Grid, Overflow, Rounding};
use crate::interval::Interval;
use crate::pair::{cut, product, quotient, rounded};
use crate::range::affine::Affine;
use crate::range::{Range, Renamed, Symbol, Symbols, merged};

/// Forms with more terms than this are shortened.
const MOST_TERMS: usize = 160;

/// A number, its error by sources, and the best bounds of both.
#[derive(Clone, Debug)]
pub struct Mean {
    real: Affine,
    /// Derivatives by the noise symbols of roundings, sorted by symbol.
    slopes: Arc<Vec<(Symbol, Interval)>>,
    /// What has no symbol.
    rest: Interval,
    seen: Seen,
}

/// The algebra of mean-value pairs.
#[derive(Clone, Debug, Default)]
pub struct Means {
    symbols: Symbols,
}

impl Means {
    fn made(
        &mut self,
        real: Affine,
        slopes: Vec<(Symbol, Interval)>,
        rest: Interval,
        law: Seen,
    ) -> Computed<Mean> {
        let slopes = self.shortened(slopes);
        let radius = slopes.iter().fold(0.0, |sum, (_, c)| add_up(sum, c.magnitude()));
        let error = law.error.and(rest.widened(radius));
        let reals = law.real.and(real.bounds());
        let machine = law.machine.and(reals - error);
        let seen = Seen { real: reals.and(machine + error), machine, error };
        if !seen.is_finite() {
            return Err(Fault::TooLarge);
        }
        Ok(Mean { real, slopes: Arc::new(slopes), rest, seen })
    }

    /// `p * a's error + q * b's error`, term by term.
    fn weighted(&self, a: &Mean, p: Interval, b: &Mean, q: Interval) -> (Vec<(Symbol, Interval)>, Interval) {
        let terms = merged(&a.slopes, &b.slopes).map(|(s, x, y)| (s, x * p + y * q));
        (terms.filter(|(_, c)| *c != Interval::ZERO).collect(), a.rest * p + b.rest * q)
    }

    fn linear(&mut self, a: &Mean, b: &Mean, sign: f64) -> Computed<Mean> {
        let sign = Interval::point(sign);
        let law = |x: Interval, y: Interval| x + y * sign;
        let (slopes, rest) = self.weighted(a, Interval::point(1.0), b, sign);
        let real = if sign.lo > 0.0 { a.real.add(&b.real) } else { a.real.sub(&b.real) };
        let (a, b) = (a.seen, b.seen);
        let seen = Seen {
            real: law(a.real, b.real),
            machine: law(a.machine, b.machine),
            error: law(a.error, b.error),
        };
        self.made(real, slopes, rest, seen)
    }

    fn rounded(&mut self, a: Mean, noise: Interval) -> Computed<Mean> {
        if noise == Interval::ZERO {
            return Ok(a);
        }
        let seen = rounded(a.seen, noise);
        let mut slopes = a.slopes.to_vec();
        slopes.push((self.symbols.fresh(), Interval::point(noise.radius())));
        self.made(a.real, slopes, a.rest + Interval::point(noise.middle()), seen)
    }

    /// Puts the smallest derivatives of a long form together under one symbol. Without one they would not cancel, and a
    /// filter that feeds back would multiply them at every sample.
    fn shortened(&mut self, slopes: Vec<(Symbol, Interval)>) -> Vec<(Symbol, Interval)> {
        if slopes.len() < MOST_TERMS {
            return slopes;
        }
        let mut sizes: Vec<f64> = slopes.iter().map(|(_, c)| c.magnitude()).collect();
        let middle = sizes.len() / 2;
        sizes.select_nth_unstable_by(middle, f64::total_cmp);
        let least = sizes[middle];
        let (mut kept, small): (Vec<_>, Vec<_>) =
            slopes.into_iter().partition(|(_, c)| c.magnitude() > least);
        let radius = small.iter().fold(0.0, |sum, (_, c)| add_up(sum, c.magnitude()));
        kept.push((self.symbols.fresh(), Interval::point(radius)));
        kept
    }

    /// All that is known of the error is an interval.
    fn plain(&mut self, real: Affine, seen: Seen) -> Mean {
        Mean { real, slopes: Arc::default(), rest: seen.error, seen }
    }
}

impl Algebra for Means {
    type Value = Mean;

    fn known(&mut self, real: &Rational, machine: &Rational) -> Mean {
        let error = Interval::around(&(real - machine));
        let (real, machine) = (Interval::around(real), Interval::around(machine));
        self.plain(Affine::constant(real), Seen { real, machine, error })
    }

    fn source(&mut self, source: &Source) -> Computed<Mean> {
        let real = Affine::source(source.range, &mut self.symbols);
        let seen = Seen { real: source.range, machine: source.range, error: Interval::ZERO };
        let exact = Mean { real, slopes: Arc::default(), rest: Interval::ZERO, seen };
        match source.rounding {
            None => Ok(exact),
            Some(mode) => self.rounded(exact, source.grid.rounding_error(mode, None, source.range)),
        }
    }

    fn add(&mut self, a: &Mean, b: &Mean) -> Computed<Mean> {
        self.linear(a, b, 1.0)
    }

    fn sub(&mut self, a: &Mean, b: &Mean) -> Computed<Mean> {
        self.linear(a, b, -1.0)
    }

    fn mul(&mut self, a: &Mean, b: &Mean) -> Computed<Mean> {
        let half = Interval::point(0.5);
        let (p, q) = ((b.seen.real + b.seen.machine) * half, (a.seen.real + a.seen.machine) * half);
        let (slopes, rest) = self.weighted(a, p, b, q);
        let real = a.real.mul(&b.real, &mut self.symbols);
        let mut seen = product(a.seen, b.seen);
        if a.seen == b.seen && Arc::ptr_eq(&a.slopes, &b.slopes) && a.real.is(&b.real) {
            seen.real = seen.real.and(a.seen.real.square());
        }
        self.made(real, slopes, rest, seen)
    }

    fn div(&mut self, a: &Mean, b: &Mean, to: Grid, mode: Rounding) -> Computed<Mean> {
        let zero = || Fault::Undefined("the divisor may be zero");
        let seen = quotient(a.seen, b.seen).ok_or_else(zero)?;
        let by = Interval::point(1.0).checked_div(b.seen.machine).ok_or_else(zero)?;
        let (slopes, rest) = self.weighted(a, by, b, -(seen.real * by));
        let below = b.real.reciprocal(&mut self.symbols);
        let real = match below {
            Some(below) => a.real.mul(&below, &mut self.symbols),
            None => Affine::source(seen.real, &mut self.symbols),
        };
        let noise = to.rounding_error(mode, None, seen.machine);
        let exact = self.made(real, slopes, rest, seen)?;
        self.rounded(exact, noise)
    }

    fn sqrt(&mut self, a: &Mean, to: Grid, mode: Rounding) -> Computed<Mean> {
        let negative = || Fault::Undefined("the radicand may be negative");
        let (real, machine) = (a.seen.real.sqrt(), a.seen.machine.sqrt());
        let (real, machine) = (real.ok_or_else(negative)?, machine.ok_or_else(negative)?);
        let noise = to.rounding_error(mode, None, machine);
        let form = match a.real.sqrt(&mut self.symbols) {
            Some(form) => form,
            None => Affine::source(real, &mut self.symbols),
        };
        let by = Interval::point(1.0).checked_div(real + machine);
        let exact = match by {
            Some(by) => {
                let (slopes, rest) = self.weighted(a, by, a, Interval::ZERO);
                self.made(form, slopes, rest, Seen { real, machine, error: a.seen.error * by })?
            }
            // |sqrt(x) - sqrt(y)| is at most sqrt(|x - y|).
            None => {
                let most = Interval::point(a.seen.error.magnitude()).sqrt().ok_or_else(negative)?.hi;
                let error = Interval::symmetric(most).and(real - machine);
                self.plain(form, Seen { real, machine, error })
            }
        };
        self.rounded(exact, noise)
    }

    fn abs(&mut self, a: &Mean) -> Computed<Mean> {
        if a.seen.real.lo >= 0.0 && a.seen.machine.lo >= 0.0 {
            return Ok(a.clone());
        }
        let zero = self.known(&Rational::ZERO, &Rational::ZERO);
        let minus = self.sub(&zero, a)?;
        if a.seen.real.hi <= 0.0 && a.seen.machine.hi <= 0.0 {
            return Ok(minus);
        }
        let real = a.real.join(&minus.real, &mut self.symbols);
        let error = Interval::symmetric(a.seen.error.magnitude());
        Ok(self.plain(real, Seen { real: a.seen.real.abs(), machine: a.seen.machine.abs(), error }))
    }

    fn round(&mut self, a: &Mean, from: Option<Grid>, to: Grid, mode: Rounding) -> Computed<Mean> {
        let noise = to.rounding_error(mode, from, a.seen.machine);
        self.rounded(a.clone(), noise)
    }

    fn fit(&mut self, a: &Mean, format: &Format) -> (Mean, bool) {
        let lost = cut(a.seen.machine, format);
        if lost == Interval::ZERO || format.overflow == Overflow::Wrap {
            return (a.clone(), lost != Interval::ZERO);
        }
        let ends = format.range();
        let machine = Interval::new(
            a.seen.machine.lo.clamp(ends.lo, ends.hi),
            a.seen.machine.hi.clamp(ends.lo, ends.hi),
        );
        let error = (a.seen.error + lost).and(a.seen.real - machine);
        (self.plain(a.real.clone(), Seen { real: a.seen.real, machine, error }), true)
    }

    fn compare(&mut self, op: CompareOp, a: &Mean, b: &Mean) -> Computed<Verdict> {
        let seen = self.sub(a, b)?.seen;
        Ok(verdict(op, seen.machine, seen.real, seen.error))
    }

    fn restrict(&mut self, a: &Mean, limits: Limits) -> Option<Mean> {
        let real = a.seen.real.meet(limits.real)?.meet(limits.machine + a.seen.error)?;
        let machine = a.seen.machine.meet(limits.machine)?.meet(limits.real - a.seen.error)?;
        let error = a.seen.error.meet(real - machine)?;
        Some(Mean { seen: Seen { real, machine, error }, ..a.clone() })
    }

    fn join(&mut self, a: &Mean, b: &Mean) -> Mean {
        let terms = merged(&a.slopes, &b.slopes).map(|(s, x, y)| (s, x.hull(y))).collect();
        let real = a.real.join(&b.real, &mut self.symbols);
        Mean { real, slopes: Arc::new(terms), rest: a.rest.hull(b.rest), seen: a.seen.hull(b.seen) }
    }

    fn cross(&mut self, real: &Mean, machine: &Mean) -> Mean {
        // The real run's number minus the machine's: the difference of the two paths in the reals, and the error on the
        // machine's path.
        let apart = real.real.sub(&machine.real).bounds().and(real.seen.real - machine.seen.real);
        let error = (apart + machine.seen.error).and(real.seen.real - machine.seen.machine);
        let seen = Seen { real: real.seen.real, machine: machine.seen.machine, error };
        self.plain(real.real.clone(), seen)
    }

    fn formal(&mut self, a: &Mean) -> Option<Mean> {
        let real = Affine::source(a.seen.real, &mut self.symbols);
        let error = a.seen.error;
        let (slopes, rest) = match error.radius() {
            0.0 => (Vec::new(), error),
            radius => {
                (vec![(self.symbols.fresh(), Interval::point(radius))], Interval::point(error.middle()))
            }
        };
        Some(Mean { real, slopes: Arc::new(slopes), rest, seen: a.seen })
    }

    fn instance(&mut self, result: &Mean, by: &[Substituted<'_, Mean>]) -> Mean {
        let mut renamed = Renamed::new();
        let forms: Vec<(&Affine, &Affine)> = by.iter().map(|(f, a)| (&f.real, &a.real)).collect();
        let real = result.real.substituted(&forms, &mut renamed, &mut self.symbols);
        let (mut own, mut put) = (Vec::new(), Vec::new());
        for (symbol, slope) in result.slopes.iter() {
            let stands =
                |(formal, _): &&Substituted<'_, Mean>| matches!(&formal.slopes[..], [(s, _)] if s == symbol);
            match by.iter().find(stands) {
                Some((formal, actual)) => put.push((*slope, formal, actual)),
                None => own.push((*renamed.entry(*symbol).or_insert_with(|| self.symbols.fresh()), *slope)),
            }
        }
        own.sort_unstable_by_key(|(symbol, _)| *symbol);
        let mut error = Mean { real, slopes: Arc::new(own), rest: result.rest, seen: result.seen };
        for (slope, formal, actual) in put {
            // The symbol is the argument's error minus its middle, over its radius.
            let Some(by) = slope.checked_div(formal.slopes[0].1) else { continue };
            let (slopes, rest) = self.weighted(&error, Interval::point(1.0), actual, by);
            error = Mean { slopes: Arc::new(slopes), rest: rest - formal.rest * by, ..error };
        }
        let Mean { real, slopes, rest, seen } = error;
        let plain = self.plain(real.clone(), seen);
        self.made(real, slopes.to_vec(), rest, seen).unwrap_or(plain)
    }

    fn seen(&self, a: &Mean) -> Seen {
        a.seen
    }
}
