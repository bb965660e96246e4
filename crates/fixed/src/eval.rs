// SPDX-License-Identifier: MIT OR Apache-2.0
//! Expressions: integers exactly, numbers by the algebra, with the rounding that their formats ask for.
//!
//! The format of an operation holds the digits of either operand; a constant takes the format of what it meets. Sums are
//! exact on the finer grid; products, quotients and roots are rounded to it. Integers that stand for numbers (quantities)
//! are computed as C computes them, and in the reals without any rounding: a right shift divides, and the constant that
//! makes it round, `(x + (1 << (k - 1))) >> k`, is part of the shift wherever it was added ([`Shaped::bias`]).

use clew_base::exact::power_of_two;
use clew_base::int::IntType;
use clew_base::source::Span;
use clew_ir::syntax::{
    BinaryOp, Body, Builtin, ExprId, ExprKind, Place, PlaceBase, Projection, Type, TypeId, UnaryOp,
};

use crate::algebra::{Algebra, Computed, Source, Verdict};
use crate::exact::{fold, small_integer};
use crate::format::{Format, Grid, Rounding};
use crate::interval::Interval;
use crate::store::{Meeting, ObjectId, Scalar, Shaped, Store, constant, integer, scalar};
use crate::walk::{Walk, Walked};

/// The format of a C integer type.
pub(crate) fn of_integer(ty: IntType, rounding: Rounding) -> Format {
    Format { rounding, ..Format::binary(ty.signed, ty.bits - u16::from(ty.signed), 0) }
}

/// The constant for rounding in a result: a sum has that of what was added to.
fn bias_of<V>(op: BinaryOp, a: &Shaped<V>, b: &Shaped<V>) -> i128 {
    match op {
        BinaryOp::Add if a.bias() == 0 || a.bias == 0 && b.bias != 0 => b.bias(),
        BinaryOp::Add | BinaryOp::Sub => a.bias(),
        _ => 0,
    }
}

/// Two numbers and the format of an operation on them.
pub(crate) type Alike<V> = (Shaped<V>, Shaped<V>, Format);

impl<'a, A: Algebra> Walk<'a, A> {
    /// The value of an expression.
    pub(crate) fn eval(
        &mut self,
        body: &'a Body,
        store: &mut Store<A::Value>,
        id: ExprId,
    ) -> Walked<Scalar<A::Value>> {
        let expr = &body.exprs[id];
        let span = expr.span;
        Ok(match &expr.kind {
            ExprKind::Int(value) => Scalar::int(*value),
            ExprKind::Float { bits, text } => {
                if let Some(known) = self.literals.get(&(std::ptr::from_ref(body), id)) {
                    return Ok(Scalar::Number(known.clone()));
                }
                let Type::Float(format) = self.program.types[expr.ty] else {
                    return Ok(Scalar::unclear("a constant of an unusual type"));
                };
                match crate::exact::known_literal(*bits, format, text.as_ref()) {
                    Some(known) => {
                        let value = self.algebra.known(&known.value, &known.value);
                        let constant = Some(known.value);
                        let number = Shaped { constant, ..Shaped::new(value, None, known.grid) };
                        self.literals.insert((std::ptr::from_ref(body), id), number.clone());
                        Scalar::Number(number)
                    }
                    None => Scalar::unclear("a constant that is no number"),
                }
            }
            ExprKind::Local(local) => match &store.frame().registers[local.0 as usize] {
                Scalar::Undefined => Scalar::unclear("a variable that has no value yet"),
                known => known.clone(),
            },
            ExprKind::AddressOf(place) => self.address(body, store, place, span)?,
            ExprKind::Function(function) => Scalar::Function(*function),
            ExprKind::Label(_) => Scalar::unclear("the address of a label"),
            ExprKind::Unary(op, a) => {
                let a = self.eval(body, store, *a)?;
                self.unary(*op, a, expr.ty, span)?
            }
            ExprKind::Binary(op, a, b) => self.binary(body, store, (*op, *a, *b), expr.ty, span)?,
            ExprKind::Compare(..) => match self.truth(body, store, id)? {
                verdict if verdict.may_part() => {
                    Scalar::unclear("the outcome of a comparison that rounding may turn, used as a number")
                }
                verdict => verdict.decided().map_or(Scalar::Int(0, 1), |outcome| Scalar::int(outcome.into())),
            },
            ExprKind::Cast(a) => {
                let from = body.exprs[*a].ty;
                let a = self.eval(body, store, *a)?;
                self.cast(a, from, expr.ty, span)?
            }
            ExprKind::PointerAdd { pointer, index, stride } => {
                let pointer = self.eval(body, store, *pointer)?;
                match (pointer, self.eval_index(body, store, *index)?) {
                    (Scalar::Pointer(object, offset), Scalar::Int(low, high)) if low == high => {
                        Scalar::Pointer(object, offset + low * i128::from(*stride))
                    }
                    (Scalar::Unclear(why), _) | (_, Scalar::Unclear(why)) => Scalar::Unclear(why),
                    _ => Scalar::unclear("a pointer moved by a number that is not known"),
                }
            }
            ExprKind::PointerDifference { left, right, stride } => {
                let left = self.eval(body, store, *left)?;
                match (left, self.eval(body, store, *right)?) {
                    (Scalar::Pointer(a, x), Scalar::Pointer(b, y)) if a == b => {
                        Scalar::int((x - y) / i128::from(*stride).max(1))
                    }
                    _ => Scalar::unclear("the difference of pointers that are not known"),
                }
            }
            ExprKind::Builtin(Builtin::Fabs, arguments) => {
                let a = self.eval(body, store, arguments[0])?;
                self.absolute(a, span)?
            }
            ExprKind::Builtin(..) | ExprKind::Overflows { .. } => Scalar::unclear("a function of bits"),
            ExprKind::Select { condition, then, otherwise } => {
                let verdict = self.truth(body, store, *condition)?;
                let (yes, no) = (self.eval(body, store, *then)?, self.eval(body, store, *otherwise)?);
                self.select(verdict, &yes, &no, body.exprs[*condition].span)
            }
        })
    }

