// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sets of mathematical integers: an interval, a congruence and known bits, kept consistent.
//!
//! ```text
//!                      TOP
//!                       |
//!     interval    x  congruence  x  known bits       (the order of each part)
//!                       |
//!              constants: ... -1  0  1 ...            (the empty set is `None`)
//! ```
//!
//! An element stands for the integers that are in all three parts. The bounds `i128::MIN` and `i128::MAX`
//! mean *unbounded*: that side contains everything beyond, too. That is where 128-bit values live that an
//! `i128` cannot hold, so the types of 128 bits are the whole of [`Int::TOP`]; their arithmetic is sound but
//! knows little. Known bits are kept only of sets that are bounded on both sides.
//!
//! The parts tell each other what they know ([`Int::build`]): `[0, 10]` with remainder 1 modulo 4 is
//! `[1, 9]`. Widening takes care not to let that exchange pull a bound back for ever, see [`Int::widen`].

mod arith;
mod bitwise;
mod congruence;
mod count;
mod known_bits;
mod relation;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod wide_tests;

pub use relation::{compare, raises_overflow, raises_shift, refine};

use clew_base::int::IntType;

use super::Tri;
use congruence::Congruence;
use known_bits::KnownBits;

const UNBOUNDED_BELOW: i128 = i128::MIN;
const UNBOUNDED_ABOVE: i128 = i128::MAX;

/// A nonempty set of integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Int {
    lo: i128,
    hi: i128,
    bits: KnownBits,
    /// 0 for a constant, 1 if nothing is known.
    modulus: u64,
    remainder: u64,
    /// Zero is not a member although all other parts would have it: what `if (x != 0)` says of a signed number.
    nonzero: bool,
}

impl Int {
    /// Every integer.
    pub const TOP: Int = Int {
        lo: UNBOUNDED_BELOW,
        hi: UNBOUNDED_ABOVE,
        bits: KnownBits::TOP,
        modulus: 1,
        remainder: 0,
        nonzero: false,
    };

    /// One integer. (The two extreme values of `i128` stand for everything beyond as well.)
    #[must_use]
    pub fn constant(value: i128) -> Int {
        if value == UNBOUNDED_BELOW || value == UNBOUNDED_ABOVE {
            return Int::interval(value, value);
        }
        Int {
            lo: value,
            hi: value,
            bits: KnownBits::of_range(value, value),
            modulus: 0,
            remainder: 0,
            nonzero: false,
        }
    }

    /// The integers between two, both included; `i128::MIN` and `i128::MAX` mean no bound.
    #[must_use]
    pub fn range(lo: i128, hi: i128) -> Int {
        debug_assert!(lo <= hi, "an empty range: {lo}..={hi}");
        Int::interval(lo, hi.max(lo))
    }

    /// All values of a type.
    #[must_use]
    pub fn of_type(ty: IntType) -> Int {
        if ty.bits >= 128 { Int::TOP } else { Int::interval(ty.min(), ty.max()) }
    }

    /// An interval of which nothing else is known; the bounds are in order.
    fn interval(lo: i128, hi: i128) -> Int {
        let plain = Int { lo, hi, ..Int::TOP };
        Int::build(lo, hi, Congruence::TOP, KnownBits::TOP).unwrap_or(plain)
    }

