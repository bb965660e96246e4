// SPDX-License-Identifier: MIT OR Apache-2.0
//! The constructors of terms over floats. What only looks at bits (signs, classes) becomes bit-vector terms.

use clew_base::float::{Float, Format, Rounding};
use clew_base::int::IntType;

use crate::term::{FloatBinary, FloatRelation, FloatUnary, Sort, Term, TermId, Terms};

impl Terms {
    /// A constant.
    pub fn float(&mut self, value: Float) -> TermId {
        self.constant(value.format().bits(), value.to_bits())
    }

    /// Square root, or the nearest integral value.
    pub fn float_unary(&mut self, op: FloatUnary, format: Format, rounding: Rounding, a: TermId) -> TermId {
        debug_assert_eq!(self.width(a), format.bits());
        self.make(Term::FloatUnary(op, format, rounding, a), Sort::Bits(format.bits()))
    }

    /// Sum, difference, product, quotient or remainder.
    pub fn float_binary(
        &mut self,
        op: FloatBinary,
        format: Format,
        rounding: Rounding,
        a: TermId,
        b: TermId,
    ) -> TermId {
        debug_assert!(self.width(a) == format.bits() && self.width(b) == format.bits());
        let rounding = if op == FloatBinary::Rem { Rounding::NearestEven } else { rounding };
        self.make(Term::FloatBinary(op, format, rounding, a, b), Sort::Bits(format.bits()))
    }

    /// `a * b + c`, rounded once.
    pub fn fma(&mut self, format: Format, rounding: Rounding, a: TermId, b: TermId, c: TermId) -> TermId {
        self.make(Term::Fma(format, rounding, a, b, c), Sort::Bits(format.bits()))
    }

    fn float_compare(&mut self, relation: FloatRelation, format: Format, a: TermId, b: TermId) -> TermId {
        debug_assert!(self.width(a) == format.bits() && self.width(b) == format.bits());
        self.make(Term::FloatCompare(relation, format, a, b), Sort::BOOL)
    }

    /// One bit: C's `==`.
    pub fn float_eq(&mut self, format: Format, a: TermId, b: TermId) -> TermId {
        self.float_compare(FloatRelation::Eq, format, a, b)
    }

    /// One bit: C's `<`.
    pub fn float_lt(&mut self, format: Format, a: TermId, b: TermId) -> TermId {
        self.float_compare(FloatRelation::Lt, format, a, b)
    }

    /// One bit: C's `<=`.
    pub fn float_le(&mut self, format: Format, a: TermId, b: TermId) -> TermId {
        self.float_compare(FloatRelation::Le, format, a, b)
    }

    /// One bit: whether either is a NaN.
    pub fn float_unordered(&mut self, format: Format, a: TermId, b: TermId) -> TermId {
        let (nan_a, nan_b) = (self.is_nan(format, a), self.is_nan(format, b));
        self.or(nan_a, nan_b)
    }

    /// The sign bit.
    pub fn float_sign(&mut self, format: Format, a: TermId) -> TermId {
        self.extract(a, format.bits() - 1, 1)
    }

    /// The sign flipped.
    pub fn float_neg(&mut self, format: Format, a: TermId) -> TermId {
        let sign = self.float_sign(format, a);
        let rest = self.extract(a, 0, format.bits() - 1);
        let flipped = self.not(sign);
        self.concat(flipped, rest)
    }

    /// The sign cleared.
    pub fn float_abs(&mut self, format: Format, a: TermId) -> TermId {
        let rest = self.extract(a, 0, format.bits() - 1);
        self.zext(rest, format.bits())
    }

    /// The magnitude of `a` with the sign of `sign`.
    pub fn float_copysign(&mut self, format: Format, a: TermId, sign: TermId) -> TermId {
        let rest = self.extract(a, 0, format.bits() - 1);
        let sign = self.float_sign(format, sign);
        self.concat(sign, rest)
    }

