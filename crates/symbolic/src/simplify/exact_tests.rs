// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every rule of exact numbers, and their ranges: numbers of two words of three bits under all assignments, and reals of
//! all halves. A rule that never matched fails the test.

use std::collections::BTreeSet;

use clew_base::exact::{Rational, power_of_two};
use clew_base::float::{Float, Format, Rounding};
use clew_base::int::{ArithOp, IntType, overflows};

use super::tests::Twins;
use super::*;
use crate::term::evaluate::{Model, evaluate};

/// A term, simplified and plain.
type Pair = (TermId, TermId);

const OPS: [ArithOp; 3] = [ArithOp::Add, ArithOp::Sub, ArithOp::Mul];
const RELATIONS: [ExactRelation; 2] = [ExactRelation::Eq, ExactRelation::Lt];

struct Lab {
    twins: Twins,
    matched: BTreeSet<&'static str>,
}

impl Lab {
    fn new() -> Lab {
        Lab { twins: Twins::new(), matched: BTreeSet::new() }
    }

    fn variable(&mut self, name: &str, width: u32) -> Pair {
        self.twins.both(|t, _| t.fresh(name, Sort::Bits(width)))
    }

    fn make(&mut self, sort: Sort, term: impl Fn(&dyn Fn(Pair) -> TermId) -> Term) -> Pair {
        let simple = term(&|pair| pair.0);
        let simple = self.twins.simple.ordered(simple);
        // What folds, and what ranges decide, needs no rule.
        let decided = self.twins.simple.fold(simple, sort).is_some()
            || self.twins.simple.only_value(simple, sort).is_some();
        if !decided && let Some((rule, _)) = self.twins.simple.rewrite(simple, sort) {
            self.matched.insert(rule);
        }
        self.twins.both(|t, s| t.make(term(&|pair| if s { pair.0 } else { pair.1 }), sort))
    }

    fn number(&mut self, sort: Sort, value: &Rational) -> Pair {
        self.twins.both(|t, _| t.number(sort, value.clone()))
    }

    fn judge(&self, pairs: &[Pair], model: &Model) {
        for &pair in pairs {
            self.twins.assert_equal(pair, model);
            for (terms, term) in [(&self.twins.simple, pair.0), (&self.twins.plain, pair.1)] {
                if terms.sort(term).is_exact() {
                    judge_range(terms, term, model);
                }
            }
        }
    }
}

fn judge_range(terms: &Terms, term: TermId, model: &Model) {
    let Value::Exact(value) = &evaluate(terms, model, &[term])[0] else { panic!("{term} is exact") };
    let range = terms.range(term);
    assert!(range.least <= *value && *value <= range.greatest, "{value} is not in {range:?}");
    if let Some(unit) = range.unit {
        assert!((value * power_of_two(-unit)).is_int(), "{value} is no multiple of the unit of {range:?}");
    }
}

fn texts() -> Vec<&'static str> {
    let mut texts: Vec<_> = OPS.iter().flat_map(|&op| exact::arithmetic(op)).map(|(text, _)| *text).collect();
    texts.extend(RELATIONS.iter().flat_map(|&relation| exact::comparison(relation)).map(|(text, _)| *text));
    texts.extend(exact::REAL_OF.iter().map(|(text, _)| *text));
    texts
}

fn fraction(a: i32, b: u32) -> Rational {
    Rational::from_parts(a.into(), b.into())
}

/// Numbers of two words of three bits, of both sorts, and what is made of them.
fn small_numbers(matched: &mut BTreeSet<&'static str>, seed: u64) {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut lab = Lab::new();
    let (a, b, c) = (lab.variable("a", 3), lab.variable("b", 3), lab.variable("c", 1));
    let mut numbers: Vec<(Sort, Pair)> = Vec::new();
    for of in [a, b] {
        for signed in [false, true] {
            let integer = lab.make(Sort::Integer, |at| Term::IntegerOf { signed, of: at(of) });
            numbers.push((Sort::Integer, integer));
            numbers.push((Sort::Real, lab.make(Sort::Real, |at| Term::ToReal(at(integer)))));
        }
    }
    let mut claims = Vec::new();
    for _ in 0..400 {
        let (sort, x) = numbers[random.usize(..numbers.len().min(30))];
        let y = match random.u8(..3) {
            0 => lab.number(sort, &Rational::from(random.i32(-9..=9))),
            1 if sort == Sort::Real => lab.number(sort, &fraction(random.i32(-20..=20), random.u32(2..=4))),
            _ => {
                let same: Vec<_> = numbers.iter().filter(|(other, _)| *other == sort).collect();
                same[random.usize(..same.len())].1
            }
        };
        let (x, y) = if random.bool() { (x, y) } else { (y, x) };
        match random.u8(..6) {
            0 => numbers.push((sort, lab.make(sort, |at| Term::Ite(at(c), at(x), at(y))))),
            1..=3 => {
                let op = OPS[random.usize(..3)];
                numbers.push((sort, lab.make(sort, |at| Term::Exact(op, at(x), at(y)))));
            }
            _ => {
                let relation = RELATIONS[random.usize(..2)];
                claims.push(lab.make(Sort::BOOL, |at| Term::ExactCompare(relation, at(x), at(y))));
            }
        }
    }
    let everything: Vec<Pair> = numbers.into_iter().map(|(_, pair)| pair).chain(claims).collect();
    let variables: Vec<_> = lab.twins.simple.variables().map(|(id, _)| id).collect();
    for assignment in 0..128u128 {
        let mut model = Model::default();
        let values = [assignment & 7, assignment >> 3 & 7, assignment >> 6];
        variables.iter().zip(values).for_each(|(&id, value)| model.set(id, Value::Bits(value)));
        lab.judge(&everything, &model);
    }
    matched.append(&mut lab.matched);
}

