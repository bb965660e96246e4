// SPDX-License-Identifier: MIT OR Apache-2.0
//! Laws of spaces, on random points of small ones.

use crate::domain::affine::*;

fn space(bits: u32) -> Space {
    Space::whole((0..3).map(LocalId).collect(), bits)
}

fn form(terms: [u64; 3], constant: u64) -> Form {
    Form { terms: terms.to_vec(), constant }
}

/// A space around some points.
fn around(points: &[[u64; 3]]) -> Space {
    let single = |point: &[u64; 3]| {
        let mut one = space(8);
        for (at, value) in point.iter().enumerate() {
            one.assign(LocalId(at as u32), Some(&form([0; 3], *value)));
        }
        one
    };
    let spaces: Vec<Space> = points.iter().map(single).collect();
    spaces[1..].iter().fold(spaces[0].clone(), |all, one| all.join(one))
}

fn random(rng: &mut fastrand::Rng) -> [u64; 3] {
    let shift = rng.u32(0..7);
    [0; 3].map(|_| (rng.u64(0..256) << shift) & 255)
}

#[test]
fn odd_numbers_have_an_inverse() {
    for odd in [1u64, 3, 5, 255, u64::MAX, 0x1234_5671] {
        assert_eq!(odd.wrapping_mul(inverse(odd)), 1);
    }
}

#[test]
fn what_is_counted_down_and_up_keeps_its_sum() {
    // n - x and y grow together.
    let hull = around(&[[100, 100, 0], [100, 99, 1], [100, 98, 2]]);
    assert_eq!(hull.value(&form([0, 1, 1], 0)), Some(100));
    assert!(hull.contains(&vec![100, 0, 100]) && !hull.contains(&vec![100, 0, 99]));
}

#[test]
fn joins_hold_both_and_all_between() {
    let mut rng = fastrand::Rng::with_seed(7);
    for _ in 0..2000 {
        let points = [random(&mut rng), random(&mut rng), random(&mut rng)];
        let hull = around(&points);
        assert!(points.iter().all(|p| hull.contains(&p.to_vec())), "{points:?}");
        let (i, j) = (rng.u64(..), rng.u64(..));
        let between: Vec<u64> = (0..3)
            .map(|at| {
                let along = |k: u64, to: usize| k.wrapping_mul(points[to][at].wrapping_sub(points[0][at]));
                points[0][at].wrapping_add(along(i, 1)).wrapping_add(along(j, 2)) & 255
            })
            .collect();
        assert!(hull.contains(&between), "{between:?} of {points:?}");
        let more = hull.join(&around(&[random(&mut rng)]));
        assert!(hull.is_subset(&more));
    }
}

#[test]
fn assignments_follow_every_point() {
    let mut rng = fastrand::Rng::with_seed(8);
    for _ in 0..2000 {
        let points = [random(&mut rng), random(&mut rng)];
        let mut hull = around(&points);
        let sum = form(random(&mut rng), rng.u64(0..256));
        let at = rng.usize(0..3);
        let any = rng.bool();
        hull.assign(LocalId(at as u32), (!any).then_some(&sum));
        for point in points {
            let mut after = point.to_vec();
            after[at] = if any { rng.u64(0..256) } else { hull.at(&sum, &point.to_vec()) };
            assert!(hull.contains(&after), "{after:?}");
        }
    }
}

#[test]
fn restrictions_keep_every_point_that_meets_them() {
    let mut rng = fastrand::Rng::with_seed(9);
    for _ in 0..2000 {
        let points = [random(&mut rng), random(&mut rng), random(&mut rng)];
        let mut hull = around(&points);
        let mut zero = form(random(&mut rng), 0);
        zero.constant = hull.along(&zero, &points[0].to_vec()).wrapping_neg();
        hull.restrict(&zero);
        for point in points.iter().map(|p| p.to_vec()).filter(|p| hull.at(&zero, p) == 0) {
            assert!(hull.contains(&point), "{point:?} {zero:?}");
        }
    }
}

#[test]
fn values_are_those_of_every_point() {
    let mut rng = fastrand::Rng::with_seed(10);
    for _ in 0..2000 {
        let points = [random(&mut rng), random(&mut rng)];
        let hull = around(&points);
        let sum = form([1, 2, 255], rng.u64(0..256));
        if let Some(value) = hull.value(&sum) {
            assert!(points.iter().all(|p| hull.at(&sum, &p.to_vec()) == value));
        }
    }
}

#[test]
fn a_subset_has_no_point_that_the_other_has_not() {
    let mut rng = fastrand::Rng::with_seed(11);
    for _ in 0..2000 {
        let points = [random(&mut rng), random(&mut rng), random(&mut rng)];
        let (small, large) = (around(&points[..2]), around(&points[rng.usize(0..2)..]));
        if small.is_subset(&large) {
            assert!(points[..2].iter().all(|p| large.contains(&p.to_vec())), "{points:?}");
        }
        assert!(points[0] == points[1] || !small.is_subset(&around(&points[..1])), "{points:?}");
    }
}

#[test]
fn what_is_forgotten_may_be_anything() {
    let mut rng = fastrand::Rng::with_seed(12);
    for _ in 0..500 {
        let points = [random(&mut rng), random(&mut rng)];
        let mut spaces = Spaces::default();
        spaces.put(around(&points));
        let at = rng.usize(0..3);
        spaces.forget(LocalId(at as u32));
        let mut after = points[0].to_vec();
        after[at] = rng.u64(0..256);
        assert!(spaces.iter().all(|space| space.contains(&after)), "{after:?}");
    }
}
