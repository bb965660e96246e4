// SPDX-License-Identifier: MIT OR Apache-2.0
//! Expressions on the walk.

use clew_base::float::{Float, Format};
use clew_base::int::IntType;
use clew_ir::syntax::{
    BinaryOp, Body, Builtin, CompareOp, Expr, ExprId, ExprKind, Place, PlaceBase, Projection, Type, TypeId,
    UnaryOp,
};
use std::rc::Rc;

use super::memory::ObjectId;
use super::{Number, State, Step, Value, Walk, refused};
use crate::constant::Constant;
use crate::dag::{Op, Sort};
use crate::integers::integers;
use crate::interval::Interval;

impl Walk<'_> {
    pub(super) fn expr(&mut self, state: &mut State, body: &Body, id: ExprId) -> Step<Value> {
        let expr = &body.exprs[id];
        match &expr.kind {
            ExprKind::Int(value) if self.program.types().is_pointer(expr.ty) => match value {
                0 => Ok(Value::Pointer(None)),
                _ => refused("a constant address"),
            },
            ExprKind::Int(value) => Ok(Value::Int(*value)),
            ExprKind::Float { bits, text } => self.literal(expr.ty, *bits, text.as_deref()),
            ExprKind::Local(local) => match &state.top().locals[local.0 as usize] {
                Some(value) => Ok(value.clone()),
                None => refused("a variable is read before it is written"),
            },
            ExprKind::AddressOf(place) => Ok(Value::Pointer(Some(self.address(state, body, place)?))),
            ExprKind::Function(function) => Ok(Value::Function(*function)),
            ExprKind::Label(_) => refused("the address of a label"),
            ExprKind::Unary(op, a) => {
                let a = self.expr(state, body, *a)?;
                self.unary(*op, &a, expr)
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.expr(state, body, *a)?, self.expr(state, body, *b)?);
                self.set_span(expr);
                self.binary(*op, &a, &b, expr.ty)
            }
            ExprKind::Compare(op, a, b) => {
                let (a, b) = (self.expr(state, body, *a)?, self.expr(state, body, *b)?);
                self.set_span(expr);
                Ok(Value::Int(i128::from(self.compare(state, *op, &a, &b)?)))
            }
            ExprKind::Cast(a) => {
                let from = body.exprs[*a].ty;
                let a = self.expr(state, body, *a)?;
                self.set_span(expr);
                self.cast(state, &a, from, expr.ty)
            }
            ExprKind::PointerAdd { pointer, index, stride } => {
                let pointer = self.expr(state, body, *pointer)?;
                match (pointer, self.expr(state, body, *index)?) {
                    (Value::Pointer(Some((object, offset))), Value::Int(index)) => {
                        Ok(Value::Pointer(Some((object, offset + index as i64 * *stride as i64))))
                    }
                    _ => refused("an address that depends on the inputs"),
                }
            }
            ExprKind::PointerDifference { left, right, stride } => {
                match (self.expr(state, body, *left)?, self.expr(state, body, *right)?) {
                    (Value::Pointer(Some((a, x))), Value::Pointer(Some((b, y)))) if a == b => {
                        Ok(Value::Int(i128::from((x - y) / (*stride).max(1) as i64)))
                    }
                    _ => refused("a difference of addresses"),
                }
            }
            ExprKind::Select { condition, then, otherwise } => {
                let condition = self.expr(state, body, *condition)?;
                if self.is_true(state, &condition)? {
                    self.expr(state, body, *then)
                } else {
                    self.expr(state, body, *otherwise)
                }
            }
            ExprKind::Builtin(builtin, arguments) => self.builtin(state, body, *builtin, arguments, expr),
            ExprKind::Overflows { .. } => refused("a test for overflow"),
        }
    }

    fn set_span(&mut self, expr: &Expr) {
        if !expr.span.is_none() {
            self.span = expr.span;
        }
    }

    fn literal(&mut self, ty: TypeId, bits: u128, text: Option<&str>) -> Step<Value> {
        let format = self.format(ty)?;
        let machine = Float::from_bits(format, bits);
        // The front end computes some calls of known numbers, as gcc does: what they stand for is lost.
        if text.is_none() && !machine.is_zero() {
            return refused("a number that is computed while compiling");
        }
        match Constant::literal(machine, text) {
            Some(constant) => Ok(Value::Float(Number::Known(Rc::new(constant)))),
            None => refused("an infinite number or a NaN is written"),
        }
    }

    pub(super) fn format(&self, ty: TypeId) -> Step<Format> {
        match self.program.types().float_format(ty) {
            Some(format) => Ok(format),
            None => refused("a value that is no float"),
        }
    }

    fn int_type(&self, ty: TypeId) -> Step<IntType> {
        match self.program.types().int_type(ty) {
            Some(ty) => Ok(ty),
            None => refused("a value that is no integer"),
        }
    }

    fn unary(&mut self, op: UnaryOp, a: &Value, expr: &Expr) -> Step<Value> {
        match (op, a) {
            (UnaryOp::Neg, Value::Float(number)) => Ok(Value::Float(self.negated(number))),
            (UnaryOp::Neg, Value::Int(value)) => Ok(Value::Int(self.int_type(expr.ty)?.neg(*value).0)),
            (UnaryOp::Not, Value::Int(value)) => Ok(Value::Int(self.int_type(expr.ty)?.not(*value))),
            (UnaryOp::Neg, Value::Whole(node)) => {
                let ty = self.int_type(expr.ty)?;
                let node = self.node(Op::Neg(*node), Sort::Integer);
                self.fitting(node, ty)
            }
            _ => refused("an operation on the bits of an input"),
        }
    }

    fn binary(&mut self, op: BinaryOp, a: &Value, b: &Value, ty: TypeId) -> Step<Value> {
        match (a, b) {
            (Value::Float(x), Value::Float(y)) => {
                let format = self.format(ty)?;
                Ok(Value::Float(self.arithmetic(op, x, y, format)?))
            }
            (Value::Int(x), Value::Int(y)) => {
                Ok(Value::Int(integers(op, *x, *y, self.int_type(ty)?).or_else(refused)?))
            }
            (Value::Int(_) | Value::Whole(_), Value::Int(_) | Value::Whole(_)) => {
                let ty = self.int_type(ty)?;
                self.whole(op, a, b, ty)
            }
            _ => refused("arithmetic on addresses"),
        }
    }

    fn compare(&mut self, state: &State, op: CompareOp, a: &Value, b: &Value) -> Step<bool> {
        match (a, b) {
            (Value::Pointer(x), Value::Pointer(y)) => match op {
                CompareOp::Eq => Ok(x == y),
                CompareOp::Ne => Ok(x != y),
                _ => refused("an order of addresses"),
            },
            (Value::Function(x), Value::Function(y)) => match op {
                CompareOp::Eq => Ok(x == y),
                CompareOp::Ne => Ok(x != y),
                _ => refused("an order of addresses"),
            },
            (Value::Function(_), Value::Pointer(None)) | (Value::Pointer(None), Value::Function(_)) => {
                Ok(op == CompareOp::Ne)
            }
            (Value::Pointer(_) | Value::Function(_), _) | (_, Value::Pointer(_) | Value::Function(_)) => {
                refused("an address is compared with something else")
            }
            _ => self.decide(state, op, a, b),
        }
    }

    fn cast(&mut self, state: &State, a: &Value, from: TypeId, to: TypeId) -> Step<Value> {
        let types = self.program.types();
        match (types.get(to), a) {
            (Type::Bool, _) => Ok(Value::Int(i128::from(self.is_true(state, a)?))),
            (Type::Float(format), Value::Float(number)) => {
                let from = self.format(from)?;
                Ok(Value::Float(self.converted(number, from, *format)))
            }
            (Type::Float(format), value) => {
                let from = types.int_type(from).unwrap_or(IntType::signed(32));
                Ok(Value::Float(self.float_of(value, from, *format)?))
            }
            (Type::Int { .. }, Value::Float(number)) => {
                let ty = self.int_type(to)?;
                self.integer_of(number, ty)
            }
            (Type::Int { .. }, Value::Int(value)) => Ok(Value::Int(self.int_type(to)?.wrap(*value))),
            (Type::Int { .. }, Value::Whole(node)) => {
                let ty = self.int_type(to)?;
                self.fitting(*node, ty)
            }
            (Type::Pointer(_), Value::Pointer(_) | Value::Function(_)) => Ok(a.clone()),
            (Type::Pointer(_), Value::Int(0)) => Ok(Value::Pointer(None)),
            _ => refused("a cast between addresses and numbers"),
        }
    }

    fn builtin(
        &mut self,
        state: &mut State,
        body: &Body,
        builtin: Builtin,
        arguments: &[ExprId],
        expr: &Expr,
    ) -> Step<Value> {
        let mut values = Vec::new();
        for argument in arguments {
            values.push(self.expr(state, body, *argument)?);
        }
        self.set_span(expr);
        match (builtin, &values[..]) {
            (Builtin::Fabs, [Value::Float(number)]) => Ok(Value::Float(self.magnitude(number))),
            (
                Builtin::IsNan
                | Builtin::IsInf
                | Builtin::IsInfSign
                | Builtin::IsUnordered
                | Builtin::IsFinite,
                _,
            ) => {
                for value in &values {
                    if !self.range_of(value)?.is_finite() {
                        return refused("a test for infinity or NaN of what may overflow or be undefined");
                    }
                }
                Ok(Value::Int(i128::from(builtin == Builtin::IsFinite)))
            }
            (Builtin::SignBit, [value @ Value::Float(_)]) => {
                Ok(Value::Int(i128::from(self.is_negative(state, value)?)))
            }
            (Builtin::CopySign, [Value::Float(number), sign @ Value::Float(_)]) => {
                let is_negative = self.is_negative(state, sign)?;
                let magnitude = self.magnitude(number);
                Ok(Value::Float(if is_negative { self.negated(&magnitude) } else { magnitude }))
            }
            (
                Builtin::Clz | Builtin::Ctz | Builtin::Popcount | Builtin::Parity | Builtin::Ffs,
                [Value::Int(value)],
            ) => {
                let ty = self.int_type(body.exprs[arguments[0]].ty)?;
                let count = match builtin {
                    Builtin::Clz => ty.clz(*value),
                    Builtin::Ctz => ty.ctz(*value),
                    Builtin::Popcount => ty.popcount(*value),
                    Builtin::Parity => ty.parity(*value),
                    _ => ty.ffs(*value),
                };
                Ok(Value::Int(i128::from(count)))
            }
            _ => refused("a function of the bits of an input"),
        }
    }

    /// The sign of a number; zeros have one that reals do not know.
    fn is_negative(&mut self, state: &State, value: &Value) -> Step<bool> {
        if self.range_of(value)?.contains(0.0) {
            return refused("the sign bit of what may be zero");
        }
        let zero = Value::Float(Number::Known(Rc::new(self.zero_of(self.value_format(value)?)?)));
        self.decide(state, CompareOp::Lt, value, &zero)
    }

    pub(super) fn range_of(&mut self, value: &Value) -> Step<Interval> {
        let node = self.as_node(value)?;
        Ok(self.ranges.value(node))
    }

    pub(super) fn value_format(&self, value: &Value) -> Step<Format> {
        match value {
            Value::Float(Number::Known(c)) => Ok(c.machine.format()),
            Value::Float(Number::Node(node)) => match self.dag.nodes[*node].sort {
                Sort::Float(format) => Ok(format),
                Sort::Integer => refused("a value that is no float"),
            },
            _ => refused("a value that is no float"),
        }
    }

    /// The object and byte of a place.
    pub(super) fn address(&mut self, state: &mut State, body: &Body, place: &Place) -> Step<(ObjectId, i64)> {
        let (object, mut offset) = match place.base {
            PlaceBase::Local(local) => match state.top().objects.get(&local) {
                Some(object) => (*object, 0),
                None => return refused("a variable that is not alive"),
            },
            PlaceBase::Global(global) => (state.memory.global(global), 0),
            PlaceBase::Deref(pointer) => match self.expr(state, body, pointer)? {
                Value::Pointer(Some(address)) => address,
                Value::Pointer(None) => return refused("a null pointer is followed"),
                _ => return refused("an address that is no object"),
            },
        };
        for projection in &place.projections {
            offset += match *projection {
                Projection::Field { record, field } => match self.program.types().field(record, field) {
                    Some(field) if field.bits.is_none() => field.offset as i64,
                    _ => return refused("a bit-field"),
                },
                Projection::Index { index, stride, .. } => match self.expr(state, body, index)? {
                    Value::Int(index) => index as i64 * stride as i64,
                    _ => return refused("an array index depends on the inputs"),
                },
            };
        }
        Ok((object, offset))
    }
}