    /// An index; a number that is one known integer is one.
    pub(crate) fn eval_index(
        &mut self,
        body: &'a Body,
        store: &mut Store<A::Value>,
        id: ExprId,
    ) -> Walked<Scalar<A::Value>> {
        Ok(match self.eval(body, store, id)? {
            Scalar::Number(number) => match number.constant.as_deref().and_then(small_integer) {
                Some(index) => Scalar::int(index),
                None => Scalar::Number(number),
            },
            other => other,
        })
    }

    /// One of two values, by a test that may not be decided.
    pub(crate) fn select(
        &mut self,
        verdict: Verdict,
        yes: &Scalar<A::Value>,
        no: &Scalar<A::Value>,
        span: Span,
    ) -> Scalar<A::Value> {
        if let Some(outcome) = verdict.decided() {
            return if outcome { yes.clone() } else { no.clone() };
        }
        self.journal.test(span, verdict.may_part());
        let mut result = Scalar::Undefined;
        let algebra = &mut self.algebra;
        for (possible, value) in [(verdict.both, yes), (verdict.neither, no)] {
            if possible {
                result = scalar(algebra, Meeting::Either, &result, value);
            }
        }
        for (possible, real, machine) in [(verdict.machine_only, no, yes), (verdict.real_only, yes, no)] {
            if possible {
                let parted = scalar(algebra, Meeting::Parted, real, machine);
                result = scalar(algebra, Meeting::Either, &result, &parted);
            }
        }
        result
    }

    fn address(
        &mut self,
        body: &'a Body,
        store: &mut Store<A::Value>,
        place: &Place,
        span: Span,
    ) -> Walked<Scalar<A::Value>> {
        let (object, mut offset) = match place.base {
            PlaceBase::Global(global) => (ObjectId::Global(global), 0),
            PlaceBase::Local(local) => (ObjectId::Local(store.frames.len() - 1, local), 0),
            PlaceBase::Deref(pointer) => match self.eval(body, store, pointer)? {
                Scalar::Pointer(object, offset) => (object, offset),
                other => return Ok(other),
            },
        };
        for projection in &place.projections {
            match projection {
                Projection::Field { record, field } => {
                    let field = self.program.types().field(*record, *field);
                    offset += field.map_or(0, |field| i128::from(field.offset));
                }
                Projection::Index { index, stride, .. } => match self.eval_index(body, store, *index)? {
                    Scalar::Int(low, high) if low == high => offset += low * i128::from(*stride),
                    _ => return Err(self.no_bound("the address of an element that is not known", span)),
                },
            }
        }
        Ok(Scalar::Pointer(object, offset))
    }

