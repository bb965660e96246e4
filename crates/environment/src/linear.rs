// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sums of what an entry finds, with whole coefficients: exact integers, whatever width C computes them in.

use std::collections::BTreeMap;

use clew_base::int::IntType;

use crate::source::Source;

/// `constant + sum of coefficient * source`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Linear {
    /// Coefficients that are not zero.
    pub terms: BTreeMap<Source, i128>,
    /// What is added.
    pub constant: i128,
}

/// Numbers beyond this are not computed with: sums of them could leave 128 bits.
const MOST: i128 = 1 << 100;

impl Linear {
    /// A number.
    pub fn constant(constant: i128) -> Linear {
        Linear { terms: BTreeMap::new(), constant }
    }

    /// What a source holds.
    pub fn of(source: Source) -> Linear {
        Linear { terms: BTreeMap::from([(source, 1)]), constant: 0 }
    }

    /// The number that it is, if it is one.
    pub fn as_constant(&self) -> Option<i128> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// `self + factor * other`.
    pub fn plus(&self, factor: i128, other: &Linear) -> Option<Linear> {
        let mut sum = self.clone();
        sum.constant = sum.constant.checked_add(factor.checked_mul(other.constant)?)?;
        for (source, coefficient) in &other.terms {
            let known = sum.terms.entry(source.clone()).or_insert(0);
            *known = known.checked_add(factor.checked_mul(*coefficient)?)?;
            if *known == 0 {
                sum.terms.remove(source);
            }
        }
        let is_small = sum.terms.values().chain([&sum.constant]).all(|n| n.abs() < MOST);
        (is_small && sum.terms.len() <= 4).then_some(sum)
    }

    /// `factor * self`.
    pub fn times(&self, factor: i128) -> Option<Linear> {
        Linear::constant(0).plus(factor, self)
    }

    /// The same with a source replaced.
    pub fn replace(&self, source: &Source, by: &Linear) -> Option<Linear> {
        let Some(coefficient) = self.terms.get(source).copied() else { return Some(self.clone()) };
        let mut rest = self.clone();
        rest.terms.remove(source);
        rest.plus(coefficient, by)
    }

    /// The least and the greatest value, by the types of the sources; those of which `at_least` knows more have that.
    pub fn range(&self, at_least: &dyn Fn(&Source) -> Option<i128>) -> (i128, i128) {
        let (mut low, mut high) = (self.constant, self.constant);
        for (source, coefficient) in &self.terms {
            let (least, most) = source.range();
            let least = at_least(source).map_or(least, |known| known.max(least));
            let (a, b) = (coefficient.saturating_mul(least), coefficient.saturating_mul(most));
            low = low.saturating_add(a.min(b));
            high = high.saturating_add(a.max(b));
        }
        (low, high)
    }

    /// Whether all its values fit a type.
    pub fn fits(&self, ty: IntType, at_least: &dyn Fn(&Source) -> Option<i128>) -> bool {
        let (low, high) = self.range(at_least);
        let (least, most) = limits(ty);
        least <= low && high <= most
    }
}

/// The least and the greatest number of a type.
pub fn limits(ty: IntType) -> (i128, i128) {
    let bits = u32::from(ty.bits).min(100);
    match ty.signed {
        true => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        false => (0, (1 << bits) - 1),
    }
}
