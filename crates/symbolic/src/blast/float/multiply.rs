// SPDX-License-Identifier: MIT OR Apache-2.0
//! Products.

use clew_base::float::Rounding;

use super::layout::{Layout, Tie, choose, propagate, unpack};
use super::round::{Exact, round};
use crate::blast::gates::{Gates, Lit};
use crate::blast::word::{self, Word};

pub fn mul(gates: &mut Gates, layout: Layout, rounding: Rounding, a: &[Lit], b: &[Lit]) -> Word {
    let (a, b) = (unpack(gates, layout, a), unpack(gates, layout, b));
    let nan = propagate(gates, layout, &a, &b, Tie::First);
    let sign = gates.xor(a.sign, b.sign);
    let significand = product(gates, &a.significand, &b.significand);
    let width = layout.exponent_width();
    let sum = gates.add(&word::zext(&a.exponent, width), &word::zext(&b.exponent, width));
    // The top bit of the product is worth twice the product of the top bits.
    let exponent = gates.sub(&sum, &word::constant(width, layout.bias() - 1));
    let finite = round(gates, layout, rounding, Exact { sign, exponent, significand });
    let infinite = gates.or(a.infinite, b.infinite);
    let zero = gates.or(a.zero, b.zero);
    let invalid = gates.and(infinite, zero);
    let alternatives = [nan, (invalid, layout.default_nan()), (infinite, layout.infinity(sign))];
    choose(gates, &alternatives, finite)
}

/// The full product.
pub fn product(gates: &mut Gates, a: &[Lit], b: &[Lit]) -> Word {
    let length = a.len() + b.len();
    gates.mul(&word::zext(a, length), &word::zext(b, length))
}
