// SPDX-License-Identifier: MIT OR Apache-2.0
//! EAI: an affine form with intervals for coefficients (Definitions 8 and 9).
//!
//! Nothing needs a fresh symbol: what is not linear goes into the coefficients. So a form never has more symbols than
//! there are sources, and a repeated nonlinear result is not recognised as the same (Example 4). Deviation: with many
//! sources (a filter over ten thousand samples) the smallest coefficients go into the centre.

use std::sync::Arc;

use super::affine::merged;
use super::{Range, Renamed, Symbol, Symbols};
use crate::directed::add_up;
use crate::interval::Interval;

/// A form with more symbols than this is shortened.
const MOST_TERMS: usize = 160;

/// An extended affine interval.
#[derive(Clone, Debug)]
pub struct Extended {
    centre: Interval,
    /// Sorted by symbol.
    terms: Arc<Vec<(Symbol, Interval)>>,
}

impl Default for Interval {
    fn default() -> Self {
        Interval::ZERO
    }
}

impl Extended {
    fn radius(&self) -> f64 {
        self.terms.iter().fold(0.0, |sum, (_, c)| add_up(sum, c.magnitude()))
    }

    fn map2(&self, other: &Extended, f: impl Fn(Interval, Interval) -> Interval) -> Extended {
        let terms = merged(&self.terms, &other.terms).map(|(s, x, y)| (s, f(x, y)));
        let terms: Vec<(Symbol, Interval)> = terms.filter(|(_, c)| *c != Interval::ZERO).collect();
        Extended { centre: f(self.centre, other.centre), terms: Arc::new(terms) }.shortened()
    }

    /// Long forms are cut to the half with the largest coefficients; the rest goes into the centre.
    fn shortened(self) -> Extended {
        if self.terms.len() < MOST_TERMS {
            return self;
        }
        let mut sizes: Vec<f64> = self.terms.iter().map(|(_, c)| c.magnitude()).collect();
        let middle = sizes.len() / 2;
        sizes.select_nth_unstable_by(middle, f64::total_cmp);
        let least = sizes[middle];
        let (kept, small): (Vec<_>, Vec<_>) = self.terms.iter().partition(|(_, c)| c.magnitude() > least);
        let radius = small.iter().fold(0.0, |sum, (_, c)| add_up(sum, c.magnitude()));
        Extended { centre: self.centre.widened(radius), terms: Arc::new(kept) }
    }
}

impl Range for Extended {
    const NAME: &'static str = "EAI";

    fn constant(value: Interval) -> Self {
        Extended { centre: value, terms: Arc::default() }
    }

    fn source(value: Interval, symbols: &mut Symbols) -> Self {
        if value.is_point() {
            return Extended::constant(value);
        }
        let term = (symbols.fresh(), Interval::point(value.radius()));
        Extended { centre: Interval::point(value.middle()), terms: Arc::new(vec![term]) }
    }

    fn noise(value: Interval, _: &mut Symbols) -> Self {
        Extended::constant(value)
    }

    fn add(&self, other: &Self) -> Self {
        self.map2(other, |x, y| x + y)
    }

    fn sub(&self, other: &Self) -> Self {
        self.map2(other, |x, y| x - y)
    }

    fn mul(&self, other: &Self, _: &mut Symbols) -> Self {
        let (p, q) = (self.radius(), other.radius());
        let (x0, y0) = (self.centre, other.centre);
        let term = |x: Interval, y: Interval| {
            let rest = if q <= p { x * Interval::symmetric(q) } else { y * Interval::symmetric(p) };
            x0 * y + x * y0 + rest
        };
        let terms: Vec<(Symbol, Interval)> = merged(&self.terms, &other.terms)
            .map(|(s, x, y)| (s, term(x, y)))
            .filter(|(_, c)| *c != Interval::ZERO)
            .collect();
        Extended { centre: x0 * y0, terms: Arc::new(terms) }.shortened()
    }

    fn scale(&self, factor: Interval) -> Self {
        self.map2(&Extended::constant(Interval::ZERO), |x, _| x * factor)
    }

    fn linear(&self, slope: Interval, offset: Interval, _: &mut Symbols) -> Self {
        self.scale(slope).add(&Extended::constant(offset))
    }

    fn join(&self, other: &Self, _: &mut Symbols) -> Self {
        self.map2(other, Interval::hull)
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
        let mut result = Extended { centre: self.centre, terms: Arc::new(kept) };
        for (coefficient, formal, actual) in put {
            let centred = actual.sub(&Extended::constant(formal.centre));
            let Some(slope) = coefficient.checked_div(formal.terms[0].1) else { continue };
            result = result.add(&centred.scale(slope));
        }
        result
    }

    fn bounds(&self) -> Interval {
        self.centre.widened(self.radius())
    }
}
