// SPDX-License-Identifier: MIT OR Apache-2.0
//! Circuits of IEEE floats, for every format and rounding mode, bit for bit what `clew_base::float` computes.
//!
//! An operation unpacks its operands (`layout`), computes a significand that is exact or ends in a sticky bit,
//! and rounds once (`round`). Infinities and NaNs are chosen at the end. Unlike the software in `clew-base`,
//! significands are as wide as the operation needs and subnormal operands are normalised only where the
//! algorithm asks for it: a shifter costs more gates than an adder.

mod add;
mod compare;
mod convert;
mod divide;
mod fma;
mod layout;
mod multiply;
mod remainder;
mod round;
#[cfg(test)]
mod tests;

use clew_base::int::IntType;
use rustc_hash::FxHashMap;

use super::gates::Gates;
use super::word::Word;
use crate::term::{FloatBinary, FloatUnary, Term, TermId};
use layout::Layout;

/// The circuit of a float operation on operands whose words are known; `width` is the result's.
pub fn blast(gates: &mut Gates, term: Term, width: usize, words: &FxHashMap<TermId, Word>) -> Word {
    let of = |id: TermId| &words[&id][..];
    match term {
        Term::FloatUnary(FloatUnary::Sqrt, format, rounding, a) => {
            divide::sqrt(gates, Layout::of(format), rounding, of(a))
        }
        Term::FloatUnary(FloatUnary::Integral, format, rounding, a) => {
            convert::integral(gates, Layout::of(format), rounding, of(a))
        }
        Term::FloatBinary(op, format, rounding, a, b) => {
            let layout = Layout::of(format);
            match op {
                FloatBinary::Add => add::add(gates, layout, rounding, of(a), of(b)),
                FloatBinary::Sub => add::sub(gates, layout, rounding, of(a), of(b)),
                FloatBinary::Mul => multiply::mul(gates, layout, rounding, of(a), of(b)),
                FloatBinary::Div => divide::div(gates, layout, rounding, of(a), of(b)),
                FloatBinary::Rem => remainder::rem(gates, layout, of(a), of(b)),
            }
        }
        Term::Fma(format, rounding, a, b, c) => {
            fma::fma(gates, Layout::of(format), rounding, [of(a), of(b), of(c)])
        }
        Term::FloatCompare(relation, format, a, b) => {
            vec![compare::compare(gates, Layout::of(format), relation, of(a), of(b))]
        }
        Term::FloatToFloat { from, to, rounding, of: a } => {
            convert::to_float(gates, Layout::of(from), Layout::of(to), rounding, of(a))
        }
        Term::FloatToInt { from, signed, of: a } => {
            let ty = IntType { bits: width as u16, signed };
            convert::to_int(gates, Layout::of(from), ty, of(a))
        }
        Term::IntToFloat { to, signed, rounding, of: a } => {
            convert::from_int(gates, Layout::of(to), signed, rounding, of(a))
        }
        _ => unreachable!("{term:?} is no float operation"),
    }
}
