// SPDX-License-Identifier: MIT OR Apache-2.0
//! Examples 2 to 5 of the paper, and the laws that every representation obeys: what its operands hold, its results hold.

use proptest::prelude::*;

use super::affine::Affine;
use super::classical::Classical;
use super::extended::Extended;
use super::{Range, Symbols};
use crate::interval::Interval;

/// Half a step of three decimal digits.
fn decimal_half() -> Interval {
    Interval::symmetric(0.0005)
}

#[test]
fn example_2_classical_intervals_forget_that_it_is_the_same_error() {
    let mut symbols = Symbols::default();
    let t = Classical::source(decimal_half(), &mut symbols);
    assert_eq!(t.sub(&t).bounds(), Interval::symmetric(0.001));
}

#[test]
fn example_3_affine_intervals_do_not() {
    let mut symbols = Symbols::default();
    let t = Affine::source(decimal_half(), &mut symbols);
    assert_eq!(t.sub(&t).bounds(), Interval::ZERO);
}

#[test]
fn example_4_a_nonlinear_result_used_twice() {
    let mut symbols = Symbols::default();
    let x = Affine::source(Interval::UNIT, &mut symbols);
    let y = x.mul(&x, &mut symbols);
    assert_eq!(y.sub(&y).bounds(), Interval::ZERO);
    let t = x.mul(&x, &mut symbols).sub(&x.mul(&x, &mut symbols));
    assert_eq!(t.bounds(), Interval::symmetric(2.0));
    let x = Extended::source(Interval::UNIT, &mut symbols);
    let y = x.mul(&x, &mut symbols);
    assert_eq!(y.sub(&y).bounds(), Interval::symmetric(2.0));
}

#[test]
fn examples_5_and_6_sums_of_inputs() {
    let mut symbols = Symbols::default();
    let x = Extended::source(Interval::new(0.0, 2.0), &mut symbols);
    let y = Extended::source(Interval::new(1.0, 3.0), &mut symbols);
    assert_eq!(x.add(&y).bounds(), Interval::new(1.0, 5.0));
    let error = Interval::symmetric(2f64.powi(-9));
    let (p, q) = (Extended::source(error, &mut symbols), Extended::source(error, &mut symbols));
    assert_eq!(p.add(&q).bounds(), Interval::symmetric(2f64.powi(-8)));
}

/// Two forms that share nothing but a symbol, joined, must not claim to depend on it.
#[test]
fn a_union_claims_no_dependence_that_one_side_lacks() {
    let mut symbols = Symbols::default();
    let e = Affine::source(Interval::UNIT, &mut symbols);
    let minus = Affine::constant(Interval::ZERO).sub(&e);
    let joined = e.join(&minus, &mut symbols);
    assert!(joined.add(&e).bounds().encloses(Interval::symmetric(2.0)));
}

/// Evaluates one random expression in a representation and in numbers.
fn holds<R: Range>(program: &[(u8, usize, usize)], inputs: &[(f64, f64, f64)]) -> Result<(), TestCaseError> {
    let mut symbols = Symbols::default();
    let mut ranges: Vec<R> = Vec::new();
    let mut numbers: Vec<f64> = Vec::new();
    for (low, width, at) in inputs {
        let range = Interval::new(*low, low + width);
        ranges.push(R::source(range, &mut symbols));
        numbers.push((low + width * at).clamp(range.lo, range.hi));
    }
    for (op, a, b) in program {
        let (a, b) = (a % ranges.len(), b % ranges.len());
        let (x, y) = (numbers[a], numbers[b]);
        let (left, right) = (ranges[a].clone(), ranges[b].clone());
        let made = match op % 7 {
            0 => Some((left.add(&right), x + y)),
            1 => Some((left.sub(&right), x - y)),
            2 => Some((left.mul(&right, &mut symbols), x * y)),
            3 => Some((left.scale(Interval::point(-0.75)), -0.75 * x)),
            4 => Some((left.join(&right, &mut symbols), if y > 0.0 { x } else { y })),
            5 => right.reciprocal(&mut symbols).map(|r| (r, 1.0 / y)),
            _ => left.sqrt(&mut symbols).map(|r| (r, x.sqrt())),
        };
        let Some((range, number)) = made else { continue };
        let bounds = range.bounds();
        // The numbers are rounded, too.
        let slack = 1e-9 * number.abs().max(1.0);
        prop_assert!(
            bounds.lo - slack <= number && number <= bounds.hi + slack,
            "{} {number} {bounds:?}",
            R::NAME
        );
        if number.abs() < 1e6 && bounds.magnitude() < 1e9 {
            ranges.push(range);
            numbers.push(number);
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn results_hold_the_results(
        program in prop::collection::vec((0u8..7, 0usize..16, 0usize..16), 1..16),
        inputs in prop::collection::vec((-4.0f64..4.0, 0.0f64..2.0, 0.0f64..=1.0), 1..4),
    ) {
        holds::<Classical>(&program, &inputs)?;
        holds::<Affine>(&program, &inputs)?;
        holds::<Extended>(&program, &inputs)?;
    }

    #[test]
    fn intervals_enclose_exact_arithmetic(a in -1e6f64..1e6, b in -1e6f64..1e6, c in -1e3f64..1e3, d in 0.001f64..1e3) {
        use clew_base::exact::Rational;
        let exact = |x: f64| Rational::try_from(x).unwrap();
        let inside = |i: Interval, q: Rational| exact(i.lo) <= q && q <= exact(i.hi);
        let (x, y) = (Interval::point(a), Interval::new(c, c + d));
        prop_assert!(inside(x + Interval::point(b), exact(a) + exact(b)));
        prop_assert!(inside(x * y, exact(a) * exact(y.hi)) && inside(x * y, exact(a) * exact(y.lo)));
        prop_assert!(inside(x - y, exact(a) - exact(y.hi)));
        if let Some(q) = x.checked_div(y) {
            prop_assert!(inside(q, exact(a) / exact(y.lo)) && inside(q, exact(a) / exact(y.hi)));
        }
        let root = Interval::point(a.abs()).sqrt().unwrap();
        prop_assert!(exact(root.lo) * exact(root.lo) <= exact(a.abs()) && exact(a.abs()) <= exact(root.hi) * exact(root.hi));
    }
}
