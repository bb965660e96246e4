// SPDX-License-Identifier: MIT OR Apache-2.0
//! What engines have found out, and how that is put together.
//!
//! There are two ways, and both may take facts in any order, grouping and number:
//!
//! - [`Known::join`]: of runs from different entries. What is said of all of them is the weaker.
//! - [`Known::meet`]: of the same runs, by two analyses. Both are right, so the stronger counts and nothing is lost.
//!
//! ```text
//!         Open
//!           |
//!         Proved        those that rest on fewer conditions below
//!           |
//!      Unreachable
//! ```
//!
//! A proof that rests on conditions speaks of runs that violated none of them *before*. So proofs of two analyses may rest on
//! each other: take the first of them that a run violates. A violation is no part of the order: a run has shown it, and
//! [`ledger`], where all engines meet, says what that means to a proof.
//!
//! Of real code thousands of obligations stay open, and each proof behind them rests on most of them. So conditions are a
//! set of bits here, shared where it can be; [`Names`] writes them out, for the report.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::obligation::StableId;
use crate::verdict::{Proof, Reason, Verdict};

pub mod ledger;

/// A set of obligations, by their numbers.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Conditions(Vec<u64>);

impl Conditions {
    /// With one more.
    pub fn insert(&mut self, number: usize) {
        let word = number / 64;
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (number % 64);
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    fn contains_all(&self, other: &Conditions) -> bool {
        let mine = self.0.iter().copied().chain(std::iter::repeat(0));
        other.0.iter().zip(mine).all(|(theirs, mine)| theirs & !mine == 0)
    }

    fn union(&self, other: &Conditions) -> Conditions {
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

impl FromIterator<usize> for Conditions {
    fn from_iter<T: IntoIterator<Item = usize>>(numbers: T) -> Conditions {
        let mut all = Conditions::default();
        numbers.into_iter().for_each(|number| all.insert(number));
        all
    }
}

/// What is known of an obligation in some runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Known {
    /// How hard it was tried: of two proofs that rest on as much, and of two questions, the one of more effort says more.
    pub effort: u8,
    /// What is said.
    pub claim: Claim,
}

/// What is said of an obligation in some runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claim {
    /// None of them comes to its place.
    Unreachable(Arc<Conditions>),
    /// It holds in all of them.
    Proved(Arc<Conditions>),
    /// Not decided.
    Open(Reason),
}

/// All conditions of two proofs, shared where one has them all.
fn both(a: &Arc<Conditions>, b: &Arc<Conditions>) -> Arc<Conditions> {
    match () {
        () if Arc::ptr_eq(a, b) || a.contains_all(b) => a.clone(),
        () if b.contains_all(a) => b.clone(),
        () => Arc::new(a.union(b)),
    }
}

impl Known {
    /// What two analyses, each of other runs, say of all of them.
    #[must_use]
    pub fn join(self, other: Known) -> Known {
        let effort = self.effort.max(other.effort);
        let claim = match (self.claim, other.claim) {
            (Claim::Open(a), Claim::Open(b)) => {
                let (effort, reason) = (self.effort, a).max((other.effort, b));
                return Known { effort, claim: Claim::Open(reason) };
            }
            (open @ Claim::Open(_), _) => return Known { effort: self.effort, claim: open },
            (_, open @ Claim::Open(_)) => return Known { effort: other.effort, claim: open },
            (Claim::Unreachable(a), Claim::Unreachable(b)) => Claim::Unreachable(both(&a, &b)),
            (Claim::Proved(a) | Claim::Unreachable(a), Claim::Proved(b) | Claim::Unreachable(b)) => {
                Claim::Proved(both(&a, &b))
            }
        };
        Known { effort, claim }
    }

    /// What two analyses of the same runs say together: the proof that rests on less.
    #[must_use]
    pub fn meet(self, other: Known) -> Known {
        match (self.strength(), other.strength()) {
            (Some(a), Some(b)) => {
                if a <= b {
                    self
                } else {
                    other
                }
            }
            (Some(_), None) => self,
            (None, Some(_)) => other,
            (None, None) => self.join(other),
        }
    }

