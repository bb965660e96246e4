// SPDX-License-Identifier: MIT OR Apache-2.0
//! Known bits: which of the 128 bits of a two's complement number have one value in every member.
//!
//! ```text
//!        nothing known
//!       /      |      \
//!   bit 0=0  bit 0=1  bit 1=0 ...
//!       \      |      /
//!        all bits known
//! ```

use super::congruence::Congruence;

/// The bits that are zero, and those that are one, in every member. Disjoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(super) struct KnownBits {
    pub(super) zeros: u128,
    pub(super) ones: u128,
}

const SIGN: u128 = 1 << 127;

impl KnownBits {
    pub(super) const TOP: KnownBits = KnownBits { zeros: 0, ones: 0 };

    pub(super) const fn constant(value: i128) -> KnownBits {
        KnownBits { zeros: !value as u128, ones: value as u128 }
    }

    pub(super) const fn contains(self, value: i128) -> bool {
        value as u128 & self.zeros == 0 && value as u128 & self.ones == self.ones
    }

    pub(super) const fn is_subset(self, other: KnownBits) -> bool {
        other.zeros & !self.zeros == 0 && other.ones & !self.ones == 0
    }

    pub(super) const fn join(self, other: KnownBits) -> KnownBits {
        KnownBits { zeros: self.zeros & other.zeros, ones: self.ones & other.ones }
    }

    pub(super) fn meet(self, other: KnownBits) -> Option<KnownBits> {
        let both = KnownBits { zeros: self.zeros | other.zeros, ones: self.ones | other.ones };
        (both.zeros & both.ones == 0).then_some(both)
    }

    /// The leading bits that all numbers between two have in common.
    pub(super) const fn of_range(lo: i128, hi: i128) -> KnownBits {
        let differing = (lo ^ hi) as u128;
        let known = match differing.leading_zeros() {
            0 => 0,
            128 => u128::MAX,
            common => u128::MAX << (128 - common),
        };
        KnownBits { zeros: !lo as u128 & known, ones: lo as u128 & known }
    }

    /// The least and the greatest number with these bits.
    pub(super) const fn bounds(self) -> (i128, i128) {
        let unknown_sign = SIGN & !(self.zeros | self.ones);
        ((self.ones | unknown_sign) as i128, (!self.zeros & !unknown_sign) as i128)
    }

    /// The low bits that a congruence fixes.
    pub(super) fn of_congruence(class: Congruence) -> KnownBits {
        match class.modulus {
            0 => KnownBits::constant(class.value),
            modulus => {
                let mask = (1u128 << modulus.trailing_zeros()) - 1;
                KnownBits { zeros: !class.value as u128 & mask, ones: class.value as u128 & mask }
            }
        }
    }

    /// What the low bits say about the remainder by a power of two.
    pub(super) fn congruence(self) -> Congruence {
        let low = (self.zeros | self.ones).trailing_ones().min(62);
        Congruence::new(1 << low, (self.ones & ((1 << low) - 1)) as i128)
    }

    pub(super) const fn not(self) -> KnownBits {
        KnownBits { zeros: self.ones, ones: self.zeros }
    }

    pub(super) const fn and(self, other: KnownBits) -> KnownBits {
        KnownBits { zeros: self.zeros | other.zeros, ones: self.ones & other.ones }
    }

    pub(super) const fn xor(self, other: KnownBits) -> KnownBits {
        KnownBits {
            zeros: (self.zeros & other.zeros) | (self.ones & other.ones),
            ones: (self.zeros & other.ones) | (self.ones & other.zeros),
        }
    }

    /// Arithmetic shift to the right.
    pub(super) const fn shift_right(self, count: u32) -> KnownBits {
        KnownBits { zeros: (self.zeros as i128 >> count) as u128, ones: (self.ones as i128 >> count) as u128 }
    }

    /// The low `width` bits as a number of that width, sign- or zero-extended. `width` is below 128.
    pub(super) const fn truncate(self, width: u32, signed: bool) -> KnownBits {
        let slack = 128 - width;
        if signed {
            KnownBits {
                zeros: ((self.zeros << slack) as i128 >> slack) as u128,
                ones: ((self.ones << slack) as i128 >> slack) as u128,
            }
        } else {
            let mask = u128::MAX >> slack;
            KnownBits { zeros: (self.zeros & mask) | !mask, ones: self.ones & mask }
        }
    }
}
