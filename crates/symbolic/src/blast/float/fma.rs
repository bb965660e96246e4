// SPDX-License-Identifier: MIT OR Apache-2.0
//! Fused multiply and add: the exact product, twice as long as a significand, enters the sum.

use clew_base::float::{Format, Rounding};

use super::add::{Addend, is_less, sum};
use super::layout::{Layout, Tie, Unpacked, choose, propagate, propagate_one, unpack};
use super::multiply::product;
use crate::blast::gates::{Gates, Lit};
use crate::blast::word::{self, Word};

pub fn fma(gates: &mut Gates, layout: Layout, rounding: Rounding, operands: [&[Lit]; 3]) -> Word {
    let [a, b, c] = operands.map(|bits| unpack(gates, layout, bits));
    let sign = gates.xor(a.sign, b.sign);
    let infinite = gates.or(a.infinite, b.infinite);
    let zero = gates.or(a.zero, b.zero);
    let no_product = gates.and(infinite, zero);
    let nan = nan(gates, layout, [&a, &b, &c], no_product);
    let finite = finite(gates, layout, rounding, [&a, &b, &c], (sign, zero));
    let opposite = gates.xor(sign, c.sign);
    let both = gates.and(infinite, c.infinite);
    let invalid = gates.and(both, opposite);
    let alternatives = [
        nan,
        (invalid, layout.default_nan()),
        (infinite, layout.infinity(sign)),
        (c.infinite, c.bits.clone()),
    ];
    choose(gates, &alternatives, finite)
}

/// The rounded sum of the product and `c`. All are normalised first: with leading zeros in the product, the bits
/// that the addend loses could be ones that count.
fn finite(
    gates: &mut Gates,
    layout: Layout,
    rounding: Rounding,
    [a, b, c]: [&Unpacked; 3],
    (sign, zero): (Lit, Lit),
) -> Word {
    let (exponent_a, significand_a) = a.normalised(gates, layout);
    let (exponent_b, significand_b) = b.normalised(gates, layout);
    let (exponent_c, significand_c) = c.normalised(gates, layout);
    let width = layout.exponent_width();
    let long = product(gates, &significand_a, &significand_b);
    let carried = long[long.len() - 1];
    let shifted = word::concat(&long[..long.len() - 1], &[Lit::FALSE]);
    let significand = gates.mux_word(carried, &long, &shifted);
    let exponent = gates.add(&exponent_a, &exponent_b);
    let exponent = gates.sub(&exponent, &word::constant(width, layout.bias()));
    let (exponent, _) = gates.increment_if(&exponent, carried);
    let product = Addend { sign, exponent, significand };
    let below = word::constant(layout.precision, 0);
    let addend =
        Addend { sign: c.sign, exponent: exponent_c, significand: word::concat(&significand_c, &below) };
    // The exponent of a zero says nothing: it is the smaller one in any case.
    let less = is_less(gates, &product, &addend);
    let less = gates.or(less, zero);
    let swap = gates.and(less, !c.zero);
    sum(gates, layout, rounding, [product, addend], swap)
}

/// The NaN that comes out, if one does. The hardware looks at the second factor first and lets a NaN addend hide a
/// product without value; the others multiply, then add.
fn nan(gates: &mut Gates, layout: Layout, [a, b, c]: [&Unpacked; 3], no_product: Lit) -> (Lit, Word) {
    let of_c = propagate_one(gates, layout, c);
    let hardware = matches!(layout.format, Format::F16 | Format::F32 | Format::F64);
    let (is_nan, product) = if hardware {
        let (factors, chosen) = propagate(gates, layout, b, a, Tie::First);
        let is_nan = gates.or(factors, of_c.0);
        (is_nan, gates.mux_word(factors, &chosen, &of_c.1))
    } else {
        propagate(gates, layout, a, b, Tie::First)
    };
    let product = gates.mux_word(is_nan, &product, &layout.default_nan());
    let is_nan = gates.or(is_nan, no_product);
    let unpacked = unpack(gates, layout, &product);
    let (_, sum) = propagate(gates, layout, &unpacked, c, Tie::First);
    let result = gates.mux_word(is_nan, &sum, &of_c.1);
    (gates.or(is_nan, of_c.0), result)
}
