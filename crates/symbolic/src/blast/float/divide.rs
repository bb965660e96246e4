// SPDX-License-Identifier: MIT OR Apache-2.0
//! Quotients and square roots, digit by digit.

use clew_base::float::Rounding;

use super::layout::{Layout, Tie, choose, propagate, propagate_one, unpack};
use super::round::{Exact, round};
use crate::blast::gates::{Gates, Lit};
use crate::blast::word::{self, Word};

pub fn div(gates: &mut Gates, layout: Layout, rounding: Rounding, a: &[Lit], b: &[Lit]) -> Word {
    let (a, b) = (unpack(gates, layout, a), unpack(gates, layout, b));
    let nan = propagate(gates, layout, &a, &b, Tie::Second);
    let sign = gates.xor(a.sign, b.sign);
    let (exponent_a, significand_a) = a.normalised(gates, layout);
    let (exponent_b, significand_b) = b.normalised(gates, layout);
    let significand = quotient(gates, &significand_a, &significand_b);
    let difference = gates.sub(&exponent_a, &exponent_b);
    let exponent = gates.add(&difference, &word::constant(difference.len(), layout.bias()));
    let finite = round(gates, layout, rounding, Exact { sign, exponent, significand });
    let both_infinite = gates.and(a.infinite, b.infinite);
    let both_zero = gates.and(a.zero, b.zero);
    let invalid = gates.or(both_infinite, both_zero);
    let infinite = gates.or(a.infinite, b.zero);
    let zero = gates.or(a.zero, b.infinite);
    let alternatives =
        [nan, (invalid, layout.default_nan()), (infinite, layout.infinity(sign)), (zero, layout.zero(sign))];
    choose(gates, &alternatives, finite)
}

/// `a / b` of two significands with their top bits set, to two more bits than they have; the top bit is worth one,
/// and a sticky bit is added below.
fn quotient(gates: &mut Gates, a: &[Lit], b: &[Lit]) -> Word {
    let length = a.len() + 1;
    let divisor = word::zext(b, length);
    let mut rest = word::zext(a, length);
    let mut digits = Vec::new();
    for _ in 0..a.len() + 2 {
        let (difference, fits) = gates.sub_borrow(&rest, &divisor);
        let kept = gates.mux_word(fits, &difference, &rest);
        digits.push(fits);
        // What is kept is less than the divisor, so its top bit is clear and may be shifted out.
        rest = word::concat(&kept[..length - 1], &[Lit::FALSE]);
    }
    digits.push(gates.any(&rest));
    digits.reverse();
    digits
}

pub fn sqrt(gates: &mut Gates, layout: Layout, rounding: Rounding, a: &[Lit]) -> Word {
    let a = unpack(gates, layout, a);
    let nan = propagate_one(gates, layout, &a);
    let (exponent, significand) = a.normalised(gates, layout);
    let width = exponent.len();
    let unbiased = gates.sub(&exponent, &word::constant(width, layout.bias()));
    let half = word::sext(&unbiased[1..], width);
    let exponent = gates.add(&half, &word::constant(width, layout.bias()));
    let significand = root(gates, &significand, unbiased[0]);
    let finite = round(gates, layout, rounding, Exact { sign: Lit::FALSE, exponent, significand });
    let same = gates.or(a.zero, a.infinite);
    let invalid = gates.and(a.sign, !a.zero);
    let alternatives = [nan, (invalid, layout.default_nan()), (same, a.bits.clone())];
    choose(gates, &alternatives, finite)
}

/// The square root of a significand with its top bit set, read as a number in [1, 2), doubled first if `odd`; to two
/// more bits than it has, and a sticky bit below. The top bit is worth one.
fn root(gates: &mut Gates, significand: &[Lit], odd: Lit) -> Word {
    // Two bits before the point, then pairs of fraction bits, highest first.
    let single = word::zext(significand, significand.len() + 1);
    let double = word::concat(significand, &[Lit::FALSE]);
    let radicand = gates.mux_word(odd, &double, &single);
    let mut bits = radicand.iter().rev().copied().chain(std::iter::repeat(Lit::FALSE));
    let mut digits: Word = Vec::new();
    let mut rest: Word = Vec::new();
    for step in 0..significand.len() + 2 {
        let pair = [bits.next().unwrap_or(Lit::FALSE), bits.next().unwrap_or(Lit::FALSE)];
        // Before step `n` the root has `n` bits and the rest is at most twice the root.
        let length = step + 3;
        let longer = word::zext(&word::concat(&rest, &[pair[1], pair[0]]), length);
        let root: Word = digits.iter().rev().copied().collect();
        let trial = word::zext(&word::concat(&root, &[Lit::TRUE, Lit::FALSE]), length);
        let (difference, fits) = gates.sub_borrow(&longer, &trial);
        rest = gates.mux_word(fits, &difference, &longer);
        rest.truncate(step + 2);
        digits.push(fits);
    }
    digits.push(gates.any(&rest));
    digits.reverse();
    digits
}
