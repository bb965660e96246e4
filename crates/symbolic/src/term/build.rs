// SPDX-License-Identifier: MIT OR Apache-2.0
//! The constructors of terms over integers, booleans and arrays. Each simplifies.

use clew_base::int::IntType;

use crate::term::{BinaryOp, Sort, Term, TermId, Terms, mask};

impl Terms {
    /// A bit-vector constant: the low `width` bits of `value`.
    pub fn constant(&mut self, width: u32, value: u128) -> TermId {
        self.intern(Term::Const(value & mask(width)), Sort::Bits(width))
    }

    /// A constant of one bit.
    pub fn bool(&mut self, value: bool) -> TermId {
        self.constant(1, u128::from(value))
    }

    /// A constant of an integer type, from its canonical form.
    pub fn int(&mut self, ty: IntType, value: i128) -> TermId {
        self.constant(u32::from(ty.bits), value as u128)
    }

    /// Whether the term is the constant true (one bit, set).
    pub fn is_true(&self, term: TermId) -> bool {
        self.sort(term) == Sort::BOOL && self.as_const(term) == Some(1)
    }

    /// Whether the term is the constant false (one bit, clear).
    pub fn is_false(&self, term: TermId) -> bool {
        self.sort(term) == Sort::BOOL && self.as_const(term) == Some(0)
    }

    /// Complement of all bits; of one bit: negation.
    pub fn not(&mut self, a: TermId) -> TermId {
        self.make(Term::Not(a), self.sort(a))
    }

    fn binary(&mut self, op: BinaryOp, a: TermId, b: TermId) -> TermId {
        let sort = match op {
            BinaryOp::Eq | BinaryOp::Ult | BinaryOp::Slt => Sort::BOOL,
            BinaryOp::Concat => Sort::Bits(self.width(a) + self.width(b)),
            _ => self.sort(a),
        };
        debug_assert!(op == BinaryOp::Concat || self.width(a) == self.width(b), "{op:?} of two widths");
        self.make(Term::Binary(op, a, b), sort)
    }

    /// Bitwise and; of one bit: conjunction.
    pub fn and(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(BinaryOp::And, a, b)
    }

    /// Bitwise or; of one bit: disjunction.
    pub fn or(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(BinaryOp::Or, a, b)
    }

    /// Bitwise exclusive or; of one bit: "either, not both".
    pub fn xor(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(BinaryOp::Xor, a, b)
    }

