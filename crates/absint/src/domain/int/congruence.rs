// SPDX-License-Identifier: MIT OR Apache-2.0
//! Congruences: `{ value + k * modulus }` (P. Granger, "Static analysis of arithmetical congruences", 1989).
//!
//! ```text
//!           modulus 1: every integer
//!           /        |       \
//!      2Z, 2Z+1   3Z, ...    ...
//!        |           |
//!      4Z, ...      6Z, ...            (a larger modulus that is a multiple lies below)
//!        |           |
//!           modulus 0: one integer
//! ```
//!
//! Moduli are kept below 2^64: a larger one is replaced by a divisor, which is sound. So every chain has at
//! most 64 steps.

/// A congruence class. Canonical: `0 <= value < modulus` unless the modulus is 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Congruence {
    pub(super) modulus: u64,
    pub(super) value: i128,
}

impl Congruence {
    pub(super) const TOP: Congruence = Congruence { modulus: 1, value: 0 };

    pub(super) const fn constant(value: i128) -> Congruence {
        Congruence { modulus: 0, value }
    }

    /// `value` modulo a modulus of any size.
    pub(super) fn new(modulus: u128, value: i128) -> Congruence {
        if modulus == 0 {
            return Congruence::constant(value);
        }
        let modulus = u64::try_from(modulus).unwrap_or_else(|_| power_of_two(modulus.trailing_zeros()));
        Congruence { modulus, value: remainder(value, modulus) }
    }

    pub(super) fn contains(self, value: i128) -> bool {
        match self.modulus {
            0 => value == self.value,
            1 => true,
            modulus => remainder(value, modulus) == self.value,
        }
    }

    pub(super) fn is_subset(self, other: Congruence) -> bool {
        match (self.modulus, other.modulus) {
            (0, _) => other.contains(self.value),
            (_, 0) => false,
            (mine, theirs) => mine % theirs == 0 && other.contains(self.value),
        }
    }

    pub(super) fn join(self, other: Congruence) -> Congruence {
        let distance = self.value.abs_diff(other.value);
        let modulus = gcd(gcd(self.modulus.into(), other.modulus.into()), distance);
        Congruence::new(modulus, self.value)
    }

    /// The common members, or a superset of them; none only if there are none.
    pub(super) fn meet(self, other: Congruence) -> Option<Congruence> {
        // The usual cases need no division.
        match (self.modulus, other.modulus) {
            (1, _) => return Some(other),
            (_, 1) => return Some(self),
            _ if self == other => return Some(self),
            _ => {}
        }
        let (fine, coarse) = if self.modulus == 0 || (other.modulus != 0 && self.modulus >= other.modulus) {
            (self, other)
        } else {
            (other, self)
        };
        if fine.modulus == 0 {
            return coarse.contains(fine.value).then_some(fine);
        }
        let shared = gcd(fine.modulus.into(), coarse.modulus.into());
        if fine.value.abs_diff(coarse.value) % shared != 0 {
            return None;
        }
        let Some(modulus) = (fine.modulus / shared as u64).checked_mul(coarse.modulus) else {
            return Some(fine);
        };
        if modulus == fine.modulus {
            return Some(fine);
        }
        // The Chinese remainder by trial is short when one modulus is small, and not worth more otherwise.
        if coarse.modulus > 64 {
            return Some(fine);
        }
        let step = i128::from(fine.modulus);
        let candidates = (0..i128::from(coarse.modulus)).map(|k| fine.value + k * step);
        Some(
            candidates
                .into_iter()
                .find(|value| coarse.contains(*value))
                .map_or(fine, |value| Congruence::new(modulus.into(), value)),
        )
    }

    pub(super) fn add(self, other: Congruence) -> Congruence {
        let modulus = gcd(self.modulus.into(), other.modulus.into());
        self.combine(other, modulus, i128::checked_add)
    }

    pub(super) fn neg(self) -> Congruence {
        match self.value.checked_neg() {
            Some(value) => Congruence::new(self.modulus.into(), value),
            None => Congruence::new(1 << 62, self.value),
        }
    }

    pub(super) fn mul(self, other: Congruence) -> Congruence {
        let (m, n) = (u128::from(self.modulus), u128::from(other.modulus));
        let (a, b) = (self.value.unsigned_abs(), other.value.unsigned_abs());
        let modulus = match (m.checked_mul(b), n.checked_mul(a)) {
            (Some(mb), Some(na)) => gcd(gcd(m * n, mb), na),
            _ => {
                let twos = |x: u128, y: u128| {
                    if x == 0 || y == 0 { u32::MAX } else { x.trailing_zeros() + y.trailing_zeros() }
                };
                power_of_two(twos(m, n).min(twos(m, b)).min(twos(n, a))).into()
            }
        };
        self.combine(other, modulus, i128::checked_mul)
    }

