// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arithmetic as terms: what operators do to numbers. It knows the types of the program, and nothing of states, memory or
//! paths. What an operation raises, and the functions of bits, are in `raise`.

use clew_base::float::{Format, Rounding};
use clew_base::int::{ArithOp, IntType};
use clew_ir::obligation::CheckKind;
use clew_ir::syntax::{BinaryOp, CompareOp, TypeId, UnaryOp};
use clew_ir::types::Class;

use crate::exec::context::encoder::Encoder;
use crate::exec::context::facts::ProgramFacts;
use crate::exec::state::value::Value;
use crate::term::{FloatBinary, Sort, Term, TermId, Terms};

/// How floats round.
pub(crate) const ROUND: Rounding = Rounding::NearestEven;

/// Builds the terms of operations.
pub(crate) struct Arithmetic<'a, 'p> {
    pub facts: &'a ProgramFacts<'p>,
    pub terms: &'a mut Terms,
}

impl<'p> Encoder<'p> {
    /// The arithmetic of this execution.
    pub fn arithmetic(&mut self) -> Arithmetic<'_, 'p> {
        Arithmetic { facts: &self.facts, terms: &mut self.terms }
    }
}

impl Arithmetic<'_, '_> {
    /// One bit: whether a number is not zero. C makes numbers of comparisons and comparisons of these numbers.
    pub fn bit(&mut self, bits: TermId) -> TermId {
        match self.terms.get(bits) {
            _ if self.terms.width(bits) == 1 => bits,
            Term::Zext(of) | Term::Sext(of) => self.bit(of),
            _ => self.terms.nonzero(bits),
        }
    }

    /// 0 or 1 of a type.
    pub fn number_of(&mut self, truth: TermId, ty: TypeId) -> Value {
        match self.facts.program.types().int_type(ty) {
            Some(int) => Value::Bits(self.terms.zext(truth, u32::from(int.bits))),
            None => Value::Lost,
        }
    }

    pub fn unary(&mut self, op: UnaryOp, ty: TypeId, value: Value) -> Value {
        let Value::Bits(bits) = value else { return Value::Lost };
        Value::Bits(match (op, self.facts.program.types().float_format(ty)) {
            (UnaryOp::Neg, Some(format)) => self.terms.float_neg(format, bits),
            (UnaryOp::Neg, None) => self.terms.neg(bits),
            (UnaryOp::Not, _) => self.terms.not(bits),
        })
    }

    pub fn binary(
        &mut self,
        op: BinaryOp,
        ty: TypeId,
        left: Value,
        (right, count): (Value, TypeId),
    ) -> Value {
        let (Value::Bits(a), Value::Bits(b)) = (left, right) else { return Value::Lost };
        match self.facts.program.types().class(ty) {
            Class::Float(format) => match float_binary(op) {
                Some(op) => Value::Bits(self.terms.float_binary(op, format, ROUND, a, b)),
                None => Value::Lost,
            },
            Class::Int(int) => self.int_binary(op, int, a, (b, count)),
            _ => Value::Lost,
        }
    }

    pub fn int_binary(
        &mut self,
        op: BinaryOp,
        int: IntType,
        a: TermId,
        (b, count): (TermId, TypeId),
    ) -> Value {
        let terms = &mut self.terms;
        Value::Bits(match op {
            BinaryOp::Add => terms.add(a, b),
            BinaryOp::Sub => terms.sub(a, b),
            BinaryOp::Mul => terms.mul(a, b),
            BinaryOp::Div => terms.div(a, b, int.signed),
            BinaryOp::Rem => terms.rem(a, b, int.signed),
            BinaryOp::And => terms.and(a, b),
            BinaryOp::Or => terms.or(a, b),
            BinaryOp::Xor => terms.xor(a, b),
            BinaryOp::Shl | BinaryOp::Shr => {
                let outside = self.count_is_outside(int, b, count);
                let Some(count) = self.count(int, b, count) else { return Value::Lost };
                let shifted = match op {
                    BinaryOp::Shl => self.terms.shl(a, count),
                    _ => self.terms.shr(a, count, int.signed),
                };
                self.unless(outside, CheckKind::ShiftOutOfRange, u32::from(int.bits), shifted)
            }
        })
    }

