// SPDX-License-Identifier: MIT OR Apache-2.0
//! Circuits of exact numbers: a word in two's complement that counts units of the number's range. What the range does
//! not need has no bits.

use clew_base::exact::{BitTest, Integer, Rational, power_of_two};
use clew_base::float::Format;
use clew_base::int::ArithOp;
use rustc_hash::FxHashMap;

use super::gates::{Gates, Lit};
use super::word::{self, Word};
use crate::term::range::{Shape, least_exponent};
use crate::term::{ExactRelation, Term, TermId, Terms};

/// The circuit of an exact number whose operands have words; none if it is too wide.
pub fn blast(
    gates: &mut Gates,
    terms: &Terms,
    term: TermId,
    words: &FxHashMap<TermId, Word>,
) -> Option<Word> {
    let shape = terms.range(term).shape()?;
    let of = |id: TermId| resized((&words[&id], unit(terms, id)), shape);
    Some(match terms.get(term) {
        Term::Number(number) => constant(shape, terms.number_at(number)),
        Term::IntegerOf { signed, of } => {
            let bits = &words[&of];
            let wide = shape.width + shape.unit as usize;
            let bits = if signed { word::sext(bits, wide) } else { word::zext(bits, wide) };
            bits[shape.unit as usize..].to_vec()
        }
        Term::RealOf { format, of } => fixed_point(gates, format, &words[&of], shape),
        Term::ToReal(a) => of(a),
        Term::Ite(condition, a, b) => {
            let (a, b) = (of(a), of(b));
            gates.mux_word(words[&condition][0], &a, &b)
        }
        Term::Exact(ArithOp::Add, a, b) => {
            let (a, b) = (of(a), of(b));
            gates.add(&a, &b)
        }
        Term::Exact(ArithOp::Sub, a, b) => {
            let (a, b) = (of(a), of(b));
            gates.sub(&a, &b)
        }
        Term::Exact(ArithOp::Mul, a, b) => {
            // The units are multiplied as well, so that the words need no alignment.
            let (a, b) = (word::sext(&words[&a], shape.width), word::sext(&words[&b], shape.width));
            gates.mul(&a, &b)
        }
        other => unreachable!("{other:?} is no exact number"),
    })
}

/// A comparison of two numbers that have words.
pub fn compare(
    gates: &mut Gates,
    terms: &Terms,
    (relation, a, b): (ExactRelation, TermId, TermId),
    words: &FxHashMap<TermId, Word>,
) -> Lit {
    let unit = unit(terms, a).min(unit(terms, b));
    let width = terms.range(a).width_at(unit).max(terms.range(b).width_at(unit));
    let of = |id: TermId| resized((&words[&id], self::unit(terms, id)), Shape { unit, width });
    let (a, b) = (of(a), of(b));
    match relation {
        ExactRelation::Eq => gates.eq(&a, &b),
        ExactRelation::Lt => gates.slt(&a, &b),
    }
}

/// The unit of a number that has a word, and therefore a unit.
fn unit(terms: &Terms, term: TermId) -> i64 {
    terms.range(term).unit.unwrap_or(0)
}

fn constant(shape: Shape, value: &Rational) -> Word {
    let count: Integer = (value * power_of_two(-shape.unit)).floor();
    (0..shape.width).map(|place| Lit::constant(count.bit(place))).collect()
}

/// A word that counts one unit as a word that counts another, not larger one. Bits may be cut off above: the value fits.
fn resized((word, unit): (&[Lit], i64), shape: Shape) -> Word {
    let zeros = (unit - shape.unit) as usize;
    let word = [&vec![Lit::FALSE; zeros][..], word].concat();
    word::sext(&word, shape.width)
}

/// The value of a float, zero if it is not finite: its significand, shifted by its exponent. The value is a multiple of
/// the unit and fits the width, so that only these bits are made.
fn fixed_point(gates: &mut Gates, format: Format, bits: &[Lit], shape: Shape) -> Word {
    let precision = format.precision() as usize;
    // The x87 stores the leading bit, and refuses numbers in which it is not what the exponent says.
    let is_stored = format == Format::X87;
    let fraction = if is_stored { precision } else { precision - 1 };
    let (exponent, sign) = (&bits[fraction..bits.len() - 1], bits[bits.len() - 1]);
    let (normal, mut special) = (gates.any(exponent), gates.all(exponent));
    let mut significand = bits[..fraction].to_vec();
    if is_stored {
        let refused = gates.and(normal, !bits[fraction - 1]);
        special = gates.or(special, refused);
    } else {
        significand.push(normal);
    }
    // How far the significand is to be shifted to the left, to count the least exponent: subnormal numbers have that
    // of the smallest normal ones.
    let count = word::zext(exponent, exponent.len() + 1);
    let count = gates.sub(&count, &word::zext(&[normal], count.len()));
    // To count the unit, it is as much less; what is below the unit is in a margin, that is dropped.
    let below = (shape.unit - least_exponent(format)) as usize;
    let margin = below.min(precision);
    let count = gates.sub(&count, &word::constant(count.len(), (below - margin) as u128));
    let (negative, wide) = (count[count.len() - 1], word::zext(&significand, margin + shape.width));
    let shifted = gates.shl(&wide, &count[..count.len() - 1]);
    let none = gates.or(negative, special);
    let magnitude = gates.gate_word(!none, &shifted[margin..]);
    gates.neg_if(&magnitude, sign)
}
