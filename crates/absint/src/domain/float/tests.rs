// SPDX-License-Identifier: MIT OR Apache-2.0
//! The laws, by random sets with a known member, in every format, against the software floats of the base crate
//! (and so against their flags), and against the host for `f32` and `f64`.

use clew_base::float::{Class, Flags, Float as Concrete, Format, Rounding};
use clew_base::int::IntType;
use clew_ir::obligation::Raise;
use clew_ir::syntax::{BinaryOp, CompareOp};
use proptest::prelude::*;
use std::cmp::Ordering;

use super::*;
use crate::domain::int::Int;

const NEAREST: Rounding = Rounding::NearestEven;
const FORMATS: [Format; 5] = [Format::F16, Format::F32, Format::F64, Format::X87, Format::F128];
const OPERATIONS: [BinaryOp; 4] = [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Div];
const COMPARISONS: [CompareOp; 6] =
    [CompareOp::Eq, CompareOp::Ne, CompareOp::Lt, CompareOp::Le, CompareOp::Gt, CompareOp::Ge];

/// A value of a format: specials, neighbours of powers of two, small numbers, and any bits at all.
fn concrete(format: Format) -> impl Strategy<Value = Concrete> {
    let special = (0usize..8, any::<bool>()).prop_map(move |(kind, negative)| match kind {
        0 | 1 => Concrete::zero(format, negative),
        2 => Concrete::infinity(format, negative),
        3 => Concrete::largest(format, negative),
        4 => Concrete::smallest_normal(format, negative),
        5 => Concrete::nan(format, negative, 0),
        6 => Concrete::signaling_nan(format, negative, 1),
        _ => -Concrete::from_bits(format, 1),
    });
    let near_special = (any::<bool>(), 0usize..4, 1u128..4, any::<bool>()).prop_map(
        move |(negative, kind, distance, up)| {
            let base = match kind {
                0 => Concrete::largest(format, negative),
                1 => Concrete::smallest_normal(format, negative),
                2 => Concrete::zero(format, negative),
                _ => Concrete::from_int(format, 1, IntType::I32, NEAREST).0,
            };
            let bits = base.to_bits();
            Concrete::from_bits(format, if up { bits + distance } else { bits.saturating_sub(distance) })
        },
    );
    let small = (-9i128..10, 1i128..9).prop_map(move |(a, b)| {
        let of = |value| Concrete::from_int(format, value, IntType::I32, NEAREST).0;
        of(a).div(of(b), NEAREST).0
    });
    let wide = any::<u128>()
        .prop_map(move |bits| Concrete::from_bits(Format::F128, bits).convert(format, NEAREST).0);
    let double = any::<f64>().prop_map(move |value| Concrete::from_f64(value).convert(format, NEAREST).0);
    let single = any::<f32>().prop_map(move |value| Concrete::from_f32(value).convert(format, NEAREST).0);
    let any_bits = any::<u128>().prop_map(move |bits| Concrete::from_bits(format, bits));
    prop_oneof![3 => special, 2 => near_special, 4 => small, 1 => wide, 2 => double, 2 => single, 1 => any_bits]
}

fn constant(value: Concrete) -> Float {
    Float::constant_bits(value.to_bits(), value.format())
}

fn contains(set: &Float, value: Concrete) -> bool {
    set.contains_bits(value.to_bits(), value.format())
}

/// A set of a few values, with one of them.
fn set(format: Format) -> impl Strategy<Value = (Float, Concrete)> {
    (prop::collection::vec(concrete(format), 1..4), 0u8..6, 0u8..6).prop_map(|(values, nan, numbers)| {
        let mut set = values.iter().map(|value| constant(*value)).reduce(|a, b| a.join(&b)).unwrap();
        if nan == 0 {
            set = set.with_quiet_nan();
        }
        if numbers == 0
            && let (Some(lo), Some(hi)) = (set.lo(), set.hi())
        {
            set = set.join(&Float::range(lo, hi));
        }
        (set, values[0])
    })
}

fn formats() -> impl Strategy<Value = Format> {
    prop::sample::select(FORMATS.to_vec())
}

fn set_pairs() -> impl Strategy<Value = (Member, Member)> {
    formats().prop_flat_map(|format| (set(format), set(format)))
}

type Member = (Float, Concrete);

