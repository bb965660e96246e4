// SPDX-License-Identifier: MIT OR Apache-2.0
//! Circuits of exact numbers against their meaning.

use clew_base::float::{Format, Rounding};
use clew_base::int::ArithOp;

use super::tests::{agrees, all_pairs, random_bits, random_float};
use crate::term::{ExactRelation, Sort, Term, TermId, Terms};

const RELATIONS: [ExactRelation; 2] = [ExactRelation::Eq, ExactRelation::Lt];

fn integer(terms: &mut Terms, of: TermId, signed: bool) -> TermId {
    terms.intern(Term::IntegerOf { signed, of }, Sort::Integer)
}

fn real(terms: &mut Terms, format: Format, of: TermId) -> TermId {
    terms.intern(Term::RealOf { format, of }, Sort::Real)
}

fn compare(terms: &mut Terms, relation: ExactRelation, a: TermId, b: TermId) -> TermId {
    terms.intern(Term::ExactCompare(relation, a, b), Sort::BOOL)
}

#[test]
fn sums_and_products_of_mixed_types() {
    for op in [ArithOp::Add, ArithOp::Sub, ArithOp::Mul] {
        for (a, b) in [(1, 3), (3, 3), (2, 4), (4, 4)] {
            for signs in 0..4 {
                for (relation, limit) in [(RELATIONS[0], 6), (RELATIONS[1], 6), (RELATIONS[1], -3)] {
                    let shape = |terms: &mut Terms, x: &[TermId]| {
                        let left = integer(terms, x[0], signs & 1 == 1);
                        let right = integer(terms, x[1], signs & 2 == 2);
                        let result = terms.intern(Term::Exact(op, left, right), Sort::Integer);
                        let limit = terms.number(Sort::Integer, limit.into());
                        compare(terms, relation, result, limit)
                    };
                    agrees(&[a, b], shape, all_pairs(a, b));
                }
            }
        }
    }
}

#[test]
fn choices_and_multiples() {
    let shape = |terms: &mut Terms, x: &[TermId]| {
        let zeros = terms.constant(2, 0);
        let fours = terms.concat(x[0], zeros);
        let (a, b) = (integer(terms, fours, true), integer(terms, x[1], false));
        let is_zero = terms.constant(3, 0);
        let is_zero = terms.eq(x[1], is_zero);
        let chosen = terms.intern(Term::Ite(is_zero, a, b), Sort::Integer);
        compare(terms, ExactRelation::Lt, chosen, a)
    };
    agrees(&[3, 3], shape, all_pairs(3, 3));
}

#[test]
fn reals_of_floats() {
    let mut random = fastrand::Rng::with_seed(1);
    for (a, b) in [(Format::F16, Format::F16), (Format::F16, Format::F32), (Format::F32, Format::F64)] {
        let mut samples: Vec<[u128; 3]> = (0..400)
            .map(|_| [random_float(&mut random, a), random_float(&mut random, b), random.u128(..256)])
            .collect();
        // The same value in both formats.
        for sample in samples.iter_mut().step_by(3) {
            let float = clew_base::float::Float::from_bits(a, sample[0]);
            sample[1] = float.convert(b, Rounding::NearestEven).0.to_bits();
        }
        for relation in RELATIONS {
            let shape = |terms: &mut Terms, x: &[TermId]| {
                let (left, right) = (real(terms, a, x[0]), real(terms, b, x[1]));
                let other = integer(terms, x[2], true);
                let other = terms.intern(Term::ToReal(other), Sort::Real);
                let sum = terms.intern(Term::Exact(ArithOp::Add, right, other), Sort::Real);
                let same = compare(terms, relation, left, right);
                let after = compare(terms, relation, left, sum);
                terms.concat(same, after)
            };
            agrees(&[a.bits(), b.bits(), 8], shape, samples.clone().into_iter());
        }
    }
}

#[test]
fn a_product_of_halves() {
    let mut random = fastrand::Rng::with_seed(2);
    let samples: Vec<[u128; 3]> = (0..200)
        .map(|_| [random_float(&mut random, Format::F16), random_float(&mut random, Format::F16), 0])
        .collect();
    let shape = |terms: &mut Terms, x: &[TermId]| {
        let (left, right) = (real(terms, Format::F16, x[0]), real(terms, Format::F16, x[1]));
        let product = terms.intern(Term::Exact(ArithOp::Mul, left, right), Sort::Real);
        compare(terms, ExactRelation::Lt, product, left)
    };
    agrees(&[16, 16], shape, samples.into_iter());
}

/// What was an integer before has few enough bits in every format.
#[test]
fn reals_of_converted_integers() {
    let mut random = fastrand::Rng::with_seed(3);
    for format in [Format::F16, Format::F32, Format::F64, Format::X87, Format::F128] {
        for (bits, signed) in [(12, true), (40, false), (70, true), (128, false), (128, true)] {
            let samples: Vec<[u128; 3]> = (0..200).map(|_| [random_bits(&mut random, bits), 0, 0]).collect();
            let shape = |terms: &mut Terms, x: &[TermId]| {
                let rounding = Rounding::NearestEven;
                let float = Term::IntToFloat { to: format, signed, rounding, of: x[0] };
                let float = terms.intern(float, Sort::Bits(format.bits()));
                let (after, before) = (real(terms, format, float), integer(terms, x[0], signed));
                let before = terms.intern(Term::ToReal(before), Sort::Real);
                let same = compare(terms, ExactRelation::Eq, before, after);
                let less = compare(terms, ExactRelation::Lt, before, after);
                terms.concat(same, less)
            };
            agrees(&[bits], shape, samples.into_iter());
        }
    }
}
