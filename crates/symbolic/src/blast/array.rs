// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reading arrays: writes become multiplexers, reads of variables free words tied together by Ackermann's rule.

use rustc_hash::FxHashMap;

use super::Blaster;
use super::gates::Lit;
use super::word::Word;
use crate::term::{Sort, Term, TermId, Terms, VarId};

/// The elements that were read, of all arrays.
#[derive(Default)]
pub struct Reads {
    /// By array and index word: the element.
    known: FxHashMap<(TermId, Word), Word>,
    /// Of each array variable: indices and elements.
    free: Vec<(VarId, Word, Word)>,
}

impl Reads {
    pub fn elements(&self) -> impl Iterator<Item = (VarId, &Word, &Word)> {
        self.free.iter().map(|(variable, index, element)| (*variable, index, element))
    }
}

/// The bit-vectors that an array is made of: indices and elements of its writes, conditions of its joins.
pub fn contents(terms: &Terms, array: TermId) -> Vec<TermId> {
    let mut contents = Vec::new();
    let mut pending = vec![array];
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some(array) = pending.pop() {
        if !seen.insert(array) {
            continue;
        }
        match terms.get(array) {
            Term::Store(base, index, element) => {
                pending.push(base);
                contents.extend([index, element]);
            }
            Term::Ite(condition, a, b) => {
                pending.extend([a, b]);
                contents.push(condition);
            }
            Term::ConstArray(element) => contents.push(element),
            _ => {}
        }
    }
    contents
}

impl Blaster {
    /// The element of an array at an index; the words of the index and of the array's contents are known.
    pub(super) fn select(&mut self, terms: &Terms, array: TermId, index: TermId) -> Word {
        let index = self.words[&index].clone();
        let root = (array, index);
        let mut pending = vec![array];
        while let Some(&array) = pending.last() {
            let key = (array, root.1.clone());
            if self.reads.known.contains_key(&key) {
                pending.pop();
                continue;
            }
            match self.element(terms, array, &key.1) {
                Ok(element) => {
                    self.reads.known.insert(key, element);
                    pending.pop();
                }
                Err(missing) => pending.extend(missing),
            }
        }
        self.reads.known[&root].clone()
    }

    /// The element, or the arrays whose element must be known first.
    fn element(&mut self, terms: &Terms, array: TermId, index: &Word) -> Result<Word, Vec<TermId>> {
        let known =
            |blaster: &Blaster, array: TermId| blaster.reads.known.get(&(array, index.clone())).cloned();
        match terms.get(array) {
            Term::Store(base, at, element) => {
                let at = self.words[&at].clone();
                let hit = self.gates.eq(&at, index);
                if hit == Lit::TRUE {
                    return Ok(self.words[&element].clone());
                }
                let below = known(self, base).ok_or_else(|| vec![base])?;
                Ok(self.gates.mux_word(hit, &self.words[&element], &below))
            }
            Term::Ite(condition, a, b) => {
                let condition = self.words[&condition][0];
                if let Some(value) = condition.as_constant() {
                    let chosen = if value { a } else { b };
                    return known(self, chosen).ok_or_else(|| vec![chosen]);
                }
                match (known(self, a), known(self, b)) {
                    (Some(a), Some(b)) => Ok(self.gates.mux_word(condition, &a, &b)),
                    (known_a, known_b) => Err([(a, known_a), (b, known_b)]
                        .into_iter()
                        .filter(|(_, known)| known.is_none())
                        .map(|(array, _)| array)
                        .collect()),
                }
            }
            Term::ConstArray(element) => Ok(self.words[&element].clone()),
            Term::Var(variable) => {
                let Sort::Array { element, .. } = terms.sort(array) else {
                    unreachable!("{array} is no array")
                };
                Ok(self.free_element(variable, element as usize, index))
            }
            shape => unreachable!("{shape:?} is no array"),
        }
    }

    /// A free word, equal to the elements that were read at equal indices.
    fn free_element(&mut self, variable: VarId, width: usize, index: &Word) -> Word {
        let fresh: Word = (0..width).map(|_| self.gates.input()).collect();
        for (other, other_index, other_element) in &self.reads.free {
            if *other != variable {
                continue;
            }
            let same_index = self.gates.eq(index, other_index);
            let same_element = self.gates.eq(&fresh, other_element);
            let rule = self.gates.or(!same_index, same_element);
            if rule != Lit::TRUE {
                self.constraints.push(rule);
            }
        }
        self.reads.free.push((variable, index.clone(), fresh.clone()));
        fresh
    }
}
