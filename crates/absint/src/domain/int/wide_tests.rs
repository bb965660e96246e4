// SPDX-License-Identifier: MIT OR Apache-2.0
//! The laws at the sizes programs use, by random sets with strides and known bits, and at the ends of `i128`.

use clew_base::int::IntType;
use clew_ir::syntax::CompareOp;
use proptest::prelude::*;

use super::{Int, compare, raises_overflow, refine};
use crate::domain::Tri;

/// Values that sit at the edges of types as often as anywhere.
fn values() -> impl Strategy<Value = i128> {
    let edges = (0u32..127, -2i128..=2, any::<bool>()).prop_map(|(shift, offset, negative)| {
        let edge = (1i128 << shift).wrapping_add(offset);
        if negative { edge.wrapping_neg() } else { edge }
    });
    let ends = (any::<bool>(), 0i128..4)
        .prop_map(|(top, distance)| if top { i128::MAX - distance } else { i128::MIN + distance });
    prop_oneof![
        4 => -100i128..100,
        3 => any::<i64>().prop_map(i128::from),
        2 => edges,
        1 => any::<i128>(),
        1 => ends,
    ]
}

/// A set with a member: the member is chosen first, then a set is built around it.
fn sets() -> impl Strategy<Value = (Int, i128)> {
    let shape = (values(), 0u32..126, any::<u128>(), any::<u128>(), 1u64..200, 0u8..5, any::<u128>());
    shape.prop_map(|(value, size, below, above, modulus, kind, mask)| {
        let reach = |random: u128| (random & ((1 << size) - 1)) as i128;
        let (lo, hi) = (value.saturating_sub(reach(below)), value.saturating_add(reach(above)));
        let interval = match kind {
            0 => Int::constant(value),
            1 => Int::range(lo, i128::MAX),
            _ => Int::range(lo, hi),
        };
        let set = match kind {
            2 => interval,
            // Known bits: the low ones of a few masks survive in `x & mask | value & !mask`.
            3 if lo >= 0 && hi < 1 << 64 => {
                let ty = IntType::U64;
                let mask = (mask as u64) as i128;
                let free = interval.and(&Int::constant(mask), ty);
                free.or(&Int::constant(value & !mask & 0xffff_ffff_ffff_ffff), ty)
            }
            _ => {
                let remainder = value.rem_euclid(modulus.into());
                interval.with_stride(modulus.into(), remainder).unwrap_or(interval)
            }
        };
        (set, value)
    })
}

/// A set of values of a type.
fn typed(ty: IntType) -> impl Strategy<Value = (Int, i128)> {
    sets().prop_map(move |(set, value)| (set.wrap(ty), ty.wrap(value)))
}

fn holds(op: CompareOp, a: i128, b: i128) -> bool {
    match op {
        CompareOp::Eq => a == b,
        CompareOp::Ne => a != b,
        CompareOp::Lt => a < b,
        CompareOp::Le => a <= b,
        CompareOp::Gt => a > b,
        CompareOp::Ge => a >= b,
    }
}

