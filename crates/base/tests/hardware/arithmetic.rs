// SPDX-License-Identifier: MIT OR Apache-2.0
//! Our arithmetic against the machine's: results bit for bit, and exception flags.
//!
//! binary32 and binary64 run on SSE, 80-bit floats on the x87, binary128 in libgcc's software.

use std::cmp::Ordering;

use clew_base::float::{Flags, Float, Format, Rounding};
use clew_base::int::IntType;
use clew_hostmath::arith::{self, Comparison, Op};

use crate::random::Random;

fn operations() -> u64 {
    let default = if cfg!(debug_assertions) { 200_000 } else { 1_000_000 };
    std::env::var("CLEW_HARDWARE_OPS").ok().and_then(|count| count.parse().ok()).unwrap_or(default)
}

/// Whether this is an 80-bit pattern whose integer bit contradicts its exponent. The x87 has rules for them;
/// software (libgcc's conversion to binary128, glibc's `fmal`) misreads them, so it is no referee there.
fn is_contradictory(a: Float) -> bool {
    let normal_exponent = a.to_bits() >> 64 & 0x7fff != 0;
    a.format() == Format::X87 && normal_exponent != (a.to_bits() >> 63 & 1 == 1)
}

/// The flags hardware has.
fn visible(flags: Flags) -> Flags {
    flags.without(Flags::TINY)
}

const ROUNDINGS: [Rounding; 6] = [
    // To nearest thrice, since it has code of its own and is what programs use.
    Rounding::NearestEven,
    Rounding::NearestEven,
    Rounding::NearestEven,
    Rounding::Up,
    Rounding::Down,
    Rounding::TowardZero,
];

fn ours(op: Op, a: Float, b: Float, c: Float, rounding: Rounding) -> (Float, Flags) {
    match op {
        Op::Add => a.add(b, rounding),
        Op::Sub => a.sub(b, rounding),
        Op::Mul => a.mul(b, rounding),
        Op::Div => a.div(b, rounding),
        Op::Sqrt => a.sqrt(rounding),
        Op::Fma => a.fma(b, c, rounding),
    }
}

fn has_fma() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("fma");
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}

fn check_arithmetic(format: Format, seed: u64, ops: &[Op]) {
    let mut random = Random::new(seed);
    for _ in 0..operations() {
        let op = ops[random.below(ops.len() as u64) as usize];
        let rounding = ROUNDINGS[random.below(6) as usize];
        let a = random.float(format);
        let b = random.partner(a);
        let c = if op == Op::Fma && random.below(2) == 0 {
            // Close to minus the product, where the cancellation is.
            let near = -a.mul(b, Rounding::NearestEven).0;
            random.partner(near)
        } else {
            random.partner(b)
        };
        if op == Op::Fma && [a, b, c].into_iter().any(is_contradictory) {
            continue;
        }
        let Some((value, flags)) = arith::arith(op, a, b, c, rounding) else { continue };
        let (our_value, our_flags) = ours(op, a, b, c, rounding);
        if op == Op::Fma && value.is_nan() && !has_fma() {
            // Without the instruction, glibc's software picks another of several NaNs.
            continue;
        }
        assert_eq!(
            (our_value, visible(our_flags)),
            (value, flags),
            "{op:?} {rounding:?} of {a:?} {b:?} {c:?}: ours left, the machine's right"
        );
    }
}

const BASIC: [Op; 5] = [Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Sqrt];

#[test]
fn float_arithmetic() {
    check_arithmetic(Format::F32, 1, &BASIC);
}

#[test]
fn double_arithmetic() {
    check_arithmetic(Format::F64, 2, &BASIC);
}

#[test]
fn long_double_arithmetic() {
    check_arithmetic(Format::X87, 3, &BASIC);
}

#[test]
fn binary128_arithmetic() {
    check_arithmetic(Format::F128, 4, &BASIC);
}

