// SPDX-License-Identifier: MIT OR Apache-2.0
//! Terms as SMT-LIB 2.6 scripts, for a second opinion.
//!
//! Every term is a bit-vector here as well, booleans of one bit. A float operation reads its operands with `to_fp`;
//! its result is a new constant of which only its reading as a float is demanded, because SMT-LIB knows one NaN
//! where we know many. So a script is a little weaker than the terms: `unsat` is an answer, `sat` is one if
//! nothing looks at the bits of a computed NaN. Not expressible: the 80-bit format, and C's `fmod`. Exact integers are
//! bit-vectors as wide as their range, which solvers are better at, and reals are reals.
//!
//! [`Query`] is a script that also asks for the values of the variables, and reads the reply.

mod exact;
mod float;
mod query;
mod reply;

use std::fmt::Write;

use crate::term::{BinaryOp, Sort, Term, TermId, Terms};
pub use query::{Query, Reply};

/// A term that SMT-LIB has no words for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Inexpressible(pub TermId);

/// A script that asks whether all assumptions, one-bit terms, can hold.
pub fn script(terms: &Terms, assumptions: &[TermId]) -> Result<String, Inexpressible> {
    let mut text = String::from("(set-option :produce-models true)\n(set-logic ALL)\n");
    for term in terms.reachable(assumptions) {
        define(terms, term, &mut text).ok_or(Inexpressible(term))?;
    }
    for assumption in assumptions {
        let _ = writeln!(text, "(assert (= {assumption} #b1))");
    }
    text.push_str("(check-sat)\n");
    Ok(text)
}

fn sort_name(sort: Sort) -> String {
    match sort {
        Sort::Integer => "Int".to_string(),
        Sort::Real => "Real".to_string(),
        Sort::Bits(width) => format!("(_ BitVec {width})"),
        Sort::Array { index, element } => format!("(Array (_ BitVec {index}) (_ BitVec {element}))"),
    }
}

fn define(terms: &Terms, id: TermId, text: &mut String) -> Option<()> {
    let (term, sort) = (terms.get(id), terms.sort(id));
    if sort.is_exact() || matches!(term, Term::ExactCompare(..)) {
        return exact::define(terms, id, text);
    }
    let name = sort_name(sort);
    let body = match term {
        Term::Var(_) => {
            let _ = writeln!(text, "(declare-const {id} {name})");
            return Some(());
        }
        Term::Const(value) => constant(terms.width(id), value),
        Term::Not(a) => format!("(bvnot {a})"),
        Term::Binary(op, a, b) => binary(op, a, b),
        Term::Ite(c, a, b) => format!("(ite (= {c} #b1) {a} {b})"),
        Term::Extract { of, low } => {
            format!("((_ extract {} {low}) {of})", low + terms.width(id) - 1)
        }
        Term::Zext(a) => format!("((_ zero_extend {}) {a})", terms.width(id) - terms.width(a)),
        Term::Sext(a) => format!("((_ sign_extend {}) {a})", terms.width(id) - terms.width(a)),
        Term::ConstArray(element) => format!("((as const {name}) {element})"),
        Term::Select(array, index) => format!("(select {array} {index})"),
        Term::Store(array, index, element) => format!("(store {array} {index} {element})"),
        _ => return float::define(terms, id, text),
    };
    let _ = writeln!(text, "(define-fun {id} () {name} {body})");
    Some(())
}

fn constant(width: u32, value: u128) -> String {
    format!("(_ bv{value} {width})")
}

/// A condition of SMT-LIB as one bit.
fn bit(condition: &str) -> String {
    format!("(ite {condition} #b1 #b0)")
}

fn binary(op: BinaryOp, a: TermId, b: TermId) -> String {
    let name = match op {
        BinaryOp::And => "bvand",
        BinaryOp::Or => "bvor",
        BinaryOp::Xor => "bvxor",
        BinaryOp::Add => "bvadd",
        BinaryOp::Sub => "bvsub",
        BinaryOp::Mul => "bvmul",
        BinaryOp::Udiv => "bvudiv",
        BinaryOp::Urem => "bvurem",
        BinaryOp::Sdiv => "bvsdiv",
        BinaryOp::Srem => "bvsrem",
        BinaryOp::Shl => "bvshl",
        BinaryOp::Lshr => "bvlshr",
        BinaryOp::Ashr => "bvashr",
        BinaryOp::Concat => "concat",
        BinaryOp::Eq => return bit(&format!("(= {a} {b})")),
        BinaryOp::Ult => return bit(&format!("(bvult {a} {b})")),
        BinaryOp::Slt => return bit(&format!("(bvslt {a} {b})")),
    };
    format!("({name} {a} {b})")
}
