// SPDX-License-Identifier: MIT OR Apache-2.0
//! Closed intervals of reals with `f64` ends, rounded outwards.
//!
//! Ends move only where an operation was inexact, which error-free transforms tell (`TwoSum`, the residual of a fused
//! multiply-add). That matters here: `1 * 1` must stay 1, since half an ulp doubles just above a power of two.
//! An end may be infinite; no interval is empty, and none holds NaN.

/// The least and the greatest number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// The lower end.
    pub lo: f64,
    /// The upper end.
    pub hi: f64,
}

/// Below this, residuals of products and quotients may themselves underflow, and ends always move.
const RESIDUALS_EXACT: f64 = 1e-270;

#[expect(
    clippy::should_implement_trait,
    reason = "formulas of intervals read as chains of methods, in order"
)]
impl Interval {
    /// All reals.
    pub const WHOLE: Interval = Interval { lo: f64::NEG_INFINITY, hi: f64::INFINITY };
    /// Zero.
    pub const ZERO: Interval = Interval { lo: 0.0, hi: 0.0 };
    /// One.
    pub const ONE: Interval = Interval { lo: 1.0, hi: 1.0 };

    /// One number.
    pub const fn point(x: f64) -> Interval {
        Interval { lo: x, hi: x }
    }

    /// From end to end; NaN ends become infinite.
    pub fn new(lo: f64, hi: f64) -> Interval {
        let lo = if lo.is_nan() { f64::NEG_INFINITY } else { lo };
        let hi = if hi.is_nan() { f64::INFINITY } else { hi };
        debug_assert!(lo <= hi, "[{lo}, {hi}]");
        Interval { lo, hi }
    }

    /// `[-r, r]`
    pub fn symmetric(r: f64) -> Interval {
        Interval::new(-r, r)
    }

    /// The largest magnitude.
    pub fn mag(self) -> f64 {
        self.lo.abs().max(self.hi.abs())
    }

    /// The smallest magnitude.
    pub fn mig(self) -> f64 {
        if self.contains(0.0) { 0.0 } else { self.lo.abs().min(self.hi.abs()) }
    }

    /// Whether the number lies in it.
    pub fn contains(self, x: f64) -> bool {
        self.lo <= x && x <= self.hi
    }

    /// Whether it is one number.
    pub fn is_point(self) -> bool {
        self.lo == self.hi
    }

    /// Whether both ends are finite.
    pub fn is_finite(self) -> bool {
        self.lo.is_finite() && self.hi.is_finite()
    }

    /// An upper bound of the distance of its ends.
    pub fn width(self) -> f64 {
        sub_up(self.hi, self.lo)
    }

    /// A number inside, about the middle; finite.
    pub fn middle(self) -> f64 {
        let lo = self.lo.max(-f64::MAX);
        let hi = self.hi.min(f64::MAX);
        (0.5 * lo + 0.5 * hi).clamp(lo, hi)
    }

