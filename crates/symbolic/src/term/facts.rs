// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is known of every bit-vector term, whatever its variables are: bits, an unsigned and a signed interval.
//!
//! The three are computed from the operands' facts when a term is made and then sharpen one another. They decide
//! comparisons, drop overflow checks and let rewrites narrow operations. Facts of a term hold in all models.

use clew_base::int::IntType;

use crate::term::{BinaryOp, Sort, Term, TermId, Terms, mask};

/// Facts about a bit-vector; all bounds are inclusive. Of an array and of an exact number: nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Facts {
    /// The width.
    pub width: u32,
    /// Bits known to be clear.
    pub zeros: u128,
    /// Bits known to be set.
    pub ones: u128,
    /// The least value as an unsigned number.
    pub least: u128,
    /// The greatest value as an unsigned number.
    pub greatest: u128,
    /// The least value as a signed number.
    pub signed_least: i128,
    /// The greatest value as a signed number.
    pub signed_greatest: i128,
}

impl Facts {
    /// Nothing is known.
    pub fn any(width: u32) -> Facts {
        let ty = IntType::signed(width as u16);
        Facts {
            width,
            zeros: 0,
            ones: 0,
            least: 0,
            greatest: mask(width),
            signed_least: ty.min(),
            signed_greatest: ty.max(),
        }
    }

    fn bits(width: u32, zeros: u128, ones: u128) -> Facts {
        let kept = mask(width);
        Facts { zeros: zeros & kept, ones: ones & kept, ..Facts::any(width) }.sharpened()
    }

    fn range(width: u32, least: u128, greatest: u128) -> Facts {
        Facts { least, greatest, ..Facts::any(width) }.sharpened()
    }

    fn signed_range(width: u32, least: i128, greatest: i128) -> Facts {
        Facts { signed_least: least, signed_greatest: greatest, ..Facts::any(width) }.sharpened()
    }

    /// What two true facts say together.
    fn meet(self, other: Facts) -> Facts {
        Facts {
            width: self.width,
            zeros: self.zeros | other.zeros,
            ones: self.ones | other.ones,
            least: self.least.max(other.least),
            greatest: self.greatest.min(other.greatest),
            signed_least: self.signed_least.max(other.signed_least),
            signed_greatest: self.signed_greatest.min(other.signed_greatest),
        }
        .sharpened()
    }

    /// What holds of either.
    fn join(self, other: Facts) -> Facts {
        Facts {
            width: self.width,
            zeros: self.zeros & other.zeros,
            ones: self.ones & other.ones,
            least: self.least.min(other.least),
            greatest: self.greatest.max(other.greatest),
            signed_least: self.signed_least.min(other.signed_least),
            signed_greatest: self.signed_greatest.max(other.signed_greatest),
        }
    }

    /// The bits, the unsigned and the signed interval tell one another.
    fn sharpened(mut self) -> Facts {
        let (kept, sign) = (mask(self.width), 1u128 << (self.width - 1));
        let signed = IntType::signed(self.width as u16);
        for _ in 0..2 {
            self.least = self.least.max(self.ones);
            self.greatest = self.greatest.min(!self.zeros & kept);
            // Leading bits on which the bounds agree.
            let agreed =
                kept & !(mask(128).checked_shr((self.least ^ self.greatest).leading_zeros()).unwrap_or(0));
            self.ones |= self.least & agreed;
            self.zeros |= !self.least & agreed;
            // On one side of the sign, both orders are the same.
            if self.signed_least >= 0 || self.signed_greatest < 0 {
                self.least = self.least.max(signed.to_bits(self.signed_least));
                self.greatest = self.greatest.min(signed.to_bits(self.signed_greatest));
            }
            if (self.least ^ self.greatest) & sign == 0 {
                self.signed_least = self.signed_least.max(signed.wrap(self.least as i128));
                self.signed_greatest = self.signed_greatest.min(signed.wrap(self.greatest as i128));
            }
        }
        self
    }

    /// The only possible value.
    pub fn value(&self) -> Option<u128> {
        (self.least == self.greatest).then_some(self.least)
    }

    /// Whether the sign bit is known to be clear.
    pub fn is_nonnegative(&self) -> bool {
        self.signed_least >= 0
    }

    /// Whether the sign bit is known to be set.
    pub fn is_negative(&self) -> bool {
        self.signed_greatest < 0
    }

    /// Whether no value fits both.
    pub fn disjoint(&self, other: &Facts) -> bool {
        self.greatest < other.least
            || other.greatest < self.least
            || self.signed_greatest < other.signed_least
            || other.signed_greatest < self.signed_least
            || self.ones & other.zeros != 0
            || self.zeros & other.ones != 0
    }

    fn add(self, other: Facts) -> Facts {
        let (kept, width) = (mask(self.width), self.width);
        let mut facts = add_bits(self, other, false);
        if let Some(greatest) = self.greatest.checked_add(other.greatest).filter(|sum| *sum <= kept) {
            facts = facts.meet(Facts::range(width, self.least + other.least, greatest));
        }
        let ends = (
            self.signed_least.checked_add(other.signed_least),
            self.signed_greatest.checked_add(other.signed_greatest),
        );
        facts.meet_signed(ends)
    }

