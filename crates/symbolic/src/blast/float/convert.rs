// SPDX-License-Identifier: MIT OR Apache-2.0
//! Conversions between formats, to and from integers, and to integral values.

use clew_base::float::Rounding;
use clew_base::int::IntType;

use super::layout::{Layout, Unpacked, choose, propagate_one, unpack};
use super::round::{Exact, round, rounds_up};
use crate::blast::gates::{Gates, Lit};
use crate::blast::word::{self, Word};

pub fn to_float(gates: &mut Gates, from: Layout, to: Layout, rounding: Rounding, a: &[Lit]) -> Word {
    let a = unpack(gates, from, a);
    let nan = converted_nan(gates, from, to, &a);
    let width = from.exponent_width().max(to.exponent_width());
    let unbiased = gates.sub(&word::zext(&a.exponent, width), &word::constant(width, from.bias()));
    let exponent = gates.add(&unbiased, &word::constant(width, to.bias()));
    let exact = Exact { sign: a.sign, exponent, significand: a.significand.clone() };
    let finite = round(gates, to, rounding, exact);
    choose(gates, &[nan, (a.infinite, to.infinity(a.sign))], finite)
}

/// A NaN keeps its sign and the leading bits of its payload.
fn converted_nan(gates: &mut Gates, from: Layout, to: Layout, a: &Unpacked) -> (Lit, Word) {
    let (is_nan, quiet) = propagate_one(gates, from, a);
    let payload = &quiet[..from.precision - 2];
    let room = to.precision - 2;
    let payload: Word = if room >= payload.len() {
        word::concat(payload, &word::constant(room - payload.len(), 0))
    } else {
        payload[payload.len() - room..].to_vec()
    };
    let fraction = word::concat(&[Lit::TRUE], &payload);
    let exponent = vec![Lit::TRUE; to.exponent_bits];
    (is_nan, to.assemble(gates, quiet[from.bits() - 1], &exponent, &fraction))
}

/// The truncated value, zero if it does not fit.
pub fn to_int(gates: &mut Gates, layout: Layout, ty: IntType, a: &[Lit]) -> Word {
    let a = unpack(gates, layout, a);
    let bits = usize::from(ty.bits);
    let length = bits.max(layout.precision);
    let width = layout.exponent_width().max(10);
    // Shifted right from the top by this much, the lowest bit is worth one.
    let top = word::constant(width, layout.bias() + length as u128 - 1);
    let distance = gates.sub(&top, &word::zext(&a.exponent, width));
    let beyond = distance[width - 1];
    let aligned = word::concat(&a.significand, &word::constant(length - layout.precision, 0));
    let magnitude = gates.shift_right(&aligned, &distance, Lit::FALSE);

    let too_large = if ty.signed {
        let above = gates.any(&magnitude[bits - 1..]);
        // The most negative value has no positive counterpart.
        let lower = gates.any(&magnitude[..bits - 1]);
        let higher = gates.any(&magnitude[bits..]);
        let not_least = gates.or(lower, higher);
        let negative = gates.and(above, not_least);
        gates.mux(a.sign, negative, above)
    } else {
        let above = gates.any(&magnitude[bits..]);
        let nonzero = gates.any(&magnitude);
        gates.mux(a.sign, nonzero, above)
    };
    let no_number = a.no_number(gates);
    let bad = gates.any(&[too_large, beyond, no_number, a.infinite]);
    let value = gates.neg_if(&magnitude[..bits], a.sign);
    gates.gate_word(!bad, &value)
}

pub fn from_int(gates: &mut Gates, layout: Layout, signed: bool, rounding: Rounding, a: &[Lit]) -> Word {
    let sign = if signed { a[a.len() - 1] } else { Lit::FALSE };
    let significand = gates.neg_if(a, sign);
    let width = layout.exponent_width().max(10);
    let exponent = word::constant(width, layout.bias() + a.len() as u128 - 1);
    round(gates, layout, rounding, Exact { sign, exponent, significand })
}

/// The nearest integral value. The fraction is shifted out, leaving a guard and a sticky bit, the integer is rounded
/// and packed again; what has no fraction stays.
pub fn integral(gates: &mut Gates, layout: Layout, rounding: Rounding, a: &[Lit]) -> Word {
    let a = unpack(gates, layout, a);
    let nan = propagate_one(gates, layout, &a);
    let width = layout.exponent_width();
    let top = word::constant(width, layout.bias() + layout.precision as u128 - 1);
    let fraction_bits = gates.sub(&top, &word::zext(&a.exponent, width));
    let whole = fraction_bits[width - 1];
    let shifted =
        gates.shift_right_sticky(&word::concat(&a.significand, &word::constant(2, 0)), &fraction_bits);
    let up = rounds_up(gates, rounding, a.sign, shifted[2], shifted[1], shifted[0]);
    let (integer, carry) = gates.increment_if(&shifted[2..], up);
    let significand = word::concat(&[carry], &integer);
    let exponent = word::constant(width, layout.bias() + layout.precision as u128);
    let rounded = round(gates, layout, rounding, Exact { sign: a.sign, exponent, significand });
    let same = gates.or(whole, a.infinite);
    choose(gates, &[nan, (same, a.bits.clone())], rounded)
}