    /// One bit: if `a` then `b`.
    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let not_a = self.not(a);
        self.or(not_a, b)
    }

    /// One bit: all of them; true if there are none.
    pub fn all(&mut self, conditions: &[TermId]) -> TermId {
        let start = self.bool(true);
        conditions.iter().fold(start, |all, &condition| self.and(all, condition))
    }

    /// One bit: any of them; false if there are none.
    pub fn any(&mut self, conditions: &[TermId]) -> TermId {
        let start = self.bool(false);
        conditions.iter().fold(start, |any, &condition| self.or(any, condition))
    }

    /// `then` if the bit `condition` is set, else `otherwise`: of one sort.
    pub fn ite(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> TermId {
        debug_assert_eq!(self.sort(condition), Sort::BOOL);
        debug_assert_eq!(self.sort(then), self.sort(otherwise));
        self.make(Term::Ite(condition, then, otherwise), self.sort(then))
    }

    /// One bit: equality of bit-vectors. (Of floats: of their encodings, see [`Terms::float_eq`].)
    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(BinaryOp::Eq, a, b)
    }

    /// One bit: inequality of bit-vectors.
    pub fn ne(&mut self, a: TermId, b: TermId) -> TermId {
        let eq = self.eq(a, b);
        self.not(eq)
    }

    /// One bit: whether a bit-vector is not zero.
    pub fn nonzero(&mut self, a: TermId) -> TermId {
        let zero = self.constant(self.width(a), 0);
        self.ne(a, zero)
    }

    /// Sum, wrapped.
    pub fn add(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(BinaryOp::Add, a, b)
    }

    /// Difference, wrapped.
    pub fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(BinaryOp::Sub, a, b)
    }

    /// Product, wrapped.
    pub fn mul(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(BinaryOp::Mul, a, b)
    }

    /// `-a`, wrapped.
    pub fn neg(&mut self, a: TermId) -> TermId {
        let zero = self.constant(self.width(a), 0);
        self.sub(zero, a)
    }

    /// Quotient, truncated; the value for a zero divisor is that of [`BinaryOp::Sdiv`] or [`BinaryOp::Udiv`].
    pub fn div(&mut self, a: TermId, b: TermId, signed: bool) -> TermId {
        self.binary(if signed { BinaryOp::Sdiv } else { BinaryOp::Udiv }, a, b)
    }

    /// Remainder; the value for a zero divisor is the dividend.
    pub fn rem(&mut self, a: TermId, b: TermId, signed: bool) -> TermId {
        self.binary(if signed { BinaryOp::Srem } else { BinaryOp::Urem }, a, b)
    }

    /// Left shift; the count has the width of `a` (see [`Terms::resize`]) and is unsigned.
    pub fn shl(&mut self, a: TermId, count: TermId) -> TermId {
        self.binary(BinaryOp::Shl, a, count)
    }

    /// Right shift, arithmetic if `signed`; the count has the width of `a` and is unsigned.
    pub fn shr(&mut self, a: TermId, count: TermId, signed: bool) -> TermId {
        self.binary(if signed { BinaryOp::Ashr } else { BinaryOp::Lshr }, a, count)
    }

    /// One bit: `a < b`.
    pub fn lt(&mut self, a: TermId, b: TermId, signed: bool) -> TermId {
        self.binary(if signed { BinaryOp::Slt } else { BinaryOp::Ult }, a, b)
    }

    /// One bit: `a <= b`.
    pub fn le(&mut self, a: TermId, b: TermId, signed: bool) -> TermId {
        let gt = self.lt(b, a, signed);
        self.not(gt)
    }

    /// The bits of `high` above those of `low`.
    pub fn concat(&mut self, high: TermId, low: TermId) -> TermId {
        self.binary(BinaryOp::Concat, high, low)
    }

    /// The bits `low .. low + width`.
    pub fn extract(&mut self, of: TermId, low: u32, width: u32) -> TermId {
        debug_assert!(low + width <= self.width(of));
        if low == 0 && width == self.width(of) {
            return of;
        }
        self.make(Term::Extract { of, low }, Sort::Bits(width))
    }

    /// Zeros added above, up to `width`.
    pub fn zext(&mut self, a: TermId, width: u32) -> TermId {
        debug_assert!(width >= self.width(a));
        if width == self.width(a) { a } else { self.make(Term::Zext(a), Sort::Bits(width)) }
    }

    /// Copies of the sign bit added above, up to `width`.
    pub fn sext(&mut self, a: TermId, width: u32) -> TermId {
        debug_assert!(width >= self.width(a));
        if width == self.width(a) { a } else { self.make(Term::Sext(a), Sort::Bits(width)) }
    }

    /// C's conversion of an integer: cut, or extended by its own signedness.
    pub fn resize(&mut self, a: TermId, width: u32, signed: bool) -> TermId {
        if width <= self.width(a) {
            self.extract(a, 0, width)
        } else if signed {
            self.sext(a, width)
        } else {
            self.zext(a, width)
        }
    }

    /// The array with one element everywhere, indexed by `index` bits.
    pub fn const_array(&mut self, index: u32, element: TermId) -> TermId {
        let sort = Sort::Array { index, element: self.width(element) };
        self.make(Term::ConstArray(element), sort)
    }

    /// The element at an index.
    pub fn select(&mut self, array: TermId, index: TermId) -> TermId {
        let Sort::Array { index: index_width, element } = self.sort(array) else {
            unreachable!("{array} is no array")
        };
        debug_assert_eq!(self.width(index), index_width);
        self.make(Term::Select(array, index), Sort::Bits(element))
    }

    /// The array with one element replaced.
    pub fn store(&mut self, array: TermId, index: TermId, element: TermId) -> TermId {
        debug_assert_eq!(
            self.sort(array),
            Sort::Array { index: self.width(index), element: self.width(element) }
        );
        self.make(Term::Store(array, index, element), self.sort(array))
    }
}
