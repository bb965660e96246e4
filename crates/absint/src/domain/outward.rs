// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arithmetic of bounds: results that are exact stay as they are, others go outward by one step.
//!
//! A bound that moved at every operation would never come to rest in a loop, so that the error of a rounded sum or
//! product is computed (Dekker, Knuth) and only its sign is used.

/// Products below this may have an error that no `f64` holds.
const SMALLEST_SURE: f64 = 1e-280;

/// `a + b`, not below it. Infinity is no bound at all.
pub(crate) fn add_up(a: f64, b: f64) -> f64 {
    let sum = a + b;
    if !sum.is_finite() {
        // Minus infinity comes from finite parts only by rounding.
        return if sum == f64::NEG_INFINITY && a.is_finite() && b.is_finite() {
            f64::MIN
        } else {
            sum_of_infinite(a, b)
        };
    }
    let part = sum - a;
    let error = (a - (sum - part)) + (b - part);
    if error > 0.0 || error.is_nan() { sum.next_up() } else { sum }
}

/// Some infinity is in it, or it overflowed upward: no upper bound is known, unless a part is minus infinity.
fn sum_of_infinite(a: f64, b: f64) -> f64 {
    let is_below = |x: f64| x == f64::NEG_INFINITY;
    if (is_below(a) && b < f64::INFINITY) || (is_below(b) && a < f64::INFINITY) {
        f64::NEG_INFINITY
    } else {
        f64::INFINITY
    }
}

/// `a + b`, not above it.
pub(crate) fn add_down(a: f64, b: f64) -> f64 {
    -add_up(-a, -b)
}

/// `a * b` of finite numbers, not below it.
pub(crate) fn mul_up(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 {
        return 0.0;
    }
    let product = a * b;
    if !product.is_finite() {
        return if product == f64::NEG_INFINITY { f64::MIN } else { f64::INFINITY };
    }
    if product.abs() < SMALLEST_SURE {
        return product.next_up();
    }
    if a.mul_add(b, -product) > 0.0 { product.next_up() } else { product }
}

/// `a * b` of finite numbers, not above it.
pub(crate) fn mul_down(a: f64, b: f64) -> f64 {
    -mul_up(-a, b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_results_stay_and_others_go_outward() {
        assert_eq!(add_up(1.5, 2.25), 3.75);
        assert_eq!(mul_up(3.0, 0.5), 1.5);
        assert!(add_up(1.0, 1e-30) > 1.0 && add_down(1.0, 1e-30) == 1.0);
        assert!(add_down(1.0, -1e-30) < 1.0 && add_up(1.0, -1e-30) == 1.0);
        assert!(mul_up(0.1, 0.1) > mul_down(0.1, 0.1));
        assert_eq!(mul_up(0.1, 0.1).next_down(), mul_down(0.1, 0.1));
        assert!(mul_up(1e-200, 1e-200) > 0.0 && mul_down(1e-200, 1e-200) <= 0.0);
    }

    #[test]
    fn what_overflows_is_no_bound() {
        assert_eq!(add_up(f64::MAX, f64::MAX), f64::INFINITY);
        assert_eq!(add_up(-f64::MAX, -f64::MAX), f64::MIN);
        assert_eq!(add_up(f64::INFINITY, f64::NEG_INFINITY), f64::INFINITY);
        assert_eq!(add_up(f64::NEG_INFINITY, 1.0), f64::NEG_INFINITY);
        assert_eq!(mul_up(-1e200, 1e200), f64::MIN);
    }
}
