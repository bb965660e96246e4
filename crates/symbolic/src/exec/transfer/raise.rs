// SPDX-License-Identifier: MIT OR Apache-2.0
//! When an operation raises something, as a term; and the functions of bits that need no library.

use clew_base::float::Format;
use clew_base::int::IntType;
use clew_ir::obligation::Raise;
use clew_ir::syntax::{BinaryOp, Builtin, CompareOp, Expr, ExprKind, TypeId, UnaryOp};
use clew_ir::types::Class;

use crate::exec::state::value::Value;
use crate::exec::transfer::arithmetic::{Arithmetic, ROUND, exact_operation};
use crate::term::{FloatBinary, TermId};

impl Arithmetic<'_, '_> {
    /// One bit: whether a node raises something, given its operands and their types. None if it is not known how.
    pub fn raises(&mut self, raise: Raise, expr: &Expr, operands: &[(Value, TypeId)]) -> Option<TermId> {
        let bits = |i: usize| match operands.get(i) {
            Some((Value::Bits(bits), _)) => Some(*bits),
            _ => None,
        };
        let types = self.facts.program.types();
        match (&expr.kind, types.class(expr.ty)) {
            (ExprKind::Unary(UnaryOp::Neg, _), Class::Int(int)) => {
                (raise == Raise::SignedOverflow || raise == Raise::UnsignedWrap).then_some(())?;
                let zero = self.terms.int(int, 0);
                Some(self.terms.overflows(
                    clew_base::int::ArithOp::Sub,
                    (zero, int.signed),
                    (bits(0)?, int.signed),
                    int,
                ))
            }
            (ExprKind::Binary(op, _, _), Class::Int(int)) => {
                self.int_raises(raise, *op, int, bits(0)?, (bits(1)?, operands[1].1))
            }
            (ExprKind::Binary(op, _, _), Class::Float(format)) => {
                self.float_raises(raise, *op, format, bits(0)?, bits(1)?)
            }
            (ExprKind::Compare(op, _, _), _) => {
                let format = types.float_format(operands.first()?.1)?;
                self.compare_raises(raise, *op, format, bits(0)?, bits(1)?)
            }
            (ExprKind::Cast(_), to) => {
                let from = operands.first()?.1;
                self.cast_raises(raise, types.class(from), to, bits(0)?)
            }
            _ => None,
        }
    }

    fn int_raises(
        &mut self,
        raise: Raise,
        op: BinaryOp,
        int: IntType,
        a: TermId,
        (b, count): (TermId, TypeId),
    ) -> Option<TermId> {
        match (raise, op) {
            (Raise::SignedOverflow | Raise::UnsignedWrap, BinaryOp::Div | BinaryOp::Rem) => {
                if !int.signed {
                    return Some(self.terms.bool(false));
                }
                let (least, minus) = (self.terms.int(int, int.min()), self.terms.int(int, -1));
                let (x, y) = (self.terms.eq(a, least), self.terms.eq(b, minus));
                Some(self.terms.and(x, y))
            }
            (Raise::SignedOverflow | Raise::UnsignedWrap, op) => {
                Some(self.terms.overflows(exact_operation(op)?, (a, int.signed), (b, int.signed), int))
            }
            (Raise::DivisionByZero, BinaryOp::Div | BinaryOp::Rem) => {
                let nonzero = self.terms.nonzero(b);
                Some(self.terms.not(nonzero))
            }
            (Raise::ShiftRange, BinaryOp::Shl | BinaryOp::Shr) => self.shift_raises(op, int, a, (b, count)),
            _ => None,
        }
    }

    /// One bit: whether a shift's count is none for this width.
    pub(crate) fn count_is_outside(&mut self, int: IntType, b: TermId, count: TypeId) -> Option<TermId> {
        let from = self.facts.program.types().int_type(count)?;
        // A negative count is a large one when it is read without its sign.
        let bound = u128::from(int.bits);
        if u32::from(from.bits) < 128 - bound.leading_zeros() {
            return Some(self.terms.bool(false));
        }
        let bound = self.terms.constant(u32::from(from.bits), bound);
        Some(self.terms.le(bound, b, false))
    }

    fn shift_raises(
        &mut self,
        op: BinaryOp,
        int: IntType,
        a: TermId,
        (b, count): (TermId, TypeId),
    ) -> Option<TermId> {
        let outside = self.count_is_outside(int, b, count)?;
        if op == BinaryOp::Shr || !int.signed {
            return Some(outside);
        }
        let count = self.count(int, b, count)?;
        let zero = self.terms.int(int, 0);
        let negative = self.terms.lt(a, zero, true);
        let shifted = self.terms.shl(a, count);
        let back = self.terms.shr(shifted, count, true);
        let lost = self.terms.ne(back, a);
        let bad = self.terms.or(negative, lost);
        Some(self.terms.or(outside, bad))
    }

