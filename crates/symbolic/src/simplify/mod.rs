// SPDX-License-Identifier: MIT OR Apache-2.0
//! Simplification: tables of rewrites, tried when a term is made.
//!
//! A rule is a line of a table: its text, `match => result`, and a function that returns the result if it
//! matches. Rules see simplified operands and the operands' [`facts`](crate::term::facts). For commutative operators
//! each rule is tried with the operands both ways round. In the texts `k` is a constant, `~` a complement, `c?a:b`
//! a choice, `h.l` a concatenation, `a[i]` a slice or an element. What folds to a constant, and what the facts
//! decide (`a & 0`, `zext(a) < 2^n`), needs no rule.
//!
//! Every result is smaller than its match, or nearer to a normal form: constants to the right and outward,
//! differences without constants, shifts by constants as slices. So rewriting ends.
//! `tests` tries all rules on all small terms and compares with the evaluator.

mod arith;
mod array;
mod compare;
mod exact;
#[cfg(test)]
mod exact_tests;
mod float;
mod logic;
mod slice;
#[cfg(test)]
mod tests;

use clew_base::int::ArithOp;

use crate::term::evaluate::{Value, apply};
use crate::term::{BinaryOp, ExactRelation, Sort, Term, TermId, Terms, mask};

/// A rewrite of an operator on one operand; `Sort` is the result's.
type Unary = (&'static str, fn(&mut Terms, TermId, Sort) -> Option<TermId>);
/// A rewrite of an operator on two operands.
type Binary = (&'static str, fn(&mut Terms, TermId, TermId) -> Option<TermId>);
/// A rewrite of an operator on three operands.
type Ternary = (&'static str, fn(&mut Terms, TermId, TermId, TermId) -> Option<TermId>);

impl Terms {
    /// The term, simplified.
    pub(crate) fn make(&mut self, term: Term, sort: Sort) -> TermId {
        let term = self.ordered(term);
        if let Some(known) = self.lookup(term, sort) {
            return known;
        }
        if self.plain {
            return self.intern(term, sort);
        }
        if let Some(value) = self.fold(term, sort) {
            return value;
        }
        if let Some(value) = self.only_value(term, sort) {
            return value;
        }
        match self.rewrite(term, sort) {
            Some((_, result)) => {
                debug_assert_eq!(self.sort(result), sort, "{term:?} was rewritten to another sort");
                result
            }
            None => self.intern(term, sort),
        }
    }

    /// The constant that the facts leave.
    fn only_value(&mut self, term: Term, sort: Sort) -> Option<TermId> {
        match sort {
            Sort::Bits(width) => {
                let value = self.derive_facts(term, sort).value()?;
                Some(self.constant(width, value))
            }
            Sort::Integer | Sort::Real => {
                let value = self.derive_range(term, sort).value()?.clone();
                Some(self.number(sort, value))
            }
            Sort::Array { .. } => None,
        }
    }

    /// Operands of commutative operators in one order: constants last, else by age.
    fn ordered(&self, term: Term) -> Term {
        let constant = |id: TermId| self.as_const(id).is_some() || self.as_number(id).is_some();
        let swap = |a: TermId, b: TermId| (constant(a), a) > (constant(b), b);
        match term {
            Term::Binary(op, a, b) if is_commutative(op) && swap(a, b) => Term::Binary(op, b, a),
            Term::Exact(op, a, b) if op != ArithOp::Sub && swap(a, b) => Term::Exact(op, b, a),
            Term::ExactCompare(ExactRelation::Eq, a, b) if swap(a, b) => {
                Term::ExactCompare(ExactRelation::Eq, b, a)
            }
            _ => term,
        }
    }

    /// The value of a term whose operands are constants.
    fn fold(&mut self, term: Term, sort: Sort) -> Option<TermId> {
        if matches!(sort, Sort::Array { .. }) {
            return None;
        }
        let values = term
            .operands()
            .iter()
            .map(|&operand| Some((self.constant_value(operand)?, self.sort(operand))))
            .collect::<Option<Vec<_>>>()?;
        if values.is_empty() {
            return None;
        }
        Some(self.value_as_term(sort, apply(term, sort, &values)))
    }

    fn constant_value(&self, term: TermId) -> Option<Value> {
        let bits = self.as_const(term).map(Value::Bits);
        bits.or_else(|| self.as_number(term).cloned().map(Value::Exact))
    }

    /// The constant of a value that is no array.
    fn value_as_term(&mut self, sort: Sort, value: Value) -> TermId {
        match (sort, value) {
            (Sort::Bits(width), value) => self.constant(width, value.bits()),
            (sort, Value::Exact(value)) => self.number(sort, value),
            (sort, value) => unreachable!("{value:?} is no constant of {sort:?}"),
        }
    }

    /// The first rule that matches, by its text, and its result.
    fn rewrite(&mut self, term: Term, sort: Sort) -> Option<(&'static str, TermId)> {
        if let Some(result) = self.distribute(term, sort) {
            return Some((DISTRIBUTE, result));
        }
        match term {
            Term::Not(a) => self.first(logic::NOT, |terms, rule| rule(terms, a, sort)),
            Term::Zext(a) => self.first(slice::ZEXT, |terms, rule| rule(terms, a, sort)),
            Term::Sext(a) => self.first(slice::SEXT, |terms, rule| rule(terms, a, sort)),
            Term::Binary(op, a, b) => {
                let rules = binary_rules(op);
                let found = self.first(rules, |terms, rule| rule(terms, a, b));
                match found {
                    None if is_commutative(op) => self.first(rules, |terms, rule| rule(terms, b, a)),
                    found => found,
                }
            }
            Term::Ite(c, a, b) => self.first(logic::ITE, |terms, rule| rule(terms, c, a, b)),
            Term::Extract { of, low } => {
                let Sort::Bits(width) = sort else { return None };
                self.first(slice::EXTRACT, |terms, rule| rule(terms, of, low, width))
            }
            Term::Select(array, index) => self.first(array::SELECT, |terms, rule| rule(terms, array, index)),
            Term::Store(array, index, element) => {
                self.first(array::STORE, |terms, rule| rule(terms, array, index, element))
            }
            Term::FloatCompare(relation, format, a, b) => {
                self.first(float::COMPARE, |terms, rule| rule(terms, relation, format, a, b))
            }
            Term::FloatToFloat { from, to, rounding, of } => {
                self.first(float::CONVERT, |terms, rule| rule(terms, (from, to), rounding, of))
            }
            Term::Exact(op, a, b) => self.first(exact::arithmetic(op), |terms, rule| rule(terms, a, b)),
            Term::ExactCompare(relation, a, b) => {
                self.first(exact::comparison(relation), |terms, rule| rule(terms, a, b))
            }
            Term::RealOf { format, of } => self.first(exact::REAL_OF, |terms, rule| rule(terms, format, of)),
            _ => None,
        }
    }

    fn first<R: Copy>(
        &mut self,
        rules: &[(&'static str, R)],
        apply: impl Fn(&mut Terms, R) -> Option<TermId>,
    ) -> Option<(&'static str, TermId)> {
        rules.iter().find_map(|&(text, rule)| Some((text, apply(self, rule)?)))
    }

    /// An operation on a choice of constants is a choice of its results, if the other operands are constants or
    /// choices by the same condition.
    fn distribute(&mut self, term: Term, sort: Sort) -> Option<TermId> {
        if matches!(term, Term::Ite(..) | Term::Select(..) | Term::Store(..) | Term::ConstArray(_)) {
            return None;
        }
        let Sort::Bits(width) = sort else { return None };
        let mut condition = None;
        let (mut then, mut otherwise) = (Vec::new(), Vec::new());
        for &operand in term.operands().iter() {
            let operand_sort = self.sort(operand);
            let (a, b) = match self.get(operand) {
                Term::Const(value) => (value, value),
                Term::Ite(c, a, b) if condition.is_none_or(|known| known == c) => {
                    condition = Some(c);
                    (self.as_const(a)?, self.as_const(b)?)
                }
                _ => return None,
            };
            then.push((Value::Bits(a), operand_sort));
            otherwise.push((Value::Bits(b), operand_sort));
        }
        let condition = condition?;
        let (then, otherwise) = (apply(term, sort, &then).bits(), apply(term, sort, &otherwise).bits());
        let (then, otherwise) = (self.constant(width, then), self.constant(width, otherwise));
        Some(self.ite(condition, then, otherwise))
    }

    /// The operands, if the term is this operator's.
    fn operands_of(&self, op: BinaryOp, term: TermId) -> Option<(TermId, TermId)> {
        match self.get(term) {
            Term::Binary(found, a, b) if found == op => Some((a, b)),
            _ => None,
        }
    }

    /// The operands, if the second is a constant.
    fn with_constant(&self, op: BinaryOp, term: TermId) -> Option<(TermId, u128)> {
        let (a, b) = self.operands_of(op, term)?;
        Some((a, self.as_const(b)?))
    }

    /// The operand of a complement.
    fn complement(&self, term: TermId) -> Option<TermId> {
        match self.get(term) {
            Term::Not(a) => Some(a),
            _ => None,
        }
    }

    fn are_complements(&self, a: TermId, b: TermId) -> bool {
        self.complement(a) == Some(b) || self.complement(b) == Some(a)
    }

    /// All bits of a constant are set.
    fn is_ones(&self, term: TermId) -> bool {
        self.as_const(term).is_some_and(|value| value == mask(self.width(term)))
    }
}

const DISTRIBUTE: &str = "f(c?k1:k2, k3) => c?f(k1,k3):f(k2,k3)";

fn is_commutative(op: BinaryOp) -> bool {
    use BinaryOp::{Add, And, Eq, Mul, Or, Xor};
    matches!(op, And | Or | Xor | Add | Mul | Eq)
}

fn binary_rules(op: BinaryOp) -> &'static [Binary] {
    match op {
        BinaryOp::And => logic::AND,
        BinaryOp::Or => logic::OR,
        BinaryOp::Xor => logic::XOR,
        BinaryOp::Add => arith::ADD,
        BinaryOp::Sub => arith::SUB,
        BinaryOp::Mul => arith::MUL,
        BinaryOp::Udiv => arith::UDIV,
        BinaryOp::Urem => arith::UREM,
        BinaryOp::Sdiv => arith::SDIV,
        BinaryOp::Srem => arith::SREM,
        BinaryOp::Shl => slice::SHL,
        BinaryOp::Lshr => slice::LSHR,
        BinaryOp::Ashr => slice::ASHR,
        BinaryOp::Concat => slice::CONCAT,
        BinaryOp::Eq => compare::EQ,
        BinaryOp::Ult => compare::ULT,
        BinaryOp::Slt => compare::SLT,
    }
}