fn consistent(verdict: Tri, truth: bool) -> bool {
    verdict == Tri::Maybe || verdict == Tri::from(truth)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn sets_hold_what_they_are_built_around((set, value) in sets()) {
        prop_assert!(set.contains(value), "{set:?} {value}");
    }

    #[test]
    fn arithmetic_covers((a, x) in sets(), (b, y) in sets()) {
        if let Some(sum) = x.checked_add(y) {
            prop_assert!(a.add(&b).contains(sum));
        }
        if let Some(difference) = x.checked_sub(y) {
            prop_assert!(a.sub(&b).contains(difference));
        }
        if let Some(product) = x.checked_mul(y) {
            prop_assert!(a.mul(&b).contains(product), "{:?}", a.mul(&b));
        }
        if let Some(quotient) = x.checked_div(y) {
            prop_assert!(a.div(&b).is_some_and(|set| set.contains(quotient)), "{:?}", a.div(&b));
        }
        if let Some(remainder) = x.checked_rem(y) {
            prop_assert!(a.rem(&b).is_some_and(|set| set.contains(remainder)), "{:?}", a.rem(&b));
        }
        if let Some(negated) = x.checked_neg() {
            prop_assert!(a.neg().contains(negated));
        }
    }

    #[test]
    fn results_beyond_the_host_are_unbounded((a, x) in sets(), (b, y) in sets()) {
        if x.checked_add(y).is_none() {
            let sum = a.add(&b);
            let unbounded = if x > 0 { sum.hi() == i128::MAX } else { sum.lo() == i128::MIN };
            prop_assert!(unbounded, "{:?}", sum);
        }
        if x.checked_mul(y).is_none() {
            let product = a.mul(&b);
            let negative = (x < 0) != (y < 0);
            let unbounded = if negative { product.lo() == i128::MIN } else { product.hi() == i128::MAX };
            prop_assert!(unbounded, "{:?}", product);
        }
        for ty in [IntType::I128, IntType::U128] {
            prop_assert!(x.checked_mul(y).is_some() || !a.mul(&b).fits(ty).is_true());
        }
    }

    #[test]
    fn lattice_laws((a, x) in sets(), (b, y) in sets(), (c, _) in sets()) {
        let join = a.join(&b);
        prop_assert!(join.contains(x) && join.contains(y) && a.is_subset(&join) && b.is_subset(&join));
        prop_assert!(a.is_subset(&a) && a.is_subset(&Int::TOP));
        let widened = a.widen(&b, &[-128, 0, 255, 1 << 40]);
        prop_assert!(a.is_subset(&widened) && b.is_subset(&widened), "{widened:?}");
        if a.contains(y) {
            prop_assert!(a.meet(&b).is_some_and(|meet| meet.contains(y)));
            prop_assert!(a.exclude(x).is_none_or(|rest| y == x || rest.contains(y)));
        }
        if a.is_subset(&b) && b.is_subset(&c) {
            prop_assert!(a.is_subset(&c) && c.contains(x));
        }
    }

    #[test]
    fn widening_stops(start in sets(), steps in prop::collection::vec(sets(), 1..8)) {
        let mut state = start.0;
        let mut changes = 0;
        for i in 0..600 {
            let step = &steps[i % steps.len()].0;
            let next = state.widen(&state.add(step).join(step), &[-1000, -1, 0, 63, 1 << 31]);
            changes += usize::from(next != state);
            state = next;
        }
        prop_assert!(changes < 100, "{changes} changes");
    }

    #[test]
    fn bits_cover_u64((a, x) in typed(IntType::U64), (b, y) in typed(IntType::U64), count in 0i128..64) {
        check_bits(IntType::U64, (a, x), (b, y), count)?;
    }

    #[test]
    fn bits_cover_i64((a, x) in typed(IntType::I64), (b, y) in typed(IntType::I64), count in 0i128..64) {
        check_bits(IntType::I64, (a, x), (b, y), count)?;
    }

    #[test]
    fn bits_cover_i128((a, x) in typed(IntType::I128), (b, y) in typed(IntType::I128), count in 0i128..128) {
        check_bits(IntType::I128, (a, x), (b, y), count)?;
    }

    #[test]
    fn bits_cover_u32((a, x) in typed(IntType::U32), (b, y) in typed(IntType::U32), count in 0i128..32) {
        check_bits(IntType::U32, (a, x), (b, y), count)?;
    }

    #[test]
    fn wrapping_covers((a, x) in sets(), bits in 1u16..=127, signed: bool) {
        let ty = IntType { bits, signed };
        prop_assert!(a.wrap(ty).contains(ty.wrap(x)), "{:?}", a.wrap(ty));
        prop_assert!(consistent(a.fits(ty), ty.wrap(x) == x));
        // The largest unsigned value of 127 bits is where a set is unbounded.
        prop_assert!(a.wrap(ty).fits(ty).is_true() || ty == IntType::unsigned(127));
    }

    #[test]
    fn overflow_agrees_i64((a, x) in typed(IntType::I64), (b, y) in typed(IntType::I64)) {
        use clew_ir::syntax::BinaryOp;
        let ty = IntType::I64;
        prop_assert!(consistent(raises_overflow(BinaryOp::Add, &a, &b, ty), ty.add(x, y).1));
        prop_assert!(consistent(raises_overflow(BinaryOp::Sub, &a, &b, ty), ty.sub(x, y).1));
        prop_assert!(consistent(raises_overflow(BinaryOp::Mul, &a, &b, ty), ty.mul(x, y).1));
    }

    #[test]
    fn comparisons_agree((a, x) in sets(), (b, y) in sets()) {
        for op in [CompareOp::Eq, CompareOp::Ne, CompareOp::Lt, CompareOp::Le, CompareOp::Gt, CompareOp::Ge] {
            prop_assert!(consistent(compare(op, &a, &b), holds(op, x, y)), "{op:?}");
            if holds(op, x, y) {
                let kept = refine(op, &a, &b).is_some_and(|(a, b)| a.contains(x) && b.contains(y));
                prop_assert!(kept, "{op:?} {:?}", refine(op, &a, &b));
            }
        }
    }
}

