// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bitwise operations and shifts on values of a type.
//!
//! `&`, `|` and `^` on canonical values are those on two's complement numbers of infinite width, so the type
//! matters only for operands that are not values of it: they are converted first.

use clew_base::int::IntType;

use super::congruence::Congruence;
use super::known_bits::KnownBits;
use super::{Int, UNBOUNDED_ABOVE, UNBOUNDED_BELOW};

impl Int {
    /// Bitwise and.
    #[must_use]
    pub fn and(&self, other: &Int, ty: IntType) -> Int {
        self.wrap(ty).and_infinite(&other.wrap(ty)).wrap(ty)
    }

    /// Bitwise or.
    #[must_use]
    pub fn or(&self, other: &Int, ty: IntType) -> Int {
        let complement = self.wrap(ty).complement().and_infinite(&other.wrap(ty).complement());
        let result = complement.complement().wrap(ty);
        let (a, b) = (self.wrap(ty), other.wrap(ty));
        let bounds = (a.lo >= 0 && b.lo >= 0 && a.is_bounded() && b.is_bounded())
            .then(|| Int::interval(least_or(&a, &b), greatest_or(&a, &b)));
        bounds.and_then(|bounds| result.meet(&bounds)).unwrap_or(result)
    }

    /// Bitwise exclusive or.
    #[must_use]
    pub fn xor(&self, other: &Int, ty: IntType) -> Int {
        let (a, b) = (self.wrap(ty), other.wrap(ty));
        if !a.is_bounded() || !b.is_bounded() {
            return Int::of_type(ty);
        }
        let bits = a.bits.xor(b.bits);
        for (value, flip) in [(&a, &b), (&b, &a)] {
            if let Some(flip) = flip.as_constant()
                && let Some(moved) = value.flipped(flip)
            {
                return Int::result(moved.lo, moved.hi, moved.class(), bits).wrap(ty);
            }
        }
        let (lo, hi) = bits.bounds();
        Int::result(lo, hi, Congruence::TOP, bits).wrap(ty)
    }

    /// The members with bits flipped that are known: all move by the same distance.
    fn flipped(&self, flip: i128) -> Option<Int> {
        let flip = flip as u128;
        if flip & !(self.bits.zeros | self.bits.ones) != 0 {
            return None;
        }
        let distance = ((self.bits.zeros & flip) as i128).checked_sub((self.bits.ones & flip) as i128)?;
        Some(self.add(&Int::constant(distance)))
    }

    /// The members without bits that are known: all move by the same distance.
    fn cleared(&self, clear: i128) -> Option<Int> {
        let clear = clear as u128;
        if !self.is_bounded() || clear & !(self.bits.zeros | self.bits.ones) != 0 {
            return None;
        }
        let moved = self.sub(&Int::constant((self.bits.ones & clear) as i128));
        let bits = KnownBits { zeros: self.bits.zeros | clear, ones: self.bits.ones & !clear };
        Some(Int::result(moved.lo, moved.hi, moved.class(), bits))
    }

    /// Bitwise complement.
    #[must_use]
    pub fn not(&self, ty: IntType) -> Int {
        let value = self.wrap(ty);
        // For an unsigned type, -1 - x is below zero by one turn.
        value.complement().wrap(ty)
    }

    /// `-1 - x`, the complement at infinite width.
    fn complement(&self) -> Int {
        let result = self.neg().sub(&Int::constant(1));
        let bits = if result.is_bounded() { self.bits.not() } else { KnownBits::TOP };
        Int::result(result.lo, result.hi, result.class(), bits)
    }

    fn and_infinite(&self, other: &Int) -> Int {
        let (a, b) = (self, other);
        for (value, mask) in [(a, b), (b, a)] {
            if let Some(mask) = mask.as_constant()
                && let Some(left) = value.cleared(!mask)
            {
                return left;
            }
        }
        // Clearing bits makes a number smaller, whatever its sign; a sign bit stays only if both have it.
        let (lo, hi) = match (a.lo >= 0, b.lo >= 0) {
            (true, true) => (0, a.hi.min(b.hi)),
            (true, false) => (0, a.hi),
            (false, true) => (0, b.hi),
            (false, false) if a.hi < 0 || b.hi < 0 => (UNBOUNDED_BELOW, if a.hi < 0 { b.hi } else { a.hi }),
            (false, false) => (UNBOUNDED_BELOW, a.hi.max(b.hi)),
        };
        let bits = a.bits.and(b.bits);
        if !a.is_bounded() || !b.is_bounded() {
            // Unbounded operands have no known bits, but those of the other that are zero stay zero if the
            // result is bounded.
            let class = KnownBits { zeros: bits.zeros, ones: 0 }.congruence();
            let known = if lo != UNBOUNDED_BELOW && hi != UNBOUNDED_ABOVE { bits } else { KnownBits::TOP };
            return Int::result(lo, hi, class, KnownBits { zeros: known.zeros, ones: 0 });
        }
        let (least, greatest) = bits.bounds();
        Int::result(lo.max(least), hi.min(greatest), Congruence::TOP, bits)
    }

