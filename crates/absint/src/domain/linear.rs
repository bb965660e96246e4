// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sums of registers with coefficients.

use clew_base::float::Format;
use clew_ir::syntax::LocalId;

use crate::domain::float::Float;
use crate::domain::range::Range;
use crate::domain::ranges::Ranges;
use crate::domain::value::Kind;

/// A sum of registers with coefficients, and the rest.
#[derive(Clone)]
pub(crate) struct Form {
    /// The registers, each once.
    pub(crate) terms: Vec<(LocalId, Range)>,
    /// All else: constants and what rounding may have added.
    pub(crate) rest: Range,
}

impl Form {
    pub(crate) fn constant(rest: Range) -> Form {
        Form { terms: Vec::new(), rest }
    }

    /// One register as it is.
    pub(crate) fn of(local: LocalId) -> Form {
        Form { terms: vec![(local, Range::point(1.0))], rest: Range::point(0.0) }
    }

    /// With the signs changed.
    pub(crate) fn neg(mut self) -> Form {
        for (_, coefficient) in &mut self.terms {
            *coefficient = coefficient.neg();
        }
        self.rest = self.rest.neg();
        self
    }

    /// The sum of both.
    pub(crate) fn add(mut self, other: Form) -> Form {
        for (local, coefficient) in other.terms {
            match self.terms.iter_mut().find(|(l, _)| *l == local) {
                Some((_, mine)) => *mine = mine.add(coefficient),
                None => self.terms.push((local, coefficient)),
            }
        }
        self.terms.retain(|(_, coefficient)| *coefficient != Range::point(0.0));
        self.rest = self.rest.add(other.rest);
        self
    }

    pub(crate) fn scale(mut self, by: Range) -> Form {
        for (_, coefficient) in &mut self.terms {
            *coefficient = coefficient.mul(by);
        }
        self.rest = self.rest.mul(by);
        self
    }

    /// The range of the sum.
    pub(crate) fn range(&self, state: &dyn Ranges) -> Option<Range> {
        self.range_without(state, &[])
    }

    /// The range of the sum without the terms of these registers.
    pub(crate) fn range_without(&self, state: &dyn Ranges, without: &[LocalId]) -> Option<Range> {
        let mut sum = self.rest;
        for (local, coefficient) in self.terms.iter().filter(|(local, _)| !without.contains(local)) {
            sum = sum.add(coefficient.mul(register_range(state, *local)?));
        }
        sum.is_finite().then_some(sum)
    }
}

/// The range of a float register that surely is finite.
pub(crate) fn register_range(state: &dyn Ranges, local: LocalId) -> Option<Range> {
    let value = state.assigned(local).filter(|v| !v.uninit)?;
    let Kind::Float(float) = &value.kind else { return None };
    finite(float)
}

/// The range of floats that surely are finite.
pub(crate) fn finite(float: &Float) -> Option<Range> {
    let range = Range { lo: float.lo()?, hi: float.hi()? };
    (!float.may_be_nan() && range.is_finite()).then_some(range)
}

/// Unit round-off, half the smallest subnormal and the largest value.
pub(crate) fn precision(format: Format) -> Option<(f64, f64, f64)> {
    match format {
        Format::F32 => {
            Some((f64::from(f32::EPSILON) / 2.0, f64::from(f32::from_bits(1)), f64::from(f32::MAX)))
        }
        Format::F64 => Some((f64::EPSILON / 2.0, f64::from_bits(1), f64::MAX)),
        _ => None,
    }
}

/// An integer expression as a sum of multiples of registers and a number.
pub(crate) type IntForm = (Vec<(LocalId, i128)>, i128);

/// A sum of integer registers with coefficients and a constant, which a value is modulo `2^bits`: it holds even where sums wrap.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Sum {
    /// The registers, each once.
    pub(crate) terms: Vec<(LocalId, u64)>,
    pub(crate) constant: u64,
    pub(crate) bits: u32,
}

impl Sum {
    /// A number.
    pub(crate) fn constant(constant: u64, bits: u32) -> Sum {
        Sum { terms: Vec::new(), constant, bits }
    }

    /// One register as it is.
    pub(crate) fn of(local: LocalId, bits: u32) -> Sum {
        Sum { terms: vec![(local, 1)], constant: 0, bits }
    }

    /// The sum of this and a multiple of another.
    #[must_use]
    pub(crate) fn plus(mut self, times: u64, other: &Sum) -> Sum {
        for (local, coefficient) in &other.terms {
            let more = times.wrapping_mul(*coefficient);
            match self.terms.iter_mut().find(|(l, _)| l == local) {
                Some((_, mine)) => *mine = mine.wrapping_add(more),
                None => self.terms.push((*local, more)),
            }
        }
        self.terms.retain(|(_, coefficient)| *coefficient != 0);
        self.constant = self.constant.wrapping_add(times.wrapping_mul(other.constant));
        self
    }

    /// The number that it is, if no register is in it.
    pub(crate) fn as_constant(&self) -> Option<u64> {
        self.terms.is_empty().then_some(self.constant)
    }
}
