// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every pair of 8-bit integers against plain `i32` arithmetic, and laws for all widths.

use std::cmp::Ordering;

use proptest::prelude::*;

use super::{ArithOp, DivError, IntType, overflows};

const BYTES: [IntType; 2] = [IntType::I8, IntType::U8];

fn range(ty: IntType) -> std::ops::RangeInclusive<i32> {
    if ty.signed { -128..=127 } else { 0..=255 }
}

/// The byte that an exact result becomes, by repeated addition and subtraction of 256.
fn byte(ty: IntType, mut exact: i32) -> i32 {
    while exact > *range(ty).end() {
        exact -= 256;
    }
    while exact < *range(ty).start() {
        exact += 256;
    }
    exact
}

fn wrapped(ty: IntType, exact: i32) -> (i128, bool) {
    (byte(ty, exact).into(), !range(ty).contains(&exact))
}

fn for_all_pairs(check: impl Fn(IntType, i32, i32)) {
    for ty in BYTES {
        for a in range(ty) {
            for b in range(ty) {
                check(ty, a, b);
            }
        }
    }
}

#[test]
fn sums_differences_products() {
    for_all_pairs(|ty, a, b| {
        let (x, y) = (a.into(), b.into());
        assert_eq!(ty.add(x, y), wrapped(ty, a + b), "{ty} {a} + {b}");
        assert_eq!(ty.sub(x, y), wrapped(ty, a - b), "{ty} {a} - {b}");
        assert_eq!(ty.mul(x, y), wrapped(ty, a * b), "{ty} {a} * {b}");
        assert_eq!(ty.neg(x), wrapped(ty, -a), "{ty} -{a}");
        assert_eq!(ty.compare(x, y), a.cmp(&b));
    });
}

#[test]
fn quotients_and_remainders() {
    for_all_pairs(|ty, a, b| {
        let (x, y) = (a.into(), b.into());
        let error = match b {
            0 => Some(DivError::DivisionByZero),
            _ if !range(ty).contains(&(a / b)) => Some(DivError::Overflow),
            _ => None,
        };
        match error {
            Some(error) => {
                assert_eq!((ty.div(x, y), ty.rem(x, y)), (Err(error), Err(error)), "{ty} {a} / {b}")
            }
            None => {
                assert_eq!(
                    (ty.div(x, y), ty.rem(x, y)),
                    (Ok((a / b).into()), Ok((a % b).into())),
                    "{ty} {a} / {b}"
                );
            }
        }
    });
}

#[test]
fn shifts() {
    for_all_pairs(|ty, a, b| {
        let (left, right) = (ty.shl(a.into(), b.into()), ty.shr(a.into(), b.into()));
        if !(0..8).contains(&b) {
            assert!(left.is_err() && right.is_err(), "{ty} {a} by {b}");
            return;
        }
        let (left, power) = (left.unwrap(), 1 << b);
        assert_eq!(left.value, byte(ty, a * power).into(), "{ty} {a} << {b}");
        assert_eq!(left.negative, a < 0);
        assert_eq!(left.lost, !range(ty).contains(&(a * power)), "{ty} {a} << {b}");
        assert_eq!(right, Ok(a.div_euclid(power).into()), "{ty} {a} >> {b}");
    });
}

#[test]
fn bits() {
    for_all_pairs(|ty, a, b| {
        assert_eq!(ty.and(a.into(), b.into()), byte(ty, a & b).into());
        assert_eq!(ty.or(a.into(), b.into()), byte(ty, a | b).into());
        assert_eq!(ty.xor(a.into(), b.into()), byte(ty, a ^ b).into());
    });
    for ty in BYTES {
        for a in range(ty) {
            let pattern = format!("{:08b}", a & 255);
            let ones = pattern.matches('1').count() as u32;
            let run = |c: char| pattern.chars().take_while(|d| *d == c).count() as u32;
            let trailing = pattern.chars().rev().take_while(|d| *d == '0').count() as u32;
            let x = a.into();
            assert_eq!(ty.not(x), byte(ty, !a).into());
            assert_eq!((ty.clz(x), ty.ctz(x), ty.popcount(x)), (run('0'), trailing, ones), "{ty} {a}");
            assert_eq!((ty.parity(x), ty.ffs(x)), (ones % 2, if a == 0 { 0 } else { trailing + 1 }));
            assert_eq!(ty.clrsb(x), run('0').max(run('1')) - 1, "{ty} {a}");
            assert_eq!(ty.bswap(x), x);
        }
    }
    assert_eq!(IntType::U32.bswap(0x0102_0304), 0x0403_0201);
    assert_eq!(IntType::I16.bswap(0x01ff), IntType::I16.wrap(0xff01));
    assert_eq!(IntType::U128.bswap(1), 1 << 120);
}