fn set_triples() -> impl Strategy<Value = (Member, Member, Member)> {
    formats().prop_flat_map(|format| (set(format), set(format), set(format)))
}

fn apply(op: BinaryOp, a: Concrete, b: Concrete) -> (Concrete, Flags) {
    match op {
        BinaryOp::Add => a.add(b, NEAREST),
        BinaryOp::Sub => a.sub(b, NEAREST),
        BinaryOp::Mul => a.mul(b, NEAREST),
        _ => a.div(b, NEAREST),
    }
}

fn apply_sets(op: BinaryOp, a: &Float, b: &Float, format: Format) -> Float {
    match op {
        BinaryOp::Add => a.add(b, format),
        BinaryOp::Sub => a.sub(b, format),
        BinaryOp::Mul => a.mul(b, format),
        _ => a.div(b, format),
    }
}

fn holds(op: CompareOp, order: Option<Ordering>) -> bool {
    match op {
        CompareOp::Eq => order == Some(Ordering::Equal),
        CompareOp::Ne => order != Some(Ordering::Equal),
        CompareOp::Lt => order == Some(Ordering::Less),
        CompareOp::Le => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        CompareOp::Gt => order == Some(Ordering::Greater),
        CompareOp::Ge => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
    }
}

fn consistent(verdict: Tri, truth: bool) -> bool {
    verdict == Tri::Maybe || verdict == Tri::from(truth)
}

const RAISES: [(Raise, Flags); 4] = [
    (Raise::FloatOverflow, Flags::OVERFLOW),
    (Raise::FloatUnderflow, Flags::TINY),
    (Raise::FloatDivisionByZero, Flags::DIV_BY_ZERO),
    (Raise::FloatInvalid, Flags::INVALID),
];

