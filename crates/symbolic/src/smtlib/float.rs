// SPDX-License-Identifier: MIT OR Apache-2.0
//! Floats in SMT-LIB.

use std::fmt::Write;

use clew_base::float::{Float, Format, Rounding};
use clew_base::int::IntType;

use super::{bit, constant};
use crate::term::{FloatBinary, FloatRelation, FloatUnary, Term, TermId, Terms};

/// Defines a float operation, if there are words for it.
pub(super) fn define(terms: &Terms, id: TermId, text: &mut String) -> Option<()> {
    let width = terms.width(id);
    let (format, value) = match terms.get(id) {
        Term::FloatUnary(op, format, rounding, a) => {
            let name = match op {
                FloatUnary::Sqrt => "fp.sqrt",
                FloatUnary::Integral => "fp.roundToIntegral",
            };
            (format, format!("({name} {} {})", mode(rounding), read(format, a)?))
        }
        Term::FloatBinary(op, format, rounding, a, b) => {
            let name = match op {
                FloatBinary::Add => "fp.add",
                FloatBinary::Sub => "fp.sub",
                FloatBinary::Mul => "fp.mul",
                FloatBinary::Div => "fp.div",
                // `fp.rem` rounds its quotient to nearest, `fmod` towards zero.
                FloatBinary::Rem => return None,
            };
            (format, format!("({name} {} {} {})", mode(rounding), read(format, a)?, read(format, b)?))
        }
        Term::Fma(format, rounding, a, b, c) => {
            let (a, b, c) = (read(format, a)?, read(format, b)?, read(format, c)?);
            (format, format!("(fp.fma {} {a} {b} {c})", mode(rounding)))
        }
        Term::FloatToFloat { from, to, rounding, of } => {
            (to, format!("({} {} {})", to_fp(to)?, mode(rounding), read(from, of)?))
        }
        Term::IntToFloat { to, signed, rounding, of } => {
            let conversion = if signed { to_fp(to)? } else { to_fp(to)?.replace("to_fp", "to_fp_unsigned") };
            (to, format!("({conversion} {} {of})", mode(rounding)))
        }
        Term::FloatCompare(relation, format, a, b) => {
            let name = match relation {
                FloatRelation::Eq => "fp.eq",
                FloatRelation::Lt => "fp.lt",
                FloatRelation::Le => "fp.leq",
            };
            let condition = format!("({name} {} {})", read(format, a)?, read(format, b)?);
            let _ = writeln!(text, "(define-fun {id} () (_ BitVec 1) {})", bit(&condition));
            return Some(());
        }
        Term::FloatToInt { from, signed, of } => {
            let ty = IntType { bits: width as u16, signed };
            let name = if signed { "fp.to_sbv" } else { "fp.to_ubv" };
            let value = format!("((_ {name} {width}) RTZ {})", read(from, of)?);
            let _ = writeln!(
                text,
                "(define-fun {id} () (_ BitVec {width}) (ite {} {value} {}))",
                fits(from, ty, of)?,
                constant(width, 0)
            );
            return Some(());
        }
        _ => return None,
    };
    let _ = writeln!(text, "(declare-const {id} (_ BitVec {width}))");
    let _ = writeln!(text, "(assert (= {} {value}))", read(format, id)?);
    Some(())
}

fn mode(rounding: Rounding) -> &'static str {
    match rounding {
        Rounding::NearestEven => "RNE",
        Rounding::NearestAway => "RNA",
        Rounding::Up => "RTP",
        Rounding::Down => "RTN",
        Rounding::TowardZero => "RTZ",
    }
}

pub(super) fn to_fp(format: Format) -> Option<String> {
    if format == Format::X87 {
        return None;
    }
    Some(format!("(_ to_fp {} {})", format.bits() - format.precision(), format.precision()))
}

/// A bit-vector read as a float.
pub(super) fn read(format: Format, term: TermId) -> Option<String> {
    Some(format!("({} {term})", to_fp(format)?))
}

fn literal(value: Float) -> Option<String> {
    let bits = constant(value.format().bits(), value.to_bits());
    Some(format!("({} {bits})", to_fp(value.format())?))
}

/// Whether the truncated value fits a type: it lies strictly between the numbers just outside. The upper one is a
/// power of two; the lower one may have no exact float, but then the least value's neighbours are far from it.
fn fits(format: Format, ty: IntType, term: TermId) -> Option<String> {
    let value = read(format, term)?;
    let number = |value: i128, rounding| Float::from_int(format, value, IntType::I128, rounding);
    // Too large for the format it is infinite, which is as good a bound.
    let upper = {
        let exponent = ty.bits - u16::from(ty.signed);
        let half = exponent / 2;
        let (low, high) = (number(1 << half, Rounding::Up).0, number(1 << (exponent - half), Rounding::Up).0);
        low.mul(high, Rounding::Up).0
    };
    let below = ty.min().checked_sub(1).map(|below| number(below, Rounding::Down));
    let above_least = match below {
        Some((below, flags)) if flags.is_empty() => format!("(fp.gt {value} {})", literal(below)?),
        _ => format!("(fp.geq {value} {})", literal(number(ty.min(), Rounding::Down).0)?),
    };
    Some(format!(
        "(and (not (fp.isNaN {value})) (not (fp.isInfinite {value})) {above_least} (fp.lt {value} {}))",
        literal(upper)?
    ))
}