#[test]
fn conversions_and_mixed_overflow() {
    for (from, a) in BYTES.iter().flat_map(|ty| range(*ty).map(move |a| (*ty, a))) {
        for to in BYTES {
            let (value, overflowed) = wrapped(to, a);
            assert_eq!(from.convert(a.into(), to), (value, !overflowed), "{from} {a} to {to}");
        }
        for (other, b) in BYTES.iter().flat_map(|ty| range(*ty).map(move |b| (*ty, b))) {
            for dest in BYTES {
                let (x, y) = ((a.into(), from), (b.into(), other));
                assert_eq!(overflows(ArithOp::Add, x, y, dest), wrapped(dest, a + b));
                assert_eq!(overflows(ArithOp::Sub, x, y, dest), wrapped(dest, a - b));
                assert_eq!(overflows(ArithOp::Mul, x, y, dest), wrapped(dest, a * b));
            }
        }
    }
}

#[test]
fn borders_of_128_bits() {
    let (i, u) = (IntType::I128, IntType::U128);
    assert_eq!(u.max(), -1);
    assert_eq!(u.add(-1, 1), (0, true));
    assert_eq!(u.sub(0, 1), (-1, true));
    assert_eq!(u.mul(1 << 64, 1 << 64), (0, true));
    assert!(!u.mul(u64::MAX.into(), u64::MAX.into()).1);
    assert_eq!(u.div(-1, 2), Ok(i128::MAX));
    assert_eq!(u.compare(-1, 1), Ordering::Greater);
    assert_eq!(u.display(-1).to_string(), u128::MAX.to_string());
    assert_eq!(u.convert(-1, i), (-1, false));
    assert_eq!(i.convert(-1, u), (-1, false));
    assert_eq!(u.convert(-1, u), (-1, true));
    assert_eq!(u.convert(i128::MAX, i), (i128::MAX, true));
    assert_eq!(i.neg(i128::MIN), (i128::MIN, true));
    assert_eq!(i.mul(i128::MIN, -1), (i128::MIN, true));
    assert_eq!(i.mul(-1, i128::MIN), (i128::MIN, true));
    assert_eq!(i.mul(i128::MIN, 1), (i128::MIN, false));
    assert_eq!(i.div(i128::MIN, -1), Err(DivError::Overflow));
    assert_eq!(i.shl(1, 127).map(|s| (s.value, s.lost)), Ok((i128::MIN, true)));
    assert_eq!(u.shl(1, 127).map(|s| (s.value, s.lost)), Ok((i128::MIN, false)));
    assert_eq!(u.shr(-1, 127), Ok(1));
    // 2^128 - 1 minus 2^128 - 1 is zero in every type; plus one it fits none.
    assert_eq!(overflows(ArithOp::Sub, (-1, u), (-1, u), IntType::I8), (0, false));
    assert_eq!(overflows(ArithOp::Add, (-1, u), (1, i), u), (0, true));
    assert_eq!(overflows(ArithOp::Add, (-1, u), (-1, i), u), (-2, false));
    assert_eq!(overflows(ArithOp::Mul, (-1, u), (-1, i), i), (1, true));
    assert_eq!(overflows(ArithOp::Mul, (i128::MIN, u), (-1, i), i), (i128::MIN, false));
    assert_eq!(overflows(ArithOp::Mul, (i128::MIN, i), (i128::MIN, i), u), (0, true));
    assert_eq!(overflows(ArithOp::Mul, (0, u), (-1, i), u), (0, false));
}

