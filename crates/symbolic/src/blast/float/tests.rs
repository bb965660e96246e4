// SPDX-License-Identifier: MIT OR Apache-2.0
//! Circuits of floats against `clew_base`: all special operands with one another, and random ones; every value of
//! the 16-bit format where one operand is all there is.

use clew_base::float::{Format, Rounding};
use clew_base::int::IntType;

use crate::blast::tests::{agrees, random_float, special_floats};
use crate::term::{FloatBinary, FloatRelation, FloatUnary, Sort, Term, TermId, Terms};

pub const FORMATS: [Format; 5] = [Format::F16, Format::F32, Format::F64, Format::X87, Format::F128];
pub const ROUNDINGS: [Rounding; 5] =
    [Rounding::NearestEven, Rounding::NearestAway, Rounding::Up, Rounding::Down, Rounding::TowardZero];

/// All special operands with one another, then random ones.
fn operands(format: Format, count: usize, random: usize) -> Vec<[u128; 3]> {
    let special = special_floats(format);
    let mut all: Vec<[u128; 3]> = Vec::new();
    for &a in &special {
        for &b in if count > 1 { &special[..] } else { &special[..1] } {
            let third = if count > 2 { &special[..] } else { &special[..1] };
            all.extend(third.iter().map(|&c| [a, b, c]));
        }
    }
    let mut source = fastrand::Rng::with_seed(u64::from(format.bits()));
    let mut one = || random_float(&mut source, format);
    all.extend((0..random).map(|_| [one(), one(), one()]));
    all
}

fn each(formats: &[Format], check: impl Fn(Format, Rounding)) {
    for &format in formats {
        for rounding in ROUNDINGS {
            check(format, rounding);
        }
    }
}

fn binary(op: FloatBinary, format: Format, rounding: Rounding, random: usize) {
    let width = format.bits();
    let shape = |terms: &mut Terms, x: &[TermId]| {
        terms.intern(Term::FloatBinary(op, format, rounding, x[0], x[1]), Sort::Bits(width))
    };
    agrees(&[width, width], shape, operands(format, 2, random).into_iter());
}

#[test]
fn sums() {
    each(&FORMATS, |format, rounding| binary(FloatBinary::Add, format, rounding, 4000));
    each(&FORMATS, |format, rounding| binary(FloatBinary::Sub, format, rounding, 1000));
}

#[test]
fn products() {
    each(&FORMATS, |format, rounding| binary(FloatBinary::Mul, format, rounding, 2000));
}

#[test]
fn quotients() {
    each(&FORMATS, |format, rounding| binary(FloatBinary::Div, format, rounding, 2000));
}

#[test]
fn remainders() {
    for (format, random) in [
        (Format::F16, 5000),
        (Format::F32, 5000),
        (Format::F64, 1000),
        (Format::X87, 200),
        (Format::F128, 100),
    ] {
        binary(FloatBinary::Rem, format, Rounding::NearestEven, random);
    }
}

#[test]
fn fused_products() {
    let check = |format: Format, rounding, random| {
        let width = format.bits();
        let shape = |terms: &mut Terms, x: &[TermId]| {
            terms.intern(Term::Fma(format, rounding, x[0], x[1], x[2]), Sort::Bits(width))
        };
        agrees(&[width; 3], shape, operands(format, 3, random).into_iter());
    };
    each(&[Format::F16, Format::F32], |format, rounding| check(format, rounding, 4000));
    for format in [Format::F64, Format::X87, Format::F128] {
        check(format, Rounding::NearestEven, 1000);
    }
}

fn unary(op: FloatUnary, format: Format, rounding: Rounding, samples: Vec<[u128; 3]>) {
    let width = format.bits();
    let shape = |terms: &mut Terms, x: &[TermId]| {
        terms.intern(Term::FloatUnary(op, format, rounding, x[0]), Sort::Bits(width))
    };
    agrees(&[width], shape, samples.into_iter());
}

fn every_half() -> Vec<[u128; 3]> {
    (0..1 << 16).map(|bits| [bits, 0, 0]).collect()
}

#[test]
fn roots_and_integral_values() {
    for op in [FloatUnary::Sqrt, FloatUnary::Integral] {
        each(&FORMATS[1..], |format, rounding| unary(op, format, rounding, operands(format, 1, 1000)));
        each(&[Format::F16], |format, rounding| unary(op, format, rounding, every_half()));
    }
}

#[test]
fn comparisons() {
    for format in FORMATS {
        for relation in [FloatRelation::Eq, FloatRelation::Lt, FloatRelation::Le] {
            let width = format.bits();
            let shape = |terms: &mut Terms, x: &[TermId]| {
                terms.intern(Term::FloatCompare(relation, format, x[0], x[1]), Sort::BOOL)
            };
            agrees(&[width, width], shape, operands(format, 2, 3000).into_iter());
        }
    }
}

#[test]
fn conversions_between_formats() {
    for from in FORMATS {
        for to in FORMATS.into_iter().filter(|&to| to != from) {
            for rounding in ROUNDINGS {
                let shape = |terms: &mut Terms, x: &[TermId]| {
                    let term = Term::FloatToFloat { from, to, rounding, of: x[0] };
                    terms.intern(term, Sort::Bits(to.bits()))
                };
                let samples = if from == Format::F16 && rounding == Rounding::NearestEven {
                    every_half()
                } else {
                    operands(from, 1, 1000)
                };
                agrees(&[from.bits()], shape, samples.into_iter());
            }
        }
    }
}

const WIDTHS: [u16; 7] = [1, 3, 8, 16, 32, 64, 128];

#[test]
fn conversions_to_integers() {
    for from in FORMATS {
        for dest in WIDTHS.iter().flat_map(|&bits| [IntType::signed(bits), IntType::unsigned(bits)]) {
            let samples = if from == Format::F16 { every_half() } else { near_powers(from, dest) };
            let value = |terms: &mut Terms, x: &[TermId]| {
                let term = Term::FloatToInt { from, signed: dest.signed, of: x[0] };
                terms.intern(term, Sort::Bits(u32::from(dest.bits)))
            };
            agrees(&[from.bits()], value, samples.into_iter());
        }
    }
}

/// Special and random floats, and floats just around the ends of an integer type.
fn near_powers(format: Format, ty: IntType) -> Vec<[u128; 3]> {
    use clew_base::float::Float;
    let mut all = operands(format, 1, 500);
    let ends = [ty.min(), ty.max(), ty.max() / 2, 0, 1, -1];
    for end in ends {
        for rounding in ROUNDINGS {
            let ty = if ty == IntType::U128 && end == ty.max() { ty } else { IntType::I128 };
            let bits = Float::from_int(format, end, ty, rounding).0.to_bits();
            all.extend((0..5u128).map(|step| [bits.wrapping_add(step).wrapping_sub(2), 0, 0]));
        }
    }
    all
}

#[test]
fn conversions_from_integers() {
    let mut random = fastrand::Rng::with_seed(3);
    for to in FORMATS {
        for bits in WIDTHS {
            for signed in [false, true] {
                for rounding in ROUNDINGS {
                    let shape = |terms: &mut Terms, x: &[TermId]| {
                        let term = Term::IntToFloat { to, signed, rounding, of: x[0] };
                        terms.intern(term, Sort::Bits(to.bits()))
                    };
                    let width = u32::from(bits);
                    let samples: Vec<_> = (0..256)
                        .map(|_| [crate::blast::tests::random_bits(&mut random, width), 0, 0])
                        .collect();
                    agrees(&[width], shape, samples.into_iter());
                }
            }
        }
    }
}
