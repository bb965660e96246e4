// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sums and differences.

use clew_base::float::Rounding;

use super::layout::{Layout, Tie, Unpacked, choose, propagate, unpack};
use super::round::{Exact, round};
use crate::blast::gates::{Gates, Lit};
use crate::blast::word::{self, Word};

pub fn add(gates: &mut Gates, layout: Layout, rounding: Rounding, a: &[Lit], b: &[Lit]) -> Word {
    let (a, b) = (unpack(gates, layout, a), unpack(gates, layout, b));
    let nan = propagate(gates, layout, &a, &b, Tie::First);
    let sum = add_numbers(gates, layout, rounding, &a, &b);
    choose(gates, &[nan], sum)
}

pub fn sub(gates: &mut Gates, layout: Layout, rounding: Rounding, a: &[Lit], b: &[Lit]) -> Word {
    let (a, b) = (unpack(gates, layout, a), unpack(gates, layout, b));
    // A NaN keeps its sign under subtraction.
    let nan = propagate(gates, layout, &a, &b, Tie::Second);
    let negated = b.with_sign(!b.sign);
    let sum = add_numbers(gates, layout, rounding, &a, &negated);
    choose(gates, &[nan], sum)
}

fn add_numbers(gates: &mut Gates, layout: Layout, rounding: Rounding, a: &Unpacked, b: &Unpacked) -> Word {
    let width = layout.exponent_width();
    let number = |x: &Unpacked| Addend {
        sign: x.sign,
        exponent: word::zext(&x.exponent, width),
        significand: x.significand.clone(),
    };
    let (number_a, number_b) = (number(a), number(b));
    let swap = is_less(gates, &number_a, &number_b);
    let finite = sum(gates, layout, rounding, [number_a, number_b], swap);
    let opposite = gates.xor(a.sign, b.sign);
    let both = gates.and(a.infinite, b.infinite);
    let invalid = gates.and(both, opposite);
    let alternatives =
        [(invalid, layout.default_nan()), (a.infinite, a.bits.clone()), (b.infinite, b.bits.clone())];
    choose(gates, &alternatives, finite)
}

/// A term of a sum: the biased exponent, a signed word, is that of the significand's top bit.
pub struct Addend {
    pub sign: Lit,
    pub exponent: Word,
    pub significand: Word,
}

/// Whether the first is less in magnitude: by exponents, then by significands. True of normalised numbers, and of
/// subnormal ones with the smallest exponent.
pub fn is_less(gates: &mut Gates, a: &Addend, b: &Addend) -> Lit {
    let key = |x: &Addend| word::concat(&x.exponent, &x.significand);
    gates.slt(&key(a), &key(b))
}

/// The rounded sum of two numbers of which `swap` says that the second is larger.
///
/// The smaller one is shifted right, with three more bits, the last of them sticky: enough, since a difference
/// that loses more than one leading bit is of numbers whose exponents differ by at most one, and exact.
pub fn sum(gates: &mut Gates, layout: Layout, rounding: Rounding, addends: [Addend; 2], swap: Lit) -> Word {
    let [a, b] = addends;
    let opposite = gates.xor(a.sign, b.sign);
    let large_exponent = gates.mux_word(swap, &b.exponent, &a.exponent);
    let small_exponent = gates.mux_word(swap, &a.exponent, &b.exponent);
    let large = gates.mux_word(swap, &b.significand, &a.significand);
    let small = gates.mux_word(swap, &a.significand, &b.significand);
    let large_sign = gates.mux(swap, b.sign, a.sign);

    let below = word::constant(3, 0);
    let distance = gates.sub(&large_exponent, &small_exponent);
    let small = gates.shift_right_sticky(&word::concat(&small, &below), &distance);
    let length = small.len() + 1;
    let (large, small) = (word::zext(&word::concat(&large, &below), length), word::zext(&small, length));
    let small: Word = small.iter().map(|&bit| gates.xor(bit, opposite)).collect();
    let (significand, _) = gates.add_carry(&large, &small, opposite);

    let nonzero = gates.any(&significand);
    // An exact zero of opposite terms is positive, or negative if rounding goes down.
    let zero_sign = gates.mux(opposite, Lit::constant(rounding == Rounding::Down), a.sign);
    let sign = gates.mux(nonzero, large_sign, zero_sign);
    let (exponent, _) = gates.increment_if(&large_exponent, Lit::TRUE);
    round(gates, layout, rounding, Exact { sign, exponent, significand })
}