    /// The members whose `and` with a mask is in a set.
    #[must_use]
    pub fn masked_in(&self, mask: i128, result: &Int) -> Option<Int> {
        if !self.is_bounded() || !result.is_bounded() {
            return Some(*self);
        }
        let bits =
            KnownBits { zeros: result.bits.zeros & mask as u128, ones: result.bits.ones & mask as u128 };
        let kept = Int::build(self.lo, self.hi, self.class(), self.bits.meet(bits)?)?;
        let width = mask.trailing_ones();
        if mask < 0 || mask.count_ones() != width || kept.lo >> width != kept.hi >> width {
            return Some(kept);
        }
        // The low bits of numbers that agree in the others: what is masked out is the same everywhere.
        let base = (kept.lo >> width) << width;
        kept.meet(&result.meet(&Int::interval(0, mask))?.add(&Int::constant(base)))
    }

    /// Left shift as the machine does it. Counts that the type does not allow give anything.
    #[must_use]
    pub fn shl(&self, count: &Int, ty: IntType) -> Int {
        match count.power_of_two(ty) {
            Some(factor) => self.wrap(ty).mul(&factor).wrap(ty),
            None => Int::of_type(ty),
        }
    }

    /// `2^count`, if the type allows all counts and the powers have an `i128`.
    pub(super) fn power_of_two(&self, ty: IntType) -> Option<Int> {
        let (first, last) = count_range(self, ty).filter(|(_, last)| *last < 127)?;
        Some(Int::result(1 << first, 1 << last, Congruence::new(1 << first, 0), KnownBits::TOP))
    }

    /// Right shift as the machine does it: arithmetic if the type is signed.
    #[must_use]
    pub fn shr(&self, count: &Int, ty: IntType) -> Int {
        let Some((first, last)) = count_range(count, ty) else { return Int::of_type(ty) };
        let value = self.wrap(ty);
        if !value.is_bounded() && !ty.signed {
            return shr_unbounded_unsigned(first);
        }
        // Each is monotonic in the value, and in the count toward 0 or -1.
        let lo = (value.lo >> first).min(value.lo >> last);
        let hi = (value.hi >> first).max(value.hi >> last);
        if first != last || !value.is_bounded() {
            return Int::result(lo, hi, Congruence::TOP, KnownBits::TOP);
        }
        Int::result(lo, hi, value.class().shift_right(first), value.bits.shift_right(first))
    }
}

/// The bits from the highest in which two numbers can differ down.
fn high_to_low(a: i128, b: i128) -> impl Iterator<Item = i128> {
    let top = 128 - (a | b).leading_zeros();
    (0..top).rev().map(|bit| 1i128 << bit)
}

/// The least `x | y` of members, which are bounded and not negative: the first bit that only one of the lower bounds has
/// and the other can have, too, makes what is below free.
fn least_or(a: &Int, b: &Int) -> i128 {
    let (mut x, mut y) = (a.lo, b.lo);
    for bit in high_to_low(a.hi, b.hi) {
        let raised = |value: i128| (value | bit) & -bit;
        if !x & y & bit != 0 && raised(x) <= a.hi {
            x = raised(x);
            break;
        }
        if x & !y & bit != 0 && raised(y) <= b.hi {
            y = raised(y);
            break;
        }
    }
    x | y
}

/// The greatest `x | y`: the first bit that both upper bounds have can be given up by one, which frees what is below.
fn greatest_or(a: &Int, b: &Int) -> i128 {
    let (mut x, mut y) = (a.hi, b.hi);
    for bit in high_to_low(a.hi, b.hi) {
        if x & y & bit == 0 {
            continue;
        }
        let lowered = |value: i128| (value - bit) | (bit - 1);
        if lowered(x) >= a.lo {
            x = lowered(x);
            break;
        }
        if lowered(y) >= b.lo {
            y = lowered(y);
            break;
        }
    }
    x | y
}

/// Any value of 128 bits, shifted by at least `count`.
fn shr_unbounded_unsigned(count: u32) -> Int {
    if count == 0 { Int::TOP } else { Int::interval(0, (u128::MAX >> count) as i128) }
}

/// The shift counts, if all are allowed.
fn count_range(count: &Int, ty: IntType) -> Option<(u32, u32)> {
    let allowed = count.lo >= 0 && count.hi < i128::from(ty.bits);
    allowed.then_some((count.lo as u32, count.hi as u32))
}