/// Claims of the reals of one half and one float, under all halves.
fn reals_of_floats(matched: &mut BTreeSet<&'static str>) {
    let mut random = fastrand::Rng::with_seed(1);
    let mut lab = Lab::new();
    let (half, float, int) = (lab.variable("h", 16), lab.variable("f", 32), lab.variable("i", 12));
    let real = lab.make(Sort::Real, |at| Term::RealOf { format: Format::F16, of: at(half) });
    let other = lab.make(Sort::Real, |at| Term::RealOf { format: Format::F32, of: at(float) });
    let wide = lab.twins.both(|t, s| {
        let half = if s { half.0 } else { half.1 };
        t.float_to_float(Format::F16, Format::F64, Rounding::NearestEven, half)
    });
    let wide = lab.make(Sort::Real, |at| Term::RealOf { format: Format::F64, of: at(wide) });
    let mut pairs = vec![real, other, wide];
    for signed in [false, true] {
        for (to, rounding) in [(Format::F16, Rounding::Up), (Format::F32, Rounding::NearestEven)] {
            let float = lab.twins.both(|t, s| {
                let int = if s { int.0 } else { int.1 };
                t.int_to_float(to, signed, rounding, int)
            });
            pairs.push(lab.make(Sort::Real, |at| Term::RealOf { format: to, of: at(float) }));
        }
    }
    let mut constants = vec![Rational::ZERO, fraction(1, 3), fraction(-1, 3), fraction(65504, 1)];
    constants.extend([fraction(-65519, 1), fraction(70_000, 1), fraction(1, 1 << 24), fraction(-3, 1 << 26)]);
    for _ in 0..20 {
        let bits = random.u128(..0x7c00);
        let value = Float::from_bits(Format::F16, bits).exact().unwrap_or_default();
        constants.extend([value.clone(), -value + fraction(1, 1 << 25)]);
    }
    for relation in RELATIONS {
        for constant in &constants {
            let k = lab.number(Sort::Real, constant);
            pairs.push(lab.make(Sort::BOOL, |at| Term::ExactCompare(relation, at(real), at(k))));
            pairs.push(lab.make(Sort::BOOL, |at| Term::ExactCompare(relation, at(k), at(real))));
        }
        pairs.push(lab.make(Sort::BOOL, |at| Term::ExactCompare(relation, at(real), at(other))));
        pairs.push(lab.make(Sort::BOOL, |at| Term::ExactCompare(relation, at(other), at(real))));
    }
    let variables: Vec<_> = lab.twins.simple.variables().map(|(id, _)| id).collect();
    for half in 0..=0xffffu128 {
        // Every fourth time the float is the half's own value.
        let float = match Float::from_bits(Format::F16, half) {
            value if half % 4 == 0 => value.convert(Format::F32, Rounding::NearestEven).0.to_bits(),
            _ => crate::blast::tests::random_float(&mut random, Format::F32),
        };
        let mut model = Model::default();
        let values = [half, float, half & 0xfff];
        variables.iter().zip(values).for_each(|(&id, value)| model.set(id, Value::Bits(value)));
        let some = [half as usize % pairs.len(), (half as usize + 7) % pairs.len()];
        let all = half % 61 == 0 || special(half);
        let chosen: Vec<Pair> = if all { pairs.clone() } else { some.iter().map(|&at| pairs[at]).collect() };
        lab.judge(&chosen, &model);
    }
    matched.append(&mut lab.matched);
}