    /// A value that runs have which do not violate the check. Where others go on they have any: machines and compilers
    /// differ.
    pub fn unless(&mut self, violated: Option<TermId>, check: CheckKind, bits: u32, value: TermId) -> TermId {
        if (self.facts.options.stops)(check, self.facts.program.semantics) {
            return value;
        }
        let any = self.terms.fresh("machine", Sort::Bits(bits));
        match violated {
            Some(violated) if self.terms.is_false(violated) => value,
            Some(violated) => self.terms.ite(violated, any, value),
            None => any,
        }
    }

    /// A shift's count, modulo the width, at the width. Widths that are no power of two are not followed, unless
    /// the count is known.
    pub fn count(&mut self, int: IntType, count: TermId, ty: TypeId) -> Option<TermId> {
        let from = self.facts.program.types().int_type(ty)?;
        let width = u32::from(int.bits);
        if let Some(value) = self.terms.as_const(count) {
            let value = from.wrap(value as i128).rem_euclid(i128::from(width));
            return Some(self.terms.constant(width, value as u128));
        }
        if !width.is_power_of_two() || width < 8 {
            return None;
        }
        let count = self.terms.resize(count, width, from.signed);
        let most = self.terms.constant(width, u128::from(width - 1));
        Some(self.terms.and(count, most))
    }

    /// One bit: a comparison of two numbers of one width.
    pub fn int_compare(&mut self, op: CompareOp, signed: bool, a: TermId, b: TermId) -> TermId {
        let against_zero = self.terms.as_const(b) == Some(0);
        match op {
            CompareOp::Eq if against_zero => {
                let bit = self.bit(a);
                self.terms.not(bit)
            }
            CompareOp::Ne if against_zero => self.bit(a),
            CompareOp::Eq => self.terms.eq(a, b),
            CompareOp::Ne => self.terms.ne(a, b),
            CompareOp::Lt => self.terms.lt(a, b, signed),
            CompareOp::Le => self.terms.le(a, b, signed),
            CompareOp::Gt => self.terms.lt(b, a, signed),
            CompareOp::Ge => self.terms.le(b, a, signed),
        }
    }

    pub fn float_compare(&mut self, op: CompareOp, format: Format, a: TermId, b: TermId) -> TermId {
        match op {
            CompareOp::Eq => self.terms.float_eq(format, a, b),
            CompareOp::Ne => {
                let eq = self.terms.float_eq(format, a, b);
                self.terms.not(eq)
            }
            CompareOp::Lt => self.terms.float_lt(format, a, b),
            CompareOp::Le => self.terms.float_le(format, a, b),
            CompareOp::Gt => self.terms.float_lt(format, b, a),
            CompareOp::Ge => self.terms.float_le(format, b, a),
        }
    }
}

/// The float operation of an operator.
fn float_binary(op: BinaryOp) -> Option<FloatBinary> {
    match op {
        BinaryOp::Add => Some(FloatBinary::Add),
        BinaryOp::Sub => Some(FloatBinary::Sub),
        BinaryOp::Mul => Some(FloatBinary::Mul),
        BinaryOp::Div => Some(FloatBinary::Div),
        _ => None,
    }
}

/// The exact operation of an operator.
pub(crate) fn exact_operation(op: BinaryOp) -> Option<ArithOp> {
    match op {
        BinaryOp::Add => Some(ArithOp::Add),
        BinaryOp::Sub => Some(ArithOp::Sub),
        BinaryOp::Mul => Some(ArithOp::Mul),
        _ => None,
    }
}
