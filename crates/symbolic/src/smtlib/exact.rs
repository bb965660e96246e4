// SPDX-License-Identifier: MIT OR Apache-2.0
//! Exact numbers in SMT-LIB: integers as signed bit-vectors in which nothing is lost, reals as `Real`.

use std::fmt::Write;

use clew_base::exact::{Integer, Rational};
use clew_base::int::ArithOp;

use super::{bit, float};
use crate::term::{ExactRelation, Sort, Term, TermId, Terms};

/// Defines an exact number or a comparison of two, if there are words for it.
pub(super) fn define(terms: &Terms, id: TermId, text: &mut String) -> Option<()> {
    let (name, body) = match (terms.get(id), terms.sort(id)) {
        (Term::ExactCompare(relation, a, b), _) => {
            ("(_ BitVec 1)".to_string(), compare(terms, relation, a, b))
        }
        (term, Sort::Integer) => {
            let width = width(terms, id);
            (format!("(_ BitVec {width})"), integer(terms, term, width))
        }
        (term, _) => ("Real".to_string(), real(terms, term)?),
    };
    let _ = writeln!(text, "(define-fun {id} () {name} {body})");
    Some(())
}

/// The bits of an integer.
fn width(terms: &Terms, integer: TermId) -> usize {
    terms.range(integer).width_at(0)
}

/// A signed bit-vector in another width; what is cut off says nothing.
fn resized(name: &str, from: usize, to: usize) -> String {
    match from.cmp(&to) {
        std::cmp::Ordering::Less => format!("((_ sign_extend {}) {name})", to - from),
        std::cmp::Ordering::Equal => name.to_string(),
        std::cmp::Ordering::Greater => format!("((_ extract {} 0) {name})", to - 1),
    }
}

fn integer(terms: &Terms, term: Term, to: usize) -> String {
    let of = |id: TermId| resized(&id.to_string(), width(terms, id), to);
    match term {
        Term::Number(number) => constant(terms.number_at(number).numerator(), to),
        Term::IntegerOf { signed: true, of } => resized(&of.to_string(), terms.width(of) as usize, to),
        Term::IntegerOf { of, .. } => {
            resized(&format!("((_ zero_extend 1) {of})"), terms.width(of) as usize + 1, to)
        }
        Term::Ite(c, a, b) => format!("(ite (= {c} #b1) {} {})", of(a), of(b)),
        Term::Exact(op, a, b) => {
            let name = match op {
                ArithOp::Add => "bvadd",
                ArithOp::Sub => "bvsub",
                ArithOp::Mul => "bvmul",
            };
            format!("({name} {} {})", of(a), of(b))
        }
        other => unreachable!("{other:?} is no integer"),
    }
}

fn constant(value: &Integer, width: usize) -> String {
    if *value < Integer::ZERO {
        format!("(bvneg (_ bv{} {width}))", -value)
    } else {
        format!("(_ bv{value} {width})")
    }
}

fn real(terms: &Terms, term: Term) -> Option<String> {
    Some(match term {
        Term::Number(number) => fraction(terms.number_at(number)),
        Term::RealOf { format, of } => {
            let value = float::read(format, of)?;
            format!("(ite (or (fp.isNaN {value}) (fp.isInfinite {value})) 0.0 (fp.to_real {value}))")
        }
        Term::ToReal(a) => {
            let (width, zero) = (width(terms, a), constant(&Integer::ZERO, width(terms, a)));
            let wrapped: Integer = Integer::ONE << width;
            format!("(to_real (ite (bvslt {a} {zero}) (- (bv2nat {a}) {wrapped}) (bv2nat {a})))")
        }
        Term::Ite(c, a, b) => format!("(ite (= {c} #b1) {a} {b})"),
        Term::Exact(op, a, b) => {
            let name = match op {
                ArithOp::Add => "+",
                ArithOp::Sub => "-",
                ArithOp::Mul => "*",
            };
            format!("({name} {a} {b})")
        }
        other => unreachable!("{other:?} is no real"),
    })
}

fn fraction(value: &Rational) -> String {
    let (numerator, denominator) = (value.numerator(), value.denominator());
    if *numerator < Integer::ZERO {
        format!("(- (/ {}.0 {denominator}.0))", -numerator)
    } else {
        format!("(/ {numerator}.0 {denominator}.0)")
    }
}

fn compare(terms: &Terms, relation: ExactRelation, a: TermId, b: TermId) -> String {
    if terms.sort(a) == Sort::Real {
        return bit(&match relation {
            ExactRelation::Eq => format!("(= {a} {b})"),
            ExactRelation::Lt => format!("(< {a} {b})"),
        });
    }
    let wide = width(terms, a).max(width(terms, b));
    let of = |id: TermId| resized(&id.to_string(), width(terms, id), wide);
    bit(&match relation {
        ExactRelation::Eq => format!("(= {} {})", of(a), of(b)),
        ExactRelation::Lt => format!("(bvslt {} {})", of(a), of(b)),
    })
}
