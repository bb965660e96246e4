// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sets of prunings: what a state, a proof or a call rests on.
//!
//! A program with thousands of open obligations has states that rest on all of them, joined at every block. So a set is a
//! map of words, each for a hundred numbers: sets that differ are joined word by word, and parts that they share are passed over.

use crate::map::{Change, Map, Merge};
use crate::state::PruningId;

/// Numbers of one word.
const WORD: u32 = u128::BITS;

/// The prunings that something rests on.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Given {
    words: Map<u64, u128>,
}

struct Union;
impl Merge<u64, u128> for Union {
    const KEEPS_ALONE: bool = true;
    fn both(&mut self, _: u64, left: &u128, right: &u128) -> Change<u128> {
        if left | right == *left { Change::Keep } else { Change::To(left | right) }
    }
}

fn word_of(number: PruningId) -> (u64, u128) {
    (u64::from(number.0 / WORD), 1 << (number.0 % WORD))
}

fn numbers(word: u64, bits: u128) -> impl Iterator<Item = PruningId> {
    let first = word as u32 * WORD;
    (0..WORD).filter(move |at| bits >> at & 1 == 1).map(move |at| PruningId(first + at))
}

impl Given {
    /// Whether it rests on nothing.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Whether this is among it.
    pub fn has(&self, number: PruningId) -> bool {
        let (word, bit) = word_of(number);
        self.words.get(word).is_some_and(|bits| bits & bit != 0)
    }

    /// On this, too.
    pub fn insert(&mut self, number: PruningId) {
        let (word, bit) = word_of(number);
        let bits = self.words.get(word).copied().unwrap_or(0);
        if bits & bit == 0 {
            self.words.insert(word, bits | bit);
        }
    }

    /// On all of the other, too.
    pub fn add(&mut self, other: &Given) {
        *self = other.union(self);
    }

    /// All of both.
    #[must_use]
    pub fn union(&self, other: &Given) -> Given {
        Given { words: self.words.merge(&other.words, &mut Union) }
    }

    /// Whether all of it is in the other.
    pub fn is_subset(&self, other: &Given) -> bool {
        self.words.all_mine(&other.words, &mut |_, mine, theirs| mine & !theirs.unwrap_or(&0) == 0)
    }

    /// What is in the other, too.
    #[must_use]
    pub fn common(&self, other: &Given) -> Given {
        let both = |word: u64, bits: &u128| match bits & other.words.get(word).unwrap_or(&0) {
            0 => Change::Drop,
            same if same == *bits => Change::Keep,
            fewer => Change::To(fewer),
        };
        Given { words: self.words.filter_map(&mut { both }) }
    }

    /// The numbers, ascending.
    pub fn iter(&self) -> impl Iterator<Item = PruningId> + '_ {
        self.words.iter().flat_map(|(word, bits)| numbers(word, *bits))
    }
}

impl FromIterator<PruningId> for Given {
    fn from_iter<I: IntoIterator<Item = PruningId>>(all: I) -> Given {
        let mut given = Given::default();
        all.into_iter().for_each(|number| given.insert(number));
        given
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn random(seed: u32) -> BTreeSet<u32> {
        let mut x = seed.wrapping_mul(0x9e37_79b9) | 1;
        let mut next = || {
            x ^= x << 13;
            x ^= x >> 17;
            x ^= x << 5;
            if x & 3 == 0 { x % 5000 } else { x % 140 }
        };
        (0..seed % 90).map(|_| next()).collect()
    }

    fn set(numbers: &BTreeSet<u32>) -> Given {
        numbers.iter().map(|n| PruningId(*n)).collect()
    }

    #[test]
    fn agrees_with_a_plain_set() {
        for seed in 1..200 {
            let (a, b) = (random(seed), random(seed / 2 + 3));
            let (x, y) = (set(&a), set(&b));
            assert_eq!(x.iter().map(|n| n.0).collect::<BTreeSet<u32>>(), a);
            assert_eq!(x.is_empty(), a.is_empty());
            assert_eq!(x.union(&y), set(&(&a | &b)));
            assert_eq!(x.common(&y), set(&(&a & &b)));
            assert_eq!(x.is_subset(&y), a.is_subset(&b));
            assert!(x.is_subset(&x.union(&y)) && x.common(&y).is_subset(&y));
            assert!((0..5200).all(|n| x.has(PruningId(n)) == a.contains(&n)));
        }
    }
}
