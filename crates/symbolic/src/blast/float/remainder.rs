// SPDX-License-Identifier: MIT OR Apache-2.0
//! C's `fmod`, exact.
//!
//! Long division would take as many steps as the exponents are apart, 32,000 for `long double`. Instead, the
//! remainder of `a * 2^d` by `b` is found by modular arithmetic: `2^d mod b` by squaring and doubling, one square for
//! each bit of `d`, then one product. Still the largest circuit of all: some 300,000 gates for `double`.

use clew_base::float::Rounding;

use super::layout::{Layout, Tie, choose, propagate, unpack};
use super::round::{Exact, round};
use crate::blast::gates::{Gates, Lit};
use crate::blast::word::{self, Word};

pub fn rem(gates: &mut Gates, layout: Layout, a: &[Lit], b: &[Lit]) -> Word {
    let (a, b) = (unpack(gates, layout, a), unpack(gates, layout, b));
    let nan = propagate(gates, layout, &a, &b, Tie::First);
    let (exponent_a, significand_a) = a.normalised(gates, layout);
    let (exponent_b, significand_b) = b.normalised(gates, layout);
    let distance = gates.sub(&exponent_a, &exponent_b);
    let less = distance[distance.len() - 1];
    // Exponents of subnormal values reach below the field by the precision.
    let distance = &distance[..layout.exponent_bits + 1];
    let power = power_of_two(gates, distance, &significand_b);
    let start = reduce_once(gates, &word::zext(&significand_a, significand_a.len() + 1), &significand_b);
    let rest = multiply(gates, &start, &power, &significand_b);
    let significand = gates.mux_word(less, &significand_a, &rest);
    let exponent = gates.mux_word(less, &exponent_a, &exponent_b);
    let exact = Exact { sign: a.sign, exponent, significand };
    let finite = round(gates, layout, Rounding::TowardZero, exact);
    let itself = {
        let exponent = exponent_a.clone();
        let exact = Exact { sign: a.sign, exponent, significand: significand_a.clone() };
        round(gates, layout, Rounding::TowardZero, exact)
    };
    let invalid = gates.or(a.infinite, b.zero);
    let alternatives = [nan, (invalid, layout.default_nan()), (a.zero, a.bits.clone()), (b.infinite, itself)];
    choose(gates, &alternatives, finite)
}

/// `2^exponent` modulo a word with its top bit set.
fn power_of_two(gates: &mut Gates, exponent: &[Lit], modulus: &[Lit]) -> Word {
    let length = modulus.len();
    // As long as the power is below the top bit of the modulus, it needs no reduction.
    let direct = ((length - 1).ilog2() as usize).min(exponent.len());
    let (rest, first) = exponent.split_at(exponent.len() - direct);
    let mut power = gates.shl(&word::constant(length, 1), first);
    for &bit in rest.iter().rev() {
        let square = multiply(gates, &power.clone(), &power, modulus);
        let doubled = word::concat(&square, &[Lit::FALSE]);
        let doubled = reduce_once(gates, &doubled, modulus);
        power = gates.mux_word(bit, &doubled, &square);
    }
    power
}

/// `a * b` modulo a word, for `a` below it: doubled and added, reduced each time.
fn multiply(gates: &mut Gates, a: &[Lit], b: &[Lit], modulus: &[Lit]) -> Word {
    let length = modulus.len() + 1;
    let mut sum = word::constant(modulus.len(), 0);
    for &bit in b.iter().rev() {
        let doubled = word::concat(&sum, &[Lit::FALSE]);
        let doubled = reduce_once(gates, &doubled, modulus);
        let row = gates.gate_word(bit, a);
        let more = gates.add(&word::zext(&doubled, length), &word::zext(&row, length));
        sum = reduce_once(gates, &more, modulus);
    }
    sum
}

/// A number below twice the modulus, one bit longer than it, modulo it.
fn reduce_once(gates: &mut Gates, a: &[Lit], modulus: &[Lit]) -> Word {
    let (difference, fits) = gates.sub_borrow(a, &word::zext(modulus, a.len()));
    let mut rest = gates.mux_word(fits, &difference, a);
    rest.truncate(modulus.len());
    rest
}
