// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is known of every exact number, whatever the variables are: bounds, and a power of two that divides it.
//!
//! There are no variables of these sorts, so all numbers have bounds. They decide comparisons, and say how many bits a
//! circuit needs.

use clew_base::exact::{BitTest, Integer, Rational, power_of_two, unit};
use clew_base::float::{Float, Format};
use clew_base::int::ArithOp;

use crate::effort::WIDEST_EXACT;
use crate::term::facts::Facts;
use crate::term::{ExactRelation, Sort, Term, TermId, Terms};

/// Bounds, inclusive, and the unit: the number is a multiple of 2^unit. Numbers like a third have none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Range {
    /// The least value.
    pub least: Rational,
    /// The greatest value.
    pub greatest: Rational,
    /// The unit's exponent.
    pub unit: Option<i64>,
}

impl Range {
    /// The only possible value.
    pub fn value(&self) -> Option<&Rational> {
        (self.least == self.greatest).then_some(&self.least)
    }

    fn exactly(value: &Rational) -> Range {
        let unit = if value.is_zero() { Some(0) } else { unit(value) };
        Range { least: value.clone(), greatest: value.clone(), unit }
    }

    /// What holds of either.
    fn join(&self, other: &Range) -> Range {
        Range {
            least: (&self.least).min(&other.least).clone(),
            greatest: (&self.greatest).max(&other.greatest).clone(),
            unit: self.unit.zip(other.unit).map(|(a, b)| a.min(b)),
        }
    }

    fn apply(&self, op: ArithOp, other: &Range) -> Range {
        let smaller_unit = self.unit.zip(other.unit).map(|(a, b)| a.min(b));
        match op {
            ArithOp::Add => Range {
                least: &self.least + &other.least,
                greatest: &self.greatest + &other.greatest,
                unit: smaller_unit,
            },
            ArithOp::Sub => Range {
                least: &self.least - &other.greatest,
                greatest: &self.greatest - &other.least,
                unit: smaller_unit,
            },
            ArithOp::Mul => self.times(other),
        }
    }

    fn times(&self, other: &Range) -> Range {
        let corners = [
            &self.least * &other.least,
            &self.least * &other.greatest,
            &self.greatest * &other.least,
            &self.greatest * &other.greatest,
        ];
        let [mut least, mut greatest] = [corners[0].clone(), corners[0].clone()];
        for corner in corners {
            least = least.min(corner.clone());
            greatest = greatest.max(corner);
        }
        Range { least, greatest, unit: self.unit.zip(other.unit).map(|(a, b)| a + b) }
    }

    /// Whether a comparison holds, if it is the same for all values.
    fn compare(&self, relation: ExactRelation, other: &Range) -> Option<bool> {
        match relation {
            ExactRelation::Lt if self.greatest < other.least => Some(true),
            ExactRelation::Lt if self.least >= other.greatest => Some(false),
            ExactRelation::Eq if self.greatest < other.least || other.greatest < self.least => Some(false),
            _ => None,
        }
    }
}

impl Terms {
    /// Whether a comparison of exact numbers holds in all models, or in none.
    pub(crate) fn compare_ranges(&self, relation: ExactRelation, a: TermId, b: TermId) -> Option<bool> {
        self.range(a).compare(relation, self.range(b))
    }

    /// What is known of an exact number from its operands.
    pub(crate) fn derive_range(&self, term: Term, sort: Sort) -> Range {
        debug_assert!(sort.is_exact());
        match term {
            Term::Number(number) => Range::exactly(self.number_at(number)),
            Term::IntegerOf { signed, of } => of_bits(self.facts(of), signed),
            Term::RealOf { format, of } => self.range_of_float(format, of),
            Term::ToReal(a) => self.range(a).clone(),
            Term::Exact(op, a, b) => self.range(a).apply(op, self.range(b)),
            Term::Ite(_, a, b) => self.range(a).join(self.range(b)),
            _ => unreachable!("{term:?} is no exact number"),
        }
    }

    fn range_of_float(&self, format: Format, of: TermId) -> Range {
        let all = all_floats(format);
        let Term::IntToFloat { signed, rounding, of: int, .. } = self.get(of) else { return all };
        // Rounding keeps the order and makes whole numbers of whole numbers; what overflows counts as zero.
        let ints = of_bits(self.facts(int), signed);
        let round = |end: &Rational| Float::from_exact(format, end, rounding).0.exact();
        match (round(&ints.least), round(&ints.greatest)) {
            (Some(least), Some(greatest)) => Range { least, greatest, unit: Some(0) },
            _ => Range { unit: Some(0), ..all },
        }
    }
}

fn of_bits(facts: &Facts, signed: bool) -> Range {
    let (least, greatest) = if signed {
        (Integer::from(facts.signed_least), Integer::from(facts.signed_greatest))
    } else {
        (Integer::from(facts.least), Integer::from(facts.greatest))
    };
    let unit = facts.zeros.trailing_ones().min(facts.width - 1);
    Range { least: least.into(), greatest: greatest.into(), unit: Some(i64::from(unit)) }
}

/// All finite floats of a format.
fn all_floats(format: Format) -> Range {
    let largest = Float::largest(format, false).exact().unwrap_or(Rational::ZERO);
    Range { least: -largest.clone(), greatest: largest, unit: Some(least_exponent(format)) }
}

/// The exponent of the smallest positive float.
pub(crate) fn least_exponent(format: Format) -> i64 {
    let normal = Float::smallest_normal(format, false).exact().and_then(|value| unit(&value)).unwrap_or(0);
    normal - i64::from(format.precision() - 1)
}

/// A number in two's complement: `word * 2^unit`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Shape {
    /// The exponent of its lowest bit.
    pub unit: i64,
    /// How many bits it has, the sign included.
    pub width: usize,
}

impl Range {
    /// What a circuit for these values needs, if there is one.
    pub(crate) fn shape(&self) -> Option<Shape> {
        let unit = self.unit?;
        let width = self.width_at(unit);
        (width <= WIDEST_EXACT).then_some(Shape { unit, width })
    }

    /// The bits of two's complement for all multiples of 2^unit in the range.
    pub(crate) fn width_at(&self, unit: i64) -> usize {
        let scale = power_of_two(-unit);
        let (least, greatest) = ((&self.least * &scale).floor(), (&self.greatest * &scale).ceil());
        bits(&least).max(bits(&greatest))
    }
}

/// The bits of an integer in two's complement.
fn bits(value: &Integer) -> usize {
    1 + if *value < Integer::ZERO { (-value - Integer::ONE).bit_len() } else { value.bit_len() }
}