/// Whether these operands raise it, of what the hardware's flags say: a NaN's invalid is not counted.
fn raised(raise: Raise, flag: Flags, flags: Flags, operands: &[Concrete]) -> bool {
    let nan = operands.iter().any(|operand| operand.is_nan());
    flags.contains(flag) && !(nan && raise == Raise::FloatInvalid)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20000))]

    #[test]
    fn bit_patterns_keep_every_member(
        ((set, member), format) in prop::sample::select(vec![Format::F32, Format::F64])
            .prop_flat_map(|format| (set(format), Just(format)))
    ) {
        let bits = member.to_bits() as i128;
        let parts = set.patterns(format).unwrap();
        prop_assert!(parts.iter().any(|part| part.contains(bits)));
        let sum = parts.iter().copied().reduce(|a, b| a.join(&b)).unwrap();
        prop_assert!(contains(&Float::of_patterns(&sum, format).unwrap(), member));
        // Nothing is lost on the way through the parts.
        let back = parts.iter().map(|part| Float::of_patterns(part, format).unwrap()).reduce(|a, b| a.join(&b));
        prop_assert!(back.unwrap().is_subset(&set));
    }

    #[test]
    fn patterns_of_ranges_are_the_floats_between(
        (a, b, format) in prop::sample::select(vec![Format::F32, Format::F64])
            .prop_flat_map(|format| (concrete(format), concrete(format), Just(format))),
        at in any::<u64>()
    ) {
        let (x, y) = (a.to_bits() as i128, b.to_bits() as i128);
        let (lo, hi) = (x.min(y), x.max(y));
        let between = lo + i128::from(at) % (hi - lo + 1);
        let floats = Float::of_patterns(&Int::range(lo, hi), format).unwrap();
        prop_assert!(floats.contains_bits(between as u128, format));
        let signed = Int::range(lo, hi).wrap(IntType::signed(format.bits() as u16));
        prop_assert!(Float::of_patterns(&signed, format).unwrap().contains_bits(between as u128, format));
    }

    #[test]
    fn tests_keep_the_members_that_pass((set, member) in formats().prop_flat_map(set)) {
        let format = member.format();
        let infinite = member.classify() == Class::Infinite;
        let kept = [
            set.nan_only_if(member.is_nan()),
            set.infinite_if(infinite, format),
            set.finite_if(!infinite && !member.is_nan(), format),
            set.negative_if(member.is_negative()),
        ];
        for kept in kept {
            prop_assert!(kept.is_some_and(|kept| contains(&kept, member) && kept.is_subset(&set)));
        }
        let sign = if !infinite { 0 } else if member.is_negative() { -1 } else { 1 };
        prop_assert!(set.infinity_sign().contains(sign));
    }

    #[test]
    fn operations_of_a_float_with_itself((set, member) in formats().prop_flat_map(set)) {
        let (difference, quotient) = (member.sub(member, NEAREST).0, member.div(member, NEAREST).0);
        prop_assert!(contains(&set.minus_itself(), difference));
        prop_assert!(contains(&set.over_itself(), quotient));
    }

    #[test]
    fn arithmetic_covers_and_raises(((a, x), (b, y)) in set_pairs()) {
        let format = x.format();
        prop_assert!(contains(&a, x) && contains(&b, y));
        for op in OPERATIONS {
            let result = apply_sets(op, &a, &b, format);
            let (value, flags) = apply(op, x, y);
            prop_assert!(contains(&result, value), "{op:?} {x:?} {y:?} = {value:?} not in {result:?}");
            for (raise, flag) in RAISES {
                let verdict = raises(raise, op, &a, &b, format);
                let truth = raised(raise, flag, flags, &[x, y]);
                prop_assert!(consistent(verdict, truth), "{op:?} {raise:?} {verdict:?} {flags:?}");
            }
        }
    }

    #[test]
    fn constants_raise_as_they_should(((_, x), (_, y)) in set_pairs()) {
        let format = x.format();
        let (a, b) = (constant(x), constant(y));
        prop_assert!(contains(&a, x));
        // Precision: with formats that an f64 holds, one value is known, and so is all but underflow.
        if format <= Format::F64 && !x.is_nan() && !y.is_nan() {
            for op in OPERATIONS {
                let flags = apply(op, x, y).1;
                for (raise, flag) in RAISES.into_iter().filter(|(raise, _)| *raise != Raise::FloatUnderflow) {
                    let verdict = raises(raise, op, &a, &b, format);
                    prop_assert_eq!(verdict, Tri::from(flags.contains(flag)), "{:?} {:?}", op, raise);
                }
            }
        }
    }

    #[test]
    fn unary_operations_cover(((a, x), (b, y)) in set_pairs()) {
        let format = x.format();
        prop_assert!(contains(&a.neg(), -x));
        prop_assert!(contains(&a.abs(), x.abs()));
        prop_assert!(contains(&a.copysign(&b), x.copysign(y)), "{:?}", a.copysign(&b));
        let root = x.sqrt(NEAREST).0;
        prop_assert!(contains(&a.sqrt(format), root), "{root:?} {:?}", a.sqrt(format));
        let rest = x.fmod(y).0;
        prop_assert!(contains(&a.fmod(&b, format), rest), "{rest:?} {:?}", a.fmod(&b, format));
    }

    #[test]
    fn sums_with_a_product_are_covered(((a, x), (b, y), (c, z)) in set_triples()) {
        let format = x.format();
        let sum = x.fma(y, z, NEAREST).0;
        prop_assert!(contains(&a.fma(&b, &c, format), sum), "{sum:?} {:?}", a.fma(&b, &c, format));
    }

    #[test]
    fn conversions_cover(((a, x), _) in set_pairs(), to in formats(), bits in 1u16..=128, signed: bool) {
        let from = x.format();
        let (value, flags) = x.convert(to, NEAREST);
        let result = a.convert(from, to);
        prop_assert!(contains(&result, value), "{x:?} to {value:?} not in {result:?}");
        for (raise, flag) in RAISES {
            let verdict = convert_raises(raise, &a, from, to);
            let truth = raised(raise, flag, flags, &[x]);
            prop_assert!(consistent(verdict, truth), "{raise:?} {verdict:?} {flags:?}");
        }
        let lossy = convert_raises(Raise::LossyConversion, &a, from, to);
        prop_assert!(consistent(lossy, flags.contains(Flags::INEXACT)), "{lossy:?}");
        let ty = IntType { bits, signed };
        let integer = x.to_int(ty);
        prop_assert!(consistent(float_to_int_raises(&a, ty), integer.is_err()), "{ty} {integer:?}");
        if let Ok(integer) = integer && (signed || integer >= 0) {
            prop_assert!(a.to_int().is_some_and(|set| set.contains(integer)), "{integer} {:?}", a.to_int());
        }
    }

    #[test]
    fn integers_convert(a in any::<i128>(), b in any::<i128>(), shifts in (0u32..127, 0u32..127), format in formats()) {
        let (a, b) = (a >> shifts.0, b >> shifts.1);
        let set = Int::range(a.min(b), a.max(b));
        let result = Float::from_int(&set, format);
        for value in [a, b, (a & b) + ((a ^ b) >> 1)] {
            let (float, flags) = Concrete::from_int(format, value, IntType::I128, NEAREST);
            prop_assert!(contains(&result, float), "{value} {float:?} not in {result:?}");
            let overflow = from_int_raises(Raise::FloatOverflow, &set, format);
            prop_assert!(consistent(overflow, flags.contains(Flags::OVERFLOW)));
            let lossy = from_int_raises(Raise::LossyConversion, &set, format);
            prop_assert!(consistent(lossy, flags.contains(Flags::INEXACT)));
        }
    }

    #[test]
    fn classes_agree(((a, x), _) in set_pairs()) {
        let format = x.format();
        prop_assert!(consistent(a.is_nan_tri(), x.is_nan()));
        prop_assert!(consistent(a.is_inf_tri(), x.is_infinite()), "{:?}", a.is_inf_tri());
        prop_assert!(consistent(a.is_finite_tri(), x.is_finite()), "{:?}", a.is_finite_tri());
        prop_assert!(consistent(a.sign_bit_tri(), x.is_negative()), "{:?}", a.sign_bit_tri());
        let normal = a.is_normal_tri(format);
        prop_assert!(consistent(normal, x.classify() == Class::Normal), "{normal:?}");
        prop_assert!(a.may_be_nan() || !x.is_nan());
        prop_assert!(a.may_be_infinite() || !x.is_infinite());
        prop_assert!(a.may_be_signaling() || !x.is_signaling());
        prop_assert!(!x.is_finite() || contains(&Float::finite(format), x));
        prop_assert!(!x.is_nan() || contains(&Float::nan(), x));
        prop_assert!(contains(&Float::top(), x) && a.is_subset(&Float::top()));
    }

    #[test]
    fn comparisons_agree_and_refine(((a, x), (b, y)) in set_pairs()) {
        let format = x.format();
        let order = x.compare(y);
        for op in COMPARISONS {
            let truth = holds(op, order);
            prop_assert!(consistent(compare(op, &a, &b), truth), "{op:?} {:?}", compare(op, &a, &b));
            let refined = if truth { refine(op, &a, &b, format) } else { refine_false(op, &a, &b, format) };
            let kept = refined.is_some_and(|(a, b)| contains(&a, x) && contains(&b, y));
            prop_assert!(kept, "{op:?} {truth} {x:?} {y:?} {refined:?}");
            let smaller = refined.is_some_and(|(c, d)| c.is_subset(&a) && d.is_subset(&b));
            prop_assert!(smaller, "{op:?} {refined:?}");
            let flags = match op {
                CompareOp::Eq | CompareOp::Ne => x.compare_quiet(y).1,
                _ => x.compare_ordered(y).1,
            };
            prop_assert!(consistent(compare_raises(op, &a, &b), flags.contains(Flags::INVALID)));
        }
    }

    #[test]
    fn lattice_laws(((a, x), (b, y)) in set_pairs(), mut thresholds in prop::collection::vec(-1e10f64..1e10, 0..4)) {
        thresholds.sort_by(f64::total_cmp);
        let join = a.join(&b);
        prop_assert!(contains(&join, x) && contains(&join, y) && a.is_subset(&join) && b.is_subset(&join));
        let widened = a.widen(&b, &thresholds);
        prop_assert!(a.is_subset(&widened) && b.is_subset(&widened), "{widened:?}");
        if contains(&a, y) {
            prop_assert!(a.meet(&b).is_some_and(|meet| contains(&meet, y)), "{:?}", a.meet(&b));
        }
        if let Some(meet) = a.meet(&b) {
            prop_assert!(meet.is_subset(&a) && meet.is_subset(&b));
            prop_assert!(a.narrow(&meet) == meet);
        }
        prop_assert!(!a.is_subset(&b) || (contains(&b, x) && b.join(&a) == b));
    }

    #[test]
    fn widening_stops(((start, _), (step, x)) in set_pairs(), thresholds in Just([-1.0, 0.0, 1e6])) {
        let mut state = start;
        let mut changes = 0;
        for _ in 0..100 {
            let next = state.widen(&state.add(&step, x.format()).join(&step), &thresholds);
            changes += usize::from(next != state);
            state = next;
        }
        prop_assert!(changes <= 16, "{changes}");
    }

    #[test]
    fn bounds_follow_the_host(a in any::<f64>(), b in any::<f64>(), c in any::<f32>(), d in any::<f32>()) {
        let double = |value: f64| Float::constant_bits(value.to_bits().into(), Format::F64);
        let single = |value: f32| Float::constant_bits(value.to_bits().into(), Format::F32);
        for (op, value) in OPERATIONS.into_iter().zip([a + b, a - b, a * b, a / b]) {
            let result = apply_sets(op, &double(a), &double(b), Format::F64);
            if !value.is_nan() {
                prop_assert_eq!((result.lo(), result.hi(), result.may_be_nan()), (Some(value), Some(value), false));
            }
        }
        for (op, value) in OPERATIONS.into_iter().zip([c + d, c - d, c * d, c / d]) {
            let result = apply_sets(op, &single(c), &single(d), Format::F32);
            let value = f64::from(value);
            if !value.is_nan() {
                prop_assert_eq!((result.lo(), result.hi(), result.may_be_nan()), (Some(value), Some(value), false));
            }
        }
    }
}

