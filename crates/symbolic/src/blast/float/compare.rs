// SPDX-License-Identifier: MIT OR Apache-2.0
//! Comparisons.

use super::layout::{Layout, unpack};
use crate::blast::gates::{Gates, Lit};
use crate::blast::word;
use crate::term::FloatRelation;

pub fn compare(gates: &mut Gates, layout: Layout, relation: FloatRelation, a: &[Lit], b: &[Lit]) -> Lit {
    let (a, b) = (unpack(gates, layout, a), unpack(gates, layout, b));
    let (nan_a, nan_b) = (a.no_number(gates), b.no_number(gates));
    let unordered = gates.or(nan_a, nan_b);
    let both_zero = gates.and(a.zero, b.zero);
    // Magnitudes order by exponent, then significand: also infinities, and the 80-bit values with two encodings.
    let magnitude_a = word::concat(&a.exponent, &a.significand);
    let magnitude_b = word::concat(&b.exponent, &b.significand);
    let less = {
        let below = gates.ult(&magnitude_a, &magnitude_b);
        let above = gates.ult(&magnitude_b, &magnitude_a);
        let same_sign = gates.mux(a.sign, above, below);
        let opposite = gates.xor(a.sign, b.sign);
        let other_sign = gates.and(a.sign, !both_zero);
        gates.mux(opposite, other_sign, same_sign)
    };
    let same = {
        let magnitudes = gates.eq(&magnitude_a, &magnitude_b);
        let signs = gates.iff(a.sign, b.sign);
        let same = gates.and(magnitudes, signs);
        gates.or(same, both_zero)
    };
    let holds = match relation {
        FloatRelation::Eq => same,
        FloatRelation::Lt => less,
        FloatRelation::Le => gates.or(less, same),
    };
    gates.and(holds, !unordered)
}
