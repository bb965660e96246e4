// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arithmetic on `f64` with a known direction of rounding.
//!
//! The hardware rounds to nearest. An error-free transform says on which side of the exact result that is, so a bound
//! moves by one float only where the result is inexact: what is exact stays exact, and `0.5 * 0.5` is `[0.25, 0.25]`.
//! Near the underflow threshold the transform itself is inexact; there the bound always moves.

/// Below this a product's error term may be lost to underflow.
const TINY: f64 = 1e-270;

/// `a + b` rounded to nearest, and its error: `a + b = sum + error` exactly.
#[inline]
pub fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let shadow = sum - a;
    (sum, (a - (sum - shadow)) + (b - shadow))
}

/// `a * b` rounded to nearest, and its error where that can be told.
#[inline]
fn two_product(a: f64, b: f64) -> (f64, Option<f64>) {
    let product = a * b;
    if product == 0.0 && (a == 0.0 || b == 0.0) {
        return (0.0, Some(0.0));
    }
    if product.abs() < TINY || !product.is_finite() {
        return (product, None);
    }
    (product, Some(a.mul_add(b, -product)))
}

#[inline]
fn down(value: f64, error: Option<f64>) -> f64 {
    if value.is_nan() {
        return f64::NEG_INFINITY;
    }
    match error {
        Some(e) if e >= 0.0 => value,
        _ => value.next_down(),
    }
}

#[inline]
fn up(value: f64, error: Option<f64>) -> f64 {
    if value.is_nan() {
        return f64::INFINITY;
    }
    match error {
        Some(e) if e <= 0.0 => value,
        _ => value.next_up(),
    }
}

/// A float at most `a + b`.
#[inline]
pub fn add_down(a: f64, b: f64) -> f64 {
    let (sum, error) = two_sum(a, b);
    down(sum, Some(error))
}

/// A float at least `a + b`.
#[inline]
pub fn add_up(a: f64, b: f64) -> f64 {
    let (sum, error) = two_sum(a, b);
    up(sum, Some(error))
}

/// A float at most `a * b`.
#[inline]
pub fn mul_down(a: f64, b: f64) -> f64 {
    let (product, error) = two_product(a, b);
    down(product, error)
}

/// A float at least `a * b`.
#[inline]
pub fn mul_up(a: f64, b: f64) -> f64 {
    let (product, error) = two_product(a, b);
    up(product, error)
}

/// `a * b` to nearest and a bound of its error's size.
#[inline]
pub fn mul_with_error(a: f64, b: f64) -> (f64, f64) {
    if b.abs() == 1.0 {
        return (a * b, 0.0);
    }
    match two_product(a, b) {
        (product, Some(error)) => (product, error.abs()),
        (product, None) => (product, if product.is_finite() { f64::MIN_POSITIVE } else { f64::INFINITY }),
    }
}

/// `a / b` for `b != 0`: the quotient and the sign of what is missing.
#[inline]
fn quotient(a: f64, b: f64) -> (f64, Option<f64>) {
    let quotient = a / b;
    if a == 0.0 {
        return (0.0, Some(0.0));
    }
    if quotient.abs() < TINY || !quotient.is_finite() || a.abs() < TINY {
        return (quotient, None);
    }
    let rest = (-quotient).mul_add(b, a);
    (quotient, Some(if b > 0.0 { rest } else { -rest }))
}

/// A float at most `a / b`.
#[inline]
pub fn div_down(a: f64, b: f64) -> f64 {
    let (value, error) = quotient(a, b);
    down(value, error)
}

/// A float at least `a / b`.
#[inline]
pub fn div_up(a: f64, b: f64) -> f64 {
    let (value, error) = quotient(a, b);
    up(value, error)
}

/// A float at most the square root.
pub fn sqrt_down(a: f64) -> f64 {
    let root = a.sqrt();
    let error = if a == 0.0 { Some(0.0) } else { (a > TINY).then(|| (-root).mul_add(root, a)) };
    down(root, error).max(0.0)
}

/// A float at least the square root.
pub fn sqrt_up(a: f64) -> f64 {
    let root = a.sqrt();
    let error = if a == 0.0 { Some(0.0) } else { (a > TINY).then(|| (-root).mul_add(root, a)) };
    up(root, error)
}