    fn unary(
        &mut self,
        op: UnaryOp,
        a: Scalar<A::Value>,
        ty: TypeId,
        span: Span,
    ) -> Walked<Scalar<A::Value>> {
        match (op, a) {
            (UnaryOp::Neg, Scalar::Number(a)) => {
                let zero = integer(&mut self.algebra, 0);
                self.arithmetic(BinaryOp::Sub, &zero, &a, ty, span)
            }
            (op, Scalar::Int(low, high)) => {
                let Some(int) = self.program.types().int_type(ty) else {
                    return Ok(Scalar::unclear("an unusual type"));
                };
                Ok(match op {
                    UnaryOp::Neg if low == high => Scalar::int(int.neg(low).0),
                    UnaryOp::Neg if int.signed && low > int.min() => Scalar::Int(-high, -low),
                    UnaryOp::Not if low == high => Scalar::int(int.not(low)),
                    _ => Scalar::Int(int.min(), int.max()),
                })
            }
            (_, Scalar::Unclear(why)) => Ok(Scalar::Unclear(why)),
            _ => Ok(Scalar::unclear("an operation on bits of a number")),
        }
    }

    fn binary(
        &mut self,
        body: &'a Body,
        store: &mut Store<A::Value>,
        (op, left, right): (BinaryOp, ExprId, ExprId),
        ty: TypeId,
        span: Span,
    ) -> Walked<Scalar<A::Value>> {
        let a = self.eval(body, store, left)?;
        let b = self.eval(body, store, right)?;
        match (a, b) {
            (Scalar::Unclear(why), _) | (_, Scalar::Unclear(why)) => Ok(Scalar::Unclear(why)),
            (Scalar::Int(a, b), Scalar::Int(c, d)) => Ok(self.integers(op, (a, b), (c, d), ty)),
            (Scalar::Number(a), Scalar::Number(b)) => self.arithmetic(op, &a, &b, ty, span),
            (Scalar::Number(a), Scalar::Int(c, d)) => {
                let b = self.integral(c, d, span)?;
                self.arithmetic(op, &a, &b, ty, span)
            }
            (Scalar::Int(c, d), Scalar::Number(b)) => {
                let a = self.integral(c, d, span)?;
                self.arithmetic(op, &a, &b, ty, span)
            }
            _ => Ok(Scalar::unclear("arithmetic on addresses")),
        }
    }

    /// A quantity times a power of two, as an integer again.
    fn shifted(
        &mut self,
        a: &Shaped<A::Value>,
        by: i128,
        rounding: Rounding,
        ty: TypeId,
        span: Span,
    ) -> Walked<Scalar<A::Value>> {
        let Some(int) = self.program.types().int_type(ty) else {
            return Ok(Scalar::unclear("an unusual type"));
        };
        let factor = constant(&mut self.algebra, power_of_two(by as i64));
        let value = self.algebra.mul(&a.value, &factor.value);
        let value = self.computed(value, span)?;
        let grid = a.grid.zip(factor.grid).map(|(a, b)| a.product(b));
        let format = of_integer(int, rounding);
        let shifted = self.onto(&Shaped::new(value, None, grid), &format, span)?;
        Ok(Scalar::Number(self.fit(shifted, &format, span)?))
    }

    pub(crate) fn computed<T>(&self, computed: Computed<T>, span: Span) -> Walked<T> {
        computed.map_err(|fault| self.fault(fault, span))
    }

    /// Integers as a number: one is a constant, more are a source of their own.
    pub(crate) fn integral(&mut self, low: i128, high: i128, span: Span) -> Walked<Shaped<A::Value>> {
        if low == high {
            return Ok(integer(&mut self.algebra, low));
        }
        let range = Interval::integer(low).hull(Interval::integer(high));
        let source = Source { range, grid: Grid::INTEGERS, rounding: None };
        let value = self.algebra.source(&source);
        Ok(Shaped::new(self.computed(value, span)?, None, Some(Grid::INTEGERS)))
    }

    /// Two numbers in the format of an operation on them.
    pub(crate) fn alike(
        &mut self,
        a: &Shaped<A::Value>,
        b: &Shaped<A::Value>,
        span: Span,
    ) -> Walked<Option<Alike<A::Value>>> {
        let format = match (a.format, b.format) {
            (Some(a), Some(b)) => a.join(&b),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => match self.setup.all {
                Some(all) => all,
                None => return Ok(None),
            },
        };
        let mut prepared = |number: &Shaped<A::Value>| match &number.constant {
            Some(_) => self.onto(number, &format, span),
            None => Ok(number.clone()),
        };
        Ok(Some((prepared(a)?, prepared(b)?, format)))
    }