    /// The numbers of either and all between.
    pub fn hull(self, other: Interval) -> Interval {
        Interval { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    /// The numbers of both; none if there is no such.
    pub fn meet(self, other: Interval) -> Option<Interval> {
        let (lo, hi) = (self.lo.max(other.lo), self.hi.min(other.hi));
        (lo <= hi).then_some(Interval { lo, hi })
    }

    /// With `r` more on either side.
    pub fn widen(self, r: f64) -> Interval {
        if r == 0.0 { self } else { Interval::new(sub_down(self.lo, r), add_up(self.hi, r)) }
    }

    /// The sum.
    pub fn add(self, b: Interval) -> Interval {
        Interval::new(add_down(self.lo, b.lo), add_up(self.hi, b.hi))
    }

    /// The difference.
    pub fn sub(self, b: Interval) -> Interval {
        Interval::new(sub_down(self.lo, b.hi), sub_up(self.hi, b.lo))
    }

    /// The negated numbers.
    pub fn neg(self) -> Interval {
        Interval { lo: -self.hi, hi: -self.lo }
    }

    /// The magnitudes.
    pub fn abs(self) -> Interval {
        Interval { lo: self.mig(), hi: self.mag() }
    }

    /// The product.
    pub fn mul(self, b: Interval) -> Interval {
        let a = self;
        if a.lo >= 0.0 && b.lo >= 0.0 {
            return Interval::new(mul_down(a.lo, b.lo), mul_up(a.hi, b.hi));
        }
        let pairs = [(a.lo, b.lo), (a.lo, b.hi), (a.hi, b.lo), (a.hi, b.hi)];
        let lo = pairs.iter().map(|(x, y)| mul_down(*x, *y)).fold(f64::INFINITY, f64::min);
        let hi = pairs.iter().map(|(x, y)| mul_up(*x, *y)).fold(f64::NEG_INFINITY, f64::max);
        Interval::new(lo, hi)
    }

    /// The quotient; everything if the divisor may be zero.
    pub fn div(self, b: Interval) -> Interval {
        if b.contains(0.0) || !self.is_finite() {
            return Interval::WHOLE;
        }
        let pairs = [(self.lo, b.lo), (self.lo, b.hi), (self.hi, b.lo), (self.hi, b.hi)];
        let lo = pairs.iter().map(|(x, y)| div_down(*x, *y)).fold(f64::INFINITY, f64::min);
        let hi = pairs.iter().map(|(x, y)| div_up(*x, *y)).fold(f64::NEG_INFINITY, f64::max);
        Interval::new(lo, hi)
    }

    /// The squares.
    pub fn square(self) -> Interval {
        let (lo, hi) = (self.mig(), self.mag());
        Interval::new(mul_down(lo, lo), mul_up(hi, hi))
    }

    /// The square roots of what is not negative.
    pub fn sqrt(self) -> Interval {
        let (lo, hi) = (self.lo.max(0.0), self.hi.max(0.0));
        Interval::new(sqrt_down(lo), sqrt_up(hi))
    }

    /// The lesser of both.
    pub fn min(self, b: Interval) -> Interval {
        Interval { lo: self.lo.min(b.lo), hi: self.hi.min(b.hi) }
    }

    /// The greater of both.
    pub fn max(self, b: Interval) -> Interval {
        Interval { lo: self.lo.max(b.lo), hi: self.hi.max(b.hi) }
    }

    /// The numbers `factor` times as large.
    pub fn scale(self, factor: f64) -> Interval {
        self.mul(Interval::point(factor))
    }
}

/// What rounding took away from a sum: `a + b - s`, exactly, where nothing overflows.
fn two_sum_error(a: f64, b: f64, s: f64) -> f64 {
    let bb = s - a;
    (a - (s - bb)) + (b - bb)
}

/// `a + b`, not above it.
pub fn add_down(a: f64, b: f64) -> f64 {
    let s = a + b;
    match () {
        () if s.is_nan() => f64::NEG_INFINITY,
        () if s.is_infinite() => {
            if a.is_infinite() || b.is_infinite() || s < 0.0 {
                s
            } else {
                f64::MAX
            }
        }
        () => {
            let error = two_sum_error(a, b, s);
            // A sum near overflow makes the transform itself overflow.
            if error < 0.0 || error.is_nan() { s.next_down() } else { s }
        }
    }
}

/// `a + b`, not below it.
pub fn add_up(a: f64, b: f64) -> f64 {
    -add_down(-a, -b)
}

/// `a - b`, not above it.
pub fn sub_down(a: f64, b: f64) -> f64 {
    add_down(a, -b)
}

/// `a - b`, not below it.
pub fn sub_up(a: f64, b: f64) -> f64 {
    add_up(a, -b)
}

/// `a * b`, not above it; zero times anything is zero, since ends stand for reals.
pub fn mul_down(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 {
        return 0.0;
    }
    let p = a * b;
    if p.is_infinite() {
        return if a.is_infinite() || b.is_infinite() || p < 0.0 { p } else { f64::MAX };
    }
    if p.abs() < RESIDUALS_EXACT {
        return if p == 0.0 && (a > 0.0) == (b > 0.0) { 0.0 } else { p.next_down() };
    }
    if a.mul_add(b, -p) < 0.0 { p.next_down() } else { p }
}

/// `a * b`, not below it.
pub fn mul_up(a: f64, b: f64) -> f64 {
    -mul_down(-a, b)
}

/// `a / b`, not above it, for a divisor that is not zero.
pub fn div_down(a: f64, b: f64) -> f64 {
    if a == 0.0 {
        return 0.0;
    }
    let q = a / b;
    match () {
        () if b.is_infinite() => {
            if (a > 0.0) == (b > 0.0) {
                0.0
            } else {
                -f64::from_bits(1)
            }
        }
        () if q.is_infinite() => {
            if a.is_infinite() || q < 0.0 {
                q
            } else {
                f64::MAX
            }
        }
        () if q.abs() < RESIDUALS_EXACT || a.abs() < RESIDUALS_EXACT => {
            if q == 0.0 && (a > 0.0) == (b > 0.0) { 0.0 } else { q.next_down() }
        }
        () => {
            let residual = (-q).mul_add(b, a);
            if residual != 0.0 && (residual > 0.0) != (b > 0.0) { q.next_down() } else { q }
        }
    }
}

/// `a / b`, not below it.
pub fn div_up(a: f64, b: f64) -> f64 {
    -div_down(-a, b)
}

fn sqrt_down(a: f64) -> f64 {
    let s = a.sqrt();
    match () {
        () if a == 0.0 || a.is_infinite() => s,
        () if a < RESIDUALS_EXACT => s.next_down().max(0.0),
        () => {
            if (-s).mul_add(s, a) < 0.0 {
                s.next_down()
            } else {
                s
            }
        }
    }
}

fn sqrt_up(a: f64) -> f64 {
    let s = a.sqrt();
    match () {
        () if a == 0.0 || a.is_infinite() => s,
        () if a < RESIDUALS_EXACT => s.next_up(),
        () => {
            if (-s).mul_add(s, a) > 0.0 {
                s.next_up()
            } else {
                s
            }
        }
    }
}