    /// The bits below the sign, and those of positive infinity.
    fn magnitude_and_infinity(&mut self, format: Format, a: TermId) -> (TermId, TermId) {
        let width = format.bits() - 1;
        let magnitude = self.extract(a, 0, width);
        let infinity = self.constant(width, Float::infinity(format, false).to_bits());
        (magnitude, infinity)
    }

    /// One bit: whether this is a NaN, or an 80-bit pattern that the x87 refuses.
    pub fn is_nan(&mut self, format: Format, a: TermId) -> TermId {
        let (magnitude, infinity) = self.magnitude_and_infinity(format, a);
        let beyond = self.lt(infinity, magnitude, false);
        if format != Format::X87 {
            return beyond;
        }
        // Also where the stored integer bit is clear although the exponent field is not zero.
        let integer_bit = self.extract(a, 63, 1);
        let exponent = self.extract(a, 64, 15);
        let exponent = self.nonzero(exponent);
        let clear = self.not(integer_bit);
        let refused = self.and(clear, exponent);
        self.or(beyond, refused)
    }

    /// One bit: whether this is infinite.
    pub fn is_infinite(&mut self, format: Format, a: TermId) -> TermId {
        let (magnitude, infinity) = self.magnitude_and_infinity(format, a);
        self.eq(magnitude, infinity)
    }

    /// One bit: whether this is neither infinite nor a NaN.
    pub fn is_finite(&mut self, format: Format, a: TermId) -> TermId {
        let (nan, infinite) = (self.is_nan(format, a), self.is_infinite(format, a));
        let neither = self.or(nan, infinite);
        self.not(neither)
    }

    /// One bit: whether this is zero of either sign.
    pub fn is_zero(&mut self, format: Format, a: TermId) -> TermId {
        // Numbers that differ have a difference, if only a tiny one: underflow is gradual.
        if format != Format::X87
            && let Term::FloatBinary(op @ (FloatBinary::Sub | FloatBinary::Add), _, _, x, y) = self.get(a)
        {
            let y = if op == FloatBinary::Add { self.float_neg(format, y) } else { y };
            let (same, finite) = (self.float_eq(format, x, y), self.is_finite(format, x));
            return self.and(same, finite);
        }
        let magnitude = self.extract(a, 0, format.bits() - 1);
        let nonzero = self.nonzero(magnitude);
        self.not(nonzero)
    }

    /// One bit: whether this is below the smallest normal value and not zero.
    pub fn is_subnormal(&mut self, format: Format, a: TermId) -> TermId {
        let width = format.bits() - 1;
        let magnitude = self.extract(a, 0, width);
        // With the integer bit stored, that bit alone tells: set, the value is normal even if the exponent field
        // is zero; and with another exponent field a clear bit makes the pattern one that the x87 refuses.
        let limit =
            if format == Format::X87 { 1 << 63 } else { Float::smallest_normal(format, false).to_bits() };
        let limit = self.constant(width, limit);
        let below = self.lt(magnitude, limit, false);
        let nonzero = self.nonzero(magnitude);
        self.and(below, nonzero)
    }

    /// The value in another format.
    pub fn float_to_float(&mut self, from: Format, to: Format, rounding: Rounding, of: TermId) -> TermId {
        debug_assert_eq!(self.width(of), from.bits());
        if from == to {
            return of;
        }
        self.make(Term::FloatToFloat { from, to, rounding, of }, Sort::Bits(to.bits()))
    }

    /// The value truncated to an integer type; zero where [`Terms::float_fits`] is false.
    pub fn float_to_int(&mut self, from: Format, ty: IntType, of: TermId) -> TermId {
        debug_assert_eq!(self.width(of), from.bits());
        self.make(Term::FloatToInt { from, signed: ty.signed, of }, Sort::Bits(u32::from(ty.bits)))
    }

    /// An integer as a float.
    pub fn int_to_float(&mut self, to: Format, signed: bool, rounding: Rounding, of: TermId) -> TermId {
        self.make(Term::IntToFloat { to, signed, rounding, of }, Sort::Bits(to.bits()))
    }
}
