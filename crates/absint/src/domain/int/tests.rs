// SPDX-License-Identifier: MIT OR Apache-2.0
//! The laws, exhaustively: every interval of the types of 4 bits, with every stride up to 4.

use clew_base::int::IntType;
use clew_ir::syntax::{BinaryOp, CompareOp};

use super::{Int, compare, raises_overflow, raises_shift, refine};
use crate::domain::Tri;

const TYPES: [IntType; 2] = [IntType::signed(4), IntType::unsigned(4)];
const COMPARISONS: [CompareOp; 6] =
    [CompareOp::Eq, CompareOp::Ne, CompareOp::Lt, CompareOp::Le, CompareOp::Gt, CompareOp::Ge];

fn members(set: &Int) -> Vec<i128> {
    (set.lo()..=set.hi()).filter(|value| set.contains(*value)).collect()
}

/// Sets of values of the type; `strides` is the largest modulus.
fn sets(ty: IntType, strides: u128) -> Vec<(Int, Vec<i128>)> {
    let mut all = Vec::new();
    for lo in ty.min()..=ty.max() {
        for hi in lo..=ty.max() {
            for modulus in 1..=strides {
                for remainder in 0..modulus {
                    let set = Int::range(lo, hi).with_stride(modulus, remainder as i128);
                    all.extend(set);
                    all.extend(set.and_then(|set| set.exclude(0)));
                }
            }
        }
    }
    all.sort_by_key(|set| (set.lo(), set.hi(), set.stride(), set.contains(0)));
    all.dedup();
    all.into_iter().map(|set| (set, members(&set))).collect()
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

/// A verdict agrees with the concrete truths, which are not empty.
fn agrees(verdict: Tri, truths: impl IntoIterator<Item = bool>) -> bool {
    truths.into_iter().all(|truth| match verdict {
        Tri::True => truth,
        Tri::False => !truth,
        Tri::Maybe => true,
    })
}

fn for_all_pairs(strides: u128, mut law: impl FnMut(IntType, &(Int, Vec<i128>), &(Int, Vec<i128>))) {
    for ty in TYPES {
        let sets = sets(ty, strides);
        for a in &sets {
            for b in &sets {
                law(ty, a, b);
            }
        }
    }
}

fn pairs<'a>(a: &'a [i128], b: &'a [i128]) -> impl Iterator<Item = (i128, i128)> + 'a {
    a.iter().flat_map(move |x| b.iter().map(move |y| (*x, *y)))
}

#[test]
fn intervals_hold_exactly_their_integers() {
    for (set, members) in sets(IntType::signed(4), 1) {
        // Zero alone may be left out of an interval.
        let all = (set.lo()..=set.hi()).filter(|v| *v != 0 || set.contains(0));
        assert_eq!(members, all.collect::<Vec<_>>());
        assert!(!set.contains(set.lo() - 1) && !set.contains(set.hi() + 1));
    }
    let odd = Int::range(0, 10).with_stride(4, 1).unwrap();
    assert_eq!((odd.lo(), odd.hi(), odd.stride(), members(&odd)), (1, 9, (4, 1), vec![1, 5, 9]));
}

#[test]
fn exact_arithmetic_covers_the_concrete() {
    for_all_pairs(3, |_, (a, xs), (b, ys)| {
        let (sum, difference, product) = (a.add(b), a.sub(b), a.mul(b));
        let (quotient, remainder) = (a.div(b), a.rem(b));
        assert_eq!(quotient.is_none(), ys == &[0]);
        assert_eq!(remainder.is_none(), ys == &[0]);
        for (x, y) in pairs(xs, ys) {
            assert!(sum.contains(x + y), "{x} + {y}: {a:?} {b:?}");
            assert!(difference.contains(x - y), "{x} - {y}: {a:?} {b:?}");
            assert!(product.contains(x * y), "{x} * {y}: {a:?} {b:?}");
            if y != 0 {
                assert!(quotient.unwrap().contains(x / y), "{x} / {y}: {a:?} {b:?}");
                assert!(remainder.unwrap().contains(x % y), "{x} % {y}: {a:?} {b:?}");
            }
        }
    });
}

#[test]
fn machine_operations_cover_the_concrete() {
    for_all_pairs(3, |ty, (a, xs), (b, ys)| {
        let results = [a.and(b, ty), a.or(b, ty), a.xor(b, ty), a.shl(b, ty), a.shr(b, ty), a.not(ty)];
        for (x, y) in pairs(xs, ys) {
            let shl = ty.shl(x, y).map_or(ty.min(), |shl| shl.value);
            let shr = ty.shr(x, y).unwrap_or(ty.max());
            let concrete = [ty.and(x, y), ty.or(x, y), ty.xor(x, y), shl, shr, ty.not(x)];
            for (operation, (result, value)) in results.iter().zip(concrete).enumerate() {
                assert!(result.contains(value), "{operation}: {x} {y} {ty} {a:?} {b:?} {result:?}");
            }
        }
    });
}

#[test]
fn wrapping_covers_the_concrete() {
    for lo in -40..=40 {
        for hi in lo..=40 {
            for (modulus, remainder) in [(1, 0), (2, 1), (3, 2), (8, 5), (12, 4)] {
                let Some(set) = Int::range(lo, hi).with_stride(modulus, remainder) else { continue };
                let xs = members(&set);
                for ty in TYPES {
                    let wrapped = set.wrap(ty);
                    assert!(wrapped.is_subset(&Int::of_type(ty)));
                    assert!(xs.iter().all(|x| wrapped.contains(ty.wrap(*x))), "{set:?} to {ty}");
                    let fits = xs.iter().map(|x| ty.wrap(*x) == *x);
                    assert!(agrees(set.fits(ty), fits), "{set:?} fits {ty}");
                }
            }
        }
    }
    let turned = Int::range(300, 305).wrap(IntType::U8);
    assert_eq!((turned.lo(), turned.hi()), (44, 49));
}

#[test]
fn lattice_operations_are_bounds() {
    for_all_pairs(4, |_, (a, xs), (b, ys)| {
        let (join, meet) = (a.join(b), a.meet(b));
        assert!(a.is_subset(&join) && b.is_subset(&join), "{a:?} {b:?}");
        assert!(xs.iter().chain(ys).all(|x| join.contains(*x)), "{a:?} {b:?}");
        for x in xs.iter().filter(|x| ys.contains(x)) {
            assert!(meet.is_some_and(|meet| meet.contains(*x)), "{a:?} {b:?}");
        }
        if a.is_subset(b) {
            assert!(xs.iter().all(|x| ys.contains(x)), "{a:?} {b:?}");
            assert_eq!(a.narrow(b), *a);
            assert_eq!(b.narrow(a), *a);
        }
        let widened = a.widen(b, &[-3, 5]);
        assert!(a.is_subset(&widened) && b.is_subset(&widened), "{a:?} {b:?}");
        assert!(b.is_subset(a) == (widened == *a), "{a:?} {b:?}");
    });
}

#[test]
fn widening_stops() {
    for (start, _) in sets(IntType::signed(4), 4) {
        for (step, _) in sets(IntType::signed(4), 2) {
            let mut state = start;
            let rounds = (0..100)
                .take_while(|_| {
                    let next = state.widen(&state.add(&step).join(&start), &[-100, 0, 77, 1000]);
                    std::mem::replace(&mut state, next) != next
                })
                .count();
            assert!(rounds < 20, "{start:?} by {step:?}");
        }
    }
}

#[test]
fn excluding_keeps_the_others() {
    for (a, xs) in sets(IntType::signed(4), 4) {
        for value in -9..=9 {
            let rest = a.exclude(value);
            assert!(xs.iter().filter(|x| **x != value).all(|x| rest.unwrap().contains(*x)), "{a:?} {value}");
            assert_eq!(rest.is_none(), xs == [value]);
            if a.lo() == value || a.hi() == value {
                assert!(rest.is_none_or(|rest| !rest.contains(value)));
            }
        }
    }
}

#[test]
fn comparisons_agree_and_refine() {
    for_all_pairs(3, |_, (a, xs), (b, ys)| {
        for op in COMPARISONS {
            let verdict = compare(op, a, b);
            assert!(agrees(verdict, pairs(xs, ys).map(|(x, y)| holds(op, x, y))), "{op:?} {a:?} {b:?}");
            let refined = refine(op, a, b);
            for (x, y) in pairs(xs, ys).filter(|(x, y)| holds(op, *x, *y)) {
                assert!(
                    refined.is_some_and(|(a, b)| a.contains(x) && b.contains(y)),
                    "{op:?} {x} {y} {a:?} {b:?}"
                );
            }
            if let Some((c, d)) = refined {
                assert!(c.is_subset(a) && d.is_subset(b), "{op:?} {a:?} {b:?}");
            }
            assert!(!verdict.is_false() || op == CompareOp::Ne || refined.is_none(), "{op:?} {a:?} {b:?}");
        }
    });
}

#[test]
fn overflow_verdicts_agree() {
    for_all_pairs(2, |ty, (a, xs), (b, ys)| {
        let verdict = |op| raises_overflow(op, a, b, ty);
        let all =
            |truth: &dyn Fn(i128, i128) -> bool| pairs(xs, ys).map(|(x, y)| truth(x, y)).collect::<Vec<_>>();
        assert!(agrees(verdict(BinaryOp::Add), all(&|x, y| ty.add(x, y).1)));
        assert!(agrees(verdict(BinaryOp::Sub), all(&|x, y| ty.sub(x, y).1)));
        assert!(agrees(verdict(BinaryOp::Mul), all(&|x, y| ty.mul(x, y).1)));
        let overflow = clew_base::int::DivError::Overflow;
        assert!(agrees(verdict(BinaryOp::Div), all(&|x, y| ty.div(x, y) == Err(overflow))));
        let shift = |x, y| match ty.shl(x, y) {
            Ok(shl) => ty.signed && (shl.negative || shl.lost),
            Err(_) => true,
        };
        assert!(agrees(raises_shift(BinaryOp::Shl, a, b, ty), all(&shift)), "{ty} {a:?} {b:?}");
        let right = raises_shift(BinaryOp::Shr, a, b, ty);
        assert!(agrees(right, all(&|x, y| ty.shr(x, y).is_err())));
        assert!(right != Tri::Maybe || ys.iter().any(|y| ty.shr(0, *y).is_err()), "imprecise");
    });
}

#[test]
fn counting_covers_the_concrete() {
    for ty in TYPES {
        for (a, xs) in sets(ty, 2) {
            for x in xs {
                assert!(a.clz(ty).contains(ty.clz(x).into()), "clz {a:?}");
                assert!(a.ctz(ty).contains(ty.ctz(x).into()), "ctz {a:?}");
                assert!(a.popcount(ty).contains(ty.popcount(x).into()), "popcount {a:?}");
                assert!(a.parity(ty).contains(ty.parity(x).into()), "parity {a:?}");
                assert!(a.ffs(ty).contains(ty.ffs(x).into()), "ffs {a:?}");
                assert!(a.clrsb(ty).contains(ty.clrsb(x).into()), "clrsb {a:?}");
            }
        }
    }
    assert_eq!(Int::constant(0x1234).bswap(IntType::U16).as_constant(), Some(0x3412));
}

#[test]
fn tri_is_kleene_logic() {
    let all = [Tri::True, Tri::False, Tri::Maybe];
    for a in all {
        assert_eq!(a.not().not(), a);
        for b in all {
            assert_eq!(a.and(b), b.and(a));
            assert_eq!(a.or(b).not(), a.not().and(b.not()));
            assert_eq!(a.join(b) == a, b == a || a == Tri::Maybe);
        }
    }
}

#[test]
fn masked_members_are_kept() {
    for_all_pairs(2, |ty, (a, xs), (result, rs)| {
        for mask in ty.min()..=ty.max() {
            let kept = a.masked_in(mask, result);
            for x in xs.iter().filter(|x| rs.contains(&(**x & mask))) {
                assert!(kept.is_some_and(|k| k.contains(*x)), "{x} & {mask}: {a:?} {result:?}");
            }
        }
    });
}
