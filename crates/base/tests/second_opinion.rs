// SPDX-License-Identifier: MIT OR Apache-2.0
//! Against the compiler's own software floats, for what no hardware here can referee: binary16, and rounding to
//! nearest with ties away from zero.

use clew_base::float::{Flags, Float, Format, Rounding};
use proptest::prelude::*;
use rustc_apfloat::ieee::{Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float as _, FloatConvert, Round, Status, StatusAnd};

fn their_rounding(rounding: Rounding) -> Round {
    match rounding {
        Rounding::NearestEven => Round::NearestTiesToEven,
        Rounding::NearestAway => Round::NearestTiesToAway,
        Rounding::Up => Round::TowardPositive,
        Rounding::Down => Round::TowardNegative,
        Rounding::TowardZero => Round::TowardZero,
    }
}

/// The flags both sides define alike. Underflow is left out, since the two detect tininess at different moments,
/// and overflow, which they do not raise when the largest finite value is the result; the hardware referees both.
fn flags(status: Status) -> Flags {
    let known = [
        (Status::INVALID_OP, Flags::INVALID),
        (Status::DIV_BY_ZERO, Flags::DIV_BY_ZERO),
        (Status::INEXACT, Flags::INEXACT),
    ];
    known.iter().filter(|(s, _)| status.contains(*s)).fold(Flags::NONE, |all, (_, flag)| all | *flag)
}

fn check<F: rustc_apfloat::Float>(
    format: Format,
    raw: [u128; 3],
    rounding: Rounding,
) -> Result<(), TestCaseError> {
    let [a, b, c] = raw.map(|bits| Float::from_bits(format, bits));
    // Patterns that contradict themselves, and NaNs, have other referees.
    let odd = |x: Float| x.is_nan() || (format == Format::X87 && x.to_bits() >> 63 & 0xffff == 1);
    if odd(a) || odd(b) || odd(c) {
        return Ok(());
    }
    let round = their_rounding(rounding);
    let [x, y, z] = [a, b, c].map(|v| F::from_bits(v.to_bits()));
    let results: [((Float, Flags), StatusAnd<F>); 5] = [
        (a.add(b, rounding), x.add_r(y, round)),
        (a.sub(b, rounding), x.sub_r(y, round)),
        (a.mul(b, rounding), x.mul_r(y, round)),
        (a.div(b, rounding), x.div_r(y, round)),
        (a.fma(b, c, rounding), x.mul_add_r(y, z, round)),
    ];
    for (index, ((value, raised), theirs)) in results.into_iter().enumerate() {
        let context = format!("operation {index} of {a:?} {b:?} {c:?} {rounding:?}");
        if value.is_nan() {
            prop_assert!(theirs.value.is_nan(), "{}", context);
        } else {
            prop_assert_eq!(value.to_bits(), theirs.value.to_bits(), "{}", context);
        }
        let visible = raised.without(Flags::TINY | Flags::UNDERFLOW | Flags::OVERFLOW);
        prop_assert_eq!(visible, flags(theirs.status), "{}", context);
    }
    Ok(())
}

fn operand() -> impl Strategy<Value = u128> {
    // Sparse and dense significands around the whole range of exponents.
    (any::<u128>(), any::<u128>(), 0..128u32, 0..4u8).prop_map(|(bits, other, shift, kind)| match kind {
        0 => bits,
        1 => bits & other,
        2 => bits | other,
        _ => (bits >> shift) << shift,
    })
}

fn any_rounding() -> impl Strategy<Value = Rounding> {
    prop::sample::select(vec![
        Rounding::NearestEven,
        Rounding::NearestAway,
        Rounding::Up,
        Rounding::Down,
        Rounding::TowardZero,
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn agrees(raw in [operand(), operand(), operand()], rounding in any_rounding()) {
        check::<Half>(Format::F16, raw, rounding)?;
        check::<Single>(Format::F32, raw, rounding)?;
        check::<Double>(Format::F64, raw, rounding)?;
        check::<X87DoubleExtended>(Format::X87, raw.map(|bits| bits | 1 << 63), rounding)?;
        check::<Quad>(Format::F128, raw, rounding)?;
    }

    /// Every binary16 value is a binary64 value, so a conversion there and back is the identity.
    #[test]
    fn binary16_widens_exactly(bits: u16) {
        let half = Float::from_bits(Format::F16, bits.into());
        let (wide, flags) = half.convert(Format::F64, Rounding::NearestEven);
        if !half.is_nan() {
            prop_assert_eq!(flags, Flags::NONE);
            let theirs: Double = Half::from_bits(bits.into()).convert(&mut false).value;
            prop_assert_eq!(wide.to_bits(), theirs.to_bits());
            prop_assert_eq!(wide.convert(Format::F16, Rounding::NearestEven).0, half);
        }
    }
}