    /// An operation on two numbers.
    pub(crate) fn arithmetic(
        &mut self,
        op: BinaryOp,
        a: &Shaped<A::Value>,
        b: &Shaped<A::Value>,
        ty: TypeId,
        span: Span,
    ) -> Walked<Scalar<A::Value>> {
        let int = self.program.types().int_type(ty);
        // Quotients of integers are cut, and what is computed of integers has to fit, of constants as well.
        if let (Some(x), Some(y)) = (&a.constant, &b.constant)
            && (int.is_none() || op != BinaryOp::Div)
            && let Some(folded) = fold(op, x, y)
        {
            let bias = bias_of(op, a, b);
            let number = Shaped { bias, ..constant(&mut self.algebra, folded) };
            return Ok(Scalar::Number(match int {
                Some(int) => self.fit(number, &of_integer(int, Rounding::TowardZero), span)?,
                None => number,
            }));
        }
        if let Some(int) = int {
            return self.on_quantities(op, a, b, int, ty, span);
        }
        let Some((a, b, format)) = self.alike(a, b, span)? else {
            return Ok(Scalar::unclear("there is no format for it: --fixed NAME=s7.8, or ALL=s7.8 for all"));
        };
        let number = self.exactly(op, &a, &b, &format, span)?;
        let Some(number) = number else {
            return Ok(Scalar::unclear("an operation that numbers do not have"));
        };
        let number = self.onto(&number, &format, span)?;
        Ok(Scalar::Number(self.fit(number, &format, span)?))
    }

    /// The result before it is rounded to the format; quotients are rounded here.
    fn exactly(
        &mut self,
        op: BinaryOp,
        a: &Shaped<A::Value>,
        b: &Shaped<A::Value>,
        format: &Format,
        span: Span,
    ) -> Walked<Option<Shaped<A::Value>>> {
        let grids = a.grid.zip(b.grid);
        let (value, grid) = match op {
            BinaryOp::Add => (self.algebra.add(&a.value, &b.value), grids.map(|(a, b)| a.join(b))),
            BinaryOp::Sub => (self.algebra.sub(&a.value, &b.value), grids.map(|(a, b)| a.join(b))),
            BinaryOp::Mul => (self.algebra.mul(&a.value, &b.value), grids.map(|(a, b)| a.product(b))),
            BinaryOp::Div => {
                let grid = format.grid();
                (self.algebra.div(&a.value, &b.value, grid, format.rounding), Some(grid))
            }
            _ => return Ok(None),
        };
        Ok(Some(Shaped::new(self.computed(value, span)?, None, grid)))
    }