    /// The order of proofs, the strongest first.
    fn strength(&self) -> Option<(u32, Reverse<u8>, bool, &Conditions)> {
        match &self.claim {
            Claim::Unreachable(given) => Some((given.len(), Reverse(self.effort), false, given)),
            Claim::Proved(given) => Some((given.len(), Reverse(self.effort), true, given)),
            Claim::Open(_) => None,
        }
    }

    /// Whether it says no more than silence does: that no run comes there.
    pub fn is_silent(&self) -> bool {
        matches!(&self.claim, Claim::Unreachable(given) if given.is_empty())
    }

    /// Whether more effort could not say more.
    pub fn is_settled(&self) -> bool {
        matches!(&self.claim, Claim::Unreachable(given) | Claim::Proved(given) if given.is_empty())
    }
}

/// What is known of all obligations in some runs. None of the runs comes to those of which nothing is said.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Facts {
    known: BTreeMap<u32, Known>,
}

impl Facts {
    /// Adds what is said of an obligation: with what was said of it, of other runs or places.
    pub fn add(&mut self, number: usize, known: Known) {
        if known.is_silent() {
            return;
        }
        let number = number as u32;
        let known = match self.known.remove(&number) {
            None => known,
            Some(before) => before.join(known),
        };
        self.known.insert(number, known);
    }

    /// What is said of an obligation; nothing if no run comes there.
    pub fn get(&self, number: usize) -> Option<&Known> {
        self.known.get(&(number as u32))
    }

    /// Adds what is known of other runs.
    pub fn join(&mut self, other: Facts) {
        for (number, known) in other.known {
            self.add(number as usize, known);
        }
    }

    /// Adds what another analysis knows of the same runs.
    pub fn meet(&mut self, mut other: Facts) {
        let mine = std::mem::take(&mut self.known).into_iter();
        let common = mine.filter_map(|(number, known)| {
            let theirs = other.known.remove(&number)?;
            Some((number, known.meet(theirs)))
        });
        self.known = common.collect();
    }

    /// Whether more effort could say more of something.
    pub fn is_settled(&self) -> bool {
        self.known.values().all(Known::is_settled)
    }

    /// The obligations of which more effort could say more.
    pub fn unsettled(&self) -> impl Iterator<Item = usize> + '_ {
        self.known.iter().filter(|(_, known)| !known.is_settled()).map(|(number, _)| *number as usize)
    }
}

/// The names of a program's obligations, in ascending order: their numbers are those of the facts.
#[derive(Clone, Debug)]
pub struct Names(Vec<StableId>);

/// Conditions written out: equal ones share a list.
#[derive(Default)]
pub struct Written(HashMap<Arc<Conditions>, Arc<[StableId]>>);

impl Names {
    /// Of these obligations.
    pub fn new(mut names: Vec<StableId>) -> Names {
        names.sort();
        names.dedup();
        Names(names)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The number of an obligation.
    pub fn number(&self, name: &StableId) -> Option<usize> {
        self.0.binary_search(name).ok()
    }

    /// What is known of an obligation, written out. No facts: nobody has been asked.
    pub fn verdict(
        &self,
        facts: Option<&Facts>,
        name: &StableId,
        engine: &str,
        written: &mut Written,
    ) -> Verdict {
        let write = |given: &Conditions| given.iter().map(|number| self.0[number].clone()).collect();
        let mut proof = |given: &Arc<Conditions>| Proof {
            by: engine.to_owned(),
            given: written.0.entry(given.clone()).or_insert_with(|| write(given)).clone(),
        };
        let Some(facts) = facts else { return Verdict::Open(Reason::NotAnalysed) };
        match self.number(name).and_then(|number| facts.get(number)).map(|known| &known.claim) {
            None => Verdict::Unreachable(proof(&Arc::default())),
            Some(Claim::Open(reason)) => Verdict::Open(reason.clone()),
            Some(Claim::Proved(given)) => Verdict::Proved(proof(given)),
            Some(Claim::Unreachable(given)) => Verdict::Unreachable(proof(given)),
        }
    }
}