    fn sub(self, other: Facts) -> Facts {
        let complement = Facts { zeros: other.ones, ones: other.zeros, ..other };
        let mut facts = add_bits(self, complement, true);
        if self.least >= other.greatest {
            let range = Facts::range(self.width, self.least - other.greatest, self.greatest - other.least);
            facts = facts.meet(range);
        }
        let ends = (
            self.signed_least.checked_sub(other.signed_greatest),
            self.signed_greatest.checked_sub(other.signed_least),
        );
        facts.meet_signed(ends)
    }

    /// With the ends of the exact signed result, which say something if they fit.
    fn meet_signed(self, ends: (Option<i128>, Option<i128>)) -> Facts {
        let ty = IntType::signed(self.width as u16);
        match ends {
            (Some(least), Some(greatest)) if least >= ty.min() && greatest <= ty.max() => {
                self.meet(Facts::signed_range(self.width, least, greatest))
            }
            _ => self,
        }
    }

    fn mul(self, other: Facts) -> Facts {
        let width = self.width;
        let trailing = (self.zeros.trailing_ones() + other.zeros.trailing_ones()).min(width);
        let mut facts = Facts::bits(width, if trailing == 0 { 0 } else { mask(trailing) }, 0);
        if let Some(greatest) =
            self.greatest.checked_mul(other.greatest).filter(|product| *product <= mask(width))
        {
            facts = facts.meet(Facts::range(width, self.least * other.least, greatest));
        }
        let corners = [
            self.signed_least.checked_mul(other.signed_least),
            self.signed_least.checked_mul(other.signed_greatest),
            self.signed_greatest.checked_mul(other.signed_least),
            self.signed_greatest.checked_mul(other.signed_greatest),
        ];
        let Some(corners) = corners.into_iter().collect::<Option<Vec<i128>>>() else { return facts };
        facts.meet_signed((corners.iter().min().copied(), corners.iter().max().copied()))
    }

    fn udiv(self, other: Facts) -> Facts {
        if other.least == 0 {
            return Facts::any(self.width);
        }
        Facts::range(self.width, self.least / other.greatest, self.greatest / other.least)
    }

    fn urem(self, other: Facts) -> Facts {
        // A divisor of zero returns the dividend.
        let greatest = if other.least == 0 { self.greatest } else { self.greatest.min(other.greatest - 1) };
        Facts::range(self.width, 0, greatest)
    }

    fn sdiv(self, other: Facts) -> Facts {
        if self.is_nonnegative() && other.is_nonnegative() {
            return self.udiv(other);
        }
        if other.signed_least > 0 {
            // Division by at least one brings both ends towards zero.
            let (least, greatest) = (self.signed_least.min(0), self.signed_greatest.max(0));
            return Facts::signed_range(
                self.width,
                least / other.signed_least,
                greatest / other.signed_least,
            );
        }
        Facts::any(self.width)
    }

    fn srem(self, other: Facts) -> Facts {
        if self.is_nonnegative() && other.is_nonnegative() {
            return self.urem(other);
        }
        // The remainder lies between zero and the dividend, and is less than the divisor in magnitude.
        let (mut least, mut greatest) = (self.signed_least.min(0), self.signed_greatest.max(0));
        let furthest = other.signed_least.unsigned_abs().max(other.signed_greatest.unsigned_abs());
        if other.least > 0 {
            let bound = (furthest - 1).min(i128::MAX as u128) as i128;
            (least, greatest) = (least.max(-bound), greatest.min(bound));
        }
        Facts::signed_range(self.width, least, greatest)
    }

    fn shift_bits(self, count: Facts, shift: impl Fn(u32) -> Facts) -> Facts {
        match count.value() {
            Some(count) if count < u128::from(self.width) => shift(count as u32),
            _ => Facts::any(self.width),
        }
    }

    fn shl(self, count: Facts) -> Facts {
        self.shift_bits(count, |count| {
            let low = (1u128 << count) - 1;
            Facts::bits(self.width, (self.zeros << count) | low, self.ones << count)
        })
    }

    fn lshr(self, count: Facts) -> Facts {
        let facts = self.shift_bits(count, |count| {
            let high = mask(self.width) & !(mask(self.width) >> count);
            Facts::bits(self.width, (self.zeros >> count) | high, self.ones >> count)
        });
        let shifted = |value: u128, count: u128| u32::try_from(count).ok().and_then(|c| value.checked_shr(c));
        let least = shifted(self.least, count.greatest).unwrap_or(0);
        facts.meet(Facts::range(self.width, least, shifted(self.greatest, count.least).unwrap_or(0)))
    }

    fn ashr(self, count: Facts) -> Facts {
        self.shift_bits(count, |count| {
            Facts::signed_range(self.width, self.signed_least >> count, self.signed_greatest >> count)
        })
    }

    fn concat(self, low: Facts) -> Facts {
        let width = self.width + low.width;
        let bits = Facts::bits(width, self.zeros << low.width | low.zeros, self.ones << low.width | low.ones);
        bits.meet(Facts::range(
            width,
            self.least << low.width | low.least,
            self.greatest << low.width | low.greatest,
        ))
    }

