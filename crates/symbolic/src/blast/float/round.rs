// SPDX-License-Identifier: MIT OR Apache-2.0
//! The one place where circuits round.

use clew_base::float::{Float, Rounding};

use super::layout::Layout;
use crate::blast::gates::{Gates, Lit};
use crate::blast::word::{self, Word};

/// A magnitude on its way into a format: `significand`, whose lowest bit may be sticky, with the leading bit at the
/// top or below; `exponent` is the biased exponent of the top bit, a signed word.
pub struct Exact {
    pub sign: Lit,
    pub exponent: Word,
    pub significand: Word,
}

/// Rounds a magnitude (zero stays zero) into a format.
///
/// First the leading bit is brought to the top, but not beyond where the exponent field would become zero: left by
/// the leading zeros or what the exponent allows, or right if the exponent is too small already. Then the bits
/// above the guard bit are incremented or not, together with the exponent, so that a carry does the right thing: a
/// subnormal becomes normal, a full significand the next power of two.
pub fn round(gates: &mut Gates, layout: Layout, rounding: Rounding, value: Exact) -> Word {
    let precision = layout.precision;
    let Exact { sign, exponent, significand } = value;
    let mut significand = pad_below(&significand, precision + 2);
    let width = exponent.len();
    let one = word::constant(width, 1);
    let room = gates.sub(&exponent, &one);
    let too_small = room[width - 1];

    let zeros = gates.leading_zeros(&significand);
    let (left, normal_exponent) = {
        let zeros_wide = word::zext(&zeros, width);
        let limited = gates.slt(&room, &zeros_wide);
        let left = gates.mux_word(limited, &room, &zeros_wide);
        let left = gates.gate_word(!too_small, &left);
        let moved = gates.sub(&exponent, &left);
        (left[..zeros.len().min(width)].to_vec(), gates.mux_word(too_small, &one, &moved))
    };
    significand = gates.shl(&significand, &left);
    significand = squeeze(gates, &significand, precision + 2);
    let right = gates.neg(&room);
    let right = gates.gate_word(too_small, &right);
    significand = gates.shift_right_sticky(&significand, &right);

    let (sticky, guard, kept) = (significand[0], significand[1], &significand[2..]);
    let exponent = gates.gate_word(kept[precision - 1], &normal_exponent);
    let up = rounds_up(gates, rounding, sign, kept[0], guard, sticky);
    let joined = word::concat(&exponent, &kept[..precision - 1]);
    let (rounded, _) = gates.increment_if(&joined, up);
    let (fraction, exponent) = rounded.split_at(precision - 1);
    let special = word::constant(width, (1 << layout.exponent_bits) - 1);
    let overflow = !gates.ult(exponent, &special);
    let finite = layout.assemble(gates, sign, &exponent[..layout.exponent_bits], fraction);
    let beyond = overflowed(gates, layout, rounding, sign);
    gates.mux_word(overflow, &beyond, &finite)
}

/// Whether the kept bits are incremented.
pub fn rounds_up(
    gates: &mut Gates,
    rounding: Rounding,
    sign: Lit,
    last: Lit,
    guard: Lit,
    sticky: Lit,
) -> Lit {
    match rounding {
        Rounding::NearestEven => {
            let more = gates.or(sticky, last);
            gates.and(guard, more)
        }
        Rounding::NearestAway => guard,
        Rounding::TowardZero => Lit::FALSE,
        Rounding::Up | Rounding::Down => {
            let inexact = gates.or(guard, sticky);
            gates.and(inexact, if rounding == Rounding::Up { !sign } else { sign })
        }
    }
}

/// Infinity, or the largest value if the direction is towards zero.
fn overflowed(gates: &mut Gates, layout: Layout, rounding: Rounding, sign: Lit) -> Word {
    let to_infinity = match rounding {
        Rounding::NearestEven | Rounding::NearestAway => Lit::TRUE,
        Rounding::TowardZero => Lit::FALSE,
        Rounding::Up => !sign,
        Rounding::Down => sign,
    };
    let largest = layout.with_sign(Float::largest(layout.format, false), sign);
    gates.mux_word(to_infinity, &layout.infinity(sign), &largest)
}

/// Zeros below, up to a length.
fn pad_below(significand: &[Lit], length: usize) -> Word {
    let mut padded = vec![Lit::FALSE; length.saturating_sub(significand.len())];
    padded.extend_from_slice(significand);
    padded
}

/// The top bits, with all others in the lowest one.
fn squeeze(gates: &mut Gates, significand: &[Lit], length: usize) -> Word {
    let (rest, top) = significand.split_at(significand.len() - length);
    let mut top = top.to_vec();
    let rest = gates.any(rest);
    top[0] = gates.or(top[0], rest);
    top
}
