// SPDX-License-Identifier: MIT OR Apache-2.0
//! Circuits of floats against the compiler's own software floats, which share no code with us.
//!
//! All pairs of special operands, then random ones: 20,000 for each operation and format, or as many as
//! `CLEW_FLOAT_OPS` says (`cargo xtask solvers` asks for a million). NaNs are compared as NaNs; which one it is, the
//! unit tests compare with `clew_base`. `rustc_apfloat` has no square root; the host's referees that one.

use clew_base::float::{Float, Format, Rounding};
use clew_base::int::IntType;
use clew_symbolic::{Circuit, FloatBinary, FloatUnary, Sort, TermId, Terms};
use rustc_apfloat::ieee::{Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{FloatConvert, Round};

const ROUNDINGS: [(Rounding, Round); 5] = [
    (Rounding::NearestEven, Round::NearestTiesToEven),
    (Rounding::NearestAway, Round::NearestTiesToAway),
    (Rounding::Up, Round::TowardPositive),
    (Rounding::Down, Round::TowardNegative),
    (Rounding::TowardZero, Round::TowardZero),
];

fn operations() -> usize {
    std::env::var("CLEW_FLOAT_OPS").ok().and_then(|text| text.parse().ok()).unwrap_or(20_000)
}

/// The circuit of a term over some operands of a format.
fn circuit(widths: &[u32], build: impl Fn(&mut Terms, &[TermId]) -> TermId) -> Circuit {
    let mut terms = Terms::new();
    let operands: Vec<TermId> = widths.iter().map(|&width| terms.fresh("a", Sort::Bits(width))).collect();
    let root = build(&mut terms, &operands);
    Circuit::new(&terms, root, &operands)
}

fn special(format: Format) -> Vec<u128> {
    let one = Float::from_int(format, 1, IntType::I32, Rounding::NearestEven).0.to_bits();
    let normal = Float::smallest_normal(format, false).to_bits();
    let subnormal = (1 << (format.precision() - 1)) - 1;
    let largest = Float::largest(format, false).to_bits();
    let positive = [
        0,
        1,
        2,
        subnormal,
        normal,
        normal + 1,
        one,
        one + 1,
        largest - 1,
        largest,
        Float::infinity(format, false).to_bits(),
    ];
    let nan = Float::nan(format, false, 1).to_bits();
    let sign = 1u128 << (format.bits() - 1);
    positive.iter().chain([&nan]).flat_map(|&bits| [bits, bits | sign]).collect()
}

/// A float, never one of the 80-bit patterns that contradict themselves.
fn random(source: &mut fastrand::Rng, format: Format) -> u128 {
    let bits = source.u128(..);
    let bits = match source.u8(..4) {
        0 => bits & source.u128(..) & source.u128(..),
        1 => bits | source.u128(..) | source.u128(..),
        _ => bits,
    };
    let field = format.precision() - u32::from(format != Format::X87);
    let exponent_bits = format.bits() - 1 - field;
    let mut bits = bits & (u128::MAX >> (128 - format.bits()));
    if source.bool() {
        // Near one, so that operands meet.
        let exponent = (1u128 << (exponent_bits - 1)) + source.u128(..8) - 5;
        bits = bits & !(((1 << exponent_bits) - 1) << field) | exponent << field;
    }
    if format == Format::X87 {
        let subnormal = bits >> 64 & 0x7fff == 0;
        bits = bits & !(1 << 63) | u128::from(!subnormal) << 63;
    }
    bits
}

/// Special operands with one another, then random ones, in batches for a circuit.
fn batches<const N: usize>(format: Format, seed: u64) -> Vec<Vec<[u128; N]>> {
    let special = special(format);
    let mut source = fastrand::Rng::with_seed(seed);
    let pairs = special.len() * special.len();
    let mut all: Vec<[u128; N]> = (0..if N == 1 { special.len() } else { pairs })
        .map(|at| {
            std::array::from_fn(|operand| match operand {
                0 => special[at % special.len()],
                1 => special[at / special.len()],
                _ => special[source.usize(..special.len())],
            })
        })
        .collect();
    // Spread over the rounding modes.
    let random =
        (0..operations() / ROUNDINGS.len()).map(|_| std::array::from_fn(|_| random(&mut source, format)));
    all.extend(random);
    all.chunks(Circuit::LANES).map(<[_]>::to_vec).collect()
}

fn same(format: Format, ours: u128, theirs: u128, context: &dyn Fn() -> String) {
    let (ours, theirs) = (Float::from_bits(format, ours), Float::from_bits(format, theirs));
    assert!(ours == theirs || ours.is_nan() && theirs.is_nan(), "{ours:?}, not {theirs:?}: {}", context());
}

fn arithmetic<F: rustc_apfloat::Float>(format: Format) {
    let width = format.bits();
    for (rounding, round) in ROUNDINGS {
        type Theirs<F> = fn(F, F, Round) -> F;
        let rows: [(FloatBinary, Theirs<F>); 4] = [
            (FloatBinary::Add, |a, b, round| a.add_r(b, round).value),
            (FloatBinary::Sub, |a, b, round| a.sub_r(b, round).value),
            (FloatBinary::Mul, |a, b, round| a.mul_r(b, round).value),
            (FloatBinary::Div, |a, b, round| a.div_r(b, round).value),
        ];
        for (op, theirs) in rows {
            let circuit = circuit(&[width; 2], |t, x| t.float_binary(op, format, rounding, x[0], x[1]));
            for batch in batches::<2>(format, op as u64) {
                for (&[a, b], ours) in batch.iter().zip(circuit.run(&batch)) {
                    let expected = theirs(F::from_bits(a), F::from_bits(b), round).to_bits();
                    same(format, ours, expected, &|| format!("{op:?} of {a:#x} {b:#x} {rounding:?}"));
                }
            }
        }
        let fused = circuit(&[width; 3], |t, x| t.fma(format, rounding, x[0], x[1], x[2]));
        for batch in batches::<3>(format, 5) {
            for (&[a, b, c], ours) in batch.iter().zip(fused.run(&batch)) {
                let expected =
                    F::from_bits(a).mul_add_r(F::from_bits(b), F::from_bits(c), round).value.to_bits();
                same(format, ours, expected, &|| format!("fma of {a:#x} {b:#x} {c:#x} {rounding:?}"));
            }
        }
        conversions::<F>(format, rounding, round);
    }
}

fn conversions<F: rustc_apfloat::Float>(format: Format, rounding: Rounding, round: Round) {
    for bits in [8, 32, 64, 128] {
        let ints = circuit(&[bits], |t, x| t.int_to_float(format, true, rounding, x[0]));
        let mut source = fastrand::Rng::with_seed(7);
        for _ in 0..operations() / 5 / Circuit::LANES + 1 {
            let batch: Vec<[u128; 1]> =
                (0..Circuit::LANES).map(|_| [source.u128(..) >> source.u32(128 - bits..128)]).collect();
            for (&[a], ours) in batch.iter().zip(ints.run(&batch)) {
                let number = IntType::signed(bits as u16).wrap(a as i128);
                let expected = F::from_i128_r(number, round).value.to_bits();
                same(format, ours, expected, &|| format!("float of {number} {rounding:?}"));
            }
        }
        if rounding == Rounding::TowardZero {
            let ty = IntType::signed(bits as u16);
            let value = circuit(&[format.bits()], |t, x| t.float_to_int(format, ty, x[0]));
            let fits = circuit(&[format.bits()], |t, x| t.float_fits(format, ty, x[0]));
            for batch in batches::<1>(format, 8) {
                let results = value.run(&batch).into_iter().zip(fits.run(&batch));
                for (&[a], (ours, fits)) in batch.iter().zip(results) {
                    let theirs = F::from_bits(a).to_i128_r(bits as usize, round, &mut false);
                    let valid = !theirs.status.contains(rustc_apfloat::Status::INVALID_OP);
                    let expected = if valid { ty.to_bits(theirs.value) } else { 0 };
                    assert_eq!((ours, fits == 1), (expected, valid), "integer of {a:#x}, {bits} bits");
                }
            }
        }
    }
}

fn converts<F: FloatConvert<G>, G: rustc_apfloat::Float>(from: Format, to: Format) {
    for (rounding, round) in ROUNDINGS {
        let circuit = circuit(&[from.bits()], |t, x| t.float_to_float(from, to, rounding, x[0]));
        for batch in batches::<1>(from, 9) {
            for (&[a], ours) in batch.iter().zip(circuit.run(&batch)) {
                let theirs: G = F::from_bits(a).convert_r(round, &mut false).value;
                same(to, ours, theirs.to_bits(), &|| format!("{from:?} {a:#x} to {to:?} {rounding:?}"));
            }
        }
    }
}

fn remainders<F: rustc_apfloat::Float>(format: Format) {
    let circuit = circuit(&[format.bits(); 2], |t, x| {
        t.float_binary(FloatBinary::Rem, format, Rounding::NearestEven, x[0], x[1])
    });
    // The largest circuits, and their software takes a step for each difference of exponents.
    let (few, all) = (operations() / 100 / Circuit::LANES + 1, batches::<2>(format, 10));
    let batches = all.iter().take(9).chain(all.iter().skip(9).take(few));
    for batch in batches {
        for (&[a, b], ours) in batch.iter().zip(circuit.run(batch)) {
            let expected = F::from_bits(a).c_fmod(F::from_bits(b)).value.to_bits();
            same(format, ours, expected, &|| format!("fmod of {a:#x} {b:#x}"));
        }
    }
}

#[test]
fn half() {
    arithmetic::<Half>(Format::F16);
    converts::<Half, Single>(Format::F16, Format::F32);
    remainders::<Half>(Format::F16);
}

#[test]
fn single() {
    arithmetic::<Single>(Format::F32);
    converts::<Single, Half>(Format::F32, Format::F16);
    converts::<Single, Double>(Format::F32, Format::F64);
    remainders::<Single>(Format::F32);
}

#[test]
fn double() {
    arithmetic::<Double>(Format::F64);
    converts::<Double, Single>(Format::F64, Format::F32);
    converts::<Double, X87DoubleExtended>(Format::F64, Format::X87);
    remainders::<Double>(Format::F64);
}

#[test]
fn extended() {
    arithmetic::<X87DoubleExtended>(Format::X87);
    converts::<X87DoubleExtended, Double>(Format::X87, Format::F64);
    converts::<X87DoubleExtended, Quad>(Format::X87, Format::F128);
}

#[test]
fn quad() {
    arithmetic::<Quad>(Format::F128);
    converts::<Quad, Single>(Format::F128, Format::F32);
}

#[test]
fn roots() {
    let nearest = Rounding::NearestEven;
    let single = circuit(&[32], |t, x| t.float_unary(FloatUnary::Sqrt, Format::F32, nearest, x[0]));
    for batch in batches::<1>(Format::F32, 11) {
        for (&[a], ours) in batch.iter().zip(single.run(&batch)) {
            let expected = f32::from_bits(a as u32).sqrt().to_bits();
            same(Format::F32, ours, expected.into(), &|| format!("root of {a:#x}"));
        }
    }
    let double = circuit(&[64], |t, x| t.float_unary(FloatUnary::Sqrt, Format::F64, nearest, x[0]));
    for batch in batches::<1>(Format::F64, 12) {
        for (&[a], ours) in batch.iter().zip(double.run(&batch)) {
            let expected = f64::from_bits(a as u64).sqrt().to_bits();
            same(Format::F64, ours, expected.into(), &|| format!("root of {a:#x}"));
        }
    }
}
