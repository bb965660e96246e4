// SPDX-License-Identifier: MIT OR Apache-2.0
//! AI: a number is a centre plus a linear combination of noise symbols (Definitions 6 and 7).
//!
//! Coefficients are floats. What their own rounding loses is kept in `slop`, a radius with no symbol: it is as sound as
//! a fresh symbol for each operation and costs nothing, as long as it is small ([`LEAST_NAMED`]).
//!
//! Deviations from the paper. *Union* (Definition 13) takes the coefficient of larger size for each symbol: that encloses
//! the values, but it claims a dependence on the symbol that the other operand does not have (join `e` and `-e`, then add
//! `e`). Ours keeps of each coefficient what both share and covers the rest with a fresh symbol (Goubault and Putot).
//! *Forms stay short*: past [`MOST_TERMS`] symbols the smallest coefficients are put together under one fresh symbol.

use std::sync::Arc;

use super::{Range, Renamed, Symbol, Symbols};
use crate::directed::{add_up, mul_up, mul_with_error, two_sum};
use crate::interval::Interval;

/// A form with more symbols than this is shortened where a fresh symbol is at hand.
const MOST_TERMS: usize = 160;

/// Slop that is a larger part of the radius than this gets a symbol of its own.
const LEAST_NAMED: f64 = 1e-10;

/// An affine form.
#[derive(Clone, Debug)]
pub struct Affine {
    centre: f64,
    /// Sorted by symbol, none zero.
    terms: Arc<Vec<(Symbol, f64)>>,
    /// Radius of what no symbol accounts for.
    slop: f64,
}

impl Affine {
    fn new(centre: f64, terms: Vec<(Symbol, f64)>, slop: f64) -> Affine {
        Affine { centre, terms: Arc::new(terms), slop }
    }

    /// Whether both are one form, not merely equal.
    pub fn is(&self, other: &Affine) -> bool {
        self.centre == other.centre && self.slop == 0.0 && other.slop == 0.0 && self.terms == other.terms
    }

    /// How far values may be from the centre, rounded up.
    fn radius(&self) -> f64 {
        self.terms.iter().fold(self.slop, |sum, (_, c)| add_up(sum, c.abs()))
    }

    /// `a * self + b * other` for floats `a`, `b`.
    fn combine(&self, a: f64, other: &Affine, b: f64) -> Affine {
        let mut slop = add_up(mul_up(self.slop, a.abs()), mul_up(other.slop, b.abs()));
        let mut weighted = |x: f64, y: f64| {
            let ((p, e), (q, f)) = (mul_with_error(x, a), mul_with_error(y, b));
            let (sum, g) = two_sum(p, q);
            slop = add_up(slop, add_up(g.abs(), add_up(e, f)));
            sum
        };
        let centre = weighted(self.centre, other.centre);
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        for (symbol, x, y) in merged(&self.terms, &other.terms) {
            let sum = weighted(x, y);
            if sum != 0.0 {
                terms.push((symbol, sum));
            }
        }
        Affine::new(centre, terms, slop)
    }

    /// With one more symbol of this radius, if it is not zero; too long forms are shortened on the way.
    fn with_noise(mut self, radius: f64, symbols: &mut Symbols) -> Affine {
        let mut radius = radius;
        // What has no symbol does not cancel. A filter that feeds back would multiply it at every sample, past all bounds.
        if self.slop > LEAST_NAMED * self.radius() && !self.terms.is_empty() {
            radius = add_up(radius, std::mem::take(&mut self.slop));
        }
        if self.terms.len() >= MOST_TERMS {
            let mut sizes: Vec<f64> = self.terms.iter().map(|(_, c)| c.abs()).collect();
            let middle = sizes.len() / 2;
            sizes.select_nth_unstable_by(middle, f64::total_cmp);
            let least = sizes[middle];
            let (kept, small): (Vec<_>, Vec<_>) = self.terms.iter().partition(|(_, c)| c.abs() > least);
            radius = small.iter().fold(radius, |sum, (_, c)| add_up(sum, c.abs()));
            self.terms = Arc::new(kept);
        }
        if radius > 0.0 {
            Arc::make_mut(&mut self.terms).push((symbols.fresh(), radius));
        }
        self
    }
}