/// Whether a half is near the ends: zero, subnormal, the largest, infinite or a NaN.
fn special(half: u128) -> bool {
    matches!(half & 0x7fff, 0..=4 | 0x3fe..=0x402 | 0x7bfe..=0x7c02 | 0x7fff)
}

#[test]
fn rules_and_ranges() {
    let mut matched = BTreeSet::new();
    for seed in 0..30 {
        small_numbers(&mut matched, seed);
    }
    reals_of_floats(&mut matched);
    let missing: Vec<_> = texts().into_iter().filter(|text| !matched.contains(text)).collect();
    assert!(missing.is_empty(), "rules that never matched: {missing:#?}");
}

/// What is claimed of sums, differences and products is what the arithmetic of the machine says.
#[test]
fn overflow_is_what_the_machine_says() {
    let typed = |value: u128, width: u16, signed: bool| {
        let ty = IntType { bits: width, signed };
        (ty.wrap(value as i128), ty)
    };
    for (wide_a, wide_b, bits) in [(1, 3, 2), (3, 3, 3), (2, 4, 3), (3, 2, 5), (4, 4, 7), (2, 2, 8)] {
        for signs in 0..8 {
            let (signed_a, signed_b) = (signs & 1 == 1, signs & 2 == 2);
            let dest = IntType { bits, signed: signs & 4 == 4 };
            for op in OPS {
                let mut twins = Twins::new();
                let a = twins.both(|t, _| t.fresh("a", Sort::Bits(u32::from(wide_a))));
                let b = twins.both(|t, _| t.fresh("b", Sort::Bits(u32::from(wide_b))));
                let claim = twins.both(|t, s| {
                    let (a, b) = if s { (a.0, b.0) } else { (a.1, b.1) };
                    t.overflows(op, (a, signed_a), (b, signed_b), dest)
                });
                let variables: Vec<_> = twins.simple.variables().map(|(id, _)| id).collect();
                for assignment in 0..1u128 << (wide_a + wide_b) {
                    let (x, y) = (assignment & mask(u32::from(wide_a)), assignment >> wide_a);
                    let mut model = Model::default();
                    model.set(variables[0], Value::Bits(x));
                    model.set(variables[1], Value::Bits(y));
                    let expected =
                        overflows(op, typed(x, wide_a, signed_a), typed(y, wide_b, signed_b), dest).1;
                    assert_eq!(evaluate(&twins.simple, &model, &[claim.0])[0].bits(), u128::from(expected));
                    twins.assert_equal(claim, &model);
                }
            }
        }
    }
}

/// Whether a float fits an integer type is what its conversion says.
#[test]
fn fitting_is_what_the_conversion_says() {
    let types =
        [1, 3, 8, 16, 64, 128].into_iter().flat_map(|bits| [true, false].map(|signed| (bits, signed)));
    for (bits, signed) in types {
        let dest = IntType { bits, signed };
        let mut terms = Terms::new();
        let half = terms.fresh("h", Sort::Bits(16));
        let fits = terms.float_fits(Format::F16, dest, half);
        let variable = terms.variables().map(|(id, _)| id).next().expect("the half");
        for value in (0..=0xffffu128).filter(|half| half % 7 == 0 || special(*half)) {
            let mut model = Model::default();
            model.set(variable, Value::Bits(value));
            let expected = Float::from_bits(Format::F16, value).to_int(dest).is_ok();
            assert_eq!(
                evaluate(&terms, &model, &[fits])[0].bits(),
                u128::from(expected),
                "{value:x} {dest:?}"
            );
        }
    }
}

/// Ends of wide types, which no small width shows.
#[test]
fn wide_types_have_their_ends() {
    let mut terms = Terms::new();
    let a = terms.fresh("a", Sort::Bits(128));
    let variable = terms.variables().map(|(id, _)| id).next().expect("a");
    let one = terms.constant(128, 1);
    for (signed, last) in [(true, IntType::I128.max() as u128), (false, u128::MAX)] {
        let dest = IntType { bits: 128, signed };
        let claim = terms.overflows(ArithOp::Add, (a, signed), (one, signed), dest);
        for (value, expected) in [(last, 1), (last - 1, 0), (0, 0)] {
            let mut model = Model::default();
            model.set(variable, Value::Bits(value));
            assert_eq!(evaluate(&terms, &model, &[claim])[0], Value::Bits(expected));
        }
        // A comparison of the operand with a constant is left, no sum.
        let made = terms.reachable(&[claim]);
        assert!(!made.iter().any(|&term| matches!(terms.get(term), Term::Exact(..))), "{terms:?}");
    }
}
