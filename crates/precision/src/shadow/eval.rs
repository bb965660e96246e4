// SPDX-License-Identifier: MIT OR Apache-2.0
//! Expressions of a shadowed run.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use clew_base::float::{Float, Format};
use clew_ir::syntax::{
    BinaryOp, Body, Builtin, CompareOp, ExprId, ExprKind, Place as CPlace, PlaceBase, Projection, Type,
    TypeId, UnaryOp,
};
use rustc_hash::FxHasher;

use super::memory::{Place, int_type};
use super::{EVEN, Mode, NEAREST, Run, Shadowed, Step, Value, stop};
use crate::constant::Constant;
use crate::integers::integers;
use crate::kernel::holds;
use crate::rounding::unit_roundoff;
use crate::run::big_ratio;
use crate::sample::to_f64;

impl<'p> Run<'p, '_> {
    pub(super) fn expr(&mut self, body: &'p Body, id: ExprId) -> Step<Value> {
        let expr = &body.exprs[id];
        match &expr.kind {
            ExprKind::Int(value) if self.program.types().is_pointer(expr.ty) => match value {
                0 => Ok(Value::Pointer(None)),
                _ => stop("a constant address"),
            },
            ExprKind::Int(value) => Ok(Value::Int(*value)),
            ExprKind::Float { bits, text } => {
                let Some(format) = self.program.types().float_format(expr.ty) else {
                    return stop("no float");
                };
                self.literal(id, Float::from_bits(format, *bits), text.as_deref())
            }
            ExprKind::Local(local) => match &self.top().locals[local.0 as usize] {
                Some(value) => Ok(value.clone()),
                None => stop("a variable is read before it is written"),
            },
            ExprKind::AddressOf(place) => Ok(Value::Pointer(Some(self.address(body, place)?))),
            ExprKind::Function(function) => Ok(Value::Function(*function)),
            ExprKind::Label(_) => stop("the address of a label"),
            ExprKind::Unary(op, a) => match (op, self.expr(body, *a)?) {
                (UnaryOp::Neg, Value::Float(x)) => Ok(Value::Float(negated(&x))),
                (UnaryOp::Neg, Value::Int(x)) => Ok(Value::Int(int_type(self.program, expr.ty)?.neg(x).0)),
                (UnaryOp::Not, Value::Int(x)) => Ok(Value::Int(int_type(self.program, expr.ty)?.not(x))),
                _ => stop("an operation on an address"),
            },
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.expr(body, *a)?, self.expr(body, *b)?);
                match (a, b) {
                    (Value::Float(x), Value::Float(y)) => {
                        self.at(expr.span);
                        self.arithmetic(*op, &x, &y, id).map(Value::Float)
                    }
                    (Value::Int(x), Value::Int(y)) => {
                        let ty = int_type(self.program, expr.ty)?;
                        integers(*op, x, y, ty).map(Value::Int).or_else(stop)
                    }
                    _ => stop("arithmetic on addresses"),
                }
            }
            ExprKind::Compare(op, a, b) => {
                let (a, b) = (self.expr(body, *a)?, self.expr(body, *b)?);
                self.at(expr.span);
                Ok(Value::Int(i128::from(self.compare(*op, &a, &b)?)))
            }
            ExprKind::Cast(a) => {
                let from = body.exprs[*a].ty;
                let a = self.expr(body, *a)?;
                self.at(expr.span);
                self.cast(&a, from, expr.ty)
            }
            ExprKind::PointerAdd { pointer, index, stride } => {
                match (self.expr(body, *pointer)?, self.expr(body, *index)?) {
                    (Value::Pointer(Some((object, offset))), Value::Int(index)) => {
                        Ok(Value::Pointer(Some((object, offset + index as i64 * *stride as i64))))
                    }
                    _ => stop("an address that is no object"),
                }
            }
            ExprKind::PointerDifference { left, right, stride } => {
                match (self.expr(body, *left)?, self.expr(body, *right)?) {
                    (Value::Pointer(Some((a, x))), Value::Pointer(Some((b, y)))) if a == b => {
                        Ok(Value::Int(i128::from((x - y) / (*stride).max(1) as i64)))
                    }
                    _ => stop("a difference of addresses"),
                }
            }
            ExprKind::Select { condition, then, otherwise } => {
                let condition = self.expr(body, *condition)?;
                if self.is_true(&condition)? { self.expr(body, *then) } else { self.expr(body, *otherwise) }
            }
            ExprKind::Builtin(builtin, arguments) => {
                let mut values = Vec::new();
                for argument in arguments {
                    values.push(self.expr(body, *argument)?);
                }
                self.builtin(*builtin, &values, body.exprs[arguments[0]].ty)
            }
            ExprKind::Overflows { .. } => stop("a test for overflow"),
        }
    }

    pub(super) fn at(&mut self, span: clew_base::source::Span) {
        if !span.is_none() {
            self.span = span;
        }
    }

    fn literal(&mut self, id: ExprId, machine: Float, text: Option<&str>) -> Step<Value> {
        let Some(bits) = self.bits() else { return Ok(Value::Float(Shadowed::plain(machine))) };
        let Some(constant) = text.and_then(|text| Constant::literal(machine, Some(text))) else {
            return Ok(Value::Float(Shadowed::plain(machine)));
        };
        let key = (self.top().function, id, bits);
        let make = || Rc::new(big_ratio(&constant.real.to_ratio(), bits));
        let real = self.literals.0.entry(key).or_insert_with(make).clone();
        Ok(Value::Float(Shadowed { real: Some(real), ..Shadowed::plain(machine) }))
    }

    fn arithmetic(&mut self, op: BinaryOp, x: &Shadowed, y: &Shadowed, id: ExprId) -> Step<Shadowed> {
        let (a, b) = (x.machine, y.machine);
        let machine = match op {
            BinaryOp::Add => a.add(b, NEAREST).0,
            BinaryOp::Sub => a.sub(b, NEAREST).0,
            BinaryOp::Mul => a.mul(b, NEAREST).0,
            BinaryOp::Div => a.div(b, NEAREST).0,
            _ => return stop("an operation that floats do not have"),
        };
        let Some(bits) = self.bits() else {
            let is_sum = matches!(op, BinaryOp::Add | BinaryOp::Sub);
            let expected = if is_sum {
                let (a, b, z) = (a.to_f64().abs(), b.to_f64().abs(), machine.to_f64().abs());
                let before = a * x.expected + b * y.expected;
                self.note(id.0, machine.to_f64());
                if before == 0.0 { 0.0 } else { (before / z).min(1e9) }
            } else {
                x.expected + y.expected
            };
            let expected = expected + unit_roundoff(machine.format());
            return Ok(Shadowed { expected, ..Shadowed::plain(machine) });
        };
        let (Some(a), Some(b)) = (self.real(x), self.real(y)) else { return Ok(Shadowed::plain(machine)) };
        let real = match op {
            BinaryOp::Add => a.add(&b, bits, EVEN),
            BinaryOp::Sub => a.sub(&b, bits, EVEN),
            BinaryOp::Mul => a.mul(&b, bits, EVEN),
            _ => a.div(&b, bits, EVEN),
        };
        Ok(self.made(machine, real, [x.made, y.made, 0]))
    }

    /// A value at a place of the program, once for each way of calls that leads there.
    pub(super) fn note(&mut self, place: u32, value: f64) {
        let frame = self.top();
        let mut hasher = FxHasher::default();
        (frame.context, frame.function.0, place).hash(&mut hasher);
        self.sites.entry(hasher.finish()).or_insert(value);
    }

    pub(super) fn is_true(&mut self, value: &Value) -> Step<bool> {
        match value {
            Value::Int(value) => Ok(*value != 0),
            Value::Pointer(pointer) => Ok(pointer.is_some()),
            Value::Function(_) => Ok(true),
            Value::Float(x) => {
                let zero = Shadowed::plain(Float::zero(x.machine.format(), false));
                Ok(self.floats(CompareOp::Ne, x, &zero))
            }
        }
    }

    fn floats(&mut self, op: CompareOp, x: &Shadowed, y: &Shadowed) -> bool {
        let machine = holds(op, x.machine.compare(y.machine));
        let (Some(a), Some(b)) = (self.real(x), self.real(y)) else { return machine };
        let real = holds(op, a.cmp(&b).map(|order| order.cmp(&0)));
        if machine != real && self.parted.is_none() {
            self.parted = Some(self.span);
        }
        if matches!(self.mode, Mode::Real(_)) { real } else { machine }
    }

    fn compare(&mut self, op: CompareOp, a: &Value, b: &Value) -> Step<bool> {
        let same = |is_same: bool| match op {
            CompareOp::Eq => Ok(is_same),
            CompareOp::Ne => Ok(!is_same),
            _ => stop("an order of addresses"),
        };
        match (a, b) {
            (Value::Int(a), Value::Int(b)) => Ok(holds(op, Some(a.cmp(b)))),
            (Value::Float(x), Value::Float(y)) => Ok(self.floats(op, x, y)),
            (Value::Pointer(Some((a, x))), Value::Pointer(Some((b, y)))) if a == b => {
                Ok(holds(op, Some(x.cmp(y))))
            }
            (Value::Pointer(x), Value::Pointer(y)) => same(x == y),
            (Value::Function(x), Value::Function(y)) => same(x == y),
            (Value::Function(_), Value::Pointer(None)) | (Value::Pointer(None), Value::Function(_)) => {
                same(false)
            }
            _ => stop("an address is compared with something else"),
        }
    }

    fn cast(&mut self, a: &Value, from: TypeId, to: TypeId) -> Step<Value> {
        let types = self.program.types();
        match (types.get(to), a) {
            (Type::Bool, _) => Ok(Value::Int(i128::from(self.is_true(a)?))),
            (Type::Float(format), Value::Float(x)) => Ok(Value::Float(self.converted(x, *format))),
            (Type::Float(format), Value::Int(x)) => {
                let ty = int_type(self.program, from)?;
                let machine = Float::from_int(*format, *x, ty, NEAREST).0;
                let Some(bits) = self.bits() else { return Ok(Value::Float(Shadowed::plain(machine))) };
                let wide = Float::from_int(Format::F128, *x, ty, NEAREST).0;
                let real = Some(Rc::new(crate::run::big(wide, bits)));
                Ok(Value::Float(Shadowed { real, ..Shadowed::plain(machine) }))
            }
            (Type::Int { .. }, Value::Float(x)) => {
                let ty = int_type(self.program, to)?;
                let Ok(machine) = x.machine.to_int(ty) else {
                    return stop("a float does not fit an integer");
                };
                if let Some(real) = self.real(x) {
                    let real = to_f64(&real.int()) as i128;
                    if real != machine && machine.unsigned_abs() < 1 << 53 {
                        self.parted = self.parted.or(Some(self.span));
                        if matches!(self.mode, Mode::Real(_)) {
                            return Ok(Value::Int(ty.wrap(real)));
                        }
                    }
                }
                Ok(Value::Int(machine))
            }
            (Type::Int { .. }, Value::Int(x)) => Ok(Value::Int(int_type(self.program, to)?.wrap(*x))),
            (Type::Pointer(_), Value::Pointer(_) | Value::Function(_)) => Ok(a.clone()),
            (Type::Pointer(_), Value::Int(0)) => Ok(Value::Pointer(None)),
            _ => stop("a cast between addresses and numbers"),
        }
    }

    pub(super) fn converted(&mut self, x: &Shadowed, to: Format) -> Shadowed {
        if x.machine.format() == to {
            return x.clone();
        }
        let machine = x.machine.convert(to, NEAREST).0;
        if to.precision() >= x.machine.format().precision() {
            return Shadowed { machine, ..x.clone() };
        }
        match self.real(x) {
            Some(real) => self.made(machine, (*real).clone(), [x.made, 0, 0]),
            None => Shadowed { expected: x.expected + unit_roundoff(to), ..Shadowed::plain(machine) },
        }
    }

    fn builtin(&mut self, builtin: Builtin, values: &[Value], ty: TypeId) -> Step<Value> {
        let flag = |is_so: bool| Ok(Value::Int(i128::from(is_so)));
        match (builtin, values) {
            (Builtin::Fabs, [Value::Float(x)]) => Ok(Value::Float(self.magnitude(x))),
            (Builtin::CopySign, [Value::Float(x), Value::Float(y)]) => {
                let positive = self.magnitude(x);
                let is_negative = y.machine.to_f64().is_sign_negative();
                Ok(Value::Float(if is_negative { negated(&positive) } else { positive }))
            }
            (Builtin::IsNan, [Value::Float(x)]) => flag(x.machine.is_nan()),
            (Builtin::IsInf, [Value::Float(x)]) => flag(x.machine.is_infinite()),
            (Builtin::IsInfSign, [Value::Float(x)]) => {
                let sign = if x.machine.to_f64() < 0.0 { -1 } else { 1 };
                Ok(Value::Int(if x.machine.is_infinite() { sign } else { 0 }))
            }
            (Builtin::IsFinite, [Value::Float(x)]) => flag(x.machine.is_finite()),
            (Builtin::SignBit, [Value::Float(x)]) => flag(x.machine.to_f64().is_sign_negative()),
            (Builtin::IsUnordered, [Value::Float(x), Value::Float(y)]) => {
                flag(x.machine.compare(y.machine).is_none())
            }
            (Builtin::IsLessGreater, [Value::Float(x), Value::Float(y)]) => {
                flag(x.machine.compare(y.machine).is_some_and(|order| order != Ordering::Equal))
            }
            (Builtin::Clz, [Value::Int(x)]) => {
                Ok(Value::Int(i128::from(int_type(self.program, ty)?.clz(*x))))
            }
            (Builtin::Ctz, [Value::Int(x)]) => {
                Ok(Value::Int(i128::from(int_type(self.program, ty)?.ctz(*x))))
            }
            (Builtin::Popcount, [Value::Int(x)]) => {
                Ok(Value::Int(i128::from(int_type(self.program, ty)?.popcount(*x))))
            }
            _ => stop("a function of bits"),
        }
    }

    /// The magnitude: exact.
    pub(super) fn magnitude(&self, x: &Shadowed) -> Shadowed {
        let real = x.real.as_ref().map(|real| Rc::new(real.abs()));
        Shadowed { machine: x.machine.abs(), real, ..x.clone() }
    }

    pub(super) fn address(&mut self, body: &'p Body, place: &CPlace) -> Step<Place> {
        let (object, mut offset) = match place.base {
            PlaceBase::Local(local) => match self.top().objects.get(&local) {
                Some(object) => (*object, 0),
                None => return stop("a variable that is not alive"),
            },
            PlaceBase::Global(global) => (self.memory.global(self.program, global), 0),
            PlaceBase::Deref(pointer) => match self.expr(body, pointer)? {
                Value::Pointer(Some(address)) => address,
                _ => return stop("a null pointer is followed"),
            },
        };
        for projection in &place.projections {
            offset += match *projection {
                Projection::Field { record, field } => match self.program.types().field(record, field) {
                    Some(field) if field.bits.is_none() => field.offset as i64,
                    _ => return stop("a bit-field"),
                },
                Projection::Index { index, stride, .. } => match self.expr(body, index)? {
                    Value::Int(index) => index as i64 * stride as i64,
                    _ => return stop("an index that is no number"),
                },
            };
        }
        Ok((object, offset))
    }
}

fn negated(x: &Shadowed) -> Shadowed {
    let real = x.real.as_ref().map(|real| Rc::new(real.neg()));
    Shadowed { machine: -x.machine, real, ..x.clone() }
}