    /// The result of a ring operation, known modulo `modulus`.
    fn combine(
        self,
        other: Congruence,
        modulus: u128,
        exact: impl Fn(i128, i128) -> Option<i128>,
    ) -> Congruence {
        if let Some(value) = exact(self.value, other.value) {
            return Congruence::new(modulus, value);
        }
        if modulus == 0 {
            return Congruence::TOP;
        }
        // The operands may be replaced by anything congruent modulo the (reduced) modulus.
        let modulus = Congruence::new(modulus, 0).modulus;
        let reduced = |value: i128| value.rem_euclid(i128::from(modulus));
        match exact(reduced(self.value), reduced(other.value)) {
            Some(value) => Congruence::new(modulus.into(), value),
            None => Congruence::TOP,
        }
    }

    /// What is known modulo a divisor (gcd with `modulus`) of what was known.
    pub(super) fn modulo(self, modulus: u128) -> Congruence {
        Congruence::new(gcd(self.modulus.into(), modulus), self.value)
    }

    /// The quotient by `2^count`, rounded down.
    pub(super) fn shift_right(self, count: u32) -> Congruence {
        match self.modulus {
            0 => Congruence::constant(self.value >> count.min(127)),
            modulus if count < 64 && modulus.trailing_zeros() >= count => {
                Congruence::new((modulus >> count).into(), self.value >> count)
            }
            _ => Congruence::TOP,
        }
    }

    /// The least member that is not below `bound`.
    pub(super) fn at_least(self, bound: i128) -> Option<i128> {
        match self.modulus {
            0 => (self.value >= bound).then_some(self.value),
            1 => Some(bound),
            modulus => bound.checked_add(remainder(self.value - remainder(bound, modulus), modulus)),
        }
    }

    /// The greatest member that is not above `bound`.
    pub(super) fn at_most(self, bound: i128) -> Option<i128> {
        match self.modulus {
            0 => (self.value <= bound).then_some(self.value),
            1 => Some(bound),
            modulus => bound.checked_sub(remainder(remainder(bound, modulus) - self.value, modulus)),
        }
    }
}

fn power_of_two(exponent: u32) -> u64 {
    1 << exponent.min(62)
}

/// The remainder in `0..modulus`. Divisions of 128 bits are slow and almost never needed.
fn remainder(value: i128, modulus: u64) -> i128 {
    if modulus.is_power_of_two() {
        return value & i128::from(modulus - 1);
    }
    match (i64::try_from(value), i64::try_from(modulus)) {
        (Ok(value), Ok(modulus)) => value.rem_euclid(modulus).into(),
        _ => value.rem_euclid(modulus.into()),
    }
}

/// The greatest common divisor; `gcd(0, n)` is `n`.
pub(super) fn gcd(mut a: u128, mut b: u128) -> u128 {
    if a == 1 || b == 1 {
        return 1;
    }
    // Division of 128 bits is slow; nearly all of these are small.
    while b != 0 {
        if let (Ok(x), Ok(y)) = (u64::try_from(a), u64::try_from(b)) {
            return u128::from(small_gcd(x, y));
        }
        (a, b) = (b, a % b);
    }
    a
}

fn small_gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remainders_agree_with_the_plain_operation() {
        let values =
            [0, 1, -1, 7, -7, 1 << 62, -(1 << 62), i128::MAX, i128::MIN, i128::MIN + 1, 1 << 64, 12345];
        for value in values {
            for modulus in [1, 2, 3, 5, 64, 1000, 1 << 62, u64::MAX, (1 << 63) + 1] {
                assert_eq!(remainder(value, modulus), value.rem_euclid(modulus.into()), "{value} {modulus}");
            }
        }
    }

    #[test]
    fn meets_with_everything_and_with_a_divisor() {
        let sixes = Congruence::new(6, 4);
        assert_eq!(sixes.meet(Congruence::TOP), Some(sixes));
        assert_eq!(sixes.meet(Congruence::new(3, 1)), Some(sixes));
        assert_eq!(sixes.meet(Congruence::new(3, 2)), None);
        assert_eq!(sixes.meet(Congruence::new(4, 2)), Some(Congruence::new(12, 10)));
    }
}