    /// C's arithmetic on integers that stand for numbers.
    fn on_quantities(
        &mut self,
        op: BinaryOp,
        a: &Shaped<A::Value>,
        b: &Shaped<A::Value>,
        int: IntType,
        ty: TypeId,
        span: Span,
    ) -> Walked<Scalar<A::Value>> {
        if !self.setup.facts.numbers.is_integer_c
            && !matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul)
        {
            return Ok(Scalar::unclear("an integer part that rounding may change, divided or shifted"));
        }
        if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
            let count = b.constant.as_deref().and_then(small_integer).filter(|n| (0..=120).contains(n));
            let Some(count) = count else {
                return Ok(Scalar::unclear("a shift by a count that is not known"));
            };
            return match op {
                BinaryOp::Shl => self.shifted(a, count, Rounding::Truncate, ty, span),
                _ => self.shifted_right(a, count, ty, span),
            };
        }
        if matches!(op, BinaryOp::And | BinaryOp::Rem) {
            return self.remainder(op, a, b, int, span);
        }
        let format = of_integer(int, Rounding::TowardZero);
        let Some(number) = self.exactly(op, a, b, &format, span)? else {
            return Ok(Scalar::unclear("an operation on the bits of a number"));
        };
        let bias = bias_of(op, a, b);
        Ok(Scalar::Number(self.fit(Shaped { bias, ..number }, &format, span)?))
    }

    /// A right shift; the constant that makes it round is no part of the real computation.
    fn shifted_right(
        &mut self,
        a: &Shaped<A::Value>,
        count: i128,
        ty: TypeId,
        span: Span,
    ) -> Walked<Scalar<A::Value>> {
        if count == 0 || a.bias() != 1 << (count - 1) {
            return self.shifted(a, -count, Rounding::Truncate, ty, span);
        }
        let half = integer(&mut self.algebra, a.bias());
        let value = self.algebra.sub(&a.value, &half.value);
        let plain = Shaped::new(self.computed(value, span)?, None, a.grid);
        self.shifted(&plain, -count, Rounding::HalfUp, ty, span)
    }

    /// Integers that rounding has no part in.
    fn integers(
        &mut self,
        op: BinaryOp,
        (a, b): (i128, i128),
        (c, d): (i128, i128),
        ty: TypeId,
    ) -> Scalar<A::Value> {
        let Some(int) = self.program.types().int_type(ty) else { return Scalar::unclear("an unusual type") };
        let all = Scalar::Int(int.min(), int.max());
        if (int.bits, int.signed) == (128, false) {
            return Scalar::unclear("an integer of 128 bits");
        }
        if a == b && c == d {
            return match op {
                BinaryOp::Add => Scalar::int(int.add(a, c).0),
                BinaryOp::Sub => Scalar::int(int.sub(a, c).0),
                BinaryOp::Mul => Scalar::int(int.mul(a, c).0),
                BinaryOp::Div => {
                    int.div(a, c).map_or(Scalar::unclear("a division without a result"), Scalar::int)
                }
                BinaryOp::Rem => {
                    int.rem(a, c).map_or(Scalar::unclear("a division without a result"), Scalar::int)
                }
                BinaryOp::Shl => {
                    int.shl(a, c).map_or(Scalar::unclear("a shift out of range"), |s| Scalar::int(s.value))
                }
                BinaryOp::Shr => int.shr(a, c).map_or(Scalar::unclear("a shift out of range"), Scalar::int),
                BinaryOp::And => Scalar::int(int.and(a, c)),
                BinaryOp::Or => Scalar::int(int.or(a, c)),
                BinaryOp::Xor => Scalar::int(int.xor(a, c)),
            };
        }
        let corners = |f: fn(i128, i128) -> Option<i128>| {
            let all: Option<Vec<i128>> = [f(a, c), f(a, d), f(b, c), f(b, d)].into_iter().collect();
            all.and_then(|all| Some((*all.iter().min()?, *all.iter().max()?)))
        };
        let range = match op {
            BinaryOp::Add => a.checked_add(c).zip(b.checked_add(d)),
            BinaryOp::Sub => a.checked_sub(d).zip(b.checked_sub(c)),
            BinaryOp::Mul => corners(i128::checked_mul),
            BinaryOp::Div if c > 0 || d < 0 => corners(i128::checked_div),
            BinaryOp::Rem if c == d && c > 0 && a >= 0 => Some((0, b.min(c - 1))),
            BinaryOp::And if c == d && c >= 0 && a >= 0 => Some((0, b.min(c))),
            _ => None,
        };
        match range {
            Some((low, high)) if low >= int.min() && high <= int.max() => Scalar::Int(low, high),
            _ => all,
        }
    }

    fn cast(
        &mut self,
        a: Scalar<A::Value>,
        from: TypeId,
        to: TypeId,
        span: Span,
    ) -> Walked<Scalar<A::Value>> {
        let is_float = |ty: TypeId| matches!(self.program.types[ty], Type::Float(_));
        let int = self.program.types().int_type(to);
        Ok(match a {
            Scalar::Int(low, high) if is_float(to) => Scalar::Number(self.integral(low, high, span)?),
            Scalar::Int(low, high) if matches!(self.program.types[to], Type::Bool) => match (low, high) {
                (0, 0) => Scalar::int(0),
                _ if low > 0 || high < 0 => Scalar::int(1),
                _ => Scalar::Int(0, 1),
            },
            Scalar::Int(low, high) => match int {
                None => Scalar::Int(low, high),
                Some(int) if low == high => Scalar::int(int.wrap(low)),
                Some(int) if low >= int.min() && high <= int.max() => Scalar::Int(low, high),
                Some(int) => Scalar::Int(int.min(), int.max()),
            },
            Scalar::Number(number) if is_float(to) && is_float(from) => Scalar::Number(number),
            // An integer is exact among floats: it takes the format of what it meets.
            Scalar::Number(number) if is_float(to) => Scalar::Number(Shaped { format: None, ..number }),
            Scalar::Number(number) => match int {
                Some(int) if !is_float(from) => {
                    let format = of_integer(int, Rounding::Truncate);
                    Scalar::Number(self.fit(number, &format, span)?)
                }
                Some(int) => self.cut_to_integer(&number, int, span)?,
                None => Scalar::unclear("a number as a truth value or an address"),
            },
            other => other,
        })
    }
}
