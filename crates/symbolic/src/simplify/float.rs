// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rules of floats: the few that hold for every NaN and signed zero.

use clew_base::float::{Float, Format, Rounding};

use crate::term::{FloatRelation, Term, TermId, Terms};

/// A rewrite of a comparison.
type Compare = (&'static str, fn(&mut Terms, FloatRelation, Format, TermId, TermId) -> Option<TermId>);
/// A rewrite of a conversion between two formats.
type Convert = (&'static str, fn(&mut Terms, (Format, Format), Rounding, TermId) -> Option<TermId>);

pub(super) const COMPARE: &[Compare] = &[
    ("a == a, a <= a => a is no NaN; a < a => 0", |t, relation, format, a, b| {
        (a == b).then(|| {
            if relation == FloatRelation::Lt {
                return t.bool(false);
            }
            let nan = t.is_nan(format, a);
            t.not(nan)
        })
    }),
    ("a == 0.0 => a is zero", |t, relation, format, a, b| {
        let k = t.as_const(b)?;
        let zero = relation == FloatRelation::Eq && Float::from_bits(format, k).is_zero();
        zero.then(|| t.is_zero(format, a))
    }),
    ("0.0 == a => a is zero", |t, relation, format, a, b| {
        let k = t.as_const(a)?;
        let zero = relation == FloatRelation::Eq && Float::from_bits(format, k).is_zero();
        zero.then(|| t.is_zero(format, b))
    }),
    ("NaN compared => 0", |t, _, format, a, b| {
        let nan = [a, b].iter().any(|&x| t.as_const(x).is_some_and(|k| Float::from_bits(format, k).is_nan()));
        nan.then(|| t.bool(false))
    }),
];

pub(super) const CONVERT: &[Convert] = &[
    // A sum, product, quotient of two narrow numbers, computed wide and rounded again, is the one that is computed
    // narrow, if the wide format has more than twice the bits (Figueroa 1995). A NaN is made quiet either way.
    ("narrow(wide(a) op wide(b)) => a op b, nearest", |t, (from, to), rounding, of| {
        let Term::FloatBinary(op, format, inner, a, b) = t.get(of) else { return None };
        let nearest = rounding == Rounding::NearestEven && inner == Rounding::NearestEven;
        let exact = matches!((to, from), (Format::F16, Format::F32) | (Format::F32, Format::F64));
        if !nearest || !exact || format != from || op == crate::term::FloatBinary::Rem {
            return None;
        }
        let (a, b) = (narrow(t, from, to, a)?, narrow(t, from, to, b)?);
        Some(t.float_binary(op, to, Rounding::NearestEven, a, b))
    }),
];

/// The operand in the narrow format, if it was widened from there or is a constant number that fits it.
fn narrow(t: &mut Terms, wide: Format, narrow: Format, term: TermId) -> Option<TermId> {
    match t.get(term) {
        Term::FloatToFloat { from, of, .. } if from == narrow => Some(of),
        Term::Const(bits) => {
            let value = Float::from_bits(wide, bits);
            let (small, _) = value.convert(narrow, Rounding::NearestEven);
            let back = small.convert(wide, Rounding::NearestEven).0;
            (back == value && !value.is_nan()).then(|| t.float(small))
        }
        _ => None,
    }
}