    /// The integers that are in all of the parts, which are made as precise as the others allow.
    fn build(lo: i128, hi: i128, class: Congruence, bits: KnownBits) -> Option<Int> {
        if lo == hi && lo != UNBOUNDED_BELOW && hi != UNBOUNDED_ABOVE {
            let constant = Int::constant(lo);
            return (class.contains(lo) && bits.meet(constant.bits).is_some()).then_some(constant);
        }
        let (mut lo, mut hi, mut class, mut bits) = (lo, hi, class, bits);
        // Each round makes a part more precise or ends; a few rounds reach the fixed point in practice, and
        // stopping early is sound.
        for _ in 0..8 {
            let before = (lo, hi, class, bits);
            if lo != UNBOUNDED_BELOW {
                match class.at_least(lo) {
                    Some(bound) => lo = bound,
                    None if hi == UNBOUNDED_ABOVE && class.modulus != 0 => {}
                    None => return None,
                }
            } else if class.modulus == 0 {
                lo = class.value;
            }
            if hi != UNBOUNDED_ABOVE {
                match class.at_most(hi) {
                    Some(bound) => hi = bound,
                    None if lo == UNBOUNDED_BELOW && class.modulus != 0 => {}
                    None => return None,
                }
            } else if class.modulus == 0 {
                hi = class.value;
            }
            if lo > hi {
                return None;
            }
            if lo == UNBOUNDED_BELOW || hi == UNBOUNDED_ABOVE {
                bits = KnownBits::TOP;
            } else {
                bits = bits.meet(KnownBits::of_range(lo, hi))?.meet(KnownBits::of_congruence(class))?;
                let (least, greatest) = bits.bounds();
                lo = lo.max(least);
                hi = hi.min(greatest);
                if lo > hi {
                    return None;
                }
                class = class.meet(bits.congruence())?;
                if lo == hi {
                    class = class.meet(Congruence::constant(lo))?;
                }
            }
            if before == (lo, hi, class, bits) {
                break;
            }
        }
        let (modulus, remainder) = match class.modulus {
            // One value at an extreme is not a constant, since that side is then unbounded.
            0 => (u64::from(lo == UNBOUNDED_BELOW || hi == UNBOUNDED_ABOVE), 0),
            modulus => (modulus, class.value as u64),
        };
        Some(Int { lo, hi, bits, modulus, remainder, nonzero: false })
    }

    /// The members but for zero.
    fn without_zero(self) -> Option<Int> {
        if !self.contains(0) {
            return Some(self);
        }
        let lo = if self.lo == 0 { 1 } else { self.lo };
        let hi = if self.hi == 0 { -1 } else { self.hi };
        if lo > hi {
            return None;
        }
        let rest = Int::build(lo, hi, self.class(), self.bits)?;
        Some(Int { nonzero: rest.contains(0), ..rest })
    }

    /// The set without zero if that is said; as it is if nothing else would be left.
    fn without_zero_if(self, excluded: bool) -> Int {
        if excluded { self.without_zero().unwrap_or(self) } else { self }
    }

    /// The result of an operation that has one; if the parts contradict each other the interval stands.
    fn result(lo: i128, hi: i128, class: Congruence, bits: KnownBits) -> Int {
        Int::build(lo, hi, class, bits).unwrap_or_else(|| Int::interval(lo, hi.max(lo)))
    }

    fn class(&self) -> Congruence {
        match self.modulus {
            0 => Congruence::constant(self.lo),
            modulus => Congruence { modulus, value: self.remainder.into() },
        }
    }

    /// The lower bound; `i128::MIN` if there is none.
    #[must_use]
    pub fn lo(&self) -> i128 {
        self.lo
    }

    /// The upper bound; `i128::MAX` if there is none.
    #[must_use]
    pub fn hi(&self) -> i128 {
        self.hi
    }

    fn is_bounded(&self) -> bool {
        self.lo != UNBOUNDED_BELOW && self.hi != UNBOUNDED_ABOVE
    }

    /// The only member, if there is only one.
    #[must_use]
    pub fn as_constant(&self) -> Option<i128> {
        (self.modulus == 0).then_some(self.lo)
    }

    /// `(modulus, remainder)`: every member is `remainder` plus a multiple of `modulus`. The modulus is 0 for
    /// a constant (then the remainder is its value), 1 if nothing is known.
    #[must_use]
    pub fn stride(&self) -> (u128, i128) {
        let class = self.class();
        (class.modulus.into(), class.value)
    }

    /// The members with this remainder.
    #[must_use]
    pub fn with_stride(&self, modulus: u128, remainder: i128) -> Option<Int> {
        let class = self.class().meet(Congruence::new(modulus, remainder))?;
        Int::build(self.lo, self.hi, class, self.bits)
    }

    /// Membership, read off the definition.
    #[must_use]
    pub fn contains(&self, value: i128) -> bool {
        let in_class = match self.modulus {
            0 => value == self.lo,
            modulus => value.rem_euclid(i128::from(modulus)) == i128::from(self.remainder),
        };
        let excluded = self.nonzero && value == 0;
        self.lo <= value && value <= self.hi && in_class && self.bits.contains(value) && !excluded
    }

