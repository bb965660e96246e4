// SPDX-License-Identifier: MIT OR Apache-2.0
//! Laws of the arithmetic that bounds rest on: intervals hold all results, and ends move no further than they must.

use clew_base::exact::Rational;
use clew_base::float::{Float, Format, Rounding};
use clew_precision::Interval;
use clew_precision::functions::Unary;
use clew_precision::rounding::rounding_error;
use proptest::prelude::*;

fn exact(x: f64) -> Rational {
    Float::from_f64(x).exact().unwrap_or(Rational::ZERO)
}

/// The number lies between the ends, compared as fractions.
fn holds(range: Interval, value: &Rational) -> bool {
    let below = range.lo == f64::NEG_INFINITY || exact(range.lo) <= *value;
    let above = range.hi == f64::INFINITY || *value <= exact(range.hi);
    below && above
}

/// A function of the host's.
type Host = fn(f64) -> f64;

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        -100.0..100.0,
        any::<f64>().prop_filter("finite", |x| x.is_finite()),
        prop::sample::select(vec![
            0.0,
            1.0,
            -1.0,
            0.5,
            f64::MAX,
            f64::MIN_POSITIVE,
            5e-324,
            1.0 + f64::EPSILON
        ]),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn results_of_points_lie_inside(a in number(), b in number()) {
        let (x, y) = (Interval::point(a), Interval::point(b));
        prop_assert!(holds(x.add(y), &(exact(a) + exact(b))));
        prop_assert!(holds(x.sub(y), &(exact(a) - exact(b))));
        prop_assert!(holds(x.mul(y), &(exact(a) * exact(b))));
        prop_assert!(holds(x.square(), &(exact(a) * exact(a))));
        if b != 0.0 {
            prop_assert!(holds(x.div(y), &(exact(a) / exact(b))));
        }
    }

    #[test]
    fn results_of_members_lie_inside(a in -50.0..50.0f64, b in -50.0..50.0f64, s in 0.0..1.0f64, t in 0.0..1.0f64, w in 0.0..9.0f64) {
        let (x, y) = (Interval::new(a, a + w), Interval::new(b, b + w));
        let (p, q) = ((a + w * s).clamp(x.lo, x.hi), (b + w * t).clamp(y.lo, y.hi));
        prop_assert!(holds(x.add(y), &(exact(p) + exact(q))));
        prop_assert!(holds(x.sub(y), &(exact(p) - exact(q))));
        prop_assert!(holds(x.mul(y), &(exact(p) * exact(q))));
        prop_assert!(!y.contains(0.0) || x.div(y) == Interval::WHOLE);
        if !y.contains(0.0) {
            prop_assert!(holds(x.div(y), &(exact(p) / exact(q))));
        }
    }

    #[test]
    fn exact_operations_do_not_move_ends(a in -1000i32..1000, b in -1000i32..1000) {
        let (x, y) = (Interval::point(f64::from(a)), Interval::point(f64::from(b)));
        prop_assert!(x.add(y).is_point() && x.mul(y).is_point());
    }

    #[test]
    fn rounding_moves_no_further_than_said(a in number()) {
        for format in [Format::F32, Format::F64, Format::F16] {
            let (rounded, _) = Float::from_exact(format, &exact(a), Rounding::NearestEven);
            let error = rounding_error(format, a.abs());
            let Some(rounded) = rounded.exact().filter(|_| error.is_finite()) else { continue };
            let distance = if rounded > exact(a) { rounded - exact(a) } else { exact(a) - rounded };
            prop_assert!(distance <= exact(error), "{format:?} {a:e}");
        }
    }

    #[test]
    fn functions_lie_inside(a in -20.0..20.0f64, w in 0.0..3.0f64, t in 0.0..1.0f64) {
        let x = Interval::new(a, a + w);
        let p = (a + w * t).clamp(x.lo, x.hi);
        let all: [(Unary, Host); 8] = [
            (Unary::Sin, f64::sin), (Unary::Cos, f64::cos), (Unary::Tan, f64::tan), (Unary::Atan, f64::atan),
            (Unary::Exp, f64::exp), (Unary::Log, f64::ln), (Unary::Tanh, f64::tanh), (Unary::Cosh, f64::cosh),
        ];
        for (function, host) in all {
            if let Some(range) = function.range(x) {
                prop_assert!(range.contains(host(p)), "{function:?}({p}) over {x:?}");
                // The mean value theorem with the slope's enclosure.
                let slope = function.slope(x, range);
                let bound = slope.mag() * (p - a).abs() * (1.0 + 1e-9) + 1e-9 * range.mag();
                prop_assert!((host(p) - host(a)).abs() <= bound, "{function:?} {a} {p}");
            }
        }
    }
}
