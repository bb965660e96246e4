// SPDX-License-Identifier: MIT OR Apache-2.0
//! Intervals of reals with outward rounding: classical intervals (Definitions 4 and 5 of the paper).
//!
//! Bounds are `f64` and always enclose; where the exact bound is a float, it is that float (see [`crate::directed`]).
//! An interval is never empty: what excludes every value is `None` where it can happen.

use clew_base::exact::Rational;

use crate::directed::{add_down, add_up, div_down, div_up, mul_down, mul_up, sqrt_down, sqrt_up};

/// All reals from `lo` to `hi`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// Least.
    pub lo: f64,
    /// Greatest.
    pub hi: f64,
}

impl Interval {
    /// Only zero.
    pub const ZERO: Interval = Interval { lo: 0.0, hi: 0.0 };
    /// From -1 to 1: what a noise symbol may be.
    pub const UNIT: Interval = Interval { lo: -1.0, hi: 1.0 };
    /// Everything.
    pub const ALL: Interval = Interval { lo: f64::NEG_INFINITY, hi: f64::INFINITY };

    /// The two bounds, which must be in order.
    pub fn new(lo: f64, hi: f64) -> Interval {
        debug_assert!(lo <= hi, "{lo} > {hi}");
        Interval { lo, hi }
    }

    /// One float.
    pub fn point(x: f64) -> Interval {
        Interval { lo: x, hi: x }
    }

    /// From `-radius` to `radius`.
    pub fn symmetric(radius: f64) -> Interval {
        Interval { lo: -radius, hi: radius }
    }

    /// The least interval around an exact number.
    pub fn around(exact: &Rational) -> Interval {
        let near = exact.to_f64().value();
        if !near.is_finite() {
            return Interval::ALL;
        }
        let Ok(back) = Rational::try_from(near) else { return Interval::ALL };
        match back.cmp(exact) {
            std::cmp::Ordering::Equal => Interval::point(near),
            std::cmp::Ordering::Less => Interval::new(near, near.next_up()),
            std::cmp::Ordering::Greater => Interval::new(near.next_down(), near),
        }
    }

    /// The integer, or the two floats around it.
    pub fn integer(x: i128) -> Interval {
        let near = x as f64;
        if near.abs() < 9e15 || near as i128 == x {
            return Interval::point(near);
        }
        Interval::new(near.next_down(), near.next_up())
    }

    /// Whether both bounds are numbers.
    pub fn is_finite(self) -> bool {
        self.lo.is_finite() && self.hi.is_finite()
    }

    /// Whether it is one value.
    pub fn is_point(self) -> bool {
        self.lo == self.hi
    }

    /// Whether the value is one of them.
    pub fn contains(self, x: f64) -> bool {
        self.lo <= x && x <= self.hi
    }

    /// Whether all of the other are in this.
    pub fn encloses(self, other: Interval) -> bool {
        self.lo <= other.lo && other.hi <= self.hi
    }

    /// The largest absolute value.
    pub fn magnitude(self) -> f64 {
        self.lo.abs().max(self.hi.abs())
    }

    /// The length, rounded up.
    pub fn width(self) -> f64 {
        add_up(self.hi, -self.lo)
    }

    /// A float near the middle.
    pub fn middle(self) -> f64 {
        let middle = self.lo + (self.hi - self.lo) / 2.0;
        if middle.is_finite() { middle.clamp(self.lo, self.hi) } else { 0.0 }
    }

    /// How far the bounds are from [`Interval::middle`], rounded up.
    pub fn radius(self) -> f64 {
        let middle = self.middle();
        add_up(self.hi, -middle).max(add_up(middle, -self.lo))
    }