    fn float_raises(
        &mut self,
        raise: Raise,
        op: BinaryOp,
        format: Format,
        a: TermId,
        b: TermId,
    ) -> Option<TermId> {
        let float = match op {
            BinaryOp::Add => FloatBinary::Add,
            BinaryOp::Sub => FloatBinary::Sub,
            BinaryOp::Mul => FloatBinary::Mul,
            BinaryOp::Div => FloatBinary::Div,
            _ => return None,
        };
        let result = self.terms.float_binary(float, format, ROUND, a, b);
        let terms = &mut self.terms;
        match raise {
            Raise::FloatOverflow => {
                let infinite = terms.is_infinite(format, result);
                let (x, y) = (terms.is_finite(format, a), terms.is_finite(format, b));
                let finite = terms.and(x, y);
                let overflow = terms.and(infinite, finite);
                if op != BinaryOp::Div {
                    return Some(overflow);
                }
                let by_zero = terms.is_zero(format, b);
                let proper = terms.not(by_zero);
                Some(terms.and(overflow, proper))
            }
            Raise::FloatDivisionByZero => {
                let by_zero = terms.is_zero(format, b);
                let (zero, finite) = (terms.is_zero(format, a), terms.is_finite(format, a));
                let nonzero = terms.not(zero);
                let proper = terms.and(finite, nonzero);
                Some(terms.and(by_zero, proper))
            }
            Raise::FloatInvalid => {
                let nan = terms.is_nan(format, result);
                let unordered = terms.float_unordered(format, a, b);
                let proper = terms.not(unordered);
                Some(terms.and(nan, proper))
            }
            _ => None,
        }
    }

    fn compare_raises(
        &mut self,
        raise: Raise,
        op: CompareOp,
        format: Format,
        a: TermId,
        b: TermId,
    ) -> Option<TermId> {
        match (raise, op) {
            // Equality asks nothing of its operands.
            (_, CompareOp::Eq | CompareOp::Ne) => None,
            (Raise::FloatInvalid, _) => Some(self.terms.float_unordered(format, a, b)),
            _ => None,
        }
    }

    fn cast_raises(&mut self, raise: Raise, from: Class, to: Class, bits: TermId) -> Option<TermId> {
        match (raise, from, to) {
            (Raise::FloatToInt, Class::Float(from), Class::Int(to)) => {
                let fits = self.terms.float_fits(from, to, bits);
                Some(self.terms.not(fits))
            }
            (Raise::FloatOverflow, Class::Float(from), Class::Float(to)) => {
                let result = self.terms.float_to_float(from, to, ROUND, bits);
                let infinite = self.terms.is_infinite(to, result);
                let finite = self.terms.is_finite(from, bits);
                Some(self.terms.and(infinite, finite))
            }
            (Raise::LossyConversion, from, to) => self.is_changed(from, to, bits),
            _ => None,
        }
    }

    /// One bit: whether a conversion makes another number of one. Infinities and NaNs are kept.
    fn is_changed(&mut self, from: Class, to: Class, bits: TermId) -> Option<TermId> {
        let terms = &mut self.terms;
        let (same, kept) = match (from, to) {
            (Class::Int(from), Class::Int(to)) => {
                let result = terms.resize(bits, u32::from(to.bits), from.signed);
                let (old, new) = (terms.integer_of(bits, from.signed), terms.integer_of(result, to.signed));
                (terms.exact_eq(old, new), None)
            }
            (Class::Int(from), Class::Float(to)) => {
                let result = terms.int_to_float(to, from.signed, ROUND, bits);
                let (integer, new) = (terms.integer_of(bits, from.signed), terms.real_of(to, result));
                let old = terms.to_real(integer);
                (terms.exact_eq(old, new), Some(terms.is_finite(to, result)))
            }
            (Class::Float(from), Class::Int(to)) => {
                let result = terms.float_to_int(from, to, bits);
                let integer = terms.integer_of(result, to.signed);
                let (old, new) = (terms.real_of(from, bits), terms.to_real(integer));
                (terms.exact_eq(old, new), Some(terms.float_fits(from, to, bits)))
            }
            (Class::Float(from), Class::Float(to)) => {
                let result = terms.float_to_float(from, to, ROUND, bits);
                let (old, new) = (terms.real_of(from, bits), terms.real_of(to, result));
                let same = terms.exact_eq(old, new);
                let (before, after) = (terms.is_finite(from, bits), terms.is_finite(to, result));
                // Only what was finite can change: to another number, or to an infinity.
                let stays = terms.and(same, after);
                let changed = terms.not(stays);
                return Some(terms.and(before, changed));
            }
            _ => return None,
        };
        let kept = kept.unwrap_or_else(|| terms.bool(true));
        let stays = terms.and(same, kept);
        Some(terms.not(stays))
    }

