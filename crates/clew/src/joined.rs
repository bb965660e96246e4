// SPDX-License-Identifier: MIT OR Apache-2.0
//! Verdicts over entries, joined as the entries are done.
//!
//! Of real code thousands of obligations stay open, and each proof behind them rests on most of them. So what a proof
//! rests on is a set of bits here, shared where it can be, and names are written once, for the report. The join is
//! that of `clew_ir::fact::join`: commutative, so that entries may come in any order.

use std::collections::BTreeMap;
use std::sync::Arc;

use clew_absint::Subject;
use clew_ir::obligation::StableId;
use clew_ir::verdict::{Proof, Reason, Verdict};

/// A set of obligations, by their numbers.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Bits(Vec<u64>);

impl Bits {
    fn insert(&mut self, number: usize) {
        let word = number / 64;
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (number % 64);
    }

    fn contains_all(&self, other: &Bits) -> bool {
        let mine = self.0.iter().copied().chain(std::iter::repeat(0));
        other.0.iter().zip(mine).all(|(theirs, mine)| theirs & !mine == 0)
    }

    fn union(&self, other: &Bits) -> Bits {
        let (long, short) = if self.0.len() >= other.0.len() { (self, other) } else { (other, self) };
        let mut all = long.clone();
        for (mine, theirs) in all.0.iter_mut().zip(&short.0) {
            *mine |= theirs;
        }
        all
    }

    fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let bits = |(at, word): (usize, &u64)| {
            let word = *word;
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| at * 64 + bit)
        };
        self.0.iter().enumerate().filter(|(_, word)| **word != 0).flat_map(bits)
    }
}

/// What is known of an obligation over the entries so far.
#[derive(Clone, Debug)]
pub enum Known {
    /// No run from them comes to its place.
    Unreachable(Arc<Bits>),
    /// It holds in every run from them.
    Proved(Arc<Bits>),
    /// Not decided.
    Open(Reason),
}

fn both(a: &Arc<Bits>, b: &Arc<Bits>) -> Arc<Bits> {
    match () {
        () if Arc::ptr_eq(a, b) || a.contains_all(b) => a.clone(),
        () if b.contains_all(a) => b.clone(),
        () => Arc::new(a.union(b)),
    }
}

impl Known {
    /// Whether it adds nothing to what other entries say.
    pub fn is_silent(&self) -> bool {
        matches!(self, Known::Unreachable(given) if given.0.iter().all(|word| *word == 0))
    }

    /// What both say.
    pub fn join(self, other: Known) -> Known {
        match (self, other) {
            (Known::Open(a), Known::Open(b)) => Known::Open(a.max(b)),
            (open @ Known::Open(_), _) | (_, open @ Known::Open(_)) => open,
            (Known::Unreachable(a), Known::Unreachable(b)) => Known::Unreachable(both(&a, &b)),
            (Known::Proved(a) | Known::Unreachable(a), Known::Proved(b) | Known::Unreachable(b)) => {
                Known::Proved(both(&a, &b))
            }
        }
    }
}

/// The verdicts of a program's obligations, by number: the names in ascending order.
pub struct Joined {
    names: Vec<StableId>,
    known: Vec<Option<Known>>,
    /// Whether an entry has been asked: what none of them said anything of is reached by none.
    asked: bool,
}

impl Joined {
    /// Nothing is known of any of these.
    pub fn new(mut names: Vec<StableId>) -> Joined {
        names.sort();
        names.dedup();
        let known = vec![None; names.len()];
        Joined { names, known, asked: false }
    }

    /// An entry is about to say what it knows.
    pub fn ask(&mut self) {
        self.asked = true;
    }

    /// The number of an obligation.
    pub fn number(&self, name: &StableId) -> Option<usize> {
        self.names.binary_search(name).ok()
    }

    /// What an entry says.
    pub fn add(&mut self, number: usize, known: Known) {
        self.asked = true;
        let slot = &mut self.known[number];
        *slot = Some(match slot.take() {
            None => known,
            Some(before) => before.join(known),
        });
    }

    /// The verdict over all entries.
    pub fn verdict(&self, name: &StableId, engine: &str) -> Verdict {
        let proof = |bits: &Bits| Proof {
            by: engine.to_owned(),
            given: bits.iter().map(|number| self.names[number].clone()).collect(),
        };
        match self.number(name).and_then(|number| self.known[number].as_ref()) {
            None if self.asked => Verdict::Unreachable(proof(&Bits::default())),
            None => Verdict::Open(Reason::NotAnalysed),
            Some(Known::Open(reason)) => Verdict::Open(reason.clone()),
            Some(Known::Proved(given)) => Verdict::Proved(proof(given)),
            Some(Known::Unreachable(given)) => Verdict::Unreachable(proof(given)),
        }
    }
}

/// Turns what an analysis rests on into bits.
#[derive(Default)]
pub struct Translation {
    numbers: BTreeMap<Subject, Vec<usize>>,
    /// Neighbours often rest on the same.
    last: Option<(Arc<[Subject]>, Arc<Bits>)>,
}

impl Translation {
    /// The bits of what a finding rests on.
    pub fn bits(&mut self, given: &Arc<[Subject]>, numbers: impl Fn(&Subject) -> Vec<usize>) -> Arc<Bits> {
        if let Some((last, bits)) = &self.last
            && Arc::ptr_eq(last, given)
        {
            return bits.clone();
        }
        let mut bits = Bits::default();
        for subject in given.iter() {
            let numbers = self.numbers.entry(*subject).or_insert_with(|| numbers(subject));
            numbers.iter().for_each(|number| bits.insert(*number));
        }
        let bits = Arc::new(bits);
        self.last = Some((given.clone(), bits.clone()));
        bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clew_ir::fact;

    fn bits(numbers: &[usize]) -> Arc<Bits> {
        let mut bits = Bits::default();
        numbers.iter().for_each(|number| bits.insert(*number));
        Arc::new(bits)
    }

    #[test]
    fn joins_as_facts_do() {
        let names: Vec<StableId> = (0..200).map(|n| StableId(format!("{n:03}").into())).collect();
        let samples = [
            Known::Unreachable(bits(&[])),
            Known::Unreachable(bits(&[3, 70])),
            Known::Proved(bits(&[])),
            Known::Proved(bits(&[70])),
            Known::Proved(bits(&[1, 199])),
            Known::Open(Reason::NotAnalysed),
            Known::Open(Reason::Imprecise(Some("x".to_owned()))),
            Known::Open(Reason::Limit(4)),
        ];
        let alone = |known: &Known| {
            let mut joined = Joined::new(names.clone());
            joined.add(5, known.clone());
            joined.verdict(&names[5], "absint")
        };
        for a in &samples {
            for b in &samples {
                let mut joined = Joined::new(names.clone());
                joined.add(5, a.clone());
                joined.add(5, b.clone());
                let together = joined.verdict(&names[5], "absint");
                assert_eq!(together, fact::join(alone(a), alone(b)), "{a:?} {b:?}");
                assert_eq!(together, alone(&b.clone().join(a.clone())), "{a:?} {b:?}");
            }
        }
    }
}