#[test]
fn division_by_a_range_with_zero() {
    let one = Float::range(1.0, 1.0);
    let quotient = one.div(&Float::range(-1.0, 1.0), Format::F64);
    assert_eq!((quotient.lo(), quotient.hi()), (Some(f64::NEG_INFINITY), Some(f64::INFINITY)));
    assert!(!quotient.may_be_nan());
    let positive = Float::constant_bits(0, Format::F64);
    let infinite = one.div(&positive, Format::F64);
    assert_eq!((infinite.lo(), infinite.hi()), (Some(f64::INFINITY), Some(f64::INFINITY)));
    assert!(positive.div(&positive, Format::F64).is_nan_tri().is_true());
    let raised = raises(Raise::FloatDivisionByZero, BinaryOp::Div, &one, &positive, Format::F64);
    assert_eq!(raised, Tri::True);
}

#[test]
fn tests_exclude_zero_and_nan() {
    let any = Float::top();
    let zero = Float::range(0.0, 0.0);
    let (nonzero, _) = refine(CompareOp::Ne, &any, &zero, Format::F64).unwrap();
    assert!(!nonzero.may_be_zero() && nonzero.may_be_nan());
    let (positive, _) = refine(CompareOp::Gt, &any, &zero, Format::F64).unwrap();
    assert_eq!((positive.lo(), positive.may_be_nan()), (Some(f64::from_bits(1)), false));
    let (not_positive, _) = refine_false(CompareOp::Gt, &any, &zero, Format::F64).unwrap();
    assert_eq!((not_positive.hi(), not_positive.may_be_nan()), (Some(0.0), true));
    let (below, _) = refine(CompareOp::Lt, &any, &Float::range(1.0, 1.0), Format::F32).unwrap();
    assert_eq!(below.hi(), Some(f64::from(1f32.next_down())));
}

#[test]
fn finite_operands_of_known_size_do_not_overflow() {
    let small = Float::range(-1e30, 1e30);
    for op in [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul] {
        assert_eq!(raises(Raise::FloatOverflow, op, &small, &small, Format::F64), Tri::False);
        assert_eq!(raises(Raise::FloatInvalid, op, &small, &small, Format::F64), Tri::False);
    }
    assert_eq!(raises(Raise::FloatOverflow, BinaryOp::Mul, &small, &small, Format::F32), Tri::Maybe);
    let large = Float::range(1e30, 2e30);
    assert_eq!(raises(Raise::FloatOverflow, BinaryOp::Mul, &large, &large, Format::F32), Tri::True);
    assert_eq!(float_to_int_raises(&Float::range(-0.9, 255.9), IntType::U8), Tri::False);
    assert_eq!(float_to_int_raises(&Float::range(256.0, 300.0), IntType::U8), Tri::True);
}