    /// A function of bits or of a float.
    pub fn builtin(&mut self, builtin: Builtin, ty: TypeId, result: TypeId, operands: &[Value]) -> Value {
        let bits = |i: usize| match operands.get(i) {
            Some(Value::Bits(bits)) => Some(*bits),
            _ => None,
        };
        let Some(a) = bits(0) else { return Value::Lost };
        match self.facts.program.types().class(ty) {
            Class::Float(format) => self.float_builtin(builtin, format, result, a, bits(1)),
            Class::Int(_) => self.int_builtin(builtin, result, a),
            _ => Value::Lost,
        }
    }

    fn float_builtin(
        &mut self,
        builtin: Builtin,
        format: Format,
        result: TypeId,
        a: TermId,
        b: Option<TermId>,
    ) -> Value {
        let terms = &mut self.terms;
        let truth = match (builtin, b) {
            (Builtin::Fabs, _) => return Value::Bits(terms.float_abs(format, a)),
            (Builtin::CopySign, Some(b)) => return Value::Bits(terms.float_copysign(format, a, b)),
            (Builtin::IsNan, _) => terms.is_nan(format, a),
            (Builtin::IsInf, _) => terms.is_infinite(format, a),
            (Builtin::IsFinite, _) => terms.is_finite(format, a),
            (Builtin::SignBit, _) => terms.float_sign(format, a),
            (Builtin::IsUnordered, Some(b)) => terms.float_unordered(format, a, b),
            (Builtin::IsLessGreater, Some(b)) => {
                let (x, y) = (terms.float_lt(format, a, b), terms.float_lt(format, b, a));
                terms.or(x, y)
            }
            (Builtin::IsNormal, _) => {
                let (finite, zero) = (terms.is_finite(format, a), terms.is_zero(format, a));
                let small = terms.is_subnormal(format, a);
                let tiny = terms.or(zero, small);
                let not = terms.not(tiny);
                terms.and(finite, not)
            }
            (Builtin::IsInfSign, _) => return self.infinity_sign(format, result, a),
            _ => return Value::Lost,
        };
        self.number_of(truth, result)
    }

    fn infinity_sign(&mut self, format: Format, result: TypeId, a: TermId) -> Value {
        let Some(int) = self.facts.program.types().int_type(result) else { return Value::Lost };
        let (one, minus, zero) = (self.terms.int(int, 1), self.terms.int(int, -1), self.terms.int(int, 0));
        let negative = self.terms.float_sign(format, a);
        let sign = self.terms.ite(negative, minus, one);
        let infinite = self.terms.is_infinite(format, a);
        Value::Bits(self.terms.ite(infinite, sign, zero))
    }

    fn int_builtin(&mut self, builtin: Builtin, result: TypeId, a: TermId) -> Value {
        let Some(int) = self.facts.program.types().int_type(result) else { return Value::Lost };
        let width = self.terms.width(a);
        let number = |exec: &mut Self, value: u32| exec.terms.int(int, i128::from(value));
        match builtin {
            Builtin::Bswap => {
                let bytes: Vec<TermId> = (0..width / 8).map(|i| self.terms.extract(a, i * 8, 8)).collect();
                let mut swapped = bytes[0];
                for byte in &bytes[1..] {
                    swapped = self.terms.concat(swapped, *byte);
                }
                Value::Bits(swapped)
            }
            Builtin::Popcount | Builtin::Parity => {
                let mut sum = number(self, 0);
                for i in 0..width {
                    let bit = self.terms.extract(a, i, 1);
                    let bit = self.terms.resize(bit, u32::from(int.bits), false);
                    sum = self.terms.add(sum, bit);
                }
                if builtin == Builtin::Parity {
                    let one = number(self, 1);
                    sum = self.terms.and(sum, one);
                }
                Value::Bits(sum)
            }
            Builtin::Clz | Builtin::Ctz | Builtin::Ffs => {
                // The last bit looked at decides: the highest for leading zeros, the lowest for trailing ones.
                let mut found = number(self, if builtin == Builtin::Ffs { 0 } else { width });
                for i in 0..width {
                    let (at, value) = match builtin {
                        Builtin::Clz => (i, width - 1 - i),
                        Builtin::Ctz => (width - 1 - i, width - 1 - i),
                        _ => (width - 1 - i, width - i),
                    };
                    let bit = self.terms.extract(a, at, 1);
                    let value = number(self, value);
                    found = self.terms.ite(bit, value, found);
                }
                Value::Bits(found)
            }
            _ => Value::Lost,
        }
    }
}
