// SPDX-License-Identifier: MIT OR Apache-2.0
//! Circuits of half precision against the compiler's own software floats, on all operands as far as that is feasible.
//!
//! Operations on one float are tried on all 65,536 of them, in every rounding mode. Operations on two: the special
//! floats with all others, both ways, and a grid of left operands with all right ones. `CLEW_HALF_EVERY` says how far
//! apart the left operands of the grid are (`cargo xtask solvers` says 64; 1 is every pair there is).

use clew_base::float::{Float, Format, Rounding};
use clew_base::int::IntType;
use clew_symbolic::{Circuit, FloatBinary, FloatUnary, Sort, TermId, Terms};
use rustc_apfloat::ieee::{Double, Half, Single};
use rustc_apfloat::{Float as _, FloatConvert, Round};

const ROUNDINGS: [(Rounding, Round); 5] = [
    (Rounding::NearestEven, Round::NearestTiesToEven),
    (Rounding::NearestAway, Round::NearestTiesToAway),
    (Rounding::Up, Round::TowardPositive),
    (Rounding::Down, Round::TowardNegative),
    (Rounding::TowardZero, Round::TowardZero),
];

const ALL: std::ops::Range<u128> = 0..1 << 16;

/// Zeros, the smallest and largest subnormals and normals, one and its neighbours, infinities, NaNs.
const SPECIAL: [u128; 15] =
    [0, 1, 2, 0x3ff, 0x400, 0x401, 0x3bff, 0x3c00, 0x3c01, 0x7bfe, 0x7bff, 0x7c00, 0x7c01, 0x7e00, 0x7fff];

fn circuit<const N: usize>(width: u32, build: impl Fn(&mut Terms, [TermId; N]) -> TermId) -> Circuit {
    let mut terms = Terms::new();
    let operands: [TermId; N] = std::array::from_fn(|_| terms.fresh("a", Sort::Bits(width)));
    let root = build(&mut terms, operands);
    Circuit::new(&terms, root, &operands)
}

/// The circuit on all these operands, against what is expected of each.
fn judge<const N: usize>(
    name: &str,
    circuit: &Circuit,
    operands: impl Iterator<Item = [u128; N]>,
    format: Format,
    expected: impl Fn([u128; N]) -> u128,
) {
    let mut operands = operands.peekable();
    while operands.peek().is_some() {
        let batch: Vec<[u128; N]> = operands.by_ref().take(Circuit::LANES).collect();
        for (given, ours) in batch.iter().zip(circuit.run(&batch)) {
            let theirs = expected(*given);
            let is_nan = |bits| Float::from_bits(format, bits).is_nan();
            assert!(
                ours == theirs || is_nan(ours) && is_nan(theirs),
                "{name} {given:x?}: {ours:#x}, not {theirs:#x}"
            );
        }
    }
}

/// How far apart the left operands of the grid are, if somebody says so.
fn every() -> Option<usize> {
    std::env::var("CLEW_HALF_EVERY").ok().and_then(|text| text.parse().ok()).filter(|every| *every > 0)
}

fn half(bits: u128) -> Half {
    Half::from_bits(bits)
}

fn to<G: rustc_apfloat::Float>(from: Half, round: Round) -> u128
where
    Half: FloatConvert<G>,
{
    let value: G = from.convert_r(round, &mut false).value;
    value.to_bits()
}

/// The square root, by way of double precision: no root of a half lies so near to another half that the first rounding
/// would change the second.
fn root(bits: u128, round: Round) -> u128 {
    let wide = f64::from_bits(to::<Double>(half(bits), Round::NearestTiesToEven) as u64).sqrt();
    let narrow: Half = Double::from_bits(wide.to_bits().into()).convert_r(round, &mut false).value;
    narrow.to_bits()
}

#[test]
fn one_operand() {
    let all = || ALL.map(|bits| [bits]);
    for (rounding, round) in ROUNDINGS {
        let unary = |op| circuit(16, move |t, [a]: [TermId; 1]| t.float_unary(op, Format::F16, rounding, a));
        judge("root", &unary(FloatUnary::Sqrt), all(), Format::F16, |[a]| root(a, round));
        judge("integral", &unary(FloatUnary::Integral), all(), Format::F16, |[a]| {
            half(a).round_to_integral(round).value.to_bits()
        });
        let single =
            circuit(16, |t, [a]: [TermId; 1]| t.float_to_float(Format::F16, Format::F32, rounding, a));
        judge("to single", &single, all(), Format::F32, |[a]| to::<Single>(half(a), round));
        for signed in [false, true] {
            let from = circuit(16, |t, [a]: [TermId; 1]| t.int_to_float(Format::F16, signed, rounding, a));
            judge("of an integer", &from, all(), Format::F16, |[a]| {
                let number = if signed { i128::from(a as u16 as i16) } else { a as i128 };
                Half::from_i128_r(number, round).value.to_bits()
            });
        }
    }
    for bits in [8, 16, 32] {
        let ty = IntType::signed(bits);
        let value = circuit(16, |t, [a]: [TermId; 1]| t.float_to_int(Format::F16, ty, a));
        let integer = |a| {
            let theirs = half(a).to_i128_r(usize::from(bits), Round::TowardZero, &mut false);
            let valid = !theirs.status.contains(rustc_apfloat::Status::INVALID_OP);
            if valid { ty.to_bits(theirs.value) } else { 0 }
        };
        // Any format will do that has no NaN among these numbers.
        judge("to an integer", &value, all(), Format::F128, |[a]| integer(a));
    }
}

type Theirs = fn(Half, Half, Round) -> Half;

const BINARY: [(FloatBinary, Theirs); 5] = [
    (FloatBinary::Add, |a, b, round| a.add_r(b, round).value),
    (FloatBinary::Sub, |a, b, round| a.sub_r(b, round).value),
    (FloatBinary::Mul, |a, b, round| a.mul_r(b, round).value),
    (FloatBinary::Div, |a, b, round| a.div_r(b, round).value),
    (FloatBinary::Rem, |a, b, _| a.c_fmod(b).value),
];

#[test]
fn two_operands() {
    let signs = SPECIAL.iter().flat_map(|bits| [*bits, bits | 0x8000]);
    // Unless more is asked for, as much as a quick test takes.
    let special: Vec<u128> = signs.step_by(if every().is_some() { 1 } else { 7 }).collect();
    for (op, theirs) in BINARY {
        for (rounding, round) in ROUNDINGS {
            if op == FloatBinary::Rem && rounding != Rounding::NearestEven {
                continue;
            }
            let build = |t: &mut Terms, [a, b]: [TermId; 2]| t.float_binary(op, Format::F16, rounding, a, b);
            let circuit = circuit(16, build);
            let expected = |[a, b]: [u128; 2]| theirs(half(a), half(b), round).to_bits();
            let name = format!("{op:?} {rounding:?}");
            let pairs = special.iter().flat_map(|&a| ALL.flat_map(move |b| [[a, b], [b, a]]));
            judge(&name, &circuit, pairs, Format::F16, expected);
            if rounding == Rounding::NearestEven {
                let left = ALL.step_by(every().unwrap_or(8191));
                let grid = left.flat_map(|a| ALL.map(move |b| [a, b]));
                judge(&name, &circuit, grid, Format::F16, expected);
            }
        }
    }
}