    fn extract(self, low: u32, width: u32) -> Facts {
        let mut facts = Facts::bits(width, self.zeros >> low, self.ones >> low);
        let top = self.greatest >> low;
        if top <= mask(width) {
            facts = facts.meet(Facts::range(width, self.least >> low, top));
        }
        if low == 0 {
            facts = facts.meet_signed((Some(self.signed_least), Some(self.signed_greatest)));
        }
        facts
    }

    fn zext(self, width: u32) -> Facts {
        let above = mask(width) & !mask(self.width);
        Facts::bits(width, self.zeros | above, self.ones).meet(Facts::range(width, self.least, self.greatest))
    }

    fn sext(self, width: u32) -> Facts {
        let extend = |bits: u128| IntType::signed(self.width as u16).wrap(bits as i128) as u128;
        let bits = Facts::bits(width, extend(self.zeros), extend(self.ones));
        bits.meet(Facts::signed_range(width, self.signed_least, self.signed_greatest))
    }

    fn truth(value: Option<bool>) -> Facts {
        match value {
            Some(value) => Facts::range(1, u128::from(value), u128::from(value)),
            None => Facts::any(1),
        }
    }
}

/// The bits of a sum, or with `carry` of a sum plus one: a bit is known where both operands' bits and the carry
/// into it are known, and the carries of the smallest and the largest possible operands bound the real ones.
fn add_bits(a: Facts, b: Facts, carry: bool) -> Facts {
    let carry = u128::from(carry);
    let largest = (!a.zeros).wrapping_add(!b.zeros).wrapping_add(carry);
    let smallest = a.ones.wrapping_add(b.ones).wrapping_add(carry);
    let carry_zero = !(largest ^ a.zeros ^ b.zeros);
    let carry_one = smallest ^ a.ones ^ b.ones;
    let known = (a.zeros | a.ones) & (b.zeros | b.ones) & (carry_zero | carry_one);
    Facts::bits(a.width, !largest & known, smallest & known)
}

impl Terms {
    /// What is known of a term from its operands' facts.
    pub(crate) fn derive_facts(&self, term: Term, sort: Sort) -> Facts {
        let Sort::Bits(width) = sort else { return Facts::any(1) };
        let of = |id: TermId| *self.facts(id);
        match term {
            Term::Const(value) => Facts::range(width, value, value),
            Term::Not(a) => {
                let a = of(a);
                Facts::bits(width, a.ones, a.zeros)
                    .meet(Facts::range(width, mask(width) - a.greatest, mask(width) - a.least))
                    .meet(Facts::signed_range(width, !a.signed_greatest, !a.signed_least))
            }
            Term::Binary(op, a, b) => binary(op, of(a), of(b)),
            Term::Ite(_, a, b) => of(a).join(of(b)),
            Term::Extract { of: a, low } => of(a).extract(low, width),
            Term::Zext(a) => of(a).zext(width),
            Term::Sext(a) => of(a).sext(width),
            Term::ExactCompare(relation, a, b) => Facts::truth(self.compare_ranges(relation, a, b)),
            _ => Facts::any(width),
        }
    }
}

fn binary(op: BinaryOp, a: Facts, b: Facts) -> Facts {
    let width = a.width;
    match op {
        BinaryOp::And => Facts::bits(width, a.zeros | b.zeros, a.ones & b.ones).meet(Facts::range(
            width,
            0,
            a.greatest.min(b.greatest),
        )),
        BinaryOp::Or => Facts::bits(width, a.zeros & b.zeros, a.ones | b.ones).meet(Facts::range(
            width,
            a.least.max(b.least),
            mask(width),
        )),
        BinaryOp::Xor => {
            Facts::bits(width, a.zeros & b.zeros | a.ones & b.ones, a.zeros & b.ones | a.ones & b.zeros)
        }
        BinaryOp::Add => a.add(b),
        BinaryOp::Sub => a.sub(b),
        BinaryOp::Mul => a.mul(b),
        BinaryOp::Udiv => a.udiv(b),
        BinaryOp::Urem => a.urem(b),
        BinaryOp::Sdiv => a.sdiv(b),
        BinaryOp::Srem => a.srem(b),
        BinaryOp::Shl => a.shl(b),
        BinaryOp::Lshr => a.lshr(b),
        BinaryOp::Ashr => a.ashr(b),
        BinaryOp::Concat => a.concat(b),
        BinaryOp::Eq if a.disjoint(&b) => Facts::truth(Some(false)),
        BinaryOp::Eq => Facts::truth(None),
        BinaryOp::Ult => Facts::truth(less((a.least, a.greatest), (b.least, b.greatest))),
        BinaryOp::Slt => {
            let range = |facts: Facts| (facts.signed_least, facts.signed_greatest);
            Facts::truth(less(range(a), range(b)))
        }
    }
}

fn less<T: Ord>(a: (T, T), b: (T, T)) -> Option<bool> {
    if a.1 < b.0 {
        Some(true)
    } else if a.0 >= b.1 {
        Some(false)
    } else {
        None
    }
}