    /// The least interval with both in it.
    pub fn hull(self, other: Interval) -> Interval {
        Interval { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    /// What is in both, if anything is.
    pub fn meet(self, other: Interval) -> Option<Interval> {
        let (lo, hi) = (self.lo.max(other.lo), self.hi.min(other.hi));
        (lo <= hi).then_some(Interval { lo, hi })
    }

    /// What is in both; of two enclosures of one value, so there is something.
    pub fn and(self, other: Interval) -> Interval {
        self.meet(other).unwrap_or(self)
    }

    /// The absolute values.
    pub fn abs(self) -> Interval {
        if self.lo >= 0.0 {
            self
        } else if self.hi <= 0.0 {
            -self
        } else {
            Interval::new(0.0, self.magnitude())
        }
    }

    /// The squares: tighter than a product with itself.
    pub fn square(self) -> Interval {
        let abs = self.abs();
        Interval::new(mul_down(abs.lo, abs.lo).max(0.0), mul_up(abs.hi, abs.hi))
    }

    /// The quotients, unless the divisor may be zero.
    pub fn checked_div(self, by: Interval) -> Option<Interval> {
        if by.contains(0.0) {
            return None;
        }
        let pairs = [(self.lo, by.lo), (self.lo, by.hi), (self.hi, by.lo), (self.hi, by.hi)];
        let lo = pairs.iter().map(|(a, b)| div_down(*a, *b)).fold(f64::INFINITY, f64::min);
        let hi = pairs.iter().map(|(a, b)| div_up(*a, *b)).fold(f64::NEG_INFINITY, f64::max);
        Some(Interval::new(lo, hi))
    }

    /// The square roots, unless a value may be negative.
    pub fn sqrt(self) -> Option<Interval> {
        (self.lo >= 0.0).then(|| Interval::new(sqrt_down(self.lo), sqrt_up(self.hi)))
    }

    /// Both bounds further out by a radius.
    pub fn widened(self, radius: f64) -> Interval {
        Interval::new(add_down(self.lo, -radius), add_up(self.hi, radius))
    }
}

impl std::ops::Neg for Interval {
    type Output = Interval;
    fn neg(self) -> Interval {
        Interval { lo: -self.hi, hi: -self.lo }
    }
}

impl std::ops::Add for Interval {
    type Output = Interval;
    fn add(self, other: Interval) -> Interval {
        Interval { lo: add_down(self.lo, other.lo), hi: add_up(self.hi, other.hi) }
    }
}

impl std::ops::Sub for Interval {
    type Output = Interval;
    fn sub(self, other: Interval) -> Interval {
        self + -other
    }
}

impl std::ops::Mul for Interval {
    type Output = Interval;
    fn mul(self, other: Interval) -> Interval {
        let (a, b) = if other.is_point() { (self, other) } else { (other, self) };
        if b.is_point() {
            return a.scaled(b.lo);
        }
        if a.lo >= 0.0 && b.lo >= 0.0 {
            return Interval { lo: mul_down(a.lo, b.lo), hi: mul_up(a.hi, b.hi) };
        }
        let pairs = [(a.lo, b.lo), (a.lo, b.hi), (a.hi, b.lo), (a.hi, b.hi)];
        let lo = pairs.iter().map(|(a, b)| mul_down(*a, *b)).fold(f64::INFINITY, f64::min);
        let hi = pairs.iter().map(|(a, b)| mul_up(*a, *b)).fold(f64::NEG_INFINITY, f64::max);
        Interval { lo, hi }
    }
}

impl Interval {
    /// The products with one number.
    #[inline]
    fn scaled(self, by: f64) -> Interval {
        if by == 1.0 {
            self
        } else if by == -1.0 {
            -self
        } else if by > 0.0 {
            Interval { lo: mul_down(self.lo, by), hi: mul_up(self.hi, by) }
        } else if by < 0.0 {
            Interval { lo: mul_down(self.hi, by), hi: mul_up(self.lo, by) }
        } else if by == 0.0 && self.is_finite() {
            Interval::ZERO
        } else {
            Interval::ALL
        }
    }
}