fn check_bits(ty: IntType, a: (Int, i128), b: (Int, i128), count: i128) -> Result<(), TestCaseError> {
    let ((a, x), (b, y)) = (a, b);
    prop_assert!(a.and(&b, ty).contains(ty.and(x, y)), "and {:?}", a.and(&b, ty));
    prop_assert!(a.or(&b, ty).contains(ty.or(x, y)), "or {:?}", a.or(&b, ty));
    prop_assert!(a.xor(&b, ty).contains(ty.xor(x, y)), "xor {:?}", a.xor(&b, ty));
    prop_assert!(a.not(ty).contains(ty.not(x)), "not {:?}", a.not(ty));
    for counts in [Int::constant(count), Int::range(0, count), Int::range(count, i128::from(ty.bits) - 1)] {
        let left = ty.shl(x, count).map(|shl| shl.value).unwrap_or(0);
        prop_assert!(a.shl(&counts, ty).contains(left), "shl {:?}", a.shl(&counts, ty));
        let right = ty.shr(x, count).unwrap_or(0);
        prop_assert!(a.shr(&counts, ty).contains(right), "shr {:?}", a.shr(&counts, ty));
    }
    prop_assert!(a.popcount(ty).contains(ty.popcount(x).into()) && a.clz(ty).contains(ty.clz(x).into()));
    prop_assert!(a.ctz(ty).contains(ty.ctz(x).into()) && a.ffs(ty).contains(ty.ffs(x).into()));
    prop_assert!(a.bswap(ty).contains(ty.bswap(x)) && a.clrsb(ty).contains(ty.clrsb(x).into()));
    Ok(())
}

#[test]
fn the_ends_of_the_host_are_not_constants() {
    for end in [i128::MIN, i128::MAX] {
        let set = Int::constant(end);
        assert_eq!(set.as_constant(), None);
        assert!(set.contains(end));
        assert_eq!(compare(CompareOp::Eq, &set, &set), Tri::Maybe);
        assert_eq!(compare(CompareOp::Le, &set, &set), Tri::Maybe);
    }
    assert_eq!(Int::of_type(IntType::U128), Int::TOP);
    assert_eq!(Int::constant(-1).wrap(IntType::U128), Int::TOP);
    assert_eq!(Int::constant(5).wrap(IntType::U128).as_constant(), Some(5));
}

#[test]
fn masks_keep_their_meaning() {
    let ty = IntType::U32;
    let any = Int::of_type(ty);
    let masked = any.and(&Int::constant(0xf0), ty);
    assert_eq!((masked.lo(), masked.hi(), masked.stride().0), (0, 0xf0, 16));
    assert!(!masked.contains(0x08) && masked.contains(0x50));
    let set = any.or(&Int::constant(1), ty);
    assert_eq!(compare(CompareOp::Ne, &set, &Int::constant(0)), Tri::True);
    let aligned = any.and(&Int::constant(!7 & 0xffff_ffff), ty);
    assert_eq!(aligned.stride(), (8, 0));
    let index = any.shr(&Int::constant(24), ty);
    assert_eq!((index.lo(), index.hi()), (0, 255));
    let flag = Int::constant(1).shl(&Int::range(0, 31), ty);
    assert_eq!((flag.lo(), flag.hi()), (1, 1 << 31));
}

#[test]
fn unbounded_sides_reach_beyond_the_host() {
    let natural = Int::range(0, i128::MAX);
    let bounds = |set: Int| (set.lo(), set.hi());
    assert_eq!(bounds(natural.neg()), (i128::MIN, 0));
    assert_eq!(bounds(natural.mul(&Int::constant(-1))), (i128::MIN, 0));
    assert_eq!(bounds(natural.mul(&Int::range(-1, 0))), (i128::MIN, 0));
    assert_eq!(bounds(natural.add(&Int::constant(-5))), (-5, i128::MAX));
    assert_eq!(bounds(natural.sub(&natural)), (i128::MIN, i128::MAX));
    assert_eq!(natural.div(&Int::constant(1 << 100)).map(bounds), Some((0, i128::MAX)));
    assert_eq!(natural.div(&Int::constant(-2)).map(bounds), Some((i128::MIN, 0)));
    assert_eq!(Int::constant(7).rem(&natural).map(bounds), Some((0, 7)));
    assert_eq!(natural.rem(&Int::constant(8)).map(bounds), Some((0, 7)));
    assert_eq!(compare(CompareOp::Lt, &natural, &Int::constant(i128::MAX)), Tri::Maybe);
    assert_eq!(refine(CompareOp::Gt, &natural, &Int::constant(3)).map(|(a, _)| a.lo()), Some(4));
}

#[test]
fn unsigned_values_of_128_bits_are_never_constrained_wrongly() {
    let ty = IntType::U128;
    let any = Int::of_type(ty);
    let huge = u128::MAX - 7;
    assert_eq!((any.shr(&Int::constant(1), ty).lo(), any.shr(&Int::constant(1), ty).hi()), (0, i128::MAX));
    assert!(any.shr(&Int::constant(100), ty).contains((huge >> 100) as i128));
    let masked = any.and(&Int::constant(0xff), ty);
    assert_eq!((masked.lo(), masked.hi()), (0, 0xff));
    for set in [any.not(ty), Int::constant(0).not(ty), any.or(&Int::constant(1), ty), any.xor(&any, ty)] {
        assert_eq!(set.hi(), i128::MAX);
        assert!(!set.fits(IntType::U64).is_true());
    }
    assert_eq!(Int::constant(1).shl(&Int::constant(127), ty).hi(), i128::MAX);
    assert_eq!(Int::range(0, 1 << 100).shl(&Int::constant(60), ty).hi(), i128::MAX);
}
