// SPDX-License-Identifier: MIT OR Apache-2.0
//! Circuits against the evaluator: every operand at small widths, corner cases and random ones at large widths.

use clew_base::float::{Float, Format, Rounding};
use clew_base::int::IntType;

use super::Blaster;
use super::circuit::Circuit;
use super::gates::Lit;
use crate::term::evaluate::{Model, Value, evaluate};
use crate::term::{BinaryOp, Sort, Term, TermId, Terms, VarId, mask};

/// The circuit of a term over free variables, run 64 operands at a time and compared with its meaning.
pub fn agrees(
    widths: &[u32],
    shape: impl Fn(&mut Terms, &[TermId]) -> TermId,
    samples: impl Iterator<Item = [u128; 3]>,
) {
    let mut terms = Terms::new();
    let operands: Vec<TermId> = widths.iter().map(|&width| terms.fresh("a", Sort::Bits(width))).collect();
    let root = shape(&mut terms, &operands);
    let variables: Vec<VarId> = terms.variables().map(|(id, _)| id).collect();
    let circuit = Circuit::new(&terms, root, &operands);
    let mut samples = samples.peekable();
    while samples.peek().is_some() {
        let batch: Vec<[u128; 3]> = samples.by_ref().take(Circuit::LANES).collect();
        for (sample, output) in batch.iter().zip(circuit.run(&batch)) {
            let mut model = Model::default();
            for ((&variable, &width), &value) in variables.iter().zip(widths).zip(sample) {
                model.set(variable, Value::Bits(value & mask(width)));
            }
            let meaning = evaluate(&terms, &model, &[root])[0].bits();
            assert_eq!(output, meaning, "{terms:?} on {sample:x?}: {output:#x}, not {meaning:#x}");
        }
    }
}

/// Every pair of operands.
pub fn all_pairs(a: u32, b: u32) -> impl Iterator<Item = [u128; 3]> {
    (0..1u128 << a).flat_map(move |x| (0..1u128 << b).map(move |y| [x, y, 0]))
}

/// Random bits, sparse and dense, and values near the ends of the range.
pub fn random_bits(random: &mut fastrand::Rng, width: u32) -> u128 {
    let bits = random.u128(..);
    match random.u8(..6) {
        0 => bits & random.u128(..) & random.u128(..),
        1 => bits | random.u128(..) | random.u128(..),
        2 => bits >> random.u32(..128),
        3 => (bits % 5).wrapping_sub(2),
        4 => (1u128 << (width - 1)).wrapping_add(bits % 5).wrapping_sub(2),
        _ => bits,
    }
}

const OPS: [BinaryOp; 17] = [
    BinaryOp::And,
    BinaryOp::Or,
    BinaryOp::Xor,
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::Udiv,
    BinaryOp::Urem,
    BinaryOp::Sdiv,
    BinaryOp::Srem,
    BinaryOp::Shl,
    BinaryOp::Lshr,
    BinaryOp::Ashr,
    BinaryOp::Eq,
    BinaryOp::Ult,
    BinaryOp::Slt,
    BinaryOp::Concat,
];

fn raw(op: BinaryOp) -> impl Fn(&mut Terms, &[TermId]) -> TermId {
    move |terms, operands| {
        let sort = match op {
            BinaryOp::Eq | BinaryOp::Ult | BinaryOp::Slt => Sort::BOOL,
            BinaryOp::Concat => Sort::Bits(terms.width(operands[0]) + terms.width(operands[1])),
            _ => terms.sort(operands[0]),
        };
        terms.intern(Term::Binary(op, operands[0], operands[1]), sort)
    }
}

#[test]
fn operators_at_small_widths() {
    for op in OPS {
        for width in 1..=5 {
            agrees(&[width, width], raw(op), all_pairs(width, width));
        }
    }
}