#[test]
fn fused_multiply_add() {
    check_arithmetic(Format::F32, 5, &[Op::Fma]);
    check_arithmetic(Format::F64, 6, &[Op::Fma]);
    check_arithmetic(Format::X87, 11, &[Op::Fma]);
    check_arithmetic(Format::F128, 12, &[Op::Fma]);
}

const FORMATS: [Format; 4] = [Format::F32, Format::F64, Format::X87, Format::F128];

#[test]
fn conversions_between_formats() {
    let mut random = Random::new(7);
    for _ in 0..operations() {
        let (from, to) = (FORMATS[random.below(4) as usize], FORMATS[random.below(4) as usize]);
        let rounding = ROUNDINGS[random.below(6) as usize];
        let mut a = random.float(from);
        if random.below(2) == 0 {
            // From a value of the target format, so that many are near its borders.
            let near = random.float(to).convert(from, Rounding::NearestEven).0;
            a = random.partner(near);
        }
        if to == Format::F128 && is_contradictory(a) {
            continue;
        }
        let Some((value, flags)) = arith::convert(a, to, rounding) else { continue };
        let (our_value, our_flags) = a.convert(to, rounding);
        assert_eq!((our_value, visible(our_flags)), (value, flags), "{a:?} to {to:?} {rounding:?}");
    }
}

const INTEGERS: [IntType; 10] = [
    IntType::I8,
    IntType::U8,
    IntType::I16,
    IntType::U16,
    IntType::I32,
    IntType::U32,
    IntType::I64,
    IntType::U64,
    IntType::I128,
    IntType::U128,
];

#[test]
fn conversions_from_integers() {
    let mut random = Random::new(8);
    for _ in 0..operations() {
        let to = FORMATS[random.below(4) as usize];
        let ty = INTEGERS[random.below(10) as usize];
        let value = ty.wrap(random.integer());
        // libgcc converts 128-bit integers in steps that other rounding modes disturb.
        let rounding =
            if ty.bits == 128 { Rounding::NearestEven } else { ROUNDINGS[random.below(6) as usize] };
        let Some((theirs, flags)) = arith::from_int(value, ty, to, rounding) else { continue };
        let (our_value, our_flags) = Float::from_int(to, value, ty, rounding);
        assert_eq!((our_value, visible(our_flags)), (theirs, flags), "{value} {ty} to {to:?} {rounding:?}");
    }
}

#[test]
fn conversions_to_integers() {
    let mut random = Random::new(9);
    for _ in 0..operations() {
        let from = FORMATS[random.below(4) as usize];
        let ty = INTEGERS[random.below(10) as usize];
        let mut a = random.float(from);
        if random.below(4) != 0 {
            let near = Float::from_int(from, random.integer(), IntType::I128, Rounding::NearestEven).0;
            a = random.partner(near);
        }
        let Some((value, flags)) = arith::to_int(a, ty) else { continue };
        let (our_value, our_flags) = a.to_int_x86(ty);
        assert_eq!((our_value, visible(our_flags)), (value, flags), "{a:?} ({:e}) to {ty}", a.to_f64());
        if let Ok(defined) = a.to_int(ty) {
            assert_eq!(defined, value, "{a:?} to {ty}");
        }
    }
}

#[test]
fn comparisons() {
    let mut random = Random::new(10);
    for _ in 0..operations() {
        let format = FORMATS[random.below(4) as usize];
        let a = random.float(format);
        let b = random.partner(a);
        if let Some((less, flags)) = arith::compare(Comparison::Less, a, b) {
            let (order, our_flags) = a.compare_ordered(b);
            assert_eq!((order == Some(Ordering::Less), our_flags), (less, flags), "{a:?} < {b:?}");
        }
        if let Some((equal, flags)) = arith::compare(Comparison::Equal, a, b) {
            let (order, our_flags) = a.compare_quiet(b);
            assert_eq!((order == Some(Ordering::Equal), our_flags), (equal, flags), "{a:?} == {b:?}");
        }
    }
}