fn any_type() -> impl Strategy<Value = IntType> {
    (1..=128u16, any::<bool>()).prop_map(|(bits, signed)| IntType { bits, signed })
}

/// A canonical value of any type, often at a border.
fn any_value() -> impl Strategy<Value = (i128, IntType)> {
    (any_type(), any::<i128>(), 0..128u32, -2..=2i128).prop_map(|(ty, raw, shift, near)| {
        let value = match shift % 4 {
            0 => ty.max().wrapping_add(near),
            1 => ty.min().wrapping_add(near),
            _ => raw >> shift,
        };
        (ty.wrap(value), ty)
    })
}

proptest! {
    #[test]
    fn results_are_canonical((a, ty) in any_value(), b: i128) {
        let b = ty.wrap(b);
        for value in [ty.add(a, b).0, ty.sub(a, b).0, ty.mul(a, b).0, ty.neg(a).0, ty.not(a), ty.xor(a, b)] {
            prop_assert!(ty.is_canonical(value));
        }
    }

    /// The narrow fast ways agree with infinite precision.
    #[test]
    fn arithmetic_is_exact_or_says_so((a, ty) in any_value(), b: i128) {
        let b = ty.wrap(b);
        prop_assert_eq!(ty.add(a, b), overflows(ArithOp::Add, (a, ty), (b, ty), ty));
        prop_assert_eq!(ty.sub(a, b), overflows(ArithOp::Sub, (a, ty), (b, ty), ty));
        prop_assert_eq!(ty.mul(a, b), overflows(ArithOp::Mul, (a, ty), (b, ty), ty));
    }

    /// Big integers as a second opinion on mixed types.
    #[test]
    fn overflow_is_infinite_precision(a in any_value(), b in any_value(), dest in any_type()) {
        use dashu_int::IBig;
        let big = |(value, ty): (i128, IntType)| {
            if ty == IntType::U128 { IBig::from(value as u128) } else { IBig::from(value) }
        };
        for (op, exact) in [
            (ArithOp::Add, big(a) + big(b)),
            (ArithOp::Sub, big(a) - big(b)),
            (ArithOp::Mul, big(a) * big(b)),
        ] {
            let (value, overflowed) = overflows(op, a, b, dest);
            prop_assert_eq!(overflowed, big((value, dest)) != exact);
            prop_assert!((big((value, dest)) - exact) % (IBig::from(1) << usize::from(dest.bits)) == IBig::from(0));
        }
    }

    #[test]
    fn division_multiplies_back((a, ty) in any_value(), b: i128, narrow in 0..128u32) {
        let b = ty.wrap(b >> narrow);
        match (ty.div(a, b), ty.rem(a, b)) {
            (Ok(quotient), Ok(rest)) => {
                let (product, overflowed) = ty.mul(quotient, b);
                prop_assert!(!overflowed);
                prop_assert_eq!(ty.add(product, rest), (a, false));
            }
            (Err(quotient), Err(rest)) => {
                prop_assert_eq!(quotient, rest);
                prop_assert!(b == 0 || (ty.signed && b == -1 && a == ty.min()));
            }
            _ => prop_assert!(false, "quotient and remainder fail together"),
        }
    }

    #[test]
    fn conversion_there_and_back((a, ty) in any_value(), to in any_type()) {
        let (value, lossless) = ty.convert(a, to);
        if lossless {
            prop_assert_eq!(to.convert(value, ty), (a, true));
            prop_assert_eq!(to.display(value).to_string(), ty.display(a).to_string());
        }
    }

    #[test]
    fn bits_add_up((a, ty) in any_value()) {
        prop_assert_eq!(ty.popcount(a) + ty.popcount(ty.not(a)), u32::from(ty.bits));
        prop_assert_eq!(ty.clz(a) == u32::from(ty.bits), a == 0);
        if ty.bits % 8 == 0 {
            prop_assert_eq!(ty.bswap(ty.bswap(a)), a);
        }
    }
}
