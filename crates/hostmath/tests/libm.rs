// SPDX-License-Identifier: MIT OR Apache-2.0
//! The table of functions: every entry calls what its name says, with the right arguments.

use clew_base::float::{Flags, Float, Format, Rounding};
use clew_hostmath::arith;
use clew_hostmath::libm::{Arguments, Function, Outcome, Shape};

const EDOM: i32 = 33;
const ERANGE: i32 = 34;

fn function(name: &str) -> Function {
    Function::named(name).unwrap_or_else(|| panic!("{name} is not in the table"))
}

fn call(name: &str, arguments: Arguments) -> Outcome {
    function(name).call(&arguments).unwrap_or_else(|| panic!("the host lacks {name}"))
}

fn f64(value: f64) -> Float {
    Float::from_f64(value)
}

fn long_double(value: f64) -> Float {
    f64(value).convert(Format::X87, Rounding::NearestEven).0
}

#[test]
fn every_function_exists_in_every_format() {
    for name in "acos asin atan atan2 cos sin tan acosh asinh atanh cosh sinh tanh exp exp2 exp10 expm1 log log10 \
        log2 log1p logb pow sqrt cbrt hypot erf erfc tgamma lgamma j0 j1 jn y0 y1 yn ceil floor trunc round \
        roundeven rint nearbyint lrint llrint lround llround fmod remainder remquo fdim fmax fmin fma frexp ldexp \
        scalbn scalbln modf ilogb nextafter nexttoward copysign fabs sincos"
        .split_whitespace()
    {
        for (suffix, format) in [("f", Format::F32), ("", Format::F64), ("l", Format::X87)] {
            let (function, found) = Function::from_c_name(&format!("{name}{suffix}")).unwrap();
            assert_eq!(found, format, "{name}{suffix}");
            let half = f64(0.5).convert(format, Rounding::NearestEven).0;
            let arguments = Arguments { x: half, y: half, z: half, n: 2 };
            assert!(function.call(&arguments).is_some(), "{name}{suffix}");
        }
    }
}

#[test]
fn shapes() {
    assert_eq!(call("sin", Arguments::unary(f64(0.5))).value.to_f64(), 0.5f64.sin());
    assert_eq!(call("atan2", Arguments::binary(f64(1.0), f64(-2.0))).value.to_f64(), 1f64.atan2(-2.0));
    assert_eq!(call("ldexp", Arguments::with_int(f64(3.0), -2)).value.to_f64(), 0.75);
    assert_eq!(call("jn", Arguments::with_int(f64(0.0), 0)).value.to_f64(), 1.0);
    let fma = Arguments { x: f64(2.0), y: f64(3.0), z: f64(-6.5), n: 0 };
    assert_eq!(call("fma", fma).value.to_f64(), -0.5);
    assert_eq!(call("lrint", Arguments::unary(f64(-2.5))).integer, -2);
    assert_eq!(call("lround", Arguments::unary(f64(-2.5))).integer, -3);
    let frexp = call("frexp", Arguments::unary(f64(12.0)));
    assert_eq!((frexp.value.to_f64(), frexp.integer), (0.75, 4));
    let modf = call("modf", Arguments::unary(f64(-3.25)));
    assert_eq!((modf.value.to_f64(), modf.second.to_f64()), (-0.25, -3.0));
    let sincos = call("sincos", Arguments::unary(f64(1.25)));
    assert_eq!((sincos.value.to_f64(), sincos.second.to_f64()), (1.25f64.sin(), 1.25f64.cos()));
    let remquo = call("remquo", Arguments::binary(f64(7.0), f64(2.0)));
    assert_eq!((remquo.value.to_f64(), remquo.integer), (-1.0, 4));
    let lgamma = call("lgamma", Arguments::unary(f64(-0.5)));
    assert_eq!(lgamma.integer, -1);
    let next = call("nexttoward", Arguments { y: long_double(2.0), ..Arguments::unary(f64(1.0)) });
    assert_eq!(next.value.to_f64(), 1.0 + f64::EPSILON);
    assert_eq!(function("remquo").shape(), Shape::BinaryIntOut);
    assert!(Function::named("strlen").is_none());
}

#[test]
fn exceptions_and_errno_are_reported_and_do_not_stay() {
    let logarithm = call("log", Arguments::unary(f64(0.0)));
    assert_eq!((logarithm.value, logarithm.errno), (Float::infinity(Format::F64, true), ERANGE));
    assert_eq!(logarithm.flags, Flags::DIV_BY_ZERO);
    let root = call("sqrt", Arguments::unary(f64(-1.0)));
    assert_eq!((root.flags, root.errno), (Flags::INVALID, EDOM));
    let exponential = call("exp", Arguments::unary(f64(1000.0)));
    assert!(exponential.flags.contains(Flags::OVERFLOW));
    assert_eq!(exponential.errno, ERANGE);
    let harmless = call("fabs", Arguments::unary(f64(-1.0)));
    assert_eq!((harmless.flags, harmless.errno), (Flags::NONE, 0));
}

#[test]
fn payloads_and_long_doubles_survive() {
    let nan = Float::nan(Format::F64, true, 0x1234);
    assert_eq!(
        call("copysign", Arguments::binary(nan, f64(1.0))).value,
        Float::nan(Format::F64, false, 0x1234)
    );
    let third = long_double(1.0).div(long_double(3.0), Rounding::NearestEven).0;
    assert_eq!(call("fabs", Arguments::unary(-third)).value, third);
}

/// `fmod` is exact and has one right answer; ours has no other referee for long operands.
#[test]
fn our_fmod_is_the_hosts() {
    let mut state = 1u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u128::from(state >> 16) << 40 ^ u128::from(state)
    };
    for round in 0..60_000 {
        let format = [Format::F32, Format::F64, Format::X87][round % 3];
        let [a, b] = [random(), random()].map(|bits| {
            let integer_bit = if format == Format::X87 { 1 << 63 } else { 0 };
            Float::from_bits(format, bits | integer_bit)
        });
        if a.is_nan() || b.is_nan() {
            continue;
        }
        let theirs = call("fmod", Arguments::binary(a, b));
        assert_eq!(a.fmod(b).0, theirs.value, "{a:?} {b:?}");
    }
}

#[test]
fn directed_rounding_does_not_leak() {
    let (one, three) = (f64(1.0), f64(3.0));
    let up = arith::arith(arith::Op::Div, one, three, one, Rounding::Up).unwrap();
    let nearest = arith::arith(arith::Op::Div, one, three, one, Rounding::NearestEven).unwrap();
    assert!(up.0.to_f64() > nearest.0.to_f64());
    assert_eq!(std::hint::black_box(1.0) / std::hint::black_box(3.0), nearest.0.to_f64());
}
