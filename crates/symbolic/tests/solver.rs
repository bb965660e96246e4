// SPDX-License-Identifier: MIT OR Apache-2.0
//! Small questions with known answers.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clew_base::float::{Float, Format, Rounding};
use clew_symbolic::{
    Answer, FloatBinary, Limits, Model, Reason, Solver, Sort, Term, TermId, Terms, evaluate,
};

fn ask(terms: &Terms, assumptions: &[TermId]) -> Answer {
    Solver::new().check(terms, assumptions, &Limits::default())
}

fn value(terms: &Terms, model: &Model, term: TermId) -> u128 {
    evaluate(terms, model, &[term])[0].bits()
}

#[test]
fn factors() {
    let mut terms = Terms::new();
    let (a, b) = (terms.fresh("a", Sort::Bits(16)), terms.fresh("b", Sort::Bits(16)));
    let (wide_a, wide_b) = (terms.zext(a, 32), terms.zext(b, 32));
    let product = terms.mul(wide_a, wide_b);
    let target = terms.constant(32, 251 * 65521);
    let (one, is_target) = (terms.constant(16, 1), terms.eq(product, target));
    let (proper_a, proper_b) = (terms.lt(one, a, false), terms.lt(one, b, false));
    let Answer::Sat(model) = ask(&terms, &[is_target, proper_a, proper_b]) else {
        panic!("no factors found")
    };
    assert_eq!(value(&terms, &model, a) * value(&terms, &model, b), 251 * 65521);
}

#[test]
fn an_average_that_overflows() {
    // (a + b) / 2 < a, for a <= b: only by overflow.
    let mut terms = Terms::new();
    let (a, b) = (terms.fresh("a", Sort::Bits(32)), terms.fresh("b", Sort::Bits(32)));
    let (sum, two) = (terms.add(a, b), terms.constant(32, 2));
    let (average, ordered) = (terms.div(sum, two, false), terms.le(a, b, false));
    let less = terms.lt(average, a, false);
    let half = terms.constant(32, 1 << 31);
    let small = terms.lt(b, half, false);
    assert!(matches!(ask(&terms, &[ordered, less]), Answer::Sat(_)));
    let Answer::Unsat(core) = ask(&terms, &[ordered, less, small]) else { panic!("no overflow, but less") };
    assert_eq!(core.len(), 3);
}

#[test]
fn incremental_questions() {
    let mut terms = Terms::new();
    let a = terms.fresh("a", Sort::Bits(8));
    let limits = Limits::default();
    let mut solver = Solver::new();
    let three = terms.constant(8, 3);
    let tripled = terms.mul(a, three);
    let odd = terms.extract(tripled, 0, 1);
    solver.assert(odd);
    for target in 0..=255u128 {
        let constant = terms.constant(8, target);
        let question = terms.eq(tripled, constant);
        match solver.check(&terms, &[question], &limits) {
            Answer::Sat(model) => assert_eq!((value(&terms, &model, a) * 3) & 255, target),
            Answer::Unsat(_) => assert_eq!(target % 2, 0),
            Answer::Unknown(reason) => panic!("{reason:?}"),
        }
    }
}

#[test]
fn arrays_of_writes() {
    let mut terms = Terms::new();
    let bytes = terms.fresh("bytes", Sort::Array { index: 64, element: 8 });
    let (i, j) = (terms.fresh("i", Sort::Bits(64)), terms.fresh("j", Sort::Bits(64)));
    let (seven, nine) = (terms.constant(8, 7), terms.constant(8, 9));
    let written = terms.store(bytes, i, seven);
    let read = terms.select(written, j);
    let is_nine = terms.eq(read, nine);
    let same = terms.eq(i, j);
    assert!(matches!(ask(&terms, &[is_nine, same]), Answer::Unsat(_)));
    assert!(matches!(ask(&terms, &[is_nine]), Answer::Sat(_)));
    // Two reads of the untouched array at equal indices are equal.
    let (before_i, before_j) = (terms.select(bytes, i), terms.select(bytes, j));
    let differ = terms.ne(before_i, before_j);
    assert!(matches!(ask(&terms, &[differ, same]), Answer::Unsat(_)));
    // An index that is computed, and read once.
    let one = terms.constant(64, 1);
    let next = terms.add(i, one);
    let element = terms.select(bytes, next);
    let (five, is_nine) = (terms.constant(64, 5), terms.eq(element, nine));
    let is_five = terms.eq(i, five);
    assert!(matches!(ask(&terms, &[is_nine, is_five]), Answer::Sat(_)));
}

#[test]
fn limits_end_a_search() {
    // Factoring a product of two 32-bit primes takes more than ten conflicts.
    let mut terms = Terms::new();
    let (a, b) = (terms.fresh("a", Sort::Bits(64)), terms.fresh("b", Sort::Bits(64)));
    let (product, target) = (terms.mul(a, b), terms.constant(64, 4_294_967_291 * 4_294_967_279));
    let (limit, is_target) = (terms.constant(64, 1 << 32), terms.eq(product, target));
    let (small_a, small_b) = (terms.lt(a, limit, false), terms.lt(b, limit, false));
    let question = [is_target, small_a, small_b];
    let limits = Limits { conflicts: Some(10), ..Limits::default() };
    assert!(matches!(Solver::new().check(&terms, &question, &limits), Answer::Unknown(Reason::Conflicts)));
    let cancelled = Limits { cancelled: Some(Arc::new(AtomicBool::new(true))), ..Limits::default() };
    assert!(matches!(Solver::new().check(&terms, &question, &cancelled), Answer::Unknown(Reason::Cancelled)));
    let gates = Limits { gates: 1000, ..Limits::default() };
    assert!(matches!(Solver::new().check(&terms, &question, &gates), Answer::Unknown(Reason::Gates)));
}

#[test]
fn terms_are_shared() {
    let mut terms = Terms::new();
    let (a, b) = (terms.fresh("a", Sort::Bits(8)), terms.fresh("b", Sort::Bits(8)));
    assert_eq!(terms.add(a, b), terms.add(a, b));
    assert_ne!(a, b);
    assert!(matches!(terms.get(a), Term::Var(_)));
}

#[test]
fn floats_that_swallow_one() {
    let (format, nearest) = (Format::F64, Rounding::NearestEven);
    let mut terms = Terms::new();
    let x = terms.fresh("x", Sort::Bits(64));
    let one = terms.float(Float::from_f64(1.0));
    let sum = terms.float_binary(FloatBinary::Add, format, nearest, x, one);
    let (swallowed, finite) = (terms.float_eq(format, sum, x), terms.is_finite(format, x));
    let Answer::Sat(model) = ask(&terms, &[swallowed, finite]) else { panic!("there are such numbers") };
    let number = f64::from_bits(value(&terms, &model, x) as u64);
    assert_eq!(number + 1.0, number);
    // Below 2^53 there are none.
    let limit = terms.float(Float::from_f64(9_007_199_254_740_991.0));
    let magnitude = terms.float_abs(format, x);
    let small = terms.float_lt(format, magnitude, limit);
    assert!(matches!(ask(&terms, &[swallowed, small]), Answer::Unsat(_)));
}