    /// Whether every member is known to be one of `other`.
    #[must_use]
    pub fn is_subset(&self, other: &Int) -> bool {
        self.lo >= other.lo
            && self.hi <= other.hi
            && self.class().is_subset(other.class())
            && self.bits.is_subset(other.bits)
            && (!other.nonzero || !self.contains(0))
    }

    /// The least set that contains both.
    #[must_use]
    pub fn join(&self, other: &Int) -> Int {
        let joined = Int::result(
            self.lo.min(other.lo),
            self.hi.max(other.hi),
            self.class().join(other.class()),
            self.bits.join(other.bits),
        );
        joined.without_zero_if(!self.contains(0) && !other.contains(0))
    }

    /// The common members.
    #[must_use]
    pub fn meet(&self, other: &Int) -> Option<Int> {
        let class = self.class().meet(other.class())?;
        let bits = self.bits.meet(other.bits)?;
        let (lo, hi) = (self.lo.max(other.lo), self.hi.min(other.hi));
        if lo > hi {
            return None;
        }
        let met = Int::build(lo, hi, class, bits)?;
        if self.nonzero || other.nonzero { met.without_zero() } else { Some(met) }
    }

    /// A set that contains both, such that repeating this stops: a bound that moved goes to the next threshold
    /// beyond (`thresholds` is sorted), else away.
    ///
    /// Why it stops: when a bound moves, known bits are dropped but for those that the new bounds imply, so that
    /// only the congruence can pull a bound back. Moduli only go to divisors, and while the modulus stays, a
    /// bound that moves again passes a new threshold. When no bound moves, bits and modulus only lose. Zero, once a
    /// member, stays one; while it is none it pulls a bound back by one, at zero only.
    #[must_use]
    pub fn widen(&self, next: &Int, thresholds: &[i128]) -> Int {
        if next.is_subset(self) {
            return *self;
        }
        let class = self.class().join(next.class());
        let lo_moved = next.lo < self.lo;
        let hi_moved = next.hi > self.hi;
        let no_zero = !self.contains(0) && !next.contains(0);
        if !lo_moved && !hi_moved {
            let joined = Int::result(self.lo, self.hi, class, self.bits.join(next.bits));
            return joined.without_zero_if(no_zero);
        }
        let lo = if lo_moved {
            let below = thresholds.partition_point(|threshold| *threshold <= next.lo);
            below.checked_sub(1).map_or(UNBOUNDED_BELOW, |i| thresholds[i])
        } else {
            self.lo
        };
        let hi = if hi_moved {
            let above = thresholds.partition_point(|threshold| *threshold < next.hi);
            thresholds.get(above).copied().unwrap_or(UNBOUNDED_ABOVE)
        } else {
            self.hi
        };
        Int::result(lo, hi, class, KnownBits::TOP).without_zero_if(no_zero)
    }

    /// `next` where it improves on this set, which must happen a bounded number of times: the caller counts.
    #[must_use]
    pub fn narrow(&self, next: &Int) -> Int {
        if next.is_subset(self) { *next } else { *self }
    }

    /// The members but for `value`, as far as the domain can say that; none if there was no other.
    #[must_use]
    pub fn exclude(&self, value: i128) -> Option<Int> {
        if !self.contains(value) || value == UNBOUNDED_BELOW || value == UNBOUNDED_ABOVE {
            return Some(*self);
        }
        if value == 0 {
            return self.without_zero();
        }
        let lo = if self.lo == value { value + 1 } else { self.lo };
        let hi = if self.hi == value { value - 1 } else { self.hi };
        if lo > hi {
            None
        } else {
            Some(Int::build(lo, hi, self.class(), self.bits)?.without_zero_if(self.nonzero))
        }
    }

    /// Whether all members are values of the type.
    #[must_use]
    pub fn fits(&self, ty: IntType) -> Tri {
        let (min, max) = match (ty.bits, ty.signed) {
            // Bounds at the ends of `i128` say nothing of what is beyond.
            (128.., true) => return Tri::known(self.is_bounded(), true),
            (128.., false) => (0, UNBOUNDED_ABOVE),
            _ => (ty.min(), ty.max()),
        };
        let always = self.lo >= min && self.hi <= max && self.hi != UNBOUNDED_ABOVE;
        let possible = self.hi >= min && self.lo <= max;
        Tri::known(always, possible)
    }
}