/// The terms of two forms side by side, in the order of their symbols; 0 where one has none.
pub(crate) fn merged<'a, C: Copy + Default>(
    left: &'a [(Symbol, C)],
    right: &'a [(Symbol, C)],
) -> impl Iterator<Item = (Symbol, C, C)> + 'a {
    let (mut i, mut j) = (0, 0);
    std::iter::from_fn(move || match (left.get(i), right.get(j)) {
        (None, None) => None,
        (Some((a, x)), Some((b, y))) if a == b => {
            (i, j) = (i + 1, j + 1);
            Some((*a, *x, *y))
        }
        (Some((a, x)), Some((b, _))) if a < b => {
            i += 1;
            Some((*a, *x, C::default()))
        }
        (Some((a, x)), None) => {
            i += 1;
            Some((*a, *x, C::default()))
        }
        (_, Some((b, y))) => {
            j += 1;
            Some((*b, C::default(), *y))
        }
    })
}

impl Range for Affine {
    const NAME: &'static str = "AI";

    fn constant(value: Interval) -> Self {
        Affine::new(value.middle(), Vec::new(), value.radius())
    }

    fn source(value: Interval, symbols: &mut Symbols) -> Self {
        Affine::new(value.middle(), Vec::new(), 0.0).with_noise(value.radius(), symbols)
    }

    fn noise(value: Interval, symbols: &mut Symbols) -> Self {
        Affine::source(value, symbols)
    }

    fn add(&self, other: &Self) -> Self {
        self.combine(1.0, other, 1.0)
    }

    fn sub(&self, other: &Self) -> Self {
        self.combine(1.0, other, -1.0)
    }

    fn mul(&self, other: &Self, symbols: &mut Symbols) -> Self {
        // x0 * (y0 + y) + y0 * x, and B for x * y: the centre enters once.
        let left = Affine { centre: 0.0, ..self.clone() };
        let linear = left.combine(other.centre, other, self.centre);
        linear.with_noise(mul_up(self.radius(), other.radius()), symbols)
    }

    fn scale(&self, factor: Interval) -> Self {
        let scaled = self.combine(factor.middle(), &Affine::constant(Interval::ZERO), 0.0);
        let slack = if factor.is_point() { 0.0 } else { mul_up(self.bounds().magnitude(), factor.radius()) };
        Affine { slop: add_up(scaled.slop, slack), ..scaled }
    }

    fn linear(&self, slope: Interval, offset: Interval, symbols: &mut Symbols) -> Self {
        let middle = Affine::constant(Interval::point(offset.middle()));
        self.scale(slope).add(&middle).with_noise(offset.radius(), symbols)
    }

    fn join(&self, other: &Self, symbols: &mut Symbols) -> Self {
        if self.centre == other.centre && self.slop == other.slop && self.terms == other.terms {
            return self.clone();
        }
        let shared: Vec<(Symbol, f64)> = merged(&self.terms, &other.terms)
            .map(|(symbol, x, y)| {
                (
                    symbol,
                    if x * y <= 0.0 {
                        0.0
                    } else if x.abs() < y.abs() {
                        x
                    } else {
                        y
                    },
                )
            })
            .filter(|(_, c)| *c != 0.0)
            .collect();
        let shared = Affine::new(0.0, shared, 0.0);
        let rest = self.sub(&shared).bounds().hull(other.sub(&shared).bounds());
        let centred = Affine { centre: rest.middle(), ..shared };
        centred.with_noise(rest.radius(), symbols)
    }

    fn substituted(&self, by: &[(&Self, &Self)], renamed: &mut Renamed, symbols: &mut Symbols) -> Self {
        let mut kept = Vec::new();
        let mut put = Vec::new();
        for (symbol, coefficient) in self.terms.iter() {
            let stands = |(formal, _): &&(&Self, &Self)| matches!(&formal.terms[..], [(s, _)] if s == symbol);
            match by.iter().find(stands) {
                Some((formal, actual)) => put.push((*coefficient, formal, actual)),
                None => kept.push((*renamed.entry(*symbol).or_insert_with(|| symbols.fresh()), *coefficient)),
            }
        }
        kept.sort_unstable_by_key(|(symbol, _)| *symbol);
        let mut result = Affine::new(self.centre, kept, self.slop);
        for (coefficient, formal, actual) in put {
            // The symbol is the argument's distance from the middle, over the radius.
            let centred = actual.sub(&Affine::constant(Interval::point(formal.centre)));
            let slope = Interval::point(coefficient).checked_div(Interval::point(formal.terms[0].1));
            let Some(slope) = slope else { continue };
            result = result.add(&centred.scale(slope));
        }
        result.with_noise(0.0, symbols)
    }

    fn bounds(&self) -> Interval {
        Interval::point(self.centre).widened(self.radius())
    }
}
