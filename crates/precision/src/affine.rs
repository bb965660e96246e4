// SPDX-License-Identifier: MIT OR Apache-2.0
//! Affine forms: a number as a centre and multiples of noise symbols, each somewhere in [-1, 1].
//!
//! Intervals forget that `t - s` has something to do with `s`; forms do not, so a filter's state stays bounded and
//! Kahan's correction stays small. Inputs and rounding errors are symbols of their own. An operation adds one symbol:
//! for its rounding, for what its slope varies by (mean value form), and for the rounding of coefficients here. A form
//! that grows long has its smallest terms merged into one new symbol, not into an interval: what is merged still decays
//! with the rest in a stable recursion.

use crate::interval::Interval;

/// A centre and its noise, by symbol.
#[derive(Clone, Debug, Default)]
pub struct Form {
    centre: f64,
    terms: Vec<(u32, f64)>,
}

/// Longer forms are shortened to this.
const LONGEST: usize = 600;
const SHORTENED: usize = 400;

/// More than the relative error of a coefficient's arithmetic, and of a sum of that many of them.
const COEFFICIENT: f64 = 1e-15;
const SUM: f64 = 1e-12;

/// Gives out symbols.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    next: u32,
}

impl Symbols {
    fn fresh(&mut self) -> u32 {
        self.next += 1;
        self.next
    }
}

impl Form {
    /// A range, with a symbol of its own.
    pub fn of(range: Interval, symbols: &mut Symbols) -> Form {
        let centre = range.middle();
        let mut form = Form { centre, terms: Vec::new() };
        let radius = range.sub(Interval::point(centre)).mag();
        form.add_noise(radius, symbols);
        form
    }

    /// More noise, of its own.
    pub fn add_noise(&mut self, radius: f64, symbols: &mut Symbols) {
        if radius > 0.0 {
            self.terms.push((symbols.fresh(), radius));
        }
    }

    /// The greatest distance from the centre.
    pub fn radius(&self) -> f64 {
        let sum: f64 = self.terms.iter().map(|(_, c)| c.abs()).sum();
        sum * (1.0 + SUM)
    }

    /// All numbers that it may be.
    pub fn range(&self) -> Interval {
        Interval::point(self.centre).widen(self.radius())
    }

    /// The centre.
    pub fn centre(&self) -> Interval {
        Interval::point(self.centre)
    }

    /// `at_centre + sum of slope * (operand - its centre)`: the mean value form of an operation.
    pub fn mean_value(at_centre: Interval, operands: &[(&Form, Interval)], symbols: &mut Symbols) -> Form {
        let mut noise = at_centre.sub(Interval::point(at_centre.middle())).mag();
        let mut form = Form { centre: at_centre.middle(), terms: Vec::new() };
        for (operand, slope) in operands {
            let middle = slope.middle();
            let varies = slope.sub(Interval::point(middle)).mag();
            let radius = operand.radius();
            noise += (varies * radius + middle.abs() * radius * COEFFICIENT) * (1.0 + SUM);
            form.terms = merged(&form.terms, &operand.terms, middle);
        }
        noise += form.radius() * COEFFICIENT;
        form.add_noise(noise * (1.0 + SUM), symbols);
        form.shorten(symbols);
        form
    }

    /// Merges the smallest terms of a long form.
    fn shorten(&mut self, symbols: &mut Symbols) {
        if self.terms.len() <= LONGEST {
            return;
        }
        let mut sizes: Vec<f64> = self.terms.iter().map(|(_, c)| c.abs()).collect();
        sizes.sort_by(|a, b| b.total_cmp(a));
        let limit = sizes[SHORTENED];
        let small: f64 = self.terms.iter().filter(|(_, c)| c.abs() <= limit).map(|(_, c)| c.abs()).sum();
        self.terms.retain(|(_, c)| c.abs() > limit);
        self.add_noise(small * (1.0 + SUM), symbols);
    }
}

/// `a + factor * b`, by symbol.
fn merged(a: &[(u32, f64)], b: &[(u32, f64)], factor: f64) -> Vec<(u32, f64)> {
    let mut out = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        let left = a.get(i).map_or(u32::MAX, |term| term.0);
        let right = b.get(j).map_or(u32::MAX, |term| term.0);
        let symbol = left.min(right);
        let mut c = 0.0;
        if left == symbol {
            c += a[i].1;
            i += 1;
        }
        if right == symbol {
            c += factor * b[j].1;
            j += 1;
        }
        if c != 0.0 {
            out.push((symbol, c));
        }
    }
    out
}
