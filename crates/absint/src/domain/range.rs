// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ranges of reals between two `f64`, computed outward: what floats are computed with where rounding is told apart.

use crate::domain::outward::{add_down, add_up, mul_down, mul_up};

/// A range of reals.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Range {
    /// At least this.
    pub lo: f64,
    /// At most this.
    pub hi: f64,
}

impl Range {
    /// One number.
    pub fn point(x: f64) -> Range {
        Range { lo: x, hi: x }
    }

    /// Sums.
    #[must_use]
    pub fn add(self, o: Range) -> Range {
        Range { lo: add_down(self.lo, o.lo), hi: add_up(self.hi, o.hi) }
    }

    /// The negatives.
    #[must_use]
    pub fn neg(self) -> Range {
        Range { lo: -self.hi, hi: -self.lo }
    }

    /// Products.
    #[must_use]
    pub fn mul(self, o: Range) -> Range {
        let pairs = [(self.lo, o.lo), (self.lo, o.hi), (self.hi, o.lo), (self.hi, o.hi)];
        let lo = pairs.iter().map(|(a, b)| mul_down(*a, *b)).fold(f64::INFINITY, f64::min);
        let hi = pairs.iter().map(|(a, b)| mul_up(*a, *b)).fold(f64::NEG_INFINITY, f64::max);
        Range { lo, hi }
    }

    /// Inverses, if zero is none of them.
    pub fn inverse(self) -> Option<Range> {
        (self.lo > 0.0 || self.hi < 0.0)
            .then(|| Range { lo: (1.0 / self.hi).next_down(), hi: (1.0 / self.lo).next_up() })
    }

    /// The largest absolute value.
    pub fn magnitude(self) -> f64 {
        self.lo.abs().max(self.hi.abs())
    }

    /// Whether both ends are numbers.
    pub fn is_finite(self) -> bool {
        self.lo.is_finite() && self.hi.is_finite()
    }

    /// How well it is known: zero for a point, infinite where the ends have no common sign.
    pub fn relative_width(self) -> f64 {
        match (self.lo == self.hi, self.lo > 0.0 || self.hi < 0.0) {
            (true, _) => 0.0,
            (false, true) => (self.hi - self.lo) / self.magnitude(),
            (false, false) => f64::INFINITY,
        }
    }

    /// The smallest range around both.
    #[must_use]
    pub fn hull(self, o: Range) -> Range {
        Range { lo: self.lo.min(o.lo), hi: self.hi.max(o.hi) }
    }

    /// What is in both; both are right, so that something is.
    #[must_use]
    pub fn meet(self, o: Range) -> Range {
        let met = Range { lo: self.lo.max(o.lo), hi: self.hi.min(o.hi) };
        if met.lo <= met.hi { met } else { self }
    }

    /// Whether the other holds all of this.
    pub fn is_within(self, o: Range) -> bool {
        o.lo <= self.lo && self.hi <= o.hi
    }

    /// A range around this whose ends have few digits, so that small changes make no other range.
    #[must_use]
    pub fn coarse(self) -> Range {
        Range { lo: -coarse(-self.lo), hi: coarse(self.hi) }
    }

    /// The range or more: an end of the other that lies beyond goes to the next threshold.
    pub fn widen(self, o: Range, thresholds: &[f64]) -> Option<Range> {
        let lo = match o.lo < self.lo {
            true => thresholds.iter().rev().find(|t| **t <= o.lo).copied()?,
            false => self.lo,
        };
        let hi = match o.hi > self.hi {
            true => thresholds.iter().find(|t| **t >= o.hi).copied()?,
            false => self.hi,
        };
        Some(Range { lo, hi })
    }
}

/// Digits that [`Range::coarse`] throws away: 16 are left.
const THROWN_AWAY: u64 = (1 << 36) - 1;

/// The next number with few digits that is not smaller.
fn coarse(x: f64) -> f64 {
    let bits = x.to_bits();
    match x > 0.0 {
        true => f64::from_bits((bits + THROWN_AWAY) & !THROWN_AWAY),
        false => f64::from_bits(bits & !THROWN_AWAY),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_digits_lie_outside_and_stay() {
        for x in [0.0, 1.0, 0.1, 1e-310, 5e-324, 123.456, 1e300, f64::MAX] {
            for range in [Range { lo: -x, hi: x }, Range::point(x), Range::point(-x)] {
                let coarse = range.coarse();
                assert!(range.is_within(coarse));
                assert_eq!(coarse.coarse(), coarse);
                assert!(x == f64::MAX || coarse.hi - range.hi <= x.abs() * 2e-5 + 1e-300);
            }
        }
    }

    #[test]
    fn widening_goes_to_a_threshold_or_says_nothing() {
        let (a, thresholds) = (Range { lo: 0.0, hi: 1.0 }, [-2.0, 0.0, 5.0]);
        assert_eq!(a.widen(Range { lo: -1.0, hi: 1.0 }, &thresholds), Some(Range { lo: -2.0, hi: 1.0 }));
        assert_eq!(a.widen(Range { lo: 0.5, hi: 4.0 }, &thresholds), Some(Range { lo: 0.0, hi: 5.0 }));
        assert_eq!(a.widen(Range { lo: 0.0, hi: 6.0 }, &thresholds), None);
    }
}
