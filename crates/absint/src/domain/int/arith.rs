// SPDX-License-Identifier: MIT OR Apache-2.0
//! Exact arithmetic and conversion. Results beyond `i128` saturate outward, which reads as unbounded.

use clew_base::int::IntType;

use super::congruence::{Congruence, gcd};
use super::known_bits::KnownBits;
use super::{Int, UNBOUNDED_ABOVE, UNBOUNDED_BELOW};

/// An end of an interval. A finite end may well be `i128::MAX` (as a lower bound) or `i128::MIN` (as an upper).
#[derive(Clone, Copy)]
struct End {
    value: i128,
    infinite: bool,
}

impl End {
    fn of(set: &Int) -> [End; 2] {
        [
            End { value: set.lo, infinite: set.lo == UNBOUNDED_BELOW },
            End { value: set.hi, infinite: set.hi == UNBOUNDED_ABOVE },
        ]
    }

    fn infinity(negative: bool) -> i128 {
        if negative { UNBOUNDED_BELOW } else { UNBOUNDED_ABOVE }
    }

    /// The product of two ends, where nothing of infinitely much is nothing: a corner of the hull.
    fn mul(self, other: End) -> i128 {
        if self.value == 0 || other.value == 0 {
            0
        } else if self.infinite || other.infinite {
            End::infinity((self.value < 0) != (other.value < 0))
        } else {
            self.value.saturating_mul(other.value)
        }
    }

    /// The quotient of two ends, the divisor not zero.
    fn div(self, other: End) -> i128 {
        match (self.infinite, other.infinite) {
            (_, true) => 0,
            (true, false) => End::infinity((self.value < 0) != (other.value < 0)),
            (false, false) => self.value.saturating_div(other.value),
        }
    }
}

fn hull(corners: &[i128]) -> (i128, i128) {
    corners
        .iter()
        .fold((UNBOUNDED_ABOVE, UNBOUNDED_BELOW), |(lo, hi), corner| (lo.min(*corner), hi.max(*corner)))
}

impl Int {
    /// All sums.
    #[must_use]
    pub fn add(&self, other: &Int) -> Int {
        let lo = match (self.lo, other.lo) {
            (UNBOUNDED_BELOW, _) | (_, UNBOUNDED_BELOW) => UNBOUNDED_BELOW,
            (a, b) => a.saturating_add(b),
        };
        let hi = match (self.hi, other.hi) {
            (UNBOUNDED_ABOVE, _) | (_, UNBOUNDED_ABOVE) => UNBOUNDED_ABOVE,
            (a, b) => a.saturating_add(b),
        };
        Int::result(lo, hi, self.class().add(other.class()), KnownBits::TOP)
    }

    /// All differences.
    #[must_use]
    pub fn sub(&self, other: &Int) -> Int {
        self.add(&other.neg())
    }

    /// All negations.
    #[must_use]
    pub fn neg(&self) -> Int {
        // `i128::MIN` as a finite upper bound negates to 2^127, of which `i128::MAX` is a lower bound.
        let lo = if self.hi == UNBOUNDED_ABOVE { UNBOUNDED_BELOW } else { self.hi.saturating_neg() };
        let hi = if self.lo == UNBOUNDED_BELOW { UNBOUNDED_ABOVE } else { -self.lo };
        Int::result(lo, hi, self.class().neg(), KnownBits::TOP).without_zero_if(self.nonzero)
    }

    /// All products.
    #[must_use]
    pub fn mul(&self, other: &Int) -> Int {
        let ([a, b], [c, d]) = (End::of(self), End::of(other));
        let (lo, hi) = hull(&[a.mul(c), a.mul(d), b.mul(c), b.mul(d)]);
        let product = Int::result(lo, hi, self.class().mul(other.class()), KnownBits::TOP);
        product.without_zero_if(!self.contains(0) && !other.contains(0))
    }

    /// All quotients, truncated toward zero; none if the only divisor is zero.
    #[must_use]
    pub fn div(&self, other: &Int) -> Option<Int> {
        let below = (other.lo < 0).then(|| Int::interval(other.lo, other.hi.min(-1)));
        let above = (other.hi > 0).then(|| Int::interval(other.lo.max(1), other.hi));
        let sides = [below, above];
        let parts = sides.iter().flatten().map(|divisor| self.div_by_sign(divisor));
        parts.reduce(|a, b| a.join(&b))
    }

    /// Quotients by divisors of one sign: monotonic in each operand, so the corners bound them.
    fn div_by_sign(&self, divisor: &Int) -> Int {
        let ([a, b], [c, d]) = (End::of(self), End::of(divisor));
        let (lo, hi) = hull(&[a.div(c), a.div(d), b.div(c), b.div(d)]);
        Int::result(lo, hi, self.quotient_class(divisor), KnownBits::TOP)
    }

