// SPDX-License-Identifier: MIT OR Apache-2.0
//! Terms to circuits.
//!
//! Every bit-vector term becomes a word of literals, once. Arrays have no circuit: an element of an array is
//! found by walking its writes (a multiplexer each), and elements of an array *variable* are free words, of
//! which any two at equal indices must be equal (Ackermann's reduction). Exact numbers are words in two's complement
//! that have the bits of their range, no more (`exact`).

mod array;
pub mod circuit;
mod exact;
#[cfg(test)]
mod exact_tests;
mod float;

pub mod gates;
#[cfg(test)]
pub(crate) mod tests;
pub mod word;

use rustc_hash::FxHashMap;

use crate::term::facts::Facts;
use crate::term::{BinaryOp, Sort, Term, TermId, Terms, VarId};
use array::Reads;
use gates::{Gates, Lit};
use word::Word;

/// Circuits of terms, built as they are asked for.
#[derive(Default)]
pub struct Blaster {
    /// The circuit.
    pub gates: Gates,
    words: FxHashMap<TermId, Word>,
    variables: Vec<(VarId, Word)>,
    reads: Reads,
    constraints: Vec<Lit>,
}

impl Blaster {
    /// The word of a bit-vector term; none if the circuit has more gates than `limit` before it is done, or an exact
    /// number more bits than circuits have.
    pub fn word(&mut self, terms: &Terms, root: TermId, limit: usize) -> Option<Word> {
        let mut pending = vec![root];
        while let Some(&term) = pending.last() {
            if self.words.contains_key(&term) {
                pending.pop();
                continue;
            }
            let before = pending.len();
            self.missing(terms, term, &mut pending);
            if pending.len() == before {
                let word = if terms.sort(term).is_exact() {
                    exact::blast(&mut self.gates, terms, term, &self.words)?
                } else {
                    self.settled(terms, term)
                };
                self.words.insert(term, word);
                pending.pop();
                if self.gates.len() > limit {
                    return None;
                }
            }
        }
        Some(self.words[&root].clone())
    }

    /// The operands that have no word yet. Of a read, also what the writes of its array say.
    fn missing(&self, terms: &Terms, term: TermId, pending: &mut Vec<TermId>) {
        let mut need = |operand: TermId| {
            if !self.words.contains_key(&operand) {
                pending.push(operand);
            }
        };
        match terms.get(term) {
            Term::Select(array, index) => {
                need(index);
                array::contents(terms, array).into_iter().for_each(need);
            }
            shape => shape.operands().iter().copied().for_each(need),
        }
    }

    /// What must hold beside the words' own definitions, since the last call.
    pub fn take_constraints(&mut self) -> Vec<Lit> {
        std::mem::take(&mut self.constraints)
    }

    /// The bit-vector variables that occur, with their words.
    pub fn variables(&self) -> &[(VarId, Word)] {
        &self.variables
    }

    /// The elements of array variables that are read: the variable, the index, the element.
    pub fn elements(&self) -> impl Iterator<Item = (VarId, &Word, &Word)> {
        self.reads.elements()
    }

    /// The word of a bit-vector, in which bits that are known have no circuit.
    fn settled(&mut self, terms: &Terms, term: TermId) -> Word {
        let mut word = self.blast(terms, term);
        if !matches!(terms.get(term), Term::Var(_)) {
            settle(&mut word, terms.facts(term));
        }
        word
    }

    fn blast(&mut self, terms: &Terms, term: TermId) -> Word {
        let Sort::Bits(width) = terms.sort(term) else { unreachable!("arrays have no word of their own") };
        let width = width as usize;
        match terms.get(term) {
            Term::Const(value) => word::constant(width, value),
            Term::Var(variable) => {
                let word: Word = (0..width).map(|_| self.gates.input()).collect();
                self.variables.push((variable, word.clone()));
                word
            }
            Term::Not(a) => word::not(&self.words[&a]),
            Term::Binary(op, a, b) => binary(&mut self.gates, op, &self.words[&a], &self.words[&b]),
            Term::Ite(condition, a, b) => {
                let condition = self.words[&condition][0];
                self.gates.mux_word(condition, &self.words[&a], &self.words[&b])
            }
            Term::Extract { of, low } => self.words[&of][low as usize..][..width].to_vec(),
            Term::Zext(a) => word::zext(&self.words[&a], width),
            Term::Sext(a) => word::sext(&self.words[&a], width),
            Term::ExactCompare(relation, a, b) => {
                vec![exact::compare(&mut self.gates, terms, (relation, a, b), &self.words)]
            }
            Term::Select(array, index) => self.select(terms, array, index),
            Term::ConstArray(_) | Term::Store(..) => unreachable!("arrays have no word of their own"),
            shape => float::blast(&mut self.gates, shape, width, &self.words),
        }
    }
}

/// Bits that are known whatever the variables are need no circuit.
fn settle(word: &mut Word, facts: &Facts) {
    for (place, lit) in word.iter_mut().enumerate() {
        if facts.zeros >> place & 1 == 1 {
            *lit = Lit::FALSE;
        } else if facts.ones >> place & 1 == 1 {
            *lit = Lit::TRUE;
        }
    }
}

fn binary(gates: &mut Gates, op: BinaryOp, a: &[Lit], b: &[Lit]) -> Word {
    match op {
        BinaryOp::And => gates.zip(a, b, Gates::and),
        BinaryOp::Or => gates.zip(a, b, Gates::or),
        BinaryOp::Xor => gates.zip(a, b, Gates::xor),
        BinaryOp::Add => gates.add(a, b),
        BinaryOp::Sub => gates.sub(a, b),
        BinaryOp::Mul => gates.mul(a, b),
        BinaryOp::Udiv => gates.udivrem(a, b).0,
        BinaryOp::Urem => gates.udivrem(a, b).1,
        BinaryOp::Sdiv => gates.sdivrem(a, b).0,
        BinaryOp::Srem => gates.sdivrem(a, b).1,
        BinaryOp::Shl => gates.shl(a, b),
        BinaryOp::Lshr => gates.shift_right(a, b, Lit::FALSE),
        BinaryOp::Ashr => gates.shift_right(a, b, a[a.len() - 1]),
        BinaryOp::Eq => vec![gates.eq(a, b)],
        BinaryOp::Ult => vec![gates.ult(a, b)],
        BinaryOp::Slt => vec![gates.slt(a, b)],
        BinaryOp::Concat => word::concat(a, b),
    }
}