#[test]
fn operators_at_large_widths() {
    let mut random = fastrand::Rng::with_seed(1);
    for op in OPS {
        for width in [8, 13, 32, 64, 127, 128] {
            let width = if op == BinaryOp::Concat { width.min(64) } else { width };
            let samples: Vec<_> = (0..640)
                .map(|_| [random_bits(&mut random, width), random_bits(&mut random, width), 0])
                .collect();
            agrees(&[width, width], raw(op), samples.into_iter());
        }
    }
}

#[test]
fn products_with_constants() {
    let mut random = fastrand::Rng::with_seed(2);
    for width in [4, 7] {
        for factor in 0..1u128 << width {
            let mut blaster = Blaster::default();
            let a: Vec<Lit> = (0..width).map(|_| blaster.gates.input()).collect();
            let product = blaster.gates.mul(&a, &super::word::constant(width, factor));
            let inputs: Vec<u64> = (0..width).map(|_| random.u64(..)).collect();
            let outputs = blaster.gates.run(&inputs);
            for lane in 0..64 {
                let bit = |lit: &Lit| u128::from((outputs[lit.gate()] >> lane & 1 == 1) != lit.is_negated());
                let value = |word: &[Lit]| word.iter().rev().fold(0u128, |value, lit| value << 1 | bit(lit));
                assert_eq!(value(&product), value(&a) * factor % (1 << width));
            }
        }
    }
}

/// Random floats: special ones, sparse and dense significands, exponents near each other and at the ends.
pub fn random_float(random: &mut fastrand::Rng, format: Format) -> u128 {
    let special = special_floats(format);
    if random.u8(..5) == 0 {
        return special[random.usize(..special.len())];
    }
    let width = format.bits();
    let bits = random_bits(random, width) & mask(width);
    if random.bool() {
        return bits;
    }
    // An exponent near that of one: such operands meet.
    let field = width - 1 - exponent_bits(format);
    let exponent = (1u128 << (exponent_bits(format) - 1)).wrapping_add(random.u128(..8)).wrapping_sub(5);
    let rest = bits & !(mask(exponent_bits(format)) << field);
    rest | exponent << field | if format == Format::X87 { 1 << 63 } else { 0 }
}

fn exponent_bits(format: Format) -> u32 {
    format.bits() - format.precision() - u32::from(format == Format::X87)
}

/// Zeros, the smallest and largest subnormal and normal values, one and its neighbours, infinities, NaNs, and the
/// 80-bit patterns that contradict themselves; of both signs.
pub fn special_floats(format: Format) -> Vec<u128> {
    let nearest = Rounding::NearestEven;
    let normal = Float::smallest_normal(format, false).to_bits();
    let one = Float::from_int(format, 1, IntType::I32, nearest).0.to_bits();
    let three = Float::from_int(format, 3, IntType::I32, nearest).0.to_bits();
    let largest = Float::largest(format, false).to_bits();
    let infinity = Float::infinity(format, false).to_bits();
    let quiet = Float::nan(format, false, 5).to_bits();
    let signaling = Float::signaling_nan(format, false, 3).to_bits();
    let subnormal = mask(format.precision() - 1);
    let mut all = vec![
        0,
        1,
        2,
        subnormal,
        normal,
        normal + 1,
        one - 1,
        one,
        one + 1,
        three,
        largest - 1,
        largest,
        infinity,
    ];
    all.extend([quiet, signaling, Float::nan(format, false, 0).to_bits()]);
    if format == Format::X87 {
        // A pseudo-denormal, an unnormal, a pseudo-infinity, and `one - 1` is one more unnormal.
        all.extend([1 << 63, 1 << 63 | 5, 1 << 70, 0x7fff << 64, 0x7fff << 64 | 9]);
        all.push(((one >> 64) - 1) << 64 | u128::from(u64::MAX));
    }
    let sign = 1u128 << (format.bits() - 1);
    all.iter().flat_map(|&bits| [bits, bits | sign]).collect()
}