    /// A multiple of the divisor with a multiple of it as the modulus divides without remainder.
    fn quotient_class(&self, divisor: &Int) -> Congruence {
        let (Some(by), class) = (divisor.as_constant(), self.class()) else { return Congruence::TOP };
        let exact = class.modulus != 0
            && u128::from(class.modulus).is_multiple_of(by.unsigned_abs())
            && class.value % by == 0;
        if exact {
            Congruence::new(u128::from(class.modulus) / by.unsigned_abs(), class.value / by)
        } else {
            Congruence::TOP
        }
    }

    /// All remainders, with the sign of the dividend; none if the only divisor is zero.
    #[must_use]
    pub fn rem(&self, other: &Int) -> Option<Int> {
        if other.lo == 0 && other.hi == 0 {
            return None;
        }
        if let Some(exact) = self.rem_same_quotient(other) {
            return Some(exact);
        }
        let largest = match (other.lo, other.hi) {
            (UNBOUNDED_BELOW, _) | (_, UNBOUNDED_ABOVE) => UNBOUNDED_ABOVE,
            // Not above i128::MAX, since the bounds are not at the extremes that overflow.
            (lo, hi) => (lo.unsigned_abs().max(hi.unsigned_abs()) - 1) as i128,
        };
        let hi = if self.hi <= 0 { 0 } else { self.hi.min(largest) };
        let lo = match self.lo {
            0.. => 0,
            _ if largest == UNBOUNDED_ABOVE => self.lo,
            lo => lo.max(-largest),
        };
        // The remainder differs from the dividend by a multiple of every divisor's common factor.
        let divisors = other.class();
        let factor = gcd(divisors.modulus.into(), divisors.value.unsigned_abs());
        Some(Int::result(lo, hi, self.class().modulo(factor), KnownBits::TOP))
    }

    /// The remainder where every dividend has the same quotient.
    fn rem_same_quotient(&self, other: &Int) -> Option<Int> {
        if !self.is_bounded() {
            return None;
        }
        let below_all = if other.lo > 0 {
            self.lo > -other.lo && self.hi < other.lo
        } else {
            other.hi < 0 && other.hi != UNBOUNDED_BELOW && self.lo > other.hi && self.hi < -other.hi
        };
        if below_all {
            return Some(*self);
        }
        let by = other.as_constant()?;
        let quotient = self.lo.checked_div(by)?;
        let same = self.hi.checked_div(by)? == quotient;
        same.then(|| self.sub(&Int::constant(quotient * by)))
    }

    /// Conversion to a type: modulo 2^bits, into its range.
    #[must_use]
    pub fn wrap(&self, ty: IntType) -> Int {
        if ty.bits >= 128 {
            return self.wrap_128(ty);
        }
        if self.fits(ty).is_true() {
            return *self;
        }
        let all = Int::of_type(ty);
        let size = 1i128 << ty.bits.min(126);
        if ty.bits < 126 && self.is_bounded() {
            let turns = |value: i128| value.checked_sub(all.lo).map(|distance| distance.div_euclid(size));
            if let (Some(first), Some(last)) = (turns(self.lo), turns(self.hi))
                && first == last
                && let Some(shift) = first.checked_mul(size).filter(|shift| *shift != UNBOUNDED_BELOW)
            {
                return self.sub(&Int::constant(shift));
            }
        }
        let bits =
            if self.is_bounded() { self.bits.truncate(ty.bits.into(), ty.signed) } else { KnownBits::TOP };
        // Modulo 2^bits, only the part of the modulus that divides that stays known.
        let wrapped = Int::result(all.lo, all.hi, self.class().modulo(1 << ty.bits), bits);
        // Only zero becomes zero if everything is less than one turn away from it.
        let near = ty.bits < 126 && self.lo > -size && self.hi < size;
        wrapped.without_zero_if(near && !self.contains(0))
    }

    /// Values of the types of 128 bits: those that an `i128` holds with room, or anything.
    fn wrap_128(&self, ty: IntType) -> Int {
        if self.is_bounded() && (ty.signed || self.lo >= 0) {
            return *self;
        }
        let class = match self.class() {
            // A negative constant is a large one of the unsigned type, which the domain cannot hold.
            Congruence { modulus: 0, .. } => Congruence::TOP,
            class => class.modulo(1 << 127),
        };
        Int::result(UNBOUNDED_BELOW, UNBOUNDED_ABOVE, class, KnownBits::TOP)
    }
}
